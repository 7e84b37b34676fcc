//! The chart of red and blue cells over the generations.

use egui::Ui;
use egui_plot::{Line, Plot};

use crate::app::controller::Controller;
use crate::app::theme;

pub(super) fn show(ui: &mut Ui, controller: &Controller) {
    let Some(run) = controller.game.run() else {
        return;
    };
    let chart = run.chart();
    let (red, blue) = (theme::red(ui), theme::blue(ui));
    Plot::new("chart")
        .height(150.0)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .include_y(0.0)
        .show_x(false)
        .show_y(false)
        .y_axis_min_width(28.0)
        .show(ui, |plot| {
            let red_line = Line::new("Red", chart.series(|census| census.red));
            plot.line(red_line.color(red).width(1.6));
            let blue_line = Line::new("Blue", chart.series(|census| census.blue));
            plot.line(blue_line.color(blue).width(1.6));
        });
    ui.weak("Red and blue cells over generations");
}
