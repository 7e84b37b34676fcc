//! A game from its first counter to its end: whose turn it is, the prompt, the moves, what is shown.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};

use super::command::{Command, CommandReader, HELP, Input, Line};
use super::saving::Saving;
use super::screen::Screen;
use super::{ImmigrationArgs, Kind};
use crate::cli::{interrupt, print_note};
use crate::game::immigration::{
    Game, GameResult, Phase, PlaceError, Player, ROUND_GENERATIONS, SETUP_COUNTERS,
};
use crate::game::opponent::{Computer, random_cell};
use crate::game::record::Event;
use glam::UVec2;

/// How long a generation is shown on a terminal.
const FRAME: Duration = Duration::from_millis(80);

/// How long one of a wait is shown.
const WAIT_FRAME: Duration = Duration::from_millis(25);

/// The game, those who play it and where it is shown.
pub(super) struct TerminalGame<'a> {
    args: &'a ImmigrationArgs,
    game: Game,
    reader: CommandReader,
    saving: Saving,
    screen: Screen,
    /// Whether the board has changed since it was last shown.
    unseen: bool,
}

/// Why play ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The game is over.
    Over(GameResult),
    /// A player quit, or the input ended.
    Left,
}

/// Whether to go on.
type Flow = std::ops::ControlFlow<End>;

const ON: Flow = Flow::Continue(());
const LEAVE: Flow = Flow::Break(End::Left);

impl<'a> TerminalGame<'a> {
    pub(super) fn new(
        args: &'a ImmigrationArgs,
        game: Game,
        reader: CommandReader,
        saving: Saving,
        screen: Screen,
    ) -> Self {
        Self {
            args,
            game,
            reader,
            saving,
            screen,
            unseen: true,
        }
    }

    /// Plays until the game is over or left.
    pub(super) fn play(&mut self) -> Result<End> {
        self.saving.keep(&self.game)?;
        if self.args.record.is_some() {
            self.show_board()?;
        }
        loop {
            if interrupt::is_requested() {
                return Ok(End::Left);
            }
            let flow = match self.game.phase() {
                Phase::Over(result) => Flow::Break(End::Over(result)),
                Phase::Placing { player, .. } => match self.args.kind(player) {
                    Kind::Person => self.ask()?,
                    kind => self.move_by_itself(player, kind)?,
                },
                Phase::Running {
                    left: ROUND_GENERATIONS,
                } if self.args.has_person() => self.ask()?,
                Phase::Running { .. } | Phase::Waiting { .. } => self.run_generations()?,
            };
            if let Flow::Break(end) = flow {
                return Ok(end);
            }
        }
    }

    /// The last line, and how to go on with what is not over.
    pub(super) fn say_end(&mut self, end: End) -> Result<()> {
        match end {
            End::Over(result) => self.screen.result(&result_line(&self.game, result)),
            End::Left => {
                self.screen.result(&standing(&self.game))?;
                let how = match self.saving.file() {
                    Some(file) => {
                        let file = file.display();
                        format!("saved; go on with: duolife immigration {file} --save {file}")
                    }
                    None if self.game.moves().is_empty() => return Ok(()),
                    None => "not saved; --save FILE and the command save FILE keep a game".into(),
                };
                self.screen.say(&how)
            }
        }
    }

    /// Reads one command and executes it.
    fn ask(&mut self) -> Result<Flow> {
        if self.unseen && self.reader.is_terminal() {
            self.show_board()?;
        }
        self.screen.prompt(&prompt(&self.game))?;
        let line = match self.reader.next()? {
            Input::Line(line) => line,
            Input::End | Input::Interrupted => {
                self.screen.say("")?;
                return Ok(LEAVE);
            }
        };
        if !self.reader.is_terminal() {
            self.screen.say(&line.text)?;
        }
        let done = match Command::parse(&line.text) {
            Ok(command) => self.execute(command),
            Err(expected) => Err(Wrong::Line(anyhow!(expected))),
        };
        match done {
            Ok(flow) => Ok(flow),
            Err(Wrong::Line(error)) => {
                self.refuse(&line, error)?;
                Ok(ON)
            }
            Err(Wrong::Program(error)) => Err(error),
        }
    }

    /// A wrong line ends a script; at a prompt it is refused.
    fn refuse(&mut self, line: &Line, error: anyhow::Error) -> Result<()> {
        if let Some(place) = &line.place {
            bail!("{place}: {error:#}");
        }
        if self.args.quiet {
            print_note(&format!("{error:#}"));
            return Ok(());
        }
        self.screen.say(&format!("{error:#}"))
    }

    fn execute(&mut self, command: Command) -> Result<Flow, Wrong> {
        match command {
            Command::Place(at) => {
                self.game
                    .place(at)
                    .map_err(|error| Wrong::Line(self.explain(error)))?;
                self.changed()?;
            }
            Command::Run => {
                if let Phase::Placing { player, .. } = self.game.phase() {
                    return Err(Wrong::Line(anyhow!(
                        "expected a column and a row for {player}'s counter, such as \"12 7\" (help lists the commands)"
                    )));
                }
                return Ok(self.run_generations()?);
            }
            Command::Undo => {
                let said = self.take_back().map_err(Wrong::Line)?;
                self.screen.say(&said)?;
                self.changed()?;
            }
            Command::Board => self.show_board()?,
            Command::Save(file) => {
                self.saving
                    .redirect(&file, &self.game)
                    .map_err(Wrong::Line)?;
                let said = format!("saved to {}, now and after every move", file.display());
                self.screen.say(&said)?;
            }
            Command::Help => self.screen.say(HELP)?,
            Command::Quit => return Ok(LEAVE),
        }
        Ok(ON)
    }

    /// The reason for a refused counter, and what to do instead.
    fn explain(&self, error: PlaceError) -> anyhow::Error {
        match error {
            PlaceError::Running => {
                anyhow!(
                    "all counters are placed; run (or Enter) runs the generations, undo takes the last counter back"
                )
            }
            _ => error.into(),
        }
    }

    /// Takes counters back up to the last one of a person.
    fn take_back(&mut self) -> Result<String> {
        let is_person = |player| self.args.kind(player) == Kind::Person;
        let placed = self.game.undoable();
        if !placed.is_empty() && !placed.iter().any(|placed| is_person(placed.player)) {
            bail!("you have placed no counter in this round");
        }
        loop {
            let taken = self.game.undo()?;
            if is_person(taken.player) {
                let (player, x, y) = (taken.player, taken.x + 1, taken.y + 1);
                return Ok(format!("{player} takes {x} {y} back"));
            }
        }
    }

    /// The turn of a player who needs no keyboard.
    fn move_by_itself(&mut self, player: Player, kind: Kind) -> Result<Flow> {
        let cell = match kind {
            Kind::Random => random_cell(&self.game, self.seed_of(player)),
            Kind::Person | Kind::Computer => self.choose_cell(player)?,
        };
        if interrupt::is_requested() {
            return Ok(LEAVE);
        }
        let Some(cell) = cell else {
            bail!("{player} found no dead cell");
        };
        self.game.place(cell)?;
        let name = match kind {
            Kind::Random => "random",
            Kind::Person | Kind::Computer => "computer",
        };
        let said = format!("{player} ({name}) places {} {}", cell.x + 1, cell.y + 1);
        self.screen.say(&said)?;
        self.changed()?;
        Ok(ON)
    }

    fn choose_cell(&self, player: Player) -> Result<Option<UVec2>> {
        let deadline = self
            .args
            .time
            .and_then(|time| Instant::now().checked_add(time));
        let enough = || {
            interrupt::is_requested() || deadline.is_some_and(|deadline| Instant::now() >= deadline)
        };
        let computer = Computer::new(self.args.strength(player), self.seed_of(player));
        Ok(computer.choose(&self.game, &enough)?)
    }

    /// Each side draws from numbers of its own.
    const fn seed_of(&self, player: Player) -> u64 {
        self.args.seed ^ (player as u64) << 63
    }

    /// Runs until a counter is to be placed or the game is over.
    fn run_generations(&mut self) -> Result<Flow> {
        let moving = self.screen.can_move(self.game.board());
        let mut first = true;
        loop {
            let pause = match self.game.phase() {
                Phase::Running { .. } => FRAME,
                Phase::Waiting { .. } => WAIT_FRAME,
                Phase::Placing { .. } | Phase::Over(_) => break,
            };
            if interrupt::is_requested() {
                self.saving.keep(&self.game)?;
                return Ok(LEAVE);
            }
            self.game.step()?;
            let phase = self.game.phase();
            if moving {
                let line = event_line(&self.game, Event::Generation);
                self.screen.frame(&line, self.game.board(), first)?;
                first = false;
                thread::sleep(pause);
            } else if let Phase::Waiting { waited: 0 } = phase {
                self.screen
                    .say(&event_line(&self.game, Event::Generation))?;
            }
        }
        self.saving.keep(&self.game)?;
        if moving {
            self.unseen = false;
        } else {
            self.screen
                .say(&event_line(&self.game, Event::Generation))?;
            self.show_board()?;
        }
        Ok(ON)
    }

    fn changed(&mut self) -> Result<()> {
        self.unseen = true;
        self.saving.keep(&self.game)
    }

    fn show_board(&mut self) -> Result<()> {
        self.unseen = false;
        self.screen.board(self.game.board())
    }
}

/// What went wrong when a line was obeyed.
enum Wrong {
    /// The line: at a prompt it is refused, and the next one is read.
    Line(anyhow::Error),
    /// Anything else: the program ends.
    Program(anyhow::Error),
}

impl From<anyhow::Error> for Wrong {
    fn from(error: anyhow::Error) -> Self {
        Self::Program(error)
    }
}

/// The text of the prompt.
fn prompt(game: &Game) -> String {
    match game.phase() {
        Phase::Placing { player, left } if game.is_setup() => {
            let number = SETUP_COUNTERS + 1 - left;
            format!("set-up: {player}, counter {number} of {SETUP_COUNTERS} (X Y)")
        }
        Phase::Placing { player, .. } => format!("{}: {player}'s counter (X Y)", counts(game)),
        Phase::Running { .. } | Phase::Waiting { .. } | Phase::Over(_) => {
            format!("Enter runs {ROUND_GENERATIONS} generations")
        }
    }
}

/// What just happened.
pub(super) fn event_line(game: &Game, event: Event) -> String {
    match event {
        Event::Placed(placed) => {
            let (player, x, y) = (placed.player, placed.x + 1, placed.y + 1);
            format!("move {}: {player} places {x} {y}", game.moves().len())
        }
        Event::Generation => {
            let counts = counts(game);
            match game.phase() {
                Phase::Waiting { .. } => format!("{counts}: equal, single generations follow"),
                Phase::Placing { player, .. } => format!("{counts}: {player} leads"),
                Phase::Running { .. } | Phase::Over(_) => counts,
            }
        }
    }
}

/// How a game ended.
pub(super) fn result_line(game: &Game, result: GameResult) -> String {
    let (generation, census) = (game.generation(), game.board().census());
    match result {
        GameResult::Won(player) => {
            let cells = player.count(census);
            let cells = match cells {
                1 => "1 cell".into(),
                _ => format!("{cells} cells"),
            };
            format!("{player} wins at generation {generation} with {cells}")
        }
        GameResult::Extinction => format!("a draw at generation {generation}: no cell is left"),
        GameResult::Stalemate => format!(
            "a stalemate draw at generation {generation}: the boards repeat with {} cells each",
            census.red
        ),
    }
}

/// The state of a game that is not over.
pub(super) fn standing(game: &Game) -> String {
    let next = match game.phase() {
        Phase::Placing { player, .. } => format!("{player} is to place a counter"),
        Phase::Running { .. } | Phase::Waiting { .. } | Phase::Over(_) => {
            "generations are to run".into()
        }
    };
    format!("the game is not over at {}: {next}", counts(game))
}

fn counts(game: &Game) -> String {
    let census = game.board().census();
    format!(
        "generation {}, red {}, blue {}",
        game.generation(),
        census.red,
        census.blue
    )
}
