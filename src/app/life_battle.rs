//! Battles in the window: Life Battle and two-player Life.

use egui::{Color32, Painter, Rect};

use super::command::{BattleCommand, Tool};
use super::error::AppError;
use super::platform::{EngineFactory, EngineName, Platform};
use super::run_view::{RunLabels, RunView, WindowFamily};
use super::theme;
use crate::board::{Edges, LifelikeBoard, LifelikeCell, Size};
use crate::game::life_battle::{Settings, StartPattern};
use crate::game::opening::GameName;
use crate::game::referee::{Outcome, Verdict};
use crate::game::session::SessionError;
use crate::game::two_player;
use crate::render::Palette;
use crate::rules::{Rule, Ties};

pub(super) use crate::board::start::DEFAULT_DENSITY;
pub(super) use crate::game::life_battle::DEFAULT_LIMIT;

/// A battle in progress.
pub(super) type Battle = RunView<Settings>;

/// How the next start pattern of a battle is drawn.
#[derive(Clone, Copy, Debug)]
pub struct BattleExtras {
    /// Its kind.
    pub pattern: StartPattern,
    /// Its density.
    pub density: f64,
}

/// The settings of a new battle with this seed.
pub(super) fn default_settings(seed: u64) -> Result<Settings, String> {
    Ok(Settings {
        rule: Rule::LIFE,
        edges: Edges::Torus,
        // A board of this size fits into a share code.
        size: Size::new(80, 60).map_err(|error| error.to_string())?,
        ties: Ties::Seeded(seed),
        seed,
        limit: Some(DEFAULT_LIMIT),
    })
}

/// The settings of a new game of two-player Life with this seed.
pub(super) fn default_two_player_settings(seed: u64) -> Result<Settings, String> {
    default_settings(seed).map(two_player::with_fixed_rules)
}

/// Starts a battle, paused at generation 0.
pub(super) fn battle(
    kind: GameName,
    settings: Settings,
    board: LifelikeBoard,
    choice: EngineName,
    engine_factory: &EngineFactory,
) -> Result<Battle, AppError> {
    let extras = BattleExtras {
        pattern: StartPattern::Mirrored,
        density: DEFAULT_DENSITY,
    };
    let engine_factory = engine_factory.clone();
    let factory = Box::new(move |ruleset| (engine_factory.lifelike)(choice, ruleset));
    RunView::new(kind, settings, board, extras, choice, factory)
}

/// The name of a kind of start pattern.
pub(super) const fn start_pattern_name(pattern: StartPattern) -> &'static str {
    match pattern {
        StartPattern::Random => "Random",
        StartPattern::Mirrored => "Mirrored",
    }
}

impl WindowFamily for Settings {
    type Extras = BattleExtras;

    const LABELS: RunLabels = RunLabels {
        play: "Play",
        pause: "Pause",
        play_hint: "Play or pause (P)",
        over_hint: "The battle is over: restart it or change the board",
        paint_tools: "red, blue or the eraser (keys 1, 2, 3)",
        tools: &[
            ("View", Tool::View, "Drag to move, wheel to zoom (V)"),
            ("Red", Tool::Red, "Paint red cells (1)"),
            ("Blue", Tool::Blue, "Paint blue cells (2)"),
            ("Eraser", Tool::Eraser, "Erase cells (3)"),
        ],
    };

    const PALETTE: Palette = Palette::DEFAULT;

    const BRUSHES_SKIP_CELLS: bool = false;

    fn brush(tool: Tool) -> Option<LifelikeCell> {
        match tool {
            Tool::Red => Some(LifelikeCell::Red),
            Tool::Blue => Some(LifelikeCell::Blue),
            Tool::Eraser => Some(LifelikeCell::Dead),
            Tool::View | Tool::Barrier | Tool::Target => None,
        }
    }

    fn preview(painter: &Painter, cell: Rect, tool: Tool) {
        let colour = match tool {
            Tool::Red => Self::PALETTE.red,
            Tool::Blue => Self::PALETTE.blue,
            Tool::View | Tool::Eraser | Tool::Barrier | Tool::Target => Self::PALETTE.dead,
        };
        painter.rect_filled(cell, 0.0, theme::colour(colour));
    }

    fn banner(verdict: Verdict, _generation: u64) -> (String, Color32) {
        let colour = match verdict.outcome {
            Outcome::Red => theme::colour(Self::PALETTE.red),
            Outcome::Blue => theme::colour(Self::PALETTE.blue),
            Outcome::Draw | Outcome::Undecided => theme::NEUTRAL,
        };
        (theme::capital(&verdict.to_string()), colour)
    }
}

impl Battle {
    /// Carries out a command that only battles have.
    pub(super) fn apply_battle(
        &mut self,
        command: BattleCommand,
        platform: &dyn Platform,
    ) -> Result<(), AppError> {
        let session = &mut self.session;
        let BattleExtras { pattern, density } = self.extras;
        match command {
            BattleCommand::SetDraft(draft) => session.set_draft(draft)?,
            BattleCommand::SetStartPattern(pattern) => self.extras.pattern = pattern,
            BattleCommand::SetDensity(density) => self.extras.density = density,
            BattleCommand::Generate => {
                session.generate(pattern, density)?;
                self.record_edit();
            }
            BattleCommand::GenerateNew => {
                // A locked battle keeps its draft.
                if session.is_locked() {
                    return Err(SessionError::Unapplied.into());
                }
                let draft = session.settings().with_seed(platform.random_seed());
                session.set_draft(draft)?;
                session.apply()?;
                session.generate(pattern, density)?;
                self.record_edit();
            }
        }
        self.record_change();
        Ok(())
    }
}
