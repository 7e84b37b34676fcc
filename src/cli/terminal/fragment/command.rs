//! What the keys and the words of a script mean in the fragment puzzle.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::game::fragment::Direction;

/// The commands of a script.
const EXPECTED: &str =
    "expected left, right, up or down (and how often), rotate, merge, board or quit";

/// A command of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Move the piece this many times.
    Shift(Direction, u32),
    Turn,
    Merge,
    /// Show the board.
    Board,
    Quit,
}

impl Command {
    /// What a key means, if anything.
    pub(super) fn of_key(key: KeyEvent) -> Option<Self> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            // In raw mode Ctrl-C and Ctrl-D are keys like any other.
            return matches!(key.code, KeyCode::Char('c' | 'd')).then_some(Self::Quit);
        }
        Some(match key.code {
            KeyCode::Left => Self::Shift(Direction::Left, 1),
            KeyCode::Right => Self::Shift(Direction::Right, 1),
            KeyCode::Up => Self::Shift(Direction::Up, 1),
            KeyCode::Down => Self::Shift(Direction::Down, 1),
            KeyCode::Char('r' | 'R') => Self::Turn,
            KeyCode::Enter => Self::Merge,
            KeyCode::Char('q' | 'Q') => Self::Quit,
            _ => return None,
        })
    }

    /// The commands of a line.
    ///
    /// # Errors
    /// The word that is none, and what was expected.
    pub(super) fn of_words(words: &[String]) -> Result<Vec<Self>, String> {
        let mut commands = Vec::new();
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            let mut shift = |direction| {
                let count = words.next_if(|next| !next.starts_with(char::is_alphabetic));
                match count.map(|count| count.parse()) {
                    None => Ok(Self::Shift(direction, 1)),
                    Some(Ok(count @ 1..)) => Ok(Self::Shift(direction, count)),
                    Some(_) => Err(format!(
                        "{word} takes a whole number from 1, not {:?}",
                        count.map_or("", |count| count)
                    )),
                }
            };
            commands.push(match word.as_str() {
                "left" => shift(Direction::Left)?,
                "right" => shift(Direction::Right)?,
                "up" => shift(Direction::Up)?,
                "down" => shift(Direction::Down)?,
                "rotate" => Self::Turn,
                "merge" => Self::Merge,
                "board" => Self::Board,
                "quit" => Self::Quit,
                _ => return Err(format!("{word:?} is no command; {EXPECTED}")),
            });
        }
        Ok(commands)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_line(line: &str) -> Result<Vec<Command>, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Command::of_words(&words)
    }

    #[test]
    fn keys_are_commands() {
        let of = |code, modifiers| Command::of_key(KeyEvent::new(code, modifiers));
        let none = KeyModifiers::NONE;
        for (code, command) in [
            (KeyCode::Left, Command::Shift(Direction::Left, 1)),
            (KeyCode::Right, Command::Shift(Direction::Right, 1)),
            (KeyCode::Up, Command::Shift(Direction::Up, 1)),
            (KeyCode::Down, Command::Shift(Direction::Down, 1)),
            (KeyCode::Char('r'), Command::Turn),
            (KeyCode::Char('R'), Command::Turn),
            (KeyCode::Enter, Command::Merge),
            (KeyCode::Char('q'), Command::Quit),
        ] {
            assert_eq!(of(code, none), Some(command), "{code:?}");
        }
        assert_eq!(of(KeyCode::Char('c'), none), None);
        assert_eq!(
            of(KeyCode::Char('c'), KeyModifiers::CONTROL),
            Some(Command::Quit)
        );
        assert_eq!(of(KeyCode::Char('r'), KeyModifiers::CONTROL), None);
        let mut released = KeyEvent::new(KeyCode::Enter, none);
        released.kind = KeyEventKind::Release;
        assert_eq!(Command::of_key(released), None);
    }

    #[test]
    fn lines_are_commands() {
        use Direction::{Down, Left, Right};
        assert_eq!(of_line(""), Ok(vec![]));
        assert_eq!(
            of_line("left right 3 down rotate merge"),
            Ok(vec![
                Command::Shift(Left, 1),
                Command::Shift(Right, 3),
                Command::Shift(Down, 1),
                Command::Turn,
                Command::Merge
            ])
        );
        for (line, part) in [
            ("left lefty", "\"lefty\" is no command; expected left"),
            ("right 0", "from 1, not \"0\""),
            ("right -2", "right takes a whole number from 1, not \"-2\""),
            ("up 99999999999", "from 1, not \"99999999999\""),
            ("merge 2", "\"2\" is no command"),
        ] {
            let said = of_line(line).unwrap_err();
            assert!(said.contains(part), "{line}: {said}");
        }
    }
}
