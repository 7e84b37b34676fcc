// Which strips a pass computes that nobody watches: tall ones that cover the board, or the blocks of a
// list (active.wgsl). Joined with stream_plain.wgsl or rezolution_plain.wgsl.

struct Listed {
    count: u32,
    blocks: array<u32>,
}

@group(0) @binding(5) var<storage, read> list: Listed;
@group(0) @binding(6) var<storage, read_write> changes: array<u32>;

// The place of a tile. Those that are too many lie below the board.
fn place(tile: u32) -> Place {
    var number = tile;
    if params.listed != 0u {
        if tile >= list.count {
            return Place(0u, params.height);
        }
        number = list.blocks[tile];
    }
    return Place(number % params.columns, number / params.columns * params.strip_rows);
}
