// Shows a picture that has as many pixels as the viewport, each as it is. Much cheaper than the
// interface's own program for images, which filters and blends: a software adapter needs that.

@group(0) @binding(0) var picture: texture_2d<f32>;

struct Corner {
    @builtin(position) position: vec4f,
    // In pixels of the picture.
    @location(0) @interpolate(linear) pixel: vec2f,
}

// One triangle that covers the viewport.
@vertex
fn corner(@builtin(vertex_index) index: u32) -> Corner {
    let across = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0;
    let position = vec4f(across.x * 2.0 - 1.0, 1.0 - across.y * 2.0, 0.0, 1.0);
    return Corner(position, across * vec2f(textureDimensions(picture)));
}

@fragment
fn colour(@location(0) @interpolate(linear) pixel: vec2f) -> @location(0) vec4f {
    let last = vec2i(textureDimensions(picture)) - 1;
    return textureLoad(picture, clamp(vec2i(floor(pixel)), vec2i(0), last), 0);
}
