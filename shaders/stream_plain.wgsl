// A pass that nobody watches. Joined with stream.wgsl and listed.wgsl. For every block that is computed it
// is noted where it has changed.

// What comes out of the last stage.
struct Done {
    cells: Cells,
    // The same cells two generations before.
    before: Cells,
}

// The row after the last one of the zone of row `y` in a block. In all rows of a zone a change is as near
// to the top and the bottom of the block as in the others.
fn zone_end(y: i32, block_first: i32, block_end: i32) -> i32 {
    let reach = i32(params.reach);
    let near_bottom = block_end - reach;
    let near_top = block_first + reach;
    let end = select(block_end, near_bottom, near_bottom > y);
    return select(end, min(end, near_top), near_top > y);
}

// Where in a block cells have changed, of which some have in a zone of rows.
fn zone_changes(found: u32, y: i32, end: i32, block_first: i32, block_end: i32) -> u32 {
    let reach = i32(params.reach);
    let top = select(0u, CHANGED_TOP, y < block_first + reach);
    let bottom = select(0u, CHANGED_BOTTOM, end > block_end - reach);
    return select(0u, found | top | bottom, found != 0u);
}

// Computes a strip of a tile, and notes for each of its blocks where it has changed.
fn stream_tile(at: Column, tile: Place, _lane: u32) {
    if tile.first_row >= params.height {
        return;
    }
    let generations = i32(GENERATIONS);
    let first_row = i32(tile.first_row);
    let end_row = min(first_row + i32(params.strip_rows), i32(params.height));
    var block_first = first_row;
    var found = 0u;
    // Before the first row comes out the stages have to be filled.
    var row = first_row - 2 * generations;
    var end = first_row;
    while row < end_row {
        let start = row;
        var differences = Words(0u);
        for (; row < end; row++) {
            let y = row + generations;
            let done = through(at, y, load(at, y));
            if row >= first_row {
                store(at, u32(row) * params.row_words, done.cells);
            }
            differences |= done.cells.alive ^ done.before.alive;
            differences |= done.cells.blue ^ done.before.blue;
        }
        let block_end = min(block_first + i32(params.block_rows), end_row);
        if start >= first_row {
            found |= zone_changes(changed(at, differences), start, end, block_first, block_end);
            if end == block_end {
                let block = u32(block_first) / params.block_rows * params.columns + tile.column;
                note(at, block, of_tile(found));
                found = 0u;
                block_first = block_end;
            }
        }
        end = zone_end(row, block_first, min(block_first + i32(params.block_rows), end_row));
    }
}

fn note(at: Column, block: u32, found: u32) {
    if is_first(at) {
        changes[block] = (changes[block] & CALM) | found;
    }
}
