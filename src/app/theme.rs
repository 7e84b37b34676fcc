//! The theme: colours and fonts of the window, and the format of numbers.

use std::time::Duration;

use egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Frame, Stroke, TextStyle, Theme, Ui,
    Visuals,
};

use crate::render::Palette;

/// Lines between cells.
pub(super) const LINE: [u8; 3] = [0x20, 0x25, 0x2d];

/// Green cells of a piece of the puzzle.
pub(super) const GREEN: Color32 = Color32::from_rgb(0x4c, 0xd9, 0x7b);

/// The frame of a piece of the puzzle.
pub(super) const YELLOW: Color32 = Color32::from_rgb(0xff, 0xd8, 0x4d);

/// Green cells that clash with blue ones.
pub(super) const CLASH: Color32 = Color32::from_rgb(0xff, 0x3b, 0x30);

/// Banners that favour neither colour.
pub(super) const NEUTRAL: Color32 = Color32::from_gray(0xc8);

/// Sets fonts, spacing and colours.
pub(super) fn apply_theme(ctx: &Context) {
    ctx.set_visuals_of(Theme::Dark, dark());
    ctx.set_visuals_of(Theme::Light, light());
    ctx.all_styles_mut(|style| {
        style.spacing.item_spacing = egui::vec2(8.0, 6.0);
        style.spacing.button_padding = egui::vec2(8.0, 3.0);
        style.spacing.interact_size.y = 22.0;
        // A cursor that blinks would keep the window drawing.
        style.visuals.text_cursor.blink = false;
        for (text, size, family) in [
            (TextStyle::Small, 11.5, FontFamily::Proportional),
            (TextStyle::Body, 13.5, FontFamily::Proportional),
            (TextStyle::Button, 13.5, FontFamily::Proportional),
            (TextStyle::Monospace, 13.5, FontFamily::Monospace),
            (TextStyle::Heading, 18.0, FontFamily::Proportional),
        ] {
            style.text_styles.insert(text, FontId::new(size, family));
        }
    });
}

/// The colour of panels. The window is cleared to it and panels are not filled again, since every pixel
/// is slow on a software adapter.
pub(super) const fn background(visuals: &Visuals) -> Color32 {
    visuals.panel_fill
}

/// The frame of a panel.
pub(super) fn panel(ui: &Ui) -> Frame {
    Frame::side_top_panel(ui.style()).fill(Color32::TRANSPARENT)
}

fn dark() -> Visuals {
    let mut visuals = Visuals::dark();
    let panel = Color32::from_rgb(0x1b, 0x1f, 0x26);
    visuals.panel_fill = panel;
    visuals.window_fill = Color32::from_rgb(0x22, 0x27, 0x30);
    visuals.extreme_bg_color = Color32::from_rgb(0x10, 0x13, 0x18);
    visuals.widgets.noninteractive.bg_fill = panel;
    visuals.widgets.noninteractive.fg_stroke = Stroke::new(1.0, Color32::from_gray(0xd2));
    visuals.widgets.noninteractive.bg_stroke =
        Stroke::new(1.0, Color32::from_rgb(0x36, 0x3d, 0x49));
    visuals.widgets.inactive.weak_bg_fill = Color32::from_rgb(0x31, 0x38, 0x44);
    visuals.widgets.inactive.bg_fill = Color32::from_rgb(0x3c, 0x44, 0x52);
    visuals.widgets.hovered.weak_bg_fill = Color32::from_rgb(0x3f, 0x48, 0x57);
    visuals.selection.bg_fill = Color32::from_rgb(0x1f, 0x5f, 0x8b);
    visuals.error_fg_color = Color32::from_rgb(0xff, 0x8a, 0x70);
    visuals.warn_fg_color = Color32::from_rgb(0xff, 0xc8, 0x57);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals
}

fn light() -> Visuals {
    let mut visuals = Visuals::light();
    visuals.widgets.noninteractive.fg_stroke = Stroke::new(1.0, Color32::from_gray(0x28));
    visuals.error_fg_color = Color32::from_rgb(0xa8, 0x1c, 0x0a);
    visuals.warn_fg_color = Color32::from_rgb(0x8a, 0x4b, 0x00);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals
}

pub(super) const fn colour([red, green, blue]: [u8; 3]) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

/// The colour of red text, darker in the light theme.
pub(super) fn red(ui: &Ui) -> Color32 {
    if ui.visuals().dark_mode {
        Color32::from_rgb(0xff, 0x6b, 0x57)
    } else {
        Color32::from_rgb(0xb3, 0x26, 0x14)
    }
}

/// The colour of blue text, darker in the light theme.
pub(super) fn blue(ui: &Ui) -> Color32 {
    if ui.visuals().dark_mode {
        colour(Palette::DEFAULT.blue)
    } else {
        Color32::from_rgb(0x0b, 0x5c, 0x9c)
    }
}

pub(super) fn error(ui: &Ui) -> Color32 {
    ui.visuals().error_fg_color
}

/// A number with its digits in groups of three.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            // A no-break space, as ISO 80000-1 requires.
            text.push('\u{a0}');
        }
        text.push(digit);
    }
    text
}

/// A rate per second, with one decimal below 10.
pub(super) fn rate(per_second: f64) -> String {
    if per_second < 9.95 {
        format!("{per_second:.1}")
    } else {
        grouped(per_second.round() as u64)
    }
}

/// The text with a capital first letter.
pub(super) fn capital(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// A time in seconds.
pub(super) fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        for (number, expected) in [
            (0, "0"),
            (999, "999"),
            (1000, "1\u{a0}000"),
            (1_234_567, "1\u{a0}234\u{a0}567"),
        ] {
            assert_eq!(grouped(number), expected);
        }
        assert_eq!(seconds(Duration::from_millis(1250)), "1.2 s");
        assert_eq!([0.62, 9.96, 1234.5].map(rate), ["0.6", "10", "1\u{a0}235"]);
    }
}
