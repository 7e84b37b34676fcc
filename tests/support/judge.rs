use duolife::board::{LifelikeBoard, LifelikeCell};
use duolife::engine::Engine;
use duolife::engine::reference::ReferenceEngine;
use duolife::rules::LifelikeRuleset;

/// Outcome and reason, the deciding generation, and the red and blue cells of its board.
pub(crate) type TextVerdict = (String, u64, usize, usize);

/// Judges a battle by the boards of the reference as text, without statistics and without the
/// referee.
pub(crate) fn judge(ruleset: LifelikeRuleset, start: &LifelikeBoard, limit: u64) -> TextVerdict {
    let text = |board: &LifelikeBoard| -> String {
        let rows = (0..board.size().height()).flat_map(|y| board.row(y));
        rows.map(LifelikeCell::grid_char).collect()
    };
    let mut engine = ReferenceEngine::new(ruleset);
    engine.load(start).unwrap();
    let mut boards = vec![text(start)];
    for generation in 1..=limit {
        engine.step(1).unwrap();
        let board = text(&engine.read().unwrap());
        let (red, blue) = (board.matches('1').count(), board.matches('2').count());
        let verdict = if red + blue == 0 {
            "draw by extinction"
        } else if blue == 0 {
            "red by elimination"
        } else if red == 0 {
            "blue by elimination"
        } else if boards.iter().rev().take(2).any(|earlier| *earlier == board) {
            "draw by coexistence"
        } else if generation < limit {
            boards.push(board);
            continue;
        } else if red > blue {
            "red by limit"
        } else if blue > red {
            "blue by limit"
        } else {
            "draw by limit"
        };
        return (verdict.into(), generation, red, blue);
    }
    unreachable!("the limit ends every battle")
}
