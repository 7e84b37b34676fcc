// Computes one generation unless the one before has settled, and tallies what was seen of it.
// Joined with lifelike.wgsl, which has `walk`.
//
// Many generations are submitted at once. Each reads the tally of the one before, and after a
// settled one none computes anything any more: the planes stay as that generation left them.

const WATCH_WORKGROUP: u32 = 64u;
const SHARE: u32 = 8u;
const TALLY_STRIDE: u32 = 256u;

struct Tally {
    alive_low: atomic<u32>,
    alive_high: atomic<u32>,
    blue_low: atomic<u32>,
    blue_high: atomic<u32>,
    differs_from_last: atomic<u32>,
    differs_from_second_last: atomic<u32>,
}

struct Step {
    @size(TALLY_STRIDE) last: Tally,
    next: Tally,
}

@group(0) @binding(5) var<storage, read_write> tallies: Step;

var<workgroup> group_alive: array<u32, WATCH_WORKGROUP>;
var<workgroup> group_blue: array<u32, WATCH_WORKGROUP>;
var<workgroup> group_differs: array<vec2<u32>, WATCH_WORKGROUP>;

// One colour at most, or a board that was there one or two generations ago. A tally that was
// never written is all 0 and so settled, too.
fn is_settled() -> bool {
    let alive = vec2(atomicLoad(&tallies.last.alive_low), atomicLoad(&tallies.last.alive_high));
    let blue = vec2(atomicLoad(&tallies.last.blue_low), atomicLoad(&tallies.last.blue_high));
    return all(blue == vec2(0u)) || all(blue == alive)
        || atomicLoad(&tallies.last.differs_from_last) == 0u
        || atomicLoad(&tallies.last.differs_from_second_last) == 0u;
}

@compute @workgroup_size(WATCH_WORKGROUP)
fn watch(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    var seen = Seen(0u, 0u, 0u, 0u);
    if !is_settled() {
        seen = walk((group.y * groups.x + group.x) * WATCH_WORKGROUP + lane);
    }
    group_alive[lane] = seen.alive;
    group_blue[lane] = seen.blue;
    group_differs[lane] = vec2(seen.differs_from_last, seen.differs_from_second_last);
    workgroupBarrier();
    if lane % SHARE == 0u {
        for (var other = lane + 1u; other < lane + SHARE; other++) {
            group_alive[lane] += group_alive[other];
            group_blue[lane] += group_blue[other];
            group_differs[lane] |= group_differs[other];
        }
    }
    workgroupBarrier();
    if lane == 0u {
        var alive = 0u;
        var blue = 0u;
        var differs = vec2(0u);
        for (var other = 0u; other < WATCH_WORKGROUP; other += SHARE) {
            alive += group_alive[other];
            blue += group_blue[other];
            differs |= group_differs[other];
        }
        // An addition wraps exactly if the total comes out smaller than what was added.
        if alive != 0u && atomicAdd(&tallies.next.alive_low, alive) + alive < alive {
            atomicAdd(&tallies.next.alive_high, 1u);
        }
        if blue != 0u && atomicAdd(&tallies.next.blue_low, blue) + blue < blue {
            atomicAdd(&tallies.next.blue_high, 1u);
        }
        if differs.x != 0u {
            atomicStore(&tallies.next.differs_from_last, 1u);
        }
        if differs.y != 0u {
            atomicStore(&tallies.next.differs_from_second_last, 1u);
        }
    }
}
