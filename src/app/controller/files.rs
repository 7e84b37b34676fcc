//! Opening and saving files.

use super::{ActiveGame, Controller};
use crate::app::command::FilePurpose;
use crate::app::error::AppError;
use crate::board::{Edges, LifelikeBoard, Size};
use crate::format::{LifelikeDocument, LifelikePattern, rle};
use crate::game::life_battle::Settings;
use crate::game::opening::GameName;
use crate::game::record::{self, Record};
use crate::render::{Draw, PictureSize};
use crate::rules::notation::Topology;
use crate::rules::{LifelikeRuleset, Rule, Ties};
use glam::{i64vec2, uvec2};

/// The longer side of a picture of the whole board, in pixels, unless the board is larger.
const PICTURE_SIDE: u32 = 2048;

impl Controller {
    /// Resumes the Immigration Game of a record.
    pub(super) fn open_record(&mut self, name: &str) -> Result<(), AppError> {
        let text = self.platform.read_text(name, record::MAX_BYTES)?;
        let game = Record::parse(text.as_bytes()).and_then(|record| record.replay());
        let game = game.map_err(|error| format!("{name}: {error}"))?;
        self.resume_immigration(game, self.immigration_form.players())?;
        self.dialog = None;
        self.notify(format!("Opened {name}"));
        Ok(())
    }

    /// Opens a pattern of dead, red and blue cells in a battle.
    pub(super) fn open(&mut self, name: &str, pattern: &LifelikePattern) -> Result<(), AppError> {
        if !matches!(self.game, ActiveGame::Battle(_)) {
            self.choose_game(GameName::Battle)?;
        }
        let (settings, game) = self.battle_settings()?;
        let board = board_of_pattern(pattern).map_err(|reason| format!("{name}: {reason}"))?;
        let ruleset = LifelikeRuleset {
            rule: pattern.rule.unwrap_or(settings.rule),
            edges: pattern.topology.map_or(settings.edges, |grid| grid.edges),
            ties: settings.ties,
        };
        // The rules of two-player Life are fixed, whatever the file says.
        let settings = match game {
            GameName::Duel => settings,
            GameName::Battle
            | GameName::Fragment
            | GameName::Immigration
            | GameName::Rezolution => with_ruleset(settings, ruleset),
        };
        self.start_battle(game, settings, board)?;
        self.dialog = None;
        let mut text = format!("Opened {name}");
        for note in &pattern.notes {
            text.push_str("; ");
            text.push_str(note);
        }
        self.notify(text);
        Ok(())
    }

    /// Writes the board, a picture of it or the record of a game.
    pub(super) fn write(&mut self, purpose: FilePurpose, name: &str) -> Result<(), AppError> {
        if matches!(self.game, ActiveGame::Rezolution(_)) {
            return self.write_rezolution(purpose, name);
        }
        if let (FilePurpose::Save, ActiveGame::Immigration(view)) = (purpose, &self.game)
            && is_record(name)
        {
            let record = Record::of(view.game()).to_json();
            self.platform.write_text(name, &record)?;
            self.dialog = None;
            self.notify(format!("Saved {name}"));
            return Ok(());
        }
        let board = self.board()?;
        match purpose {
            FilePurpose::Save => {
                let (rule, edges, generation) = match &self.game {
                    ActiveGame::Battle(run) => {
                        let status = run.status();
                        (
                            status.settings.rule,
                            status.settings.edges,
                            status.generation,
                        )
                    }
                    ActiveGame::Fragment(_) => (Rule::LIFE, Edges::Dead, 0),
                    ActiveGame::Immigration(view) => {
                        (Rule::LIFE, Edges::Torus, view.game().generation())
                    }
                    ActiveGame::Rezolution(_) => return Ok(()),
                };
                let document = LifelikeDocument {
                    board: &board,
                    rule: Some(rule),
                    edges: Some(edges),
                    generation,
                };
                self.platform.write(name, &document)?;
            }
            FilePurpose::PictureOfBoard | FilePurpose::PictureOfView => {
                let picture = board
                    .draw(picture_size(board.size()))
                    .map_err(|error| error.to_string())?;
                self.platform.write_picture(name, &picture)?;
            }
            FilePurpose::Open | FilePurpose::Film => return Ok(()),
        }
        self.dialog = None;
        self.notify(format!("Saved {name}"));
        Ok(())
    }
}

/// The size of a picture of the whole board.
pub(super) fn picture_size(size: Size) -> PictureSize {
    let side = size.width().max(size.height());
    match PICTURE_SIDE / side {
        0 => PictureSize::Fit {
            width: size.width().min(2 * PICTURE_SIDE),
            height: size.height().min(2 * PICTURE_SIDE),
        },
        scale => PictureSize::Scale(scale.min(32)),
    }
}

/// Whether a file with this name is a record of an Immigration Game.
pub(super) fn is_record(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// The settings with the rules that came with a board.
pub(super) fn with_ruleset(settings: Settings, ruleset: LifelikeRuleset) -> Settings {
    let seed = match ruleset.ties {
        Ties::Seeded(seed) => seed,
        Ties::Red | Ties::Blue | Ties::Checkerboard => settings.seed,
    };
    Settings {
        rule: ruleset.rule,
        edges: ruleset.edges,
        ties: ruleset.ties,
        seed,
        ..settings
    }
}

/// The board of a pattern: if its file has a bounded grid, on that grid, at the position in the file or in
/// the middle.
fn board_of_pattern(pattern: &LifelikePattern) -> Result<LifelikeBoard, String> {
    let Some(Topology { width, height, .. }) = pattern.topology else {
        return Ok(pattern.board.clone());
    };
    let size = Size::new(width, height).map_err(|error| error.to_string())?;
    let own = pattern.board.size();
    let centred = |side: u32, length: u32| i64::from(side / 2) - i64::from(length / 2);
    let at = match pattern.position {
        Some(position) => position.saturating_sub(rle::grid_corner(width, height)),
        None => i64vec2(
            centred(size.width(), own.width()),
            centred(size.height(), own.height()),
        ),
    };
    let (Ok(column), Ok(row)) = (u32::try_from(at.x), u32::try_from(at.y)) else {
        return Err(format!(
            "a pattern of {own} at ({}, {}) does not fit on its bounded grid of {size}",
            at.x, at.y
        ));
    };
    let mut board = LifelikeBoard::new(size).map_err(|error| error.to_string())?;
    board
        .place(&pattern.board, uvec2(column, row))
        .map_err(|error| error.to_string())?;
    Ok(board)
}
