//! Matches on a device, thousands at a time.

use rayon::prelude::*;

use super::{ArenaError, Match, MatchResult, Results, Schedule, Shape, by_key, play};
use crate::board::BoardError;
use crate::engine::gpu::arena::{GpuArena, Run, Task};
use crate::game::referee::Referee;

/// Plays a schedule on a device; matches that are too large or too long for it are played by the
/// CPU.
///
/// # Errors
/// [`ArenaError`] if a board cannot be made or the device fails.
pub fn play_on_gpu<P: Schedule>(
    schedule: &P,
    arena: &GpuArena,
) -> Result<Results<P::Output>, ArenaError> {
    let mut results: Results<P::Output> = Vec::new();
    results.resize_with(schedule.len(), || None);
    let (fitting, others): (Vec<usize>, Vec<usize>) = (0..schedule.len())
        .partition(|&index| GpuArena::takes(schedule.shape(index).size(), schedule.limit(index)));
    // Boards of different sizes go together, and so do rules of few matches. A rule of many matches is played
    // alone: it may be folded into the kernel.
    let key = |index| {
        let Shape {
            rule, edges, ties, ..
        } = schedule.shape(index);
        (rule, edges, ties)
    };
    let batch_of = |matches: &[usize]| {
        let words = matches
            .iter()
            .map(|&index| schedule.shape(index).size().plane_words());
        arena.batch(words.max().unwrap_or(1))
    };
    let groups = by_key(&fitting, key)
        .into_iter()
        .map(|(_, matches)| matches);
    let (mut groups, small): (Vec<Vec<usize>>, Vec<Vec<usize>>) =
        groups.partition(|matches| matches.len() >= batch_of(matches));
    groups.push(small.concat());
    for matches in groups {
        let batch = batch_of(&matches);
        for matches in matches.chunks(batch) {
            let Some(finished) = play_batch(schedule, arena, matches)? else {
                return Ok(results);
            };
            for (&index, result) in matches.iter().zip(finished) {
                results[index] = Some(result);
            }
        }
    }
    let rest = Part {
        whole: schedule,
        matches: &others,
    };
    for (&index, result) in others.iter().zip(play(&rest)?) {
        results[index] = result;
    }
    Ok(results)
}

fn play_batch<P: Schedule>(
    schedule: &P,
    arena: &GpuArena,
    matches: &[usize],
) -> Result<Option<Vec<P::Output>>, ArenaError> {
    let task = |&index: &usize| {
        let match_ = schedule.get(index)?;
        Ok(Task {
            ruleset: match_.ruleset,
            // The engine takes no longer ones.
            limit: u32::try_from(match_.limit).unwrap_or(u32::MAX),
            start: match_.start,
        })
    };
    let tasks: Vec<Task> = matches
        .par_iter()
        .map(task)
        .collect::<Result<_, BoardError>>()?;
    let Some(runs) = arena.play(&tasks, &|| schedule.is_stopped())? else {
        return Ok(None);
    };
    let finish = |((&index, task), run): ((&usize, &Task), Run)| {
        let referee = Referee::new(Some(task.limit.into()));
        let verdict = referee.judge(run.decided, run.stats);
        let result = verdict.map(|verdict| MatchResult {
            first: task.start.census(),
            last: run.board.census(),
            peak: run.peak,
            verdict,
            board: run.board,
        });
        result.map(|result| schedule.finish(index, result))
    };
    let finished: Option<Vec<P::Output>> = matches
        .par_iter()
        .zip(&tasks)
        .zip(runs)
        .map(finish)
        .collect();
    finished.map(Some).ok_or_else(|| arena.undecided().into())
}

/// Some matches of a schedule.
struct Part<'a, P> {
    whole: &'a P,
    matches: &'a [usize],
}

impl<P: Schedule> Schedule for Part<'_, P> {
    type Output = P::Output;

    fn len(&self) -> usize {
        self.matches.len()
    }

    fn shape(&self, index: usize) -> Shape {
        self.whole.shape(self.matches[index])
    }

    fn limit(&self, index: usize) -> u64 {
        self.whole.limit(self.matches[index])
    }

    fn get(&self, index: usize) -> Result<Match, BoardError> {
        self.whole.get(self.matches[index])
    }

    fn finish(&self, index: usize, result: MatchResult) -> P::Output {
        self.whole.finish(self.matches[index], result)
    }

    fn is_stopped(&self) -> bool {
        self.whole.is_stopped()
    }
}
