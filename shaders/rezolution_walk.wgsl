#import rezolution
#import rezolution_totals
// One generation of reZolution in global memory. A thread owns a column of four words (16 cells) of a
// strip of rows and walks down it: a device moves four words as fast as one. Joined with
// rezolution.wgsl, rezolution_totals.wgsl and an entry point: step.wgsl, or watch.wgsl or census.wgsl with
// tally.wgsl.

// Opposite sides are joined; otherwise everything outside is empty.
override TORUS: bool;
// The walk also reports what it saw: counts, and whether cells have changed.
override WATCH: bool;

struct PopulationParams {
    width: u32,
    height: u32,
    // Groups of four words of a row of levels.
    row_groups: u32,
    // Words of a row of barriers or targets.
    mark_words: u32,
    strip_rows: u32,
    // The threads of this dispatch, out of those that a whole generation takes.
    first_thread: u32,
    end_thread: u32,
    // Of the rows here, those that are a band's own: the others are its halo.
    first_own: u32,
    end_own: u32,
    padding_0: u32,
    padding_1: u32,
    padding_2: u32,
}

@group(0) @binding(0) var<uniform> params: PopulationParams;
@group(0) @binding(1) var<storage, read> levels_now: array<Words>;
@group(0) @binding(2) var<storage, read> barriers: array<u32>;
@group(0) @binding(3) var<storage, read> targets: array<u32>;
@group(0) @binding(4) var<storage, read_write> levels_next: array<Words>;

// Four words, and the words to both sides.
struct Triple {
    before: u32,
    centre: Words,
    after: u32,
}

// Where a thread's column finds its horizontal neighbours, the same in every row.
struct Column {
    // The group of four words.
    group: u32,
    // The group and in it the word whose last byte, once shifted left, is the left neighbour of the
    // first cell.
    before: u32,
    before_word: u32,
    before_shift: u32,
    // The group whose first byte is the right neighbour of the last cell.
    after: u32,
    // 0 where the neighbour lies outside a board with dead edges, else all ones.
    has_before: u32,
    has_after: u32,
    // Where the first byte of `after` is put into a group that is not full, and which bits of it.
    seam_shift: u32,
    seam_mask: Words,
    // The bytes that are cells of the board.
    cells: Words,
}

fn column(group: u32) -> Column {
    let last = params.row_groups - 1u;
    let first = group == 0u;
    let final_group = group == last;
    // The last cell of the last group: its word, and its byte there.
    let last_cell = (params.width - 1u) & 15u;
    let last_word = last_cell / 4u;
    let last_byte = last_cell & 3u;
    let words = Words(0u, 1u, 2u, 3u);
    // Behind the last cell of a group that is not full comes the first of the row.
    let short = final_group && last_cell < 15u && TORUS;
    let seam = last_cell + 1u;
    let seam_shift = 8u * (seam & 3u);
    let seam_word = words == Words(select(4u, seam / 4u, short));
    let full = Words(0xffffffffu);
    let partly = Words(0xffffffffu >> (8u * (3u - last_byte)));
    let none = Words(0u);
    let cells = select(select(none, partly, words == Words(last_word)), full, words < Words(last_word));
    return Column(
        group,
        select(group - 1u, last, first),
        select(3u, last_word, first),
        select(0u, 8u * (3u - last_byte), first),
        select(group + 1u, 0u, final_group),
        select(0xffffffffu, 0u, first && !TORUS),
        select(0xffffffffu, 0u, final_group && !TORUS),
        seam_shift,
        select(none, Words(0xffu << seam_shift), seam_word),
        select(full, cells, final_group),
    );
}

fn triple(at: Column, before: u32, centre: Words, after: u32) -> Triple {
    return Triple(
        (before << at.before_shift) & at.has_before,
        centre | (Words(after << at.seam_shift) & at.seam_mask),
        after & at.has_after,
    );
}

// The words of row y around a column, or of an empty row.
fn load_row(at: Column, y: u32, inside: bool) -> Triple {
    if !inside {
        return Triple(0u, Words(0u), 0u);
    }
    let start = y * params.row_groups;
    return triple(
        at,
        levels_now[start + at.before][at.before_word],
        levels_now[start + at.group],
        levels_now[start + at.after].x,
    );
}

fn sum_row(row: Triple) -> Lanes {
    let before = Words(row.before, row.centre.xyz);
    let after = Words(row.centre.yzw, row.after);
    return row_sum(before, row.centre, after);
}

fn load_above(at: Column, y: u32) -> Triple {
    return load_row(at, select(y - 1u, params.height - 1u, y == 0u), TORUS || y != 0u);
}

fn load_below(at: Column, y: u32) -> Triple {
    let last = y == params.height - 1u;
    return load_row(at, select(y + 1u, 0u, last), TORUS || !last);
}

// What a thread has seen of a generation: its counts, and bits that are not 0 if any cell differs
// from the generation before, or from the one before that.
struct Seen {
    totals: array<u32, TOTALS>,
    differs_from_last: u32,
    differs_from_second_last: u32,
}

// Adds the cells of a group, in row y, to what a thread has seen.
fn count(seen: ptr<function, Seen>, levels: Words, group: u32, y: u32) {
    let found = sides(levels);
    (*seen).totals[RED] += ones(occupied(found.red));
    (*seen).totals[BLUE] += ones(found.negative);
    (*seen).totals[RED_POPULATION] += byte_sum(found.red);
    (*seen).totals[BLUE_POPULATION] += byte_sum(found.blue);
    let marks = targets[y * params.mark_words + group / 2u];
    if marks != 0u {
        (*seen).totals[REACHED] += ones(occupied((found.red | found.blue) & marked(marks, 4u * group)));
    }
}

// Counts the strip of a thread of this dispatch.
fn look(number: u32) -> Seen {
    var seen = Seen();
    let index = params.first_thread + number;
    if index >= params.end_thread {
        return seen;
    }
    let strip = index / params.row_groups;
    let group = index % params.row_groups;
    let first_row = strip * params.strip_rows;
    let end_row = min(first_row + params.strip_rows, params.height);
    for (var y = max(first_row, params.first_own); y < min(end_row, params.end_own); y++) {
        count(&seen, levels_now[y * params.row_groups + group], group, y);
    }
    return seen;
}

// Computes the strip of a thread of this dispatch.
fn walk(number: u32) -> Seen {
    var seen = Seen();
    let index = params.first_thread + number;
    if index >= params.end_thread {
        return seen;
    }
    let strip = index / params.row_groups;
    let at = column(index % params.row_groups);
    let first_row = strip * params.strip_rows;
    let end_row = min(first_row + params.strip_rows, params.height);

    var middle = load_row(at, first_row, true);
    var above_sum = sum_row(load_above(at, first_row));
    var middle_sum = sum_row(middle);
    for (var y = first_row; y < end_row; y++) {
        let below = load_below(at, y);
        let below_sum = sum_row(below);
        let sum = block_sum(above_sum, middle_sum, below_sum);
        let barred = marked(barriers[y * params.mark_words + at.group / 2u], 4u * at.group);
        let levels = next_levels(middle.centre, sum) & ~barred & at.cells;
        let target_group = y * params.row_groups + at.group;
        if WATCH && y >= params.first_own && y < params.end_own {
            // The plane about to be written still holds the generation before the last.
            count(&seen, levels, at.group, y);
            seen.differs_from_last |= any_bit(levels ^ (middle.centre & at.cells));
            seen.differs_from_second_last |= any_bit(levels ^ levels_next[target_group]);
        }
        levels_next[target_group] = levels;
        middle = below;
        above_sum = middle_sum;
        middle_sum = below_sum;
    }
    return seen;
}
#ifdef CENSUS
#import tally
#import tally_step
#import tally_workgroup
#import census
#else
#ifdef STATS
#import tally
#import tally_step
#ifdef SUBGROUPS
#import tally_subgroups
#else
#import tally_workgroup
#endif
#import watch
#else
#import step
#endif
#endif
