// Word columns: the same word of every row of a board, 32 cells wide.

#import lifelike

// 32 cells at a time.
alias Words = u32;

struct LifelikeStepParams {
    width: u32,
    height: u32,
    row_words: u32,
    strip_rows: u32,
    // The threads of this dispatch, out of those of a whole generation.
    first_thread: u32,
    end_thread: u32,
    seed_low: u32,
    seed_high: u32,
    // Rows of the whole board, and which of them is row 0: the planes may hold a band of it.
    board_height: u32,
    first_row: u32,
    // The band's own rows: the other rows of the planes are its halo.
    first_own: u32,
    end_own: u32,
    // The rule, read by programs with GENERAL: counts of births and survivals, edges and ties.
    birth: u32,
    survival: u32,
    torus: u32,
    ties: u32,
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
        select(1u, 0u, first && !is_torus()),
        select(1u, 0u, final_word && !is_torus()),
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

// The row of the board that is row `y` of its band.
fn row_of_board(y: u32) -> u32 {
    let row = params.first_row + y;
    return select(row, row - params.board_height, row >= params.board_height);
}

fn priorities(at: Column, y: u32) -> Priorities {
    let bits = priority_bits(at.word, row_of_board(y));
    let low = bits.low;
    let high = bits.high;
    return Priorities(low.x, low.y, low.z, low.w, high.x, high.y, high.z);
}

fn checkerboard(at: Column, y: u32) -> u32 {
    return checkerboard_blue(row_of_board(y));
}
