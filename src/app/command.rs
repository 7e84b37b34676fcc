//! Everything a person can ask of the window, as one closed list. Panels, keys and the pointer say
//! what is wanted; only the [controller](super::controller) does it.

use super::platform::{EngineName, FilmPlan};
use crate::game::fragment::{self, Direction};
use crate::game::immigration::Setup;
use crate::game::life_battle::{Settings, StartPattern};
use crate::game::opening::GameName;
use crate::game::opponent::PlayerKind;
use crate::game::rezolution;
use crate::game::session::Speed;

/// What the pointer does on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// It moves the view.
    #[default]
    View,
    /// It paints red cells.
    Red,
    /// It paints blue cells.
    Blue,
    /// It erases cells.
    Eraser,
    /// It makes cells barriers.
    Barrier,
    /// It makes cells targets.
    Target,
}

/// Something that is shown above the board until it is dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// The games there are.
    Chooser,
    /// Which keys do what.
    Keys,
    /// What this is.
    About,
    /// The rules of a game.
    Ruleset(GameName),
    /// A name for a file to be read or written.
    File(FilePurpose),
    /// A text field for a share code.
    Paste,
}

/// What a file is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePurpose {
    /// A board to be opened.
    Open,
    /// The board, to be saved.
    Save,
    /// A picture of what is seen.
    PictureOfView,
    /// A picture of the whole board.
    PictureOfBoard,
    /// A film of what is played from now on.
    Film,
}

/// How a board is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewCommand {
    /// The whole board, as large as it fits.
    Fit,
    /// One step closer to the middle.
    ZoomIn,
    /// One step farther from the middle.
    ZoomOut,
    /// Steps of the wheel, closer if positive, about a pixel of the canvas.
    ZoomAbout(i32, (f64, f64)),
    /// Moves the board by so many pixels to the right and down.
    Pan(f64, f64),
    /// Lines between cells, or none.
    Lines(bool),
    /// A pixel with any live cell is as bright as can be, or has its share.
    AnyLive(bool),
    /// Whether flashing of the whole board is slowed down.
    LimitFlashes(bool),
    /// Whether the chart is shown.
    Chart(bool),
    /// A light window, or a dark one.
    Light(bool),
}

/// A move of the puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FragmentCommand {
    /// Moves the piece.
    Shift(Direction),
    /// Turns it clockwise.
    Turn,
    /// Merges it.
    Merge,
    /// Begins anew, with another seed if none is given.
    NewGame(fragment::Settings, Option<u64>),
}

/// A move of the Immigration Game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImmigrationCommand {
    /// Places a counter in a column and row, from 0.
    Place(u32, u32),
    /// Takes the last one back.
    TakeBack,
    /// Lets these play red and blue from now on.
    Players([PlayerKind; 2]),
    /// Begins anew, with these players of red and blue.
    NewGame(Setup, [PlayerKind; 2]),
}

/// What only reZolution knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RezolutionCommand {
    /// Changes the draft of the settings.
    Draft(rezolution::Settings),
    /// Draws a random population in the middle, from another seed if none is given.
    Demo(Option<u64>),
}

/// Something a person asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Plays a game.
    ChooseGame(GameName),
    /// Shows a dialog.
    Show(Dialog),
    /// Closes the dialog or the message.
    Dismiss,
    /// Ends the program.
    Quit,

    /// Plays, or pauses.
    TogglePlay,
    /// Pauses, then computes one generation.
    Step,
    /// Restores the start pattern.
    Restart,
    /// Sets the speed.
    SetSpeed(Speed),
    /// Pauses by itself at every multiple of so many generations.
    PauseEvery(Option<u64>),

    /// Changes the draft of the settings.
    Draft(Settings),
    /// Puts the draft in force.
    Apply,
    /// Gives the draft up.
    Discard,
    /// How the next start pattern is drawn.
    SetStartPattern(StartPattern),
    /// How dense it is.
    Density(f64),
    /// Draws a start pattern.
    Generate,
    /// Draws one from a new seed.
    GenerateNew,
    /// Empties the board.
    Clear,
    /// Chooses what computes.
    UseEngine(EngineName),

    /// Chooses what the pointer does.
    SetTool(Tool),
    /// Begins to paint.
    BeginStroke(Tool),
    /// Takes a cell in.
    Touch(u32, u32),
    /// Paints what was taken in.
    EndStroke,
    /// Gives it up.
    CancelStroke,
    /// Takes the last edit back.
    Undo,
    /// Does it again.
    Redo,
    /// Moves the cursor, or shows it.
    MoveCursor(i32, i32),
    /// Paints at the cursor: with the tool, or dead.
    PaintAtCursor {
        /// Whether the cell is erased whatever the tool.
        erase: bool,
    },

    /// A move of the puzzle.
    Fragment(FragmentCommand),
    /// A move of the Immigration Game.
    Immigration(ImmigrationCommand),
    /// What only reZolution knows.
    Rezolution(RezolutionCommand),
    /// Changes how the board is shown.
    View(ViewCommand),

    /// Opens the file of that name.
    Open(String),
    /// Writes a file of that name.
    Write(FilePurpose, String),
    /// Plays, and films it, into the file of that name.
    Record(String, FilmPlan),
    /// Ends the film.
    StopRecording,
    /// Puts the share code of the board on the clipboard.
    CopyCode,
    /// Opens the board of a share code.
    PasteCode(String),
}
