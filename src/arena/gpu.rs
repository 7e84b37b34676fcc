//! Bouts on a device, thousands at a time.

use rayon::prelude::*;

use super::{ArenaError, Bout, Ending, Programme, Results, Shape, by_key, play};
use crate::board::BoardError;
use crate::engine::gpu::arena::{GpuArena, Run, Task};
use crate::game::referee::Referee;

/// Plays a programme on a device; bouts that are too large or too long for it are played by the
/// CPU.
///
/// # Errors
/// [`ArenaError`] if a board cannot be made or the device fails.
pub fn play_on_gpu<P: Programme>(
    programme: &P,
    arena: &GpuArena,
) -> Result<Results<P::Result>, ArenaError> {
    let mut results: Results<P::Result> = Vec::new();
    results.resize_with(programme.len(), || None);
    let (fitting, others): (Vec<usize>, Vec<usize>) = (0..programme.len())
        .partition(|&index| GpuArena::takes(programme.shape(index).size(), programme.limit(index)));
    // Boards of different sizes go together; only the rules are part of the kernel.
    let key = |index| {
        let Shape {
            rule, edges, ties, ..
        } = programme.shape(index);
        (rule, edges, ties)
    };
    for (_, bouts) in by_key(&fitting, key) {
        let words = bouts
            .iter()
            .map(|&index| programme.shape(index).size().plane_words());
        let batch = arena.batch(words.max().unwrap_or(1));
        for bouts in bouts.chunks(batch) {
            let Some(finished) = play_batch(programme, arena, bouts)? else {
                return Ok(results);
            };
            for (&index, result) in bouts.iter().zip(finished) {
                results[index] = Some(result);
            }
        }
    }
    let rest = Part {
        whole: programme,
        bouts: &others,
    };
    for (&index, result) in others.iter().zip(play(&rest)?) {
        results[index] = result;
    }
    Ok(results)
}

fn play_batch<P: Programme>(
    programme: &P,
    arena: &GpuArena,
    bouts: &[usize],
) -> Result<Option<Vec<P::Result>>, ArenaError> {
    let task = |&index: &usize| {
        let bout = programme.bout(index)?;
        Ok(Task {
            ruleset: bout.ruleset,
            // The engine takes no longer ones.
            limit: u32::try_from(bout.limit).unwrap_or(u32::MAX),
            start: bout.start,
        })
    };
    let tasks: Vec<Task> = bouts
        .par_iter()
        .map(task)
        .collect::<Result<_, BoardError>>()?;
    let Some(runs) = arena.play(&tasks, &|| programme.is_stopped())? else {
        return Ok(None);
    };
    let finish = |((&index, task), run): ((&usize, &Task), Run)| {
        let referee = Referee::new(Some(task.limit.into()));
        let verdict = referee.judge(run.decided, run.sighting);
        let ending = verdict.map(|verdict| Ending {
            first: task.start.census(),
            last: run.board.census(),
            peak: run.peak,
            verdict,
            board: run.board,
        });
        ending.map(|ending| programme.finish(index, ending))
    };
    let finished: Option<Vec<P::Result>> =
        bouts.par_iter().zip(&tasks).zip(runs).map(finish).collect();
    finished.map(Some).ok_or_else(|| arena.undecided().into())
}

/// Some bouts of a programme.
struct Part<'a, P> {
    whole: &'a P,
    bouts: &'a [usize],
}

impl<P: Programme> Programme for Part<'_, P> {
    type Result = P::Result;

    fn len(&self) -> usize {
        self.bouts.len()
    }

    fn shape(&self, index: usize) -> Shape {
        self.whole.shape(self.bouts[index])
    }

    fn limit(&self, index: usize) -> u64 {
        self.whole.limit(self.bouts[index])
    }

    fn bout(&self, index: usize) -> Result<Bout, BoardError> {
        self.whole.bout(self.bouts[index])
    }

    fn finish(&self, index: usize, ending: Ending) -> P::Result {
        self.whole.finish(self.bouts[index], ending)
    }

    fn is_stopped(&self) -> bool {
        self.whole.is_stopped()
    }
}
