//! The record of an Immigration Game: its setup, the counters in order, and how far it has run.
//!
//! ```json
//! {
//!   "game": "immigration",
//!   "version": 1,
//!   "width": 25,
//!   "height": 25,
//!   "first": "red",
//!   "moves": [
//!     {"player": "red", "x": 12, "y": 11},
//!     {"player": "blue", "x": 3, "y": 20}
//!   ],
//!   "generation": 0
//! }
//! ```
//!
//! Columns and rows count from 0. The players follow from the order of the moves; they are written so
//! that people can read a record and damage is detected. `generation` is the number of generations
//! computed, so a game resumes exactly where it was.
//!
//! Everything else follows from the rules: [`Replay`] plays a record move by move and generation by
//! generation, and rejects whatever breaks the rules.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, IgnoredAny, SeqAccess, Visitor};
use thiserror::Error;

use super::immigration::{
    Game, GameResult, MAX_MOVES, Move, Phase, PlaceError, Player, Setup, StepError, TooLarge,
};
use crate::board::{BoardError, Size, SizeError};

/// The longest record that is read, in bytes. [`MAX_MOVES`] moves need less than half of it.
pub const MAX_BYTES: u64 = 2 << 20;

const GAME: &str = "immigration";
const VERSION: u64 = 1;

/// A game that can be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    setup: Setup,
    moves: Vec<Move>,
    generation: u64,
}

/// Why a record is not a valid game. Each message is one line; moves count from 1.
#[derive(Debug, Error)]
pub enum RecordError {
    /// It is not JSON, a field is missing, or there is an unknown one.
    #[error("this is no record of a game: {0}")]
    Malformed(String),
    /// It is a record of another game.
    #[error("this is a record of the game {0:?}, not of {GAME:?}")]
    OtherGame(String),
    /// A newer program wrote it.
    #[error(
        "the record has version {0}, this program reads version {VERSION}; use a newer duolife"
    )]
    Newer(u64),
    /// No program wrote it.
    #[error("the record has version {0}, the first one is {VERSION}")]
    Older(u64),
    /// There is no such board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The board is too large for the game.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// A move could not have been made.
    #[error("move {number} ({player}, x {x}, y {y}): {cause}", player = .wrong.player, x = .wrong.x, y = .wrong.y)]
    Move {
        /// Its number, from 1.
        number: usize,
        /// The move.
        wrong: Move,
        /// The reason.
        cause: MoveFault,
    },
    /// The game cannot have run that long.
    #[error("generation {claimed} does not follow from the moves: {cause}")]
    Generation {
        /// The generations computed according to the record.
        claimed: u64,
        /// The reason.
        cause: GenerationFault,
    },
    /// There is no memory for the board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A generation could not be computed.
    #[error(transparent)]
    Step(#[from] StepError),
}

/// Why a move could not have been made.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum MoveFault {
    /// The counter cannot be placed there or then.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// It was the other player's turn.
    #[error("it is the turn of {0}")]
    WrongPlayer(Player),
}

/// Why a game cannot have run for the generations it claims.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum GenerationFault {
    /// The last move comes later.
    #[error("the last one is made at generation {0}")]
    BeforeLastMove(u64),
    /// A counter had to be placed before.
    #[error("at generation {generation} {player} is to place a counter")]
    Placing {
        /// When.
        generation: u64,
        /// Whose turn it was.
        player: Player,
    },
    /// The game was over before.
    #[error("the game is over at generation {generation}: {result}")]
    Over {
        /// When.
        generation: u64,
        /// How it ended.
        result: GameResult,
    },
}

/// The fields that identify a record.
#[derive(Deserialize)]
struct Head {
    game: String,
    version: u64,
}

/// All fields of a record.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "game")]
    _game: IgnoredAny,
    #[serde(rename = "version")]
    _version: IgnoredAny,
    width: u64,
    height: u64,
    first: Player,
    moves: Moves,
    generation: u64,
}

/// Moves, read one by one so that an error names the move and an endless list is not stored.
struct Moves(Vec<Move>);

impl<'de> Deserialize<'de> for Moves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(MovesVisitor)
    }
}

struct MovesVisitor;

impl<'de> Visitor<'de> for MovesVisitor {
    type Value = Moves;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of moves")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Moves, A::Error> {
        let mut moves = Vec::new();
        loop {
            let number = moves.len() + 1;
            let wrong =
                |what: &dyn fmt::Display| A::Error::custom(format!("move {number}: {what}"));
            match list.next_element().map_err(|error| wrong(&error))? {
                None => return Ok(Moves(moves)),
                Some(_) if number > MAX_MOVES => return Err(wrong(&PlaceError::TooManyMoves)),
                Some(next) => moves.push(next),
            }
        }
    }
}

impl Record {
    /// The record of a game so far.
    pub fn of(game: &Game) -> Self {
        Self {
            setup: game.setup(),
            moves: game.moves().to_vec(),
            generation: game.generation(),
        }
    }

    /// Parses a record. It may still break the rules; [`replay`](Self::replay) checks that.
    ///
    /// # Errors
    /// [`RecordError`] if it is not a record, or one of another game or version, or the board is too
    /// large.
    pub fn parse(json: &[u8]) -> Result<Self, RecordError> {
        let malformed = |error: serde_json::Error| RecordError::Malformed(error.to_string());
        let head: Head = serde_json::from_slice(json).map_err(malformed)?;
        if head.game != GAME {
            return Err(RecordError::OtherGame(head.game));
        }
        match head.version {
            VERSION => {}
            0 => return Err(RecordError::Older(0)),
            newer => return Err(RecordError::Newer(newer)),
        }
        let file: File = serde_json::from_slice(json).map_err(malformed)?;
        Ok(Self {
            setup: Setup::new(Size::new(file.width, file.height)?, file.first)?,
            moves: file.moves.0,
            generation: file.generation,
        })
    }

    /// The record as JSON, one move per line.
    pub fn to_json(&self) -> String {
        let size = self.setup.size();
        let mut json = format!(
            "{{\n  \"game\": \"{GAME}\",\n  \"version\": {VERSION},\n  \"width\": {},\n  \"height\": {},\n  \"first\": \"{}\",\n  \"moves\": [",
            size.width(),
            size.height(),
            self.setup.first(),
        );
        for (index, Move { player, x, y }) in self.moves.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            json.push_str(&format!(
                "{comma}\n    {{\"player\": \"{player}\", \"x\": {x}, \"y\": {y}}}"
            ));
        }
        let end = if self.moves.is_empty() { "" } else { "\n  " };
        json.push_str(&format!(
            "{end}],\n  \"generation\": {}\n}}\n",
            self.generation
        ));
        json
    }

    /// Starts to replay the game event by event.
    ///
    /// # Errors
    /// [`RecordError::Board`] if there is not enough memory.
    pub fn start(&self) -> Result<Replay<'_>, RecordError> {
        Ok(Replay {
            record: self,
            game: Game::new(self.setup)?,
        })
    }

    /// The game at the end of the record.
    ///
    /// # Errors
    /// [`RecordError`] if the record breaks the rules.
    pub fn replay(&self) -> Result<Game, RecordError> {
        let mut replay = self.start()?;
        while replay.advance()?.is_some() {}
        Ok(replay.game)
    }
}

/// A record being replayed.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    record: &'a Record,
    game: Game,
}

/// What happened in a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A counter was placed.
    Placed(Move),
    /// A generation was computed.
    Generation,
}

impl Replay<'_> {
    /// The game so far.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Replays the next move or generation; `None` at the end of the record.
    ///
    /// # Errors
    /// [`RecordError`] if the record breaks the rules.
    pub fn advance(&mut self) -> Result<Option<Event>, RecordError> {
        let generation = self.game.generation();
        let claimed = self.record.generation;
        let next = self.record.moves.get(self.game.moves().len()).copied();
        let phase = self.game.phase();
        if let Some(next) = next {
            if matches!(phase, Phase::Running { .. } | Phase::Waiting { .. }) {
                self.game.step()?;
                return Ok(Some(Event::Generation));
            }
            self.place(next)?;
            return Ok(Some(Event::Placed(next)));
        }
        let fault = |cause| Err(RecordError::Generation { claimed, cause });
        if claimed < generation {
            return fault(GenerationFault::BeforeLastMove(generation));
        }
        if claimed == generation {
            return Ok(None);
        }
        match phase {
            Phase::Placing { player, .. } => fault(GenerationFault::Placing { generation, player }),
            Phase::Over(result) => fault(GenerationFault::Over { generation, result }),
            Phase::Running { .. } | Phase::Waiting { .. } => {
                self.game.step()?;
                Ok(Some(Event::Generation))
            }
        }
    }

    fn place(&mut self, next: Move) -> Result<(), RecordError> {
        let number = self.game.moves().len() + 1;
        let fault = |cause| RecordError::Move {
            number,
            wrong: next,
            cause,
        };
        match self.game.phase() {
            Phase::Placing { player, .. } if player != next.player => {
                Err(fault(MoveFault::WrongPlayer(player)))
            }
            Phase::Placing { .. }
            | Phase::Running { .. }
            | Phase::Waiting { .. }
            | Phase::Over(_) => self
                .game
                .place(next.cell())
                .map_err(|error| fault(error.into())),
        }
    }
}

#[cfg(test)]
mod tests;
