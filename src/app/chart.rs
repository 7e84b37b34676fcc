//! The numbers of red and blue cells over the generations of a run.

use crate::board::LifelikeCensus;

/// The most points. Beyond that every second one is dropped, so a long run costs no more than a short one.
const MOST_POINTS: usize = 2000;

/// The points of a chart, thinned out as their number grows.
#[derive(Debug)]
pub(super) struct Chart {
    points: Vec<(u64, LifelikeCensus)>,
    /// The least generations from one point to the next.
    every: u64,
}

impl Default for Chart {
    fn default() -> Self {
        Self {
            points: Vec::new(),
            every: 1,
        }
    }
}

impl Chart {
    /// Adds the census of a generation. A generation before the last one restarts the chart.
    pub(super) fn add(&mut self, generation: u64, census: LifelikeCensus) {
        match self.points.last() {
            Some(&(last, _)) if generation < last => *self = Self::default(),
            Some(&(last, _)) if generation == last => {
                self.points.pop();
            }
            Some(&(last, _)) if generation < last.saturating_add(self.every) => return,
            Some(_) | None => {}
        }
        self.points.push((generation, census));
        if self.points.len() > MOST_POINTS {
            let mut index = 0;
            self.points.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.every = (self.every * 2).max(generation / MOST_POINTS as u64);
        }
    }

    /// The points of a line: generation and number of cells.
    pub(super) fn series(&self, count: impl Fn(LifelikeCensus) -> u64) -> Vec<[f64; 2]> {
        let point = |&(generation, census): &(u64, LifelikeCensus)| {
            [generation as f64, count(census) as f64]
        };
        self.points.iter().map(point).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_stays_small_and_keeps_its_ends() {
        let mut chart = Chart::default();
        for generation in 0..100_000 {
            chart.add(
                generation,
                LifelikeCensus {
                    red: generation,
                    blue: 1,
                },
            );
        }
        let series = chart.series(|census| census.red);
        assert!(series.len() <= MOST_POINTS);
        assert!(series.len() > MOST_POINTS / 3);
        assert_eq!(series[0], [0.0, 0.0]);
        assert!(series.iter().all(|point| point[0] == point[1]));
        assert!(series[series.len() - 1][0] > 99_000.0);
        chart.add(0, LifelikeCensus { red: 5, blue: 1 });
        assert_eq!(chart.series(|census| census.red), [[0.0, 5.0]]);
        chart.add(0, LifelikeCensus { red: 6, blue: 1 });
        assert_eq!(chart.series(|census| census.red), [[0.0, 6.0]]);
    }
}
