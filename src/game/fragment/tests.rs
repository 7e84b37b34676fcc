use super::*;
use crate::board::Size;
use glam::uvec2;

use Direction::{Down, Left, Right, Up};

fn settings(width: u64, height: u64, cells: u32, piece: u32, piece_cells: u32) -> Settings {
    let field = Size::new(width, height).unwrap();
    Settings::new(field, cells, piece, piece_cells).unwrap()
}

/// A game on a field, with a piece at the top left; both as text, `#` for a cell.
fn game(field: &[&str], piece: &[&str]) -> Fragment {
    let cells = |rows: &[&str]| -> Vec<(u32, u32)> {
        let row = |(y, row): (u32, &&str)| {
            let cells = (0..).zip(row.chars()).filter(|(_, cell)| *cell == '#');
            cells.map(|(x, _)| (x, y)).collect::<Vec<_>>()
        };
        (0..).zip(rows).flat_map(row).collect()
    };
    let blue = cells(field);
    let side = piece.len() as u32;
    let green = cells(piece);
    let mut game = Fragment::new(
        settings(
            field[0].len() as u64,
            field.len() as u64,
            blue.len().max(1) as u32,
            side,
            green.len() as u32,
        ),
        0,
    )
    .unwrap();
    game.field = LifelikeBoard::new(game.settings.field()).unwrap();
    for (x, y) in blue {
        game.field.set(uvec2(x, y), LifelikeCell::Blue);
    }
    game.piece = Piece::new(side, green.into_iter().map(UVec2::from));
    game
}

fn rows(game: &Fragment) -> Vec<String> {
    let field = game.field();
    let row = |y| {
        field
            .row(y)
            .map(|cell| if cell == LifelikeCell::Dead { '.' } else { '#' })
    };
    (0..field.size().height())
        .map(|y| row(y).collect())
        .collect()
}

/// Moves as far as it goes; returns the steps.
fn as_far_as_possible(game: &mut Fragment, direction: Direction) -> u32 {
    (0..1000).take_while(|_| game.shift(direction)).count() as u32
}

#[test]
fn a_game_begins_with_the_number_of_cells_in_its_settings() {
    for settings in [
        Settings::standard().unwrap(),
        settings(33, 7, 231, 7, 49),
        settings(1, 1, 1, 1, 1),
    ] {
        let game = Fragment::new(settings, 5).unwrap();
        assert_eq!(game.field().census().blue, u64::from(settings.cells()));
        assert_eq!(game.field().census().red, 0);
        assert_eq!(game.piece().cells().count() as u32, settings.piece_cells());
        assert_eq!(game.piece().corner(), UVec2::ZERO);
        assert!(game.piece().cells().all(|cell| game.piece().frames(cell)));
        assert_eq!((game.merges(), game.score(), game.best()), (0, None, None));
    }
}

#[test]
fn a_seed_means_one_game() {
    let begin = |seed| Fragment::new(Settings::standard().unwrap(), seed).unwrap();
    let (one, same, other) = (begin(1), begin(1), begin(2));
    assert_eq!((&one.field, &one.piece), (&same.field, &same.piece));
    assert!(one.field != other.field && one.piece != other.piece);
    let next = deal(one.settings, 1, 2);
    assert_ne!(next, one.piece, "every piece is drawn anew");
    // Part of what the program promises: a game is named by its seed.
    assert_eq!(
        one.field.digest(),
        "61ba04e5945768e9533d98202179c419a2227793ea273e1b8ed3a597e328e549"
    );
}

#[test]
fn the_frame_never_leaves_the_field() {
    // One cell in the middle of the frame: the frame counts, not the cell.
    let mut game = game(
        &[".........", ".........", ".........", "........."],
        &["...", ".#.", "..."],
    );
    for (direction, steps, place) in [
        (Left, 0, (0, 0)),
        (Up, 0, (0, 0)),
        (Right, 6, (6, 0)),
        (Down, 1, (6, 1)),
        (Left, 6, (0, 1)),
        (Up, 1, (0, 0)),
    ] {
        assert_eq!(
            as_far_as_possible(&mut game, direction),
            steps,
            "{direction}"
        );
        assert_eq!(game.piece().corner(), UVec2::from(place), "{direction}");
        assert!(!game.shift(direction));
    }
}

#[test]
fn a_frame_as_large_as_the_field_stays() {
    let mut game = game(&["..", ".."], &["#.", ".."]);
    for direction in [Left, Right, Up, Down] {
        assert!(!game.shift(direction));
    }
}

#[test]
fn pieces_turn_clockwise_anywhere() {
    let mut game = game(&["....."; 5], &["##.", "...", "..."]);
    as_far_as_possible(&mut game, Right);
    as_far_as_possible(&mut game, Down);
    let mut turns: Vec<Vec<(u32, u32)>> = Vec::new();
    for _ in 0..4 {
        turns.push(game.piece().cells().map(Into::into).collect());
        game.turn();
        assert_eq!(game.piece().corner(), UVec2::new(2, 2), "the frame stays");
    }
    assert_eq!(
        turns,
        [
            vec![(2, 2), (3, 2)],
            vec![(4, 2), (4, 3)],
            vec![(3, 4), (4, 4)],
            vec![(2, 3), (2, 4)],
        ]
    );
}

#[test]
fn four_turns_are_none() {
    for side in 1..=6 {
        let mut piece = deal(settings(20, 20, 1, side, side * side / 2 + 1), 9, 1);
        let before = piece.clone();
        for _ in 0..4 {
            piece.turn();
        }
        assert_eq!(piece, before, "side {side}");
    }
}

#[test]
fn what_a_piece_covers_are_its_cells() {
    let mut game = Fragment::new(settings(12, 9, 3, 4, 7), 2).unwrap();
    game.shift(Right);
    game.shift(Down);
    game.turn();
    let mut covered = Vec::new();
    for cell in (0..9).flat_map(|y| (0..12).map(move |x| UVec2::new(x, y))) {
        if game.piece().covers(cell) {
            covered.push(cell);
        }
    }
    assert_eq!(covered, game.piece().cells().collect::<Vec<_>>());
}

#[test]
fn a_merge_on_blue_cells_is_refused_and_names_them() {
    let mut game = game(&["#..#", ".#..", "....", "...."], &["#.#", ".#.", "..."]);
    let before = (rows(&game), game.piece().clone());
    let Err(MergeError::Clash(clashes)) = game.merge() else {
        panic!("merged");
    };
    assert_eq!(clashes, [UVec2::ZERO, UVec2::ONE]);
    assert_eq!((rows(&game), game.piece().clone()), before);
    assert_eq!((game.merges(), game.score()), (0, None));
    // One to the right only one cell clashes, and a row below that none does.
    game.shift(Right);
    assert_eq!(game.clashes(), [UVec2::new(3, 0)]);
    game.shift(Down);
    assert_eq!(game.clashes(), [UVec2::ONE]);
    game.turn();
    assert!(game.clashes().is_empty());
    assert!(game.merge().is_ok());
}

#[test]
fn a_merge_is_one_generation_with_dead_edges() {
    // The piece makes a column of three at the left edge: a blinker, half of it beyond the edge.
    let mut game = game(&["....", "#...", "#...", "...."], &["#.", ".."]);
    assert_eq!(game.merge().unwrap(), 2);
    assert_eq!(rows(&game), ["....", "##..", "....", "...."]);
    assert_eq!(game.field().census().blue, 2, "green has turned blue");
    // On a torus the blinker would have a third cell, at the right edge, and the three cells of
    // this field would be neighbours and live on.
    let mut game = self::game(&["#..", "...", "...", "..#"], &["#.", ".."]);
    game.shift(Right);
    assert_eq!(game.merge().unwrap(), 0);
}

#[test]
fn score_and_best_follow_the_merges() {
    // A block stays as it is.
    let empty = "............";
    let block = "........##..";
    let field = [empty, empty, empty, empty, empty, block, block, empty];
    let mut game = game(&field, &["##.", "##.", "..."]);
    assert_eq!(game.merge().unwrap(), 8, "two blocks");
    assert_eq!(
        (game.score(), game.best(), game.merges()),
        (Some(8), Some(8), 1)
    );
    assert_eq!(
        game.piece(),
        &deal(game.settings(), game.seed(), 2),
        "the next piece, at the top left"
    );
    assert_eq!(game.piece().cells().count(), 4, "of as many cells");

    let mut merge = |x, y, cells: [(u32, u32); 4]| {
        game.piece = Piece::new(3, cells.into_iter().map(UVec2::from));
        while game.piece.corner().x < x && game.shift(Right) {}
        while game.piece.corner().y < y && game.shift(Down) {}
        let score = game.merge().unwrap();
        assert_eq!(game.score(), Some(score));
        (score, game.best(), game.merges())
    };
    // Four cells at a corner of the block overcrowd it; one cell is left, which dies next.
    let corner = [(2, 0), (2, 1), (0, 2), (1, 2)];
    assert_eq!(merge(6, 3, corner), (5, Some(5), 2));
    let block = [(0, 0), (1, 0), (0, 1), (1, 1)];
    assert_eq!(merge(4, 0, block), (8, Some(5), 3), "the best stays");
}

#[test]
fn an_empty_field_wins_and_ends_the_game() {
    let mut game = game(&["#....", ".....", "....."], &["..", ".#"]);
    as_far_as_possible(&mut game, Right);
    assert!(!game.is_won());
    assert_eq!(game.merge().unwrap(), 0);
    assert!(game.is_won());
    assert_eq!((game.best(), game.merges()), (Some(0), 1));
    assert!(matches!(game.merge(), Err(MergeError::Won)));
    assert_eq!(game.merges(), 1);
}

#[test]
fn impossible_games_are_refused() {
    let field = |width, height| Size::new(width, height).unwrap();
    let message = |field, cells, piece, piece_cells| {
        let refused = Settings::new(field, cells, piece, piece_cells).unwrap_err();
        refused.to_string()
    };
    assert!(message(field(20, 4), 60, 5, 8).contains("1 to 4"));
    assert!(message(field(20, 20), 60, 0, 8).contains("1 to 20"));
    assert!(message(field(20, 20), 401, 5, 8).contains("1 to 400 cells, not 401"));
    assert!(message(field(20, 20), 0, 5, 8).contains("1 to 400 cells, not 0"));
    assert!(message(field(20, 20), 60, 5, 26).contains("1 to 25 cells, not 26"));
    assert!(message(field(20, 20), 60, 5, 0).contains("1 to 25 cells, not 0"));
    assert!(message(field(1025, 5), 60, 5, 8).contains("1024x1024"));
    assert!(message(field(5, 1 << 20), 60, 5, 8).contains("1024x1024"));
    let largest = settings(MAX_SIDE.into(), MAX_SIDE.into(), 1 << 20, MAX_SIDE, 1 << 20);
    assert!(Fragment::new(largest, 0).is_ok());
}
