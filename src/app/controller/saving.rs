//! What is kept of the game: for the next start, and when the device fails.

use super::{ActiveGame, Controller, Opening};
use crate::format::share_code;
use crate::game::opening::GameName;
use crate::store::window_memory::{Extras, Memory};

impl Controller {
    /// Saves board and settings for the next start.
    pub fn save_window_memory(&mut self) {
        self.changed_at = None;
        let active = self.game.name();
        let (rezolution, rezolution_unsaved) = self.rezolution_memory();
        let display = self.display;
        let battle = match (&mut self.game, &mut self.inactive_battle) {
            (ActiveGame::Battle(run), _) | (_, Some(run)) => run,
            (_, None) => return,
        };
        let status = battle.status();
        // A board too large for a share code even if empty is not read back from the device.
        let most_cells = share_code::MAX_LENGTH as u64 * 8 * 1032;
        let board = if status.settings.size.cells() > most_cells {
            None
        } else {
            battle.session.board().ok()
        };
        let extras = Extras {
            game: active,
            battle: status.kind,
            draw: status.extras.pattern,
            density: status.extras.density,
            speed: status.speed,
            light: display.light,
            lines: display.lines,
            any_live: display.any_live,
            limit_flashes: display.limit_flashes,
            chart: display.chart,
            rezolution,
        };
        let (memory, battle_unsaved) =
            Memory::new(board.as_ref(), status.settings, status.draft, &extras);
        let saved = memory
            .to_text()
            .and_then(|text| self.platform.save_window_memory(&text));
        // The warning is about the board on the screen.
        let (unsaved, warning) = match active {
            GameName::Rezolution => (
                rezolution_unsaved,
                "This board is too large to be remembered: it is not kept until next time unless it is saved to a file",
            ),
            GameName::Battle | GameName::Duel | GameName::Fragment | GameName::Immigration => (
                battle_unsaved,
                "This board does not fit into a share code: it is not kept until next time unless it is saved to a file",
            ),
        };
        match (saved, unsaved) {
            (Err(reason), _) => self.notify_error(reason),
            (Ok(()), Some(_)) if !self.warned_too_large => {
                self.warned_too_large = true;
                self.notify(warning.into());
            }
            (Ok(()), Some(_)) => {}
            (Ok(()), None) => self.warned_too_large = false,
        }
    }

    /// An opening that resumes the game on another device: from the start pattern, which is always in
    /// memory, with the same settings; the Immigration Game exactly where it is.
    pub fn recovery(&mut self) -> Opening {
        match &self.game {
            ActiveGame::Immigration(view) => {
                Opening::ImmigrationRecord(Box::new(view.game().clone()), view.players())
            }
            ActiveGame::Fragment(view) => {
                let game = view.game();
                Opening::Fragment(game.settings(), Some(game.seed()))
            }
            ActiveGame::Rezolution(run) => {
                let board = run.session.start_pattern().clone();
                let settings = run.session.settings();
                Opening::Rezolution(Some((settings, board, Some(run.extras))))
            }
            ActiveGame::Battle(run) => {
                let (settings, board) =
                    (run.session.settings(), run.session.start_pattern().clone());
                match run.kind() {
                    GameName::Duel => Opening::Duel(Some(board)),
                    GameName::Battle
                    | GameName::Fragment
                    | GameName::Immigration
                    | GameName::Rezolution => Opening::Battle { settings, board },
                }
            }
        }
    }
}
