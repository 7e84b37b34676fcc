// One generation in global memory. A thread owns a column of four words (16 cells) of a strip of rows and
// goes down it row by row: a device moves four words as fast as one.

#import rezolution/grid
#import rezolution/stats
#import shared/stats
#import shared/entry

@group(0) @binding(0) var<uniform> params: RezolutionStepParams;
@group(0) @binding(1) var<storage, read> populations_now: array<Words>;
@group(0) @binding(2) var<storage, read> barriers: array<u32>;
@group(0) @binding(3) var<storage, read> targets: array<u32>;
@group(0) @binding(4) var<storage, read_write> populations_next: array<Words>;
#ifdef STATS
const STATS_BINDING: u32 = 5u;
#endif

// The words of row y around a column, or of an empty row.
fn load_row(at: Column, y: u32, inside: bool) -> Triple {
    if !inside {
        return Triple(0u, Words(0u), 0u);
    }
    let start = y * params.row_groups;
    return triple(
        at,
        populations_now[start + at.before][at.before_word],
        populations_now[start + at.group],
        populations_now[start + at.after].x,
    );
}

fn sum_row(row: Triple) -> EvenOdd {
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

// Adds the cells of a group, in row y, to the statistics of a thread.
fn count_cells(partial: ptr<function, PartialStats>, populations: Words, group: u32, y: u32) {
    let found = sides(populations);
    (*partial).totals[RED] += ones(occupied(found.red));
    (*partial).totals[BLUE] += ones(found.negative);
    (*partial).totals[RED_POPULATION] += byte_sum(found.red);
    (*partial).totals[BLUE_POPULATION] += byte_sum(found.blue);
    let marks = targets[y * params.mark_words + group / 2u];
    if marks != 0u {
        (*partial).totals[REACHED] += ones(occupied((found.red | found.blue) & marked(marks, 4u * group)));
    }
}

// Counts the strip of a thread of this dispatch.
fn census_strip(number: u32) -> PartialStats {
    var partial = PartialStats();
    let index = params.first_thread + number;
    if index >= params.end_thread {
        return partial;
    }
    let strip = index / params.row_groups;
    let group = index % params.row_groups;
    let first_row = strip * params.strip_rows;
    let end_row = min(first_row + params.strip_rows, params.height);
    for (var y = max(first_row, params.first_own); y < min(end_row, params.end_own); y++) {
        count_cells(&partial, populations_now[y * params.row_groups + group], group, y);
    }
    return partial;
}

// Computes the strip of a thread of this dispatch.
fn step_strip(number: u32) -> PartialStats {
    var partial = PartialStats();
    let index = params.first_thread + number;
    if index >= params.end_thread {
        return partial;
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
        let populations = next_populations(middle.centre, sum) & ~barred & at.cells;
        let target_group = y * params.row_groups + at.group;
#ifdef STATS
        if y >= params.first_own && y < params.end_own {
            // The plane about to be written still holds the generation before the last.
            count_cells(&partial, populations, at.group, y);
            partial.differs_from_last |= any_bit(populations ^ (middle.centre & at.cells));
            partial.differs_from_second_last |= any_bit(populations ^ populations_next[target_group]);
        }
#endif
        populations_next[target_group] = populations;
        middle = below;
        above_sum = middle_sum;
        middle_sum = below_sum;
    }
    return partial;
}
