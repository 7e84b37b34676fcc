// Several generations of reZolution in one pass over the board.
//
// As in lifelike/pass.wgsl rows go through a tile from top to bottom, and through a chain of stages, one a
// generation:
//
//     board -- row y -> stage 1 -- row y - 1 -> stage 2 -- row y - 2 -> ... -> next board
//
// The cells of a row that cannot be populated, barriers and what lies outside, go along with it from
// stage to stage, a bit each.

#import rezolution/tile
#import shared/pass

// Their sums.
struct Sums {
    low: EvenOdd,
    high: EvenOdd,
}

// One generation: the last two rows pushed in, or what is needed of them.
struct Stage {
    middle: Cells,
    above_sums: Sums,
    middle_sums: Sums,
}

// Pushes row y + 1 into a stage; row y comes out one generation later.
fn push(stage: ptr<private, Stage>, incoming: Cells) -> Cells {
    let low = incoming.low;
    let high = incoming.high;
    let below = Sums(
        row_sum(Words(word_before(high.w), low.xyz), low, Words(low.yzw, high.x)),
        row_sum(Words(low.w, high.xyz), high, Words(high.yzw, word_after(low.x))),
    );
    let above = (*stage).above_sums;
    let beside = (*stage).middle_sums;
    let middle = (*stage).middle;
    let next_low = next_populations(middle.low, block_sum(above.low, beside.low, below.low));
    let next_high = next_populations(middle.high, block_sum(above.high, beside.high, below.high));
    let barred = Words(middle.barred);
    let barred_low = spread((barred >> Words(0u, 4u, 8u, 12u)) & Words(0xfu));
    let barred_high = spread((barred >> Words(16u, 20u, 24u, 28u)) & Words(0xfu));
    (*stage).middle = incoming;
    (*stage).above_sums = beside;
    (*stage).middle_sums = below;
    return Cells(next_low & ~barred_low, next_high & ~barred_high, middle.barred);
}

#ifdef STATS
#import rezolution/stats

// With statistics every generation but the first is counted, and compared with the two before it, as in
// lifelike/pass.wgsl. A population may leave its target again in the next generation, so the statistics of
// one generation do not suffice: if any generation of a pass has ended the run, those of the last say so.

// Which bytes of a thread's words are its tile's own cells, and which rows are.
struct Own {
    low: Words,
    high: Words,
    first_row: i32,
    end_row: i32,
}

fn own_of_tile(at: Column, first_row: i32, end_row: i32) -> Own {
    let first = select(own_bytes(at.first), 0u, at.first_is_halo);
    let last = select(own_bytes(at.first + 7), 0u, at.last_is_halo);
    return Own(
        Words(first, own_bytes(at.first + 1), own_bytes(at.first + 2), own_bytes(at.first + 3)),
        Words(own_bytes(at.first + 4), own_bytes(at.first + 5), own_bytes(at.first + 6), last),
        first_row,
        end_row,
    );
}

// Eight words of which only the lowest bit of each byte may be set, a word of all of them.
fn gathered_bits(low: Words, high: Words) -> u32 {
    let both = low | (high << Words(4u));
    return both.x | (both.y << 1u) | (both.z << 2u) | (both.w << 3u);
}

// The targets among the cells of a thread's words in a row of the board, in the order of
// `gathered_bits`. Those of words that are not the tile's own may be others.
fn load_targets(at: Column, y: i32) -> u32 {
    if y < 0 || y >= i32(params.height) {
        return 0u;
    }
    let mark_words = (i32(params.width) + 31) / 32;
    let row = y * mark_words;
    let shift = 4u * (u32(at.first) & 7u);
    // The words of a tile at the border lie partly beyond it.
    let low = targets[row + clamp(at.first >> 3u, 0, mark_words - 1)] >> shift;
    let high = targets[row + min((at.first + 7) >> 3u, mark_words - 1)] << ((32u - shift) & 31u);
    let marks = low | select(0u, high, shift != 0u);
    if marks == 0u {
        return 0u;
    }
    let ones = Words(0x01010101u);
    return gathered_bits(marked(marks, 0u) & ones, marked(marks, 4u) & ones);
}

// Counts row y of a new generation, and compares it with the same row of the two before it.
fn count_row(
    partial: ptr<private, PartialStats>,
    own: Own,
    y: i32,
    targets: u32,
    now: Cells,
    last: Cells,
    second_last: Cells,
) {
    // Other tiles count the rows above and below.
    let is_own = y >= own.first_row && y < own.end_row;
    let own_low = select(Words(0u), own.low, is_own);
    let own_high = select(Words(0u), own.high, is_own);
    let low = sides(now.low & own_low);
    let high = sides(now.high & own_high);
    let red = gathered_bits(occupied(low.red), occupied(high.red));
    let blue = gathered_bits(low.negative, high.negative);
    (*partial).totals[RED] += countOneBits(red);
    (*partial).totals[BLUE] += countOneBits(blue);
    // Two populations fit into a byte.
    (*partial).totals[RED_POPULATION] += byte_sum(low.red + high.red);
    (*partial).totals[BLUE_POPULATION] += byte_sum(low.blue + high.blue);
    (*partial).totals[REACHED] += countOneBits((red | blue) & targets);
    (*partial).differs_from_last |=
        any_bit(((now.low ^ last.low) & own_low) | ((now.high ^ last.high) & own_high));
    (*partial).differs_from_second_last |=
        any_bit(((now.low ^ second_last.low) & own_low) | ((now.high ^ second_last.high) & own_high));
}

// Computes a strip of a tile, and counts it in every generation but the first.
fn pass_tile_with_stats(at: Column, tile: Place) {
    let generations = i32(GENERATIONS);
    let first_row = i32(tile.first_row);
    let end_row = min(first_row + i32(params.strip_rows), i32(params.height));
    // Other bands count the rows of a halo.
    let first_own = max(first_row, i32(params.first_own));
    let own = own_of_tile(at, first_own, min(end_row, i32(params.end_own)));
    // The targets of the rows that are counted: of the last row pushed in, and of those above it.
    var passing = Words(0u);
    // The first rows fill the stages, the last ones push the last generation out.
    for (var y = first_row - generations; y < end_row + generations; y++) {
        let next = advance(own, y, passing, load(at, y));
        passing = Words(load_targets(at, y), passing.xyz);
        let done = y - generations + 1;
        if done >= first_row && done < end_row {
            store(at, u32(done) * params.row_words, next);
        }
    }
}
#else
// Computes a strip of a tile.
fn pass_tile(at: Column, tile: Place, _lane: u32) {
    if tile.first_row >= params.height {
        return;
    }
    let generations = i32(GENERATIONS);
    let first_row = i32(tile.first_row);
    let end_row = min(first_row + i32(params.strip_rows), i32(params.height));
    // Before the first row comes out the stages have to be filled.
    for (var row = first_row - 2 * generations; row < end_row; row++) {
        let done = advance(load(at, row + generations));
        if row >= first_row {
            store(at, u32(row) * params.row_words, done);
        }
    }
    // Populations hardly ever stay as they are: every block counts as dirty all over.
    if at.first_is_halo {
        let found = DIRTY | DIRTY_LEFT | DIRTY_RIGHT | DIRTY_TOP | DIRTY_BOTTOM;
        for (var y = tile.first_row; y < u32(end_row); y += params.block_rows) {
            dirty[y / params.block_rows * params.columns + tile.column] = found;
        }
    }
}
#endif

// The stages. The program sets GENERATIONS_2 or GENERATIONS_4.

var<private> stage_1: Stage;
var<private> stage_2: Stage;
#ifdef GENERATIONS_4
const GENERATIONS: u32 = 4u;
var<private> stage_3: Stage;
var<private> stage_4: Stage;
#else
const GENERATIONS: u32 = 2u;
#endif

#ifdef STATS
// The row above the two that a stage keeps, for the three stages whose output is counted as the second
// last generation.
var<private> above_1: Cells;
var<private> above_2: Cells;
var<private> above_3: Cells;

var<private> stats_2: PartialStats;
var<private> stats_3: PartialStats;
var<private> stats_4: PartialStats;

// Pushes row y of the board into the first stage, and counts the rows that come out of all others. The row
// of the next board comes out of the last stage but one. `targets` are those of rows y - 1 to y - 4.
fn advance(own: Own, y: i32, targets: Words, row: Cells) -> Cells {
    let second_last_2 = above_1;
    above_1 = stage_1.middle;
    let row_1 = push(&stage_1, row);
    let second_last_3 = above_2;
    above_2 = stage_2.middle;
    let row_2 = push(&stage_2, row_1);
    count_row(&stats_2, own, y - 2, targets.y, row_2, above_2, second_last_2);
    let second_last_4 = above_3;
    above_3 = stage_3.middle;
    let row_3 = push(&stage_3, row_2);
    count_row(&stats_3, own, y - 3, targets.z, row_3, above_3, second_last_3);
    let last_4 = stage_4.middle;
    let row_4 = push(&stage_4, row_3);
    count_row(&stats_4, own, y - 4, targets.w, row_4, last_4, second_last_4);
    return row_3;
}

// The statistics of each generation that is counted.
fn partial_stats() -> array<PartialStats, COUNTED> {
    return array(stats_2, stats_3, stats_4);
}
#else
// Pushes row y of the board into the first stage; row y - GENERATIONS comes out of the last one.
fn advance(row: Cells) -> Cells {
#ifdef GENERATIONS_2
    return push(&stage_2, push(&stage_1, row));
#else
    let row_2 = push(&stage_2, push(&stage_1, row));
    return push(&stage_4, push(&stage_3, row_2));
#endif
}
#endif
