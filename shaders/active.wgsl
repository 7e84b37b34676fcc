#import changes
// Lists the blocks that the next pass has to compute. Joined with changes.wgsl.
//
// A block is calm if no cell has changed in it, nor around it as far as something comes in a pass: a
// pass leaves it as it is, whatever its even number of generations. If the pass before has done so,
// too, the planes that the next one writes already hold the block, and it can be left out.
//
//     pass      1        2        3        4
//     block     changes  -        -        -
//     planes    A -> B   B -> A   A -> B   B -> A
//                        calm     calm: A holds what B does; left out

const ACTIVE_WORKGROUP: u32 = 64u;

struct ActiveParams {
    // Cells of a row, rows of the board.
    width: u32,
    height: u32,
    // Cells of a row of a block, its rows; the last ones may have fewer.
    block_cells: u32,
    block_rows: u32,
    // Blocks of a row, rows of blocks.
    columns: u32,
    rows: u32,
    // How far something comes until the end of the next pass, in cells, at most.
    reach: u32,
    // Opposite sides are joined.
    torus: u32,
    // Not 0: it is known what has changed.
    known: u32,
    // Not 0: the planes that the next pass writes hold the present board.
    copied: u32,
    // Of the rows here, those that are a band's own: the others are its halo.
    first_own: u32,
    end_own: u32,
}

struct Active {
    count: atomic<u32>,
    blocks: array<u32>,
}

@group(0) @binding(0) var<uniform> params: ActiveParams;
@group(0) @binding(1) var<storage, read> changes: array<u32>;
// The same after the next pass, which adds what changes in blocks that are not left out.
@group(0) @binding(2) var<storage, read_write> next_changes: array<u32>;
@group(0) @binding(3) var<storage, read_write> list: Active;

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

// What must be noted of a block at a distance so that something can come from it: of the next one a
// change near to the border in between, of those beyond it any.
fn needed(distance: u32, border: u32) -> u32 {
    return select(CHANGED, border, distance == 0u);
}

// Of a halo only other bands know what has changed in it.
fn is_own(row: u32) -> bool {
    let first = row * params.block_rows;
    return first >= params.first_own && first + rows_of(row) <= params.end_own;
}

fn has_changed(row: u32, column: u32, row_border: u32, column_border: u32) -> bool {
    let found = changes[row * params.columns + column];
    return !is_own(row) || ((found & row_border) != 0u && (found & column_border) != 0u);
}

// Whether something can come into a column of blocks from a row of them, of which `border` has to
// have changed.
fn comes_from_row(row: u32, border: u32, column: u32) -> bool {
    var found = has_changed(row, column, border, CHANGED);
    var other = column;
    for (var distance = 0u; distance < params.reach && has_before(other);) {
        other = before(other, params.columns);
        found |= has_changed(row, other, border, needed(distance, CHANGED_RIGHT));
        distance += cells_of(other);
    }
    other = column;
    for (var distance = 0u; distance < params.reach && has_after(other, params.columns);) {
        other = after(other, params.columns);
        found |= has_changed(row, other, border, needed(distance, CHANGED_LEFT));
        distance += cells_of(other);
    }
    return found;
}

fn comes(row: u32, column: u32) -> bool {
    var found = comes_from_row(row, CHANGED, column);
    var other = row;
    for (var distance = 0u; distance < params.reach && has_before(other);) {
        other = before(other, params.rows);
        found |= comes_from_row(other, needed(distance, CHANGED_BOTTOM), column);
        distance += rows_of(other);
    }
    other = row;
    for (var distance = 0u; distance < params.reach && has_after(other, params.rows);) {
        other = after(other, params.rows);
        found |= comes_from_row(other, needed(distance, CHANGED_TOP), column);
        distance += rows_of(other);
    }
    return found;
}

@compute @workgroup_size(ACTIVE_WORKGROUP)
fn list_active(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = (group.y * groups.x + group.x) * ACTIVE_WORKGROUP + lane;
    if block >= params.columns * params.rows {
        return;
    }
    let calm = params.known != 0u && !comes(block / params.columns, block % params.columns);
    let is_there = params.copied != 0u || (changes[block] & CALM) != 0u;
    next_changes[block] = select(0u, CALM, calm);
    if !(calm && is_there) {
        list.blocks[atomicAdd(&list.count, 1u)] = block;
    }
}
