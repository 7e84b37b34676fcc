// The arithmetic roofline of a device: eight chains of logic functions of three words, without memory.

struct RooflineParams {
    rounds: u32,
    // Makes the words unknown to the compiler.
    seed: u32,
}

@group(0) @binding(0) var<uniform> params: RooflineParams;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;

const WORKGROUP_SIZE: u32 = 64u;

fn pick(a: u32, b: u32, c: u32) -> u32 {
    return (a & b) | (~a & c);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn roofline(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let index = group.x * WORKGROUP_SIZE + thread;
    var a = (index + params.seed) * 0x9e3779b9u;
    var b = a * 3u + 1u;
    var c = a * 5u + 2u;
    var d = a * 7u + 3u;
    var e = a * 9u + 4u;
    var f = a * 11u + 5u;
    var g = a * 13u + 6u;
    var h = a * 15u + 7u;
    // FUNCTIONS of them.
    for (var round = 0u; round < params.rounds; round++) {
        a = pick(b, c, a);
        b = c ^ d ^ b;
        c = pick(d, e, c);
        d = e ^ f ^ d;
        e = pick(f, g, e);
        f = g ^ h ^ f;
        g = pick(h, a, g);
        h = a ^ b ^ h;
        a = b ^ c ^ a;
        b = pick(c, d, b);
        c = d ^ e ^ c;
        d = pick(e, f, d);
        e = f ^ g ^ e;
        f = pick(g, h, f);
        g = h ^ a ^ g;
        h = pick(a, b, h);
    }
    results[index] = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
}
