//! The canvas: the picture of the board, the pointer on it, and the overlays above it.

use egui::{
    Color32, Event, EventFilter, Id, MouseWheelUnit, PointerButton, Pos2, Rect, Role, Sense,
    Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
};
use glam::{DVec2, I64Vec2, IVec2, UVec2};

use super::command::{CommandQueue, ImmigrationCommand, RunCommand, Tool, ViewCommand};
use super::controller::{ActiveGame, Controller};
use super::immigration::ImmigrationView;
use super::theme;
use crate::board::LifelikeCell;
use crate::game::fragment::Fragment;
use crate::game::immigration::{GameResult, Player};
use crate::render::Palette;
use crate::render::camera::{Camera, View, Zoom};

/// Points of smooth scrolling per step of zoom.
const POINTS_PER_STEP: f32 = 40.0;

/// Steps of zoom per doubling of a pinch gesture.
const STEPS_PER_DOUBLING: f32 = 4.0;

/// The margin around a fitted board, in pixels of both sides: it shows where the board ends.
const FIT_MARGIN: u32 = 24;

/// The longest line of a stroke between two events, in pixels. No screen is wider.
const MAX_LINE: i64 = 1 << 15;

/// The canvas from frame to frame.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    /// The pixel touched last, while a stroke is in progress.
    last_touch: Option<IVec2>,
    /// Smooth scrolling of less than a step.
    scrolled: f32,
}

/// The position of the canvas on the screen. This is where positions change between egui's points and pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct CanvasLayout {
    /// The top left corner, in whole pixels of the screen.
    corner: glam::Vec2,
    pixels_per_point: f32,
    /// What is visible.
    pub(super) view: View,
}

impl CanvasLayout {
    /// The pixel of the view at a position in points.
    fn pixel(&self, at: Pos2) -> IVec2 {
        let pixel = (glam::Vec2::new(at.x, at.y) * self.pixels_per_point).floor();
        pixel.as_ivec2() - self.corner.as_ivec2()
    }

    /// A rectangle of pixels of the view, in points.
    fn rect(&self, corner: I64Vec2, size: glam::Vec2) -> Rect {
        let corner = (corner.as_vec2() + self.corner) / self.pixels_per_point;
        let size = size / self.pixels_per_point;
        Rect::from_min_size(Pos2::new(corner.x, corner.y), Vec2::new(size.x, size.y))
    }

    /// The rectangle of the picture, in points: one pixel of the picture per pixel of the screen.
    pub(super) fn picture(&self) -> Rect {
        let size = UVec2::new(self.view.width, self.view.height);
        self.rect(I64Vec2::ZERO, size.as_vec2())
    }

    /// The rectangle of a cell, in points.
    pub(super) fn cell(&self, cell: UVec2) -> Rect {
        let (corner, side) = self.view.pixels(cell);
        self.rect(corner, glam::Vec2::splat(side as f32))
    }
}

/// The identifier under which the canvas has the keyboard focus.
pub(super) fn id() -> Id {
    Id::unique("board")
}

impl Canvas {
    /// Takes the remaining space and handles the pointer there.
    pub(super) fn layout(
        &mut self,
        ui: &mut Ui,
        controller: &mut Controller,
        commands: &mut CommandQueue,
    ) -> CanvasLayout {
        let rect = ui.available_rect_before_wrap();
        let scale = ui.ctx().pixels_per_point();
        let corner = (glam::Vec2::new(rect.left(), rect.top()) * scale).round();
        let end = (glam::Vec2::new(rect.right(), rect.bottom()) * scale).round();
        // Without any space the canvas has no pixels.
        let canvas = (end - corner).max(glam::Vec2::ZERO).as_uvec2();
        let (size, edges) = controller.game.shape();
        controller.display.canvas = canvas;
        let fit = |pixels: UVec2| Camera::fit(size, pixels.x, pixels.y);
        if controller.display.camera.is_none() && canvas.x > 0 && canvas.y > 0 {
            let inner = canvas
                .saturating_sub(UVec2::splat(FIT_MARGIN))
                .max(UVec2::ONE);
            controller.display.camera = Some(fit(inner));
        }
        let camera = controller.display.camera.unwrap_or_else(|| fit(canvas));
        let layout = CanvasLayout {
            corner,
            pixels_per_point: scale,
            view: camera.view(canvas.x, canvas.y),
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
            let pixel = layout.pixel(at);
            layout.view.cell(pixel, size, edges)
        });
        if let (ActiveGame::Immigration(_), true, Some(cell)) =
            (&controller.game, response.clicked(), controller.pointed_at)
        {
            commands.push(ImmigrationCommand::Place(cell));
        }
        self.zoom_by_wheel(ui, &response, &layout, commands);
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
                let by = DVec2::new(moved.x.into(), moved.y.into());
                commands.push(ViewCommand::Pan(by));
            }
        }
        match tool {
            Some(tool) => self.paint(ui, &response, &layout, controller, tool, commands),
            None => self.last_touch = None,
        }
        layout
    }

    fn zoom_by_wheel(
        &mut self,
        ui: &Ui,
        response: &egui::Response,
        layout: &CanvasLayout,
        commands: &mut CommandQueue,
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
                    Event::Zoom(factor) => self.scrolled += factor.log2() * STEPS_PER_DOUBLING,
                    _ => {}
                }
            }
        });
        if self.scrolled.abs() >= 1.0 {
            steps = self.scrolled.trunc() as i32;
            self.scrolled = self.scrolled.fract();
        }
        if let (true, Some(at)) = (steps != 0, response.hover_pos()) {
            let spot = layout.pixel(at).as_dvec2() + 0.5;
            commands.push(ViewCommand::ZoomAbout(steps, spot));
        }
    }

    /// Handles strokes. A stroke begins with a button pressed on the board and ends where it is released, even
    /// above a panel. Losing the window or the pointer cancels it, as Escape does. Events are handled one by one,
    /// since a slow frame may contain a whole stroke.
    fn paint(
        &mut self,
        ui: &Ui,
        response: &egui::Response,
        layout: &CanvasLayout,
        controller: &Controller,
        tool: Tool,
        commands: &mut CommandQueue,
    ) {
        let (size, edges) = controller.game.shape();
        let touch = |pixel: IVec2, commands: &mut CommandQueue| {
            if let Some(cell) = layout.view.cell(pixel, size, edges) {
                let touched = RunCommand::Touch(cell).into();
                if commands.last() != Some(&touched) {
                    commands.push(touched);
                }
            }
        };
        let (events, focused, down) = ui.input(|input| {
            let down = input.pointer.button_down(PointerButton::Primary);
            (input.events.clone(), input.focused, down)
        });
        // A press belongs to the board unless a panel, a menu or the edge of a panel took it.
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
                    commands.push(RunCommand::BeginStroke(tool));
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
                        commands.push(RunCommand::EndStroke);
                    }
                }
                Event::PointerGone if self.last_touch.take().is_some() => {
                    commands.push(RunCommand::CancelStroke);
                }
                _ => {}
            }
        }
        if !focused && self.last_touch.take().is_some() {
            commands.push(RunCommand::CancelStroke);
        }
    }

    /// Forgets a stroke that was cancelled.
    pub(super) const fn forget_stroke(&mut self) {
        self.last_touch = None;
    }
}

/// The pixels of a straight line, without the first.
fn pixels_between(from: IVec2, to: IVec2) -> impl Iterator<Item = IVec2> {
    let by = to.as_i64vec2() - from.as_i64vec2();
    let steps = by.abs().max_element().min(MAX_LINE);
    (1..=steps).map(move |step| from + (by * step / steps).as_ivec2())
}

/// Draws the overlays above the picture of the board.
pub(super) fn overlay(ui: &Ui, layout: &CanvasLayout, controller: &Controller) {
    let painter = ui.painter_at(layout.picture());
    if let Some(run) = controller.game.run() {
        for &cell in run.stroke() {
            run.preview(&painter, layout.cell(cell));
        }
        cursor(&painter, layout, run.summary().cursor);
        if let Some((text, colour)) = run.banner() {
            banner(ui, layout, &text, colour);
        }
    }
    match &controller.game {
        ActiveGame::Immigration(view) => counters(ui, layout, view, controller.pointed_at),
        ActiveGame::Fragment(view) => piece(ui, layout, view.game(), view.clashes()),
        ActiveGame::Battle(_) | ActiveGame::Rezolution(_) => {}
    }
    if let Some(hint) = zoom_hint(&layout.view, controller) {
        banner(ui, layout, hint, theme::NEUTRAL);
    }
}

/// Marks the last counters of the round and the counter that a click would place.
fn counters(ui: &Ui, layout: &CanvasLayout, view: &ImmigrationView, pointed_at: Option<UVec2>) {
    let painter = ui.painter_at(layout.picture());
    for placed in view.game().undoable() {
        let around = layout.cell(placed.cell()).expand(1.0);
        let outline = Stroke::new(2.0, Color32::WHITE);
        painter.rect_stroke(around, 1.0, outline, StrokeKind::Middle);
    }
    if let (Some(player), Some(cell)) = (view.person(), pointed_at)
        && view.game().board().cell(cell) == LifelikeCell::Dead
    {
        let colour = theme::colour(match player {
            Player::Red => Palette::DEFAULT.red,
            Player::Blue => Palette::DEFAULT.blue,
        });
        let cell = layout.cell(cell);
        painter.rect_filled(cell, 0.0, colour.gamma_multiply(0.45));
        painter.rect_stroke(cell, 0.0, Stroke::new(1.5, colour), StrokeKind::Middle);
    }
    if let Some(result) = view.result() {
        let (text, colour) = match result {
            GameResult::Won(Player::Red) => ("Red wins", theme::colour(Palette::DEFAULT.red)),
            GameResult::Won(Player::Blue) => ("Blue wins", theme::colour(Palette::DEFAULT.blue)),
            GameResult::Extinction => ("A draw: no cell is left", theme::NEUTRAL),
            GameResult::Stalemate => ("A stalemate draw", theme::NEUTRAL),
        };
        banner(ui, layout, text, colour);
    }
}

/// Draws the piece of the puzzle, and the cells that prevented a merge.
fn piece(ui: &Ui, layout: &CanvasLayout, game: &Fragment, clashes: &[UVec2]) {
    let painter = ui.painter_at(layout.picture());
    let piece = game.piece();
    for cell in piece.cells() {
        painter.rect_filled(layout.cell(cell), 0.0, theme::GREEN);
    }
    for &cell in clashes {
        painter.rect_filled(layout.cell(cell), 0.0, theme::CLASH);
    }
    let last = piece.corner() + (piece.side() - 1);
    let frame = layout.cell(piece.corner()).union(layout.cell(last));
    let stroke = Stroke::new(3.0, theme::YELLOW);
    painter.rect_stroke(frame, 0.0, stroke, StrokeKind::Middle);
    if game.is_won() {
        banner(ui, layout, "The field is empty: won!", theme::GREEN);
    }
}

/// Draws the keyboard cursor, if it is shown.
fn cursor(painter: &egui::Painter, layout: &CanvasLayout, cursor: Option<UVec2>) {
    let Some(cell) = cursor else {
        return;
    };
    let around = layout.cell(cell).expand(1.5);
    for (width, colour) in [(4.0, Color32::BLACK), (2.0, Color32::WHITE)] {
        let stroke = Stroke::new(width, colour);
        painter.rect_stroke(around, 1.0, stroke, StrokeKind::Middle);
    }
}

/// Single cells cannot be painted when they are smaller than pixels.
fn zoom_hint(view: &View, controller: &Controller) -> Option<&'static str> {
    let paints = controller.run_summary()?.paints;
    match view.zoom {
        Zoom::Minified(_) if paints => Some("Zoom in to paint single cells"),
        Zoom::Minified(_) | Zoom::Magnified(_) => None,
    }
}

/// Draws a line of text at the top of the board.
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
        let line: Vec<_> = pixels_between(IVec2::ZERO, IVec2::new(5, -2)).collect();
        assert_eq!(line.last(), Some(&IVec2::new(5, -2)));
        let mut last = IVec2::ZERO;
        for pixel in line {
            assert!((pixel - last).abs().max_element() <= 1);
            last = pixel;
        }
        assert_eq!(pixels_between(IVec2::splat(3), IVec2::splat(3)).count(), 0);
    }
}
