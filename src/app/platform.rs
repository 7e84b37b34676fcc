//! What the window asks of the system it runs on, behind one trait: the rest of this room must be
//! able to run in a browser, which has no files, no threads and other clocks.

use std::num::NonZeroU64;
use std::rc::Rc;

use crate::board::Size;
pub use crate::engine::select::EngineName;
use crate::engine::{Engine, EngineError};
use crate::format::rezolution::RezolutionDocument;
use crate::format::{Content, LifelikeDocument};
use crate::game::fragment;
use crate::render::{FrameRate, Picture};
use crate::rules::{LifelikeRuleset, RezolutionRuleset, Ruleset};

/// Column and row of a cell that a computer has found, if there is one.
pub type MoveResult = Result<Option<(u32, u32)>, String>;

/// Something a computer thinks about while the window goes on.
pub trait Task {
    /// What was found, once it is; then never again.
    fn poll(&mut self) -> Option<MoveResult>;
}

/// A film that is being written.
pub trait Film {
    /// Adds a frame.
    ///
    /// # Errors
    /// If it cannot be written.
    fn add(&mut self, picture: &Picture) -> Result<(), String>;

    /// Ends it; only now it can be seen.
    ///
    /// # Errors
    /// If it cannot be written.
    fn finish(self: Box<Self>) -> Result<(), String>;
}

/// What a film is to be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilmPlan {
    /// A frame every so many generations.
    pub every: NonZeroU64,
    /// The most frames.
    pub frames: u32,
    /// Frames a second.
    pub rate: FrameRate,
    /// Pixels a cell, as long as the picture does not become too large.
    pub scale: u32,
}

/// Makes engines for one family of rules.
pub type MakeEngine<R> =
    Rc<dyn Fn(EngineName, R) -> Result<Box<dyn Engine<<R as Ruleset>::Board>>, EngineError>>;

/// Makes engines.
#[derive(Clone)]
pub struct EngineFactory {
    /// For dead, red and blue cells.
    pub lifelike: MakeEngine<LifelikeRuleset>,
    /// For populations.
    pub rezolution: MakeEngine<RezolutionRuleset>,
}

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, without the folder's.
    pub name: String,
    /// Whether it is a folder itself.
    pub is_folder: bool,
}

/// Files, memory and the like. Errors are one line for a person.
pub trait Platform {
    /// The folder in which files are looked for first.
    fn folder(&self) -> String;

    /// What is in a folder, by name, folders first.
    ///
    /// # Errors
    /// If it cannot be read.
    fn list(&self, folder: &str) -> Result<Vec<Entry>, String>;

    /// The name of an entry of a folder, or of a name as typed by a person who is there.
    fn join(&self, folder: &str, name: &str) -> String;

    /// The folder in which a folder is.
    fn parent(&self, folder: &str) -> Option<String>;

    /// Whether there is a folder of that name.
    fn is_folder(&self, name: &str) -> bool;

    /// Whether there is a file of that name.
    fn is_file(&self, name: &str) -> bool;

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read or is no board.
    fn read(&self, name: &str) -> Result<Content, String>;

    /// Writes a board in the format of the name's extension.
    ///
    /// # Errors
    /// If it cannot be written or the format has no place for it.
    fn write(&self, name: &str, document: &LifelikeDocument) -> Result<(), String>;

    /// Writes a board of populations.
    ///
    /// # Errors
    /// If it cannot be written or the name's extension stands for another format.
    fn write_rezolution(&self, name: &str, document: &RezolutionDocument<'_>)
    -> Result<(), String>;

    /// Writes a picture as PNG.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write_picture(&self, name: &str, picture: &Picture) -> Result<(), String>;

    /// Begins a film of pictures of `size` pixels, in the format of the name's extension.
    ///
    /// # Errors
    /// If it cannot be written or there is no such format.
    fn film(&self, name: &str, size: (u32, u32), plan: FilmPlan) -> Result<Box<dyn Film>, String>;

    /// Reads a text of at most `most` bytes.
    ///
    /// # Errors
    /// If it cannot be read or is longer.
    fn read_text(&self, name: &str, most: u64) -> Result<String, String>;

    /// Writes a text.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write_text(&self, name: &str, text: &str) -> Result<(), String>;

    /// What was remembered last, if anything.
    ///
    /// # Errors
    /// If there is something and it cannot be read.
    fn load_window_memory(&self) -> Result<Option<String>, String>;

    /// Remembers a text until the program is run again.
    ///
    /// # Errors
    /// If it cannot be written.
    fn save_window_memory(&self, text: &str) -> Result<(), String>;

    /// Refuses boards for which there is no memory; `bytes` is what one of that size takes.
    ///
    /// # Errors
    /// With what would help.
    fn check_memory(&self, size: Size, bytes: u64) -> Result<(), String>;

    /// A number that nobody chose.
    fn random_seed(&self) -> u64;

    /// Thinks about a move while the window goes on.
    fn spawn(&self, work: Box<dyn FnOnce() -> MoveResult + Send>) -> Box<dyn Task>;

    /// The best score of the puzzle, after taking one in if there is one.
    ///
    /// # Errors
    /// If it cannot be read or remembered.
    fn best_score(
        &self,
        settings: fragment::Settings,
        score: Option<u64>,
    ) -> Result<Option<u64>, String>;
}
