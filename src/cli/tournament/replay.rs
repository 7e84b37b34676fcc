//! One game of a tournament again, by itself.

use std::io::{self, Write};

use anyhow::{Context, Result, bail};

use super::options::TournamentArgs;
use super::results::{Line, degrees, find_line, flip};
use super::source::Source;
use crate::arena::schedule::{Game, Side};
use crate::arena::serial::{self, Way};
use crate::cli::{Status, engines, interrupt, remark};
use crate::format::{self, Format, LifelikeDocument};
use crate::rules::Ties;

/// Plays game `number` (from 1) on an ordinary engine, generation by generation.
pub(super) fn run(args: &TournamentArgs, source: &mut Source, number: u64) -> Result<Status> {
    let total = source.total();
    let game = match number <= total {
        true => source.games(number - 1, 1)?.pop(),
        false => None,
    };
    let Some(game) = game else {
        bail!("there is no game {number}; the tournament has games 1 to {total}");
    };
    let bout = game.bout()?;
    if let Some(path) = &args.save_start {
        let document = LifelikeDocument {
            board: &bout.start,
            rule: Some(game.ruleset.rule),
            edges: Some(game.ruleset.edges),
            generation: 0,
        };
        format::save(&document, Format::Rle, path)?;
    }
    let films = args.film.begin(game.size, game.limit, &args.picture)?;
    let mut chosen = engines::choose(&args.engine, game.ruleset, game.size)?;
    interrupt::watch()?;
    if !args.quiet {
        remark(&chosen.remark);
    }
    film(&bout, films, &mut *chosen.engine, game.limit)?;
    let ending = serial::play(&mut *chosen.engine, &bout, Way::Full, &interrupt::asked)?;
    let Some(ending) = ending else {
        return Ok(Status::Done);
    };
    let line = Line::new(source.fingerprint(), &game, &ending);
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&line)?)?;
    } else if !args.quiet {
        report(&game, &line, args, &mut out)?;
    }
    out.flush()?;
    match &args.output {
        Some(path) if path.exists() => compare(path, &line),
        _ => Ok(Status::Done),
    }
}

/// Shoots the films, if any are asked for.
fn film(
    bout: &crate::arena::Bout,
    mut films: crate::cli::film::Films,
    engine: &mut dyn crate::engine::Engine,
    limit: u64,
) -> Result<()> {
    let mut done = 0;
    if !films.wants(0) {
        return films.finish();
    }
    engine.load(&bout.start)?;
    films.shoot(&bout.start)?;
    while done < limit && !interrupt::asked() {
        let part = films.until_next(done).min(limit - done);
        engine.step(part)?;
        done += part;
        if films.wants(done) {
            films.shoot(&engine.read()?)?;
        }
    }
    films.finish()
}

fn report(game: &Game, line: &Line, args: &TournamentArgs, out: &mut dyn Write) -> Result<()> {
    writeln!(
        out,
        "game {}: {} (red) against {} (blue)",
        line.game, line.red, line.blue
    )?;
    writeln!(
        out,
        "{}, {}, {}, {} generations; cells {} and {}, at most {} and {}, at the end {} and {}",
        line.rule,
        line.edges,
        game.size,
        line.limit,
        line.red_first,
        line.blue_first,
        line.red_peak,
        line.blue_peak,
        line.red_last,
        line.blue_last
    )?;
    writeln!(
        out,
        "growth: {}, count: {}, alive: {}, battle: {} (by {} after {} generations)",
        line.growth, line.count, line.alive, line.battle, line.reason, line.decided
    )?;
    writeln!(out, "sha256 {}", line.digest)?;
    writeln!(out, "{}", command(game, line, args))?;
    Ok(())
}

/// The `duolife run` command that gives the same board.
fn command(game: &Game, line: &Line, args: &TournamentArgs) -> String {
    let ties = match game.ruleset.ties {
        Ties::Seeded(seed) => format!("--ties seeded --seed {seed}"),
        other => format!("--ties {other}"),
    };
    let common = format!(
        "--rule {} --edges {} {ties} --generations {} --digest",
        line.rule, line.edges, line.limit
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

/// Compares the game with what a result file says of it.
fn compare(path: &std::path::Path, line: &Line) -> Result<Status> {
    let shown = path.display();
    let recorded = find_line(path, line.game).with_context(|| shown.to_string())?;
    match recorded {
        None => remark(&format!("{shown} does not hold game {} yet", line.game)),
        Some(recorded) if recorded == *line => remark(&format!("equal to the game in {shown}")),
        Some(_) => {
            remark(&format!("{shown} holds another end of game {}", line.game));
            return Ok(Status::CheckFailed);
        }
    }
    Ok(Status::Done)
}
