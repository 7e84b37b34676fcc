//! The board on the screen: its picture, what lies above it, and what the pointer does there.

use egui::{
    Color32, Event, EventFilter, Id, MouseWheelUnit, PointerButton, Pos2, Rect, Role, Sense,
    Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
};

use super::command::{Command, ImmigrationCommand, Tool, ViewCommand};
use super::controller::{Controller, Game};
use super::theme;
use crate::board::LifelikeCell;
use crate::game::immigration::{Ending, Player};
use crate::game::referee::Outcome;
use crate::render::camera::{Camera, View, Zoom};
use crate::render::{Palette, rezolution};

/// Points of a smooth wheel that make one step of zoom.
const POINTS_PER_STEP: f32 = 40.0;

/// The canvas between frames.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    /// The pixel of the last touched cell, while a stroke is under way.
    last_touch: Option<(i32, i32)>,
    /// Of a smooth wheel, less than a step.
    scrolled: f32,
}

/// Where the canvas is.
#[derive(Clone, Copy, Debug)]
pub(super) struct CanvasLayout {
    /// Its top left corner, in whole pixels of the screen.
    left_top: (f32, f32),
    pixels_per_point: f32,
    /// What is seen.
    pub(super) view: View,
}

impl CanvasLayout {
    /// The pixel of the view under a position.
    fn pixel(&self, at: Pos2) -> (i32, i32) {
        let pixel =
            |at: f32, start: f32| (at * self.pixels_per_point).floor() as i32 - start as i32;
        (pixel(at.x, self.left_top.0), pixel(at.y, self.left_top.1))
    }

    /// A rectangle of pixels of the view, in points.
    fn rect(&self, left: i64, top: i64, width: f32, height: f32) -> Rect {
        let scale = self.pixels_per_point;
        let corner = Pos2::new(
            (left as f32 + self.left_top.0) / scale,
            (top as f32 + self.left_top.1) / scale,
        );
        Rect::from_min_size(corner, Vec2::new(width, height) / scale)
    }

    /// Where the picture is to be drawn: one of its pixels on one of the screen.
    pub(super) fn picture(&self) -> Rect {
        self.rect(0, 0, self.view.width as f32, self.view.height as f32)
    }

    /// Where a cell is, in points.
    pub(super) fn cell(&self, x: u32, y: u32) -> Rect {
        let (left, top, side) = self.view.pixels(x, y);
        self.rect(left, top, side as f32, side as f32)
    }
}

/// The name under which the canvas has the keyboard.
pub(super) fn id() -> Id {
    Id::unique("board")
}

impl Canvas {
    /// Takes the room that is left, and what the pointer did there.
    pub(super) fn layout(
        &mut self,
        ui: &mut Ui,
        controller: &mut Controller,
        commands: &mut Vec<Command>,
    ) -> CanvasLayout {
        let rect = ui.available_rect_before_wrap();
        let scale = ui.ctx().pixels_per_point();
        let left_top = ((rect.left() * scale).round(), (rect.top() * scale).round());
        // A window without any room has a canvas without pixels.
        let pixels = |from: f32, to: f32| ((to * scale).round() - from).max(0.0) as u32;
        let canvas = (
            pixels(left_top.0, rect.right()),
            pixels(left_top.1, rect.bottom()),
        );
        let (size, edges) = controller.shape();
        controller.display.canvas = canvas;
        if controller.display.camera.is_none() && canvas.0 > 0 && canvas.1 > 0 {
            // A little margin shows where the board ends.
            let inner = (
                canvas.0.saturating_sub(24).max(1),
                canvas.1.saturating_sub(24).max(1),
            );
            controller.display.camera = Some(Camera::fit(size, inner.0, inner.1));
        }
        let camera = controller
            .display
            .camera
            .unwrap_or_else(|| Camera::fit(size, canvas.0, canvas.1));
        let layout = CanvasLayout {
            left_top,
            pixels_per_point: scale,
            view: camera.view(canvas.0, canvas.1),
        };
        let response = ui.interact(rect, id(), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Board"));
        if response.clicked() || response.drag_started() {
            response.request_focus();
        }
        if response.has_focus() {
            let filter = EventFilter {
                horizontal_arrows: true,
                vertical_arrows: true,
                ..Default::default()
            };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(id(), filter));
        }
        controller.pointed_at = response.hover_pos().and_then(|at| {
            let (x, y) = layout.pixel(at);
            layout.view.cell(x, y, size, edges)
        });
        if let (Game::Immigration(_), true, Some((x, y))) =
            (&controller.game, response.clicked(), controller.pointed_at)
        {
            commands.push(Command::Immigration(ImmigrationCommand::Place(x, y)));
        }
        self.wheel(ui, &response, &layout, commands);
        let tool = controller
            .run_summary()
            .filter(|run| run.paints)
            .map(|run| run.tool);
        let drags = |button| response.dragged_by(button);
        if drags(PointerButton::Middle)
            || drags(PointerButton::Secondary)
            || (tool.is_none() && drags(PointerButton::Primary))
        {
            let moved = response.drag_delta() * scale;
            if moved != Vec2::ZERO {
                commands.push(Command::View(ViewCommand::Pan(
                    moved.x.into(),
                    moved.y.into(),
                )));
            }
        }
        match tool {
            Some(tool) => self.paint(ui, &response, &layout, controller, tool, commands),
            None => self.last_touch = None,
        }
        layout
    }

    fn wheel(
        &mut self,
        ui: &Ui,
        response: &egui::Response,
        layout: &CanvasLayout,
        commands: &mut Vec<Command>,
    ) {
        if !response.contains_pointer() {
            self.scrolled = 0.0;
            return;
        }
        let mut steps = 0;
        ui.input(|input| {
            for event in &input.events {
                match event {
                    Event::MouseWheel {
                        unit: MouseWheelUnit::Point,
                        delta,
                        ..
                    } => self.scrolled += delta.y / POINTS_PER_STEP,
                    Event::MouseWheel { delta, .. } => self.scrolled += delta.y,
                    Event::Zoom(factor) => self.scrolled += factor.log2() * 4.0,
                    _ => {}
                }
            }
        });
        if self.scrolled.abs() >= 1.0 {
            steps = self.scrolled.trunc() as i32;
            self.scrolled = self.scrolled.fract();
        }
        if let (true, Some(at)) = (steps != 0, response.hover_pos()) {
            let (x, y) = layout.pixel(at);
            let spot = (f64::from(x) + 0.5, f64::from(y) + 0.5);
            commands.push(Command::View(ViewCommand::ZoomAbout(steps, spot)));
        }
    }

    /// A stroke begins with a button pressed on the board and ends where it is released, even above
    /// a panel. Losing the window or the pointer gives the board back, as Escape does. Events are
    /// followed one by one: a slow frame may hold a whole stroke.
    fn paint(
        &mut self,
        ui: &Ui,
        response: &egui::Response,
        layout: &CanvasLayout,
        controller: &mut Controller,
        tool: Tool,
        commands: &mut Vec<Command>,
    ) {
        let (size, edges) = controller.shape();
        let touch = |(x, y): (i32, i32), commands: &mut Vec<Command>| {
            let touched = layout.view.cell(x, y, size, edges);
            if let Some(touched) = touched.map(|(x, y)| Command::Touch(x, y))
                && commands.last() != Some(&touched)
            {
                commands.push(touched);
            }
        };
        let (events, focused, down) = ui.input(|input| {
            let down = input.pointer.button_down(PointerButton::Primary);
            (input.events.clone(), input.focused, down)
        });
        // A press belongs to the board unless a panel, a menu or an edge of a panel took it.
        let hits = |at: Pos2| {
            response.rect.contains(at)
                && ui.ctx().layer_id_at(at) == Some(response.layer_id)
                && (response.is_pointer_button_down_on() || !down)
        };
        for event in &events {
            match *event {
                Event::PointerButton {
                    pos,
                    button: PointerButton::Primary,
                    pressed: true,
                    ..
                } if self.last_touch.is_none() && controller.dialog.is_none() && hits(pos) => {
                    let first = layout.pixel(pos);
                    self.last_touch = Some(first);
                    commands.push(Command::BeginStroke(tool));
                    touch(first, commands);
                }
                Event::PointerMoved(pos)
                | Event::PointerButton {
                    pos,
                    button: PointerButton::Primary,
                    pressed: false,
                    ..
                } => {
                    let Some(last) = self.last_touch else {
                        continue;
                    };
                    let now = layout.pixel(pos);
                    self.last_touch = Some(now);
                    for pixel in pixels_between(last, now) {
                        touch(pixel, commands);
                    }
                    if matches!(event, Event::PointerButton { .. }) {
                        self.last_touch = None;
                        commands.push(Command::EndStroke);
                    }
                }
                Event::PointerGone if self.last_touch.take().is_some() => {
                    commands.push(Command::CancelStroke);
                }
                _ => {}
            }
        }
        if !focused && self.last_touch.take().is_some() {
            commands.push(Command::CancelStroke);
        }
    }

    /// Forgets the stroke that was given up.
    pub(super) const fn forget_stroke(&mut self) {
        self.last_touch = None;
    }
}

/// The pixels of a straight line, without the first.
fn pixels_between(from: (i32, i32), to: (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
    let (dx, dy) = (
        i64::from(to.0) - i64::from(from.0),
        i64::from(to.1) - i64::from(from.1),
    );
    // No screen is wider; what is farther away was no straight line.
    let steps = dx.abs().max(dy.abs()).min(1 << 15);
    let between = move |from: i32, by: i64, step: i64| from + (by * step / steps.max(1)) as i32;
    (1..=steps).map(move |step| (between(from.0, dx, step), between(from.1, dy, step)))
}

/// Draws what lies above the picture of the board.
pub(super) fn overlay(ui: &Ui, layout: &CanvasLayout, controller: &mut Controller) {
    let painter = ui.painter_at(layout.picture());
    match &mut controller.game {
        Game::Battle(battle) => {
            if let Some((tool, touched)) = battle.stroke() {
                let colour = theme::colour(match tool {
                    Tool::Red => Palette::DEFAULT.red,
                    Tool::Blue => Palette::DEFAULT.blue,
                    _ => Palette::DEFAULT.dead,
                });
                for &(x, y) in touched {
                    painter.rect_filled(layout.cell(x, y), 0.0, colour);
                }
            }
            let status = battle.status();
            cursor(&painter, layout, status.cursor);
            if let Some(verdict) = status.verdict {
                let colour = match verdict.outcome {
                    Outcome::Red => theme::colour(Palette::DEFAULT.red),
                    Outcome::Blue => theme::colour(Palette::DEFAULT.blue),
                    Outcome::Draw | Outcome::Undecided => Color32::from_gray(0xc8),
                };
                banner(ui, layout, &theme::capital(&verdict.to_string()), colour);
            }
        }
        Game::Rezolution(table) => {
            if let Some((tool, touched)) = table.stroke() {
                for &(x, y) in touched {
                    painted(&painter, layout.cell(x, y), tool);
                }
            }
            let status = table.status();
            cursor(&painter, layout, status.cursor);
            if status.verdict.is_some() {
                let text = match status.generation {
                    0 => "A target is populated".into(),
                    generation => {
                        format!(
                            "Target reached in generation {}",
                            theme::grouped(generation)
                        )
                    }
                };
                banner(ui, layout, &text, theme::YELLOW);
            }
        }
        Game::Immigration(table) => {
            // The last counters of the round, and the one that a click would place.
            for placed in table.game().undoable() {
                let around = layout.cell(placed.x, placed.y).expand(1.0);
                painter.rect_stroke(
                    around,
                    1.0,
                    Stroke::new(2.0, Color32::WHITE),
                    StrokeKind::Middle,
                );
            }
            if let (Some(player), Some((x, y))) = (table.person(), controller.pointed_at)
                && table.game().board().get(x, y) == LifelikeCell::Dead
            {
                let ghost = match player {
                    Player::Red => Palette::DEFAULT.red,
                    Player::Blue => Palette::DEFAULT.blue,
                };
                let cell = layout.cell(x, y);
                painter.rect_filled(cell, 0.0, theme::colour(ghost).gamma_multiply(0.45));
                painter.rect_stroke(
                    cell,
                    0.0,
                    Stroke::new(1.5, theme::colour(ghost)),
                    StrokeKind::Middle,
                );
            }
            if let Some(ending) = table.ending() {
                let (text, colour) = match ending {
                    Ending::Won(Player::Red) => ("Red wins", theme::colour(Palette::DEFAULT.red)),
                    Ending::Won(Player::Blue) => {
                        ("Blue wins", theme::colour(Palette::DEFAULT.blue))
                    }
                    Ending::Extinction => ("A draw: no cell is left", Color32::from_gray(0xc8)),
                    Ending::Stalemate => ("A stalemate draw", Color32::from_gray(0xc8)),
                };
                banner(ui, layout, text, colour);
            }
        }
        Game::Fragment(table) => {
            let piece = table.game().piece();
            for (x, y) in piece.cells() {
                painter.rect_filled(layout.cell(x, y), 0.0, theme::GREEN);
            }
            for &(x, y) in table.clashes() {
                painter.rect_filled(layout.cell(x, y), 0.0, theme::CLASH);
            }
            let last = piece.side() - 1;
            let frame = layout
                .cell(piece.x(), piece.y())
                .union(layout.cell(piece.x() + last, piece.y() + last));
            let stroke = Stroke::new(3.0, theme::YELLOW);
            painter.rect_stroke(frame, 0.0, stroke, StrokeKind::Middle);
            if table.game().is_won() {
                banner(ui, layout, "The field is empty: won!", theme::GREEN);
            }
        }
    }
    if let Some(hint) = zoom_hint(&layout.view, controller) {
        banner(ui, layout, &hint, Color32::from_gray(0xc8));
    }
}

/// The keyboard's cursor, if it is shown.
fn cursor(painter: &egui::Painter, layout: &CanvasLayout, cursor: Option<(u32, u32)>) {
    let Some((x, y)) = cursor else {
        return;
    };
    let around = layout.cell(x, y).expand(1.5);
    for (width, colour) in [(4.0, Color32::BLACK), (2.0, Color32::WHITE)] {
        let stroke = Stroke::new(width, colour);
        painter.rect_stroke(around, 1.0, stroke, StrokeKind::Middle);
    }
}

/// A cell of reZolution as a stroke under way leaves it.
fn painted(painter: &egui::Painter, cell: Rect, tool: Tool) {
    let palette = Palette::REZOLUTION;
    let fill = match tool {
        Tool::Red => rezolution::shade(1),
        Tool::Blue => rezolution::shade(-1),
        Tool::Barrier => palette.marks.map_or(palette.dead, |marks| marks.barrier),
        _ => palette.dead,
    };
    painter.rect_filled(cell, 0.0, theme::colour(fill));
    if let (Tool::Target, Some(marks)) = (tool, palette.marks) {
        let outline = Stroke::new((cell.width() / 8.0).max(1.0), theme::colour(marks.target));
        painter.rect_stroke(cell, 0.0, outline, StrokeKind::Inside);
    }
}

/// Cells smaller than pixels cannot be hit one by one.
fn zoom_hint(view: &View, controller: &mut Controller) -> Option<String> {
    let paints = controller.run_summary()?.paints;
    match view.zoom {
        Zoom::Minified(_) if paints => Some("Zoom in to paint single cells".into()),
        _ => None,
    }
}

/// A line at the top of the board.
fn banner(ui: &Ui, layout: &CanvasLayout, text: &str, colour: Color32) {
    let painter = ui.painter_at(layout.picture());
    let galley = painter.layout_no_wrap(text.to_owned(), egui::FontId::proportional(18.0), colour);
    let top = layout.picture().center_top() + Vec2::new(0.0, 16.0);
    let size = galley.size() + Vec2::new(36.0, 16.0);
    let frame = Rect::from_min_size(top - Vec2::new(size.x / 2.0, 0.0), size);
    let fill = Color32::from_rgba_unmultiplied(0x12, 0x15, 0x1b, 0xee);
    painter.rect(
        frame,
        8.0,
        fill,
        Stroke::new(2.0, colour),
        StrokeKind::Inside,
    );
    painter.galley(frame.min + Vec2::new(18.0, 8.0), galley, colour);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fast_stroke_has_no_gaps() {
        let line: Vec<_> = pixels_between((0, 0), (5, -2)).collect();
        assert_eq!(line.last(), Some(&(5, -2)));
        let mut last = (0, 0);
        for (x, y) in line {
            assert!((x - last.0).abs() <= 1 && (y - last.1).abs() <= 1);
            last = (x, y);
        }
        assert_eq!(pixels_between((3, 3), (3, 3)).count(), 0);
    }
}
