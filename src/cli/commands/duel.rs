//! `duolife duel`: two-player Life, printed generation by generation.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::board::{Edges, LifelikeBoard, LifelikeCell};
use crate::cli::options::{EngineArgs, EngineKind};
use crate::cli::output::standard_output;
use crate::cli::place::{FromArgs, read_pattern};
use crate::cli::{Status, engines, interrupt};
use crate::game::referee::Outcome;
use crate::rules::{LifelikeRuleset, Rule, Ties};

/// Options of `duolife duel`.
#[derive(Args)]
pub(in crate::cli) struct DuelArgs {
    /// Text grid: a line "rows columns", then the rows in the characters .12
    file: PathBuf,
    /// Stop after this many generations
    #[arg(long, value_name = "N")]
    max_generations: Option<u64>,
    /// Stop when a board comes back: the game would never end
    #[arg(long)]
    stop_on_repeat: bool,
    /// Which engine computes
    #[arg(long, value_enum, default_value = "cpu", value_name = "ENGINE")]
    engine: EngineKind,
    /// GPU adapter: its number, a part of its name or its backend
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
}

pub(in crate::cli) fn run(args: &DuelArgs) -> Result<Status> {
    let start = read_pattern(&args.file, &FromArgs::grid(), true)?.board;
    let ruleset = LifelikeRuleset {
        rule: Rule::LIFE,
        edges: Edges::Dead,
        // Three parents are never evenly split.
        ties: Ties::Red,
    };
    let engine = EngineArgs {
        engine: args.engine,
        adapter: args.adapter.clone(),
    };
    engines::require(engine.engine, start.size())?;
    let mut engine = engines::select(&engine, ruleset, start.size())?.engine;
    interrupt::listen();
    engine.load(&start)?;

    let mut out = BufWriter::new(standard_output());
    let mut generations = HashMap::new();
    let mut board = start;
    for generation in 0u64.. {
        print_generation(&mut out, generation, &board)?;
        if generation > 0 && print_verdict(&mut out, &board)? {
            break;
        }
        if args.stop_on_repeat
            && let Some(earlier) = generations.insert(board.digest(), generation)
        {
            writeln!(
                out,
                "Generation #{generation} repeats generation #{earlier}\n"
            )?;
            writeln!(out, "Game Over!!")?;
            break;
        }
        out.flush()?;
        if args.max_generations == Some(generation) {
            break;
        }
        if interrupt::is_requested() {
            return Ok(interrupt::status(true));
        }
        engine.step(1)?;
        board = engine.read()?;
    }
    out.flush()?;
    Ok(Status::Done)
}

fn print_generation(
    out: &mut impl Write,
    generation: u64,
    board: &LifelikeBoard,
) -> io::Result<()> {
    let census = board.census();
    writeln!(out, "Generation #{generation}\n")?;
    writeln!(out, "Player 1 Cells: {}\n", census.red)?;
    writeln!(out, "Player 2 Cells: {}\n", census.blue)?;
    for y in 0..board.size().height() {
        let row: String = board.row(y).map(LifelikeCell::grid_char).collect();
        writeln!(out, "{row}")?;
    }
    writeln!(out)
}

/// Says who has won, if it is over.
fn print_verdict(out: &mut impl Write, board: &LifelikeBoard) -> io::Result<bool> {
    let census = board.census();
    match Outcome::of(census) {
        Outcome::Undecided => return Ok(false),
        Outcome::Red => writeln!(out, "Player 1 Wins! with {} live cells\n", census.red)?,
        Outcome::Blue => writeln!(out, "Player 2 Wins! with {} live cells\n", census.blue)?,
        Outcome::Draw => writeln!(out, "It's a tie!\n")?,
    }
    writeln!(out, "Game Over!!")?;
    Ok(true)
}
