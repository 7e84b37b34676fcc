//! A run on a screen: what a person can do with it, and when.
//!
//! ```text
//!   start pattern  --step, play-->  generations  --verdict-->  over
//!        ^                               |                       |
//!        +------------ restart ----------+-----------------------+
//!        +--- stroke, generate, clear, apply: a new start pattern
//! ```
//!
//! * The board before generation 0 is the *start pattern*; [`Session::restart`] restores it. A finished
//!   stroke that changed something, generating, clearing and applying settings make the board they
//!   leave the start pattern of a new battle, paused at generation 0.
//! * Cells are painted in strokes ([`Session::begin_stroke`]); finished ones can be undone, and so
//!   can generating and clearing.
//! * Settings are changed as a draft ([`settings`]). While it differs from what is in force the
//!   battle is paused, and nothing runs, paints, generates or clears until it is applied or discarded.
//! * Time comes in from outside ([`clock`]): a session has no clock of its own.
//!
//! A session is written once for all games that are played so: what one of them decides for itself
//! it says of its settings ([`GameSettings`]). Those of a battle are [`Settings`]; reZolution has its
//! own, in [`rezolution`](super::rezolution).
//!
//! Engines come from a function of the caller's, so a session knows no device.

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

/// Makes engines for the rules of a game.
pub type Factory<S> =
    Box<dyn FnMut(<S as GameSettings>::Ruleset) -> Result<AnyEngine<S>, EngineError>>;

/// An engine for the boards of a game.
pub type AnyEngine<S> = Box<dyn Engine<BoardOf<S>>>;

/// A run that a person watches, paces and edits.
pub struct Session<S: GameSettings> {
    factory: Factory<S>,
    engine: AnyEngine<S>,
    /// In force.
    settings: S,
    /// What the settings are to become.
    draft: S,
    start: Arc<BoardOf<S>>,
    generation: u64,
    census: CensusOf<S>,
    /// What was seen of the present generation, if it was computed.
    seen: Option<StatsOf<S>>,
    verdict: Option<S::Verdict>,
    playing: bool,
    pause_every: Option<u64>,
    /// At whose multiples a call ends.
    stride: Option<u64>,
    clock: Clock,
    /// Generations that were due in earlier frames and are not computed yet.
    owed: u64,
    stroke: Option<Stroke<S::Brush>>,
    history: History<BoardOf<S>>,
}

impl<S: GameSettings> Session<S> {
    /// A battle from a start pattern, paused at generation 0. The size in the settings is that of
    /// the board, whatever they say.
    ///
    /// # Errors
    /// [`EngineError`] if there is no engine for it.
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
            seen: None,
            playing: false,
            pause_every: None,
            stride: None,
            clock: Clock::default(),
            owed: 0,
            stroke: None,
            history: History::default(),
        })
    }

    /// Generations since the start pattern.
    pub const fn generation(&self) -> u64 {
        self.generation
    }

    /// Counts of the present board; cells of a stroke under way do not count.
    pub const fn census(&self) -> CensusOf<S> {
        self.census
    }

    /// Whether the present generation equals the one before; `None` if it was not computed here.
    pub fn is_unchanged(&self) -> Option<bool> {
        self.seen.map(|seen| seen.period == Some(1))
    }

    /// How the run ended by itself, once it has.
    pub const fn verdict(&self) -> Option<S::Verdict> {
        self.verdict
    }

    /// Whether generations are computed as time passes.
    pub const fn is_playing(&self) -> bool {
        self.playing
    }

    /// The settings in force.
    pub const fn settings(&self) -> S {
        self.settings
    }

    /// The settings as they have been changed; those in force if they have not.
    pub const fn draft(&self) -> S {
        self.draft
    }

    /// Whether settings have been changed and neither applied nor discarded.
    pub fn is_locked(&self) -> bool {
        self.draft != self.settings
    }

    /// The pattern that [`restart`](Self::restart) restores.
    pub fn start_pattern(&self) -> &BoardOf<S> {
        &self.start
    }

    /// How fast the battle plays, and the waiting time it had to drop.
    pub const fn clock(&mut self) -> &mut Clock {
        &mut self.clock
    }

    /// After how many generations play pauses by itself, if it does.
    pub const fn pause_every(&self) -> Option<u64> {
        self.pause_every
    }

    /// Lets play pause by itself at every multiple of so many generations, or not; 0 is not.
    pub fn set_pause_every(&mut self, generations: Option<u64>) {
        self.pause_every = generations.filter(|&generations| generations > 0);
    }

    /// The present board, without the cells of a stroke under way.
    ///
    /// # Errors
    /// [`EngineError`] if the engine cannot give it.
    pub fn board(&mut self) -> Result<BoardOf<S>, EngineError> {
        self.engine.read()
    }

    /// The board as it is shown: with the cells of a stroke under way.
    ///
    /// # Errors
    /// [`EngineError`] if the engine cannot give it.
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
    /// [`SessionError`] if settings are not applied, a stroke is under way or the battle is over.
    pub fn play(&mut self) -> Result<(), SessionError> {
        self.check_run()?;
        if !self.playing {
            self.clock.forget_waiting();
            self.playing = true;
        }
        Ok(())
    }

    /// Stops to play.
    pub const fn pause(&mut self) {
        self.playing = false;
        self.owed = 0;
    }

    /// While playing computes no further in one call than the next multiple of `stride` generations,
    /// for somebody who is to see the boards of all of these.
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
        self.compute(1, |engine, most, seen| engine.step_with_stats(most, seen))?;
        Ok(())
    }

    /// Lets time pass: while playing computes the generations that are due, at most
    /// [`MAX_GENERATIONS_PER_FRAME`], for about as long as `budget`. Those that are not done by then come in later
    /// frames ([`is_behind`](Self::is_behind)). Returns how many were computed.
    ///
    /// # Errors
    /// [`EngineError`] if the engine fails; the battle is paused then.
    pub fn frame(&mut self, elapsed: Duration, budget: Duration) -> Result<u64, EngineError> {
        if !self.playing {
            return Ok(0);
        }
        let due = self.clock.due(elapsed);
        self.owed = self.clock.cap(self.owed + due);
        let computed = self.play_on(self.owed, |engine, most, seen| {
            engine.advance(most, budget, seen)
        })?;
        self.owed = self.owed.saturating_sub(computed);
        Ok(computed)
    }

    /// Whether generations are due that could not be computed in the last frame.
    pub const fn is_behind(&self) -> bool {
        self.owed > 0
    }

    /// While playing computes `generations` generations, whatever the time, or fewer if the battle
    /// ends or pauses by itself before. Returns how many were computed.
    ///
    /// # Errors
    /// [`EngineError`] if the engine fails; the battle is paused then.
    pub fn advance(&mut self, generations: u64) -> Result<u64, EngineError> {
        self.play_on(generations, |engine, most, seen| {
            engine.step_with_stats(most, seen)
        })
    }

    /// While playing computes for about as long as `budget`, as fast as the engine can, until the
    /// battle ends or pauses by itself. Returns how many generations were finished.
    ///
    /// # Errors
    /// [`EngineError`] if the engine fails; the battle is paused then.
    pub fn advance_for(&mut self, budget: Duration) -> Result<u64, EngineError> {
        self.play_on(u64::MAX, |engine, most, seen| {
            engine.advance(most, budget, seen)
        })
    }

    /// The engine that has the board, to draw it from where it lies.
    pub fn engine(&self) -> &dyn Engine<BoardOf<S>> {
        &*self.engine
    }

    /// Restores the start pattern, paused at generation 0.
    ///
    /// # Errors
    /// [`SessionError`] if a stroke is under way or the engine fails.
    pub fn restart(&mut self) -> Result<(), SessionError> {
        self.check_no_stroke()?;
        let start = Arc::clone(&self.start);
        self.begin(start)?;
        Ok(())
    }

    /// Changes the draft of the settings. If it differs from what is in force, the battle is paused
    /// and locked.
    ///
    /// # Errors
    /// [`SessionError::InStroke`].
    pub fn set_draft(&mut self, draft: S) -> Result<(), SessionError> {
        self.check_no_stroke()?;
        self.draft = draft;
        if self.is_locked() {
            self.pause();
        }
        Ok(())
    }

    /// Puts the draft in force. The present board becomes the start pattern; of a board that is made
    /// smaller the part at the top left is kept, one that is made larger grows to the right and
    /// downwards.
    ///
    /// # Errors
    /// [`SessionError`] if nothing was changed or there is no engine for the draft, which then stays
    /// a draft.
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
        // The old engine keeps its board until the new one has taken it over.
        let mut engine = (self.factory)(self.draft.ruleset())?;
        engine.load(&board)?;
        self.engine = engine;
        if self.settings.size() != self.draft.size() {
            // Boards of another size.
            self.history = History::default();
        }
        self.settings = self.draft;
        self.reset(Arc::new(board));
        Ok(())
    }

    /// Gives the draft up.
    ///
    /// # Errors
    /// [`SessionError::NothingChanged`].
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

    /// Lets the engine compute while playing, at most up to where play pauses by itself.
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
        let until_sight = match self.stride {
            Some(stride) => stride - self.generation % stride,
            None => u64::MAX,
        };
        let most = generations.min(until_pause).min(until_sight);
        let computed = self.compute(most, run);
        if computed
            .as_ref()
            .is_ok_and(|&computed| computed == until_pause)
        {
            self.pause();
        }
        computed
    }

    /// Lets the engine compute up to the verdict.
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
        let mut seen = Vec::new();
        let stepped = run(&mut *self.engine, generations.min(until_limit), &mut seen);
        for &sighting in &seen {
            self.generation += 1;
            self.census = sighting.census;
            self.seen = Some(sighting);
            self.verdict = self.settings.judge(self.generation, sighting);
        }
        if self.verdict.is_some() || stepped.is_err() {
            self.pause();
        }
        stepped.map(|()| seen.len() as u64)
    }

    /// Makes a board the start pattern, paused at generation 0.
    fn begin(&mut self, start: Arc<BoardOf<S>>) -> Result<(), EngineError> {
        self.engine.load(&start)?;
        self.reset(start);
        Ok(())
    }

    /// Generation 0 of a board that the engine has.
    fn reset(&mut self, start: Arc<BoardOf<S>>) {
        self.census = start.census();
        self.start = start;
        self.generation = 0;
        self.seen = None;
        self.verdict = S::judge_start(self.census);
        self.pause();
        self.clock.restart();
    }
}
