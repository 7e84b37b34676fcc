// Tiles of a pass: where their words lie in the board, and which threads hold them.
//
// A tile is some words of every row of a strip, and cells to their left and right, the halo. What lies
// beyond the halo is unknown; a wrong cell there comes one cell nearer in every generation and never
// reaches the tile's own words. With SUBGROUPS threads share a tile, otherwise each has its own.

#import lifelike

// 128 cells at a time.
alias Words = vec4<u32>;

// Whether the board is a torus whose width is no multiple of 32. Its rows have at least two words.
#ifdef GENERAL
fn has_seam() -> bool {
    return is_torus() && (params.width & 31u) != 0u;
}

// Whether the 32 cells of a source are joined from two words. A program for every board always does so: it
// has one path then, where two would take twice as long to compile.
fn joins_words() -> bool {
    return true;
}
#else
override SEAM: bool;

fn has_seam() -> bool {
    return SEAM;
}

fn joins_words() -> bool {
    return SEAM;
}
#endif

const WORKGROUP_SIZE: u32 = 32u;

@group(0) @binding(0) var<uniform> params: PassParams;
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

// Where word `word` of the endless plane lies. Cells so far beyond the border that they reach
// no tile lie anywhere.
fn source(word: i32) -> Source {
    let words = i32(params.row_words);
    let last = words - 1;
    let filled = ((params.width - 1u) & 31u) + 1u;
    let all = 0xffffffffu;
    if !is_torus() {
        let inside = word >= 0 && word <= last;
        let cells = select(0u, select(all, all >> (32u - filled), word == last), inside);
        return Source(cells, u32(clamp(word, 0, last)), cells, 0u, 0u, 0u, 0u);
    }
    if !has_seam() {
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
    if joins_words() {
        return gathered(at, alive_now[row + at.first], alive_now[row + at.second]);
    }
    return alive_now[row + at.first] & select(at.cells, 0xffffffffu, is_torus());
}

fn blue_at(at: Source, row: u32) -> u32 {
    if joins_words() {
        return gathered(at, blue_now[row + at.first], blue_now[row + at.second]);
    }
    return blue_now[row + at.first] & select(at.cells, 0xffffffffu, is_torus());
}

fn priority_at(at: Source, y: u32) -> PriorityBits {
    let first = priority_bits(at.first, y);
    if !joins_words() {
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
    if !joins_words() {
        return cells;
    }
    return gathered(at, cells, cells);
}

// The neighbours of the cells of some words, where those of the words before and after are known.
fn triple(before: u32, words: Words, after: u32) -> Triple {
    return Triple(
        (words << Words(1u)) | (Words(before, words.xyz) >> Words(31u)),
        words,
        (words >> Words(1u)) | (Words(words.yzw, after) << Words(31u)),
    );
}

// The cells of a word that the tile writes: none if there is no such word. Beyond the last cell of a
// torus come those of its other side.
fn own_cells(word: i32) -> u32 {
    let last = i32(params.row_words) - 1;
    let filled = 0xffffffffu >> ((32u - (params.width & 31u)) & 31u);
    return select(0u, select(0xffffffffu, filled, has_seam() && word == last), word >= 0 && word <= last);
}

// Writes a word of the next board, if there is such a word.
fn store_word(row: u32, word: i32, alive: u32, blue: u32) {
    if word >= 0 && word < i32(params.row_words) {
        let cells = own_cells(word);
        alive_next[row + u32(word)] = alive & cells;
        blue_next[row + u32(word)] = blue & cells;
    }
}

#ifdef SUBGROUPS
// A tile is four words of each thread of a subgroup, or of a part of one, of which the first and the last of
// all are the halo. Neighbours come from the neighbouring thread, without memory.
const THREAD_WORDS: u32 = 4u;

struct Column {
    // The first of the thread's words, and whether it and the last one are the tile's halo.
    first: i32,
    first_is_halo: bool,
    last_is_halo: bool,
    // Whether the tile is the last one of its row.
    is_last: bool,
    a: Source,
    b: Source,
    c: Source,
    d: Source,
    // The bits that are cells of the board.
    cells: Words,
}

fn load_alive(at: Column, row: u32) -> Words {
    return Words(alive_at(at.a, row), alive_at(at.b, row), alive_at(at.c, row), alive_at(at.d, row));
}

fn load_blue(at: Column, row: u32) -> Words {
    return Words(blue_at(at.a, row), blue_at(at.b, row), blue_at(at.c, row), blue_at(at.d, row));
}

fn store(at: Column, row: u32, cells: Cells) {
    if !at.first_is_halo {
        store_word(row, at.first, cells.alive.x, cells.blue.x);
    }
    store_word(row, at.first + 1, cells.alive.y, cells.blue.y);
    store_word(row, at.first + 2, cells.alive.z, cells.blue.z);
    if !at.last_is_halo {
        store_word(row, at.first + 3, cells.alive.w, cells.blue.w);
    }
}

// The cells of a thread that are its tile's own.
fn own_of_tile(at: Column) -> Words {
    return Words(
        select(own_cells(at.first), 0u, at.first_is_halo),
        own_cells(at.first + 1),
        own_cells(at.first + 2),
        select(own_cells(at.first + 3), 0u, at.last_is_halo),
    );
}

#ifdef STATS
// How many of a tile's own cells a thread has, where all others have been cleared.
fn count_own(words: Words) -> u32 {
    let counts = countOneBits(words);
    return counts.x + counts.y + counts.z + counts.w;
}
#else
// The dirty bits of a block, from the differences in the words of one of its threads.
fn dirty_bits(at: Column, differences: Words) -> u32 {
    let own = differences & own_of_tile(at);
    if all(own == Words(0u)) {
        return 0u;
    }
    let left = at.first_is_halo && (own.y << (32u - params.reach)) != 0u;
    // The last block of a row may end anywhere.
    let right = at.is_last || (at.last_is_halo && (own.z >> (32u - params.reach)) != 0u);
    return DIRTY | select(0u, DIRTY_LEFT, left) | select(0u, DIRTY_RIGHT, right);
}

// The bits that any thread of a tile has found.
fn of_tile(found: u32) -> u32 {
    var together = found;
    for (var distance = params.tile_threads / 2u; distance > 0u; distance /= 2u) {
        together |= subgroupShuffleXor(together, distance);
    }
    return together;
}

// Whether a thread is the first of its tile.
fn is_first(at: Column) -> bool {
    return at.first_is_halo;
}
#endif

fn priorities(at: Column, y: u32) -> Priorities {
    let a = priority_at(at.a, y);
    let b = priority_at(at.b, y);
    let c = priority_at(at.c, y);
    let d = priority_at(at.d, y);
    return Priorities(
        Words(a.low.x, b.low.x, c.low.x, d.low.x),
        Words(a.low.y, b.low.y, c.low.y, d.low.y),
        Words(a.low.z, b.low.z, c.low.z, d.low.z),
        Words(a.low.w, b.low.w, c.low.w, d.low.w),
        Words(a.high.x, b.high.x, c.high.x, d.high.x),
        Words(a.high.y, b.high.y, c.high.y, d.high.y),
        Words(a.high.z, b.high.z, c.high.z, d.high.z),
    );
}

fn checkerboard(at: Column, y: u32) -> Words {
    return Words(
        checkerboard_at(at.a, y),
        checkerboard_at(at.b, y),
        checkerboard_at(at.c, y),
        checkerboard_at(at.d, y),
    );
}

// The first thread has none before it and the last none after it: beyond the halo nothing is known.
fn neighbours(words: Words) -> Triple {
    let before = subgroupShuffleUp(words.w, 1u);
    let after = subgroupShuffleDown(words.x, 1u);
    return triple(before, words, after);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn run_pass(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(num_subgroups) subgroups: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_size) threads: u32,
    @builtin(subgroup_invocation_id) lane: u32,
) {
    // A workgroup may be smaller than the subgroups of the device.
    let subgroup_tiles = min(threads, WORKGROUP_SIZE) / params.tile_threads;
    let number = (group.y * groups.x + group.x) * subgroups + subgroup;
    let tile = place(number * subgroup_tiles + lane / params.tile_threads);
    let thread = lane % params.tile_threads;
    let own_words = params.tile_threads * THREAD_WORDS - 2u;
    let first = i32(tile.column * own_words + thread * THREAD_WORDS) - 1;
    let a = source(first);
    let b = source(first + 1);
    let c = source(first + 2);
    let d = source(first + 3);
    let cells = Words(a.cells, b.cells, c.cells, d.cells);
    let last_is_halo = thread == params.tile_threads - 1u;
    let is_last = tile.column == params.columns - 1u;
    let at = Column(first, thread == 0u, last_is_halo, is_last, a, b, c, d, cells);
    pass_tile(at, tile, lane);
}
#else
// A tile is three words of one thread, which needs no other, and 16 cells to either side.
const OWN_WORDS: u32 = 3u;

// The four words of a tile begin in the middle of a word of the board: they lie in five.
struct Column {
    first: i32,
    a: Source,
    b: Source,
    c: Source,
    d: Source,
    e: Source,
    // The bits that are cells of the board.
    cells: Words,
}

fn column(first: i32) -> Column {
    let a = source(first - 1);
    let b = source(first);
    let c = source(first + 1);
    let d = source(first + 2);
    let e = source(first + 3);
    let cells = half_way(Words(a.cells, b.cells, c.cells, d.cells), e.cells);
    return Column(first, a, b, c, d, e, cells);
}

// The words that begin in the middle of five words.
fn half_way(words: Words, last: u32) -> Words {
    return (words >> Words(16u)) | (Words(words.yzw, last) << Words(16u));
}

fn load_alive(at: Column, row: u32) -> Words {
    let words = Words(alive_at(at.a, row), alive_at(at.b, row), alive_at(at.c, row), alive_at(at.d, row));
    return half_way(words, alive_at(at.e, row));
}

fn load_blue(at: Column, row: u32) -> Words {
    let words = Words(blue_at(at.a, row), blue_at(at.b, row), blue_at(at.c, row), blue_at(at.d, row));
    return half_way(words, blue_at(at.e, row));
}

fn store(at: Column, row: u32, cells: Cells) {
    let alive = half_way(cells.alive, 0u);
    let blue = half_way(cells.blue, 0u);
    store_word(row, at.first, alive.x, blue.x);
    store_word(row, at.first + 1, alive.y, blue.y);
    store_word(row, at.first + 2, alive.z, blue.z);
}

#ifdef STATS
// The cells of a tile that are its own, as it keeps them.
fn own_of_tile(at: Column) -> Words {
    let own = vec3(own_cells(at.first), own_cells(at.first + 1), own_cells(at.first + 2));
    return (Words(own, 0u) << Words(16u)) | (Words(0u, own) >> Words(16u));
}

// How many of a tile's own cells there are, where all others have been cleared.
fn count_own(words: Words) -> u32 {
    // Of the outer words each is half a word of halo.
    let counts = countOneBits(vec3(words.x | words.w, words.yz));
    return counts.x + counts.y + counts.z;
}
#else
// The dirty bits of a block, from the differences in its words.
fn dirty_bits(at: Column, differences: Words) -> u32 {
    let words = half_way(differences, 0u);
    let first = words.x & own_cells(at.first);
    let middle = words.y & own_cells(at.first + 1);
    let last = words.z & own_cells(at.first + 2);
    if (first | middle | last) == 0u {
        return 0u;
    }
    let left = (first << (32u - params.reach)) != 0u;
    // The last block of a row may end anywhere.
    let is_right = at.first + i32(OWN_WORDS) >= i32(params.row_words);
    let right = is_right || (last >> (32u - params.reach)) != 0u;
    return DIRTY | select(0u, DIRTY_LEFT, left) | select(0u, DIRTY_RIGHT, right);
}

// The bits that any thread of a tile has found.
fn of_tile(found: u32) -> u32 {
    return found;
}

// Whether a thread is the first of its tile.
fn is_first(_at: Column) -> bool {
    return true;
}
#endif

fn priorities(at: Column, y: u32) -> Priorities {
    let a = priority_at(at.a, y);
    let b = priority_at(at.b, y);
    let c = priority_at(at.c, y);
    let d = priority_at(at.d, y);
    let e = priority_at(at.e, y);
    return Priorities(
        half_way(Words(a.low.x, b.low.x, c.low.x, d.low.x), e.low.x),
        half_way(Words(a.low.y, b.low.y, c.low.y, d.low.y), e.low.y),
        half_way(Words(a.low.z, b.low.z, c.low.z, d.low.z), e.low.z),
        half_way(Words(a.low.w, b.low.w, c.low.w, d.low.w), e.low.w),
        half_way(Words(a.high.x, b.high.x, c.high.x, d.high.x), e.high.x),
        half_way(Words(a.high.y, b.high.y, c.high.y, d.high.y), e.high.y),
        half_way(Words(a.high.z, b.high.z, c.high.z, d.high.z), e.high.z),
    );
}

fn checkerboard(at: Column, y: u32) -> Words {
    let a = checkerboard_at(at.a, y);
    let b = checkerboard_at(at.b, y);
    let c = checkerboard_at(at.c, y);
    let d = checkerboard_at(at.d, y);
    return half_way(Words(a, b, c, d), checkerboard_at(at.e, y));
}

// Beyond the halo nothing is known.
fn neighbours(words: Words) -> Triple {
    return triple(0u, words, 0u);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn run_pass(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let tile = place((group.y * groups.x + group.x) * WORKGROUP_SIZE + lane);
    pass_tile(column(i32(tile.column * OWN_WORDS)), tile, lane);
}
#endif
