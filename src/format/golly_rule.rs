//! Golly's `.rule` files: a table that makes a two-colour rule run there.
//!
//! A table lists transitions `cell, eight neighbours, next cell`; with `symmetries:permute` the
//! order of the neighbours does not matter, the first line that matches counts, and a cell that no
//! line matches stays as it is.

use std::fmt::Write;

use thiserror::Error;

use crate::rules::{Rule, Ties};

/// Neighbours of a cell.
const NEIGHBOURS: usize = 8;

/// Why a rule has no table.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum TableError {
    /// The colour of a birth depends on where it is.
    #[error(
        "rule {rule} with ties {ties} cannot be written as a Golly rule: a table gives the same colour everywhere; --ties red and --ties blue can be written"
    )]
    Ties {
        /// The rule, which has evenly split births.
        rule: Rule,
        /// Who owns them.
        ties: Ties,
    },
}

/// The name of a rule's table, which Golly requires of the file, too: `Immigration` for B3/S23,
/// else with the digits and, where it matters, with the owner of evenly split births.
///
/// # Errors
/// [`TableError`] if there is no table.
pub fn name(rule: Rule, ties: Ties) -> Result<String, TableError> {
    let suffix = match ties {
        _ if !rule.has_ties() => "",
        Ties::Red => "-red",
        Ties::Blue => "-blue",
        Ties::Seeded(_) | Ties::Checkerboard => return Err(TableError::Ties { rule, ties }),
    };
    Ok(match rule {
        Rule::LIFE => "Immigration".into(),
        _ => format!("Immigration-{}{suffix}", rule.to_string().replace('/', "-")),
    })
}

/// The text of a rule's `.rule` file.
///
/// # Errors
/// [`TableError`] if there is no table.
pub fn table(rule: Rule, ties: Ties) -> Result<String, TableError> {
    let name = name(rule, ties)?;
    let mut births = String::new();
    let mut survivals = String::new();
    for count in 0..=NEIGHBOURS {
        if rule.birth() >> count & 1 != 0 {
            for red in 0..=count {
                let blue = count - red;
                let owner = match (red.cmp(&blue), ties) {
                    (std::cmp::Ordering::Greater, _) => 1,
                    (std::cmp::Ordering::Equal, Ties::Red) => 1,
                    _ => 2,
                };
                let parents = std::iter::repeat_n("1", red).chain(std::iter::repeat_n("2", blue));
                births += &line("0", parents.map(String::from), owner);
            }
        }
        if rule.survival() >> count & 1 != 0 {
            for colour in [1, 2] {
                let neighbours = (1..=count).map(|n| format!("live{n}"));
                survivals += &line(&colour.to_string(), neighbours, colour);
            }
        }
    }
    let mut variables = String::new();
    for n in 0..=NEIGHBOURS {
        let _ = writeln!(variables, "var live{n}={{1,2}}");
    }
    for n in 1..=NEIGHBOURS {
        let _ = writeln!(variables, "var any{n}={{0,1,2}}");
    }
    let anything = (1..=NEIGHBOURS).map(|n| format!("any{n}"));
    let deaths = line("live0", anything, 0);
    Ok(format!(
        "@RULE {name}

Two-colour {rule}: a birth takes the colour of most of its parents{}.
State 1 is red, state 2 is blue.

@TABLE
n_states:3
neighborhood:Moore
symmetries:permute
{variables}# births
{births}# survivals
{survivals}# every other live cell dies
{deaths}
@COLORS
1 232 67 46
2 128 204 255
",
        match (rule.has_ties(), ties) {
            (true, Ties::Red) => ", red if they are evenly split",
            (true, _) => ", blue if they are evenly split",
            _ => "",
        }
    ))
}

/// A transition; neighbours that are not named are dead.
fn line(cell: &str, neighbours: impl Iterator<Item = String>, next: u8) -> String {
    let dead = std::iter::repeat("0".to_owned());
    let neighbours: Vec<String> = neighbours.chain(dead).take(NEIGHBOURS).collect();
    format!("{cell},{},{next}\n", neighbours.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::notation::parse;

    #[test]
    fn a_table_has_a_line_for_every_birth_and_survival() {
        let text = table(Rule::LIFE, Ties::Seeded(5)).unwrap();
        assert!(text.starts_with("@RULE Immigration\n"), "{text}");
        for transition in [
            "0,1,1,1,0,0,0,0,0,1\n",
            "0,1,1,2,0,0,0,0,0,1\n",
            "0,1,2,2,0,0,0,0,0,2\n",
            "0,2,2,2,0,0,0,0,0,2\n",
            "1,live1,live2,0,0,0,0,0,0,1\n",
            "2,live1,live2,live3,0,0,0,0,0,2\n",
            "live0,any1,any2,any3,any4,any5,any6,any7,any8,0\n",
        ] {
            assert!(text.contains(transition), "{transition}");
        }
        // Four births, twice two survivals, one line for deaths.
        let transitions = text.lines().filter(|line| line.split(',').count() == 10);
        assert_eq!(transitions.count(), 9);
    }

    #[test]
    fn evenly_split_births_need_an_owner_that_is_the_same_everywhere() {
        let rule = parse("B36/S23").unwrap();
        let text = table(rule, Ties::Blue).unwrap();
        assert!(
            text.starts_with("@RULE Immigration-B36-S23-blue\n"),
            "{text}"
        );
        assert!(text.contains("0,1,1,1,2,2,2,0,0,2\n"));
        assert!(
            table(rule, Ties::Red)
                .unwrap()
                .contains("0,1,1,1,2,2,2,0,0,1\n")
        );
        for ties in [Ties::Seeded(1), Ties::Checkerboard] {
            assert!(
                table(rule, ties)
                    .unwrap_err()
                    .to_string()
                    .contains("--ties red")
            );
        }
    }
}
