// Columns of groups of four words: the same group of every row of a board, 16 cells wide.

#import rezolution

// Opposite sides are joined; otherwise everything outside is empty.
override TORUS: bool;

struct RezolutionStepParams {
    width: u32,
    height: u32,
    // Groups of four words of a row of populations.
    row_groups: u32,
    // Words of a row of barriers or targets.
    mark_words: u32,
    strip_rows: u32,
    // The threads of this dispatch, out of those of a whole generation.
    first_thread: u32,
    end_thread: u32,
    // The band's own rows: the other rows of the planes are its halo.
    first_own: u32,
    end_own: u32,
    padding_0: u32,
    padding_1: u32,
    padding_2: u32,
}

// Four words, and the words to both sides.
struct Triple {
    before: u32,
    centre: Words,
    after: u32,
}

// Where a thread's column finds its horizontal neighbours, the same in every row.
struct Column {
    // The group of four words.
    group: u32,
    // The group and in it the word whose last byte, once shifted left, is the left neighbour of the
    // first cell.
    before: u32,
    before_word: u32,
    before_shift: u32,
    // The group whose first byte is the right neighbour of the last cell.
    after: u32,
    // 0 where the neighbour lies outside a board with dead edges, else all ones.
    has_before: u32,
    has_after: u32,
    // Where the first byte of `after` is put into a group that is not full, and which bits of it.
    seam_shift: u32,
    seam_mask: Words,
    // The bytes that are cells of the board.
    cells: Words,
}

fn column(group: u32) -> Column {
    let last = params.row_groups - 1u;
    let first = group == 0u;
    let final_group = group == last;
    // The last cell of the last group: its word, and its byte there.
    let last_cell = (params.width - 1u) & 15u;
    let last_word = last_cell / 4u;
    let last_byte = last_cell & 3u;
    let words = Words(0u, 1u, 2u, 3u);
    // Behind the last cell of a group that is not full comes the first of the row.
    let short = final_group && last_cell < 15u && TORUS;
    let seam = last_cell + 1u;
    let seam_shift = 8u * (seam & 3u);
    let seam_word = words == Words(select(4u, seam / 4u, short));
    let full = Words(0xffffffffu);
    let partly = Words(0xffffffffu >> (8u * (3u - last_byte)));
    let none = Words(0u);
    let cells = select(select(none, partly, words == Words(last_word)), full, words < Words(last_word));
    return Column(
        group,
        select(group - 1u, last, first),
        select(3u, last_word, first),
        select(0u, 8u * (3u - last_byte), first),
        select(group + 1u, 0u, final_group),
        select(0xffffffffu, 0u, first && !TORUS),
        select(0xffffffffu, 0u, final_group && !TORUS),
        seam_shift,
        select(none, Words(0xffu << seam_shift), seam_word),
        select(full, cells, final_group),
    );
}

fn triple(at: Column, before: u32, centre: Words, after: u32) -> Triple {
    return Triple(
        (before << at.before_shift) & at.has_before,
        centre | (Words(after << at.seam_shift) & at.seam_mask),
        after & at.has_after,
    );
}
