//! What a film is to be like, and how far it is.

use std::num::NonZeroU64;

use egui::{Button, DragValue, Grid, ProgressBar, Ui};

use crate::app::command::{Command, CommandQueue};
use crate::app::controller::recording::{MAX_SIDE, Recording};
use crate::app::platform::FilmPlan;
use crate::board::Size;
use crate::render::FrameRate;

/// The longer side of a film by default, in pixels.
const USUAL_SIDE: u32 = 640;

/// The most pixels per cell.
const MOST_SCALE: u32 = 32;

/// The form for the plan of a film.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct FilmForm {
    every: u64,
    frames: u32,
    frames_per_second: u16,
    scale: u32,
    most_scale: u32,
}

impl Default for FilmForm {
    fn default() -> Self {
        Self {
            every: 1,
            frames: 250,
            frames_per_second: 25,
            scale: 1,
            most_scale: 1,
        }
    }
}

impl FilmForm {
    /// Suggests the pixels per cell for a board.
    pub(in crate::app) fn fit(&mut self, size: Size) {
        let side = size.width().max(size.height());
        self.most_scale = (MAX_SIDE / side).clamp(1, MOST_SCALE);
        self.scale = (USUAL_SIDE / side).clamp(1, self.most_scale);
    }

    pub(super) fn plan(self) -> Option<FilmPlan> {
        Some(FilmPlan {
            every: NonZeroU64::new(self.every)?,
            frames: self.frames,
            rate: FrameRate::new(self.frames_per_second, 1)?,
            scale: self.scale,
        })
    }

    pub(super) fn show(&mut self, ui: &mut Ui) {
        Grid::new("film")
            .num_columns(4)
            .spacing([12.0, 6.0])
            .show(ui, |ui| {
                let label = ui.label("A frame every");
                ui.add(DragValue::new(&mut self.every).range(1..=1_000_000))
                    .labelled_by(label.id)
                    .on_hover_text("Generations from one frame to the next");
                let label = ui.label("Most frames");
                ui.add(DragValue::new(&mut self.frames).range(1..=1_000_000))
                    .labelled_by(label.id)
                    .on_hover_text(
                        "The film ends after this number of frames, or when the run ends",
                    );
                ui.end_row();
                let label = ui.label("Frames per second");
                ui.add(DragValue::new(&mut self.frames_per_second).range(1..=240))
                    .labelled_by(label.id)
                    .on_hover_text("A GIF shows at most 50");
                let label = ui.label("Pixels per cell");
                ui.add(DragValue::new(&mut self.scale).range(1..=self.most_scale))
                    .labelled_by(label.id)
                    .on_hover_text("Larger boards are scaled down to fit");
                ui.end_row();
            });
    }
}

/// The progress of a film.
pub(super) fn progress(ui: &mut Ui, recording: &Recording, commands: &mut CommandQueue) {
    let (frames_written, most) = recording.progress();
    let share = f64::from(frames_written) / f64::from(most.max(1));
    ui.add(
        ProgressBar::new(share as f32)
            .desired_width(150.0)
            .text(format!("frame {frames_written} of {most}")),
    )
    .on_hover_text(recording.name());
    let stop = Button::new("Stop recording");
    if ui
        .add(stop)
        .on_hover_text("Ends the film; its file appears")
        .clicked()
    {
        commands.push(Command::StopRecording);
    }
}
