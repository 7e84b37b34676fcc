// Two-colour Life-like rules on bit planes: the circuits.
//
// The functions up to `majority` mirror src/rules/lifelike.rs; see there for what they mean. Joined
// with ties.wgsl and with walk.wgsl or arena.wgsl, which say where `params` and the cells lie.

// Bit n: births with n live neighbours, survivals with n live neighbours.
override BIRTH: u32;
override SURVIVAL: u32;
// Opposite sides are joined; otherwise everything outside is dead.
override TORUS: bool;

// Birth counts that an evenly split set of parents can have: 2, 4, 6 and 8.
const EVEN_COUNTS: u32 = 0x154u;

struct StepParams {
    width: u32,
    height: u32,
    row_words: u32,
    strip_rows: u32,
    // The threads of this dispatch, out of those that a whole generation takes.
    first_thread: u32,
    end_thread: u32,
    seed_low: u32,
    seed_high: u32,
}

struct RowSum {
    ones: u32,
    twos: u32,
}

struct Count {
    ones: u32,
    twos: u32,
    fours: u32,
    eights: u32,
}

fn mux(choice: u32, a: u32, b: u32) -> u32 {
    return (a & ~choice) | (b & choice);
}

fn majority_of_three(a: u32, b: u32, c: u32) -> u32 {
    return (a & b) | (c & (a | b));
}

fn row_sum(left: u32, centre: u32, right: u32) -> RowSum {
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

fn all_if(counts: u32, n: u32) -> u32 {
    return 0u - ((counts >> n) & 1u);
}

// A block of n cells: n neighbours around a dead centre, n - 1 around a live one. Bit 9 of BIRTH
// is never set, and shifting SURVIVAL left leaves its count 0 for blocks of one.
fn outcome(alive: u32, n: u32) -> u32 {
    let born = all_if(BIRTH, n);
    let survives = all_if(SURVIVAL << 1u, n);
    return mux(alive, born, survives);
}

fn next_alive(alive: u32, count: Count) -> u32 {
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
    blue: u32,
    even: u32,
}

fn majority(count: Count, blue: Count) -> Majority {
    var more = 0u;
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

// The left neighbours of the 32 cells of a word, the cells, and their right neighbours.
struct Triple {
    left: u32,
    centre: u32,
    right: u32,
}

struct Row {
    alive: Triple,
    blue: Triple,
}

struct Sums {
    alive: RowSum,
    blue: RowSum,
}

// Where a thread's word column finds its horizontal neighbours, the same in every row.
struct Column {
    word: u32,
    // The word that holds the left neighbour of the first cell, and its bit there.
    before: u32,
    before_bit: u32,
    // The word that holds the right neighbour of the last cell, in its bit 0.
    after: u32,
    // The bit of the last cell.
    top: u32,
    // 0 where the neighbour lies outside a board with dead edges, else 1.
    has_before: u32,
    has_after: u32,
    // The bits that are cells of the board.
    cells: u32,
}

fn column(word: u32) -> Column {
    let last = params.row_words - 1u;
    let last_bit = (params.width - 1u) & 31u;
    let first = word == 0u;
    let final_word = word == last;
    let top = select(31u, last_bit, final_word);
    return Column(
        word,
        select(word - 1u, last, first),
        select(31u, last_bit, first),
        select(word + 1u, 0u, final_word),
        top,
        select(1u, 0u, first && !TORUS),
        select(1u, 0u, final_word && !TORUS),
        0xffffffffu >> (31u - top),
    );
}

fn triple(at: Column, before: u32, centre: u32, after: u32) -> Triple {
    return Triple(
        (centre << 1u) | ((before >> at.before_bit) & at.has_before),
        centre,
        (centre >> 1u) | ((after & at.has_after) << at.top),
    );
}

fn sum_row(row: Row) -> Sums {
    return Sums(
        row_sum(row.alive.left, row.alive.centre, row.alive.right),
        row_sum(row.blue.left, row.blue.centre, row.blue.right),
    );
}

// The words of both planes at one place.
struct Cells {
    alive: u32,
    blue: u32,
}

// The cells of a word of row y in the next generation, from the rows around it and their sums.
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
    let count = block_count(above_sums.alive, middle_sums.alive, below_sums.alive);
    let blue_count = block_count(above_sums.blue, middle_sums.blue, below_sums.blue);
    let lives = next_alive(middle.alive.centre, count);
    let born = lives & ~middle.alive.centre;
    let parents = majority(count, blue_count);
    var blue = (lives & middle.blue.centre) | (born & parents.blue);
    if (BIRTH & EVEN_COUNTS) != 0u {
        let tied = born & parents.even & at.cells;
        if tied != 0u {
            blue |= tied & tie_blue(at.word, y, above, middle, below);
        }
    }
    return Cells(lives & at.cells, blue & at.cells);
}
