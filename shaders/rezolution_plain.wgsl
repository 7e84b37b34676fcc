// A pass of reZolution that nobody watches. Joined with rezolution_stream.wgsl and changes.wgsl.

// As in stream_plain.wgsl.
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

// Computes a strip of a tile.
fn stream_tile(at: Column, tile: Place, _lane: u32) {
    if tile.first_row >= params.height {
        return;
    }
    let generations = i32(GENERATIONS);
    let first_row = i32(tile.first_row);
    let end_row = min(first_row + i32(params.strip_rows), i32(params.height));
    // Before the first row comes out the stages have to be filled.
    for (var row = first_row - 2 * generations; row < end_row; row++) {
        let done = through(load(at, row + generations));
        if row >= first_row {
            store(at, u32(row) * params.row_words, done);
        }
    }
    // Populations hardly ever stand still: every block passes for one that has changed.
    if at.first_is_halo {
        let found = CHANGED | CHANGED_LEFT | CHANGED_RIGHT | CHANGED_TOP | CHANGED_BOTTOM;
        for (var y = tile.first_row; y < u32(end_row); y += params.block_rows) {
            changes[y / params.block_rows * params.columns + tile.column] = found;
        }
    }
}
