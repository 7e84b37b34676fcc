// Counts the live and the blue cells of a board.
//
// Every thread counts some words, a workgroup adds its threads' counts up, and one thread a group
// adds them to the totals. Totals are 64 bits in two words: a board may have more than 2^32 cells.

const CENSUS_WORKGROUP: u32 = 256u;

struct CensusParams {
    words: u32,
    padding_0: u32,
    padding_1: u32,
    padding_2: u32,
}

struct Tally {
    alive_low: atomic<u32>,
    alive_high: atomic<u32>,
    blue_low: atomic<u32>,
    blue_high: atomic<u32>,
    // Not written here.
    differs_from_last: atomic<u32>,
    differs_from_second_last: atomic<u32>,
}

@group(0) @binding(0) var<uniform> params: CensusParams;
@group(0) @binding(1) var<storage, read> alive_now: array<u32>;
@group(0) @binding(2) var<storage, read> blue_now: array<u32>;
@group(0) @binding(3) var<storage, read_write> tally: Tally;

var<workgroup> group_alive: array<u32, CENSUS_WORKGROUP>;
var<workgroup> group_blue: array<u32, CENSUS_WORKGROUP>;

@compute @workgroup_size(CENSUS_WORKGROUP)
fn census(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let threads = groups.x * CENSUS_WORKGROUP;
    var alive = 0u;
    var blue = 0u;
    for (var word = group.x * CENSUS_WORKGROUP + lane; word < params.words; word += threads) {
        alive += countOneBits(alive_now[word]);
        blue += countOneBits(blue_now[word]);
    }
    group_alive[lane] = alive;
    group_blue[lane] = blue;
    for (var half = CENSUS_WORKGROUP / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if lane < half {
            group_alive[lane] += group_alive[lane + half];
            group_blue[lane] += group_blue[lane + half];
        }
    }
    if lane == 0u {
        // An addition wraps exactly if the total comes out smaller than what was added.
        let more_alive = group_alive[0];
        if atomicAdd(&tally.alive_low, more_alive) + more_alive < more_alive {
            atomicAdd(&tally.alive_high, 1u);
        }
        let more_blue = group_blue[0];
        if atomicAdd(&tally.blue_low, more_blue) + more_blue < more_blue {
            atomicAdd(&tally.blue_high, 1u);
        }
    }
}
