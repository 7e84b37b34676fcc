//! What the controller does about reZolution, whose boards are of another kind.

use super::files::picture_size;
use super::{Game, State};
use crate::app::actions::{Action, Kind, Purpose, Speed};
use crate::app::battle::Refusal;
use crate::app::flash::FlashLimiter;
use crate::app::rezolution::{RezolutionTable, rezolution};
use crate::app::table::{Facts, Run};
use crate::board::{Board as _, Edges, RezolutionBoard, start};
use crate::format::populations::{PopulationDocument, PopulationPattern};
use crate::game::rezolution::{DEMO_DENSITY, Settings};
use crate::render::Draw;
use crate::store::window_memory::SavedRezolution;

/// The most cells of a board that is packed for the memory; what is larger is not read back from
/// the device for it.
const MOST_CELLS_KEPT: u64 = 1 << 22;

/// The game of reZolution while another one is on the table.
pub(super) enum Shelf {
    /// It was never opened.
    Empty,
    /// As it was left when the program was run before.
    Kept(SavedRezolution),
    /// As it was left since.
    Table(Box<RezolutionTable>),
}

impl State {
    /// What panels show of reZolution; `None` while another game is on the table.
    pub fn rezolution_facts(&mut self) -> Option<Facts<Settings>> {
        match &mut self.game {
            Game::Rezolution(table) => Some(table.facts()),
            _ => None,
        }
    }

    /// The present board, if it is one of populations.
    ///
    /// # Errors
    /// One line if the engine failed, or the board is another one.
    pub fn populations(&mut self) -> Result<RezolutionBoard, String> {
        match &mut self.game {
            Game::Rezolution(table) => table.session().board().map_err(|error| error.to_string()),
            _ => Err("this board has no populations".into()),
        }
    }

    /// The game on the table.
    pub(in crate::app) fn kind(&self) -> Kind {
        match &self.game {
            Game::Battle(battle) => battle.kind(),
            Game::Fragment(_) => Kind::Fragment,
            Game::Immigration(_) => Kind::Immigration,
            Game::Rezolution(_) => Kind::Rezolution,
        }
    }

    /// The run on the table, a battle or one of reZolution.
    pub(in crate::app) fn run(&mut self) -> Option<Run> {
        match &mut self.game {
            Game::Battle(battle) => Some(battle.facts().run()),
            Game::Rezolution(table) => Some(table.facts().run()),
            Game::Fragment(_) | Game::Immigration(_) => None,
        }
    }

    /// Puts reZolution on the table: on a board that is asked for, else as it was left, else on a
    /// demo.
    pub(super) fn open_rezolution(
        &mut self,
        asked: Option<(Settings, RezolutionBoard, Option<u64>)>,
    ) -> Result<(), Refusal> {
        match (asked, std::mem::replace(&mut self.rezolution, Shelf::Empty)) {
            (Some((settings, board, seed)), last) => {
                let (last_seed, speed) = match last {
                    Shelf::Empty => (0, None),
                    Shelf::Kept(saved) => (saved.seed, Some(saved.speed)),
                    Shelf::Table(mut table) => (table.beside, Some(table.facts().speed)),
                };
                self.put_rezolution(settings, board, seed.unwrap_or(last_seed), speed)
            }
            (None, Shelf::Table(table)) => {
                self.set_aside(Game::Rezolution(table));
                self.flashes = FlashLimiter::default();
                self.keep_engine()
            }
            (None, Shelf::Kept(saved)) => self.put_kept(&saved),
            (None, Shelf::Empty) => {
                let seed = self.platform.random_seed();
                self.put_demo(standard()?, seed, None)
            }
        }
    }

    /// Opens a file of populations.
    pub(super) fn open_populations(
        &mut self,
        name: &str,
        pattern: PopulationPattern,
    ) -> Result<(), Refusal> {
        let settings = Settings {
            size: pattern.board.size(),
            edges: pattern.edges.unwrap_or(Edges::Dead),
        };
        match self.rezolution_facts() {
            Some(facts) => {
                let (seed, speed) = (facts.beside, Some(facts.speed));
                self.put_rezolution(settings, pattern.board, seed, speed)?;
            }
            None => self.open_rezolution(Some((settings, pattern.board, None)))?,
        }
        self.dialog = None;
        self.say(format!("Opened {name}"));
        Ok(())
    }

    /// Writes the board, or a picture of it.
    pub(super) fn write_populations(
        &mut self,
        purpose: Purpose,
        name: &str,
    ) -> Result<(), Refusal> {
        let board = self.populations()?;
        let Some(facts) = self.rezolution_facts() else {
            return Ok(());
        };
        match purpose {
            Purpose::Save => {
                let document = PopulationDocument {
                    board: &board,
                    edges: Some(facts.settings.edges),
                    generation: facts.generation,
                };
                self.platform.write_populations(name, &document)?;
            }
            Purpose::PictureOfBoard | Purpose::PictureOfView => {
                let picture = board.draw(picture_size(board.size()));
                let picture = picture.map_err(|error| error.to_string())?;
                self.platform.write_picture(name, &picture)?;
            }
            Purpose::Open | Purpose::Film => return Ok(()),
        }
        self.dialog = None;
        self.say(format!("Saved {name}"));
        Ok(())
    }

    /// What is to be remembered of reZolution, and why its board is not, if it is not.
    pub(super) fn rezolution_to_keep(&mut self) -> (Option<SavedRezolution>, Option<String>) {
        let table = match (&mut self.game, &mut self.rezolution) {
            (Game::Rezolution(table), _) | (_, Shelf::Table(table)) => table,
            (_, Shelf::Kept(saved)) => return (Some(saved.clone()), None),
            (_, Shelf::Empty) => return (None, None),
        };
        let facts = table.facts();
        let board = if facts.settings.size.cells() > MOST_CELLS_KEPT {
            None
        } else {
            table.session().board().ok()
        };
        let (saved, why) = SavedRezolution::new(
            board.as_ref(),
            facts.settings,
            facts.is_locked.then_some(facts.draft),
            facts.beside,
            facts.speed,
        );
        (Some(saved), why)
    }

    /// Begins anew from the present board, on the engine that is chosen now.
    pub(super) fn change_engine(&mut self) -> Result<(), Refusal> {
        if let Some(facts) = self.rezolution_facts() {
            let board = self.populations()?;
            return self.put_rezolution(facts.settings, board, facts.beside, Some(facts.speed));
        }
        let (settings, kind) = self.battle_settings()?;
        let board = self.board()?;
        self.put(kind, settings, board)
    }

    /// Another engine may have been chosen while the run on the table lay aside.
    pub(super) fn keep_engine(&mut self) -> Result<(), Refusal> {
        let engine = match &self.game {
            Game::Battle(battle) => battle.engine(),
            Game::Rezolution(table) => table.engine(),
            Game::Fragment(_) | Game::Immigration(_) => return Ok(()),
        };
        if engine == self.choice {
            return Ok(());
        }
        self.change_engine()
    }

    fn put_kept(&mut self, saved: &SavedRezolution) -> Result<(), Refusal> {
        let settings = saved.settings()?;
        let speed = Some(saved.speed);
        let (text, is_error) = match saved.board() {
            Ok(Some(board)) => {
                self.put_rezolution(settings, board, saved.seed, speed)?;
                ("The last board, paused at generation 0".into(), false)
            }
            Ok(None) => {
                self.put_demo(settings, saved.seed, speed)?;
                let text = "The last board was too large to be kept; this is a new one";
                (text.into(), false)
            }
            Err(why) => {
                self.put_demo(standard()?, saved.seed, speed)?;
                (why, true)
            }
        };
        if let Some(draft) = saved.draft()? {
            let action = Action::Rezolution(crate::app::actions::Rezolution::Draft(draft));
            self.run_action(&action)?;
        }
        if is_error {
            self.say_error(text);
        } else {
            self.say(text);
        }
        Ok(())
    }

    fn put_demo(
        &mut self,
        settings: Settings,
        seed: u64,
        speed: Option<Speed>,
    ) -> Result<(), Refusal> {
        let bytes = RezolutionBoard::bytes(settings.size);
        self.platform.check_memory(settings.size, bytes)?;
        let empty = RezolutionBoard::new(settings.size).map_err(|error| error.to_string())?;
        let board = start::demo(&empty, DEMO_DENSITY, seed).map_err(|error| error.to_string())?;
        self.put_rezolution(settings, board, seed, speed)
    }

    /// Puts another run of reZolution on the table.
    fn put_rezolution(
        &mut self,
        settings: Settings,
        board: RezolutionBoard,
        seed: u64,
        speed: Option<Speed>,
    ) -> Result<(), Refusal> {
        let size = board.size();
        self.platform
            .check_memory(size, RezolutionBoard::bytes(size))?;
        let mut table = rezolution(settings, board, seed, self.choice, &self.makers)?;
        if let Some(speed) = speed {
            table.set_speed(speed);
        }
        self.flashes = FlashLimiter::default();
        if let Game::Rezolution(last) = &mut self.game {
            let fits = last.session().settings().size == size;
            table.keep_settings_of(last);
            // So that what is drawn is known to be another board.
            table.come_after(last);
            self.game = Game::Rezolution(Box::new(table));
            if !fits {
                self.display.camera = None;
            }
        } else {
            self.set_aside(Game::Rezolution(Box::new(table)));
        }
        Ok(())
    }
}

fn standard() -> Result<Settings, String> {
    Settings::standard().map_err(|error| error.to_string())
}
