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
//! an [`Action`](actions::Action); only the controller touches games, and only a game its engine.

pub mod actions;
mod battle;
mod canvas;
mod chart;
pub mod controller;
mod flash;
mod immigration;
mod keys;
mod look;
pub mod native;
mod panels;
pub mod platform;
mod prompt;
mod puzzle;
mod rates;
mod rezolution;
pub mod shell;
mod table;

pub use battle::Drawing;
pub use table::{Facts, WindowFamily};
