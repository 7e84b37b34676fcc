use glam::UVec2;

use super::*;
use crate::game::immigration::GameResult;

/// Red's block wins against lone counters at generation 1; blue begins.
fn won_game() -> Game {
    let setup = Setup::new(Size::new(30, 20).unwrap(), Player::Blue).unwrap();
    let mut game = Game::new(setup).unwrap();
    for (i, (x, y)) in [(2, 2), (3, 2), (2, 3), (3, 3), (8, 2)]
        .into_iter()
        .enumerate()
    {
        game.place(UVec2::new(4 * i as u32, 12)).unwrap();
        game.place(UVec2::new(x, y)).unwrap();
    }
    game.step().unwrap();
    assert_eq!(game.phase(), Phase::Over(GameResult::Won(Player::Red)));
    game
}

/// Two blinkers, tied for ever.
fn tied_game() -> Game {
    let setup = Setup::new(Size::new(25, 25).unwrap(), Player::Red).unwrap();
    let mut game = Game::new(setup).unwrap();
    let cells = [(2, 2), (3, 2), (4, 2), (10, 2), (16, 2)];
    for (x, y) in cells {
        game.place(UVec2::new(x, y)).unwrap();
        game.place(UVec2::new(x, y + 10)).unwrap();
    }
    game
}

fn again(game: &Game) -> Game {
    let json = Record::of(game).to_json();
    Record::parse(json.as_bytes()).unwrap().replay().unwrap()
}

#[test]
fn a_game_is_the_same_after_saving_at_any_time() {
    let mut game = tied_game();
    while !matches!(game.phase(), Phase::Over(_)) {
        assert_eq!(again(&game), game);
        game.step().unwrap();
    }
    assert_eq!(again(&game), game);
    assert_eq!(game.phase(), Phase::Over(GameResult::Stalemate));
    let mut game = won_game();
    assert_eq!(again(&game), game);
    game = Game::new(game.setup()).unwrap();
    for i in 0..10 {
        assert_eq!(again(&game), game, "{i} moves");
        game.place(UVec2::new(2 * i, i)).unwrap();
    }
}

#[test]
fn the_form_of_a_record_is_kept() {
    let setup = Setup::new(Size::new(25, 20).unwrap(), Player::Blue).unwrap();
    let mut game = Game::new(setup).unwrap();
    let empty = "{\n  \"game\": \"immigration\",\n  \"version\": 1,\n  \"width\": 25,\n  \"height\": 20,\n  \"first\": \"blue\",\n  \"moves\": [],\n  \"generation\": 0\n}\n";
    assert_eq!(Record::of(&game).to_json(), empty);
    game.place(UVec2::new(12, 7)).unwrap();
    game.place(UVec2::new(0, 19)).unwrap();
    let moves = "\n    {\"player\": \"blue\", \"x\": 12, \"y\": 7},\n    {\"player\": \"red\", \"x\": 0, \"y\": 19}\n  ";
    assert_eq!(
        Record::of(&game).to_json(),
        empty.replace("[]", &format!("[{moves}]"))
    );
}

/// The error of the won game's record after a change.
fn error_after(from: &str, to: &str) -> String {
    let json = Record::of(&won_game()).to_json();
    assert!(json.contains(from), "{from} in {json}");
    let json = json.replacen(from, to, 1);
    let error = match Record::parse(json.as_bytes()) {
        Ok(record) => record.replay().unwrap_err(),
        Err(error) => error,
    };
    let message = error.to_string();
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

#[test]
fn a_record_of_what_cannot_be_is_refused_with_the_move() {
    let third = r#"{"player": "blue", "x": 4, "y": 12}"#;
    let cases = [
        (
            r#"{"player": "blue", "x": 2, "y": 2}"#,
            "move 3 (blue, x 2, y 2): column 3, row 3 is occupied by red",
        ),
        (
            r#"{"player": "blue", "x": 30, "y": 2}"#,
            "move 3 (blue, x 30, y 2): column 31, row 3 is off the board, which has 30x20 cells",
        ),
        (
            r#"{"player": "red", "x": 5, "y": 12}"#,
            "move 3 (red, x 5, y 12): it is the turn of blue",
        ),
        (
            r#"{"player": "blue", "x": -1, "y": 2}"#,
            "move 3: invalid value",
        ),
        (
            r#"{"player": "green", "x": 1, "y": 2}"#,
            "move 3: unknown variant",
        ),
        (r#"{"player": "blue", "x": 1}"#, "move 3: missing field `y`"),
        (
            r#"{"player": "blue", "x": 1, "y": 1, "z": 1}"#,
            "move 3: unknown field `z`",
        ),
    ];
    for (to, expected) in cases {
        let message = error_after(third, to);
        assert!(message.contains(expected), "{message}");
    }
    // A move left out shifts all turns after it.
    let message = error_after(&format!("{third},"), "");
    assert!(
        message.starts_with("move 3 (red, x 3, y 2): it is the turn of blue"),
        "{message}"
    );
    let message = error_after(
        "\n  ],",
        ",\n    {\"player\": \"red\", \"x\": 0, \"y\": 0}\n  ],",
    );
    assert_eq!(
        message,
        "move 11 (red, x 0, y 0): the game is over since generation 1: a win for red"
    );
}

#[test]
fn generations_that_do_not_follow_are_refused() {
    let message = error_after("\"generation\": 1", "\"generation\": 2");
    assert_eq!(
        message,
        "generation 2 does not follow from the moves: the game is over at generation 1: a win for red"
    );
    let mut game = tied_game();
    game.undo().unwrap();
    let json = Record::of(&game).to_json();
    let json = json.replace("\"generation\": 0", "\"generation\": 18446744073709551615");
    let error = Record::parse(json.as_bytes())
        .unwrap()
        .replay()
        .unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("at generation 0 blue is to place a counter"),
        "{error}"
    );
}

#[test]
fn other_files_are_refused_for_what_they_are() {
    let cases = [
        (
            "\"version\": 1",
            "\"version\": 2, \"new\": []",
            "version 2, this program reads version 1",
        ),
        (
            "\"version\": 1",
            "\"version\": 0",
            "version 0, the first one is 1",
        ),
        (
            "\"immigration\"",
            "\"fragment\"",
            "the game \"fragment\", not of \"immigration\"",
        ),
        ("\"version\": 1,", "", "missing field `version`"),
        (
            "\"width\": 30",
            "\"width\": 30, \"depth\": 1",
            "unknown field `depth`",
        ),
        ("\"width\": 30", "\"width\": 0", "at least 1 column"),
        (
            "\"width\": 30",
            "\"width\": 1001",
            "sides have at most 1000 cells",
        ),
        ("\"width\": 30", "\"width\": 1000000000000", "too large"),
        (
            "\"width\": 30",
            "\"width\": -30",
            "invalid value: integer `-30`",
        ),
        ("\"width\"", "\"height\"", "duplicate field `height`"),
        ("\n}", "\n}}", "trailing characters at line"),
        ("\n}", "", "EOF"),
    ];
    for (from, to, expected) in cases {
        let message = error_after(from, to);
        assert!(message.contains(expected), "{message}");
    }
    for text in ["", "[]", "1", "x = 3, y = 3\nbob$2bo$3o!\n", "\u{0}"] {
        let error = Record::parse(text.as_bytes()).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("this is no record of a game: "),
            "{error}"
        );
    }
}

#[test]
fn there_are_at_most_so_many_moves() {
    let json = Record::of(&won_game()).to_json();
    let one = r#"{"player":"red","x":0,"y":0}"#;
    let with = |count: usize| {
        let head = json.split_once('[').unwrap().0;
        format!("{head}[{}],\"generation\":0}}", vec![one; count].join(","))
    };
    assert!(Record::parse(with(MAX_MOVES).as_bytes()).is_ok());
    assert!((with(MAX_MOVES).len() as u64) < MAX_BYTES);
    let error = Record::parse(with(MAX_MOVES + 1).as_bytes()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("move 20001: a game has at most 20000 counters"),
        "{error}"
    );
}

/// Bytes changed, lost and doubled at random: refused or played, but never more than that.
#[test]
fn damaged_bytes_never_do_harm() {
    let json = Record::of(&won_game()).to_json().into_bytes();
    let mut refused = 0;
    for seed in 0..3000u32 {
        let mut damaged = json.clone();
        for round in 0..1 + seed % 3 {
            let [at, what, byte, _] = crate::board::hash::pcg4d([seed, round, 0, 0]);
            let at = at as usize % damaged.len();
            match what % 4 {
                0 => damaged[at] = byte as u8,
                1 => damaged[at] = b"0123456789{}[],:\""[byte as usize % 17],
                2 => drop(damaged.remove(at)),
                _ => damaged.truncate(at + 1),
            }
        }
        let played = Record::parse(&damaged).and_then(|record| record.replay());
        if let Err(error) = played {
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
            refused += 1;
        }
    }
    assert!((2000..3000).contains(&refused), "{refused} of 3000 refused");
}
