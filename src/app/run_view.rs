//! A run on the table: a session, and what a person has set beside it. Written once for all games
//! that have sessions; what one of them adds is a [`WindowFamily`] of its settings.

use std::time::Duration;

use web_time::Instant;

use super::chart::Chart;
use super::command::{Command, Tool};
use super::error::AppError;
use super::platform::EngineName;
use super::rates::{Rates, budget};
use crate::board::{Board, Census, Edges, LifelikeCensus, Size};
use crate::game::opening::GameName;
use crate::game::session::Speed;
use crate::game::session::{BoardOf, Brush as _, CensusOf, Factory, GameSettings, Session};
use crate::rules::Ruleset;

/// The speed until another is set.
pub(super) const DEFAULT_SPEED: Speed = Speed::Paced(10);

/// What the window must know of a game that has sessions.
pub trait WindowFamily: GameSettings {
    /// What is set beside the session and needs no Apply.
    type Extras: Copy + std::fmt::Debug;

    /// Which tools paint, for a person who has chosen none of them.
    const TOOLS: &'static str;

    /// What a tool paints with; `None` if it does not paint in this game.
    fn brush(tool: Tool) -> Option<Self::Brush>;

    /// Whether some cells are left as they are by some brushes.
    const SPARES_CELLS: bool;
}

/// What panels show of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunStatus<S: WindowFamily> {
    /// The game.
    pub kind: GameName,
    /// Generations since the start pattern.
    pub generation: u64,
    /// Counts of the present board.
    pub census: CensusOf<S>,
    /// How it ended by itself, once it has.
    pub verdict: Option<S::Verdict>,
    /// Whether the last generation changed nothing, if that is known.
    pub is_unchanged: Option<bool>,
    /// Whether it plays.
    pub is_playing: bool,
    /// Whether changed settings wait to be applied.
    pub is_locked: bool,
    /// In force.
    pub settings: S,
    /// What they are to become.
    pub draft: S,
    /// Set beside them.
    pub extras: S::Extras,
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
    /// Generations of late.
    pub generations_per_second: f64,
    /// Frames of late.
    pub frames_per_second: f64,
}

/// What is the same in every run, whatever its boards are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunSummary {
    pub(super) kind: GameName,
    pub(super) generation: u64,
    pub(super) cells: LifelikeCensus,
    pub(super) size: Size,
    pub(super) is_playing: bool,
    pub(super) is_locked: bool,
    pub(super) is_over: bool,
    pub(super) speed: Speed,
    pub(super) pause_every: Option<u64>,
    pub(super) dropped: Duration,
    pub(super) tool: Tool,
    /// Whether that tool paints.
    pub(super) paints: bool,
    pub(super) cursor: Option<(u32, u32)>,
    pub(super) generations_per_second: f64,
    pub(super) frames_per_second: f64,
}

impl<S: WindowFamily> RunStatus<S> {
    pub(super) fn summary(&self) -> RunSummary {
        RunSummary {
            kind: self.kind,
            generation: self.generation,
            cells: cells(self.census),
            size: self.settings.size(),
            is_playing: self.is_playing,
            is_locked: self.is_locked,
            is_over: self.verdict.is_some(),
            speed: self.speed,
            pause_every: self.pause_every,
            dropped: self.dropped,
            tool: self.tool,
            paints: S::brush(self.tool).is_some(),
            cursor: self.cursor,
            generations_per_second: self.generations_per_second,
            frames_per_second: self.frames_per_second,
        }
    }
}

/// Red and blue cells.
fn cells(counts: impl Census) -> LifelikeCensus {
    LifelikeCensus {
        red: counts.red(),
        blue: counts.blue(),
    }
}

/// A run under way.
pub(super) struct RunView<S: WindowFamily> {
    kind: GameName,
    engine: EngineName,
    pub(super) session: Session<S>,
    pub(super) extras: S::Extras,
    speed: Speed,
    tool: Tool,
    cursor: Option<(u32, u32)>,
    chart: Chart,
    /// Another number for every board that is shown.
    revision: u64,
    /// Another number for every start pattern and setting.
    edit_count: u64,
    stroke: Option<Stroke<S>>,
    rates: Rates,
    /// How long the last frame computed.
    computed: Duration,
}

/// What is shown of a stroke under way.
struct Stroke<S: WindowFamily> {
    tool: Tool,
    brush: S::Brush,
    touched: Vec<(u32, u32)>,
    /// The board below, where it matters.
    below: Option<BoardOf<S>>,
}

impl<S: WindowFamily> RunView<S> {
    pub(super) fn new(
        kind: GameName,
        settings: S,
        board: BoardOf<S>,
        extras: S::Extras,
        engine: EngineName,
        factory: Factory<S>,
    ) -> Result<Self, AppError> {
        let mut table = Self {
            kind,
            engine,
            session: Session::new(settings, board, factory)?,
            extras,
            speed: DEFAULT_SPEED,
            tool: Tool::View,
            cursor: None,
            chart: Chart::default(),
            revision: 0,
            edit_count: 0,
            stroke: None,
            rates: Rates::default(),
            computed: Duration::ZERO,
        };
        table.set_speed(DEFAULT_SPEED);
        table.note();
        Ok(table)
    }

    /// Takes over what a person has set beside the board.
    pub(super) fn keep_settings_of(&mut self, last: &Self) {
        (self.extras, self.tool) = (last.extras, last.tool);
        self.set_speed(last.speed);
    }

    /// Numbers its boards on from those of another run.
    pub(super) const fn come_after(&mut self, last: &Self) {
        self.revision = last.revision + 1;
        self.edit_count = last.edit_count + 1;
    }

    pub(super) fn status(&mut self) -> RunStatus<S> {
        RunStatus {
            kind: self.kind,
            generation: self.session.generation(),
            census: self.session.census(),
            verdict: self.session.verdict(),
            is_unchanged: self.session.is_unchanged(),
            is_playing: self.session.is_playing(),
            is_locked: self.session.is_locked(),
            settings: self.session.settings(),
            draft: self.session.draft(),
            extras: self.extras,
            speed: self.speed,
            pause_every: self.session.pause_every(),
            dropped: self.session.clock().dropped(),
            tool: self.tool,
            cursor: self.cursor,
            generations_per_second: self.rates.generations_per_second,
            frames_per_second: self.rates.frames_per_second,
        }
    }

    pub(super) const fn kind(&self) -> GameName {
        self.kind
    }

    /// What computes it.
    pub(super) const fn engine(&self) -> EngineName {
        self.engine
    }

    pub(super) const fn revision(&self) -> u64 {
        self.revision
    }

    pub(super) const fn edit_count(&self) -> u64 {
        self.edit_count
    }

    pub(super) const fn session(&mut self) -> &mut Session<S> {
        &mut self.session
    }

    pub(super) const fn chart(&self) -> &Chart {
        &self.chart
    }

    /// The tool of the stroke under way, and the cells that it will have changed.
    pub(super) fn stroke(&self) -> Option<(Tool, &[(u32, u32)])> {
        let stroke = self.stroke.as_ref()?;
        Some((stroke.tool, &stroke.touched))
    }

    /// Lets time pass. Returns how long to wait for the next frame; `None` if nothing is under way.
    pub(super) fn tick(
        &mut self,
        now: Duration,
        frame: Duration,
    ) -> Result<Option<Duration>, AppError> {
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

    /// Does what concerns every run; other actions change nothing.
    pub(super) fn follow(
        &mut self,
        command: &Command,
        check_memory: impl Fn(Size) -> Result<(), String>,
    ) -> Result<(), AppError> {
        let session = &mut self.session;
        match *command {
            Command::TogglePlay if session.is_playing() => session.pause(),
            Command::TogglePlay => session.play()?,
            Command::Step => session.step()?,
            Command::Restart => session.restart()?,
            Command::SetSpeed(speed) => self.set_speed(speed),
            Command::PauseEvery(every) => session.set_pause_every(every),
            Command::Apply => {
                check_memory(session.draft().size())?;
                session.apply()?;
                self.edit_count += 1;
            }
            Command::Discard => session.discard()?,
            Command::Clear => {
                session.clear()?;
                self.edit_count += 1;
            }
            Command::SetTool(tool) => {
                session.cancel_stroke();
                self.stroke = None;
                self.tool = tool;
            }
            Command::BeginStroke(tool) => self.begin_stroke(tool)?,
            Command::Touch(x, y) => self.touch(x, y),
            Command::EndStroke => {
                self.stroke = None;
                if self.session.end_stroke()? {
                    self.edit_count += 1;
                }
            }
            Command::CancelStroke => {
                session.cancel_stroke();
                self.stroke = None;
            }
            Command::Undo => {
                session.undo()?;
                self.edit_count += 1;
            }
            Command::Redo => {
                session.redo()?;
                self.edit_count += 1;
            }
            Command::MoveCursor(x, y) => self.move_cursor(x, y),
            Command::PaintAtCursor { erase } => self.paint_at_cursor(erase)?,
            _ => return Ok(()),
        }
        self.note();
        Ok(())
    }

    pub(super) fn set_speed(&mut self, speed: Speed) {
        self.speed = speed;
        let interval = match speed {
            Speed::Paced(pace) => Duration::from_secs(1) / pace.max(1),
            Speed::Fastest => Duration::ZERO,
        };
        self.session.clock().set_interval(interval);
    }

    /// Another start pattern has been set.
    pub(super) fn began(&mut self) {
        self.edit_count += 1;
        self.note();
    }

    /// The board or its counts may be others than before.
    pub(super) fn note(&mut self) {
        self.revision += 1;
        let (generation, census) = (self.session.generation(), self.session.census());
        self.chart.add(generation, cells(census));
    }

    fn begin_stroke(&mut self, tool: Tool) -> Result<(), AppError> {
        let Some(brush) = S::brush(tool) else {
            return Ok(());
        };
        self.session.begin_stroke(brush)?;
        let below = match S::SPARES_CELLS {
            true => Some(self.session.board()?),
            false => None,
        };
        self.stroke = Some(Stroke {
            tool,
            brush,
            touched: Vec::new(),
            below,
        });
        Ok(())
    }

    fn touch(&mut self, x: u32, y: u32) {
        self.session.touch(x, y);
        let Some(stroke) = &mut self.stroke else {
            return;
        };
        if stroke.touched.last() == Some(&(x, y)) {
            return;
        }
        if let Some(below) = &mut stroke.below {
            let size = below.size();
            if x >= size.width() || y >= size.height() {
                return;
            }
            let before = below.cell(x, y);
            stroke.brush.paint(below, x, y);
            if below.cell(x, y) == before {
                return;
            }
        }
        stroke.touched.push((x, y));
    }

    fn move_cursor(&mut self, x: i32, y: i32) {
        let settings = self.session.settings();
        let (size, edges) = (settings.size(), settings.ruleset().edges());
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

    fn paint_at_cursor(&mut self, erase: bool) -> Result<(), AppError> {
        let Some((x, y)) = self.cursor else {
            self.move_cursor(0, 0);
            return Ok(());
        };
        let tool = if erase { Tool::Eraser } else { self.tool };
        let brush = S::brush(tool)
            .ok_or_else(|| format!("choose {} first; View does not paint", S::TOOLS))?;
        self.session.begin_stroke(brush)?;
        self.session.touch(x, y);
        if self.session.end_stroke()? {
            self.edit_count += 1;
        }
        Ok(())
    }
}
