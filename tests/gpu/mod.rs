/// Blocks in which nothing changes are left out of passes, and computed again once something comes near.
mod active_blocks;
/// Many small games at once.
mod arena;
/// Generations computed in the background, in pieces of a few milliseconds.
mod background;
/// Boards that are cut into bands of rows.
mod bands;
/// The limits of a device, and its loss.
mod device;
/// Passes of several generations, at every border there is.
mod passes;
/// What a device has to compute right before it is used.
mod proofs;
/// Boards that a single workgroup computes.
mod single_workgroup;
/// Passes with statistics of every generation.
mod stats;
