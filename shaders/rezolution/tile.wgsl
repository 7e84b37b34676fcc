// Tiles of a pass: where their words lie in the board, and which threads hold them.
//
// A tile is some words of every row of a strip, eight a thread, of which the first and the last of all are
// the halo. What lies beyond the halo is unknown; a wrong cell there comes one cell nearer in every
// generation and never reaches the tile's own words. With SUBGROUPS threads share a tile, otherwise each
// has its own.

#import rezolution

// Opposite sides are joined; otherwise everything outside is empty.
override TORUS: bool;
// A torus whose width is no multiple of 4. It is at least 64 cells wide, as every torus is here.
override SEAM: bool;

const WORKGROUP_SIZE: u32 = 32u;

@group(0) @binding(0) var<uniform> params: PassParams;
@group(0) @binding(1) var<storage, read> populations_now: array<u32>;
@group(0) @binding(2) var<storage, read> barriers: array<u32>;
@group(0) @binding(3) var<storage, read> targets: array<u32>;
@group(0) @binding(4) var<storage, read_write> populations_next: array<u32>;

// Where four cells of the endless plane lie in a row of the board: in one word, or beyond the seam of a
// torus in two.
struct Source {
    // The bytes that are cells of the board.
    cells: u32,
    first: u32,
    first_bytes: u32,
    // In bits.
    first_shift: u32,
    second: u32,
    second_bytes: u32,
    second_shift: u32,
}

// Where word `word` of the endless plane lies. Cells so far beyond the border that they reach no tile
// lie anywhere.
fn source(word: i32) -> Source {
    let last = i32((params.width - 1u) / 4u);
    let all = 0xffffffffu;
    // Cells of the last word, 1 to 4.
    let used = ((params.width - 1u) & 3u) + 1u;
    let filled = all >> (8u * (4u - used));
    if !TORUS {
        let cells = select(all, filled, word == last);
        let inside = word >= 0 && word <= last;
        return Source(select(0u, cells, inside), u32(clamp(word, 0, last)), all, 0u, 0u, 0u, 0u);
    }
    let words = last + 1;
    if !SEAM {
        let wrapped = select(select(word, word - words, word > last), word + words, word < 0);
        return Source(all, u32(clamp(wrapped, 0, last)), all, 0u, 0u, 0u, 0u);
    }
    // The last word has `used` cells, the first cells of the row come after them.
    if word < 0 {
        let before = u32(word + last);
        return Source(all, before, all, 8u * used, before + 1u, all, 32u - 8u * used);
    }
    if word < last {
        return Source(all, u32(word), all, 0u, u32(word), 0u, 0u);
    }
    if word == last {
        return Source(all, u32(last), filled, 0u, 0u, all, 8u * used);
    }
    let beyond = u32(min(word - words, last - 1));
    return Source(all, beyond, all, 32u - 8u * used, beyond + 1u, all, 8u * used);
}

// Four cells, of those in the words that a source names.
fn gathered(at: Source, first: u32, second: u32) -> u32 {
    return ((first & at.first_bytes) >> at.first_shift) | ((second << at.second_shift) & at.second_bytes);
}

fn populations_at(at: Source, row: u32) -> u32 {
    if SEAM {
        return gathered(at, populations_now[row + at.first], populations_now[row + at.second]);
    }
    return populations_now[row + at.first] & select(at.cells, 0xffffffffu, TORUS);
}

// The barriers among the cells of a word, a bit each.
fn marks_at(row: u32, word: u32) -> u32 {
    return (barriers[row + word / 8u] >> (4u * (word & 7u))) & 0xfu;
}

// The cells of a source that cannot be populated, a bit each.
fn barred_at(at: Source, row: u32) -> u32 {
    let marks = marks_at(row, at.first);
    if SEAM {
        let first = (marks & byte_bits(at.first_bytes)) >> (at.first_shift / 8u);
        let second = (marks_at(row, at.second) << (at.second_shift / 8u)) & 0xfu;
        return first | (second & byte_bits(at.second_bytes));
    }
    if TORUS {
        return marks;
    }
    return marks | (byte_bits(at.cells) ^ 0xfu);
}

// The lowest bit of every byte of a word, side by side.
fn byte_bits(bytes: u32) -> u32 {
    return (((bytes & 0x01010101u) * 0x10204080u) >> 28u) & 0xfu;
}

// The words of a thread.
struct Column {
    // The first of them, and whether it and the last one are the tile's halo.
    first: i32,
    first_is_halo: bool,
    last_is_halo: bool,
    // The words lie side by side in the board, and all their cells are cells of it.
    joined: bool,
    a: Source,
    b: Source,
    c: Source,
    d: Source,
    e: Source,
    f: Source,
    g: Source,
    h: Source,
}

fn column(first: i32, first_is_halo: bool, last_is_halo: bool) -> Column {
    let last = i32((params.width - 1u) / 4u);
    return Column(
        first,
        first_is_halo,
        last_is_halo,
        first >= 0 && first + 7 < last,
        source(first),
        source(first + 1),
        source(first + 2),
        source(first + 3),
        source(first + 4),
        source(first + 5),
        source(first + 6),
        source(first + 7),
    );
}

// A thread's words of a row.
struct Cells {
    low: Words,
    high: Words,
    // Those that cannot be populated, a bit each.
    barred: u32,
}

// The cells of a thread's words that cannot be populated in a row of the board.
fn load_barred(at: Column, row: u32) -> u32 {
    if at.joined {
        let word = u32(at.first);
        let shift = 4u * (word & 7u);
        let low = barriers[row + word / 8u] >> shift;
        let high = barriers[row + (word + 7u) / 8u] << ((32u - shift) & 31u);
        return low | select(0u, high, shift != 0u);
    }
    let low = barred_at(at.a, row) | (barred_at(at.b, row) << 4u)
        | (barred_at(at.c, row) << 8u) | (barred_at(at.d, row) << 12u);
    let high = barred_at(at.e, row) | (barred_at(at.f, row) << 4u)
        | (barred_at(at.g, row) << 8u) | (barred_at(at.h, row) << 12u);
    return low | (high << 16u);
}

// The row of the board that is row `y` of the endless plane, up to one board away.
fn board_row(y: i32) -> u32 {
    let height = i32(params.height);
    return u32(select(select(y, y - height, y >= height), y + height, y < 0));
}

// A thread's words of row `y` of the endless plane.
fn load(at: Column, y: i32) -> Cells {
    if !TORUS && (y < 0 || y >= i32(params.height)) {
        return Cells(Words(0u), Words(0u), 0xffffffffu);
    }
    let row = board_row(y) * params.row_words;
    let mark_words = (params.width + 31u) / 32u;
    return Cells(
        Words(
            populations_at(at.a, row),
            populations_at(at.b, row),
            populations_at(at.c, row),
            populations_at(at.d, row),
        ),
        Words(
            populations_at(at.e, row),
            populations_at(at.f, row),
            populations_at(at.g, row),
            populations_at(at.h, row),
        ),
        load_barred(at, board_row(y) * mark_words),
    );
}

// The bytes of a word that are written: none if there is no such word. Behind the last cell there is
// padding.
fn own_bytes(word: i32) -> u32 {
    let last = i32((params.width - 1u) / 4u);
    let filled = 0xffffffffu >> (8u * (3u - ((params.width - 1u) & 3u)));
    return select(0u, select(0xffffffffu, filled, word == last), word >= 0 && word <= last);
}

// Writes a word of the next board, if there is such a word.
fn store_word(row: u32, word: i32, populations: u32) {
    if word >= 0 && word < i32(params.row_words) {
        populations_next[row + u32(word)] = populations & own_bytes(word);
    }
}

fn store(at: Column, row: u32, cells: Cells) {
    if !at.first_is_halo {
        store_word(row, at.first, cells.low.x);
    }
    store_word(row, at.first + 1, cells.low.y);
    store_word(row, at.first + 2, cells.low.z);
    store_word(row, at.first + 3, cells.low.w);
    store_word(row, at.first + 4, cells.high.x);
    store_word(row, at.first + 5, cells.high.y);
    store_word(row, at.first + 6, cells.high.z);
    if !at.last_is_halo {
        store_word(row, at.first + 7, cells.high.w);
    }
}

#ifdef SUBGROUPS
// The threads of a tile are a subgroup or a part of one. Neighbours come from the neighbouring thread,
// without memory.
const THREAD_WORDS: u32 = 8u;

// The first thread has none before it and the last none after it: beyond the halo nothing is known.
fn word_before(last: u32) -> u32 {
    return subgroupShuffleUp(last, 1u);
}

fn word_after(first: u32) -> u32 {
    return subgroupShuffleDown(first, 1u);
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
    let last_is_halo = thread == params.tile_threads - 1u;
    pass_tile(column(first, thread == 0u, last_is_halo), tile, lane);
}
#else
// A tile of one thread, which needs no other: six words, and one to either side.
const OWN_WORDS: u32 = 6u;

// Beyond the halo nothing is known.
fn word_before(_last: u32) -> u32 {
    return 0u;
}

fn word_after(_first: u32) -> u32 {
    return 0u;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn run_pass(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let tile = place((group.y * groups.x + group.x) * WORKGROUP_SIZE + lane);
    pass_tile(column(i32(tile.column * OWN_WORDS) - 1, true, true), tile, lane);
}
#endif
