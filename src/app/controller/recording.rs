//! A film of the run on the table, frame by frame while it plays.

use std::num::NonZeroU64;
use std::time::Duration;

use web_time::Instant;

use super::{Controller, Game};
use crate::app::error::AppError;
use crate::app::platform::{Film, FilmPlan};
use crate::board::Size;
use crate::game::opening::GameName;
use crate::render::{Draw, Picture, PictureSize};

/// How long a frame of the window may compute and draw frames of the film: several of them, if they
/// are small.
const FRAME_TIME: Duration = Duration::from_millis(15);

/// Pixels of the longer side of a film at most.
pub(in crate::app) const MOST_SIDE: u32 = 4096;

/// A film under way.
pub(in crate::app) struct Recording {
    name: String,
    film: Box<dyn Film>,
    plan: FilmPlan,
    /// Of what it is a film.
    kind: GameName,
    size: Size,
    picture: PictureSize,
    frames_written: u32,
    /// The generation of the last frame.
    generation: Option<u64>,
}

impl Recording {
    /// The name of its file.
    pub(in crate::app) fn name(&self) -> &str {
        &self.name
    }

    /// Frames so far, and the most there will be.
    pub(in crate::app) const fn progress(&self) -> (u32, u32) {
        (self.frames_written, self.plan.frames)
    }
}

impl Controller {
    /// The film under way, if there is one.
    pub(in crate::app) const fn recording(&self) -> Option<&Recording> {
        self.recording.as_ref()
    }

    /// Begins a film with the present board, and plays.
    pub(super) fn record(&mut self, name: String, plan: FilmPlan) -> Result<(), AppError> {
        self.finish_film()?;
        let Some(run) = self.run_summary() else {
            return Err(AppError::Message(
                "battles and reZolution can be filmed; choose one in the Game menu".into(),
            ));
        };
        let picture = film_size(run.size, plan.scale);
        let pixels = picture
            .pixels(run.size)
            .map_err(|error| error.to_string())?;
        // What does not play is not filmed; a film that cannot be begun lets nothing play.
        self.play(true)?;
        let film = match self.platform.film(&name, pixels, plan) {
            Ok(film) => film,
            Err(why) => {
                self.play(run.is_playing)?;
                return Err(why.into());
            }
        };
        self.recording = Some(Recording {
            name,
            film,
            plan,
            kind: run.kind,
            size: run.size,
            picture,
            frames_written: 0,
            generation: None,
        });
        self.dialog = None;
        self.record_frame(run.generation)
    }

    /// Lets the run on the table play, or pauses it.
    fn play(&mut self, plays: bool) -> Result<(), AppError> {
        match (&mut self.game, plays) {
            (Game::Battle(battle), true) => battle.session().play()?,
            (Game::Battle(battle), false) => battle.session().pause(),
            (Game::Rezolution(table), true) => table.session().play()?,
            (Game::Rezolution(table), false) => table.session().pause(),
            (Game::Fragment(_) | Game::Immigration(_), _) => {}
        }
        Ok(())
    }

    /// Lets time pass so that every generation of the film is seen.
    pub(super) fn tick_filmed(
        &mut self,
        now: Duration,
        frame: Duration,
    ) -> Result<Option<Duration>, AppError> {
        let since = Instant::now();
        let mut frame = frame;
        loop {
            let stride = self
                .recording
                .as_ref()
                .map(|recording| recording.plan.every);
            self.set_stride(stride);
            let wait = self.tick_game(now, frame)?;
            self.film()?;
            let goes_on = self.recording.is_some() && wait == Some(Duration::ZERO);
            if !goes_on || since.elapsed() >= FRAME_TIME {
                return Ok(wait);
            }
            // That time has passed once.
            frame = Duration::ZERO;
        }
    }

    /// Adds the present board to the film if its turn has come; ends the film with its last frame,
    /// with the run, and if there is another board.
    pub(super) fn film(&mut self) -> Result<(), AppError> {
        if self.recording.is_none() {
            return Ok(());
        }
        let run = self.run_summary();
        let Some(recording) = &self.recording else {
            return Ok(());
        };
        let Some(run) = run.filter(|run| (run.kind, run.size) == (recording.kind, recording.size))
        else {
            return self.finish_film();
        };
        let is_new = recording.generation != Some(run.generation);
        if is_new && run.generation.is_multiple_of(recording.plan.every.get()) {
            self.record_frame(run.generation)?;
        }
        let is_full = |recording: &Recording| recording.frames_written >= recording.plan.frames;
        if run.is_over || self.recording.as_ref().is_some_and(is_full) {
            self.finish_film()?;
        }
        Ok(())
    }

    fn record_frame(&mut self, generation: u64) -> Result<(), AppError> {
        let Some(mut recording) = self.recording.take() else {
            return Ok(());
        };
        let picture = self.film_picture(recording.picture);
        match picture.and_then(|picture| Ok(recording.film.add(&picture)?)) {
            Ok(()) => {
                recording.frames_written += 1;
                recording.generation = Some(generation);
                self.recording = Some(recording);
                Ok(())
            }
            // A film that fails is given up.
            Err(error) => {
                self.set_stride(None);
                Err(error)
            }
        }
    }

    fn set_stride(&mut self, stride: Option<NonZeroU64>) {
        match &mut self.game {
            Game::Battle(battle) => battle.session().set_stride(stride),
            Game::Rezolution(table) => table.session().set_stride(stride),
            Game::Fragment(_) | Game::Immigration(_) => {}
        }
    }

    fn film_picture(&mut self, size: PictureSize) -> Result<Picture, AppError> {
        let picture = match &mut self.game {
            Game::Battle(battle) => battle.session().board()?.draw(size),
            Game::Rezolution(table) => table.session().board()?.draw(size),
            Game::Fragment(_) | Game::Immigration(_) => {
                return Err(AppError::Message("this game is not filmed".into()));
            }
        };
        picture.map_err(|error| AppError::Message(error.to_string()))
    }

    /// Ends the film, if there is one; its file appears.
    pub(in crate::app) fn finish_film(&mut self) -> Result<(), AppError> {
        let Some(recording) = self.recording.take() else {
            return Ok(());
        };
        self.set_stride(None);
        let Recording {
            name,
            frames_written,
            ..
        } = recording;
        recording.film.finish()?;
        let frames = if frames_written == 1 {
            "frame"
        } else {
            "frames"
        };
        self.notify(format!("Saved {name}: {frames_written} {frames}"));
        Ok(())
    }
}

/// As large as asked for, if that is no larger than [`MOST_SIDE`].
fn film_size(size: Size, scale: u32) -> PictureSize {
    let side = size.width().max(size.height());
    match MOST_SIDE / side {
        0 => PictureSize::Fit {
            width: size.width().min(MOST_SIDE),
            height: size.height().min(MOST_SIDE),
        },
        most => PictureSize::Scale(scale.clamp(1, most)),
    }
}
