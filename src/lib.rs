//! duolife: two-colour cellular automata, computed bit for bit alike on GPU and CPU.

pub mod board;
pub mod engine;
pub mod rules;
