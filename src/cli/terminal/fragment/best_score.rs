//! The best score of a game, kept in the folder of the user.

use crate::store::best_scores::{BestScores, Difficulty, Record, ScoreError};

/// The best score of one difficulty, with the file it is kept in.
pub(super) struct Best {
    difficulty: Difficulty,
    store: Result<BestScores, ScoreError>,
    score: Option<u64>,
    /// Notes that have not been printed.
    notes: Vec<String>,
}

impl Best {
    /// The best score so far. A failure becomes a note: a game can be played without a file.
    pub(super) fn of_user(difficulty: Difficulty) -> Self {
        let mut best = Self {
            difficulty,
            store: BestScores::of_user(),
            score: None,
            notes: Vec::new(),
        };
        match &best.store {
            Ok(store) => {
                let record = store.best(difficulty);
                best.learn(record);
            }
            Err(error) => best.notes.push(format!("{error}; scores are not kept")),
        }
        best
    }

    /// The smallest score known.
    pub(super) const fn score(&self) -> Option<u64> {
        self.score
    }

    /// Counts a score. Whether it is smaller than any before.
    pub(super) fn count(&mut self, score: u64) -> bool {
        if self.score.is_some_and(|best| best <= score) {
            return false;
        }
        let before = self.score.replace(score);
        if let Ok(store) = &self.store {
            let record = store.keep(self.difficulty, score);
            self.learn(record);
        }
        // Another program may have done better in the meantime.
        self.score.is_none_or(|best| best == score) && before != self.score
    }

    /// Takes the notes that have not been printed.
    pub(super) fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    fn learn(&mut self, record: Result<Record, ScoreError>) {
        match record {
            Ok(record) => {
                let known = [self.score, record.best].into_iter().flatten();
                self.score = known.min();
                self.notes
                    .extend(record.set_aside.map(|notice| notice.to_string()));
            }
            Err(error) => self
                .notes
                .push(format!("{error}; the best score is not kept")),
        }
    }
}
