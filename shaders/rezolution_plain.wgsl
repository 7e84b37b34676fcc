// A pass of reZolution that nobody watches. Joined with rezolution_stream.wgsl, listed.wgsl and
// changes.wgsl.

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
