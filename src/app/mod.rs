//! The window: games to play with the pointer and the keyboard.
//!
//! ```text
//!   window       a frame: time passes, commands are collected and carried out, everything is shown
//!     panels     menus, settings, dialogs  ─┐
//!     canvas     the board and the pointer  ├─> Command ──> controller ──> game, files, display
//!     keys                                 ─┘
//!     screen     the picture of the board on the device
//!   platform     files, memory and engines, behind a trait    <── native
//! ```
//!
//! The game in progress is a run (`run_view`: a session of a battle or of reZolution), the fragment puzzle
//! or the Immigration Game.
//!
//! Only [`native`] uses what a browser lacks. Panels, canvas and keys emit [commands](command::Command); only
//! the controller changes games, and only a game drives its engine.

pub mod command;
pub mod controller;
pub mod window;

mod canvas;
mod keys;
mod panels;
mod screen;
mod theme;

mod run_status;
mod run_view;

mod fragment;
mod immigration;
mod life_battle;
mod rezolution;

mod chart;
mod error;
mod flash_limiter;
mod frame_pacing;
mod rates;

pub mod native;
pub mod platform;

pub use life_battle::BattleExtras;
pub use run_status::RunStatus;
pub use run_view::{RunLabels, WindowFamily};
