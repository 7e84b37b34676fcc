// One pixel of a picture with `scale` pixels to a cell.

const WORKGROUP_SIZE: u32 = 64u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn magnify(@builtin(global_invocation_id) pixel: vec3u) {
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
