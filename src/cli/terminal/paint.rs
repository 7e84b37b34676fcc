//! Colours of a board in the terminal. Without them the characters tell everything apart.

use std::io::IsTerminal;

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;

/// When output is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorArg {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What a character stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Blue,
    Red,
    Green,
    Yellow,
    Faint,
}

/// Colours, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Paint {
    on: bool,
}

impl Paint {
    #[cfg(test)]
    pub(super) const OFF: Self = Self { on: false };
    #[cfg(test)]
    pub(super) const ON: Self = Self { on: true };

    /// The colours for standard output.
    pub(super) fn select(requested: ColorArg) -> Self {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let on = match requested {
            ColorArg::Always => true,
            ColorArg::Never => false,
            ColorArg::Auto => {
                std::io::stdout().is_terminal()
                    && set("NO_COLOR").is_none()
                    && set("TERM").is_none_or(|term| term != "dumb")
            }
        };
        Self { on }
    }

    /// Appends a character in a colour.
    pub(super) fn put(self, line: &mut String, ink: Ink, character: char) {
        if !self.on {
            line.push(character);
            return;
        }
        let style = match ink {
            Ink::Blue => AnsiColor::BrightBlue.on_default().bold(),
            Ink::Red => AnsiColor::BrightRed.on_default().bold(),
            Ink::Green => AnsiColor::BrightGreen.on_default().bold(),
            Ink::Yellow => AnsiColor::BrightYellow.on_default(),
            Ink::Faint => Style::new().dimmed(),
        };
        *line += &format!("{style}{character}{style:#}");
    }
}
