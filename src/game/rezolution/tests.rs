use glam::uvec2;
use std::time::Duration;

use super::*;
use crate::board::rezolution::{Ground, RezolutionCell};
use crate::board::{Edges, RezolutionBoard, Size, start};
use crate::engine::Engine;
use crate::engine::reference::ReferenceEngine;
use crate::game::session::SessionError;
use crate::rules::RezolutionRuleset;

const MS: Duration = Duration::from_millis(1);

fn size(width: u64, height: u64) -> Size {
    Size::new(width, height).unwrap()
}

fn spot(population: i8, ground: Ground) -> RezolutionCell {
    RezolutionCell { population, ground }
}

fn session(board: RezolutionBoard) -> Session {
    let settings = Settings {
        size: size(1, 1),
        edges: Edges::Dead,
    };
    let factory = Box::new(|ruleset| {
        Ok(Box::new(ReferenceEngine::new(ruleset)) as Box<dyn Engine<RezolutionBoard>>)
    });
    Session::new(settings, board, factory).unwrap()
}

/// A demo among barriers and targets that it does not reach soon.
fn ground() -> RezolutionBoard {
    let mut board = RezolutionBoard::new(size(40, 30)).unwrap();
    for x in 0..40 {
        board.set(uvec2(x, 0), spot(0, Ground::Barrier));
    }
    board.set(uvec2(39, 29), spot(0, Ground::Target));
    board.set(uvec2(20, 15), spot(0, Ground::Target));
    board
}

fn later(board: &RezolutionBoard, edges: Edges, generations: u64) -> RezolutionBoard {
    let mut engine = ReferenceEngine::new(RezolutionRuleset { edges });
    engine.load(board).unwrap();
    engine.step(generations).unwrap();
    engine.read().unwrap()
}

fn stroke(session: &mut Session, tool: Brush, cells: &[(u32, u32)]) -> bool {
    session.begin_stroke(tool).unwrap();
    for &(x, y) in cells {
        session.touch(UVec2::new(x, y));
    }
    session.end_stroke().unwrap()
}

#[test]
fn brushes_change_what_they_say_and_nothing_else() {
    let others = [
        RezolutionCell::open(3),
        RezolutionCell::open(-1),
        spot(0, Ground::Barrier),
        spot(0, Ground::Target),
        spot(5, Ground::Target),
    ];
    for (tool, painted) in [
        (Brush::Red, RezolutionCell::open(1)),
        (Brush::Blue, RezolutionCell::open(-1)),
        (Brush::Barrier, spot(0, Ground::Barrier)),
        (Brush::Target, spot(0, Ground::Target)),
    ] {
        assert_eq!(tool.painted(RezolutionCell::default()), painted);
        for other in others {
            assert_eq!(tool.painted(other), other, "{tool:?} on {other}");
        }
    }
    for other in others {
        assert_eq!(Brush::Erase.painted(other), RezolutionCell::default());
    }
}

#[test]
fn a_demo_is_that_of_the_command_line_and_keeps_barriers_and_targets() {
    let mut session = session(ground());
    assert_eq!(session.settings().size, size(40, 30), "that of the board");
    session.demo(7).unwrap();
    let demo = start::demo(&ground(), DEMO_DENSITY, 7).unwrap();
    assert_eq!(session.board().unwrap(), demo);
    assert_eq!(session.start_pattern(), &demo);
    session.step().unwrap();
    assert_eq!(session.generation(), 1);
    assert_eq!(session.board().unwrap(), later(&demo, Edges::Dead, 1));
    // Another demo takes the place of the population that has grown.
    session.demo(8).unwrap();
    let demo = start::demo(&ground(), DEMO_DENSITY, 8).unwrap();
    assert_eq!(session.board().unwrap(), demo);
    session.clear().unwrap();
    assert_eq!(session.board().unwrap(), ground());
    assert_eq!(session.census().red + session.census().blue, 0);
    session.undo().unwrap();
    assert_eq!(session.board().unwrap(), demo);
}

#[test]
fn a_stroke_is_applied_on_release_and_given_back_when_cancelled() {
    let mut session = session(ground());
    session.begin_stroke(Brush::Blue).unwrap();
    for x in 0..4 {
        session.touch(UVec2::new(x, 2));
        session.touch(UVec2::new(x, 0));
    }
    assert_eq!(session.board().unwrap(), ground(), "not yet");
    assert!(matches!(session.play(), Err(SessionError::InStroke)));
    session.cancel_stroke();
    assert_eq!(session.board().unwrap(), ground());
    assert!(stroke(
        &mut session,
        Brush::Blue,
        &[(0, 2), (1, 2), (1, 0), (77, 3)]
    ));
    let mut painted = ground();
    painted.set(uvec2(0, 2), RezolutionCell::open(-1));
    painted.set(uvec2(1, 2), RezolutionCell::open(-1));
    assert_eq!(session.board().unwrap(), painted, "barriers stay");
    assert!(!stroke(&mut session, Brush::Red, &[(0, 2), (5, 0)]));
    assert!(stroke(&mut session, Brush::Erase, &[(5, 0)]));
    session.undo().unwrap();
    session.undo().unwrap();
    assert_eq!(session.board().unwrap(), ground());
    session.redo().unwrap();
    assert_eq!(session.board().unwrap(), painted);
    // The edit is the start pattern.
    session.step().unwrap();
    session.restart().unwrap();
    assert_eq!(session.board().unwrap(), painted);
    assert_eq!(session.generation(), 0);
}

#[test]
fn it_plays_by_the_clock_pauses_by_itself_and_never_skips() {
    let mut session = session(ground());
    session.demo(3).unwrap();
    // Without targets it goes on for ever.
    stroke(&mut session, Brush::Erase, &[(20, 15), (39, 29)]);
    let start = session.board().unwrap();
    session.clock_mut().set_interval(100 * MS);
    session.set_pause_every(Some(7));
    session.play().unwrap();
    assert_eq!(session.frame(250 * MS, Duration::MAX).unwrap(), 2);
    assert_eq!(
        session.frame(5000 * MS, Duration::MAX).unwrap(),
        4,
        "four per frame"
    );
    assert_eq!(session.frame(5000 * MS, Duration::MAX).unwrap(), 1);
    assert!(!session.is_playing());
    assert_eq!(session.generation(), 7);
    assert!(session.clock().dropped() > Duration::from_secs(3));
    assert_eq!(session.board().unwrap(), later(&start, Edges::Dead, 7));
    session.play().unwrap();
    session.advance_for(Duration::from_secs(60)).unwrap();
    assert_eq!(session.generation(), 14, "as fast as possible, too");
}

#[test]
fn a_reached_target_ends_the_run_and_nothing_else_does() {
    // Three red cells in a row: the cell below the middle one has a sum of three.
    let mut board = RezolutionBoard::new(size(9, 9)).unwrap();
    for x in 2..5 {
        board.set(uvec2(x, 2), RezolutionCell::open(1));
    }
    board.set(uvec2(3, 3), spot(0, Ground::Target));
    let mut target_session = session(board);
    assert_eq!(target_session.status().to_string(), "blue is gone");
    target_session.play().unwrap();
    target_session.advance(50).unwrap();
    assert_eq!(target_session.generation(), 1);
    assert_eq!(target_session.verdict(), Some(Reached));
    assert!(!target_session.is_playing());
    let text = target_session.status().to_string();
    assert!(text.starts_with("target reached, "), "{text}");
    for refused in [target_session.play(), target_session.step()] {
        assert!(matches!(refused, Err(SessionError::TargetReached)));
    }
    // What was reached is reached for an edit of that board, too.
    assert!(stroke(&mut target_session, Brush::Barrier, &[(8, 8)]));
    assert_eq!(target_session.generation(), 0);
    assert_eq!(target_session.verdict(), Some(Reached));
    assert!(stroke(&mut target_session, Brush::Erase, &[(3, 3)]));
    assert_eq!(target_session.verdict(), None);
    target_session.undo().unwrap();
    target_session.undo().unwrap();
    target_session.restart().unwrap();
    assert!(matches!(
        target_session.play(),
        Err(SessionError::TargetReached)
    ));
    // A lone cell dies; an empty board goes on as it is.
    let mut board = RezolutionBoard::new(size(9, 9)).unwrap();
    board.set(uvec2(4, 4), RezolutionCell::open(-1));
    let mut lone = session(board);
    lone.play().unwrap();
    lone.advance(3).unwrap();
    assert_eq!((lone.generation(), lone.is_playing()), (3, true));
    assert_eq!(
        lone.status().to_string(),
        "all is empty, nothing changed",
        "shown, not ended"
    );
}

#[test]
fn size_and_edges_are_drafts_and_a_resize_keeps_the_overlap() {
    let mut session = session(ground());
    session.demo(5).unwrap();
    let board = session.board().unwrap();
    let draft = Settings {
        size: size(45, 20),
        edges: Edges::Torus,
    };
    session.set_draft(draft).unwrap();
    assert!(session.is_locked());
    assert!(matches!(session.step(), Err(SessionError::Unapplied)));
    assert!(matches!(session.demo(1), Err(SessionError::Unapplied)));
    session.apply().unwrap();
    let resized = session.board().unwrap();
    assert_eq!(resized.size(), size(45, 20));
    for (x, y) in (0..20).flat_map(|y| (0..45).map(move |x| (x, y))) {
        let expected = if x < 40 {
            board.cell(uvec2(x, y))
        } else {
            RezolutionCell::default()
        };
        assert_eq!(resized.cell(uvec2(x, y)), expected);
    }
    assert!(matches!(session.undo(), Err(SessionError::NothingToUndo)));
    session.step().unwrap();
    assert_eq!(session.board().unwrap(), later(&resized, Edges::Torus, 1));
    session
        .set_draft(Settings {
            size: size(3, 3),
            edges: Edges::Dead,
        })
        .unwrap();
    session.discard().unwrap();
    assert_eq!(session.settings(), draft);
}

#[test]
fn every_status_has_a_text() {
    let message = |red, blue, reached, unchanged| {
        let census = RezolutionCensus {
            red,
            blue,
            reached,
            ..RezolutionCensus::default()
        };
        Status::of(census, unchanged).to_string()
    };
    assert_eq!(message(3, 2, 0, None), "both are left");
    assert_eq!(message(3, 2, 0, Some(false)), "both are left");
    assert_eq!(message(3, 0, 0, Some(false)), "blue is gone");
    assert_eq!(message(0, 2, 0, Some(true)), "red is gone, nothing changed");
    assert_eq!(
        message(0, 0, 0, Some(true)),
        "all is empty, nothing changed"
    );
    assert_eq!(
        message(3, 2, 1, Some(false)),
        "target reached, both are left"
    );
}
