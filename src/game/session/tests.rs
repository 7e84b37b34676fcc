use glam::{UVec2, uvec2};
use std::cell::{Cell as Slot, RefCell};
use std::rc::Rc;

use super::*;
use crate::board::{Edges, LifelikeBoard, LifelikeCell, LifelikeCensus, Size, start};
use crate::engine::cpu::CpuEngine;
use crate::engine::{Request, Sink};
use crate::game::life_battle::{Session, Settings, StartPattern};
use crate::game::referee::{Outcome, Reason};
use crate::rules::{LifelikeRuleset, Rule, Ties};

const MS: Duration = Duration::from_millis(1);

fn size(width: u64, height: u64) -> Size {
    Size::new(width, height).unwrap()
}

fn settings() -> Settings {
    Settings {
        rule: Rule::LIFE,
        edges: Edges::Torus,
        size: size(20, 12),
        ties: Ties::Seeded(3),
        seed: 3,
        limit: None,
    }
}

fn cpu() -> Factory<Settings> {
    Box::new(|ruleset| Ok(Box::new(CpuEngine::new(ruleset))))
}

/// Two colours that do not settle for a while.
fn soup() -> LifelikeBoard {
    start::random(size(20, 12), 0.4, 8).unwrap()
}

fn session() -> Session {
    Session::new(settings(), soup(), cpu()).unwrap()
}

/// A board after generations computed without a session.
fn later(board: &LifelikeBoard, generations: u64) -> LifelikeBoard {
    let mut engine = CpuEngine::new(settings().ruleset());
    engine.load(board).unwrap();
    engine.step(generations).unwrap();
    engine.read().unwrap()
}

/// A red glider and a blue block, far apart.
fn glider_and_block() -> LifelikeBoard {
    let mut board = LifelikeBoard::new(size(20, 12)).unwrap();
    for (x, y) in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)] {
        board.set(uvec2(x, y), LifelikeCell::Red);
    }
    for (x, y) in [(12, 8), (13, 8), (12, 9), (13, 9)] {
        board.set(uvec2(x, y), LifelikeCell::Blue);
    }
    board
}

fn stroke(session: &mut Session, cell: LifelikeCell, cells: &[(u32, u32)]) -> bool {
    session.begin_stroke(cell).unwrap();
    for &(x, y) in cells {
        session.touch(UVec2::new(x, y));
    }
    session.end_stroke().unwrap()
}

#[test]
fn a_step_pauses_and_computes_exactly_one_generation() {
    let mut session = session();
    session.play().unwrap();
    session.step().unwrap();
    assert!(!session.is_playing());
    assert_eq!(session.generation(), 1);
    assert_eq!(session.board().unwrap(), later(&soup(), 1));
    assert_eq!(session.census(), later(&soup(), 1).census());
    assert_eq!(
        session.frame(1000 * MS, Duration::MAX).unwrap(),
        0,
        "paused"
    );
    assert_eq!(session.generation(), 1);
}

#[test]
fn play_follows_the_time_and_skips_no_generation() {
    let mut session = session();
    session.clock_mut().set_interval(100 * MS);
    assert_eq!(
        session.frame(500 * MS, Duration::MAX).unwrap(),
        0,
        "not playing"
    );
    session.play().unwrap();
    let computed: Vec<u64> = [60, 60, 80, 2000, 100]
        .map(|ms| session.frame(ms * MS, Duration::MAX).unwrap())
        .to_vec();
    assert_eq!(computed, [0, 1, 1, 4, 1]);
    assert_eq!(session.clock().dropped(), 1600 * MS);
    assert_eq!(session.generation(), 7);
    assert_eq!(session.board().unwrap(), later(&soup(), 7));
    // Time spent in a pause is not made up for.
    session.pause();
    session.frame(5000 * MS, Duration::MAX).unwrap();
    session.play().unwrap();
    assert_eq!(session.frame(50 * MS, Duration::MAX).unwrap(), 0);
    session.restart().unwrap();
    assert_eq!(session.clock().dropped(), Duration::ZERO);
}

#[test]
fn play_pauses_at_multiples() {
    let mut session = session();
    session.set_pause_every(Some(5));
    session.step().unwrap();
    session.step().unwrap();
    session.play().unwrap();
    assert_eq!(session.advance(100).unwrap(), 3);
    assert_eq!((session.generation(), session.is_playing()), (5, false));
    session.play().unwrap();
    assert_eq!(session.advance(3).unwrap(), 3);
    assert!(session.is_playing());
    assert_eq!(session.advance(100).unwrap(), 2);
    assert_eq!((session.generation(), session.is_playing()), (10, false));
    session.set_pause_every(Some(0));
    assert_eq!(session.pause_every(), None);
    session.play().unwrap();
    assert_eq!(session.advance(7).unwrap(), 7);
}

#[test]
fn restart_restores_the_start_pattern() {
    let mut session = session();
    session.play().unwrap();
    session.advance(9).unwrap();
    assert_ne!(session.board().unwrap(), soup());
    session.restart().unwrap();
    assert_eq!(session.board().unwrap(), soup());
    assert_eq!(session.census(), soup().census());
    assert_eq!((session.generation(), session.is_playing()), (0, false));
}

#[test]
fn a_verdict_ends_play_until_a_restart() {
    // Two blocks: the first generation equals the start.
    let block = glider_and_block();
    let mut still = LifelikeBoard::new(block.size()).unwrap();
    for (at, cell) in block
        .live_cells()
        .filter(|&(.., cell)| cell == LifelikeCell::Blue)
    {
        still.set(at, cell);
        still.set(at - uvec2(10, 0), LifelikeCell::Red);
    }
    let mut session = Session::new(settings(), still.clone(), cpu()).unwrap();
    session.play().unwrap();
    assert_eq!(
        session.frame(10_000 * MS, Duration::MAX).unwrap(),
        1,
        "nothing after the end"
    );
    let verdict = session.verdict().unwrap();
    assert_eq!(
        (verdict.outcome, verdict.reason),
        (Outcome::Draw, Reason::Coexistence)
    );
    assert_eq!((session.generation(), session.is_playing()), (1, false));
    assert!(matches!(session.step(), Err(SessionError::Over(_))));
    assert!(matches!(session.play(), Err(SessionError::Over(_))));
    session.restart().unwrap();
    assert_eq!(session.verdict(), None);
    session.step().unwrap();
    assert!(session.verdict().is_some(), "step by step it ends, too");
    // An edit begins another battle.
    assert!(stroke(
        &mut session,
        LifelikeCell::Dead,
        &[(12, 8), (13, 8), (12, 9), (13, 9)]
    ));
    assert_eq!((session.verdict(), session.generation()), (None, 0));
    session.step().unwrap();
    assert_eq!(session.verdict().unwrap().outcome, Outcome::Red);
}

#[test]
fn the_limit_decides_in_the_midst_of_a_frame() {
    let limited = Settings {
        limit: Some(6),
        ..settings()
    };
    let mut session = Session::new(limited, glider_and_block(), cpu()).unwrap();
    session.play().unwrap();
    session.advance(4).unwrap();
    assert_eq!(session.advance(4).unwrap(), 2);
    let verdict = session.verdict().unwrap();
    assert_eq!((verdict.reason, verdict.generation), (Reason::Limit, 6));
    assert_eq!(verdict.outcome, Outcome::Red, "five cells to four");
    assert_eq!(session.board().unwrap(), later(&glider_and_block(), 6));
}

#[test]
fn a_stroke_is_applied_when_it_ends() {
    let mut session = session();
    session.play().unwrap();
    session.advance(3).unwrap();
    let before = session.board().unwrap();
    session.begin_stroke(LifelikeCell::Red).unwrap();
    assert_eq!(
        session.frame(1000 * MS, Duration::MAX).unwrap(),
        0,
        "the battle is paused"
    );
    for (x, y) in [
        (0, 0),
        (1, 0),
        (1, 0),
        (2, 0),
        (20, 0),
        (0, 12),
        (u32::MAX, 0),
    ] {
        session.touch(UVec2::new(x, y));
    }
    let mut painted = before.clone();
    painted.set_run(UVec2::ZERO, 3, LifelikeCell::Red);
    assert_ne!(painted, before);
    assert_eq!(session.shown().unwrap(), painted, "it is shown");
    assert_eq!(session.board().unwrap(), before, "but not applied");
    assert_eq!(session.generation(), 3);
    for refused in [
        session.step(),
        session.play(),
        session.restart(),
        session.clear(),
    ] {
        assert!(matches!(refused, Err(SessionError::InStroke)));
    }
    assert!(session.set_draft(settings().with_seed(9)).is_err());
    assert!(session.end_stroke().unwrap());
    assert_eq!(session.board().unwrap(), painted);
    assert_eq!(session.start_pattern(), &painted, "a new start pattern");
    assert_eq!((session.generation(), session.is_playing()), (0, false));
    assert_eq!(session.census(), painted.census());
    session.step().unwrap();
    session.restart().unwrap();
    assert_eq!(session.board().unwrap(), painted);
}

#[test]
fn a_stroke_that_changes_nothing_or_is_cancelled_lets_the_battle_go_on() {
    let mut session = session();
    session.play().unwrap();
    session.advance(3).unwrap();
    let before = session.board().unwrap();
    let (UVec2 { x, y }, cell) = before.live_cells().next().unwrap();
    session.begin_stroke(cell).unwrap();
    session.touch(UVec2::new(x, y));
    assert!(!session.end_stroke().unwrap());
    assert!(session.is_playing());
    session.begin_stroke(cell.swapped()).unwrap();
    session.touch(UVec2::new(x, y));
    session.cancel_stroke();
    assert!(session.is_playing());
    assert_eq!(session.shown().unwrap(), before, "the board is given back");
    assert_eq!(session.generation(), 3);
    assert_eq!(session.start_pattern(), &soup());
    assert!(matches!(session.undo(), Err(SessionError::NothingToUndo)));
    session.pause();
    session.begin_stroke(cell).unwrap();
    session.cancel_stroke();
    assert!(!session.is_playing(), "what was paused stays so");
    assert!(!session.end_stroke().unwrap(), "no stroke, no change");
}

#[test]
fn edits_are_undone_and_redone() {
    let mut session = session();
    session.play().unwrap();
    session.advance(2).unwrap();
    let first = session.board().unwrap();
    assert!(stroke(
        &mut session,
        LifelikeCell::Blue,
        &[(5, 5), (6, 5), (7, 6)]
    ));
    let second = session.board().unwrap();
    session.step().unwrap();
    let stepped = session.board().unwrap();
    assert!(stroke(
        &mut session,
        LifelikeCell::Red,
        &[(0, 0), (0, 1), (1, 2), (3, 3)]
    ));
    let third = session.board().unwrap();
    session.clear().unwrap();
    let empty = session.board().unwrap();
    assert_eq!(empty.census().alive(), 0);
    session.clear().unwrap();

    for expected in [&third, &stepped, &first] {
        session.undo().unwrap();
        assert_eq!(&session.board().unwrap(), expected);
        assert_eq!(session.start_pattern(), expected);
        assert_eq!(session.generation(), 0);
    }
    assert!(matches!(session.undo(), Err(SessionError::NothingToUndo)));
    session.step().unwrap();
    for expected in [&second, &third, &empty] {
        session.redo().unwrap();
        assert_eq!(&session.board().unwrap(), expected);
    }
    assert!(matches!(session.redo(), Err(SessionError::NothingToRedo)));
    session.undo().unwrap();
    session.generate(StartPattern::Mirrored, 0.3).unwrap();
    assert!(matches!(session.redo(), Err(SessionError::NothingToRedo)));
    session.undo().unwrap();
    assert_eq!(session.board().unwrap(), third);
}

#[test]
fn generating_takes_the_seed_and_needs_no_apply() {
    let mut session = session();
    session.play().unwrap();
    session.advance(3).unwrap();
    session.generate(StartPattern::Mirrored, 0.35).unwrap();
    let drawn = start::mirrored(size(20, 12), 0.35, 3).unwrap();
    assert_eq!(session.board().unwrap(), drawn);
    assert_eq!(session.start_pattern(), &drawn);
    assert_eq!((session.generation(), session.is_playing()), (0, false));
    session.generate(StartPattern::Random, 0.1).unwrap();
    assert_eq!(
        session.board().unwrap(),
        start::random(size(20, 12), 0.1, 3).unwrap()
    );
    assert!(!session.is_locked());
    assert!(matches!(
        session.generate(StartPattern::Random, 1.5),
        Err(SessionError::Start(_))
    ));
}

#[test]
fn changed_settings_pause_and_lock_until_applied_or_discarded() {
    let base = settings();
    let changes = [
        Settings {
            rule: Rule::new(1 << 3 | 1 << 6, 0b1100).unwrap(),
            ..base
        },
        Settings {
            edges: Edges::Dead,
            ..base
        },
        Settings {
            size: size(21, 12),
            ..base
        },
        Settings {
            ties: Ties::Red,
            ..base
        },
        base.with_seed(4),
        Settings {
            limit: Some(5),
            ..base
        },
    ];
    for draft in changes {
        let mut session = session();
        session.play().unwrap();
        session.advance(2).unwrap();
        let before = session.board().unwrap();
        session.set_draft(draft).unwrap();
        assert!(session.is_locked() && !session.is_playing());
        assert_eq!(session.frame(1000 * MS, Duration::MAX).unwrap(), 0);
        for refused in [
            session.step(),
            session.play(),
            session.begin_stroke(LifelikeCell::Red),
            session.undo(),
            session.redo(),
            session.clear(),
            session.generate(StartPattern::Random, 0.3),
        ] {
            assert!(matches!(refused, Err(SessionError::Unapplied)), "{draft:?}");
        }
        assert_eq!((session.generation(), session.settings()), (2, base));
        session.discard().unwrap();
        assert!(!session.is_locked());
        assert_eq!(
            (session.board().unwrap(), session.generation()),
            (before.clone(), 2)
        );
        session.set_draft(draft).unwrap();
        session.set_draft(base).unwrap();
        assert!(!session.is_locked(), "set back is not changed");
        assert!(matches!(session.apply(), Err(SessionError::NothingChanged)));
        assert!(matches!(
            session.discard(),
            Err(SessionError::NothingChanged)
        ));

        session.set_draft(draft).unwrap();
        session.apply().unwrap();
        assert_eq!((session.settings(), session.draft()), (draft, draft));
        assert_eq!((session.generation(), session.is_playing()), (0, false));
        let applied = Settings::resized(before, draft.size).unwrap();
        assert_eq!(session.start_pattern(), &applied);
        session.play().unwrap();
        session.advance(3).unwrap();
        let mut engine = CpuEngine::new(draft.ruleset());
        engine.load(&applied).unwrap();
        engine.step(3).unwrap();
        assert_eq!(
            session.board().unwrap(),
            engine.read().unwrap(),
            "{draft:?}"
        );
    }
}

#[test]
fn a_resize_keeps_the_part_that_fits() {
    let mut session = session();
    let before = soup();
    for (width, height) in [(33, 7), (64, 20), (5, 5)] {
        let old = session.board().unwrap();
        let draft = Settings {
            size: size(width, height),
            ..session.draft()
        };
        session.set_draft(draft).unwrap();
        session.apply().unwrap();
        let new = session.board().unwrap();
        assert_eq!(new.size(), size(width, height));
        for (x, y) in (0..height as u32).flat_map(|y| (0..width as u32).map(move |x| (x, y))) {
            let inside = x < old.size().width() && y < old.size().height();
            let expected = if inside {
                old.cell(uvec2(x, y))
            } else {
                LifelikeCell::Dead
            };
            assert_eq!(new.cell(uvec2(x, y)), expected, "({x}, {y})");
        }
    }
    assert_eq!(
        session.board().unwrap().cell(uvec2(2, 2)),
        before.cell(uvec2(2, 2))
    );
    assert!(matches!(session.undo(), Err(SessionError::NothingToUndo)));
}

/// An engine that fails on demand.
struct Failing {
    inner: CpuEngine,
    fails: Rc<Slot<bool>>,
}

impl Failing {
    fn check(&self) -> Result<(), EngineError> {
        match self.fails.get() {
            true => Err(EngineError::NoAdapter),
            false => Ok(()),
        }
    }
}

impl Engine for Failing {
    fn load(&mut self, board: &LifelikeBoard) -> Result<(), EngineError> {
        self.check()?;
        self.inner.load(board)
    }

    fn run(
        &mut self,
        request: Request,
        sink: &mut Sink<'_, LifelikeBoard>,
    ) -> Result<(), EngineError> {
        self.check()?;
        self.inner.run(request, sink)
    }

    fn census(&mut self) -> Result<LifelikeCensus, EngineError> {
        self.inner.census()
    }

    fn read(&mut self) -> Result<LifelikeBoard, EngineError> {
        self.inner.read()
    }
}

#[test]
fn an_engine_that_fails_leaves_the_battle_as_it_was() {
    let fails = Rc::new(Slot::new(false));
    let requested = Rc::new(RefCell::new(Vec::new()));
    let factory = {
        let (fails, requested) = (Rc::clone(&fails), Rc::clone(&requested));
        Box::new(move |ruleset: LifelikeRuleset| {
            requested.borrow_mut().push(ruleset);
            let inner = CpuEngine::new(ruleset);
            let fails = Rc::clone(&fails);
            Ok(Box::new(Failing { inner, fails }) as Box<dyn Engine>)
        })
    };
    let mut session = Session::new(settings(), soup(), factory).unwrap();
    session.play().unwrap();
    session.advance(2).unwrap();
    fails.set(true);
    assert!(session.frame(1000 * MS, Duration::MAX).is_err());
    assert!(!session.is_playing(), "it does not fail again and again");
    let draft = Settings {
        edges: Edges::Dead,
        ..settings()
    };
    session.set_draft(draft).unwrap();
    assert!(matches!(session.apply(), Err(SessionError::Engine(_))));
    assert_eq!((session.settings(), session.draft()), (settings(), draft));
    fails.set(false);
    assert_eq!(session.board().unwrap(), later(&soup(), 2));
    assert_eq!(session.generation(), 2);
    session.apply().unwrap();
    assert_eq!(requested.borrow().last(), Some(&draft.ruleset()));
}
