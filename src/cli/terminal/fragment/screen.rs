//! The whole terminal: keys one by one, lines drawn in place, and everything as it was afterwards.

use std::io::{self, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, Event};
use crossterm::style::Print;
use crossterm::terminal::{
    self, Clear, ClearType, DisableLineWrap, EnableLineWrap, EnterAlternateScreen,
    LeaveAlternateScreen,
};
use crossterm::{execute, queue};

/// How soon a signal is noticed while a key is waited for.
const PATIENCE: Duration = Duration::from_millis(50);

/// Whether the terminal is ours and has to be given back.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal, taken over until this is dropped or the program panics.
pub(super) struct Screen(());

impl Screen {
    /// Takes the terminal over.
    pub(super) fn take() -> io::Result<Self> {
        give_back_on_panic();
        terminal::enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        // From here on dropping it gives everything back.
        let screen = Self(());
        execute!(io::stdout(), EnterAlternateScreen, DisableLineWrap, Hide)?;
        Ok(screen)
    }

    /// Columns and rows.
    pub(super) fn size(&self) -> io::Result<(u16, u16)> {
        terminal::size()
    }

    /// Replaces what is shown. Lines that find no room are left out.
    pub(super) fn show(&self, lines: &[String]) -> io::Result<()> {
        let (_, rows) = self.size()?;
        let mut out = io::stdout().lock();
        for (row, line) in (0..rows).zip(lines) {
            queue!(
                out,
                MoveTo(0, row),
                Print(line),
                Clear(ClearType::UntilNewLine)
            )?;
        }
        let after = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        if after < rows {
            queue!(out, MoveTo(0, after), Clear(ClearType::FromCursorDown))?;
        }
        out.flush()
    }

    /// The next event, or `None` if there is none for a moment.
    pub(super) fn event(&self) -> io::Result<Option<Event>> {
        match event::poll(PATIENCE)? {
            true => event::read().map(Some),
            false => Ok(None),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Restores the terminal if it is ours. A terminal that is gone needs no restoring.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let _ = execute!(io::stdout(), Show, EnableLineWrap, LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

/// A panic's message would be lost on the other screen, and the shell with it.
fn give_back_on_panic() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let next = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back();
            next(panic);
        }));
    });
}
