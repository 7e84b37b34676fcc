//! A battle on the table: a session, and what a person has set beside it.

use std::time::Duration;

use web_time::Instant;

use super::actions::{Action, Kind, Speed, Tool};
use super::chart::Chart;
use super::platform::{EngineChoice, Makers};
use super::rates::{Rates, budget};
use crate::board::{Board, Cell, Census, Edges, Size};
use crate::engine::EngineError;
use crate::game::referee::Verdict;
use crate::game::session::{Draw, Session, SessionError, Settings};
use crate::rules::{Rule, Ties};

/// The speed until another is set.
pub(super) const DEFAULT_SPEED: Speed = Speed::Paced(10);

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

/// What panels show of a battle.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Life Battle, or two-player Life.
    pub kind: Kind,
    /// Generations since the start pattern.
    pub generation: u64,
    /// Counts of the present board.
    pub census: Census,
    /// How it ended, once it has.
    pub verdict: Option<Verdict>,
    /// Whether it plays.
    pub is_playing: bool,
    /// Whether changed settings wait to be applied.
    pub is_locked: bool,
    /// In force.
    pub settings: Settings,
    /// What they are to become.
    pub draft: Settings,
    /// How fast it plays.
    pub speed: Speed,
    /// When it pauses by itself.
    pub pause_every: Option<u64>,
    /// Waiting time that was dropped.
    pub dropped: Duration,
    /// What the pointer does.
    pub tool: Tool,
    /// Column and row of the keyboard's cursor, from 0.
    pub cursor: Option<(u32, u32)>,
    /// How the next start pattern is drawn.
    pub draw: Draw,
    /// How dense it will be.
    pub density: f64,
    /// Generations of late.
    pub generations_a_second: f64,
    /// Frames of late.
    pub frames_a_second: f64,
}

/// A battle under way.
pub(super) struct Battle {
    kind: Kind,
    session: Session,
    draw: Draw,
    density: f64,
    speed: Speed,
    tool: Tool,
    cursor: Option<(u32, u32)>,
    chart: Chart,
    /// Another number for every board that is shown.
    revision: u64,
    /// Another number for every start pattern and setting.
    edition: u64,
    stroke: Vec<(u32, u32)>,
    stroke_cell: Option<Cell>,
    rates: Rates,
    /// How long the last frame computed.
    computed: Duration,
}

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

impl Battle {
    pub(super) fn new(
        kind: Kind,
        settings: Settings,
        board: Board,
        choice: EngineChoice,
        makers: &Makers,
    ) -> Result<Self, Refusal> {
        let makers = Makers::clone(makers);
        let session = Session::new(
            settings,
            board,
            Box::new(move |ruleset| makers(choice, ruleset)),
        )?;
        let mut battle = Self {
            kind,
            session,
            draw: Draw::Mirrored,
            density: DEFAULT_DENSITY,
            speed: DEFAULT_SPEED,
            tool: Tool::View,
            cursor: None,
            chart: Chart::default(),
            revision: 0,
            edition: 0,
            stroke: Vec::new(),
            stroke_cell: None,
            rates: Rates::default(),
            computed: Duration::ZERO,
        };
        battle.set_speed(DEFAULT_SPEED);
        battle.note();
        Ok(battle)
    }

    /// Takes over what a person has set beside the board.
    pub(super) fn keep_settings_of(&mut self, last: &Self) {
        (self.draw, self.density, self.tool) = (last.draw, last.density, last.tool);
        self.set_speed(last.speed);
    }

    /// Numbers its boards on from those of another battle.
    pub(super) const fn come_after(&mut self, last: &Self) {
        self.revision = last.revision + 1;
        self.edition = last.edition + 1;
    }

    pub(super) fn facts(&mut self) -> Facts {
        Facts {
            kind: self.kind,
            generation: self.session.generation(),
            census: self.session.census(),
            verdict: self.session.verdict(),
            is_playing: self.session.is_playing(),
            is_locked: self.session.is_locked(),
            settings: self.session.settings(),
            draft: self.session.draft(),
            speed: self.speed,
            pause_every: self.session.pause_every(),
            dropped: self.session.clock().dropped(),
            tool: self.tool,
            cursor: self.cursor,
            draw: self.draw,
            density: self.density,
            generations_a_second: self.rates.generations_a_second,
            frames_a_second: self.rates.frames_a_second,
        }
    }

    pub(super) const fn kind(&self) -> Kind {
        self.kind
    }

    pub(super) const fn revision(&self) -> u64 {
        self.revision
    }

    pub(super) const fn edition(&self) -> u64 {
        self.edition
    }

    pub(super) const fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    pub(super) const fn chart(&self) -> &Chart {
        &self.chart
    }

    /// The cells of the stroke under way, and what they are to become.
    pub(super) fn stroke(&self) -> Option<(Cell, &[(u32, u32)])> {
        Some((self.stroke_cell?, &self.stroke))
    }

    /// Lets time pass. Returns how long to wait for the next frame; `None` if nothing is under way.
    pub(super) fn tick(
        &mut self,
        now: Duration,
        frame: Duration,
    ) -> Result<Option<Duration>, Refusal> {
        let since = Instant::now();
        let budget = budget(frame, self.computed);
        let advanced = match self.speed {
            Speed::Paced(_) => self.session.frame(frame, budget),
            Speed::Fastest => self.session.advance_for(budget),
        };
        self.computed = since.elapsed();
        let generations = match advanced {
            Ok(generations) => generations,
            Err(error) => {
                self.revision += 1;
                return Err(error.into());
            }
        };
        tracing::debug!(?frame, computed = ?self.computed, generations, "tick");
        self.rates.count(now, generations);
        if generations > 0 {
            self.note();
        }
        if !self.session.is_playing() {
            return Ok(None);
        }
        Ok(Some(
            match self.speed {
                Speed::Paced(_) if self.session.is_behind() => Duration::ZERO,
                // Often enough to be on time, and no oftener.
                Speed::Paced(pace) => Duration::from_secs(1) / pace.max(1) / 4,
                Speed::Fastest => Duration::ZERO,
            }
            .min(Duration::from_millis(250)),
        ))
    }

    /// Does what concerns a battle; other actions change nothing.
    pub(super) fn apply(
        &mut self,
        action: &Action,
        seed: impl FnOnce() -> u64,
        check_memory: impl Fn(Size) -> Result<(), String>,
    ) -> Result<(), Refusal> {
        let session = &mut self.session;
        match *action {
            Action::TogglePlay if session.is_playing() => session.pause(),
            Action::TogglePlay => session.play()?,
            Action::Step => session.step()?,
            Action::Restart => session.restart()?,
            Action::SetSpeed(speed) => self.set_speed(speed),
            Action::PauseEvery(every) => session.set_pause_every(every),
            Action::Draft(draft) => session.set_draft(draft)?,
            Action::Apply => {
                check_memory(session.draft().size)?;
                session.apply()?;
                self.edition += 1;
            }
            Action::Discard => session.discard()?,
            Action::Draw(draw) => self.draw = draw,
            Action::Density(density) => self.density = density,
            Action::Generate => {
                session.generate(self.draw, self.density)?;
                self.edition += 1;
            }
            Action::GenerateNew => {
                // A battle that waits for its settings to be applied keeps them.
                if session.is_locked() {
                    return Err(SessionError::Unapplied.into());
                }
                let draft = session.settings().with_seed(seed());
                session.set_draft(draft)?;
                session.apply()?;
                session.generate(self.draw, self.density)?;
                self.edition += 1;
            }
            Action::Clear => {
                session.clear()?;
                self.edition += 1;
            }
            Action::SetTool(tool) => {
                session.cancel_stroke();
                self.forget_stroke();
                self.tool = tool;
            }
            Action::BeginStroke(cell) => {
                session.begin_stroke(cell)?;
                self.stroke_cell = Some(cell);
            }
            Action::Touch(x, y) => {
                session.touch(x, y);
                if self.stroke_cell.is_some() && self.stroke.last() != Some(&(x, y)) {
                    self.stroke.push((x, y));
                }
            }
            Action::EndStroke => {
                self.forget_stroke();
                if self.session.end_stroke()? {
                    self.edition += 1;
                }
            }
            Action::CancelStroke => {
                session.cancel_stroke();
                self.forget_stroke();
            }
            Action::Undo => {
                session.undo()?;
                self.edition += 1;
            }
            Action::Redo => {
                session.redo()?;
                self.edition += 1;
            }
            Action::MoveCursor(x, y) => self.move_cursor(x, y),
            Action::PaintAtCursor { erase } => self.paint_at_cursor(erase)?,
            _ => return Ok(()),
        }
        self.note();
        Ok(())
    }

    fn set_speed(&mut self, speed: Speed) {
        self.speed = speed;
        let interval = match speed {
            Speed::Paced(pace) => Duration::from_secs(1) / pace.max(1),
            Speed::Fastest => Duration::ZERO,
        };
        self.session.clock().set_interval(interval);
    }

    /// The board or its counts may be others than before.
    fn note(&mut self) {
        self.revision += 1;
        let (generation, census) = (self.session.generation(), self.session.census());
        self.chart.add(generation, census);
    }

    fn forget_stroke(&mut self) {
        self.stroke.clear();
        self.stroke_cell = None;
    }

    fn move_cursor(&mut self, x: i32, y: i32) {
        let Settings { size, edges, .. } = self.session.settings();
        let moved = |at: u32, by: i32, side: u32| match edges {
            Edges::Torus => (i64::from(at) + i64::from(by)).rem_euclid(i64::from(side)) as u32,
            Edges::Dead => (i64::from(at) + i64::from(by)).clamp(0, i64::from(side) - 1) as u32,
        };
        self.cursor = Some(match self.cursor {
            // It appears in the middle.
            None => (size.width() / 2, size.height() / 2),
            Some((column, row)) => (
                moved(column.min(size.width() - 1), x, size.width()),
                moved(row.min(size.height() - 1), y, size.height()),
            ),
        });
    }

    fn paint_at_cursor(&mut self, erase: bool) -> Result<(), Refusal> {
        let Some((x, y)) = self.cursor else {
            self.move_cursor(0, 0);
            return Ok(());
        };
        let cell = if erase {
            Cell::Dead
        } else {
            self.tool.cell().ok_or_else(|| {
                "choose red, blue or the eraser first (keys 1, 2, 3); View does not paint"
                    .to_owned()
            })?
        };
        self.session.begin_stroke(cell)?;
        self.session.touch(x, y);
        if self.session.end_stroke()? {
            self.edition += 1;
        }
        Ok(())
    }
}
