//! The system that the window runs on, behind one trait. The rest of the window must be able to run in a
//! browser, which has no files and no threads.

use std::num::NonZeroU64;
use std::rc::Rc;

use glam::UVec2;

use crate::board::Size;
pub use crate::engine::select::EngineName;
use crate::engine::{Engine, EngineError};
use crate::format::rezolution::RezolutionDocument;
use crate::format::{Content, LifelikeDocument};
use crate::game::fragment;
use crate::render::{FrameRate, Picture};
use crate::rules::{LifelikeRuleset, RezolutionRuleset, Ruleset};

/// The cell that the computer has chosen, if there is one.
pub type MoveResult = Result<Option<UVec2>, String>;

/// A computation in the background.
pub trait Task {
    /// The result, once, when it is finished.
    fn poll(&mut self) -> Option<MoveResult>;
}

/// A film in progress.
pub trait Film {
    /// Adds a frame.
    ///
    /// # Errors
    /// If it cannot be written.
    fn add(&mut self, picture: &Picture) -> Result<(), String>;

    /// Finishes the film; its file appears.
    ///
    /// # Errors
    /// If it cannot be written.
    fn finish(self: Box<Self>) -> Result<(), String>;
}

/// The plan of a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilmPlan {
    /// Generations per frame.
    pub every: NonZeroU64,
    /// The most frames.
    pub frames: u32,
    /// Frames per second.
    pub rate: FrameRate,
    /// Pixels per cell, unless the picture would be too large.
    pub scale: u32,
}

/// A function that makes engines for one family.
pub type MakeEngine<R> =
    Rc<dyn Fn(EngineName, R) -> Result<Box<dyn Engine<<R as Ruleset>::Board>>, EngineError>>;

/// Makes the engines of all families.
#[derive(Clone)]
pub struct EngineFactory {
    /// Engines of life-like rules.
    pub lifelike: MakeEngine<LifelikeRuleset>,
    /// Engines of reZolution.
    pub rezolution: MakeEngine<RezolutionRuleset>,
}

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name without the path.
    pub name: String,
    /// Whether it is a folder.
    pub is_folder: bool,
}

/// Files, memory, threads and random numbers. Errors are one line of text.
pub trait Platform {
    /// The folder where the file dialog begins.
    fn folder(&self) -> String;

    /// The entries of a folder sorted by name, folders first.
    ///
    /// # Errors
    /// If it cannot be read.
    fn list(&self, folder: &str) -> Result<Vec<Entry>, String>;

    /// The path of an entry of a folder, or of a name typed there.
    fn join(&self, folder: &str, name: &str) -> String;

    /// The parent of a folder.
    fn parent(&self, folder: &str) -> Option<String>;

    /// Whether a folder with this name exists.
    fn is_folder(&self, name: &str) -> bool;

    /// Whether a file with this name exists.
    fn is_file(&self, name: &str) -> bool;

    /// Reads a board from a file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a board.
    fn read(&self, name: &str) -> Result<Content, String>;

    /// Writes a board in the format of the file name extension.
    ///
    /// # Errors
    /// If it cannot be written or the format cannot represent it.
    fn write(&self, name: &str, document: &LifelikeDocument) -> Result<(), String>;

    /// Writes a board of populations.
    ///
    /// # Errors
    /// If it cannot be written or the extension belongs to another format.
    fn write_rezolution(&self, name: &str, document: &RezolutionDocument<'_>)
    -> Result<(), String>;

    /// Writes a picture as PNG.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write_picture(&self, name: &str, picture: &Picture) -> Result<(), String>;

    /// Begins a film with pictures of `size` pixels in the format of the file name extension.
    ///
    /// # Errors
    /// If it cannot be written or the extension is unknown.
    fn film(&self, name: &str, size: UVec2, plan: FilmPlan) -> Result<Box<dyn Film>, String>;

    /// Reads a text file of at most `most` bytes.
    ///
    /// # Errors
    /// If it cannot be read or is longer.
    fn read_text(&self, name: &str, most: u64) -> Result<String, String>;

    /// Writes a text file.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write_text(&self, name: &str, text: &str) -> Result<(), String>;

    /// The text that was saved last by [`save_window_memory`](Self::save_window_memory), if any.
    ///
    /// # Errors
    /// If it exists and cannot be read.
    fn load_window_memory(&self) -> Result<Option<String>, String>;

    /// Saves a text for the next start of the program.
    ///
    /// # Errors
    /// If it cannot be written.
    fn save_window_memory(&self, text: &str) -> Result<(), String>;

    /// Checks that there is enough memory to play on boards of a size; `bytes` is the memory of one board.
    ///
    /// # Errors
    /// If there is not; the message names a remedy.
    fn check_memory(&self, size: Size, bytes: u64) -> Result<(), String>;

    /// A random seed.
    fn random_seed(&self) -> u64;

    /// Chooses a move in the background.
    fn spawn(&self, work: Box<dyn FnOnce() -> MoveResult + Send>) -> Box<dyn Task>;

    /// The best score of the puzzle, after adding a new score if there is one.
    ///
    /// # Errors
    /// If it cannot be read or saved.
    fn best_score(
        &self,
        settings: fragment::Settings,
        score: Option<u64>,
    ) -> Result<Option<u64>, String>;
}
