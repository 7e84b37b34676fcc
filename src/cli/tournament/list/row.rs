//! The columns of a list.

use std::str::FromStr;

use anyhow::{Result, anyhow};
use serde::Deserialize;

/// A line of a list as it is written. The names of the fields are those of the columns.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) red: String,
    pub(super) blue: String,
    pub(super) rule: Option<String>,
    pub(super) ties: Option<String>,
    pub(super) edges: Option<String>,
    pub(super) width: Option<u64>,
    pub(super) height: Option<u64>,
    pub(super) limit: Option<u64>,
    pub(super) seed: Option<u64>,
    pub(super) repeats: Option<u64>,
    pub(super) red_x: Option<u32>,
    pub(super) red_y: Option<u32>,
    pub(super) red_turn: Option<u32>,
    pub(super) red_flip: Option<String>,
    pub(super) blue_x: Option<u32>,
    pub(super) blue_y: Option<u32>,
    pub(super) blue_turn: Option<u32>,
    pub(super) blue_flip: Option<String>,
}

/// The columns of a list.
pub(super) const COLUMNS: &str = "red, blue, rule, ties, edges, width, height, limit, seed, repeats, red_x, red_y, red_turn, red_flip, blue_x, blue_y, blue_turn and blue_flip";

impl Row {
    /// Takes a value; `false` if there is no such column. An empty value counts as none.
    pub(super) fn take(&mut self, column: &str, value: &str) -> Result<bool> {
        fn number<T: FromStr>(column: &str, value: &str) -> Result<Option<T>> {
            if value.is_empty() {
                return Ok(None);
            }
            let number = value.parse().ok();
            let number = number
                .ok_or_else(|| anyhow!("{column} is {value:?}, not a whole number in range"))?;
            Ok(Some(number))
        }
        let text = || Some(value.to_owned()).filter(|value| !value.is_empty());
        match column {
            "red" => self.red = value.into(),
            "blue" => self.blue = value.into(),
            "rule" => self.rule = text(),
            "ties" => self.ties = text(),
            "edges" => self.edges = text(),
            "width" => self.width = number(column, value)?,
            "height" => self.height = number(column, value)?,
            "limit" => self.limit = number(column, value)?,
            "seed" => self.seed = number(column, value)?,
            "repeats" => self.repeats = number(column, value)?,
            "red_x" => self.red_x = number(column, value)?,
            "red_y" => self.red_y = number(column, value)?,
            "red_turn" => self.red_turn = number(column, value)?,
            "red_flip" => self.red_flip = text(),
            "blue_x" => self.blue_x = number(column, value)?,
            "blue_y" => self.blue_y = number(column, value)?,
            "blue_turn" => self.blue_turn = number(column, value)?,
            "blue_flip" => self.blue_flip = text(),
            _ => return Ok(false),
        }
        Ok(true)
    }

    pub(super) fn repeats(&self) -> u64 {
        self.repeats.unwrap_or(1)
    }
}
