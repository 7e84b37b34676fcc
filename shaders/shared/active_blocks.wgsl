// Blocks of a board, where their cells have changed, and which of them a pass computes.
//
// A block is some rows of a tile, without its halo. A cell is dirty if it differs from what it was two
// generations before: a cell that stays as it is or repeats after two generations is not. A block is idle
// if no cell is dirty in it, nor around it as far as a change spreads in a pass: a pass, whose number of
// generations is even, leaves it as it is. After two such passes both sets of planes hold the same cells
// of the block, and the next pass leaves it out:
//
//     pass      1        2        3        4
//     block     dirty    -        -        -
//     planes    A -> B   B -> A   A -> B   B -> A
//                        idle     idle: A holds what B does; left out

// Bits of a block. A cell of it is dirty:
const DIRTY: u32 = 1u;
// and near to this border: a change spreads across it before the bits are read again.
const DIRTY_LEFT: u32 = 2u;
const DIRTY_RIGHT: u32 = 4u;
const DIRTY_TOP: u32 = 8u;
const DIRTY_BOTTOM: u32 = 16u;
// The last pass has left the block as it was.
const IDLE: u32 = 32u;

#ifdef LIST
// The kernel that lists the active blocks, those that the next pass computes.

const WORKGROUP_SIZE: u32 = 64u;

struct ActiveBlocksParams {
    // Cells of a row, rows of the board.
    width: u32,
    height: u32,
    // Cells of a row of a block, its rows; the last ones may have fewer.
    block_cells: u32,
    block_rows: u32,
    // Blocks of a row, rows of blocks.
    columns: u32,
    rows: u32,
    // How far a change spreads until the end of the next pass, in cells, at most.
    reach: u32,
    // Opposite sides are joined.
    torus: u32,
    // Not 0: `dirty` is that of the last pass.
    known: u32,
    // Not 0: the planes that the next pass writes hold the present board.
    copied: u32,
    // The band's own rows: the other rows of the planes are its halo.
    first_own: u32,
    end_own: u32,
}

struct ActiveBlocks {
    count: atomic<u32>,
    blocks: array<u32>,
}

@group(0) @binding(0) var<uniform> params: ActiveBlocksParams;
@group(0) @binding(1) var<storage, read> dirty: array<u32>;
// The same for the next pass, which adds the bits of the blocks that it computes.
@group(0) @binding(2) var<storage, read_write> next_dirty: array<u32>;
@group(0) @binding(3) var<storage, read_write> active_blocks: ActiveBlocks;

fn rows_of(row: u32) -> u32 {
    return min(params.block_rows, params.height - row * params.block_rows);
}

fn cells_of(column: u32) -> u32 {
    return min(params.block_cells, params.width - column * params.block_cells);
}

// Whether there is a block before one of `count` in a row or column, after it. Beyond the edge of a
// torus is its other side.
fn has_before(other: u32) -> bool {
    return other > 0u || params.torus != 0u;
}

fn has_after(other: u32, count: u32) -> bool {
    return other + 1u < count || params.torus != 0u;
}

fn before(other: u32, count: u32) -> u32 {
    return select(other - 1u, count - 1u, other == 0u);
}

fn after(other: u32, count: u32) -> u32 {
    return select(other + 1u, 0u, other + 1u == count);
}

// The bit that a block at some distance must have for a change to spread from it: near to the border in
// between for the nearest block, anywhere for those beyond it.
fn needed(distance: u32, border: u32) -> u32 {
    return select(DIRTY, border, distance == 0u);
}

// Blocks of a halo are other bands' own, which know whether they are dirty.
fn is_own(row: u32) -> bool {
    let first = row * params.block_rows;
    return first >= params.first_own && first + rows_of(row) <= params.end_own;
}

fn is_dirty(row: u32, column: u32, row_border: u32, column_border: u32) -> bool {
    let found = dirty[row * params.columns + column];
    return !is_own(row) || ((found & row_border) != 0u && (found & column_border) != 0u);
}

// Whether a change can spread into a column of blocks from a row of blocks that are dirty at `border`.
fn can_come_from_row(row: u32, border: u32, column: u32) -> bool {
    var found = is_dirty(row, column, border, DIRTY);
    var other = column;
    for (var distance = 0u; distance < params.reach && has_before(other);) {
        other = before(other, params.columns);
        found |= is_dirty(row, other, border, needed(distance, DIRTY_RIGHT));
        distance += cells_of(other);
    }
    other = column;
    for (var distance = 0u; distance < params.reach && has_after(other, params.columns);) {
        other = after(other, params.columns);
        found |= is_dirty(row, other, border, needed(distance, DIRTY_LEFT));
        distance += cells_of(other);
    }
    return found;
}

// Whether a change can spread into a block, or has come up in it.
fn can_come(row: u32, column: u32) -> bool {
    var found = can_come_from_row(row, DIRTY, column);
    var other = row;
    for (var distance = 0u; distance < params.reach && has_before(other);) {
        other = before(other, params.rows);
        found |= can_come_from_row(other, needed(distance, DIRTY_BOTTOM), column);
        distance += rows_of(other);
    }
    other = row;
    for (var distance = 0u; distance < params.reach && has_after(other, params.rows);) {
        other = after(other, params.rows);
        found |= can_come_from_row(other, needed(distance, DIRTY_TOP), column);
        distance += rows_of(other);
    }
    return found;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn list_active_blocks(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = (group.y * groups.x + group.x) * WORKGROUP_SIZE + lane;
    if block >= params.columns * params.rows {
        return;
    }
    let idle = params.known != 0u && !can_come(block / params.columns, block % params.columns);
    let is_there = params.copied != 0u || (dirty[block] & IDLE) != 0u;
    next_dirty[block] = select(0u, IDLE, idle);
    if !(idle && is_there) {
        active_blocks.blocks[atomicAdd(&active_blocks.count, 1u)] = block;
    }
}
#else
// What a pass reads and writes of them.

struct ActiveBlocks {
    count: u32,
    blocks: array<u32>,
}

@group(0) @binding(5) var<storage, read> active_blocks: ActiveBlocks;
@group(0) @binding(6) var<storage, read_write> dirty: array<u32>;
#endif
