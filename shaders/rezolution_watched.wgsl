// A pass of reZolution under watch: every generation that it looks at is counted, and compared with the
// two before it. Joined with rezolution_stream.wgsl, rezolution_totals.wgsl, tally.wgsl, tally_pass.wgsl,
// with watched_alone.wgsl or watched_subgroups.wgsl, which add up what threads have seen, and with the
// stages: rezolution_watched_4.wgsl. What a pass sees and how far it goes is said in stream_watched.wgsl.
//
// A target that was reached may be left in the next generation, so one tally does not tell of all: if any
// generation of a pass has ended the run, the last one's says so.

// Which bytes of a thread's words are its tile's own cells, and which rows are.
struct Own {
    low: Words,
    high: Words,
    first_row: i32,
    end_row: i32,
}

fn own_of_tile(at: Column, first_row: i32, end_row: i32) -> Own {
    let first = select(own_bytes(at.first), 0u, at.first_is_halo);
    let last = select(own_bytes(at.first + 7), 0u, at.last_is_halo);
    return Own(
        Words(first, own_bytes(at.first + 1), own_bytes(at.first + 2), own_bytes(at.first + 3)),
        Words(own_bytes(at.first + 4), own_bytes(at.first + 5), own_bytes(at.first + 6), last),
        first_row,
        end_row,
    );
}

// Eight words of which only the lowest bit of each byte may be set, a word of all of them.
fn gathered_bits(low: Words, high: Words) -> u32 {
    let both = low | (high << Words(4u));
    return both.x | (both.y << 1u) | (both.z << 2u) | (both.w << 3u);
}

// The targets among the cells of a thread's words in a row of the board, in the order of
// `gathered_bits`. Those of words that are not the tile's own may be others.
fn load_targets(at: Column, y: i32) -> u32 {
    if y < 0 || y >= i32(params.height) {
        return 0u;
    }
    let mark_words = (i32(params.width) + 31) / 32;
    let row = y * mark_words;
    let shift = 4u * (u32(at.first) & 7u);
    // The words of a tile at the border lie partly beyond it.
    let low = targets[row + clamp(at.first >> 3u, 0, mark_words - 1)] >> shift;
    let high = targets[row + min((at.first + 7) >> 3u, mark_words - 1)] << ((32u - shift) & 31u);
    let marks = low | select(0u, high, shift != 0u);
    if marks == 0u {
        return 0u;
    }
    let ones = Words(0x01010101u);
    return gathered_bits(marked(marks, 0u) & ones, marked(marks, 4u) & ones);
}

// Looks at row y of a new generation, and at the same row of the two before it.
fn see(
    sight: ptr<private, Sight>,
    own: Own,
    y: i32,
    targets: u32,
    now: Cells,
    last: Cells,
    second_last: Cells,
) {
    // Other tiles see the rows above and below.
    let is_own = y >= own.first_row && y < own.end_row;
    let own_low = select(Words(0u), own.low, is_own);
    let own_high = select(Words(0u), own.high, is_own);
    let low = sides(now.low & own_low);
    let high = sides(now.high & own_high);
    let red = gathered_bits(occupied(low.red), occupied(high.red));
    let blue = gathered_bits(low.negative, high.negative);
    (*sight).totals[RED] += countOneBits(red);
    (*sight).totals[BLUE] += countOneBits(blue);
    // Two populations fit into a byte.
    (*sight).totals[RED_POPULATION] += byte_sum(low.red + high.red);
    (*sight).totals[BLUE_POPULATION] += byte_sum(low.blue + high.blue);
    (*sight).totals[REACHED] += countOneBits((red | blue) & targets);
    (*sight).differs_from_last |=
        any_bit(((now.low ^ last.low) & own_low) | ((now.high ^ last.high) & own_high));
    (*sight).differs_from_second_last |=
        any_bit(((now.low ^ second_last.low) & own_low) | ((now.high ^ second_last.high) & own_high));
}

fn watch_tile(at: Column, tile: Place) {
    let generations = i32(GENERATIONS);
    let first_row = i32(tile.first_row);
    let end_row = min(first_row + i32(params.strip_rows), i32(params.height));
    // Of a halo's rows other bands tell.
    let first_own = max(first_row, i32(params.first_own));
    let own = own_of_tile(at, first_own, min(end_row, i32(params.end_own)));
    // The targets of the rows that are seen: of the last row that has come in, and of those above it.
    var passing = Words(0u);
    // The first rows fill the stages, the last ones let the last generation come out.
    for (var y = first_row - generations; y < end_row + generations; y++) {
        let next = through(own, y, passing, load(at, y));
        passing = Words(load_targets(at, y), passing.xyz);
        let done = y - generations + 1;
        if done >= first_row && done < end_row {
            store(at, u32(done) * params.row_words, next);
        }
    }
}
