//! The generations of a run, computed in parts.

use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

use super::census_file::CensusFile;
use crate::cli::family::CliFamily;
use crate::cli::film::Films;
use crate::cli::interrupt;
use crate::engine::{CensusOf, Engine, GenerationStats};

/// A part of a run should take about this long, so that Ctrl-C and the progress bar feel alive. The
/// first and the last generations of a part are computed in full; shorter parts of a board on which
/// little changes would be little else.
const PART_TIME: Duration = Duration::from_millis(500);

/// Says whether a run ends with a generation, counted from its first board.
pub(in crate::cli) type Judge<C> = Box<dyn Fn(u64, GenerationStats<C>) -> bool>;

/// A run in progress.
pub(in crate::cli) struct Run<R: CliFamily> {
    pub(super) engine: Box<dyn Engine<R::Board>>,
    /// The generation of the board that was loaded.
    pub(super) first: u64,
    /// Generations computed.
    pub(in crate::cli) done: u64,
    /// Generations to compute, at most.
    pub(super) total: u64,
    /// What ends the run before that.
    pub(super) judge: Option<Judge<CensusOf<R::Board>>>,
    /// Whether the judge has.
    pub(super) over: bool,
    /// The statistics of the last generation, if they were computed.
    pub(in crate::cli) last_stats: Option<GenerationStats<CensusOf<R::Board>>>,
    /// The counts of the board that was loaded.
    pub(in crate::cli) first_census: CensusOf<R::Board>,
    /// The counts of the last board.
    pub(in crate::cli) census: CensusOf<R::Board>,
    /// Time spent computing generations.
    pub(super) seconds: Duration,
    /// Generations of the next part.
    pub(super) part: u64,
    pub(super) films: Films,
    /// Whether nothing else is to be written.
    pub(super) only_films: bool,
    pub(super) counts: Option<CensusFile>,
    pub(super) progress: ProgressBar,
}

impl<R: CliFamily> Run<R> {
    pub(super) fn generation(&self) -> u64 {
        self.first.saturating_add(self.done)
    }

    /// Computes all generations, or fewer if the battle is over or the run interrupted, and films the
    /// last of them.
    pub(super) fn compute(&mut self) -> Result<()> {
        self.compute_all()?;
        if self.films.lacks_last(self.done) {
            self.films.shoot(self.done, &self.engine.read()?);
        }
        Ok(())
    }

    fn compute_all(&mut self) -> Result<()> {
        if let Some(counts) = &mut self.counts {
            counts.push::<R>(self.first, &[self.first_census]);
        }
        self.film()?;
        // A board that is settled before anything is computed is one that cannot go on.
        let start = GenerationStats {
            census: self.first_census,
            period: None,
        };
        self.over = R::LAST_NEEDS_STATS && self.judges(0, start);
        while self.done < self.total && !self.over && self.goes_on() {
            let left = self.total - self.done;
            self.part = self.part.max(self.engine.batching().worthwhile);
            let mut part = self.part.min(left).min(self.films.until_next(self.done));
            if R::LAST_NEEDS_STATS && part == left && part > 1 {
                part -= 1;
            }
            let needs_stats = self.judge.is_some() || R::LAST_NEEDS_STATS && left == 1;
            let mut counted = Vec::new();
            let started = Instant::now();
            let computed = if needs_stats {
                self.step_with_stats(part, &mut counted)?
            } else if self.counts.is_some() {
                self.engine.step_with_census(part, &mut counted)?;
                part
            } else if left - part >= 2 {
                // At least one more is computed before the last, which may need statistics.
                self.engine.fast_forward(part)?;
                part
            } else {
                self.engine.step(part)?;
                part
            };
            let took = started.elapsed();
            self.seconds += took;
            if let Some(counts) = &mut self.counts {
                counts.push::<R>(self.first.saturating_add(self.done + 1), &counted);
            }
            self.done += computed;
            self.progress.set_position(self.done);
            if took < PART_TIME / 2 && part == self.part {
                self.part = self.part.saturating_mul(2);
            } else if took > PART_TIME * 2 {
                self.part = (self.part / 2).max(1);
            }
            self.film()?;
        }
        Ok(())
    }

    /// Computes at most `part` generations, appends their counts, and notes whether it is over.
    /// Returns how many were computed.
    fn step_with_stats(&mut self, part: u64, counted: &mut Vec<CensusOf<R::Board>>) -> Result<u64> {
        let mut all = Vec::new();
        self.engine.step_with_stats(part, &mut all)?;
        counted.extend(all.iter().map(|stats| stats.census));
        let mut judged = (self.done + 1..).zip(&all);
        self.over = judged.any(|(generation, &stats)| self.judges(generation, stats));
        self.last_stats = all.last().copied();
        Ok(all.len() as u64)
    }

    /// Whether the judge ends the run with a generation.
    fn judges(&self, generation: u64, stats: GenerationStats<CensusOf<R::Board>>) -> bool {
        let judge = self.judge.as_ref();
        judge.is_some_and(|judge| judge(generation, stats))
    }

    /// Whether anybody still wants the rest.
    fn goes_on(&self) -> bool {
        let is_unwanted = self.only_films && self.films.have_failed();
        !is_unwanted && !interrupt::is_requested()
    }

    /// Writes a frame if one is due.
    fn film(&mut self) -> Result<()> {
        if self.films.is_due(self.done) {
            self.films.shoot(self.done, &self.engine.read()?);
        }
        Ok(())
    }
}

/// The progress bar of a run of `total` generations.
pub(super) fn progress(total: u64, quiet: bool) -> ProgressBar {
    // Hidden by itself if standard error is no terminal.
    let bar = if quiet {
        ProgressBar::hidden()
    } else {
        ProgressBar::new(total)
    };
    let template = "{wide_bar} generation {pos} of {len}, {per_sec}, {eta} left";
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
