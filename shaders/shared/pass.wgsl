// Passes that compute several generations at once (temporal blocking), whatever the family: their
// parameters, the place of a tile, and the statistics of their generations. The family's pass file
// declares GENERATIONS, and `pass_tile` or, with STATS, `pass_tile_with_stats` and `partial_stats`.

struct PassParams {
    // Cells of a row, rows of the board, words of a row.
    width: u32,
    height: u32,
    row_words: u32,
    // Tiles side by side, and so blocks.
    columns: u32,
    // Rows of a strip: of several blocks, or of one if only active blocks are computed.
    strip_rows: u32,
    block_rows: u32,
    // Cells that are near to the border of a block, at most 32.
    reach: u32,
    // Not 0: only the blocks in the list of active blocks are computed.
    only_active: u32,
    // Threads of a tile, if it has several.
    tile_threads: u32,
    seed_low: u32,
    seed_high: u32,
    // Not 0: with statistics, nothing is computed after a generation that ends the run.
    until_settled: u32,
    // Rows of the whole board, and which of them is row 0: the planes may hold a band of it.
    board_height: u32,
    first_row: u32,
    // The band's own rows: the other rows of the planes are its halo.
    first_own: u32,
    end_own: u32,
    // A Life-like rule, read by programs with GENERAL: counts of births and survivals, edges and ties.
    birth: u32,
    survival: u32,
    torus: u32,
    ties: u32,
}

// Where a tile is computed: its column, and the first row of its strip. Tiles beyond the last one lie
// below the board.
struct Place {
    column: u32,
    first_row: u32,
}

#ifdef STATS
#import shared/stats

// Generations whose statistics a pass computes: all but the first.
const COUNTED: u32 = GENERATIONS - 1u;

struct Spaced {
    @size(STATS_STRIDE) stats: GenerationStats,
}

// The statistics of the first generation, which the pass before has counted, and of the others.
struct PassStats {
    @size(STATS_STRIDE) last: GenerationStats,
    next: array<Spaced, COUNTED>,
}

@group(0) @binding(5) var<storage, read_write> stats: PassStats;

fn place(tile: u32) -> Place {
    return Place(tile % params.columns, tile / params.columns * params.strip_rows);
}

// Computes a strip of a tile and its statistics. All threads of a workgroup call it.
fn pass_tile(at: Column, tile: Place, lane: u32) {
    let computes = params.until_settled == 0u || run_continues();
    if computes && tile.first_row < params.height {
        pass_tile_with_stats(at, tile);
    }
    reduce(lane, computes);
}

// Adds partial statistics of a generation to those of all its cells.
fn add_stats(generation: u32, partial: PartialStats) {
    for (var i = 0u; i < TOTALS; i++) {
        add_total(generation, i, partial.totals[i]);
    }
    atomicOr(&stats.next[generation].stats.computed, COMPUTED);
    if ends(partial.totals) {
        // The next pass reads the statistics of the last generation only.
        atomicOr(&stats.next[COUNTED - 1u].stats.computed, OVER);
    }
    if partial.differs_from_last != 0u {
        atomicStore(&stats.next[generation].stats.differs_from_last, 1u);
    }
    if partial.differs_from_second_last != 0u {
        atomicStore(&stats.next[generation].stats.differs_from_second_last, 1u);
    }
}

fn add_total(generation: u32, total: u32, more: u32) {
    // An addition wraps exactly if the total comes out smaller than what was added.
    if more != 0u && atomicAdd(&stats.next[generation].stats.totals[total].low, more) + more < more {
        atomicAdd(&stats.next[generation].stats.totals[total].high, 1u);
    }
}

#ifdef SUBGROUPS
// Reduces the statistics of the threads of a subgroup, without memory. All threads of a workgroup call it,
// whether they have computed something or not.
fn reduce(_lane: u32, computed: bool) {
    var partials = partial_stats();
    for (var generation = 0u; generation < COUNTED; generation++) {
        var sum = partials[generation];
        for (var i = 0u; i < TOTALS; i++) {
            sum.totals[i] = subgroupAdd(sum.totals[i]);
        }
        sum.differs_from_last = subgroupOr(sum.differs_from_last);
        sum.differs_from_second_last = subgroupOr(sum.differs_from_second_last);
        // True in exactly one thread of the subgroup.
        if subgroupExclusiveAdd(1u) == 0u && computed {
            add_stats(generation, sum);
        }
    }
}
#else
var<workgroup> thread_stats: array<array<PartialStats, COUNTED>, WORKGROUP_SIZE>;

// Reduces the statistics of the threads of a workgroup, in its memory. All threads of a workgroup call it,
// whether they have computed something or not.
fn reduce(lane: u32, computed: bool) {
    thread_stats[lane] = partial_stats();
    workgroupBarrier();
    // One thread for each generation.
    if !computed || lane >= COUNTED {
        return;
    }
    var sum = PartialStats();
    for (var thread = 0u; thread < WORKGROUP_SIZE; thread++) {
        let other = thread_stats[thread][lane];
        for (var i = 0u; i < TOTALS; i++) {
            sum.totals[i] += other.totals[i];
        }
        sum.differs_from_last |= other.differs_from_last;
        sum.differs_from_second_last |= other.differs_from_second_last;
    }
    add_stats(lane, sum);
}
#endif
#else
#import shared/active_blocks

// A strip of tiles covers several blocks; if only active blocks are computed, a strip is one of them.
fn place(tile: u32) -> Place {
    var number = tile;
    if params.only_active != 0u {
        if tile >= active_blocks.count {
            return Place(0u, params.height);
        }
        number = active_blocks.blocks[tile];
    }
    return Place(number % params.columns, number / params.columns * params.strip_rows);
}
#endif
