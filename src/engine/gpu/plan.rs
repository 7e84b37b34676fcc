//! Which way the next submission computes its generations, and how many they are.
//!
//! The plan depends on the facts of board, device and options only, so that it is tested without a
//! device.

use super::kernels::pass::PassProgram;
use super::kernels::stats::STATS_SLOTS;
use super::options::Options;
use super::tuning::Tuning;
use crate::engine::EngineError;

/// Cells of a board from which passes are worth the time their kernels take to be made.
const LEAST_CELLS: u64 = 1 << 20;

/// Generations per pass on a software adapter, where every access to memory is slow, and on a card,
/// where memory has caught up with four.
const SOFTWARE_PASS: u32 = 8;
const HARDWARE_PASS: u32 = 4;

/// Bytes of boards that are computed before they are read back.
const FILM_BYTES: u64 = 16 << 20;

/// What a plan depends on.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    /// Cells of the board.
    pub(super) cells: u64,
    /// Whether the board is in one band.
    pub(super) is_whole: bool,
    /// Whether the board fits into a workgroup, and the family has a program for that.
    pub(super) fits_workgroup: bool,
    /// Whether the programs of passes take bands of this size.
    pub(super) takes_passes: bool,
    /// Whether the adapter is a software one.
    pub(super) is_software: bool,
    /// Whether the device has subgroups.
    pub(super) has_subgroups: bool,
    /// What was measured on this device, if it was.
    pub(super) tuning: Option<Tuning>,
    pub(super) options: Options,
    /// Passes of the family.
    pub(super) passes: &'static [PassProgram],
    /// Passes with statistics.
    pub(super) stats_passes: &'static [PassProgram],
    /// Bytes of a board in a film.
    pub(super) frame_bytes: u64,
    /// Generations that take about as long as a submission should.
    pub(super) batch: u64,
}

/// Whether a pass can be computed now; its kernel may still be compiled in the background.
pub(super) type IsReady<'a> = dyn FnMut(&'static PassProgram) -> Result<bool, EngineError> + 'a;

/// A submission of generations of which nothing is observed.
pub(super) enum UnobservedPlan {
    /// Generations in one workgroup, then at most one single generation.
    SingleWorkgroup { generations: u64, single: u64 },
    /// Some passes, then generations one by one.
    Passes {
        passes: Vec<&'static PassProgram>,
        single: u64,
    },
}

/// A submission of generations whose census or statistics are observed.
pub(super) enum StatsPlan {
    /// Passes with statistics, at least one.
    Passes { passes: Vec<&'static PassProgram> },
    /// Generations one by one.
    Steps { generations: u64 },
}

/// How generations whose boards are observed are computed.
pub(super) enum BoardsPlan {
    /// Into films of at most that many boards, which are read back together.
    Film { frames: u64 },
    /// One by one, each read back on its own.
    Single,
}

/// The next submission of `left` generations of which nothing is observed.
pub(super) fn unobserved(
    facts: &Facts,
    left: u64,
    keep_history: bool,
    is_ready: &mut IsReady<'_>,
) -> Result<UnobservedPlan, EngineError> {
    // The last generation is a single step.
    let in_workgroup = facts.batch.min(left.saturating_sub(1));
    if in_workgroup >= 2 && facts.prefers_workgroup() {
        return Ok(UnobservedPlan::SingleWorkgroup {
            generations: in_workgroup,
            single: u64::from(in_workgroup + 1 == left),
        });
    }
    let batch = facts.batch.min(left);
    let (mut passes, mut in_passes) = (Vec::new(), 0);
    while in_passes < batch {
        let most = left - in_passes - u64::from(keep_history);
        let Some(pass) = facts.longest_pass(most) else {
            break;
        };
        if !is_ready(pass)? {
            break;
        }
        in_passes += u64::from(pass.generations);
        passes.push(pass);
    }
    Ok(UnobservedPlan::Passes {
        passes,
        single: batch.saturating_sub(in_passes),
    })
}

/// The next submission of `left` generations whose census or statistics are observed: about a batch of
/// passes, one at least if there is any that is short enough. `is_ahead`: the statistics of the
/// generation after the present one are known already.
pub(super) fn stats(
    facts: &Facts,
    left: u64,
    is_ahead: bool,
    is_ready: &mut IsReady<'_>,
) -> Result<StatsPlan, EngineError> {
    let most = left.min(STATS_SLOTS);
    // The statistics of the first generation of a run are those of a single step.
    let mut computed = u64::from(!is_ahead);
    let mut passes = Vec::new();
    while computed < facts.batch || passes.is_empty() {
        let Some(pass) = facts.longest_stats_pass(most.saturating_sub(computed)) else {
            break;
        };
        if !is_ready(pass)? {
            break;
        }
        computed += u64::from(pass.new_stats());
        passes.push(pass);
        if facts.options.poisoned {
            // What is poisoned is needed if the pass before has found a settled generation.
            break;
        }
    }
    Ok(match passes.is_empty() {
        true => StatsPlan::Steps {
            generations: facts.batch.min(most),
        },
        false => StatsPlan::Passes { passes },
    })
}

/// How `left` generations whose boards are observed are computed.
pub(super) fn boards(facts: &Facts, left: u64) -> BoardsPlan {
    let frames = (FILM_BYTES / facts.frame_bytes).min(left);
    match facts.is_whole && frames > 1 {
        true => BoardsPlan::Film { frames },
        false => BoardsPlan::Single,
    }
}

impl Facts {
    /// The longest pass of at most `most` generations; `None` if they are better computed one by one.
    pub(super) fn longest_pass(&self, most: u64) -> Option<&'static PassProgram> {
        self.longest(self.passes, |pass| u64::from(pass.generations) <= most)
    }

    /// The longest pass with statistics that computes at most `most` generations.
    fn longest_stats_pass(&self, most: u64) -> Option<&'static PassProgram> {
        self.longest(self.stats_passes, |pass| {
            u64::from(pass.new_stats()) <= most
        })
    }

    fn longest(
        &self,
        passes: &'static [PassProgram],
        is_short_enough: impl Fn(&PassProgram) -> bool,
    ) -> Option<&'static PassProgram> {
        if !self.takes_passes {
            return None;
        }
        let (most, subgroups) = (self.most_generations_per_pass(), self.uses_subgroups());
        let passes = passes.iter().filter(|pass| {
            pass.subgroups == subgroups && pass.generations <= most && is_short_enough(pass)
        });
        passes.max_by_key(|pass| pass.generations)
    }

    /// A software adapter has subgroups, but what they exchange goes through its memory.
    fn uses_subgroups(&self) -> bool {
        let is_worth_it = match (self.options.pass, self.tuning) {
            // An explicit length takes what a card has.
            (Some(_), _) => true,
            (None, Some(tuning)) => tuning.subgroups,
            (None, None) => !self.is_software,
        };
        is_worth_it && !self.options.portable && self.has_subgroups
    }

    pub(super) fn most_generations_per_pass(&self) -> u32 {
        match (self.options.pass, self.tuning) {
            (Some(generations), _) => generations,
            (None, _) if self.cells < LEAST_CELLS => 1,
            (None, Some(tuning)) => tuning.generations,
            (None, None) if self.is_software => SOFTWARE_PASS,
            (None, None) => HARDWARE_PASS,
        }
    }

    /// An explicit length of passes rules the workgroup out. On a software adapter one workgroup is
    /// one core, and the way from dispatch to dispatch is short.
    fn prefers_workgroup(&self) -> bool {
        let suits = self.options.pass.is_none() && !self.is_software;
        let is_wanted = self.options.single_workgroup.unwrap_or(suits);
        is_wanted && self.is_whole && self.fits_workgroup
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::gpu::family::GpuFamily;
    use crate::rules::LifelikeRuleset;

    /// A board of 2,048 x 2,048 cells on a card.
    const CARD: Facts = Facts {
        cells: 1 << 22,
        is_whole: true,
        fits_workgroup: false,
        takes_passes: true,
        is_software: false,
        has_subgroups: true,
        tuning: None,
        options: Options::NONE,
        passes: LifelikeRuleset::PASSES,
        stats_passes: LifelikeRuleset::STATS_PASSES,
        frame_bytes: 1 << 20,
        batch: 10,
    };

    /// The same on a software adapter.
    const SOFTWARE: Facts = Facts {
        is_software: true,
        ..CARD
    };

    const SMALL: Facts = Facts {
        cells: 1 << 12,
        fits_workgroup: true,
        ..CARD
    };

    fn with(facts: Facts, change: impl FnOnce(&mut Facts)) -> Facts {
        let mut facts = facts;
        change(&mut facts);
        facts
    }

    /// A request as the table below has it.
    #[derive(Clone, Copy, Debug)]
    enum Request {
        Step(u64),
        FastForward(u64),
        /// With whether the first generation is known already.
        Stats(u64, bool),
        Boards(u64),
    }

    fn shown(facts: &Facts, request: Request) -> String {
        let list = |passes: &[&PassProgram]| {
            let passes = passes.iter().map(|pass| match pass.subgroups {
                true => format!("{}s", pass.generations),
                false => pass.generations.to_string(),
            });
            passes.collect::<Vec<_>>().join(" ")
        };
        let ready = &mut |_: &'static PassProgram| Ok(true);
        let mut unobserved = |left, keep| match unobserved(facts, left, keep, ready).unwrap() {
            UnobservedPlan::SingleWorkgroup {
                generations,
                single,
            } => format!("workgroup {generations} + {single}"),
            UnobservedPlan::Passes { passes, single } => format!("[{}] + {single}", list(&passes)),
        };
        match request {
            Request::Step(left) => unobserved(left, true),
            Request::FastForward(left) => unobserved(left, false),
            Request::Stats(left, is_ahead) => {
                match stats(facts, left, is_ahead, &mut |_| Ok(true)).unwrap() {
                    StatsPlan::Passes { passes } => format!("stats [{}]", list(&passes)),
                    StatsPlan::Steps { generations } => format!("stats {generations}"),
                }
            }
            Request::Boards(left) => match boards(facts, left) {
                BoardsPlan::Film { frames } => format!("film of {frames}"),
                BoardsPlan::Single => "single boards".into(),
            },
        }
    }

    #[test]
    fn every_way_is_taken_where_it_suits() {
        let tuned = |generations, subgroups| {
            with(CARD, |facts| {
                facts.tuning = Some(Tuning {
                    generations,
                    subgroups,
                });
            })
        };
        let cases = [
            // A card computes four generations per pass by subgroups; the last one is a single step.
            (CARD, Request::Step(100), "[4s 4s 4s] + 0"),
            (CARD, Request::Step(9), "[4s 4s] + 1"),
            (CARD, Request::Step(8), "[4s 2s] + 2"),
            (CARD, Request::FastForward(8), "[4s 4s] + 0"),
            (CARD, Request::Step(1), "[] + 1"),
            (CARD, Request::Stats(100, false), "stats [4s 4s 4s]"),
            (CARD, Request::Stats(3, false), "stats 3"),
            (CARD, Request::Stats(3, true), "stats [4s]"),
            (CARD, Request::Stats(2, true), "stats 2"),
            (CARD, Request::Boards(100), "film of 16"),
            (CARD, Request::Boards(1), "single boards"),
            // A software adapter computes eight, each thread on its own.
            (SOFTWARE, Request::Step(100), "[8 8] + 0"),
            (SOFTWARE, Request::Step(12), "[8 2] + 0"),
            (SOFTWARE, Request::Stats(100, false), "stats [8 8]"),
            // What was measured decides.
            (tuned(8, false), Request::Step(100), "[8 8] + 0"),
            (tuned(1, false), Request::Step(100), "[] + 10"),
            (tuned(1, false), Request::Stats(100, false), "stats 10"),
            // Small boards: in a workgroup on a card, one by one elsewhere.
            (SMALL, Request::Step(100), "workgroup 10 + 0"),
            (SMALL, Request::Step(3), "workgroup 2 + 1"),
            (SMALL, Request::Step(2), "[] + 2"),
            (SMALL, Request::Stats(100, false), "stats 10"),
            (
                with(SMALL, |facts| facts.is_software = true),
                Request::Step(100),
                "[] + 10",
            ),
            (
                with(SMALL, |facts| facts.is_whole = false),
                Request::Step(100),
                "[] + 10",
            ),
            // Options come first.
            (
                with(SMALL, |facts| facts.options.pass = Some(4)),
                Request::Step(100),
                "[4s 4s 4s] + 0",
            ),
            (
                with(SMALL, |facts| {
                    facts.is_software = true;
                    facts.options.single_workgroup = Some(true);
                }),
                Request::Step(100),
                "workgroup 10 + 0",
            ),
            (
                with(CARD, |facts| facts.options.portable = true),
                Request::Step(100),
                "[4 4 4] + 0",
            ),
            (
                with(CARD, |facts| facts.options.poisoned = true),
                Request::Stats(100, false),
                "stats [4s]",
            ),
            // Boards and devices that do not allow a way.
            (
                with(CARD, |facts| facts.takes_passes = false),
                Request::Step(100),
                "[] + 10",
            ),
            (
                with(CARD, |facts| facts.has_subgroups = false),
                Request::Step(100),
                "[4 4 4] + 0",
            ),
            (
                with(CARD, |facts| facts.is_whole = false),
                Request::Boards(100),
                "single boards",
            ),
            // A submission has statistics of at most 255 generations.
            (
                with(SMALL, |facts| facts.batch = 4096),
                Request::Stats(1000, false),
                "stats 255",
            ),
        ];
        for (number, (facts, request, expected)) in cases.into_iter().enumerate() {
            let found = shown(&facts, request);
            assert_eq!(found, expected, "case {number}: {request:?}");
        }
    }

    #[test]
    fn generations_are_single_until_a_pass_is_compiled() {
        let mut not_ready = |_: &'static PassProgram| Ok(false);
        let plan = unobserved(&CARD, 100, true, &mut not_ready).unwrap();
        let UnobservedPlan::Passes { passes, single } = plan else {
            panic!("the board does not fit into a workgroup");
        };
        assert_eq!((passes.len(), single), (0, 10));
        let plan = stats(&CARD, 100, false, &mut not_ready).unwrap();
        assert!(matches!(plan, StatsPlan::Steps { generations: 10 }));
    }
}
