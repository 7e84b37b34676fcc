use super::*;
use glam::{UVec2, uvec2};

fn setup(width: u64, height: u64, first: Player) -> Setup {
    Setup::new(Size::new(width, height).unwrap(), first).unwrap()
}

fn standard() -> Game {
    Game::new(setup(25, 25, Player::Red)).unwrap()
}

/// Places counters in turn; coordinates from 0.
fn place(game: &mut Game, cells: &[(u32, u32)]) {
    for &(x, y) in cells {
        game.place(UVec2::new(x, y)).unwrap();
    }
}

/// Steps until a counter is due or the game is over.
fn run(game: &mut Game) {
    while matches!(game.phase(), Phase::Running { .. } | Phase::Waiting { .. }) {
        game.step().unwrap();
    }
}

/// Two blocks far apart, and a lone counter each.
const TWO_BLOCKS: [(u32, u32); 10] = [
    (2, 2),
    (12, 12),
    (3, 2),
    (13, 12),
    (2, 3),
    (12, 13),
    (3, 3),
    (13, 13),
    (20, 2),
    (2, 20),
];

/// A game that an independent program has played: a tie of two generations after the set-up, red
/// leading at generation 12, blue at 22, and blue winning at 30.
const TIE_THEN_WIN: [(u32, u32); 14] = [
    (8, 14),
    (13, 13),
    (8, 13),
    (16, 13),
    (9, 14),
    (14, 12),
    (8, 12),
    (15, 11),
    (7, 14),
    (15, 12),
    (11, 15),
    (9, 14),
    (14, 11),
    (12, 12),
];

#[test]
fn the_set_up_is_five_counters_each_in_turns() {
    for first in [Player::Red, Player::Blue] {
        let mut game = Game::new(setup(25, 25, first)).unwrap();
        for turn in 0..10 {
            let player = if turn % 2 == 0 { first } else { first.other() };
            let left = 5 - turn / 2;
            assert_eq!(game.phase(), Phase::Placing { player, left });
            assert_eq!(game.counters_left(player), left);
            let other = if turn % 2 == 0 { left } else { left - 1 };
            assert_eq!(game.counters_left(player.other()), other);
            assert!(matches!(game.step(), Err(StepError::Placing(next)) if next == player));
            game.place(UVec2::new(2 * turn, 3)).unwrap();
            assert_eq!(game.board().cell(uvec2(2 * turn, 3)), player.cell());
        }
        assert_eq!(game.phase(), Phase::Running { left: 10 });
        assert_eq!(game.counters_left(first), 0);
        assert!(game.is_setup());
        assert_eq!(game.place(UVec2::new(1, 1)), Err(PlaceError::Running));
    }
}

#[test]
fn a_counter_goes_on_a_dead_cell_of_the_board() {
    let mut game = standard();
    game.place(UVec2::new(4, 7)).unwrap();
    let before = game.clone();
    let occupied = game.place(UVec2::new(4, 7)).unwrap_err();
    assert_eq!(
        occupied.to_string(),
        "column 5, row 8 is occupied by red; counters go on dead cells"
    );
    for (x, y) in [(25, 0), (0, 25), (u32::MAX, u32::MAX)] {
        let error = game.place(UVec2::new(x, y)).unwrap_err();
        assert!(matches!(error, PlaceError::OffBoard { .. }), "{error}");
        assert!(error.to_string().contains("25x25"), "{error}");
    }
    assert_eq!(game, before, "a refused counter changes nothing");
}

#[test]
fn a_side_that_has_died_out_loses_in_that_generation() {
    for (cells, winner) in [
        // Red's block and four lone blue counters, and the other way round.
        ([(2, 2), (20, 20)], Player::Red),
        ([(20, 20), (2, 2)], Player::Blue),
    ] {
        let mut game = standard();
        let block = |at: (u32, u32), i: u32| (at.0 + i % 2, at.1 + i / 2);
        let lone = |at: (u32, u32), i: u32| (at.0 - 4 * i, at.1);
        for i in 0..5 {
            for (player, &at) in [Player::Red, Player::Blue].into_iter().zip(&cells) {
                let (x, y) = if player == winner && i < 4 {
                    block(at, i)
                } else if player == winner {
                    (at.0, at.1 + 8)
                } else {
                    lone(at, i)
                };
                game.place(UVec2::new(x, y)).unwrap();
            }
        }
        game.step().unwrap();
        assert_eq!(game.phase(), Phase::Over(GameResult::Won(winner)));
        assert_eq!((game.generation(), game.board().census().alive()), (1, 4));
        assert!(matches!(
            game.step(),
            Err(StepError::Over(GameResult::Won(_)))
        ));
        let error = game.place(UVec2::new(0, 0)).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("the game is over since generation 1: a win for {winner}")
        );
        assert!(game.undo().is_err());
    }
}

#[test]
fn when_nobody_is_left_it_is_a_draw() {
    let mut game = standard();
    for i in 0..10 {
        game.place(UVec2::new(2 * (i % 5) * 2, 6 * (i / 5)))
            .unwrap();
    }
    game.step().unwrap();
    assert_eq!(game.phase(), Phase::Over(GameResult::Extinction));
}

#[test]
fn a_wait_that_repeats_a_board_is_a_stalemate() {
    let mut game = standard();
    place(&mut game, &TWO_BLOCKS);
    for left in (1..10).rev() {
        game.step().unwrap();
        assert_eq!(game.phase(), Phase::Running { left });
    }
    game.step().unwrap();
    assert_eq!(game.phase(), Phase::Waiting { waited: 0 });
    assert_eq!(game.place(UVec2::new(0, 0)), Err(PlaceError::Running));
    // The board the wait began with counts.
    game.step().unwrap();
    assert_eq!(game.phase(), Phase::Over(GameResult::Stalemate));
    assert_eq!(game.generation(), 11);
}

#[test]
fn a_stalemate_of_period_two_takes_two_generations_of_waiting() {
    let mut game = standard();
    let blinker = |x, y| [(x, y), (x + 1, y), (x + 2, y)];
    let (red, blue) = (blinker(2, 2), blinker(12, 12));
    for (red, blue) in red.into_iter().zip(blue) {
        place(&mut game, &[red, blue]);
    }
    place(&mut game, &[(20, 2), (2, 20), (20, 6), (6, 20)]);
    run(&mut game);
    assert_eq!(game.phase(), Phase::Over(GameResult::Stalemate));
    assert_eq!(game.generation(), 12);
}

#[test]
fn a_tie_waits_then_the_leader_places_first_and_the_game_goes_on_to_a_win() {
    let mut game = standard();
    place(&mut game, &TIE_THEN_WIN[..10]);
    for _ in 0..10 {
        game.step().unwrap();
    }
    assert_eq!(game.phase(), Phase::Waiting { waited: 0 });
    game.step().unwrap();
    assert_eq!(game.phase(), Phase::Waiting { waited: 1 });
    game.step().unwrap();
    let counts = |game: &Game| (game.generation(), game.board().census());
    let census = |red, blue| LifelikeCensus { red, blue };
    assert_eq!(counts(&game), (12, census(16, 14)));
    let (red, blue) = (Player::Red, Player::Blue);
    assert_eq!(
        game.phase(),
        Phase::Placing {
            player: red,
            left: 1
        }
    );
    assert_eq!((game.counters_left(red), game.counters_left(blue)), (1, 1));
    place(&mut game, &TIE_THEN_WIN[10..11]);
    assert_eq!(
        game.phase(),
        Phase::Placing {
            player: blue,
            left: 1
        }
    );
    assert_eq!((game.counters_left(red), game.counters_left(blue)), (0, 1));
    place(&mut game, &TIE_THEN_WIN[11..12]);
    run(&mut game);
    assert_eq!(counts(&game), (22, census(5, 9)));
    assert_eq!(
        game.phase(),
        Phase::Placing {
            player: blue,
            left: 1
        }
    );
    place(&mut game, &TIE_THEN_WIN[12..]);
    run(&mut game);
    assert_eq!(game.phase(), Phase::Over(GameResult::Won(blue)));
    assert_eq!(counts(&game), (30, census(0, 6)));
}

#[test]
fn counters_can_be_taken_back_until_a_generation_has_run() {
    let mut game = standard();
    assert_eq!(game.undo(), Err(UndoError::NoMove));
    let start = game.clone();
    place(&mut game, &TIE_THEN_WIN[..10]);
    let full = game.clone();
    assert_eq!(game.undoable().len(), 10);
    for i in (0..10).rev() {
        let taken = game.undo().unwrap();
        assert_eq!((taken.x, taken.y), TIE_THEN_WIN[i]);
    }
    assert_eq!(game, start);
    place(&mut game, &TIE_THEN_WIN[..10]);
    assert_eq!(game, full);
    run(&mut game);
    // The set-up is out of reach now, the counters of this round are not.
    assert_eq!(game.undo(), Err(UndoError::GenerationComputed));
    let waiting = game.clone();
    place(&mut game, &TIE_THEN_WIN[10..12]);
    game.undo().unwrap();
    game.undo().unwrap();
    assert_eq!(game, waiting);
    assert_eq!(game.undo(), Err(UndoError::GenerationComputed));
    place(&mut game, &TIE_THEN_WIN[10..12]);
    game.step().unwrap();
    assert_eq!(game.undo(), Err(UndoError::GenerationComputed));
}

#[test]
fn who_finds_no_dead_cell_passes() {
    // Three cells: after them both sides pass with all they have left.
    let mut game = Game::new(setup(3, 1, Player::Blue)).unwrap();
    place(&mut game, &[(0, 0), (1, 0)]);
    let blue = Player::Blue;
    assert_eq!(
        game.phase(),
        Phase::Placing {
            player: blue,
            left: 4
        }
    );
    game.place(UVec2::new(2, 0)).unwrap();
    assert_eq!(game.phase(), Phase::Running { left: 10 });
    // Passing can be taken back with the counter that filled the board.
    game.undo().unwrap();
    assert_eq!(
        game.phase(),
        Phase::Placing {
            player: blue,
            left: 4
        }
    );
    game.place(UVec2::new(2, 0)).unwrap();
    run(&mut game);
    assert_eq!(game.phase(), Phase::Over(GameResult::Extinction));
    assert_eq!(game.generation(), 1);
}

#[test]
fn boards_have_a_largest_size() {
    let size = |width, height| Size::new(width, height).unwrap();
    assert!(Setup::new(size(1000, 1000), Player::Red).is_ok());
    for too_large in [size(1001, 1), size(1, 1001)] {
        let error = Setup::new(too_large, Player::Red).unwrap_err();
        assert!(error.to_string().contains("at most 1000"), "{error}");
    }
}
