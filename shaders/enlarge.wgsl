// One pixel of a picture with `scale` pixels a cell.
// Joined after view.wgsl.

const ENLARGE_WORKGROUP: u32 = 64u;

fn cell_colour(x: u32, y: u32) -> u32 {
    let word = y * params.row_words + x / 32u;
    let bit = 1u << (x % 32u);
    if (alive[word] & bit) == 0u {
        return params.dead;
    }
    return select(params.red, params.blue, (blue[word] & bit) != 0u);
}

@compute @workgroup_size(ENLARGE_WORKGROUP)
fn enlarge(@builtin(global_invocation_id) pixel: vec3u) {
    if pixel.x >= params.columns || pixel.y >= params.rows {
        return;
    }
    let scale = i32(params.scale);
    let at_x = i32(pixel.x) - params.origin_x;
    let at_y = i32(pixel.y) - params.origin_y;
    let x = floor_div(at_x, scale);
    let y = floor_div(at_y, scale);
    let inside = is_inside(x, y);
    if !inside && !has(VIEW_TORUS) {
        put(pixel.xy, params.outside);
        return;
    }
    var colour = cell_colour(wrapped(x, params.width), wrapped(y, params.height));
    if has(VIEW_LINES) && (at_x == x * scale || at_y == y * scale) {
        colour = params.line;
    }
    put(pixel.xy, select(dimmed(colour), colour, inside));
}
