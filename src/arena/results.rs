//! Results of a tournament, a row per game: their columns, their text, and the check of rows that are
//! read again.
//!
//! Rows stand in the order of their games, from game 1 on, so the rows that are there say where a
//! tournament is to be resumed.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::schedule::{Game, Side};
use super::{MatchResult, Scoring};
use crate::board::LifelikeCensus;
use crate::board::transform::{Flip, Turn};
use crate::game::referee::{Growth, Outcome, Reason};
use crate::rules::Ties;

/// A finished game. The names of the fields are those of the columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultRow {
    /// The fingerprint of the tournament.
    pub tournament: String,
    /// Its number, from 1.
    pub game: u64,
    /// The red seed.
    pub red: String,
    /// The blue seed.
    pub blue: String,
    /// The rule.
    pub rule: String,
    /// Who owns ties.
    pub ties: String,
    /// The seed of seeded ties, else 0.
    pub seed: u64,
    /// What lies beyond the border.
    pub edges: String,
    /// Columns of the board.
    pub width: u32,
    /// Rows of the board.
    pub height: u32,
    /// Generations of the game.
    pub limit: u64,
    /// Column of the top left cell of the red seed, which is first flipped, then turned; from 0.
    pub red_x: u32,
    /// Its row.
    pub red_y: u32,
    /// Clockwise, in degrees.
    pub red_turn: u16,
    /// `none`, `horizontal` or `vertical`.
    pub red_flip: String,
    /// The same for the blue seed.
    pub blue_x: u32,
    /// Its row.
    pub blue_y: u32,
    /// Clockwise, in degrees.
    pub blue_turn: u16,
    /// `none`, `horizontal` or `vertical`.
    pub blue_flip: String,
    /// Red cells of generation 0.
    pub red_first: u64,
    /// The same for blue.
    pub blue_first: u64,
    /// Red cells of the last generation.
    pub red_last: u64,
    /// The same for blue.
    pub blue_last: u64,
    /// Red cells of the last generation, less those of generation 0.
    pub red_growth: i64,
    /// The same for blue.
    pub blue_growth: i64,
    /// The most red cells of any generation.
    pub red_peak: u64,
    /// The same for blue.
    pub blue_peak: u64,
    /// Who has won by growth.
    pub growth: Outcome,
    /// Who has won by the cells of the last generation.
    pub count: Outcome,
    /// Who has outlived the other.
    pub alive: Outcome,
    /// Who has won the life battle.
    pub battle: Outcome,
    /// What decided the battle.
    pub reason: Reason,
    /// The generation in which it was decided.
    pub decided: u64,
    /// The period of its board, if it repeats.
    pub period: Option<u8>,
    /// SHA-256 of the last board, as `duolife run --digest` gives it.
    pub digest: String,
}

impl ResultRow {
    /// The row of a game of the tournament with this fingerprint.
    pub fn new(tournament: &str, game: &Game, result: &MatchResult) -> Self {
        let growth = result.growth();
        Self {
            red_first: result.first.red,
            blue_first: result.first.blue,
            red_last: result.last.red,
            blue_last: result.last.blue,
            red_growth: growth.red,
            blue_growth: growth.blue,
            red_peak: result.peak.red,
            blue_peak: result.peak.blue,
            growth: result.outcome(Scoring::Growth),
            count: result.outcome(Scoring::Count),
            alive: result.outcome(Scoring::Alive),
            battle: result.outcome(Scoring::Battle),
            reason: result.verdict.reason,
            decided: result.verdict.generation,
            period: result.verdict.period,
            digest: result.board.digest(),
            ..Self::unplayed(tournament, game)
        }
    }

    /// The row of a game as if nothing came of it.
    fn unplayed(tournament: &str, game: &Game) -> Self {
        let (ties, seed) = match game.ruleset.ties {
            Ties::Seeded(seed) => ("seeded".to_owned(), seed),
            other => (other.to_string(), 0),
        };
        Self {
            tournament: tournament.into(),
            game: game.number + 1,
            red: game.red.entrant.name.as_ref().into(),
            blue: game.blue.entrant.name.as_ref().into(),
            rule: game.ruleset.rule.to_string(),
            ties,
            seed,
            edges: game.ruleset.edges.to_string(),
            width: game.size.width(),
            height: game.size.height(),
            limit: game.limit,
            red_x: game.red.x,
            red_y: game.red.y,
            red_turn: degrees(&game.red),
            red_flip: flip(&game.red).into(),
            blue_x: game.blue.x,
            blue_y: game.blue.y,
            blue_turn: degrees(&game.blue),
            blue_flip: flip(&game.blue).into(),
            red_first: 0,
            blue_first: 0,
            red_last: 0,
            blue_last: 0,
            red_growth: 0,
            blue_growth: 0,
            red_peak: 0,
            blue_peak: 0,
            growth: Outcome::Draw,
            count: Outcome::Draw,
            alive: Outcome::Draw,
            battle: Outcome::Draw,
            reason: Reason::Limit,
            decided: 0,
            period: None,
            digest: String::new(),
        }
    }

    /// Whether the row can be that of a game: its names and settings, and outcomes that follow from its
    /// counts. Only playing the game again says more.
    ///
    /// # Errors
    /// [`RowError::Changed`] with the first column that is another.
    pub fn check(&self, tournament: &str, game: &Game) -> Result<(), RowError> {
        let counts = [
            self.red_first,
            self.blue_first,
            self.red_last,
            self.blue_last,
            self.red_peak,
            self.blue_peak,
        ];
        if let Some(&count) = counts.iter().find(|&&count| count > game.size.cells()) {
            return Err(RowError::TooMany(count));
        }
        let census = |red, blue| LifelikeCensus { red, blue };
        let first = census(self.red_first, self.blue_first);
        let last = census(self.red_last, self.blue_last);
        let growth = Growth::between(first, last);
        let count = Growth::between(LifelikeCensus::default(), last).clamped();
        let expected = Self {
            red_first: self.red_first,
            blue_first: self.blue_first,
            red_last: self.red_last,
            blue_last: self.blue_last,
            red_growth: growth.red,
            blue_growth: growth.blue,
            red_peak: self.red_peak.max(first.red).max(last.red),
            blue_peak: self.blue_peak.max(first.blue).max(last.blue),
            growth: growth.clamped(),
            count,
            alive: match self.reason {
                Reason::Elimination => self.battle,
                Reason::Extinction | Reason::Coexistence | Reason::Limit => Outcome::Draw,
            },
            battle: match (self.reason, self.battle) {
                (Reason::Limit, _) => count,
                (Reason::Extinction | Reason::Coexistence, _) => Outcome::Draw,
                // The side that is gone stays gone.
                (Reason::Elimination, Outcome::Red) if last.blue == 0 => Outcome::Red,
                (Reason::Elimination, Outcome::Blue) if last.red == 0 => Outcome::Blue,
                (Reason::Elimination, _) => Outcome::Undecided,
            },
            reason: self.reason,
            decided: self.decided.min(game.limit),
            period: match self.reason {
                Reason::Coexistence => Some(self.period.unwrap_or(1).clamp(1, 2)),
                Reason::Extinction | Reason::Elimination | Reason::Limit => None,
            },
            digest: self.digest.clone(),
            ..Self::unplayed(tournament, game)
        };
        self.compare(&expected)
    }

    /// Whether the row is that of the game as it has ended now.
    ///
    /// # Errors
    /// [`RowError::Changed`] with the first column that is another.
    pub fn compare(&self, expected: &Self) -> Result<(), RowError> {
        if self == expected {
            return Ok(());
        }
        let values = |row: &Self| serde_json::to_value(row).unwrap_or_default();
        let (found, expected) = (values(self), values(expected));
        let column = COLUMNS
            .iter()
            .find(|(name, _)| found[name] != expected[name]);
        let name = column.map_or("a column", |(name, _)| name);
        Err(RowError::Changed {
            column: name,
            found: found[name].to_string(),
            expected: expected[name].to_string(),
        })
    }

    /// Who has won by `scoring`.
    pub const fn outcome(&self, scoring: Scoring) -> Outcome {
        match scoring {
            Scoring::Growth => self.growth,
            Scoring::Count => self.count,
            Scoring::Alive => self.alive,
            Scoring::Battle => self.battle,
        }
    }
}

/// The turn of a side, clockwise, in degrees.
pub const fn degrees(side: &Side) -> u16 {
    match side.orientation.turn {
        Turn::None => 0,
        Turn::Quarter => 90,
        Turn::Half => 180,
        Turn::ThreeQuarters => 270,
    }
}

/// The flip of a side, in one word.
pub const fn flip(side: &Side) -> &'static str {
    match side.orientation.flip {
        None => "none",
        Some(Flip::Horizontal) => "horizontal",
        Some(Flip::Vertical) => "vertical",
    }
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultFormat {
    /// Comma-separated values under a header.
    Csv,
    /// A JSON object per line.
    Jsonl,
}

impl ResultFormat {
    /// The format of files with an extension, if it has one.
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "csv" => Some(Self::Csv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            _ => None,
        }
    }

    /// Appends a row.
    ///
    /// # Errors
    /// If the row cannot be written as text.
    pub fn write(self, row: &ResultRow, out: &mut Vec<u8>) -> Result<(), RowError> {
        match self {
            Self::Csv => {
                let mut writer = csv::WriterBuilder::new()
                    .has_headers(false)
                    .buffer_capacity(1 << 10)
                    .from_writer(out);
                let written = writer.serialize(row);
                written.map_err(|error| RowError::Write(error.to_string()))?;
                let flushed = writer.flush();
                flushed.map_err(|error| RowError::Write(error.to_string()))?;
            }
            Self::Jsonl => {
                let written = serde_json::to_writer(&mut *out, row);
                written.map_err(|error| RowError::Write(error.to_string()))?;
                out.push(b'\n');
            }
        }
        Ok(())
    }

    /// The beginning of a file.
    pub fn header(self) -> Vec<u8> {
        match self {
            Self::Csv => {
                let names = COLUMNS.map(|(name, _)| name);
                format!("{}\n", names.join(",")).into_bytes()
            }
            Self::Jsonl => Vec::new(),
        }
    }

    /// How the line of a game begins; of game 0, the file.
    pub fn beginning(self, tournament: &str, game: u64) -> Vec<u8> {
        match self {
            Self::Csv if game == 0 => self.header(),
            Self::Csv => format!("{tournament},{game},").into_bytes(),
            Self::Jsonl => {
                format!("{{\"tournament\":\"{tournament}\",\"game\":{game},").into_bytes()
            }
        }
    }

    /// The row of a line.
    fn parse(self, line: &[u8]) -> Result<ResultRow, String> {
        match self {
            Self::Jsonl => serde_json::from_slice(line).map_err(|error| error.to_string()),
            Self::Csv => {
                let mut reader = csv::ReaderBuilder::new()
                    .has_headers(false)
                    .buffer_capacity(1 << 10)
                    .from_reader(line);
                match reader.deserialize().next() {
                    Some(row) => row.map_err(|error| match error.kind() {
                        csv::ErrorKind::Deserialize { err, .. } => err.to_string(),
                        _ => error.to_string(),
                    }),
                    None => Err("the line is empty".into()),
                }
            }
        }
    }
}

/// Why a row cannot be written, or a line is not the next row of a tournament.
#[derive(Debug, Error)]
pub enum RowError {
    /// The row cannot be written, for that reason.
    #[error("{0}")]
    Write(String),
    /// The first line of a CSV file is another one.
    #[error("not the header of a result file; choose another --output, or --overwrite")]
    Header,
    /// The line is no row, for that reason.
    #[error("not a result ({0}); choose another --output, or --overwrite")]
    NoRow(String),
    /// A count is larger than the board.
    #[error(
        "{0} cells are more than the board has; correct the line, or choose another --output, or --overwrite"
    )]
    TooMany(u64),
    /// The line was changed since it was written.
    #[error(
        "{column} is {found}, but the game has {expected}; correct the line, or choose another --output, or --overwrite"
    )]
    Changed {
        /// The column.
        column: &'static str,
        /// What it holds.
        found: String,
        /// What it should hold.
        expected: String,
    },
    /// The row is that of another game.
    #[error(
        "game {found} stands where game {expected} should; choose another --output, or --overwrite"
    )]
    OutOfOrder {
        /// The game of the row.
        found: u64,
        /// The game that comes next.
        expected: u64,
    },
}

/// Reads the lines of a result file, from the first on.
#[derive(Clone, Copy, Debug)]
pub struct RowReader {
    format: ResultFormat,
    lines: u64,
    games: u64,
}

impl RowReader {
    /// A reader of a file from its beginning.
    pub const fn new(format: ResultFormat) -> Self {
        Self {
            format,
            lines: 0,
            games: 0,
        }
    }

    /// The row of the next line, with its line break; `None` for the header.
    ///
    /// # Errors
    /// [`RowError`] if it is not the row of the next game.
    pub fn read(&mut self, line: &[u8]) -> Result<Option<ResultRow>, RowError> {
        self.lines += 1;
        if self.lines == 1 && self.format == ResultFormat::Csv {
            return match line == self.format.header() {
                true => Ok(None),
                false => Err(RowError::Header),
            };
        }
        let row = self.format.parse(line).map_err(RowError::NoRow)?;
        self.games += 1;
        if row.game != self.games {
            return Err(RowError::OutOfOrder {
                found: row.game,
                expected: self.games,
            });
        }
        Ok(Some(row))
    }

    /// Lines read.
    pub const fn lines(&self) -> u64 {
        self.lines
    }

    /// Games read.
    pub const fn games(&self) -> u64 {
        self.games
    }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Any text.
    Text,
    /// Whole numbers from 0 on.
    Numbers,
    /// Whole numbers of either sign.
    Signed,
    /// Whole numbers from 0 on, or nothing.
    NumbersIfAny,
}

/// The columns of a file: the fields of [`ResultRow`].
pub const COLUMNS: [(&str, Values); 35] = {
    use Values::{Numbers, NumbersIfAny, Signed, Text};
    [
        ("tournament", Text),
        ("game", Numbers),
        ("red", Text),
        ("blue", Text),
        ("rule", Text),
        ("ties", Text),
        ("seed", Numbers),
        ("edges", Text),
        ("width", Numbers),
        ("height", Numbers),
        ("limit", Numbers),
        ("red_x", Numbers),
        ("red_y", Numbers),
        ("red_turn", Numbers),
        ("red_flip", Text),
        ("blue_x", Numbers),
        ("blue_y", Numbers),
        ("blue_turn", Numbers),
        ("blue_flip", Text),
        ("red_first", Numbers),
        ("blue_first", Numbers),
        ("red_last", Numbers),
        ("blue_last", Numbers),
        ("red_growth", Signed),
        ("blue_growth", Signed),
        ("red_peak", Numbers),
        ("blue_peak", Numbers),
        ("growth", Text),
        ("count", Text),
        ("alive", Text),
        ("battle", Text),
        ("reason", Text),
        ("decided", Numbers),
        ("period", NumbersIfAny),
        ("digest", Text),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_from_game_1_on() {
        let mut reader = RowReader::new(ResultFormat::Csv);
        assert!(reader.read(&ResultFormat::Csv.header()).unwrap().is_none());
        assert!(matches!(reader.read(b"1,2\n"), Err(RowError::NoRow(_))));
        assert_eq!((reader.lines(), reader.games()), (2, 0));
        let mut reader = RowReader::new(ResultFormat::Csv);
        assert!(matches!(reader.read(b"game\n"), Err(RowError::Header)));
    }
}
