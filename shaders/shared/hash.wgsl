// The stateless hash of the project. Mirrors src/board/hash.rs; see there for its source.

fn pcg4d(counter: vec4<u32>) -> vec4<u32> {
    var v = counter * 1664525u + 1013904223u;
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    v ^= v >> vec4(16u);
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    return v ^ (v >> vec4(16u));
}
