//! Results, a line a game: writing them, and going on where a file ends.
//!
//! The file is a log: whole lines, in the order of the games, appended as games are finished. So
//! whatever ends the program, the file holds the first games and at most one half line, which is
//! cut off when the tournament goes on. It is the one file that is not replaced as a whole.

use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};

use crate::arena::schedule::{Game, Side};
use crate::arena::{Ending, Scoring};
use crate::board::transform::{Flip, Turn};
use crate::game::referee::{Outcome, Reason};
use crate::rules::Ties;

/// The longest line that is read; names are the only part without a limit.
const MOST_LINE_BYTES: u64 = 1 << 20;

/// A finished game. The names of the fields are those of the columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    /// Which tournament the game belongs to.
    pub(super) tournament: String,
    /// Its number, from 1.
    pub(super) game: u64,
    pub(super) red: String,
    pub(super) blue: String,
    pub(super) rule: String,
    pub(super) ties: String,
    /// Of the ties.
    pub(super) seed: u64,
    pub(super) edges: String,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) limit: u64,
    /// Column and row of the top left cell of the red seed, from 0; it is first flipped, then
    /// turned.
    pub(super) red_x: u32,
    pub(super) red_y: u32,
    /// Clockwise, in degrees.
    pub(super) red_turn: u16,
    pub(super) red_flip: String,
    pub(super) blue_x: u32,
    pub(super) blue_y: u32,
    pub(super) blue_turn: u16,
    pub(super) blue_flip: String,
    /// Cells of generation 0.
    pub(super) red_first: u64,
    pub(super) blue_first: u64,
    /// Cells of the last generation.
    pub(super) red_last: u64,
    pub(super) blue_last: u64,
    pub(super) red_growth: i64,
    pub(super) blue_growth: i64,
    /// The most cells in any generation.
    pub(super) red_peak: u64,
    pub(super) blue_peak: u64,
    /// Who has won by each scoring.
    pub(super) growth: Outcome,
    pub(super) count: Outcome,
    pub(super) alive: Outcome,
    pub(super) battle: Outcome,
    /// What decided the battle, in which generation, and the period of its board if it repeats.
    pub(super) reason: Reason,
    pub(super) decided: u64,
    pub(super) period: Option<u8>,
    /// SHA-256 of the last board, as `duolife run --digest` gives it.
    pub(super) digest: String,
}

impl Line {
    pub(super) fn new(tournament: &str, game: &Game, ending: &Ending) -> Self {
        let growth = ending.growth();
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
            red_first: ending.first.red,
            blue_first: ending.first.blue,
            red_last: ending.last.red,
            blue_last: ending.last.blue,
            red_growth: growth.red,
            blue_growth: growth.blue,
            red_peak: ending.peak.red,
            blue_peak: ending.peak.blue,
            growth: ending.outcome(Scoring::Growth),
            count: ending.outcome(Scoring::Count),
            alive: ending.outcome(Scoring::Alive),
            battle: ending.outcome(Scoring::Battle),
            reason: ending.verdict.reason,
            decided: ending.verdict.generation,
            period: ending.verdict.period,
            digest: ending.board.digest(),
        }
    }

    /// Who has won by `scoring`.
    pub(super) const fn outcome(&self, scoring: Scoring) -> Outcome {
        match scoring {
            Scoring::Growth => self.growth,
            Scoring::Count => self.count,
            Scoring::Alive => self.alive,
            Scoring::Battle => self.battle,
        }
    }
}

/// Clockwise, in degrees.
pub(super) const fn degrees(side: &Side) -> u16 {
    match side.orientation.turn {
        Turn::None => 0,
        Turn::Quarter => 90,
        Turn::Half => 180,
        Turn::ThreeQuarters => 270,
    }
}

pub(super) const fn flip(side: &Side) -> &'static str {
    match side.orientation.flip {
        None => "none",
        Some(Flip::Horizontal) => "horizontal",
        Some(Flip::Vertical) => "vertical",
    }
}

/// How lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineFormat {
    Csv,
    Jsonl,
}

impl LineFormat {
    pub(super) fn of_name(path: &Path) -> Result<Self> {
        if is_standard(path) {
            return Ok(Self::Csv);
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("csv") => Ok(Self::Csv),
            Some("jsonl" | "ndjson") => Ok(Self::Jsonl),
            _ => bail!(
                "{}: results are written as .csv or .jsonl; choose such a name",
                path.display()
            ),
        }
    }

    /// Appends a line.
    pub(super) fn write(self, line: &Line, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::Csv => {
                let mut writer = csv::WriterBuilder::new()
                    .has_headers(false)
                    .buffer_capacity(1 << 10)
                    .from_writer(out);
                writer.serialize(line)?;
                writer.flush()?;
            }
            Self::Jsonl => {
                serde_json::to_writer(&mut *out, line)?;
                out.push(b'\n');
            }
        }
        Ok(())
    }

    /// What a file begins with.
    fn header(self) -> Vec<u8> {
        match self {
            Self::Csv => {
                let names = COLUMNS.map(|(name, _)| name);
                format!("{}\n", names.join(",")).into_bytes()
            }
            Self::Jsonl => Vec::new(),
        }
    }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    Text,
    /// Whole numbers from 0 on.
    Numbers,
    /// Whole numbers of either sign.
    Signed,
    /// Whole numbers from 0 on, or nothing.
    NumbersIfAny,
}

/// The columns of a file: the fields of [`Line`].
pub(super) const COLUMNS: [(&str, Values); 35] = {
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

/// The results of a tournament on their way to a file.
pub(super) struct Book {
    name: String,
    out: Out,
    finished: u64,
}

enum Out {
    Nowhere,
    Standard(BufWriter<io::Stdout>),
    File(File),
}

/// What to do about a file that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Existing {
    GoOn,
    MustExist,
    Overwrite,
}

impl Book {
    /// A book for results that nobody keeps.
    pub(super) const fn none() -> Self {
        Self {
            name: String::new(),
            out: Out::Nowhere,
            finished: 0,
        }
    }

    /// Opens the file at `path`, hands the lines it holds to `note`, and stands after them.
    pub(super) fn open(
        path: &Path,
        existing: Existing,
        tournament: &str,
        mut note: impl FnMut(&Line),
    ) -> Result<Self> {
        let format = LineFormat::of_name(path)?;
        if is_standard(path) {
            let mut out = BufWriter::new(io::stdout());
            out.write_all(&format.header())?;
            return Ok(Self {
                name: "standard output".into(),
                out: Out::Standard(out),
                finished: 0,
            });
        }
        let name = path.display().to_string();
        if existing == Existing::MustExist && !path.exists() {
            bail!("{name}: there is nothing to resume; leave out --resume to begin");
        }
        crate::format::check_place(path)?;
        let cannot = || format!("{name}: cannot be opened for reading and writing");
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(cannot)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("{name}: another process is writing to it"),
            // A file system without locks is trusted.
            Err(TryLockError::Error(_)) => {}
        }
        if existing == Existing::Overwrite {
            file.set_len(0).with_context(cannot)?;
        }
        let whole = whole_lines(&mut file).with_context(cannot)?;
        let finished = read_lines(&file, path, whole, format, |line| {
            if line.tournament != tournament {
                bail!(
                    "holds games of another tournament ({}, this is {tournament}); choose another --output, or --overwrite",
                    line.tournament
                );
            }
            note(line);
            Ok(())
        })?;
        // Only now, when the file is known to be ours.
        file.set_len(whole).with_context(cannot)?;
        file.seek(SeekFrom::End(0)).with_context(cannot)?;
        if whole == 0 {
            file.write_all(&format.header()).with_context(cannot)?;
        }
        Ok(Self {
            name,
            out: Out::File(file),
            finished,
        })
    }

    /// Games in the book.
    pub(super) const fn finished(&self) -> u64 {
        self.finished
    }

    /// Appends the lines of `games` games.
    pub(super) fn append(&mut self, lines: &[u8], games: u64) -> Result<()> {
        let written = match &mut self.out {
            Out::Nowhere => Ok(()),
            Out::Standard(out) => out.write_all(lines).and_then(|()| out.flush()),
            Out::File(file) => file.write_all(lines),
        };
        written.with_context(|| format!("{}: cannot be written", self.name))?;
        self.finished += games;
        Ok(())
    }
}

/// Reads the lines of a result file that hold whole games, in order from game 1, and returns how
/// many. Errors name file and line.
fn read_lines(
    mut file: &File,
    path: &Path,
    whole: u64,
    format: LineFormat,
    mut note: impl FnMut(&Line) -> Result<()>,
) -> Result<u64> {
    file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::with_capacity(1 << 16, file.take(whole));
    let (mut games, mut number) = (0, 0);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        reader
            .by_ref()
            .take(MOST_LINE_BYTES)
            .read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(games);
        }
        number += 1;
        let place = || format!("{}, line {number}", path.display());
        if number == 1 && format == LineFormat::Csv {
            if bytes != format.header() {
                bail!(
                    "{}: not the header of a result file; choose another --output, or --overwrite",
                    place()
                );
            }
            continue;
        }
        let line = parse_line(&bytes, format).map_err(|error| {
            anyhow!(
                "{}: not a result ({error}); choose another --output, or --overwrite",
                place()
            )
        })?;
        games += 1;
        if line.game != games {
            bail!(
                "{}: game {} stands where game {games} should; choose another --output, or --overwrite",
                place(),
                line.game
            );
        }
        note(&line).with_context(place)?;
    }
}

fn parse_line(bytes: &[u8], format: LineFormat) -> Result<Line> {
    match format {
        LineFormat::Jsonl => Ok(serde_json::from_slice(bytes)?),
        LineFormat::Csv => {
            let mut reader = csv::ReaderBuilder::new()
                .has_headers(false)
                .buffer_capacity(1 << 10)
                .from_reader(bytes);
            match reader.deserialize().next() {
                Some(line) => line.map_err(|error| match error.kind() {
                    csv::ErrorKind::Deserialize { err, .. } => anyhow!("{err}"),
                    _ => anyhow!("{error}"),
                }),
                None => bail!("the line is empty"),
            }
        }
    }
}

/// Reads the whole lines of a result file, in order.
pub(super) fn for_each_line(path: &Path, note: impl FnMut(&Line) -> Result<()>) -> Result<()> {
    let format = LineFormat::of_name(path)?;
    let mut file =
        File::open(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let whole = whole_lines(&mut file)?;
    read_lines(&file, path, whole, format, note)?;
    Ok(())
}

/// The line of game `game` (from 1) in a result file, if it is there.
pub(super) fn find_line(path: &Path, game: u64) -> Result<Option<Line>> {
    let mut found = None;
    for_each_line(path, |line| {
        if line.game == game {
            found = Some(line.clone());
        }
        Ok(())
    })?;
    Ok(found)
}

/// Bytes up to the end of the last line that has one: a process that was killed while writing
/// leaves half a line.
fn whole_lines(file: &mut File) -> io::Result<u64> {
    const BLOCK: u64 = 1 << 16;
    let mut end = file.seek(SeekFrom::End(0))?;
    let mut block = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        file.seek(SeekFrom::Start(start))?;
        block.clear();
        (&mut *file).take(end - start).read_to_end(&mut block)?;
        if let Some(last) = block.iter().rposition(|&byte| byte == b'\n') {
            return Ok(start + last as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}
