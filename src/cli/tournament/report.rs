//! What a tournament has shown: a summary for people, JSON for programs.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;

use crate::arena::statistics::{Record, SideBias, Standing, Statistics};

/// Below this the difference between the colours is called one.
const SIGNIFICANT: f64 = 0.01;

/// A finished tournament, or the finished part of one.
pub(super) struct Summary<'a> {
    pub(super) tournament: &'a str,
    /// What met.
    pub(super) seeds: &'a str,
    pub(super) scoring: String,
    pub(super) total: u64,
    pub(super) statistics: &'a Statistics,
    pub(super) standings: Option<&'a [Standing]>,
    pub(super) engine: &'static str,
    pub(super) adapter: Option<&'a str>,
    /// Games played by this process, and the time it took.
    pub(super) played: u64,
    pub(super) seconds: f64,
}

/// The fields of `--json`.
#[derive(Serialize)]
struct Report<'a> {
    tournament: &'a str,
    engine: &'static str,
    adapter: Option<&'a str>,
    scoring: &'a str,
    games: u64,
    total: u64,
    played: u64,
    seconds: f64,
    games_per_second: f64,
    red_wins: u64,
    blue_wins: u64,
    draws: u64,
    /// Of the difference between red's and blue's wins.
    side_p: f64,
    standings: Option<Vec<Row<'a>>>,
}

#[derive(Serialize)]
struct Row<'a> {
    rank: usize,
    name: &'a str,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    rate: f64,
    low: f64,
    high: f64,
    rating: f64,
}

impl<'a> Row<'a> {
    fn new(rank: usize, standing: &'a Standing) -> Self {
        let Record {
            wins,
            losses,
            draws,
        } = standing.record;
        let rate = standing.record.rate();
        Self {
            rank,
            name: &standing.name,
            games: standing.record.games(),
            wins,
            draws,
            losses,
            rate: rate.rate,
            low: rate.low,
            high: rate.high,
            rating: standing.rating,
        }
    }
}

impl Summary<'_> {
    fn speed(&self) -> f64 {
        if self.seconds > 0.0 {
            self.played as f64 / self.seconds
        } else {
            0.0
        }
    }

    /// As one JSON object.
    pub(super) fn json(&self, out: &mut dyn Write) -> Result<()> {
        let bias = self.statistics.side_bias();
        let standings = self.standings.map(|standings| {
            let ranked = (1..).zip(standings);
            ranked
                .map(|(rank, standing)| Row::new(rank, standing))
                .collect()
        });
        let report = Report {
            tournament: self.tournament,
            engine: self.engine,
            adapter: self.adapter,
            scoring: &self.scoring,
            games: self.statistics.games(),
            total: self.total,
            played: self.played,
            seconds: self.seconds,
            games_per_second: self.speed(),
            red_wins: bias.red,
            blue_wins: bias.blue,
            draws: self.statistics.red.draws,
            side_p: bias.p,
            standings,
        };
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        Ok(())
    }

    /// For people, with the first `top` lines of the ranking.
    pub(super) fn text(&self, top: usize, out: &mut dyn Write) -> Result<()> {
        let games = self.statistics.games();
        let bias = self.statistics.side_bias();
        let draws = self.statistics.red.draws;
        writeln!(
            out,
            "{games} games of {}, won by {}: red {}, blue {}, draws {draws}",
            self.seeds, self.scoring, bias.red, bias.blue
        )?;
        writeln!(out, "{}", bias_sentence(bias))?;
        if self.played > 0 {
            writeln!(
                out,
                "{} games played in {:.1} s, {:.0} per second",
                self.played,
                self.seconds,
                self.speed()
            )?;
        }
        let Some(standings) = self.standings else {
            writeln!(out, "no ranking: there are too many seeds or pairs of them")?;
            return Ok(());
        };
        let shown = &standings[..top.min(standings.len())];
        let widest = shown
            .iter()
            .map(|standing| standing.name.chars().count().min(40))
            .max();
        let Some(width) = widest.map(|widest| widest.max(4)) else {
            return Ok(());
        };
        writeln!(
            out,
            "\n{:>5}  {:<width$}  {:>7}  {:>7}  {:>7}  {:>7}  points  95 % interval  rating",
            "rank", "seed", "games", "won", "drawn", "lost"
        )?;
        for (rank, standing) in (1..).zip(shown) {
            let row = Row::new(rank, standing);
            let name: String = row.name.chars().take(40).collect();
            writeln!(
                out,
                "{rank:>5}  {name:<width$}  {:>7}  {:>7}  {:>7}  {:>7}  {:>5.1}%  {:>5.1}-{:>5.1}%  {:>6.0}",
                row.games,
                row.wins,
                row.draws,
                row.losses,
                100.0 * row.rate,
                100.0 * row.low,
                100.0 * row.high,
                row.rating
            )?;
        }
        if shown.len() < standings.len() {
            writeln!(out, "{:>5}  (--top N shows more)", "...")?;
        }
        Ok(())
    }
}

fn bias_sentence(bias: SideBias) -> String {
    let decided = bias.red + bias.blue;
    if decided == 0 {
        return "no game was decided".into();
    }
    let share = 100.0 * bias.red as f64 / decided as f64;
    let verdict = if bias.p < SIGNIFICANT {
        "one colour has an advantage"
    } else {
        "no advantage of a colour shows"
    };
    format!(
        "red won {share:.1} % of the decided games, p = {:.3}: {verdict}",
        bias.p
    )
}
