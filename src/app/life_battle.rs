//! A battle on the table: what it has that other runs have not.

use super::command::{Command, Tool};
use super::error::AppError;
use super::platform::{EngineFactory, EngineName};
use super::run_view::{RunView, WindowFamily};
use crate::board::{Edges, LifelikeBoard, LifelikeCell, Size};
use crate::game::life_battle::{Settings, StartPattern};
use crate::game::opening::GameName;
use crate::game::session::SessionError;
use crate::rules::{Rule, Ties};

/// The density until another is set.
pub(super) const DEFAULT_DENSITY: f64 = 0.35;

/// What is set beside a battle.
#[derive(Clone, Copy, Debug)]
pub struct BattleExtras {
    /// How the next start pattern is drawn.
    pub pattern: StartPattern,
    /// How dense it will be.
    pub density: f64,
}

/// A battle under way.
pub(super) type Battle = RunView<Settings>;

/// The settings of a game nobody has set anything for.
pub(super) fn default_settings(kind: GameName, seed: u64) -> Result<Settings, String> {
    let (edges, limit) = match kind {
        GameName::Duel => (Edges::Dead, None),
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
    type Extras = BattleExtras;

    const TOOLS: &'static str = "red, blue or the eraser (keys 1, 2, 3)";

    fn brush(tool: Tool) -> Option<LifelikeCell> {
        match tool {
            Tool::Red => Some(LifelikeCell::Red),
            Tool::Blue => Some(LifelikeCell::Blue),
            Tool::Eraser => Some(LifelikeCell::Dead),
            Tool::View | Tool::Barrier | Tool::Target => None,
        }
    }

    const SPARES_CELLS: bool = false;
}

/// A battle on a new table.
pub(super) fn battle(
    kind: GameName,
    settings: Settings,
    board: LifelikeBoard,
    choice: EngineName,
    engine_factory: &EngineFactory,
) -> Result<Battle, AppError> {
    let drawing = BattleExtras {
        pattern: StartPattern::Mirrored,
        density: DEFAULT_DENSITY,
    };
    let engine_factory = engine_factory.clone();
    let factory = Box::new(move |ruleset| (engine_factory.lifelike)(choice, ruleset));
    RunView::new(kind, settings, board, drawing, choice, factory)
}

impl Battle {
    /// Does what concerns a battle; other actions change nothing.
    pub(super) fn apply(
        &mut self,
        command: &Command,
        seed: impl FnOnce() -> u64,
        check_memory: impl Fn(Size) -> Result<(), String>,
    ) -> Result<(), AppError> {
        let session = &mut self.session;
        let BattleExtras { pattern, density } = self.extras;
        match *command {
            Command::Draft(draft) => session.set_draft(draft)?,
            Command::SetStartPattern(pattern) => self.extras.pattern = pattern,
            Command::Density(density) => self.extras.density = density,
            Command::Generate => {
                session.generate(pattern, density)?;
                self.began();
            }
            Command::GenerateNew => {
                // A battle that waits for its settings to be applied keeps them.
                if session.is_locked() {
                    return Err(SessionError::Unapplied.into());
                }
                let draft = session.settings().with_seed(seed());
                session.set_draft(draft)?;
                session.apply()?;
                session.generate(pattern, density)?;
                self.began();
            }
            _ => return self.follow(command, check_memory),
        }
        self.note();
        Ok(())
    }
}
