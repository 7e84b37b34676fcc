#import words_1
#import lifelike
#import column
#ifdef SUBGROUPS
#import gather_subgroups
#else
#import gather_workgroup
#endif
// Many small battles, one a workgroup: all of a game in workgroup memory, generation after
// generation. Joined with lifelike.wgsl, ties.wgsl and gather_workgroup.wgsl or
// gather_subgroups.wgsl, which add up what the threads have seen.

const ARENA_WORKGROUP: u32 = 64u;
const ARENA_WORDS: u32 = 960u;

struct ArenaParams {
    games: u32,
    generations: u32,
    groups_x: u32,
    padding: u32,
}

struct ArenaGame {
    width: u32,
    height: u32,
    row_words: u32,
    first_word: u32,
    limit: u32,
    seed_low: u32,
    seed_high: u32,
    padding: u32,
}

struct ArenaFate {
    generation: u32,
    over: u32,
    decided: u32,
    decided_period: u32,
    decided_alive: u32,
    decided_blue: u32,
    peak_red: u32,
    peak_blue: u32,
}

@group(0) @binding(0) var<uniform> batch: ArenaParams;
@group(0) @binding(1) var<storage, read> games: array<ArenaGame>;
// Of each game alive and blue of the present generation, then of the one before.
@group(0) @binding(2) var<storage, read_write> planes: array<u32>;
@group(0) @binding(3) var<storage, read_write> fates: array<ArenaFate>;

// What the circuits ask for, of the game of this workgroup.
var<private> params: StepParams;

// Alive and blue of one generation, then of the other.
var<workgroup> cells: array<u32, 3840>;
var<workgroup> alive_total: atomic<u32>;
var<workgroup> blue_total: atomic<u32>;
var<workgroup> differs_from_last: atomic<u32>;
var<workgroup> differs_from_second_last: atomic<u32>;
var<workgroup> fate: ArenaFate;
var<workgroup> over: u32;

// The words of row y around a column, or of a dead row, in the generation that begins at `now`.
fn load_row(now: u32, at: Column, y: u32, inside: bool) -> Row {
    if !inside {
        return Row(Triple(0u, 0u, 0u), Triple(0u, 0u, 0u));
    }
    let alive = now + y * params.row_words;
    let blue = alive + ARENA_WORDS;
    return Row(
        triple(at, cells[alive + at.before], cells[alive + at.word], cells[alive + at.after]),
        triple(at, cells[blue + at.before], cells[blue + at.word], cells[blue + at.after]),
    );
}

// Live and blue cells, and where they differ from the generations before.
struct Glance {
    alive: u32,
    blue: u32,
    differs_from_last: u32,
    differs_from_second_last: u32,
}

// Computes the word of this number from the generation at `now` into the one at `next`, which still
// holds the second last one. Returns what was seen so far, and of this word.
fn step_word(now: u32, next: u32, index: u32, seen: Glance) -> Glance {
    let y = index / params.row_words;
    let at = column(index % params.row_words);
    let last = y == params.height - 1u;
    let above = load_row(now, at, select(y - 1u, params.height - 1u, y == 0u), TORUS || y != 0u);
    let middle = load_row(now, at, y, true);
    let below = load_row(now, at, select(y + 1u, 0u, last), TORUS || !last);
    let found = next_cells(at, y, above, middle, below, sum_row(above), sum_row(middle), sum_row(below));
    let alive = next + index;
    let blue = alive + ARENA_WORDS;
    let more = Glance(
        seen.alive + countOneBits(found.alive),
        seen.blue + countOneBits(found.blue),
        seen.differs_from_last | (found.alive ^ middle.alive.centre) | (found.blue ^ middle.blue.centre),
        seen.differs_from_second_last | (found.alive ^ cells[alive]) | (found.blue ^ cells[blue]),
    );
    cells[alive] = found.alive;
    cells[blue] = found.blue;
    return more;
}

// Adds to what the workgroup has seen of a generation.
fn add(seen: Glance) {
    atomicAdd(&alive_total, seen.alive);
    atomicAdd(&blue_total, seen.blue);
    if seen.differs_from_last != 0u {
        atomicStore(&differs_from_last, 1u);
    }
    if seen.differs_from_second_last != 0u {
        atomicStore(&differs_from_second_last, 1u);
    }
}

// Notes what has been seen of a generation, and forgets the counters.
fn judge(limit: u32) {
    let alive = atomicExchange(&alive_total, 0u);
    let blue = atomicExchange(&blue_total, 0u);
    let same_as_last = atomicExchange(&differs_from_last, 0u) == 0u;
    let same_as_second_last = atomicExchange(&differs_from_second_last, 0u) == 0u;
    fate.generation += 1u;
    fate.peak_red = max(fate.peak_red, alive - blue);
    fate.peak_blue = max(fate.peak_blue, blue);
    var period = 0u;
    if same_as_last {
        period = 1u;
    } else if same_as_second_last && fate.generation > 1u {
        period = 2u;
    }
    let last = fate.generation == limit;
    if fate.decided == 0u && (period != 0u || blue == 0u || blue == alive || last) {
        fate.decided = fate.generation;
        fate.decided_period = period;
        fate.decided_alive = alive;
        fate.decided_blue = blue;
    }
    over = u32(period != 0u || last);
}

@compute @workgroup_size(ARENA_WORKGROUP)
fn arena(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group.y * batch.groups_x + group.x;
    if number >= batch.games {
        return;
    }
    let game = games[number];
    params = StepParams(
        game.width,
        game.height,
        game.row_words,
        0u,
        0u,
        0u,
        game.seed_low,
        game.seed_high,
        game.height,
        0u,
        0u,
        game.height,
    );
    let words = game.row_words * game.height;
    if thread == 0u {
        fate = fates[number];
        over = fate.over;
        atomicStore(&alive_total, 0u);
        atomicStore(&blue_total, 0u);
        atomicStore(&differs_from_last, 0u);
        atomicStore(&differs_from_second_last, 0u);
    }
    if workgroupUniformLoad(&over) != 0u {
        return;
    }
    for (var plane = 0u; plane < 4u; plane++) {
        for (var index = thread; index < words; index += ARENA_WORKGROUP) {
            cells[plane * ARENA_WORDS + index] = planes[game.first_word + plane * words + index];
        }
    }
    workgroupBarrier();
    // Where the present generation begins, and the one before.
    var now = 0u;
    var before = 2u * ARENA_WORDS;
    var ended = false;
    for (var count = 0u; count < batch.generations && !ended; count++) {
        var seen = Glance();
        for (var index = thread; index < words; index += ARENA_WORKGROUP) {
            seen = step_word(now, before, index, seen);
        }
        gather(seen);
        workgroupBarrier();
        if thread == 0u {
            judge(game.limit);
        }
        // Waits for everybody, too.
        ended = workgroupUniformLoad(&over) != 0u;
        let next = before;
        before = now;
        now = next;
    }
    // A board that repeats has two phases, of which one is the last.
    if ended && ((game.limit - fate.generation) & 1u) != 0u {
        let last = before;
        before = now;
        now = last;
    }
    for (var index = thread; index < words; index += ARENA_WORKGROUP) {
        let target_word = game.first_word + index;
        planes[target_word] = cells[now + index];
        planes[target_word + words] = cells[now + ARENA_WORDS + index];
        planes[target_word + 2u * words] = cells[before + index];
        planes[target_word + 3u * words] = cells[before + ARENA_WORDS + index];
    }
    if thread == 0u {
        fate.over = over;
        fates[number] = fate;
    }
}
