// What a pass of several generations is told, of any family. Joined with stream.wgsl or
// rezolution_stream.wgsl.

struct StreamParams {
    // Cells of a row, rows of the board, words of a row.
    width: u32,
    height: u32,
    row_words: u32,
    // Tiles side by side, and so blocks.
    columns: u32,
    // Rows of a strip: of some blocks, or of one if they are listed.
    strip_rows: u32,
    block_rows: u32,
    // Cells that are near to the border of a block, at most 32.
    reach: u32,
    // Not 0: only the blocks of a list are computed.
    listed: u32,
    // Threads of a tile, if it has several.
    tile_threads: u32,
    seed_low: u32,
    seed_high: u32,
    // Not 0: after a settled generation nothing is computed under watch.
    until_settled: u32,
    // Rows of the whole board, and which of them is row 0: what is here may be a band of it.
    board_height: u32,
    first_row: u32,
    // Of the rows here, those that are the band's own: the others are its halo.
    first_own: u32,
    end_own: u32,
}
