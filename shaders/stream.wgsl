#import words_4
#import lifelike
#import changes
#import stream_params
// Several generations in one pass over the board. Joined with words_4.wgsl, lifelike.wgsl, ties.wgsl,
// changes.wgsl and stream_params.wgsl, with stream_alone.wgsl or stream_subgroups.wgsl, which say what a
// tile is, and with what is done in it and the stages: stream_plain.wgsl, and stream_2.wgsl,
// stream_4.wgsl or stream_8.wgsl; under watch stream_watched.wgsl, and watched_4.wgsl or watched_8.wgsl.
//
// A tile is some words of every row of a strip, and cells to their left and right, the halo. Rows
// stream through it from top to bottom, and through a chain of stages, one a generation:
//
//     board -- row y -> stage 1 -- row y - 1 -> stage 2 -- row y - 2 -> ... -> next board
//
// A stage keeps two rows and their sums, so the board is read and written once for all generations
// of the pass. What lies beyond the halo is unknown; a false cell there comes one cell nearer in
// every generation and is never seen. Mirrors src/engine/cpu/stream.rs.

// A torus whose width is no multiple of 32. Its rows have at least two words.
override SEAM: bool;

const STREAM_WORKGROUP: u32 = 32u;

@group(0) @binding(0) var<uniform> params: StreamParams;
@group(0) @binding(1) var<storage, read> alive_now: array<u32>;
@group(0) @binding(2) var<storage, read> blue_now: array<u32>;
@group(0) @binding(3) var<storage, read_write> alive_next: array<u32>;
@group(0) @binding(4) var<storage, read_write> blue_next: array<u32>;

// Where 32 cells of the endless plane lie in a row of the board: in one word, or beyond the seam of
// a torus in two.
struct Source {
    // The bits that are cells of the board.
    cells: u32,
    first: u32,
    first_bits: u32,
    first_shift: u32,
    second: u32,
    second_shift: u32,
    second_bits: u32,
}

// Where word `word` of the endless plane lies. Cells so far beyond the border that nobody sees them
// lie anywhere.
fn source(word: i32) -> Source {
    let words = i32(params.row_words);
    let last = words - 1;
    let filled = ((params.width - 1u) & 31u) + 1u;
    let all = 0xffffffffu;
    if !TORUS {
        let cells = select(all, all >> (32u - filled), word == last);
        let inside = word >= 0 && word <= last;
        return Source(select(0u, cells, inside), u32(clamp(word, 0, last)), all, 0u, 0u, 0u, 0u);
    }
    if !SEAM {
        let wrapped = select(select(word, word - words, word > last), word + words, word < 0);
        return Source(all, u32(clamp(wrapped, 0, last)), all, 0u, 0u, 0u, 0u);
    }
    // The last word has `filled` cells, the first cells of the row come after them.
    if word < 0 {
        return Source(all, u32(last - 1), all, filled, u32(last), 32u - filled, all);
    }
    if word < last {
        return Source(all, u32(word), all, 0u, u32(word), 0u, 0u);
    }
    if word == last {
        return Source(all, u32(last), all >> (32u - filled), 0u, 0u, filled, all);
    }
    let beyond = min(word - words, last - 1);
    return Source(all, u32(beyond), all, 32u - filled, u32(beyond + 1), filled, all);
}

// What there is, of what the words that a source names hold.
fn gathered(at: Source, first: u32, second: u32) -> u32 {
    let first_cells = (first & at.first_bits) >> at.first_shift;
    return first_cells | ((second << at.second_shift) & at.second_bits);
}

fn alive_at(at: Source, row: u32) -> u32 {
    if SEAM {
        return gathered(at, alive_now[row + at.first], alive_now[row + at.second]);
    }
    return alive_now[row + at.first] & select(at.cells, 0xffffffffu, TORUS);
}

fn blue_at(at: Source, row: u32) -> u32 {
    if SEAM {
        return gathered(at, blue_now[row + at.first], blue_now[row + at.second]);
    }
    return blue_now[row + at.first] & select(at.cells, 0xffffffffu, TORUS);
}

fn priority_at(at: Source, y: u32) -> PriorityBits {
    let first = priority_bits(at.first, y);
    if !SEAM {
        return first;
    }
    let second = priority_bits(at.second, y);
    return PriorityBits(
        vec4(
            gathered(at, first.low.x, second.low.x),
            gathered(at, first.low.y, second.low.y),
            gathered(at, first.low.z, second.low.z),
            gathered(at, first.low.w, second.low.w),
        ),
        vec3(
            gathered(at, first.high.x, second.high.x),
            gathered(at, first.high.y, second.high.y),
            gathered(at, first.high.z, second.high.z),
        ),
    );
}

fn checkerboard_at(at: Source, y: u32) -> u32 {
    let cells = checkerboard_blue(y);
    if !SEAM {
        return cells;
    }
    return gathered(at, cells, cells);
}

// One generation: the last two rows that have come in, and their sums.
struct Stage {
    above: Row,
    middle: Row,
    above_sums: Sums,
    middle_sums: Sums,
}

// The neighbours of the cells of some words, where those of the words before and after are known.
fn triple(before: u32, words: Words, after: u32) -> Triple {
    return Triple(
        (words << Words(1u)) | (Words(before, words.xyz) >> Words(31u)),
        words,
        (words >> Words(1u)) | (Words(words.yzw, after) << Words(31u)),
    );
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
    return TORUS || (y >= 0 && y < i32(params.height));
}

// Lets row y + 1 into a stage; row y, the one above it, comes out one generation later.
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

// The older of the rows that a stage keeps. Of the last stage but one it is, before the next row comes
// in, the row that then goes out of the last one, two generations before.
fn oldest(stage: ptr<private, Stage>) -> Cells {
    return Cells((*stage).above.alive.centre, (*stage).above.blue.centre);
}

// The cells of a word that the tile writes: none if there is no such word. Beyond the last cell of a
// torus come those of its other side.
fn own_cells(word: i32) -> u32 {
    let last = i32(params.row_words) - 1;
    let filled = 0xffffffffu >> ((32u - (params.width & 31u)) & 31u);
    return select(0u, select(0xffffffffu, filled, SEAM && word == last), word >= 0 && word <= last);
}

// Writes a word of the next board, if there is such a word.
fn store_word(row: u32, word: i32, alive: u32, blue: u32) {
    if word >= 0 && word < i32(params.row_words) {
        let cells = own_cells(word);
        alive_next[row + u32(word)] = alive & cells;
        blue_next[row + u32(word)] = blue & cells;
    }
}

// Where a tile is to be computed: its column, and the first row of its strip.
struct Place {
    column: u32,
    first_row: u32,
}
#ifdef SUBGROUPS
#import stream_subgroups
#else
#import stream_alone
#endif
#ifdef STATS
#import totals
#import tally
#import tally_pass
#import stream_watched
#ifdef SUBGROUPS
#import watched_subgroups
#else
#import watched_alone
#endif
#ifdef GENERATIONS_4
#import watched_4
#endif
#ifdef GENERATIONS_8
#import watched_8
#endif
#else
#import listed
#import stream_plain
#ifdef GENERATIONS_2
#import stream_2
#endif
#ifdef GENERATIONS_4
#import stream_4
#endif
#ifdef GENERATIONS_8
#import stream_8
#endif
#endif
