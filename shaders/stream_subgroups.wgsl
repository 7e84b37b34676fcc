// Tiles of a subgroup or of a part of one: four words a thread, of which the first and the last of all
// are the halo.
// Neighbours come from the neighbouring thread, without memory. Joined with stream.wgsl.

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

// Which parts of a block the differences of one of its threads lie in.
fn changed(at: Column, differences: Words) -> u32 {
    let own = differences & own_of_tile(at);
    if all(own == Words(0u)) {
        return 0u;
    }
    let left = at.first_is_halo && (own.y << (32u - params.reach)) != 0u;
    // The last block of a row may end anywhere.
    let right = at.is_last || (at.last_is_halo && (own.z >> (32u - params.reach)) != 0u);
    return CHANGED | select(0u, CHANGED_LEFT, left) | select(0u, CHANGED_RIGHT, right);
}

// What all threads of a tile have found.
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

// The cells of a thread that are its tile's own.
fn own_of_tile(at: Column) -> Words {
    return Words(
        select(own_cells(at.first), 0u, at.first_is_halo),
        own_cells(at.first + 1),
        own_cells(at.first + 2),
        select(own_cells(at.first + 3), 0u, at.last_is_halo),
    );
}

// How many of a tile's own cells a thread has, where all others have been cleared.
fn count_own(words: Words) -> u32 {
    let counts = countOneBits(words);
    return counts.x + counts.y + counts.z + counts.w;
}

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

@compute @workgroup_size(STREAM_WORKGROUP)
fn stream(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(num_subgroups) subgroups: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_size) threads: u32,
    @builtin(subgroup_invocation_id) lane: u32,
) {
    // A workgroup may be smaller than the subgroups of the device.
    let subgroup_tiles = min(threads, STREAM_WORKGROUP) / params.tile_threads;
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
    stream_tile(at, tile, lane);
}
