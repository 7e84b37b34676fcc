//! One game of a tournament again, by itself.

use std::io::{self, Write};

use anyhow::{Context, Result, bail};

use super::games::Games;
use super::options::TournamentArgs;
use super::result_file::find_row;
use crate::arena::results::{ResultRow, degrees, flip};
use crate::arena::schedule::{Game, Side};
use crate::arena::serial::{self, Way};
use crate::cli::{Status, engines, interrupt, print_note};
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
    if let Some(path) = &args.save_start {
        let document = LifelikeDocument {
            board: &match_.start,
            rule: Some(game.ruleset.rule),
            edges: Some(game.ruleset.edges),
            generation: 0,
        };
        format::save(&document, Format::Rle, path)?;
    }
    let films = args.film.begin(game.size, game.limit, &args.picture)?;
    let mut selected = engines::select(&args.engine, game.ruleset, game.size)?;
    interrupt::listen()?;
    if !args.quiet {
        print_note(&selected.note);
    }
    film(&match_, films, &mut *selected.engine, game.limit)?;
    let result = serial::play(
        &mut *selected.engine,
        &match_,
        Way::Full,
        &interrupt::is_requested,
    )?;
    let Some(result) = result else {
        return Ok(Status::Done);
    };
    let row = ResultRow::new(games.fingerprint(), &game, &result);
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&row)?)?;
    } else if !args.quiet {
        report(&game, &row, args, &mut out)?;
    }
    out.flush()?;
    match &args.output {
        Some(path) if path.exists() => compare(path, &row),
        _ => Ok(Status::Done),
    }
}

/// Writes the films, if any are requested.
fn film(
    match_: &crate::arena::Match,
    mut films: crate::cli::film::Films,
    engine: &mut dyn crate::engine::Engine,
    limit: u64,
) -> Result<()> {
    let mut done = 0;
    if !films.is_due(0) {
        return films.finish();
    }
    engine.load(&match_.start)?;
    films.shoot(&match_.start)?;
    while done < limit && !interrupt::is_requested() {
        let part = films.until_next(done).min(limit - done);
        engine.step(part)?;
        done += part;
        if films.is_due(done) {
            films.shoot(&engine.read()?)?;
        }
    }
    films.finish()
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
