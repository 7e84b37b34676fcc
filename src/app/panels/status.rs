//! The line at the bottom: where the pointer is, how fast it goes, and what was said last.

use egui::{Align, Layout, RichText, Ui};

use super::film;
use crate::app::actions::{Action, Speed};
use crate::app::controller::State;
use crate::app::look;
use crate::app::platform::EngineChoice;

pub(super) fn show(ui: &mut Ui, state: &mut State, zoom: &str, asked: &mut Vec<Action>) {
    let run = state.run();
    ui.horizontal(|ui| {
        if let Some(recording) = state.recording() {
            film::progress(ui, recording, asked);
        }
        match &state.notice {
            Some(notice) if notice.is_error => {
                ui.colored_label(look::error(ui), &notice.text);
            }
            Some(notice) => {
                ui.label(&notice.text);
            }
            None => {
                ui.weak(match state.pointed_at {
                    Some((x, y)) => {
                        format!("Column {}, row {}", u64::from(x) + 1, u64::from(y) + 1)
                    }
                    None => "? lists the keys".into(),
                });
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.weak(RichText::new(&state.adapter).small())
                .on_hover_text("The device that draws");
            ui.separator();
            ui.weak(match state.choice {
                EngineChoice::Gpu => "GPU engine",
                EngineChoice::Cpu => "CPU engine",
                EngineChoice::Reference => "reference engine",
            });
            ui.separator();
            ui.weak(zoom);
            if let Some(run) = run {
                if let Some((x, y)) = run.cursor {
                    ui.separator();
                    ui.label(format!("Cursor {}, {}", u64::from(x) + 1, u64::from(y) + 1));
                }
                if run.is_playing {
                    ui.separator();
                    let rate = format!(
                        "{} gen/s, {:.0} frames/s",
                        look::rate(run.generations_a_second),
                        run.frames_a_second
                    );
                    ui.label(RichText::new(rate).monospace());
                } else if run.speed == Speed::Fastest {
                    ui.separator();
                    ui.weak("as fast as possible");
                }
            }
        });
    });
}
