// Two-colour Life-like rules on bit planes.
//
// The functions up to `life_blue` mirror src/rules/lifelike.rs; see there for what they mean. They
// compute many cells at once, one per bit of `Words`, which the importing file declares: u32 or vec4<u32>.
// That file also says which `Column` of the board those cells are in.

#import lifelike/ties

// The rule. Bit n: births with n live neighbours, survivals with n live neighbours. On a torus opposite sides
// are joined; otherwise everything outside is dead.
//
// A program with GENERAL reads the rule from its parameters and serves every rule. Without it the rule is
// folded in when the pipeline is made, and the compiler drops what the rule does not need.
#ifdef GENERAL
fn birth_counts() -> u32 {
    return params.birth;
}

fn survival_counts() -> u32 {
    return params.survival;
}

fn is_torus() -> bool {
    return params.torus != 0u;
}
#else
override BIRTH: u32;
override SURVIVAL: u32;
override TORUS: bool;

fn birth_counts() -> u32 {
    return BIRTH;
}

fn survival_counts() -> u32 {
    return SURVIVAL;
}

fn is_torus() -> bool {
    return TORUS;
}
#endif

// Birth counts that an evenly split set of parents can have: 2, 4, 6 and 8.
const EVEN_COUNTS: u32 = 0x154u;

// B3/S23.
const LIFE_BIRTH: u32 = 8u;
const LIFE_SURVIVAL: u32 = 12u;

struct RowSum {
    ones: Words,
    twos: Words,
}

struct Count {
    ones: Words,
    twos: Words,
    fours: Words,
    eights: Words,
}

fn mux(choice: Words, a: Words, b: Words) -> Words {
    return (a & ~choice) | (b & choice);
}

fn majority_of_three(a: Words, b: Words, c: Words) -> Words {
    return (a & b) | (c & (a | b));
}

fn row_sum(left: Words, centre: Words, right: Words) -> RowSum {
    return RowSum(left ^ centre ^ right, majority_of_three(left, centre, right));
}

fn block_count(above: RowSum, middle: RowSum, below: RowSum) -> Count {
    let carry = majority_of_three(above.ones, middle.ones, below.ones);
    let twos = above.twos ^ middle.twos ^ below.twos;
    let fours = majority_of_three(above.twos, middle.twos, below.twos);
    let more_fours = twos & carry;
    return Count(
        above.ones ^ middle.ones ^ below.ones,
        twos ^ carry,
        fours ^ more_fours,
        fours & more_fours,
    );
}

fn all_if(counts: u32, n: u32) -> Words {
    return Words(0u - ((counts >> n) & 1u));
}

// A block of n cells: n neighbours around a dead centre, n - 1 around a live one. Bit 9 of the
// births is never set, and shifting the survivals left leaves their count 0 for blocks of one.
fn outcome(alive: Words, n: u32) -> Words {
    let born = all_if(birth_counts(), n);
    let survives = all_if(survival_counts() << 1u, n);
    return mux(alive, born, survives);
}

fn next_alive(alive: Words, count: Count) -> Words {
    let n01 = mux(count.ones, outcome(alive, 0u), outcome(alive, 1u));
    let n23 = mux(count.ones, outcome(alive, 2u), outcome(alive, 3u));
    let n45 = mux(count.ones, outcome(alive, 4u), outcome(alive, 5u));
    let n67 = mux(count.ones, outcome(alive, 6u), outcome(alive, 7u));
    let n89 = mux(count.ones, outcome(alive, 8u), outcome(alive, 9u));
    let n03 = mux(count.twos, n01, n23);
    let n47 = mux(count.twos, n45, n67);
    let n07 = mux(count.fours, n03, n47);
    return mux(count.eights, n07, n89);
}

struct Majority {
    blue: Words,
    even: Words,
}

fn majority(count: Count, blue: Count) -> Majority {
    var more = Words(0u);
    more = mux(blue.ones ^ count.twos, more & ~count.ones, blue.ones);
    more = mux(blue.twos ^ count.fours, more, blue.twos);
    more = mux(blue.fours ^ count.eights, more, blue.fours);
    more |= blue.eights;
    let differ = count.ones
        | (blue.ones ^ count.twos)
        | (blue.twos ^ count.fours)
        | (blue.fours ^ count.eights)
        | blue.eights;
    return Majority(more, ~differ);
}

// B3/S23: exactly one of the weights worth two in the sum of the neighbours, and a one beside it
// unless the cell lives.
fn life_alive(alive: Words, above: RowSum, middle: RowSum, below: RowSum) -> Words {
    let ends = middle.ones ^ alive;
    let both_ends = middle.twos & ~ends;
    let outer = above.ones ^ below.ones;
    let ones = outer ^ ends;
    let carry = (above.ones & below.ones) | (outer & ends);
    let odd = above.twos ^ below.twos ^ both_ends ^ carry;
    let pair = (above.twos & below.twos) | (both_ends & carry);
    return (ones | alive) & odd & ~pair;
}

// Whether two or three of exactly three parents are blue.
fn life_blue(above: RowSum, middle: RowSum, below: RowSum) -> Words {
    let carry = majority_of_three(above.ones, middle.ones, below.ones);
    return above.twos | middle.twos | below.twos | carry;
}

// The left neighbours of the cells of some words, the cells, and their right neighbours.
struct Triple {
    left: Words,
    centre: Words,
    right: Words,
}

struct Row {
    alive: Triple,
    blue: Triple,
}

struct Sums {
    alive: RowSum,
    blue: RowSum,
}

fn sum_row(row: Row) -> Sums {
    return Sums(
        row_sum(row.alive.left, row.alive.centre, row.alive.right),
        row_sum(row.blue.left, row.blue.centre, row.blue.right),
    );
}

// The words of both planes at one place.
struct Cells {
    alive: Words,
    blue: Words,
}

// The cells of some words of row y in the next generation, from the rows around it and their sums.
fn next_cells(
    at: Column,
    y: u32,
    above: Row,
    middle: Row,
    below: Row,
    above_sums: Sums,
    middle_sums: Sums,
    below_sums: Sums,
) -> Cells {
    let alive = middle.alive.centre;
#ifdef GENERAL
#else
    if birth_counts() == LIFE_BIRTH && survival_counts() == LIFE_SURVIVAL {
        // A formula of its own, which takes little more than half of the operations.
        let lives = life_alive(alive, above_sums.alive, middle_sums.alive, below_sums.alive);
        let parents_blue = life_blue(above_sums.blue, middle_sums.blue, below_sums.blue);
        let blue = lives & (middle.blue.centre | (parents_blue & ~alive));
        return Cells(lives & at.cells, blue & at.cells);
    }
#endif
    let count = block_count(above_sums.alive, middle_sums.alive, below_sums.alive);
    let blue_count = block_count(above_sums.blue, middle_sums.blue, below_sums.blue);
    let lives = next_alive(alive, count);
    let born = lives & ~alive;
    let parents = majority(count, blue_count);
    var blue = (lives & middle.blue.centre) | (born & parents.blue);
    if (birth_counts() & EVEN_COUNTS) != 0u {
        let tied = born & parents.even & at.cells;
        if any(tied != Words(0u)) {
            blue |= tied & tie_blue(at, y, above, middle, below);
        }
    }
    return Cells(lives & at.cells, blue & at.cells);
}
