// Many generations of a small board in one dispatch: a single workgroup holds the board in its memory. Every
// device has enough of it for MAX_WORDS words of both planes. A thread owns one word column of a strip
// of rows.

#import lifelike/grid

const WORKGROUP_SIZE: u32 = 256u;
const MAX_WORDS: u32 = 2048u;
// Rows of a strip, at most: as many as the workgroup needs for any board.
const MAX_STRIP_ROWS: u32 = 15u;

struct SingleWorkgroupParams {
    generations: u32,
}

@group(0) @binding(0) var<uniform> params: LifelikeStepParams;
@group(0) @binding(1) var<storage, read> alive_now: array<u32>;
@group(0) @binding(2) var<storage, read> blue_now: array<u32>;
@group(0) @binding(3) var<storage, read_write> alive_next: array<u32>;
@group(0) @binding(4) var<storage, read_write> blue_next: array<u32>;
@group(0) @binding(5) var<uniform> dispatch: SingleWorkgroupParams;

var<workgroup> alive: array<u32, MAX_WORDS>;
var<workgroup> blue: array<u32, MAX_WORDS>;

// The words of row y around a column, or of a dead row.
fn load_row(at: Column, y: u32, inside: bool) -> Row {
    if !inside {
        return Row(Triple(0u, 0u, 0u), Triple(0u, 0u, 0u));
    }
    let start = y * params.row_words;
    return Row(
        triple(at, alive[start + at.before], alive[start + at.word], alive[start + at.after]),
        triple(at, blue[start + at.before], blue[start + at.word], blue[start + at.after]),
    );
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn single_workgroup(@builtin(local_invocation_index) thread: u32) {
    let words = params.row_words * params.height;
    for (var word = thread; word < words; word += WORKGROUP_SIZE) {
        alive[word] = alive_now[word];
        blue[word] = blue_now[word];
    }
    let last_row = params.height - 1u;
    let at = column(thread % params.row_words);
    // Threads beyond the last strip have no rows.
    let first_row = min(thread / params.row_words * params.strip_rows, params.height);
    let end_row = min(first_row + params.strip_rows, params.height);
    var next_alive: array<u32, MAX_STRIP_ROWS>;
    var next_blue: array<u32, MAX_STRIP_ROWS>;
    for (var generation = 0u; generation < dispatch.generations; generation++) {
        workgroupBarrier();
        if first_row < end_row {
            let above_row = select(first_row - 1u, last_row, first_row == 0u);
            var above = load_row(at, above_row, is_torus() || first_row != 0u);
            var middle = load_row(at, first_row, true);
            var above_sums = sum_row(above);
            var middle_sums = sum_row(middle);
            for (var y = first_row; y < end_row; y++) {
                let below = load_row(at, select(y + 1u, 0u, y == last_row), is_torus() || y != last_row);
                let below_sums = sum_row(below);
                let next =
                    next_cells(at, y, above, middle, below, above_sums, middle_sums, below_sums);
                next_alive[y - first_row] = next.alive;
                next_blue[y - first_row] = next.blue;
                above = middle;
                middle = below;
                above_sums = middle_sums;
                middle_sums = below_sums;
            }
        }
        workgroupBarrier();
        for (var y = first_row; y < end_row; y++) {
            let word = y * params.row_words + at.word;
            alive[word] = next_alive[y - first_row];
            blue[word] = next_blue[y - first_row];
        }
    }
    workgroupBarrier();
    for (var word = thread; word < words; word += WORKGROUP_SIZE) {
        alive_next[word] = alive[word];
        blue_next[word] = blue[word];
    }
}
