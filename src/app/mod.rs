//! The window: games to play with the pointer and the keyboard.
//!
//! ```text
//!   shell        a frame: time passes, actions are asked for and done, everything is shown
//!     panels     menus, settings, dialogs  ─┐
//!     canvas     the board and the pointer  ├─> Action ──> controller ──> game, files, display
//!     keys                                 ─┘
//!   platform     files, memory and engines, behind a trait    <── native
//! ```
//!
//! What is on the table is a run (`table`: the session of a battle or of reZolution), the puzzle or the
//! Immigration Game.
//!
//! Nothing here but [`native`] uses what a browser forbids. Panels and canvas say what is wanted as
//! an [`Command`](actions::Action); only the controller touches games, and only a game its engine.

mod canvas;
mod chart;
pub mod command;
pub mod controller;
mod error;
mod flash_limiter;
mod fragment;
mod frame_pacing;
mod immigration;
mod keys;
mod life_battle;
pub mod native;
mod panels;
pub mod platform;
mod rates;
mod rezolution;
mod run_view;
mod theme;
pub mod window;

pub use life_battle::BattleExtras;
pub use run_view::{RunStatus, WindowFamily};
