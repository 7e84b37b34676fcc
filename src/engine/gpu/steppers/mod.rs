//! The ways in which generations are computed, one file each: methods of the
//! [`Stepper`](super::context::Stepper).

pub(super) mod background;
mod film;
mod pass;
mod stats_pass;
mod stats_step;
mod step;
