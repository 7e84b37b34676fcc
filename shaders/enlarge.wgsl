// One pixel of a picture with `scale` pixels a cell.
// Joined after view.wgsl and what the boards of a family look like.

const ENLARGE_WORKGROUP: u32 = 64u;

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
    let cell = vec2u(wrapped(x, params.width), plane_row(wrapped(y, params.height)));
    let at = vec2u(u32(at_x - x * scale), u32(at_y - y * scale));
    var colour = cell_colour(cell.x, cell.y, at);
    if has(VIEW_LINES) && (at.x == 0u || at.y == 0u) && !has_outline(cell.x, cell.y, at) {
        colour = params.line;
    }
    put(pixel.xy, select(dimmed(colour), colour, inside));
}
