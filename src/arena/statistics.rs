//! What many results say: rates with confidence intervals, whether a side has an advantage, and
//! ratings.
//!
//! A win counts 1 and a draw 1/2 throughout.

use std::collections::HashMap;
use std::sync::Arc;

use crate::game::referee::Outcome;

/// The standard normal quantile of a two-sided 95 % interval.
const Z_95: f64 = 1.959_963_984_540_054;

/// Names beyond which only totals are kept: a table of more is no use to anybody.
const MOST_NAMES: usize = 1 << 18;

/// Pairs beyond which no ratings are made.
const MOST_PAIRS: usize = 1 << 21;

/// Steps of the rating iteration times pairs, at most.
const MOST_WORK: usize = 1 << 28;

/// Where the average rating lies.
const AVERAGE_RATING: f64 = 1500.0;

/// Wins, losses and draws of one entrant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
}

impl Record {
    /// Games played.
    pub const fn games(self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Points: a win is 1, a draw 1/2.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points per game, and the 95 % interval of what it would be after ever more games, by Wilson's
    /// score method (E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical
    /// Inference", JASA 22, 1927). With draws, whose spread is smaller, the interval is on the wide
    /// side.
    pub fn rate(self) -> Rate {
        let games = self.games() as f64;
        if games == 0.0 {
            return Rate {
                rate: 0.5,
                low: 0.0,
                high: 1.0,
            };
        }
        let rate = self.points() / games;
        let z = Z_95 * Z_95 / games;
        let centre = (rate + z / 2.0) / (1.0 + z);
        let spread = (rate * (1.0 - rate) * z + z * z / 4.0).sqrt() / (1.0 + z);
        Rate {
            rate,
            low: (centre - spread).max(0.0),
            high: (centre + spread).min(1.0),
        }
    }
}

/// A rate with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Between 0 and 1.
    pub rate: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Results, added up.
#[derive(Debug, Default)]
pub struct Statistics {
    /// What red won, lost and drew.
    pub red: Record,
    names: Vec<Arc<str>>,
    records: Vec<Record>,
    places: HashMap<Arc<str>, u32>,
    /// Points of the first over the second, in halves, and games; the first has the lower place.
    pairs: HashMap<(u32, u32), (u64, u64)>,
    too_many_names: bool,
    too_many_pairs: bool,
}

/// One line of a table.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Who.
    pub name: Arc<str>,
    /// Games won, lost and drawn.
    pub record: Record,
    /// On the Elo scale; the average is 1500.
    pub rating: f64,
}

/// Whether red and blue have won equally often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideBias {
    /// Games red won.
    pub red: u64,
    /// Games blue won.
    pub blue: u64,
    /// How likely a difference at least as large would be if neither side had an advantage.
    pub p: f64,
}

impl Statistics {
    /// Adds a game.
    pub fn add(&mut self, red: &Arc<str>, blue: &Arc<str>, outcome: Outcome) {
        let (won, lost) = match outcome {
            Outcome::Red => (true, false),
            Outcome::Blue => (false, true),
            Outcome::Draw | Outcome::Undecided => (false, false),
        };
        count(&mut self.red, won, lost);
        let (Some(red), Some(blue)) = (self.place(red), self.place(blue)) else {
            return;
        };
        if red == blue {
            // A game against itself changes no rating.
            return;
        }
        count(&mut self.records[red as usize], won, lost);
        count(&mut self.records[blue as usize], lost, won);
        let halves = match (won, lost) {
            (true, _) => 2,
            (false, true) => 0,
            (false, false) => 1,
        };
        let (key, halves) = if red < blue {
            ((red, blue), halves)
        } else {
            ((blue, red), 2 - halves)
        };
        if self.pairs.len() >= MOST_PAIRS && !self.pairs.contains_key(&key) {
            self.too_many_pairs = true;
            return;
        }
        let pair = self.pairs.entry(key).or_default();
        pair.0 += halves;
        pair.1 += 1;
    }

    fn place(&mut self, name: &Arc<str>) -> Option<u32> {
        if let Some(&place) = self.places.get(name) {
            return Some(place);
        }
        if self.names.len() >= MOST_NAMES {
            self.too_many_names = true;
            return None;
        }
        let place = self.names.len() as u32;
        self.names.push(Arc::clone(name));
        self.records.push(Record::default());
        self.places.insert(Arc::clone(name), place);
        Some(place)
    }

    /// Games added.
    pub const fn games(&self) -> u64 {
        self.red.games()
    }

    /// Two-sided sign test of red's wins against blue's, by the normal approximation with
    /// continuity correction.
    pub fn side_bias(&self) -> SideBias {
        let (red, blue) = (self.red.wins, self.red.losses);
        let decided = (red + blue) as f64;
        let distance = (red.abs_diff(blue) as f64 - 1.0).max(0.0);
        let p = if decided == 0.0 {
            1.0
        } else {
            libm::erfc(distance / (2.0 * decided).sqrt())
        };
        SideBias { red, blue, p }
    }

    /// Everybody, the strongest first; `None` if there are too many entrants or pairs to rate.
    pub fn standings(&self) -> Option<Vec<Standing>> {
        if self.too_many_names || self.too_many_pairs {
            return None;
        }
        let mut standings: Vec<Standing> = self
            .names
            .iter()
            .zip(&self.records)
            .zip(self.ratings())
            .map(|((name, &record), rating)| Standing {
                name: Arc::clone(name),
                record,
                rating,
            })
            .collect();
        standings.sort_by(|a, b| {
            let by_rating = b.rating.total_cmp(&a.rating);
            by_rating.then_with(|| a.name.cmp(&b.name))
        });
        Some(standings)
    }

    /// Ratings by the Bradley-Terry model: i beats j with probability p_i / (p_i + p_j). Found by
    /// the MM algorithm (D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals
    /// of Statistics 32, 2004), with one more draw of everybody against a player of strength 1, so
    /// that who won or lost all games has a rating, too.
    fn ratings(&self) -> Vec<f64> {
        let mut pairs: Vec<_> = self.pairs.iter().map(|(&key, &pair)| (key, pair)).collect();
        // Sums in floating point depend on their order.
        pairs.sort_unstable();
        let mut strength = vec![1.0f64; self.names.len()];
        let points: Vec<f64> = self
            .records
            .iter()
            .map(|record| record.points() + 0.5)
            .collect();
        let most = (MOST_WORK / pairs.len().max(1)).min(10_000);
        for _ in 0..most {
            let mut weight: Vec<f64> = strength.iter().map(|own| 1.0 / (own + 1.0)).collect();
            for &((a, b), (_, games)) in &pairs {
                let (a, b) = (a as usize, b as usize);
                let share = games as f64 / (strength[a] + strength[b]);
                weight[a] += share;
                weight[b] += share;
            }
            let mut moved = 0.0f64;
            for ((strength, weight), points) in strength.iter_mut().zip(weight).zip(&points) {
                let next = points / weight;
                moved = moved.max((next / *strength).ln().abs());
                *strength = next;
            }
            if moved < 1e-9 {
                break;
            }
        }
        let elo = |strength: &f64| 400.0 * strength.log10();
        let average = strength.iter().map(elo).sum::<f64>() / strength.len().max(1) as f64;
        let ratings = strength
            .iter()
            .map(|own| elo(own) - average + AVERAGE_RATING);
        ratings.collect()
    }
}

fn count(record: &mut Record, won: bool, lost: bool) {
    match (won, lost) {
        (true, _) => record.wins += 1,
        (false, true) => record.losses += 1,
        (false, false) => record.draws += 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(games: &[(&str, &str, Outcome, u64)]) -> Statistics {
        let mut statistics = Statistics::default();
        for &(red, blue, outcome, times) in games {
            for _ in 0..times {
                statistics.add(&red.into(), &blue.into(), outcome);
            }
        }
        statistics
    }

    #[test]
    fn wilson_intervals_are_those_of_the_textbooks() {
        let rate = |wins, losses| {
            let draws = 0;
            Record {
                wins,
                losses,
                draws,
            }
            .rate()
        };
        let near = |found: f64, expected: f64| (found - expected).abs() < 5e-5;
        let ten = rate(10, 10);
        assert!(near(ten.low, 0.29930) && near(ten.high, 0.70070), "{ten:?}");
        let none = rate(0, 10);
        assert!(none.low == 0.0 && near(none.high, 0.27753), "{none:?}");
    }

    #[test]
    fn ratings_solve_the_bradley_terry_equations() {
        let statistics = played(&[
            ("a", "b", Outcome::Red, 60),
            ("a", "b", Outcome::Blue, 20),
            ("b", "c", Outcome::Red, 30),
            ("c", "b", Outcome::Draw, 10),
            ("c", "a", Outcome::Blue, 35),
            ("c", "a", Outcome::Red, 5),
        ]);
        let standings = statistics.standings().unwrap();
        let names: Vec<&str> = standings.iter().map(|standing| &*standing.name).collect();
        assert_eq!(names, ["a", "b", "c"]);
        // Each has as many points as expected of it, the extra draw included.
        let strength = |k: usize| 10f64.powf((standings[k].rating - 1500.0) / 400.0);
        let games = |a: &str, b: &str| match (a, b) {
            ("a", "b") | ("b", "a") => 80.0,
            _ => 40.0,
        };
        // The scale of strengths is known only up to the extra player; find it by a.
        let expected = |k: usize, extra: f64| {
            let own = strength(k);
            let others = (0..3).filter(|&other| other != k);
            let points =
                others.map(|other| games(names[k], names[other]) * own / (own + strength(other)));
            points.sum::<f64>() + own / (own + extra)
        };
        let misses = |extra: f64| {
            (0..3)
                .map(|k| (expected(k, extra) - standings[k].record.points() - 0.5).abs())
                .sum::<f64>()
        };
        let best = (1..4000)
            .map(|n| misses(f64::from(n) / 1000.0))
            .fold(f64::MAX, f64::min);
        assert!(best < 1e-2, "{best}");
    }

    #[test]
    fn who_won_everything_has_a_rating_and_a_side_without_advantage_no_bias() {
        let statistics = played(&[("a", "b", Outcome::Red, 50), ("b", "a", Outcome::Blue, 50)]);
        let standings = statistics.standings().unwrap();
        assert!(standings[0].rating.is_finite() && &*standings[0].name == "a");
        assert_eq!(statistics.side_bias().p, 1.0);
        let biased = played(&[("a", "b", Outcome::Red, 60), ("b", "a", Outcome::Blue, 40)]);
        let p = biased.side_bias().p;
        assert!((0.056..0.058).contains(&p), "{p}");
        let itself = played(&[("a", "a", Outcome::Red, 3)]);
        assert_eq!(itself.standings().unwrap()[0].record.games(), 0);
        assert_eq!(itself.games(), 3);
    }
}
