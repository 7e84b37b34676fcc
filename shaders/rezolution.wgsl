// reZolution on signed 8-bit populations: one generation.
//
// A thread owns one word column (four cells) of a strip of rows and walks down it. The functions up
// to `marked` mirror src/rules/rezolution.rs; see there for what they mean. Joined with an entry
// point: step.wgsl, or watch.wgsl or census.wgsl with tally.wgsl.

// Opposite sides are joined; otherwise everything outside is empty.
override TORUS: bool;
// The walk also reports what it saw: counts, and whether cells have changed.
override WATCH: bool;

const BIAS: u32 = 0x80808080u;
const LOW_BYTES: u32 = 0x00ff00ffu;
const ONES: u32 = 0x00010001u;
const HIGH_BITS: u32 = 0x80008000u;
const NINE_BIASES: u32 = 1152u;

struct PopulationParams {
    width: u32,
    height: u32,
    row_words: u32,
    // Words of a row of barriers or targets.
    mark_words: u32,
    strip_rows: u32,
    strips: u32,
    padding_0: u32,
    padding_1: u32,
}

@group(0) @binding(0) var<uniform> params: PopulationParams;
@group(0) @binding(1) var<storage, read> levels_now: array<u32>;
@group(0) @binding(2) var<storage, read> barriers: array<u32>;
@group(0) @binding(3) var<storage, read> targets: array<u32>;
@group(0) @binding(4) var<storage, read_write> levels_next: array<u32>;

struct Lanes {
    even: u32,
    odd: u32,
}

fn lanes(levels: u32) -> Lanes {
    let biased = levels ^ BIAS;
    return Lanes(biased & LOW_BYTES, (biased >> 8u) & LOW_BYTES);
}

fn row_sum(before: u32, levels: u32, after: u32) -> Lanes {
    let centre = lanes(levels);
    let left = (centre.odd << 16u) | (lanes(before).odd >> 16u);
    let right = (centre.even >> 16u) | (lanes(after).even << 16u);
    let both = centre.even + centre.odd;
    return Lanes(left + both, both + right);
}

fn block_sum(above: Lanes, middle: Lanes, below: Lanes) -> Lanes {
    return Lanes(above.even + middle.even + below.even, above.odd + middle.odd + below.odd);
}

fn magnitude(low_bits: u32, negative: u32, mask: u32) -> u32 {
    return (low_bits ^ (negative * mask)) + negative;
}

fn at_least(number: u32, least: u32) -> u32 {
    return ((number - least * ONES) >> 15u) & ONES;
}

fn next_lanes(own: u32, sum: u32) -> u32 {
    let total = sum + (HIGH_BITS - NINE_BIASES * ONES);
    let total_negative = (~total >> 15u) & ONES;
    let total_size = magnitude(total & ~HIGH_BITS, total_negative, 0x7fffu);
    let own_negative = (~own >> 7u) & ONES;
    let own_size = magnitude(own & 0x007f007fu, own_negative, 0x7fu);
    let margin = total_size + HIGH_BITS - 3u * own_size;
    let lives = at_least(margin, 0u) ^ at_least(margin, 6u);
    let grown = own_size + at_least(margin, 3u);
    let capped = grown - ((grown >> 7u) & ONES);
    let size = capped & (lives * 0xffu);
    return ((size ^ (total_negative * 0xffu)) + total_negative) & LOW_BYTES;
}

fn next_levels(levels: u32, sum: Lanes) -> u32 {
    let own = lanes(levels);
    return next_lanes(own.even, sum.even) | (next_lanes(own.odd, sum.odd) << 8u);
}

fn spread(bits: u32) -> u32 {
    return ((bits * 0x00204081u) & 0x01010101u) * 0xffu;
}

fn marked(marks: u32, word: u32) -> u32 {
    return spread((marks >> (4u * (word & 7u))) & 0xfu);
}

// A word and the words of its neighbours to both sides.
struct Triple {
    before: u32,
    centre: u32,
    after: u32,
}

// Where a thread's word column finds its horizontal neighbours, the same in every row.
struct Column {
    word: u32,
    // The word whose last byte, once shifted left, is the left neighbour of the first cell.
    before: u32,
    before_shift: u32,
    // The word whose first byte is the right neighbour of the last cell.
    after: u32,
    // 0 where the neighbour lies outside a board with dead edges, else all ones.
    has_before: u32,
    has_after: u32,
    // Where the first byte of `after` is put into a word that is not full, and which bits of it.
    seam_shift: u32,
    seam_mask: u32,
    // The bytes that are cells of the board.
    cells: u32,
}

fn column(word: u32) -> Column {
    let last = params.row_words - 1u;
    let first = word == 0u;
    let final_word = word == last;
    // Cells of the last word: 1 to 4.
    let used = ((params.width - 1u) & 3u) + 1u;
    let short = final_word && used < 4u;
    return Column(
        word,
        select(word - 1u, last, first),
        select(0u, 8u * (4u - used), first),
        select(word + 1u, 0u, final_word),
        select(0xffffffffu, 0u, first && !TORUS),
        select(0xffffffffu, 0u, final_word && !TORUS),
        select(0u, 8u * used, short),
        select(0u, 0xffu, short && TORUS),
        select(0xffffffffu, 0xffffffffu >> (8u * (4u - used)), final_word),
    );
}

fn triple(at: Column, before: u32, centre: u32, after: u32) -> Triple {
    return Triple(
        (before << at.before_shift) & at.has_before,
        centre | ((after & at.seam_mask) << at.seam_shift),
        after & at.has_after,
    );
}

// The words of row y around a column, or of an empty row.
fn load_row(at: Column, y: u32, inside: bool) -> Triple {
    if !inside {
        return Triple(0u, 0u, 0u);
    }
    let start = y * params.row_words;
    return triple(
        at,
        levels_now[start + at.before],
        levels_now[start + at.word],
        levels_now[start + at.after],
    );
}

fn sum_row(row: Triple) -> Lanes {
    return row_sum(row.before, row.centre, row.after);
}

fn load_above(at: Column, y: u32) -> Triple {
    return load_row(at, select(y - 1u, params.height - 1u, y == 0u), TORUS || y != 0u);
}

fn load_below(at: Column, y: u32) -> Triple {
    let last = y == params.height - 1u;
    return load_row(at, select(y + 1u, 0u, last), TORUS || !last);
}

// What is counted: cells and populations of both sides, and populated targets.
const TOTALS: u32 = 5u;
const RED: u32 = 0u;
const BLUE: u32 = 1u;
const RED_POPULATION: u32 = 2u;
const BLUE_POPULATION: u32 = 3u;
const REACHED: u32 = 4u;

// What a thread has seen of a generation: its counts, and bits that are not 0 if any cell differs
// from the generation before, or from the one before that.
struct Seen {
    totals: array<u32, TOTALS>,
    differs_from_last: u32,
    differs_from_second_last: u32,
}

// Whether a run ends with a generation: if a target is populated.
fn settled(totals: array<vec2<u32>, TOTALS>, repeats: bool) -> bool {
    return any(totals[REACHED] != vec2(0u));
}

fn byte_sum(bytes: u32) -> u32 {
    let pairs = (bytes & LOW_BYTES) + ((bytes >> 8u) & LOW_BYTES);
    return (pairs & 0xffffu) + (pairs >> 16u);
}

// 1 in each byte that is not 0.
fn occupied(levels: u32) -> u32 {
    return ((((levels & 0x7f7f7f7fu) + 0x7f7f7f7fu) | levels) >> 7u) & 0x01010101u;
}

// Adds the cells of a word, in row y, to what a thread has seen.
fn count(seen: ptr<function, Seen>, levels: u32, word: u32, y: u32) {
    let negative = (levels >> 7u) & 0x01010101u;
    let sizes = ((levels ^ (negative * 0xffu)) & 0x7f7f7f7fu) + negative;
    let blue_sizes = sizes & (negative * 0xffu);
    (*seen).totals[RED] += countOneBits(occupied(levels) & ~negative);
    (*seen).totals[BLUE] += countOneBits(negative);
    (*seen).totals[RED_POPULATION] += byte_sum(sizes ^ blue_sizes);
    (*seen).totals[BLUE_POPULATION] += byte_sum(blue_sizes);
    let marks = targets[y * params.mark_words + word / 8u];
    if marks != 0u {
        (*seen).totals[REACHED] += countOneBits(occupied(levels & marked(marks, word)));
    }
}

// Counts the strip of thread number `index`.
fn look(index: u32) -> Seen {
    var seen = Seen();
    let strip = index / params.row_words;
    if strip >= params.strips {
        return seen;
    }
    let word = index % params.row_words;
    let first_row = strip * params.strip_rows;
    let end_row = min(first_row + params.strip_rows, params.height);
    for (var y = first_row; y < end_row; y++) {
        count(&seen, levels_now[y * params.row_words + word], word, y);
    }
    return seen;
}

// Computes the strip of thread number `index`.
fn walk(index: u32) -> Seen {
    var seen = Seen();
    let strip = index / params.row_words;
    if strip >= params.strips {
        return seen;
    }
    let at = column(index % params.row_words);
    let first_row = strip * params.strip_rows;
    let end_row = min(first_row + params.strip_rows, params.height);

    var middle = load_row(at, first_row, true);
    var above_sum = sum_row(load_above(at, first_row));
    var middle_sum = sum_row(middle);
    for (var y = first_row; y < end_row; y++) {
        let below = load_below(at, y);
        let below_sum = sum_row(below);
        let sum = block_sum(above_sum, middle_sum, below_sum);
        let barred = marked(barriers[y * params.mark_words + at.word / 8u], at.word);
        let levels = next_levels(middle.centre, sum) & ~barred & at.cells;
        let target_word = y * params.row_words + at.word;
        if WATCH {
            // The plane about to be written still holds the generation before the last.
            count(&seen, levels, at.word, y);
            seen.differs_from_last |= levels ^ (middle.centre & at.cells);
            seen.differs_from_second_last |= levels ^ levels_next[target_word];
        }
        levels_next[target_word] = levels;
        middle = below;
        above_sum = middle_sum;
        middle_sum = below_sum;
    }
    return seen;
}
