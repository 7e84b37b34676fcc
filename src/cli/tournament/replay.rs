//! One game of a tournament again, by itself.

use std::io::{self, Write};

use anyhow::{Context, Error, Result, bail};

use super::games::Games;
use super::options::TournamentArgs;
use super::result_file::find_row;
use crate::arena::Match;
use crate::arena::results::{ResultRow, degrees, flip};
use crate::arena::schedule::{Game, Side};
use crate::arena::serial::{self, Way};
use crate::cli::film::Films;
use crate::cli::output::{report_failures, standard_output};
use crate::cli::{Status, engines, interrupt, print_note};
use crate::engine::Engine;
use crate::format::{self, Format, LifelikeDocument};
use crate::rules::Ties;

/// Plays game `number` (from 1) on an ordinary engine, generation by generation.
pub(super) fn run(args: &TournamentArgs, games: &mut Games, number: u64) -> Result<Status> {
    let total = games.total();
    let game = match number <= total {
        true => games.games(number - 1, 1)?.pop(),
        false => None,
    };
    let Some(game) = game else {
        bail!("there is no game {number}; the tournament has games 1 to {total}");
    };
    let match_ = game.to_match()?;
    let films = args.film.begin(game.size, game.limit, &args.picture)?;
    let mut selected = engines::select(&args.engine, game.ruleset, game.size)?;
    interrupt::listen();
    if !args.quiet {
        print_note(&selected.note);
    }
    let mut failures = Vec::new();
    failures.extend(save_start(args, &game, &match_).err());
    failures.extend(film(&match_, films, &mut *selected.engine, game.limit)?);
    let result = serial::play(
        &mut *selected.engine,
        &match_,
        Way::Full,
        &interrupt::is_requested,
    )?;
    let Some(result) = result else {
        report_failures(failures)?;
        return Ok(interrupt::status(true));
    };
    let row = ResultRow::new(games.fingerprint(), &game, &result);
    failures.extend(print(args, &game, &row).err());
    report_failures(failures)?;
    match &args.output {
        Some(path) if path.exists() => compare(path, &row),
        _ => Ok(Status::Done),
    }
}

/// Writes the start pattern, if that is requested.
fn save_start(args: &TournamentArgs, game: &Game, match_: &Match) -> Result<()> {
    let Some(path) = &args.save_start else {
        return Ok(());
    };
    let document = LifelikeDocument {
        board: &match_.start,
        rule: Some(game.ruleset.rule),
        edges: Some(game.ruleset.edges),
        generation: 0,
    };
    format::save(&document, Format::Rle, path)?;
    Ok(())
}

/// Reports on standard output, or on standard error if a file has taken that.
fn print(args: &TournamentArgs, game: &Game, row: &ResultRow) -> Result<()> {
    let mut out: Box<dyn Write> = match args.takes_standard_output() {
        true => Box::new(io::stderr().lock()),
        false => Box::new(standard_output()),
    };
    if args.json {
        writeln!(out, "{}", serde_json::to_string(row)?)?;
    } else if !args.quiet {
        report(game, row, args, &mut out)?;
    }
    out.flush()?;
    Ok(())
}

/// Writes the films, if any are requested. Returns what has failed of them.
fn film(
    match_: &Match,
    mut films: Films,
    engine: &mut dyn Engine,
    limit: u64,
) -> Result<Vec<Error>> {
    let mut done = 0;
    if !films.is_due(0) {
        return Ok(films.finish());
    }
    engine.load(&match_.start)?;
    films.shoot(0, &match_.start);
    while done < limit && !films.have_failed() && !interrupt::is_requested() {
        let part = films.until_next(done).min(limit - done);
        engine.step(part)?;
        done += part;
        if films.is_due(done) {
            films.shoot(done, &engine.read()?);
        }
    }
    if films.lacks_last(done) {
        films.shoot(done, &engine.read()?);
    }
    Ok(films.finish())
}

fn report(game: &Game, row: &ResultRow, args: &TournamentArgs, out: &mut dyn Write) -> Result<()> {
    writeln!(
        out,
        "game {}: {} (red) against {} (blue)",
        row.game, row.red, row.blue
    )?;
    writeln!(
        out,
        "{}, {}, {}, {} generations; cells {} and {}, at most {} and {}, at the end {} and {}",
        row.rule,
        row.edges,
        game.size,
        row.limit,
        row.red_first,
        row.blue_first,
        row.red_peak,
        row.blue_peak,
        row.red_last,
        row.blue_last
    )?;
    writeln!(
        out,
        "growth: {}, count: {}, alive: {}, battle: {} (by {} after {} generations)",
        row.growth, row.count, row.alive, row.battle, row.reason, row.decided
    )?;
    writeln!(out, "sha256 {}", row.digest)?;
    writeln!(out, "{}", command(game, row, args))?;
    Ok(())
}

/// The `duolife run` command that gives the same board.
fn command(game: &Game, row: &ResultRow, args: &TournamentArgs) -> String {
    let ties = match game.ruleset.ties {
        Ties::Seeded(seed) => format!("--ties seeded --seed {seed}"),
        other => format!("--ties {other}"),
    };
    let common = format!(
        "--rule {} --edges {} {ties} --generations {} --digest",
        row.rule, row.edges, row.limit
    );
    let is_file = |side: &Side| std::path::Path::new(&*side.entrant.name).is_file();
    if let Some(path) = &args.save_start {
        return format!("duolife run {} {common}", quoted(&path.to_string_lossy()));
    }
    if !(is_file(&game.red) && is_file(&game.blue)) {
        return format!("duolife run START.rle {common} (with --save-start START.rle)");
    }
    let side = |name: &str, side: &Side| {
        let mut text = format!(
            "--{name} {} --{name}-at {},{} --{name}-turn {}",
            quoted(&side.entrant.name),
            side.x,
            side.y,
            degrees(side)
        );
        if side.orientation.flip.is_some() {
            text += &format!(" --{name}-flip {}", flip(side));
        }
        text
    };
    format!(
        "duolife run {} {} --size {} {common}",
        side("red", &game.red),
        side("blue", &game.blue),
        game.size
    )
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,=:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Compares the game with its row in a result file.
fn compare(path: &std::path::Path, row: &ResultRow) -> Result<Status> {
    let shown = path.display();
    let recorded = find_row(path, row.game).with_context(|| shown.to_string())?;
    match recorded {
        None => print_note(&format!("{shown} does not hold game {} yet", row.game)),
        Some(recorded) if recorded == *row => print_note(&format!("equal to the game in {shown}")),
        Some(_) => {
            print_note(&format!("{shown} holds another end of game {}", row.game));
            return Ok(Status::CheckFailed);
        }
    }
    Ok(Status::Done)
}
