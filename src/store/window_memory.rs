//! What is remembered from one run of the program to the next.
//!
//! A board is kept as a share code, and so must fit into one; that of reZolution as a longer code of
//! its own. Everything else always fits.

use serde::{Deserialize, Serialize};

use crate::board::{Edges, LifelikeBoard, RezolutionBoard, Size};
use crate::format::rezolution::RezolutionDocument;
use crate::format::{Limits, rezolution_code, share_code};
use crate::game::life_battle::{Settings, StartPattern};
use crate::game::opening::GameName;
use crate::game::rezolution;
use crate::game::session::Speed;
use crate::rules::{Ties, notation};

/// The version that is written, and the only one that is read.
const VERSION: u32 = 1;

/// A whole memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Memory {
    version: u32,
    pub(crate) game: GameName,
    /// The battle that was played last, even if another game was open.
    pub(crate) battle: GameName,
    /// The board, if it fitted.
    code: Option<String>,
    settings: Saved,
    /// Changed and not applied.
    draft: Option<Saved>,
    mirrored: bool,
    pub(crate) density: f64,
    pub(crate) speed: Speed,
    pub(crate) light: bool,
    pub(crate) lines: bool,
    pub(crate) any_live: bool,
    pub(crate) limit_flashes: bool,
    pub(crate) chart: bool,
    /// The game of reZolution, if it was ever opened. Memories of earlier versions have none.
    #[serde(default)]
    pub(crate) rezolution: Option<SavedRezolution>,
}

/// What is beside the board in a [`Memory`].
pub(crate) struct Extras {
    pub(crate) game: GameName,
    pub(crate) battle: GameName,
    pub(crate) draw: StartPattern,
    pub(crate) density: f64,
    pub(crate) speed: Speed,
    pub(crate) light: bool,
    pub(crate) lines: bool,
    pub(crate) any_live: bool,
    pub(crate) limit_flashes: bool,
    pub(crate) chart: bool,
    pub(crate) rezolution: Option<SavedRezolution>,
}

/// The game of reZolution as text and numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedRezolution {
    /// The board, if it fitted.
    code: Option<String>,
    grid: Grid,
    /// Changed and not applied.
    draft: Option<Grid>,
    pub(crate) seed: u64,
    pub(crate) speed: Speed,
}

/// Its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Grid {
    torus: bool,
    width: u64,
    height: u64,
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
    pub(crate) fn new(
        board: Option<&LifelikeBoard>,
        settings: Settings,
        draft: Settings,
        extras: &Extras,
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
            game: extras.game,
            battle: extras.battle,
            code,
            settings: Saved::from(settings),
            draft: (draft != settings).then(|| Saved::from(draft)),
            mirrored: extras.draw == StartPattern::Mirrored,
            density: extras.density,
            speed: extras.speed,
            light: extras.light,
            lines: extras.lines,
            any_live: extras.any_live,
            limit_flashes: extras.limit_flashes,
            chart: extras.chart,
            rezolution: extras.rezolution.clone(),
        };
        (memory, why)
    }

    pub(crate) fn to_text(&self) -> Result<String, String> {
        serde_json::to_string_pretty(self).map_err(|error| error.to_string())
    }

    pub(crate) fn of_text(text: &str) -> Result<Self, String> {
        let memory: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if memory.version != VERSION {
            return Err(format!("version {} is not read", memory.version));
        }
        Ok(memory)
    }

    /// The board, if it was kept.
    pub(crate) fn board(&self) -> Result<Option<LifelikeBoard>, String> {
        match &self.code {
            Some(code) => match share_code::decode(code, &Limits::default()) {
                Ok((board, _)) => Ok(Some(board)),
                Err(error) => Err(error.to_string()),
            },
            None => Ok(None),
        }
    }

    /// The settings in force, and the draft.
    pub(crate) fn settings(&self) -> Result<(Settings, Settings), String> {
        let settings = self.settings.settings()?;
        match &self.draft {
            Some(draft) => Ok((settings, draft.settings()?)),
            None => Ok((settings, settings)),
        }
    }

    pub(crate) const fn draw(&self) -> StartPattern {
        if self.mirrored {
            StartPattern::Mirrored
        } else {
            StartPattern::Random
        }
    }
}

impl SavedRezolution {
    /// What is to be remembered, and why the board is not, if it is not.
    pub(crate) fn new(
        board: Option<&RezolutionBoard>,
        settings: rezolution::Settings,
        draft: Option<rezolution::Settings>,
        seed: u64,
        speed: Speed,
    ) -> (Self, Option<String>) {
        let coded = board.map(|board| {
            rezolution_code::encode(&RezolutionDocument {
                board,
                edges: Some(settings.edges),
                generation: 0,
            })
        });
        let (code, why) = match coded.unwrap_or(Err(rezolution_code::CodeError::TooMuch)) {
            Ok(code) => (Some(code), None),
            Err(why) => (None, Some(why.to_string())),
        };
        let saved = Self {
            code,
            grid: Grid::from(settings),
            draft: draft.map(Grid::from),
            seed,
            speed,
        };
        (saved, why)
    }

    /// The board, if it was kept.
    pub(crate) fn board(&self) -> Result<Option<RezolutionBoard>, String> {
        let decoded = self.code.as_ref().map(|code| {
            let pattern = rezolution_code::decode(code, &Limits::default());
            pattern.map(|pattern| pattern.board)
        });
        decoded.transpose().map_err(|error| error.to_string())
    }

    /// The settings in force.
    pub(crate) fn settings(&self) -> Result<rezolution::Settings, String> {
        self.grid.settings()
    }

    /// The draft, if there is one.
    pub(crate) fn draft(&self) -> Result<Option<rezolution::Settings>, String> {
        self.draft.map(Grid::settings).transpose()
    }
}

impl From<rezolution::Settings> for Grid {
    fn from(rezolution::Settings { size, edges }: rezolution::Settings) -> Self {
        Self {
            torus: edges == Edges::Torus,
            width: size.width().into(),
            height: size.height().into(),
        }
    }
}

impl Grid {
    fn settings(self) -> Result<rezolution::Settings, String> {
        Ok(rezolution::Settings {
            size: Size::new(self.width, self.height).map_err(|error| error.to_string())?,
            edges: edges_of(self.torus),
        })
    }
}

const fn edges_of(torus: bool) -> Edges {
    if torus { Edges::Torus } else { Edges::Dead }
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
            edges: edges_of(self.torus),
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
    use crate::board::{Size, start};
    use crate::rules::Rule;

    fn battle_settings() -> Settings {
        Settings {
            rule: Rule::LIFE,
            edges: Edges::Torus,
            size: Size::new(80, 60).unwrap(),
            ties: Ties::Seeded(7),
            seed: 7,
            limit: Some(10_000),
        }
    }

    fn extras() -> Extras {
        Extras {
            game: GameName::Battle,
            battle: GameName::Battle,
            draw: StartPattern::Random,
            density: 0.2,
            speed: Speed::Fastest,
            light: true,
            lines: false,
            any_live: true,
            limit_flashes: false,
            chart: true,
            rezolution: None,
        }
    }

    #[test]
    fn a_board_its_settings_and_their_draft_come_back() {
        let settings = battle_settings();
        let draft = Settings {
            ties: Ties::Checkerboard,
            limit: None,
            ..settings.with_seed(9)
        };
        let board = start::random(settings.size, 0.35, 7).unwrap();
        let (memory, why) = Memory::new(Some(&board), settings, draft, &extras());
        assert_eq!(why, None, "the default board fits");
        let back = Memory::of_text(&memory.to_text().unwrap()).unwrap();
        assert_eq!(back, memory);
        assert_eq!(back.board().unwrap(), Some(board));
        assert_eq!(back.settings().unwrap(), (settings, draft));
        assert_eq!(
            (back.draw(), back.speed),
            (StartPattern::Random, Speed::Fastest)
        );
    }

    #[test]
    fn a_board_that_does_not_fit_is_said_and_the_rest_is_kept() {
        let settings = Settings {
            size: Size::new(300, 300).unwrap(),
            ..battle_settings()
        };
        let board = start::random(settings.size, 0.35, 7).unwrap();
        let (memory, why) = Memory::new(Some(&board), settings, settings, &extras());
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
        let settings = battle_settings();
        let (memory, _) = Memory::new(None, settings, settings, &extras());
        let newer = memory
            .to_text()
            .unwrap()
            .replace("\"version\": 1", "\"version\": 2");
        assert!(Memory::of_text(&newer).unwrap_err().contains("version 2"));
    }

    #[test]
    fn populations_come_back_and_older_memories_have_none() {
        let settings = rezolution::Settings {
            size: Size::new(60, 50).unwrap(),
            edges: Edges::Torus,
        };
        let empty = RezolutionBoard::new(settings.size).unwrap();
        let board = start::demo(&empty, 0.5, 4).unwrap();
        let draft = rezolution::Settings {
            edges: Edges::Dead,
            ..settings
        };
        let speed = Speed::Paced(7);
        let (saved, why) = SavedRezolution::new(Some(&board), settings, Some(draft), 4, speed);
        assert_eq!(why, None);
        let battle = battle_settings();
        let extras = Extras {
            game: GameName::Rezolution,
            rezolution: Some(saved.clone()),
            ..extras()
        };
        let (memory, _) = Memory::new(None, battle, battle, &extras);
        let text = memory.to_text().unwrap();
        let back = Memory::of_text(&text).unwrap().rezolution.unwrap();
        assert_eq!(back, saved);
        assert_eq!(back.settings().unwrap(), settings);
        assert_eq!(back.draft().unwrap(), Some(draft));
        assert_eq!(back.board().unwrap(), Some(board));
        let (start, _) = text.split_once(",\n  \"rezolution\"").unwrap();
        let older = format!("{start}\n}}").replace("\"rezolution\"", "\"battle\"");
        assert_eq!(Memory::of_text(&older).unwrap().rezolution, None);
        let (large, why) = SavedRezolution::new(None, settings, Some(draft), 4, speed);
        assert!(why.unwrap().contains("too large"));
        assert_eq!(large.board().unwrap(), None);
    }
}
