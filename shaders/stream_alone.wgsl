// Tiles of one thread, which needs no other: three words, and 16 cells to either side. Joined with
// stream.wgsl.

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

// Which parts of a block these differences lie in.
fn changed(at: Column, differences: Words) -> u32 {
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
    return CHANGED | select(0u, CHANGED_LEFT, left) | select(0u, CHANGED_RIGHT, right);
}

// What all threads of a tile have found.
fn of_tile(found: u32) -> u32 {
    return found;
}

// Whether a thread is the first of its tile.
fn is_first(_at: Column) -> bool {
    return true;
}

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

@compute @workgroup_size(STREAM_WORKGROUP)
fn stream(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let tile = place((group.y * groups.x + group.x) * STREAM_WORKGROUP + lane);
    stream_tile(column(i32(tile.column * OWN_WORDS)), tile, lane);
}
