//! Every command of the window, as one closed enum. Panels, keys and the pointer emit commands; only the
//! [controller](super::controller) carries them out.

use glam::{DVec2, IVec2, UVec2};

use super::platform::{EngineName, FilmPlan};
use crate::game::fragment::{self, Direction};
use crate::game::immigration::Setup;
use crate::game::life_battle::{self, StartPattern};
use crate::game::opening::GameName;
use crate::game::opponent::PlayerKind;
use crate::game::rezolution;
use crate::game::session::Speed;

/// A command of the window.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Switches to a game.
    ChooseGame(GameName),
    /// Opens a dialog.
    Show(Dialog),
    /// Closes the dialog or the notice.
    Dismiss,
    /// Quits the program.
    Quit,

    /// Restarts the run from the present board on this engine.
    UseEngine(EngineName),
    /// A command of any run.
    Run(RunCommand),
    /// A command that only battles have.
    Battle(BattleCommand),
    /// A command that only reZolution has.
    Rezolution(RezolutionCommand),
    /// A command of the Immigration Game.
    Immigration(ImmigrationCommand),
    /// A command of the fragment puzzle.
    Fragment(FragmentCommand),
    /// Changes how the board is displayed.
    View(ViewCommand),

    /// Opens the file with this name.
    Open(String),
    /// Writes a file with this name.
    Write(FilePurpose, String),
    /// Plays the run and records a film of it to the file with this name.
    Record(String, FilmPlan),
    /// Finishes the film.
    StopRecording,
    /// Copies the share code of the board to the clipboard.
    CopyCode,
    /// Opens the board of a share code.
    PasteCode(String),
}

/// A command of a run, whatever its family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RunCommand {
    /// Plays or pauses.
    TogglePlay,
    /// Pauses, then computes one generation.
    Step,
    /// Restores the start pattern.
    Restart,
    /// Sets the speed.
    SetSpeed(Speed),
    /// Pauses automatically at every multiple of this number of generations.
    PauseEvery(Option<u64>),

    /// Applies the draft of the settings.
    Apply,
    /// Discards the draft.
    Discard,
    /// Clears the board.
    Clear,

    /// Selects what the pointer does.
    SetTool(Tool),
    /// Begins a stroke.
    BeginStroke(Tool),
    /// Adds a cell to the stroke.
    Touch(UVec2),
    /// Paints the cells of the stroke.
    EndStroke,
    /// Cancels the stroke.
    CancelStroke,
    /// Undoes the last edit.
    Undo,
    /// Redoes the edit that was undone last.
    Redo,
    /// Moves the cursor by columns and rows, or shows it.
    MoveCursor(IVec2),
    /// Paints the cell at the cursor with the selected tool.
    PaintAtCursor {
        /// Erases the cell instead.
        erase: bool,
    },
}

/// A command of battles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BattleCommand {
    /// Replaces the draft of the settings.
    SetDraft(life_battle::Settings),
    /// Sets how the next start pattern is drawn.
    SetStartPattern(StartPattern),
    /// Sets the density of the next start pattern.
    SetDensity(f64),
    /// Draws a start pattern.
    Generate,
    /// Draws a start pattern from a new seed.
    GenerateNew,
}

/// A command of reZolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RezolutionCommand {
    /// Replaces the draft of the settings.
    SetDraft(rezolution::Settings),
    /// Draws a random population in the middle of the board, from a new seed if none is given.
    Demo(Option<u64>),
}

/// A command of the Immigration Game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImmigrationCommand {
    /// Places a counter on a cell.
    Place(UVec2),
    /// Takes the last counter back.
    TakeBack,
    /// Sets who plays red and blue from now on.
    SetPlayers([PlayerKind; 2]),
    /// Starts a new game with these players of red and blue.
    NewGame(Setup, [PlayerKind; 2]),
}

/// A command of the fragment puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FragmentCommand {
    /// Moves the piece.
    Shift(Direction),
    /// Turns the piece clockwise.
    Turn,
    /// Merges the piece into the field.
    Merge,
    /// Starts a new game, from a new seed if none is given.
    NewGame(fragment::Settings, Option<u64>),
}

/// Changes how the board is displayed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewCommand {
    /// Shows the whole board as large as it fits.
    Fit,
    /// Zooms in one step about the middle of the canvas.
    ZoomIn,
    /// Zooms out one step about the middle of the canvas.
    ZoomOut,
    /// Zooms by steps of the wheel, positive ones in, about a position on the canvas in pixels.
    ZoomAbout(i32, DVec2),
    /// Moves the board by this many pixels to the right and down.
    Pan(DVec2),
    /// Shows or hides the lines between cells.
    Lines(bool),
    /// Zoomed out, shows a pixel with any live cell at full brightness instead of its share.
    AnyLive(bool),
    /// Limits flashing of the whole board.
    LimitFlashes(bool),
    /// Shows or hides the chart.
    Chart(bool),
    /// Selects the light theme instead of the dark one.
    Light(bool),
}

/// What the pointer does on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Moves the view.
    #[default]
    View,
    /// Paints red cells.
    Red,
    /// Paints blue cells.
    Blue,
    /// Erases cells.
    Eraser,
    /// Makes cells barriers.
    Barrier,
    /// Makes cells targets.
    Target,
}

/// A dialog above the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// The list of games.
    Chooser,
    /// The list of keys.
    Keys,
    /// Name, version and device of the program.
    About,
    /// The rules of a game.
    Rules(GameName),
    /// A file to read or write.
    File(FilePurpose),
    /// A text field for a share code.
    Paste,
}

/// What a file is chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePurpose {
    /// A board to open.
    Open,
    /// The board to save.
    Save,
    /// A picture of the visible part of the board.
    PictureOfView,
    /// A picture of the whole board.
    PictureOfBoard,
    /// A film of the generations from now on.
    Film,
}

/// The commands of a frame, in order.
#[derive(Debug, Default)]
pub(super) struct CommandQueue(Vec<Command>);

impl CommandQueue {
    pub(super) fn push(&mut self, command: impl Into<Command>) {
        self.0.push(command.into());
    }

    pub(super) fn last(&self) -> Option<&Command> {
        self.0.last()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl IntoIterator for CommandQueue {
    type Item = Command;
    type IntoIter = std::vec::IntoIter<Command>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl From<RunCommand> for Command {
    fn from(command: RunCommand) -> Self {
        Self::Run(command)
    }
}

impl From<BattleCommand> for Command {
    fn from(command: BattleCommand) -> Self {
        Self::Battle(command)
    }
}

impl From<RezolutionCommand> for Command {
    fn from(command: RezolutionCommand) -> Self {
        Self::Rezolution(command)
    }
}

impl From<ImmigrationCommand> for Command {
    fn from(command: ImmigrationCommand) -> Self {
        Self::Immigration(command)
    }
}

impl From<FragmentCommand> for Command {
    fn from(command: FragmentCommand) -> Self {
        Self::Fragment(command)
    }
}

impl From<ViewCommand> for Command {
    fn from(command: ViewCommand) -> Self {
        Self::View(command)
    }
}
