// One generation in global memory. A thread owns one word column (32 cells) of a strip of rows and
// goes down it row by row.

#import lifelike/grid
#import lifelike/stats
#import shared/stats
#import shared/entry

@group(0) @binding(0) var<uniform> params: LifelikeStepParams;
@group(0) @binding(1) var<storage, read> alive_now: array<u32>;
@group(0) @binding(2) var<storage, read> blue_now: array<u32>;
@group(0) @binding(3) var<storage, read_write> alive_next: array<u32>;
@group(0) @binding(4) var<storage, read_write> blue_next: array<u32>;
#ifdef STATS
const STATS_BINDING: u32 = 5u;
#endif

// The words of row y around a column, or of a dead row.
fn load_row(at: Column, y: u32, inside: bool) -> Row {
    if !inside {
        return Row(Triple(0u, 0u, 0u), Triple(0u, 0u, 0u));
    }
    let start = y * params.row_words;
    return Row(
        triple(at, alive_now[start + at.before], alive_now[start + at.word], alive_now[start + at.after]),
        triple(at, blue_now[start + at.before], blue_now[start + at.word], blue_now[start + at.after]),
    );
}

fn load_above(at: Column, y: u32) -> Row {
    return load_row(at, select(y - 1u, params.height - 1u, y == 0u), is_torus() || y != 0u);
}

fn load_below(at: Column, y: u32) -> Row {
    let last = y == params.height - 1u;
    return load_row(at, select(y + 1u, 0u, last), is_torus() || !last);
}

// Counts the strip of a thread of this dispatch.
fn census_strip(number: u32) -> PartialStats {
    var partial = PartialStats();
    let index = params.first_thread + number;
    if index >= params.end_thread {
        return partial;
    }
    let strip = index / params.row_words;
    let word = index % params.row_words;
    let first_row = strip * params.strip_rows;
    let end_row = min(first_row + params.strip_rows, params.height);
    for (var y = max(first_row, params.first_own); y < min(end_row, params.end_own); y++) {
        partial.totals[ALIVE] += countOneBits(alive_now[y * params.row_words + word]);
        partial.totals[BLUE] += countOneBits(blue_now[y * params.row_words + word]);
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
    let strip = index / params.row_words;
    let at = column(index % params.row_words);
    let first_row = strip * params.strip_rows;
    let end_row = min(first_row + params.strip_rows, params.height);

    var above = load_above(at, first_row);
    var middle = load_row(at, first_row, true);
    var above_sums = sum_row(above);
    var middle_sums = sum_row(middle);
    for (var y = first_row; y < end_row; y++) {
        let below = load_below(at, y);
        let below_sums = sum_row(below);
        let next = next_cells(at, y, above, middle, below, above_sums, middle_sums, below_sums);
        let target_word = y * params.row_words + at.word;
        let new_alive = next.alive;
        let new_blue = next.blue;
#ifdef STATS
        if y >= params.first_own && y < params.end_own {
            // The planes about to be written still hold the generation before the last.
            partial.totals[ALIVE] += countOneBits(new_alive);
            partial.totals[BLUE] += countOneBits(new_blue);
            partial.differs_from_last |=
                (new_alive ^ middle.alive.centre) | (new_blue ^ middle.blue.centre);
            partial.differs_from_second_last |=
                (new_alive ^ alive_next[target_word]) | (new_blue ^ blue_next[target_word]);
        }
#endif
        alive_next[target_word] = new_alive;
        blue_next[target_word] = new_blue;
        above = middle;
        middle = below;
        above_sums = middle_sums;
        middle_sums = below_sums;
    }
    return partial;
}
