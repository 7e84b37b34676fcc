//! The commands of a battle at the terminal.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use glam::{UVec2, uvec2};

use crate::board::{Edges, LifelikeCell, Size};
use crate::cli::options::{EdgesArg, TiesArg, parse_density, parse_rule, parse_size};
use crate::game::life_battle::{Settings, StartPattern};
use crate::rules::Rule;

/// Every command, for `help`.
pub(super) const HELP: &[&str] = &[
    "step [N]                     pause, then compute one generation, or N",
    "play [N]                     compute generations until the battle is over or pauses, at most N",
    "pause-every N|never          pause at every multiple of N generations",
    "restart                      back to the start pattern",
    "paint X Y [X Y ...] COLOUR   one stroke: column and row from 1, red, blue or erase",
    "undo, redo                   the last stroke, generate or clear",
    "set rule|edges|size|ties|seed|limit VALUE",
    "                             change a setting; limit none is no limit",
    "apply, discard               put changed settings in force, or give them up",
    "generate [random|mirrored] [DENSITY]",
    "                             a new start pattern from the seed",
    "clear                        an empty board",
    "board, status                show the board, or the generation and counts",
    "save FILE                    write the board (.txt, .rle, .cells, .lif, .png, .duolife)",
    "help, quit",
];

/// A command of a player.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    Step(u64),
    /// At most this many generations.
    Play(Option<u64>),
    PauseEvery(Option<u64>),
    Restart,
    /// Columns and rows, from 0.
    Paint(Vec<UVec2>, LifelikeCell),
    Undo,
    Redo,
    Set(GameSetting),
    Apply,
    Discard,
    Generate(Option<StartPattern>, Option<f64>),
    Clear,
    Board,
    Status,
    Save(PathBuf),
    Help,
    Quit,
}

/// A setting and its new value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum GameSetting {
    Rule(Rule),
    Edges(Edges),
    Size(Size),
    Ties(TiesArg),
    Seed(u64),
    Limit(Option<u64>),
}

impl GameSetting {
    /// The settings with this one changed.
    pub(super) fn change(self, settings: Settings) -> Settings {
        match self {
            Self::Rule(rule) => Settings { rule, ..settings },
            Self::Edges(edges) => Settings { edges, ..settings },
            Self::Size(size) => Settings { size, ..settings },
            Self::Ties(ties) => Settings {
                ties: ties.with_seed(settings.seed),
                ..settings
            },
            Self::Seed(seed) => settings.with_seed(seed),
            Self::Limit(limit) => Settings { limit, ..settings },
        }
    }
}

impl Command {
    /// The command of a line; `None` for an empty line.
    ///
    /// # Errors
    /// What was expected.
    pub(super) fn of_words(words: &[String]) -> Result<Option<Self>, String> {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let Some((&name, rest)) = words.split_first() else {
            return Ok(None);
        };
        let bare = |command| match rest {
            [] => Ok(command),
            _ => Err(format!("{name} takes nothing after it")),
        };
        let command = match name {
            "step" => Self::Step(optional_count(name, rest)?.unwrap_or(1)),
            "play" => Self::Play(optional_count(name, rest)?),
            "pause-every" => match rest {
                ["never"] => Self::PauseEvery(None),
                _ => Self::PauseEvery(Some(
                    optional_count(name, rest)?
                        .ok_or("pause-every takes a number of generations, or never")?,
                )),
            },
            "restart" => bare(Self::Restart)?,
            "paint" => paint(rest)?,
            "undo" => bare(Self::Undo)?,
            "redo" => bare(Self::Redo)?,
            "set" => Self::Set(setting(rest)?),
            "apply" => bare(Self::Apply)?,
            "discard" => bare(Self::Discard)?,
            "generate" => generate(rest)?,
            "clear" => bare(Self::Clear)?,
            "board" => bare(Self::Board)?,
            "status" => bare(Self::Status)?,
            "save" => match rest {
                [file] => Self::Save(file.into()),
                _ => return Err("save takes the name of one file, without blanks".into()),
            },
            "help" => bare(Self::Help)?,
            "quit" => bare(Self::Quit)?,
            _ => {
                return Err(format!(
                    "{name:?} is no command; expected step, play, pause-every, restart, paint, undo, \
                     redo, set, apply, discard, generate, clear, board, status, save, help or quit"
                ));
            }
        };
        Ok(Some(command))
    }
}

/// A number from 1 if there is a word.
fn optional_count(name: &str, words: &[&str]) -> Result<Option<u64>, String> {
    match words {
        [] => Ok(None),
        [word] => match word.parse() {
            Ok(count @ 1..) => Ok(Some(count)),
            _ => Err(format!("{name} takes a whole number from 1, not {word:?}")),
        },
        _ => Err(format!("{name} takes one number")),
    }
}

fn paint(words: &[&str]) -> Result<Command, String> {
    let usage = "paint takes column and row, from 1, of one cell or more, then red, blue or erase";
    let (&colour, places) = words.split_last().ok_or(usage)?;
    let cell = match colour {
        "red" => LifelikeCell::Red,
        "blue" => LifelikeCell::Blue,
        "erase" => LifelikeCell::Dead,
        _ => return Err(usage.into()),
    };
    let (pairs, odd) = places.as_chunks::<2>();
    if pairs.is_empty() || !odd.is_empty() {
        return Err(usage.into());
    }
    let number = |word: &str| match word.parse::<u32>() {
        Ok(number @ 1..) => Ok(number - 1),
        _ => Err(format!("{usage}; {word:?} is no column or row")),
    };
    let mut cells = Vec::with_capacity(pairs.len());
    for [x, y] in pairs {
        cells.push(uvec2(number(x)?, number(y)?));
    }
    Ok(Command::Paint(cells, cell))
}

fn setting(words: &[&str]) -> Result<GameSetting, String> {
    let (&name, value) = words
        .split_first()
        .ok_or("set takes rule, edges, size, ties, seed or limit, and a value")?;
    // Names of rules have blanks.
    let value = value.join(" ");
    if value.is_empty() {
        return Err(format!("set {name} takes a value"));
    }
    let of_value = |error: String| format!("set {name} {value}: {error}");
    Ok(match name {
        "rule" => {
            GameSetting::Rule(parse_rule(&value).map_err(|error| of_value(error.to_string()))?)
        }
        "edges" => GameSetting::Edges(choice::<EdgesArg>(&value).map_err(of_value)?.into()),
        "size" => GameSetting::Size(parse_size(&value).map_err(of_value)?),
        "ties" => GameSetting::Ties(choice(&value).map_err(of_value)?),
        "seed" => GameSetting::Seed(
            u64::from_str(&value).map_err(|_| of_value("a seed is a whole number".into()))?,
        ),
        "limit" if value == "none" => GameSetting::Limit(None),
        "limit" => GameSetting::Limit(optional_count("set limit", &[&value])?),
        _ => {
            return Err(format!(
                "{name:?} is no setting; expected rule, edges, size, ties, seed or limit"
            ));
        }
    })
}

fn generate(words: &[&str]) -> Result<Command, String> {
    let (mut draw, mut density) = (None, None);
    for &word in words {
        match word {
            "random" if draw.is_none() => draw = Some(StartPattern::Random),
            "mirrored" if draw.is_none() => draw = Some(StartPattern::Mirrored),
            _ if density.is_none() => {
                let read = parse_density(word);
                density = Some(read.map_err(|error| format!("generate {word}: {error}"))?);
            }
            _ => return Err("generate takes random or mirrored, and a density".into()),
        }
    }
    Ok(Command::Generate(draw, density))
}

/// One of the values of an option.
fn choice<T: ValueEnum>(value: &str) -> Result<T, String> {
    T::from_str(value, true).map_err(|_| {
        let names = T::value_variants().iter().filter_map(T::to_possible_value);
        let names: Vec<String> = names.map(|value| value.get_name().to_owned()).collect();
        format!("expected {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Result<Option<Command>, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Command::of_words(&words)
    }

    #[test]
    fn lines_are_commands() {
        for (line, expected) in [
            ("", None),
            ("step", Some(Command::Step(1))),
            ("step 20", Some(Command::Step(20))),
            ("play", Some(Command::Play(None))),
            ("pause-every 5", Some(Command::PauseEvery(Some(5)))),
            ("pause-every never", Some(Command::PauseEvery(None))),
            (
                "paint 1 2 red",
                Some(Command::Paint(vec![uvec2(0, 1)], LifelikeCell::Red)),
            ),
            (
                "paint 3 4 5 6 erase",
                Some(Command::Paint(
                    vec![uvec2(2, 3), uvec2(4, 5)],
                    LifelikeCell::Dead,
                )),
            ),
            (
                "set rule Day & Night",
                Some(Command::Set(GameSetting::Rule(
                    parse_rule("B3678/S34678").unwrap(),
                ))),
            ),
            (
                "set edges dead",
                Some(Command::Set(GameSetting::Edges(Edges::Dead))),
            ),
            (
                "set size 30x20",
                Some(Command::Set(GameSetting::Size(Size::new(30, 20).unwrap()))),
            ),
            (
                "set ties blue",
                Some(Command::Set(GameSetting::Ties(TiesArg::Blue))),
            ),
            ("set seed 7", Some(Command::Set(GameSetting::Seed(7)))),
            (
                "set limit none",
                Some(Command::Set(GameSetting::Limit(None))),
            ),
            (
                "set limit 9",
                Some(Command::Set(GameSetting::Limit(Some(9)))),
            ),
            ("generate", Some(Command::Generate(None, None))),
            (
                "generate mirrored 0.4",
                Some(Command::Generate(Some(StartPattern::Mirrored), Some(0.4))),
            ),
            ("save a.rle", Some(Command::Save("a.rle".into()))),
        ] {
            assert_eq!(command(line), Ok(expected), "{line}");
        }
    }

    #[test]
    fn wrong_lines_say_what_was_expected() {
        for (line, part) in [
            ("stop", "\"stop\" is no command; expected step"),
            ("step 0", "from 1, not \"0\""),
            ("step 1 2", "one number"),
            ("undo 2", "nothing after it"),
            ("paint", "column and row"),
            ("paint 1 red", "column and row"),
            ("paint 1 2", "red, blue or erase"),
            ("paint 0 2 red", "\"0\" is no column or row"),
            ("paint 1 2 3 red", "column and row"),
            ("set", "set takes rule"),
            ("set rule", "takes a value"),
            ("set rule 23/3/3", "Generations"),
            ("set edges open", "expected torus, dead"),
            ("set size 5", "WIDTHxHEIGHT"),
            ("set size 0x5", "at least 1 column"),
            ("set seed -1", "whole number"),
            ("set limit 0", "from 1"),
            ("set density 0.3", "no setting"),
            ("generate 2", "from 0 to 1"),
            ("generate random mirrored", "from 0 to 1"),
            ("save", "one file"),
            ("pause-every", "or never"),
        ] {
            let said = command(line).unwrap_err();
            assert!(said.contains(part), "{line}: {said}");
        }
    }
}
