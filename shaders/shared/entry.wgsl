// Entry points of the kernels that compute or count one generation. The importing file declares
// `step_strip` and `census_strip`, which do so for the strip of one thread, and STATS_BINDING, the binding
// after those of its planes.

const WORKGROUP_SIZE: u32 = 64u;

#ifdef STATS
// The statistics of the last generation, and those of the one that is counted.
struct StepStats {
    @size(STATS_STRIDE) last: GenerationStats,
    next: GenerationStats,
}

@group(0) @binding(STATS_BINDING) var<storage, read_write> stats: StepStats;

// Adds partial statistics to those of the generation.
fn accumulate_stats(partial: PartialStats) {
    for (var i = 0u; i < TOTALS; i++) {
        let more = partial.totals[i];
        // An addition wraps exactly if the total comes out smaller than what was added.
        if more != 0u && atomicAdd(&stats.next.totals[i].low, more) + more < more {
            atomicAdd(&stats.next.totals[i].high, 1u);
        }
    }
    if partial.differs_from_last != 0u {
        atomicStore(&stats.next.differs_from_last, 1u);
    }
    if partial.differs_from_second_last != 0u {
        atomicStore(&stats.next.differs_from_second_last, 1u);
    }
}

#ifdef SUBGROUPS
// Reduces the statistics of the threads of a subgroup of any size, without memory. All threads of a
// workgroup call it.
fn reduce(lane: u32, partial: PartialStats) {
    var sum = partial;
    for (var i = 0u; i < TOTALS; i++) {
        sum.totals[i] = subgroupAdd(partial.totals[i]);
    }
    sum.differs_from_last = subgroupOr(partial.differs_from_last);
    sum.differs_from_second_last = subgroupOr(partial.differs_from_second_last);
    // True in exactly one thread of the subgroup.
    if subgroupExclusiveAdd(1u) == 0u {
        accumulate_stats(sum);
    }
}
#else
// Threads whose statistics one of them adds up.
const SHARE: u32 = 8u;

var<workgroup> thread_stats: array<PartialStats, WORKGROUP_SIZE>;

// Reduces the statistics of the threads of a workgroup, in its memory. All threads of a workgroup call it.
fn reduce(lane: u32, partial: PartialStats) {
    thread_stats[lane] = partial;
    workgroupBarrier();
    if lane % SHARE == 0u {
        for (var other = lane + 1u; other < lane + SHARE; other++) {
            add_thread(lane, other);
        }
    }
    workgroupBarrier();
    if lane != 0u {
        return;
    }
    for (var other = SHARE; other < WORKGROUP_SIZE; other += SHARE) {
        add_thread(0u, other);
    }
    accumulate_stats(thread_stats[0]);
}

// Adds the statistics of one thread to those of another.
fn add_thread(to: u32, other: u32) {
    for (var i = 0u; i < TOTALS; i++) {
        thread_stats[to].totals[i] += thread_stats[other].totals[i];
    }
    thread_stats[to].differs_from_last |= thread_stats[other].differs_from_last;
    thread_stats[to].differs_from_second_last |= thread_stats[other].differs_from_second_last;
}
#endif

#ifdef CENSUS
// Counts the present generation.
@compute @workgroup_size(WORKGROUP_SIZE)
fn census(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    reduce(lane, census_strip((group.y * groups.x + group.x) * WORKGROUP_SIZE + lane));
}
#else
// Computes one generation and its statistics, unless the last generation has ended the run.
//
// Many generations are submitted at once. Each reads the statistics of the one before; after the run has
// ended none computes anything, and the planes stay as the last generation left them.
@compute @workgroup_size(WORKGROUP_SIZE)
fn step_with_stats(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    var partial = PartialStats();
    if run_continues() {
        partial = step_strip((group.y * groups.x + group.x) * WORKGROUP_SIZE + lane);
        if lane == 0u && all(group == vec3(0u)) {
            atomicStore(&stats.next.computed, COMPUTED);
        }
    }
    reduce(lane, partial);
}
#endif
#else
// Computes one generation.
@compute @workgroup_size(WORKGROUP_SIZE)
fn step(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    step_strip((group.y * groups.x + group.x) * WORKGROUP_SIZE + lane);
}
#endif
