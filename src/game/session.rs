//! An interactive run: a person plays, pauses, steps and edits it.
//!
//! ```text
//!   start pattern  --step, play-->  generations  --verdict-->  over
//!        ^                               |                       |
//!        +------------ restart ----------+-----------------------+
//!        +--- stroke, generate, clear, apply: a new start pattern
//! ```
//!
//! * The board at generation 0 is the *start pattern*; [`Session::restart`] restores it. A stroke that
//!   changes the board, generating, clearing and applying settings each set a new start pattern, paused at
//!   generation 0.
//! * Cells are painted in strokes ([`Session::begin_stroke`]). Strokes, generating and clearing can be
//!   undone.
//! * Settings are changed in a draft ([`Session::set_draft`]). While the draft differs from the settings in
//!   force, the run is locked: paused, and not editable until the draft is applied or discarded.
//! * The caller passes in the time ([`clock`]); a session reads no clock.
//!
//! Sessions are generic over the games; each game defines its rules by its [`GameSettings`], as in
//! [`life_battle`](super::life_battle) and [`rezolution`](super::rezolution).
//!
//! The caller supplies a function that makes engines, so a session does not depend on a device.

pub mod clock;
mod edits;
mod error;
mod game_settings;
mod stroke;
#[cfg(test)]
mod tests;

pub use clock::{Clock, MAX_GENERATIONS_PER_FRAME, Speed};
pub use error::SessionError;
pub use game_settings::{BoardOf, Brush, CensusOf, GameSettings, StatsOf};

use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::Duration;

use crate::board::Board;
use crate::engine::{Engine, EngineError};

use stroke::{History, Stroke};

/// Boards in memory at once: the start pattern, two in an engine and two in the one that takes its
/// place, and those before and after the last edit.
pub const BOARDS_IN_MEMORY: u64 = 7;

/// A function that makes engines for the rules of a game.
pub type Factory<S> =
    Box<dyn FnMut(<S as GameSettings>::Ruleset) -> Result<AnyEngine<S>, EngineError>>;

/// An engine for the boards of a game.
pub type AnyEngine<S> = Box<dyn Engine<BoardOf<S>>>;

/// An interactive run.
pub struct Session<S: GameSettings> {
    factory: Factory<S>,
    engine: AnyEngine<S>,
    /// The settings in force.
    settings: S,
    /// The settings to apply next.
    draft: S,
    start: Arc<BoardOf<S>>,
    generation: u64,
    census: CensusOf<S>,
    /// The statistics of the present generation, if it was computed here.
    stats: Option<StatsOf<S>>,
    verdict: Option<S::Verdict>,
    playing: bool,
    pause_every: Option<u64>,
    /// Calls end at multiples of this number of generations.
    stride: Option<u64>,
    clock: Clock,
    /// Generations that were due in earlier frames and are not computed yet.
    overdue: u64,
    stroke: Option<Stroke<S::Brush>>,
    history: History<BoardOf<S>>,
}

impl<S: GameSettings> Session<S> {
    /// A run from a start pattern, paused at generation 0. The size of the board replaces the size in the
    /// settings.
    ///
    /// # Errors
    /// [`EngineError`] if no engine can be made for it.
    pub fn new(
        settings: S,
        start: BoardOf<S>,
        mut factory: Factory<S>,
    ) -> Result<Self, EngineError> {
        let settings = settings.with_size(start.size());
        let mut engine = factory(settings.ruleset())?;
        engine.load(&start)?;
        Ok(Self {
            factory,
            engine,
            settings,
            draft: settings,
            census: start.census(),
            verdict: S::judge_start(start.census()),
            start: Arc::new(start),
            generation: 0,
            stats: None,
            playing: false,
            pause_every: None,
            stride: None,
            clock: Clock::default(),
            overdue: 0,
            stroke: None,
            history: History::default(),
        })
    }

    /// Generations since the start pattern.
    pub const fn generation(&self) -> u64 {
        self.generation
    }

    /// The census of the present board, without the stroke in progress.
    pub const fn census(&self) -> CensusOf<S> {
        self.census
    }

    /// Whether the present generation equals the previous one; `None` if it was not computed here.
    pub fn is_unchanged(&self) -> Option<bool> {
        self.stats.map(|stats| stats.period == Some(1))
    }

    /// How the run ended by itself, once it has.
    pub const fn verdict(&self) -> Option<S::Verdict> {
        self.verdict
    }

    /// Whether the run is playing: generations are computed as time passes.
    pub const fn is_playing(&self) -> bool {
        self.playing
    }

    /// The settings in force.
    pub const fn settings(&self) -> S {
        self.settings
    }

    /// The draft of the settings; equal to the settings in force unless it was changed.
    pub const fn draft(&self) -> S {
        self.draft
    }

    /// Whether the draft has been changed and neither applied nor discarded.
    pub fn is_locked(&self) -> bool {
        self.draft != self.settings
    }

    /// The board that [`restart`](Self::restart) restores.
    pub fn start_pattern(&self) -> &BoardOf<S> {
        &self.start
    }

    /// The pace of the run, and the waiting time that was dropped.
    pub const fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The clock, to set its pace.
    pub const fn clock_mut(&mut self) -> &mut Clock {
        &mut self.clock
    }

    /// Play pauses automatically at multiples of this number of generations.
    pub const fn pause_every(&self) -> Option<u64> {
        self.pause_every
    }

    /// Pauses play automatically at every multiple of this number of generations; `None` and 0 do not.
    pub fn set_pause_every(&mut self, generations: Option<u64>) {
        self.pause_every = generations.filter(|&generations| generations > 0);
    }

    /// The present board, without the stroke in progress.
    ///
    /// # Errors
    /// [`EngineError`] if the engine cannot read it back.
    pub fn board(&mut self) -> Result<BoardOf<S>, EngineError> {
        self.engine.read()
    }

    /// The present board with the stroke in progress.
    ///
    /// # Errors
    /// [`EngineError`] if the engine cannot read it back.
    pub fn shown(&mut self) -> Result<BoardOf<S>, EngineError> {
        let mut board = self.engine.read()?;
        if let Some(stroke) = &self.stroke {
            stroke.apply(&mut board);
        }
        Ok(board)
    }

    /// Starts to play.
    ///
    /// # Errors
    /// [`SessionError`] if the run is locked, a stroke is in progress or the run is over.
    pub fn play(&mut self) -> Result<(), SessionError> {
        self.check_run()?;
        if !self.playing {
            self.clock.forget_waiting();
            self.playing = true;
        }
        Ok(())
    }

    /// Stops playing.
    pub const fn pause(&mut self) {
        self.playing = false;
        self.overdue = 0;
    }

    /// Ends each call that computes while playing at the next multiple of `stride` generations, so that the
    /// caller can read the board of each.
    pub const fn set_stride(&mut self, stride: Option<NonZeroU64>) {
        self.stride = match stride {
            Some(stride) => Some(stride.get()),
            None => None,
        };
    }

    /// Pauses, then computes exactly one generation.
    ///
    /// # Errors
    /// As [`play`](Self::play), and [`SessionError::Engine`].
    pub fn step(&mut self) -> Result<(), SessionError> {
        self.pause();
        self.check_run()?;
        self.compute(1, |engine, most, stats| engine.step_with_stats(most, stats))?;
        Ok(())
    }

    /// Lets time pass: while playing, computes the generations that are due, at most
    /// [`MAX_GENERATIONS_PER_FRAME`], within about `budget`. The others follow in later frames
    /// ([`is_behind`](Self::is_behind)). Returns the number of generations computed.
    ///
    /// # Errors
    /// [`EngineError`] if the engine fails; the run is then paused.
    pub fn frame(&mut self, elapsed: Duration, budget: Duration) -> Result<u64, EngineError> {
        if !self.playing {
            return Ok(0);
        }
        let due = self.clock.due(elapsed);
        self.overdue = self.clock.cap(self.overdue + due);
        let computed = self.play_on(self.overdue, |engine, most, stats| {
            engine.advance(most, budget, stats)
        })?;
        self.overdue = self.overdue.saturating_sub(computed);
        Ok(computed)
    }

    /// Whether generations are due that the last frame did not compute.
    pub const fn is_behind(&self) -> bool {
        self.overdue > 0
    }

    /// While playing, computes `generations` generations regardless of time, or fewer if the run ends or
    /// pauses first. Returns the number of generations computed.
    ///
    /// # Errors
    /// [`EngineError`] if the engine fails; the run is then paused.
    pub fn advance(&mut self, generations: u64) -> Result<u64, EngineError> {
        self.play_on(generations, |engine, most, stats| {
            engine.step_with_stats(most, stats)
        })
    }

    /// While playing, computes as fast as the engine can for about `budget`, until the run ends or pauses.
    /// Returns the number of generations computed.
    ///
    /// # Errors
    /// [`EngineError`] if the engine fails; the run is then paused.
    pub fn advance_for(&mut self, budget: Duration) -> Result<u64, EngineError> {
        self.play_on(u64::MAX, |engine, most, stats| {
            engine.advance(most, budget, stats)
        })
    }

    /// The engine, so that the board can be drawn from its memory.
    pub fn engine(&self) -> &dyn Engine<BoardOf<S>> {
        &*self.engine
    }

    /// Restores the start pattern, paused at generation 0.
    ///
    /// # Errors
    /// [`SessionError`] if a stroke is in progress or the engine fails.
    pub fn restart(&mut self) -> Result<(), SessionError> {
        self.check_no_stroke()?;
        let start = Arc::clone(&self.start);
        self.begin(start)?;
        Ok(())
    }

    /// Replaces the draft of the settings. If it differs from the settings in force, the run is paused and
    /// locked.
    ///
    /// # Errors
    /// [`SessionError::InStroke`] if a stroke is in progress.
    pub fn set_draft(&mut self, draft: S) -> Result<(), SessionError> {
        self.check_no_stroke()?;
        self.draft = draft;
        if self.is_locked() {
            self.pause();
        }
        Ok(())
    }

    /// Applies the draft. The present board becomes the start pattern; a change of size crops or extends it
    /// at the right and the bottom.
    ///
    /// # Errors
    /// [`SessionError`] if nothing was changed or no engine can be made for the draft; the draft is then
    /// kept.
    pub fn apply(&mut self) -> Result<(), SessionError> {
        if !self.is_locked() {
            return Err(SessionError::NothingChanged);
        }
        let board = self.engine.read()?;
        let board = if board.size() == self.draft.size() {
            board
        } else {
            S::resized(board, self.draft.size())?
        };
        // The old engine keeps its board until the new one has loaded it.
        let mut engine = (self.factory)(self.draft.ruleset())?;
        engine.load(&board)?;
        self.engine = engine;
        if self.settings.size() != self.draft.size() {
            // Its boards have another size.
            self.history = History::default();
        }
        self.settings = self.draft;
        self.reset(Arc::new(board));
        Ok(())
    }

    /// Discards the draft.
    ///
    /// # Errors
    /// [`SessionError::NothingChanged`] if there is no draft.
    pub fn discard(&mut self) -> Result<(), SessionError> {
        if !self.is_locked() {
            return Err(SessionError::NothingChanged);
        }
        self.draft = self.settings;
        Ok(())
    }

    fn check_no_stroke(&self) -> Result<(), SessionError> {
        match self.stroke {
            Some(_) => Err(SessionError::InStroke),
            None => Ok(()),
        }
    }

    fn check_paint(&self) -> Result<(), SessionError> {
        if self.is_locked() {
            return Err(SessionError::Unapplied);
        }
        self.check_no_stroke()
    }

    fn check_run(&self) -> Result<(), SessionError> {
        self.check_paint()?;
        match self.verdict {
            Some(verdict) => Err(verdict.into()),
            None => Ok(()),
        }
    }

    /// Computes while playing, at most until play pauses automatically.
    fn play_on(
        &mut self,
        generations: u64,
        run: impl FnOnce(
            &mut dyn Engine<BoardOf<S>>,
            u64,
            &mut Vec<StatsOf<S>>,
        ) -> Result<(), EngineError>,
    ) -> Result<u64, EngineError> {
        if !self.playing {
            return Ok(0);
        }
        let until_pause = match self.pause_every {
            Some(every) => every - self.generation % every,
            None => u64::MAX,
        };
        let until_stride = match self.stride {
            Some(stride) => stride - self.generation % stride,
            None => u64::MAX,
        };
        let most = generations.min(until_pause).min(until_stride);
        let computed = self.compute(most, run);
        if computed
            .as_ref()
            .is_ok_and(|&computed| computed == until_pause)
        {
            self.pause();
        }
        computed
    }

    /// Computes at most until the verdict.
    fn compute(
        &mut self,
        generations: u64,
        run: impl FnOnce(
            &mut dyn Engine<BoardOf<S>>,
            u64,
            &mut Vec<StatsOf<S>>,
        ) -> Result<(), EngineError>,
    ) -> Result<u64, EngineError> {
        let until_limit = match self.settings.limit() {
            Some(limit) => limit.saturating_sub(self.generation).max(1),
            None => u64::MAX,
        };
        let mut computed = Vec::new();
        let stepped = run(
            &mut *self.engine,
            generations.min(until_limit),
            &mut computed,
        );
        for &stats in &computed {
            self.generation += 1;
            self.census = stats.census;
            self.stats = Some(stats);
            self.verdict = self.settings.judge(self.generation, stats);
        }
        if self.verdict.is_some() || stepped.is_err() {
            self.pause();
        }
        stepped.map(|()| computed.len() as u64)
    }

    /// Makes a board the start pattern, paused at generation 0.
    fn begin(&mut self, start: Arc<BoardOf<S>>) -> Result<(), EngineError> {
        self.engine.load(&start)?;
        self.reset(start);
        Ok(())
    }

    /// Sets a board that the engine has loaded as generation 0.
    fn reset(&mut self, start: Arc<BoardOf<S>>) {
        self.census = start.census();
        self.start = start;
        self.generation = 0;
        self.stats = None;
        self.verdict = S::judge_start(self.census);
        self.pause();
        self.clock.restart();
    }
}
