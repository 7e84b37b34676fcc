//! duolife: two-colour cellular automata, computed bit for bit alike on GPU and CPU.
//!
//! ```text
//!   app, cli               the window, the command line
//!   arena                  many small battles at once: tournaments
//!   game                   what makes a run a battle: referee, sessions; the fragment puzzle
//!   engine                 reference, cpu, gpu: load, step, census, read
//!   rules                  the families: two-colour B/S rules and reZolution, their circuits
//!   format                 files to boards and back (pictures among them: over render)
//!   render                 boards to pictures and films
//!   board                  cells, and populations
//! ```
//!
//! Arrows only point down. `board` and `rules` know no GPU, no file and no clock; `engine` knows no
//! game; `game` knows no terminal and no file. Engines and the suite that compares them are written
//! once for all families of rules; a board is a [`board::Board`], its rules are [`rules::Ruleset`]. `wgpu` lives in `engine::gpu` alone, `clap` in `cli` alone.
//!
//! ```
//! use duolife::board::{Edges, Size, start};
//! use duolife::engine::{Engine, cpu::CpuEngine};
//! use duolife::rules::{Rule, Ruleset, Ties};
//!
//! let board = start::random(Size::new(64, 48)?, 0.35, 1)?;
//! let mut engine = CpuEngine::new(Ruleset {
//!     rule: Rule::LIFE,
//!     edges: Edges::Torus,
//!     ties: Ties::Seeded(1),
//! });
//! engine.load(&board)?;
//! engine.step(100)?;
//! println!("{:?}", engine.census()?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
pub mod rules;

pub mod format;
pub mod render;

pub mod engine;

pub mod game;

pub mod arena;

pub mod store;

#[cfg(feature = "window")]
pub mod app;
pub mod cli;
