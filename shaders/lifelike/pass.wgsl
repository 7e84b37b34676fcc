// Several generations in one pass over the board. Mirrors src/engine/cpu/lifelike/pass.rs.
//
// Rows go through a tile from top to bottom, and through a chain of stages, one per generation:
//
//     board -- row y -> stage 1 -- row y - 1 -> stage 2 -- row y - 2 -> ... -> next board
//
// A stage keeps two rows and their sums, so the board is read and written once for all generations
// of the pass.

#import lifelike/tile
#import shared/pass

// One generation: the last two rows pushed in, and their sums.
struct Stage {
    above: Row,
    middle: Row,
    above_sums: Sums,
    middle_sums: Sums,
}

// The row that is row `y` of the endless plane, up to all rows away.
fn wrapped(y: i32) -> u32 {
    let height = i32(params.height);
    return u32(select(select(y, y - height, y >= height), y + height, y < 0));
}

// The row of the board that is row `y` of the endless plane.
fn row_of_board(y: i32) -> u32 {
    let row = params.first_row + wrapped(y);
    return select(row, row - params.board_height, row >= params.board_height);
}

fn is_inside(y: i32) -> bool {
    return is_torus() || (y >= 0 && y < i32(params.height));
}

// Pushes row y + 1 into a stage; row y, the one above it, comes out one generation later.
fn push(stage: ptr<private, Stage>, at: Column, y: i32, incoming: Cells) -> Cells {
    let below = Row(neighbours(incoming.alive), neighbours(incoming.blue));
    let below_sums = sum_row(below);
    var row_at = at;
    // Nothing lives outside.
    row_at.cells = select(Words(0u), at.cells, is_inside(y));
    let next = next_cells(
        row_at,
        row_of_board(y),
        (*stage).above,
        (*stage).middle,
        below,
        (*stage).above_sums,
        (*stage).middle_sums,
        below_sums,
    );
    (*stage).above = (*stage).middle;
    (*stage).middle = below;
    (*stage).above_sums = (*stage).middle_sums;
    (*stage).middle_sums = below_sums;
    return next;
}

// The cells of a tile in row `y` of the endless plane.
fn load(at: Column, y: i32) -> Cells {
    if !is_inside(y) {
        return Cells(Words(0u), Words(0u));
    }
    let row = wrapped(y) * params.row_words;
    return Cells(load_alive(at, row), load_blue(at, row));
}

// The older of the rows that a stage keeps. In the last stage but one, before the next row is pushed in, it
// is the row that the last stage puts out next, two generations before.
fn oldest(stage: ptr<private, Stage>) -> Cells {
    return Cells((*stage).above.alive.centre, (*stage).above.blue.centre);
}

#ifdef STATS
#import lifelike/stats

// With statistics every generation but the first is counted, and compared with the two before it.
//
// When a stage puts out a row, the same row of the generation before is the older one that the stage
// keeps; and before that row was pushed into the stage in front, the older row of that stage was the same
// row of the second last generation:
//
//     stage k - 1 -- rows y + 1, y, y - 1 -> stage k -- row y -> counted, compared with both rows y
//
// Only the first stage has no second last generation at hand. Therefore the last stage is one generation
// ahead: what it puts out is only counted, what is pushed into it is the next board, and the pass before
// has counted the first generation already.
//
// Many passes are submitted at once. Each reads the statistics of the last generation before it. A board
// that has settled stays settled, so those of one generation suffice, and after it no pass computes
// anything.

// Which cells are a tile's own: cells of a row, and rows.
struct Own {
    cells: Words,
    first_row: i32,
    end_row: i32,
}

fn any_of(words: Words) -> u32 {
    return words.x | words.y | words.z | words.w;
}

// Counts row y of a new generation, and compares it with the same row of the two before it.
fn count_row(partial: ptr<private, PartialStats>, own: Own, y: i32, now: Cells, last: Cells, second_last: Cells) {
    // Other tiles count the rows above and below.
    let is_own = y >= own.first_row && y < own.end_row;
    let cells = select(Words(0u), own.cells, is_own);
    (*partial).totals[ALIVE] += count_own(now.alive & cells);
    (*partial).totals[BLUE] += count_own(now.blue & cells);
    let from_last = (now.alive ^ last.alive) | (now.blue ^ last.blue);
    let from_second_last = (now.alive ^ second_last.alive) | (now.blue ^ second_last.blue);
    (*partial).differs_from_last |= any_of(from_last & cells);
    (*partial).differs_from_second_last |= any_of(from_second_last & cells);
}

// Computes a strip of a tile, and counts it in every generation but the first.
fn pass_tile_with_stats(at: Column, tile: Place) {
    let generations = i32(GENERATIONS);
    let first_row = i32(tile.first_row);
    let end_row = min(first_row + i32(params.strip_rows), i32(params.height));
    // Other bands count the rows of a halo.
    let first_own = max(first_row, i32(params.first_own));
    let own = Own(own_of_tile(at), first_own, min(end_row, i32(params.end_own)));
    // The first rows fill the stages, the last ones push the last generation out.
    for (var y = first_row - generations; y < end_row + generations; y++) {
        let next = advance(at, own, y, load(at, y));
        let done = y - generations + 1;
        if done >= first_row && done < end_row {
            store(at, u32(done) * params.row_words, next);
        }
    }
}
#else
// What comes out of the last stage.
struct Output {
    cells: Cells,
    // The same cells two generations before.
    before: Cells,
}

// The row after the last one of the zone of row `y` in a block. All rows of a zone are near to the same of
// the two borders of the block, top and bottom.
fn zone_end(y: i32, block_first: i32, block_end: i32) -> i32 {
    let reach = i32(params.reach);
    let near_bottom = block_end - reach;
    let near_top = block_first + reach;
    let end = select(block_end, near_bottom, near_bottom > y);
    return select(end, min(end, near_top), near_top > y);
}

// The dirty bits of a block, if those found are of a zone of its rows.
fn zone_bits(found: u32, y: i32, end: i32, block_first: i32, block_end: i32) -> u32 {
    let reach = i32(params.reach);
    let top = select(0u, DIRTY_TOP, y < block_first + reach);
    let bottom = select(0u, DIRTY_BOTTOM, end > block_end - reach);
    return select(0u, found | top | bottom, found != 0u);
}

// Computes a strip of a tile, and the dirty bits of each of its blocks.
fn pass_tile(at: Column, tile: Place, _lane: u32) {
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
            let output = advance(at, y, load(at, y));
            if row >= first_row {
                store(at, u32(row) * params.row_words, output.cells);
            }
            differences |= output.cells.alive ^ output.before.alive;
            differences |= output.cells.blue ^ output.before.blue;
        }
        let block_end = min(block_first + i32(params.block_rows), end_row);
        if start >= first_row {
            found |= zone_bits(dirty_bits(at, differences), start, end, block_first, block_end);
            if end == block_end {
                let block = u32(block_first) / params.block_rows * params.columns + tile.column;
                mark(at, block, of_tile(found));
                found = 0u;
                block_first = block_end;
            }
        }
        end = zone_end(row, block_first, min(block_first + i32(params.block_rows), end_row));
    }
}

// Adds the bits of a block.
fn mark(at: Column, block: u32, found: u32) {
    if is_first(at) {
        dirty[block] = (dirty[block] & IDLE) | found;
    }
}
#endif

// The stages. The program sets GENERATIONS_2, GENERATIONS_4 or GENERATIONS_8.

var<private> stage_1: Stage;
var<private> stage_2: Stage;
#ifdef GENERATIONS_2
const GENERATIONS: u32 = 2u;
#else
var<private> stage_3: Stage;
var<private> stage_4: Stage;
#ifdef GENERATIONS_4
const GENERATIONS: u32 = 4u;
#else
const GENERATIONS: u32 = 8u;
var<private> stage_5: Stage;
var<private> stage_6: Stage;
var<private> stage_7: Stage;
var<private> stage_8: Stage;
#endif
#endif

#ifdef STATS
var<private> stats_2: PartialStats;
var<private> stats_3: PartialStats;
var<private> stats_4: PartialStats;
#ifdef GENERATIONS_8
var<private> stats_5: PartialStats;
var<private> stats_6: PartialStats;
var<private> stats_7: PartialStats;
var<private> stats_8: PartialStats;
#endif

// Pushes row y of the board into the first stage, and counts the rows that come out of all others. The row
// of the next board comes out of the last stage but one.
fn advance(at: Column, own: Own, y: i32, row: Cells) -> Cells {
    let second_last_2 = oldest(&stage_1);
    let row_1 = push(&stage_1, at, y - 1, row);
    let second_last_3 = oldest(&stage_2);
    let row_2 = push(&stage_2, at, y - 2, row_1);
    count_row(&stats_2, own, y - 2, row_2, oldest(&stage_2), second_last_2);
    let second_last_4 = oldest(&stage_3);
    let row_3 = push(&stage_3, at, y - 3, row_2);
    count_row(&stats_3, own, y - 3, row_3, oldest(&stage_3), second_last_3);
#ifdef GENERATIONS_8
    let second_last_5 = oldest(&stage_4);
#endif
    let row_4 = push(&stage_4, at, y - 4, row_3);
    count_row(&stats_4, own, y - 4, row_4, oldest(&stage_4), second_last_4);
#ifdef GENERATIONS_8
    let second_last_6 = oldest(&stage_5);
    let row_5 = push(&stage_5, at, y - 5, row_4);
    count_row(&stats_5, own, y - 5, row_5, oldest(&stage_5), second_last_5);
    let second_last_7 = oldest(&stage_6);
    let row_6 = push(&stage_6, at, y - 6, row_5);
    count_row(&stats_6, own, y - 6, row_6, oldest(&stage_6), second_last_6);
    let second_last_8 = oldest(&stage_7);
    let row_7 = push(&stage_7, at, y - 7, row_6);
    count_row(&stats_7, own, y - 7, row_7, oldest(&stage_7), second_last_7);
    let row_8 = push(&stage_8, at, y - 8, row_7);
    count_row(&stats_8, own, y - 8, row_8, oldest(&stage_8), second_last_8);
    return row_7;
#else
    return row_3;
#endif
}

// The statistics of each generation that is counted.
fn partial_stats() -> array<PartialStats, COUNTED> {
#ifdef GENERATIONS_8
    return array(stats_2, stats_3, stats_4, stats_5, stats_6, stats_7, stats_8);
#else
    return array(stats_2, stats_3, stats_4);
#endif
}
#else
// Pushes row y of the board into the first stage; row y - GENERATIONS comes out of the last one.
fn advance(at: Column, y: i32, row: Cells) -> Output {
#ifdef GENERATIONS_2
    let before = oldest(&stage_1);
    let row_1 = push(&stage_1, at, y - 1, row);
    return Output(push(&stage_2, at, y - 2, row_1), before);
#else
    let row_1 = push(&stage_1, at, y - 1, row);
    let row_2 = push(&stage_2, at, y - 2, row_1);
#ifdef GENERATIONS_4
    let before = oldest(&stage_3);
    let row_3 = push(&stage_3, at, y - 3, row_2);
    return Output(push(&stage_4, at, y - 4, row_3), before);
#else
    let row_3 = push(&stage_3, at, y - 3, row_2);
    let row_4 = push(&stage_4, at, y - 4, row_3);
    let row_5 = push(&stage_5, at, y - 5, row_4);
    let row_6 = push(&stage_6, at, y - 6, row_5);
    let before = oldest(&stage_7);
    let row_7 = push(&stage_7, at, y - 7, row_6);
    return Output(push(&stage_8, at, y - 8, row_7), before);
#endif
#endif
}
#endif
