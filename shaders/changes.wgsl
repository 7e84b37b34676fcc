// What is known of a block, and where its cells have changed: bits of a word. Joined with stream.wgsl,
// which notes changes, and with active.wgsl, which looks at them.
//
// A block is some rows of a tile, without its halo. A cell has changed if it differs from what it was
// two generations ago: what stands still or repeats after two generations has not.

// Anywhere in the block.
const CHANGED: u32 = 1u;
// As near to that border of it as something can come from there before changes are looked at again.
const CHANGED_LEFT: u32 = 2u;
const CHANGED_RIGHT: u32 = 4u;
const CHANGED_TOP: u32 = 8u;
const CHANGED_BOTTOM: u32 = 16u;
// The last pass has left the block as it was.
const CALM: u32 = 32u;
