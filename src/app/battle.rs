//! A battle on the table: what it has that other runs have not.

use super::actions::{Action, Kind, Tool};
use super::platform::{EngineChoice, Makers};
use super::table::{Table, WindowFamily};
use crate::board::{Cell, Edges, LifelikeBoard, Size};
use crate::engine::EngineError;
use crate::game::session::{Draw, SessionError, Settings};
use crate::rules::{Rule, Ties};

/// The density until another is set.
pub(super) const DEFAULT_DENSITY: f64 = 0.35;

/// Why something was not done.
#[derive(Debug)]
pub(super) enum Refusal {
    /// With the reason, for a person.
    Said(String),
    /// The device failed, and the window with it.
    Device(String),
}

impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Self::Said(reason)
    }
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Device { .. } | EngineError::Damaged { .. } => {
                Self::Device(error.to_string())
            }
            error => Self::Said(error.to_string()),
        }
    }
}

impl From<SessionError> for Refusal {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Engine(error) => error.into(),
            error => Self::Said(error.to_string()),
        }
    }
}

/// What is set beside a battle.
#[derive(Clone, Copy, Debug)]
pub struct Drawing {
    /// How the next start pattern is drawn.
    pub draw: Draw,
    /// How dense it will be.
    pub density: f64,
}

/// A battle under way.
pub(super) type Battle = Table<Settings>;

/// The settings of a game nobody has set anything for.
pub(super) fn default_settings(kind: Kind, seed: u64) -> Result<Settings, String> {
    let (edges, limit) = match kind {
        Kind::Duel => (Edges::Dead, None),
        _ => (Edges::Torus, Some(10_000)),
    };
    Ok(Settings {
        rule: Rule::LIFE,
        edges,
        // It fits into a share code.
        size: Size::new(80, 60).map_err(|error| error.to_string())?,
        ties: Ties::Seeded(seed),
        seed,
        limit,
    })
}

impl WindowFamily for Settings {
    type Beside = Drawing;

    const TOOLS: &'static str = "red, blue or the eraser (keys 1, 2, 3)";

    fn brush(tool: Tool) -> Option<Cell> {
        match tool {
            Tool::Red => Some(Cell::Red),
            Tool::Blue => Some(Cell::Blue),
            Tool::Eraser => Some(Cell::Dead),
            Tool::View | Tool::Barrier | Tool::Target => None,
        }
    }

    const SPARES_CELLS: bool = false;
}

/// A battle on a new table.
pub(super) fn battle(
    kind: Kind,
    settings: Settings,
    board: LifelikeBoard,
    choice: EngineChoice,
    makers: &Makers,
) -> Result<Battle, Refusal> {
    let drawing = Drawing {
        draw: Draw::Mirrored,
        density: DEFAULT_DENSITY,
    };
    let makers = makers.clone();
    let factory = Box::new(move |ruleset| (makers.lifelike)(choice, ruleset));
    Table::new(kind, settings, board, drawing, choice, factory)
}

impl Battle {
    /// Does what concerns a battle; other actions change nothing.
    pub(super) fn apply(
        &mut self,
        action: &Action,
        seed: impl FnOnce() -> u64,
        check_memory: impl Fn(Size) -> Result<(), String>,
    ) -> Result<(), Refusal> {
        let session = &mut self.session;
        let Drawing { draw, density } = self.beside;
        match *action {
            Action::Draft(draft) => session.set_draft(draft)?,
            Action::Draw(draw) => self.beside.draw = draw,
            Action::Density(density) => self.beside.density = density,
            Action::Generate => {
                session.generate(draw, density)?;
                self.began();
            }
            Action::GenerateNew => {
                // A battle that waits for its settings to be applied keeps them.
                if session.is_locked() {
                    return Err(SessionError::Unapplied.into());
                }
                let draft = session.settings().with_seed(seed());
                session.set_draft(draft)?;
                session.apply()?;
                session.generate(draw, density)?;
                self.began();
            }
            _ => return self.follow(action, check_memory),
        }
        self.note();
        Ok(())
    }
}
