//! The status bar: the last notice or the cell under the pointer, the engine, and the rates of a run.

use egui::{Align, Layout, RichText, Ui};

use super::film;
use crate::app::command::CommandQueue;
use crate::app::controller::Controller;
use crate::app::platform::EngineName;
use crate::app::theme;
use crate::game::session::Speed;

pub(super) fn show(
    ui: &mut Ui,
    controller: &mut Controller,
    zoom: &str,
    commands: &mut CommandQueue,
) {
    let run = controller.run_summary();
    ui.horizontal(|ui| {
        if let Some(recording) = controller.recording() {
            film::progress(ui, recording, commands);
        }
        match &controller.notice {
            Some(notice) if notice.is_error => {
                ui.colored_label(theme::error(ui), &notice.text);
            }
            Some(notice) => {
                ui.label(&notice.text);
            }
            None => {
                ui.weak(match controller.pointed_at {
                    Some(cell) => {
                        format!(
                            "Column {}, row {}",
                            u64::from(cell.x) + 1,
                            u64::from(cell.y) + 1
                        )
                    }
                    None => "? lists the keys".into(),
                });
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.weak(RichText::new(&controller.adapter).small())
                .on_hover_text("The device that draws");
            ui.separator();
            ui.weak(match controller.engine_choice {
                EngineName::Gpu => "GPU engine",
                EngineName::Cpu => "CPU engine",
                EngineName::Reference => "reference engine",
            });
            ui.separator();
            ui.weak(zoom);
            if let Some(run) = run {
                if let Some(cell) = run.cursor {
                    ui.separator();
                    ui.label(format!(
                        "Cursor {}, {}",
                        u64::from(cell.x) + 1,
                        u64::from(cell.y) + 1
                    ));
                }
                if run.is_playing {
                    ui.separator();
                    let rate = format!(
                        "{} gen/s, {:.0} frames/s",
                        theme::rate(run.generations_per_second),
                        run.frames_per_second
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
