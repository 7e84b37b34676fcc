//! The list of all compute programs of the engine.

use super::family::FAMILIES;
use super::kernels::active_blocks::ACTIVE_BLOCKS;
use super::kernels::arena::{ARENA, ARENA_SUBGROUPS};
use super::kernels::roofline::ROOFLINE;
use super::program::Program;

/// All programs of the engine: those of each family, then those that belong to none.
pub fn programs() -> impl Iterator<Item = &'static Program> {
    let of_families = FAMILIES.iter().flat_map(|family| family.all());
    let others = [&ROOFLINE, &ACTIVE_BLOCKS, &ARENA, &ARENA_SUBGROUPS];
    of_families.chain(others)
}
