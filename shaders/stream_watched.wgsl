// A pass under watch: every generation that it looks at is counted, and compared with the two before
// it. Joined with stream.wgsl, totals.wgsl, tally.wgsl, tally_pass.wgsl, with watched_alone.wgsl or
// watched_subgroups.wgsl, which add up what threads have seen, and with the stages: watched_4.wgsl or
// watched_8.wgsl.
//
// When a stage puts out a row, the same row of the generation before is the older one that the stage
// keeps, and before the stage in front of it was given its row, that one's was the row of the second
// last generation:
//
//     stage k - 1 -- rows y + 1, y, y - 1 -> stage k -- row y -> counted, compared with both rows y
//
// Only of the first stage is the second last generation not at hand. Therefore a pass looks one
// generation further than it goes: what comes out of the last stage is only seen, what comes into it
// is the next board, and the first generation of the next pass has been seen already.
//
// Many passes are submitted at once. Each reads the tally of the last generation before it. What has
// settled stays settled, so that one tells of all, and after it no pass computes anything any more.

// Which cells are a tile's own: cells of a row, and rows.
struct Own {
    cells: Words,
    first_row: i32,
    end_row: i32,
}

fn any_of(words: Words) -> u32 {
    return words.x | words.y | words.z | words.w;
}

// Looks at row y of a new generation, and at the same row of the two before it.
fn see(sight: ptr<private, Sight>, own: Own, y: i32, now: Cells, last: Cells, second_last: Cells) {
    // Other tiles see the rows above and below.
    let is_own = y >= own.first_row && y < own.end_row;
    let cells = select(Words(0u), own.cells, is_own);
    (*sight).totals[ALIVE] += count_own(now.alive & cells);
    (*sight).totals[BLUE] += count_own(now.blue & cells);
    let from_last = (now.alive ^ last.alive) | (now.blue ^ last.blue);
    let from_second_last = (now.alive ^ second_last.alive) | (now.blue ^ second_last.blue);
    (*sight).differs_from_last |= any_of(from_last & cells);
    (*sight).differs_from_second_last |= any_of(from_second_last & cells);
}

fn watch_tile(at: Column, tile: Place) {
    let generations = i32(GENERATIONS);
    let first_row = i32(tile.first_row);
    let end_row = min(first_row + i32(params.strip_rows), i32(params.height));
    // Of a halo's rows other bands tell.
    let first_own = max(first_row, i32(params.first_own));
    let own = Own(own_of_tile(at), first_own, min(end_row, i32(params.end_own)));
    // The first rows fill the stages, the last ones let the last generation come out.
    for (var y = first_row - generations; y < end_row + generations; y++) {
        let next = through(at, own, y, load(at, y));
        let done = y - generations + 1;
        if done >= first_row && done < end_row {
            store(at, u32(done) * params.row_words, next);
        }
    }
}
