// Many small battles, one per workgroup: the workgroup's memory holds all of a game, generation after
// generation.

#import lifelike/grid

const WORKGROUP_SIZE: u32 = 64u;
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
    // The rule, read by programs with GENERAL.
    birth: u32,
    survival: u32,
    torus: u32,
    ties: u32,
    padding: u32,
}

struct ArenaGameState {
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
@group(0) @binding(3) var<storage, read_write> states: array<ArenaGameState>;

// The parameters of the rules, for the game of this workgroup.
var<private> params: LifelikeStepParams;

// Alive and blue of one generation, then of the other.
var<workgroup> cells: array<u32, 3840>;
var<workgroup> alive_total: atomic<u32>;
var<workgroup> blue_total: atomic<u32>;
var<workgroup> differs_from_last: atomic<u32>;
var<workgroup> differs_from_second_last: atomic<u32>;
var<workgroup> state: ArenaGameState;
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

// Live and blue cells, and where cells differ from the generations before.
struct PartialStats {
    alive: u32,
    blue: u32,
    differs_from_last: u32,
    differs_from_second_last: u32,
}

// Computes the word of this number from the generation at `now` into the one at `next`, which still
// holds the second last one. Returns the statistics with those of this word added.
fn step_word(now: u32, next: u32, index: u32, partial: PartialStats) -> PartialStats {
    let y = index / params.row_words;
    let at = column(index % params.row_words);
    let last = y == params.height - 1u;
    let above = load_row(now, at, select(y - 1u, params.height - 1u, y == 0u), is_torus() || y != 0u);
    let middle = load_row(now, at, y, true);
    let below = load_row(now, at, select(y + 1u, 0u, last), is_torus() || !last);
    let found = next_cells(at, y, above, middle, below, sum_row(above), sum_row(middle), sum_row(below));
    let alive = next + index;
    let blue = alive + ARENA_WORDS;
    let more = PartialStats(
        partial.alive + countOneBits(found.alive),
        partial.blue + countOneBits(found.blue),
        partial.differs_from_last | (found.alive ^ middle.alive.centre) | (found.blue ^ middle.blue.centre),
        partial.differs_from_second_last | (found.alive ^ cells[alive]) | (found.blue ^ cells[blue]),
    );
    cells[alive] = found.alive;
    cells[blue] = found.blue;
    return more;
}

// Adds partial statistics to those of the workgroup.
fn accumulate_stats(partial: PartialStats) {
    atomicAdd(&alive_total, partial.alive);
    atomicAdd(&blue_total, partial.blue);
    if partial.differs_from_last != 0u {
        atomicStore(&differs_from_last, 1u);
    }
    if partial.differs_from_second_last != 0u {
        atomicStore(&differs_from_second_last, 1u);
    }
}

#ifdef SUBGROUPS
// Adds the statistics of the threads of a subgroup of any size. All threads of a workgroup call it.
fn reduce(partial: PartialStats) {
    let sum = PartialStats(
        subgroupAdd(partial.alive),
        subgroupAdd(partial.blue),
        subgroupOr(partial.differs_from_last),
        subgroupOr(partial.differs_from_second_last),
    );
    // True in exactly one thread of the subgroup.
    if subgroupExclusiveAdd(1u) == 0u {
        accumulate_stats(sum);
    }
}
#else
fn reduce(partial: PartialStats) {
    accumulate_stats(partial);
}
#endif

// Brings the state of the game up to the generation just counted, and clears the counters.
fn update_state(limit: u32) {
    let alive = atomicExchange(&alive_total, 0u);
    let blue = atomicExchange(&blue_total, 0u);
    let same_as_last = atomicExchange(&differs_from_last, 0u) == 0u;
    let same_as_second_last = atomicExchange(&differs_from_second_last, 0u) == 0u;
    state.generation += 1u;
    state.peak_red = max(state.peak_red, alive - blue);
    state.peak_blue = max(state.peak_blue, blue);
    var period = 0u;
    if same_as_last {
        period = 1u;
    } else if same_as_second_last && state.generation > 1u {
        period = 2u;
    }
    let last = state.generation == limit;
    if state.decided == 0u && (period != 0u || blue == 0u || blue == alive || last) {
        state.decided = state.generation;
        state.decided_period = period;
        state.decided_alive = alive;
        state.decided_blue = blue;
    }
    over = u32(period != 0u || last);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn arena(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = group.y * batch.groups_x + group.x;
    if number >= batch.games {
        return;
    }
    let game = games[number];
    params = LifelikeStepParams(
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
        game.birth,
        game.survival,
        game.torus,
        game.ties,
    );
    let words = game.row_words * game.height;
    if thread == 0u {
        state = states[number];
        over = state.over;
        atomicStore(&alive_total, 0u);
        atomicStore(&blue_total, 0u);
        atomicStore(&differs_from_last, 0u);
        atomicStore(&differs_from_second_last, 0u);
    }
    if workgroupUniformLoad(&over) != 0u {
        return;
    }
    for (var plane = 0u; plane < 4u; plane++) {
        for (var index = thread; index < words; index += WORKGROUP_SIZE) {
            cells[plane * ARENA_WORDS + index] = planes[game.first_word + plane * words + index];
        }
    }
    workgroupBarrier();
    // Where the present generation begins, and the one before.
    var now = 0u;
    var before = 2u * ARENA_WORDS;
    var ended = false;
    for (var count = 0u; count < batch.generations && !ended; count++) {
        var partial = PartialStats();
        for (var index = thread; index < words; index += WORKGROUP_SIZE) {
            partial = step_word(now, before, index, partial);
        }
        reduce(partial);
        workgroupBarrier();
        if thread == 0u {
            update_state(game.limit);
        }
        // This is a barrier, too.
        ended = workgroupUniformLoad(&over) != 0u;
        let next = before;
        before = now;
        now = next;
    }
    // A board that repeats has two phases, of which one is the last.
    if ended && ((game.limit - state.generation) & 1u) != 0u {
        let last = before;
        before = now;
        now = last;
    }
    for (var index = thread; index < words; index += WORKGROUP_SIZE) {
        let target_word = game.first_word + index;
        planes[target_word] = cells[now + index];
        planes[target_word + words] = cells[now + ARENA_WORDS + index];
        planes[target_word + 2u * words] = cells[before + index];
        planes[target_word + 3u * words] = cells[before + ARENA_WORDS + index];
    }
    if thread == 0u {
        state.over = over;
        states[number] = state;
    }
}
