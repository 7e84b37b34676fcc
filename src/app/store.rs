//! What is remembered from one run of the program to the next.
//!
//! The board is kept as a share code, and so must fit into one; everything else always fits.

use serde::{Deserialize, Serialize};

use super::actions::{Kind, Speed};
use crate::board::{Board, Edges, Size};
use crate::format::{Limits, share_code};
use crate::game::session::{Draw, Settings};
use crate::rules::{Ties, notation};

/// The version that is written, and the only one that is read.
const VERSION: u32 = 1;

/// A whole memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Memory {
    version: u32,
    pub(super) game: Kind,
    /// The battle that was played last, even if another game was open.
    pub(super) battle: Kind,
    /// The board, if it fitted.
    code: Option<String>,
    settings: Saved,
    /// Changed and not applied.
    draft: Option<Saved>,
    mirrored: bool,
    pub(super) density: f64,
    pub(super) speed: Speed,
    pub(super) light: bool,
    pub(super) lines: bool,
    pub(super) any_live: bool,
    pub(super) limit_flashes: bool,
    pub(super) chart: bool,
}

/// What is beside the board in a [`Memory`].
pub(super) struct Beside {
    pub(super) game: Kind,
    pub(super) battle: Kind,
    pub(super) draw: Draw,
    pub(super) density: f64,
    pub(super) speed: Speed,
    pub(super) light: bool,
    pub(super) lines: bool,
    pub(super) any_live: bool,
    pub(super) limit_flashes: bool,
    pub(super) chart: bool,
}

/// Settings as text and numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Saved {
    rule: String,
    torus: bool,
    width: u64,
    height: u64,
    ties: String,
    seed: u64,
    limit: Option<u64>,
}

impl Memory {
    /// What is to be remembered, and why the board is not, if it is not.
    pub(super) fn new(
        board: Option<&Board>,
        settings: Settings,
        draft: Settings,
        beside: &Beside,
    ) -> (Self, Option<String>) {
        let coded = match board {
            Some(board) => {
                share_code::encode(board, settings.ruleset()).map_err(|error| error.to_string())
            }
            None => {
                Err("the board is too large to be kept until next time; save it to a file".into())
            }
        };
        let (code, why) = match coded {
            Ok(code) => (Some(code), None),
            Err(why) => (None, Some(why)),
        };
        let memory = Self {
            version: VERSION,
            game: beside.game,
            battle: beside.battle,
            code,
            settings: Saved::from(settings),
            draft: (draft != settings).then(|| Saved::from(draft)),
            mirrored: beside.draw == Draw::Mirrored,
            density: beside.density,
            speed: beside.speed,
            light: beside.light,
            lines: beside.lines,
            any_live: beside.any_live,
            limit_flashes: beside.limit_flashes,
            chart: beside.chart,
        };
        (memory, why)
    }

    pub(super) fn to_text(&self) -> Result<String, String> {
        serde_json::to_string_pretty(self).map_err(|error| error.to_string())
    }

    pub(super) fn of_text(text: &str) -> Result<Self, String> {
        let memory: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if memory.version != VERSION {
            return Err(format!("version {} is not read", memory.version));
        }
        Ok(memory)
    }

    /// The board, if it was kept.
    pub(super) fn board(&self) -> Result<Option<Board>, String> {
        match &self.code {
            Some(code) => match share_code::decode(code, &Limits::default()) {
                Ok((board, _)) => Ok(Some(board)),
                Err(error) => Err(error.to_string()),
            },
            None => Ok(None),
        }
    }

    /// The settings in force, and the draft.
    pub(super) fn settings(&self) -> Result<(Settings, Settings), String> {
        let settings = self.settings.settings()?;
        match &self.draft {
            Some(draft) => Ok((settings, draft.settings()?)),
            None => Ok((settings, settings)),
        }
    }

    pub(super) const fn draw(&self) -> Draw {
        if self.mirrored {
            Draw::Mirrored
        } else {
            Draw::Random
        }
    }
}

impl From<Settings> for Saved {
    fn from(settings: Settings) -> Self {
        Self {
            rule: settings.rule.to_string(),
            torus: settings.edges == Edges::Torus,
            width: settings.size.width().into(),
            height: settings.size.height().into(),
            ties: match settings.ties {
                Ties::Seeded(_) => "seeded",
                Ties::Red => "red",
                Ties::Blue => "blue",
                Ties::Checkerboard => "checkerboard",
            }
            .into(),
            seed: settings.seed,
            limit: settings.limit,
        }
    }
}

impl Saved {
    fn settings(&self) -> Result<Settings, String> {
        Ok(Settings {
            rule: notation::parse(&self.rule).map_err(|error| error.to_string())?,
            edges: if self.torus {
                Edges::Torus
            } else {
                Edges::Dead
            },
            size: Size::new(self.width, self.height).map_err(|error| error.to_string())?,
            ties: match self.ties.as_str() {
                "seeded" => Ties::Seeded(self.seed),
                "red" => Ties::Red,
                "blue" => Ties::Blue,
                "checkerboard" => Ties::Checkerboard,
                other => return Err(format!("there are no ties {other:?}")),
            },
            seed: self.seed,
            limit: self.limit,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::battle::default_settings;
    use crate::board::start;

    fn beside() -> Beside {
        Beside {
            game: Kind::Battle,
            battle: Kind::Battle,
            draw: Draw::Random,
            density: 0.2,
            speed: Speed::Fastest,
            light: true,
            lines: false,
            any_live: true,
            limit_flashes: false,
            chart: true,
        }
    }

    #[test]
    fn a_board_its_settings_and_their_draft_come_back() {
        let settings = default_settings(Kind::Battle, 7).unwrap();
        let draft = Settings {
            ties: Ties::Checkerboard,
            limit: None,
            ..settings.with_seed(9)
        };
        let board = start::random(settings.size, 0.35, 7).unwrap();
        let (memory, why) = Memory::new(Some(&board), settings, draft, &beside());
        assert_eq!(why, None, "the default board fits");
        let back = Memory::of_text(&memory.to_text().unwrap()).unwrap();
        assert_eq!(back, memory);
        assert_eq!(back.board().unwrap(), Some(board));
        assert_eq!(back.settings().unwrap(), (settings, draft));
        assert_eq!((back.draw(), back.speed), (Draw::Random, Speed::Fastest));
    }

    #[test]
    fn a_board_that_does_not_fit_is_said_and_the_rest_is_kept() {
        let settings = Settings {
            size: Size::new(300, 300).unwrap(),
            ..default_settings(Kind::Battle, 7).unwrap()
        };
        let board = start::random(settings.size, 0.35, 7).unwrap();
        let (memory, why) = Memory::new(Some(&board), settings, settings, &beside());
        assert!(why.unwrap().contains("does not fit"));
        let back = Memory::of_text(&memory.to_text().unwrap()).unwrap();
        assert_eq!(back.board().unwrap(), None);
        assert_eq!(back.settings().unwrap(), (settings, settings));
    }

    #[test]
    fn a_damaged_memory_is_refused() {
        for text in ["", "{}", "[1]", "{\"version\": 1}"] {
            assert!(Memory::of_text(text).is_err(), "{text}");
        }
        let settings = default_settings(Kind::Duel, 7).unwrap();
        let (memory, _) = Memory::new(None, settings, settings, &beside());
        let newer = memory
            .to_text()
            .unwrap()
            .replace("\"version\": 1", "\"version\": 2");
        assert!(Memory::of_text(&newer).unwrap_err().contains("version 2"));
    }
}
