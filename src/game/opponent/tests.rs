use super::*;
use crate::game::immigration::{GameResult, Setup};

fn new_game(first: Player) -> Game {
    Game::new(Setup::new(Size::new(25, 25).unwrap(), first).unwrap()).unwrap()
}

fn computer(strength: u8, seed: u64) -> Computer {
    Computer::new(Strength::new(strength).unwrap(), seed)
}

/// Lets two players play.
fn play(
    mut game: Game,
    mut choose: impl FnMut(&Game, Player) -> Option<UVec2>,
) -> (Game, GameResult) {
    loop {
        match game.phase() {
            Phase::Over(result) => return (game, result),
            Phase::Placing { player, .. } => {
                let cell = choose(&game, player).unwrap();
                game.place(cell).unwrap();
            }
            Phase::Running { .. } | Phase::Waiting { .. } => game.step().unwrap(),
        }
    }
}

#[test]
fn the_computer_beats_a_random_player() {
    let mut won = 0;
    for seed in 0..10u64 {
        let me = [Player::Red, Player::Blue][seed as usize % 2];
        let first = [Player::Red, Player::Blue][seed as usize / 2 % 2];
        let (_, result) = play(new_game(first), |game, player| {
            if player == me {
                computer(1, seed).choose(game, &|| false).unwrap()
            } else {
                random_cell(game, !seed)
            }
        });
        won += u32::from(result == GameResult::Won(me));
    }
    assert!(won >= 9, "won {won} of 10");
}

#[test]
fn a_strength_decides_alike_on_any_number_of_threads() {
    for strength in [1, 2] {
        let game_on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(|| {
                let mut moves = 0;
                let mut game = new_game(Player::Red);
                // The set-up and one round.
                while moves < 12 && !matches!(game.phase(), Phase::Over(_)) {
                    let found = computer(strength, 7).choose(&game, &|| false).unwrap();
                    match found {
                        Some(cell) => {
                            game.place(cell).unwrap();
                            moves += 1;
                        }
                        None => game.step().unwrap(),
                    }
                }
                game.moves().to_vec()
            })
        };
        assert_eq!(game_on(1), game_on(5), "strength {strength}");
    }
}

#[test]
fn seeds_decide_between_equal_moves() {
    let first = |seed| computer(1, seed).choose(&new_game(Player::Red), &|| false);
    let found: Vec<_> = (0..8).map(|seed| first(seed).unwrap()).collect();
    assert!(found.iter().any(|&cell| cell != found[0]), "{found:?}");
    let lots: Vec<_> = (0..8)
        .map(|seed| random_cell(&new_game(Player::Red), seed))
        .collect();
    assert!(lots.iter().any(|&cell| cell != lots[0]), "{lots:?}");
}

#[test]
fn who_can_win_at_once_does() {
    // All of blue's counters die; red has two cells side by side and wins with any third that
    // makes them live on.
    let mut game = new_game(Player::Blue);
    let blue = [(2, 20), (6, 20), (10, 20), (14, 20), (18, 20)];
    let red = [(12, 5), (13, 5), (20, 10), (22, 2)];
    for (index, &(x, y)) in blue.iter().enumerate() {
        game.place(UVec2::new(x, y)).unwrap();
        if let Some(&(x, y)) = red.get(index) {
            game.place(UVec2::new(x, y)).unwrap();
        }
    }
    for strength in 1..=3 {
        let cell = computer(strength, 3)
            .choose(&game, &|| false)
            .unwrap()
            .unwrap();
        let mut after = game.clone();
        after.place(cell).unwrap();
        after.step().unwrap();
        assert_eq!(
            after.phase(),
            Phase::Over(GameResult::Won(Player::Red)),
            "{strength}"
        );
    }
}

#[test]
fn enough_ends_the_search_with_a_legal_move() {
    let mut game = new_game(Player::Red);
    while let Phase::Placing { .. } = game.phase() {
        let cell = computer(3, 1).choose(&game, &|| true).unwrap().unwrap();
        game.place(cell).unwrap();
    }
    assert_eq!(game.moves().len(), 10);
    assert_eq!(computer(3, 1).choose(&game, &|| false).unwrap(), None);
    assert_eq!(random_cell(&game, 1), None);
}

#[test]
fn random_cells_are_all_dead_cells_equally_often() {
    let mut game = Game::new(Setup::new(Size::new(3, 3).unwrap(), Player::Red).unwrap()).unwrap();
    game.place(UVec2::new(1, 1)).unwrap();
    let mut hits = [0u32; 9];
    for seed in 0..8000 {
        let cell = random_cell(&game, seed).unwrap();
        hits[(3 * cell.y + cell.x) as usize] += 1;
    }
    assert_eq!(hits[4], 0);
    // Six standard deviations around 1000.
    let others = hits.iter().enumerate().filter(|&(cell, _)| cell != 4);
    for (cell, &hits) in others {
        assert!(hits.abs_diff(1000) < 6 * 30, "cell {cell}: {hits}");
    }
}

#[test]
fn large_boards_are_refused_at_once() {
    let size = Size::new(101, 100).unwrap();
    let game = Game::new(Setup::new(size, Player::Red).unwrap()).unwrap();
    let error = computer(1, 1).choose(&game, &|| false).unwrap_err();
    assert!(error.to_string().contains("at most 10000 cells"), "{error}");
    assert!(random_cell(&game, 1).is_some());
}

#[test]
fn the_smallest_boards_are_played_to_an_end() {
    for (width, height) in [(1, 1), (2, 1), (1, 7), (3, 3)] {
        let size = Size::new(width, height).unwrap();
        let game = Game::new(Setup::new(size, Player::Red).unwrap()).unwrap();
        let (game, _) = play(game, |game, _| {
            computer(2, 1).choose(game, &|| false).unwrap()
        });
        assert!(!game.moves().is_empty());
    }
}
