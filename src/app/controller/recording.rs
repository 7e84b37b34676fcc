//! Films of a run, recorded frame by frame while it plays.

use std::num::NonZeroU64;
use std::time::Duration;

use web_time::Instant;

use super::Controller;
use crate::app::error::AppError;
use crate::app::platform::{Film, FilmPlan};
use crate::board::Size;
use crate::game::opening::GameName;
use crate::render::PictureSize;

/// How long one frame of the window may compute and draw frames of the film: several of them, if they are
/// small.
const FRAME_TIME: Duration = Duration::from_millis(15);

/// The longest side of a film, in pixels.
pub(in crate::app) const MAX_SIDE: u32 = 4096;

/// A film in progress.
pub(in crate::app) struct Recording {
    name: String,
    film: Box<dyn Film>,
    plan: FilmPlan,
    /// The game that is filmed.
    game: GameName,
    /// The size of its board.
    size: Size,
    picture: PictureSize,
    frames_written: u32,
    /// The generation of the last frame.
    generation: Option<u64>,
}

impl Recording {
    /// The name of the file.
    pub(in crate::app) fn name(&self) -> &str {
        &self.name
    }

    /// The frames so far, and the most there will be.
    pub(in crate::app) const fn progress(&self) -> (u32, u32) {
        (self.frames_written, self.plan.frames)
    }
}

impl Controller {
    /// The film in progress, if there is one.
    pub(in crate::app) const fn recording(&self) -> Option<&Recording> {
        self.recording.as_ref()
    }

    /// Begins a film with the present board, and plays.
    pub(super) fn record(&mut self, name: String, plan: FilmPlan) -> Result<(), AppError> {
        self.finish_film()?;
        let Some(run) = self.game.run_mut() else {
            return Err(AppError::Message(
                "battles and reZolution can be filmed; choose one in the Game menu".into(),
            ));
        };
        let summary = run.summary();
        let picture = film_size(summary.size, plan.scale);
        let pixels = picture
            .pixels(summary.size)
            .map_err(|error| error.to_string())?;
        // A run that cannot play is not filmed, and does not play if the film cannot begin.
        run.play()?;
        let film = match self.platform.film(&name, pixels, plan) {
            Ok(film) => film,
            Err(reason) => {
                if !summary.is_playing {
                    run.pause();
                }
                return Err(reason.into());
            }
        };
        self.recording = Some(Recording {
            name,
            film,
            plan,
            game: summary.kind,
            size: summary.size,
            picture,
            frames_written: 0,
            generation: None,
        });
        self.dialog = None;
        self.record_frame(summary.generation)
    }

    /// Lets time pass without skipping a generation of the film.
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
            // The time of the frame has passed.
            frame = Duration::ZERO;
        }
    }

    /// Adds the present board to the film if its generation is due or the last. Finishes the film after its last frame, at
    /// the end of the run, and when another board is shown.
    pub(super) fn film(&mut self) -> Result<(), AppError> {
        let Some(recording) = &self.recording else {
            return Ok(());
        };
        let Some(run) = self
            .run_summary()
            .filter(|run| (run.kind, run.size) == (recording.game, recording.size))
        else {
            return self.finish_film();
        };
        let is_new = recording.generation != Some(run.generation);
        // A film ends with the last generation.
        let is_due = run.is_over || run.generation.is_multiple_of(recording.plan.every.get());
        if is_new && is_due {
            self.record_frame(run.generation)?;
        }
        let is_full = |recording: &Recording| recording.frames_written >= recording.plan.frames;
        if run.is_over || self.recording.as_ref().is_some_and(is_full) {
            self.finish_film()?;
        }
        Ok(())
    }

    fn record_frame(&mut self, generation: u64) -> Result<(), AppError> {
        let (Some(mut recording), Some(run)) = (self.recording.take(), self.game.run_mut()) else {
            return Ok(());
        };
        let picture = run.picture(recording.picture);
        match picture.and_then(|picture| Ok(recording.film.add(&picture)?)) {
            Ok(()) => {
                recording.frames_written += 1;
                recording.generation = Some(generation);
                self.recording = Some(recording);
                Ok(())
            }
            // A film that fails is abandoned.
            Err(error) => {
                self.set_stride(None);
                Err(error)
            }
        }
    }

    fn set_stride(&mut self, stride: Option<NonZeroU64>) {
        if let Some(run) = self.game.run_mut() {
            run.set_stride(stride);
        }
    }

    /// Finishes the film, if there is one; its file appears.
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

/// The requested scale, as far as no side is longer than [`MAX_SIDE`].
fn film_size(size: Size, scale: u32) -> PictureSize {
    let side = size.width().max(size.height());
    match MAX_SIDE / side {
        0 => PictureSize::Fit {
            width: size.width().min(MAX_SIDE),
            height: size.height().min(MAX_SIDE),
        },
        most => PictureSize::Scale(scale.clamp(1, most)),
    }
}
