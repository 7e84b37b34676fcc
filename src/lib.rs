//! duolife: two-colour cellular automata, computed bit for bit alike on GPU and CPU.
//!
//! ```text
//!   app, cli               the window; the command line, with its games at a terminal
//!   store                  what the folder of a user remembers
//!   arena                  many small battles at once: matches, tournaments, results, statistics
//!   game                   what makes a run a game: referee, sessions, the five games
//!   format                 files to boards and back, pictures among them
//!   render                 boards to pictures and films
//!   engine                 reference, cpu, gpu: load, step, census, read; the choice among them
//!   rules                  the families: two-colour B/S rules and reZolution
//!   board                  cells and populations
//! ```
//!
//! Arrows only point down; a test reads the floors and checks every path. `board` and `rules` know no
//! GPU, no file and no clock; `engine` knows no game; `game` and `arena` know no file and no terminal.
//! `wgpu` is used in `engine::gpu`, the board renderer and `app`, `clap` only in `cli`.
//!
//! Engines, and the suite that compares them, are written once for all families of rules: a board is
//! a [`board::Board`], its rules are a [`rules::Ruleset`].
//!
//! ```
//! use duolife::board::{Edges, Size, start};
//! use duolife::engine::{Engine, cpu::CpuEngine};
//! use duolife::rules::{LifelikeRuleset, Rule, Ties};
//!
//! let board = start::random(Size::new(64, 48)?, 0.35, 1)?;
//! let mut engine = CpuEngine::new(LifelikeRuleset {
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

pub mod engine;

pub mod format;
pub mod render;

pub mod game;

pub mod arena;

pub mod store;

#[cfg(feature = "window")]
pub mod app;
pub mod cli;
