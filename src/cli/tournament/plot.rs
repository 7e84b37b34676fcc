//! The ranking as a picture: points per game of the strongest seeds, with their intervals.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::result_file::is_stream;
use crate::arena::statistics::Standing;
use crate::format;

/// Pixels of a row.
const ROW: u32 = 20;

/// Pixels for names, at the left, and for ratings, at the right.
const MARGINS: (u32, u32) = (240, 70);

/// Pixels from side to side.
const WIDTH: u32 = 900;

/// Characters of a name that are shown.
const NAME: usize = 32;

/// Whether a plot of that name can be written, before any game is played.
pub(super) fn check(path: &Path) -> Result<()> {
    let is_svg = |extension: &std::ffi::OsStr| extension.eq_ignore_ascii_case("svg");
    if !is_stream(path) && !path.extension().is_some_and(is_svg) {
        bail!(
            "{}: a plot is written as .svg; choose such a name",
            path.display()
        );
    }
    format::check_place(path)?;
    Ok(())
}

/// Draws the first `top` of a ranking to a file.
pub(super) fn save(path: &Path, title: &str, standings: &[Standing], top: usize) -> Result<()> {
    let shown = &standings[..top.min(standings.len())];
    // Errors of drawing to a string can only be about the drawing.
    let svg = draw(title, shown).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    format::atomic_write(path, |out| out.write_all(svg.as_bytes()))?;
    Ok(())
}

fn draw(title: &str, standings: &[Standing]) -> Result<String, Box<dyn std::error::Error>> {
    let rows = standings.len();
    let height = ROW * rows as u32 + 122;
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(title, ("sans-serif", 18))
            .margin(10)
            .margin_left(MARGINS.0)
            .margin_right(MARGINS.1)
            .x_label_area_size(52)
            .build_cartesian_2d(0.0..100.0, rows as f64..0.0)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .x_max_light_lines(1)
            .x_labels(11)
            .x_desc("points per game in %, with 95 % intervals (win 1, draw 1/2); right: rating")
            .draw()?;
        for (place, standing) in standings.iter().enumerate() {
            let y = place as f64 + 0.5;
            let rate = standing.record.rate();
            let percent = |rate: f64| 100.0 * rate;
            chart.draw_series([PathElement::new(
                [(percent(rate.low), y), (percent(rate.high), y)],
                RGBColor(120, 120, 120).stroke_width(3),
            )])?;
            let dot = Circle::new((percent(rate.rate), y), 4, RGBColor(200, 60, 40).filled());
            chart.draw_series([dot])?;
            let text = |pos| ("sans-serif", 13).into_font().color(&BLACK).pos(pos);
            let (left, row) = chart.backend_coord(&(0.0, y));
            let (right, _) = chart.backend_coord(&(100.0, y));
            let name: String = standing.name.chars().take(NAME).collect();
            let name = format!("{}  {name}", place + 1);
            let before = text(Pos::new(HPos::Right, VPos::Center));
            root.draw(&Text::new(name, (left - 8, row), before))?;
            let after = text(Pos::new(HPos::Left, VPos::Center));
            let rating = format!("{:.0}", standing.rating);
            root.draw(&Text::new(rating, (right + 8, row), after))?;
        }
        root.present()?;
    }
    Ok(svg)
}
