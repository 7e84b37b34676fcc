//! Strokes and other edits.

use super::*;

#[test]
fn a_click_changes_exactly_the_cell_under_it_at_every_scale_zoom_and_pan() {
    for scale in [1.0, 1.25, 1.5, 2.0] {
        let empty = LifelikeBoard::new(size(7, 11)).unwrap();
        let mut harness = window(battle(&empty, &Memory::default()), scale);
        harness
            .state_mut()
            .controller()
            .apply(RunCommand::SetTool(Tool::Red));
        let views = [
            ViewCommand::Fit,
            ViewCommand::ZoomOut,
            ViewCommand::Pan(DVec2::new(13.0, -21.0)),
            ViewCommand::ZoomAbout(-2, DVec2::new(150.0, 90.0)),
        ];
        for (view, spots) in views.into_iter().zip([
            &[(0, 0), (6, 0), (0, 10), (6, 10), (3, 5)][..],
            &[(2, 7), (6, 10)],
            &[(1, 1)],
            &[(4, 9), (0, 0)],
        ]) {
            harness.state_mut().controller().apply(Command::View(view));
            harness.run();
            for &(x, y) in spots {
                let before = harness.state_mut().controller().board().unwrap();
                let at = middle_of(&mut harness, x, y);
                press(&mut harness, at, true);
                press(&mut harness, at, false);
                let after = harness.state_mut().controller().board().unwrap();
                let mut expected = before;
                expected.set(uvec2(x, y), LifelikeCell::Red);
                assert_eq!(after, expected, "({x}, {y}) at {scale}, {view:?}");
                harness.state_mut().controller().apply(RunCommand::Clear);
            }
        }
    }
}

#[test]
fn a_stroke_is_applied_on_release_and_cancelled_by_escape() {
    let memory = Memory::default();
    let mut harness = window(battle(&soup(), &memory), 1.0);
    harness
        .state_mut()
        .controller()
        .apply(RunCommand::SetTool(Tool::Blue));
    harness.run();
    let [from, to] = [(3, 4), (9, 4)].map(|(x, y)| middle_of(&mut harness, x, y));
    press(&mut harness, from, true);
    harness.event(egui::Event::PointerMoved(to));
    harness.run();
    assert_eq!(
        harness.state_mut().controller().board().unwrap(),
        soup(),
        "not yet"
    );
    harness.key_press(Key::Escape);
    harness.run();
    press(&mut harness, to, false);
    assert_eq!(
        harness.state_mut().controller().board().unwrap(),
        soup(),
        "cancelled"
    );
    press(&mut harness, from, true);
    press(&mut harness, to, false);
    let mut painted = soup();
    painted.set_run(uvec2(3, 4), 7, LifelikeCell::Blue);
    assert_eq!(harness.state_mut().controller().board().unwrap(), painted);
    // The pointer leaves the window in the midst of a stroke.
    press(&mut harness, from, true);
    harness.event(egui::Event::PointerGone);
    harness.run();
    press(&mut harness, to, false);
    assert_eq!(harness.state_mut().controller().board().unwrap(), painted);
}

#[test]
fn panels_do_not_paint_and_a_stroke_may_go_on_above_one() {
    let mut harness = window(battle(&soup(), &Memory::default()), 1.0);
    harness
        .state_mut()
        .controller()
        .apply(RunCommand::SetTool(Tool::Red));
    harness.run();
    let canvas = middle_of(&mut harness, 18, 26);
    let panel = Pos2::new(940.0, 640.0);
    // Begun on the panel it never becomes a stroke.
    press(&mut harness, panel, true);
    press(&mut harness, canvas, false);
    assert_eq!(harness.state_mut().controller().board().unwrap(), soup());
    // Begun on the board it goes on to the end.
    press(&mut harness, canvas, true);
    press(&mut harness, panel, false);
    let after = harness.state_mut().controller().board().unwrap();
    assert!(after.census().red > soup().census().red);
    assert_eq!(
        battle_status(harness.state_mut().controller()).generation,
        0
    );
}

#[test]
fn edits_saves_and_resizes_work_on_the_present_generation() {
    let memory = Memory::default();
    let mut controller = battle(&soup(), &memory);
    for _ in 0..50 {
        controller.apply(RunCommand::Step);
    }
    assert_eq!(battle_status(&mut controller).generation, 50);
    let fifty = later(&soup(), 50);
    controller.apply(Command::Write(FilePurpose::Save, "fifty.txt".into()));
    assert_eq!(memory.cells("fifty.txt").board, fifty);
    controller.apply(RunCommand::BeginStroke(Tool::Red));
    controller.apply(RunCommand::Touch(UVec2::new(0, 0)));
    controller.apply(RunCommand::EndStroke);
    let mut edited = fifty;
    edited.set(UVec2::ZERO, LifelikeCell::Red);
    controller.apply(Command::Write(FilePurpose::Save, "edited.rle".into()));
    let saved = memory.cells("edited.rle");
    assert_eq!(saved.topology.map(|grid| grid.edges), Some(Edges::Torus));
    controller.apply(RunCommand::Clear);
    controller.apply(Command::Open("edited.rle".into()));
    assert_eq!(controller.board().unwrap(), edited, "also through a file");
    let draft = Settings {
        size: size(40, 60),
        ..battle_status(&mut controller).draft
    };
    controller.apply(BattleCommand::SetDraft(draft));
    controller.apply(RunCommand::Apply);
    let larger = controller.board().unwrap();
    assert_eq!(larger.size(), size(40, 60));
    for (x, y) in (0..53).flat_map(|y| (0..37).map(move |x| (x, y))) {
        assert_eq!(larger.cell(uvec2(x, y)), edited.cell(uvec2(x, y)));
    }
    controller.apply(Command::Write(
        FilePurpose::PictureOfBoard,
        "board.png".into(),
    ));
    assert!(memory.files.borrow()["board.png"].starts_with(b"\x89PNG"));
}
