//! The program: parses its arguments, runs a command or opens the window, prints why it failed in
//! one line, and exits with a status.

use std::io::IsTerminal;
use std::process::ExitCode;

use duolife::cli::{self, Exit};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

fn main() -> ExitCode {
    // Silent by default; DUOLIFE_LOG=duolife=debug shows every submission to a device.
    let filter = std::env::var("DUOLIFE_LOG")
        .ok()
        .and_then(|targets| targets.parse::<Targets>().ok())
        .unwrap_or_default();
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    tracing_subscriber::registry()
        .with(lines)
        .with(filter)
        .init();
    let (status, message) = match cli::run() {
        Exit::Status(status, message) => (status, message),
        Exit::Window(request) => window::open(*request),
    };
    if let Some(message) = message {
        cli::print_note(&message);
    }
    ExitCode::from(status as u8)
}

/// The window, which knows nothing of the command line.
#[cfg(feature = "window")]
mod window {
    use duolife::app::native::{self, WindowConfig, WindowError};
    use duolife::cli::window::WindowRequest;
    use duolife::cli::{self, Status};

    /// Opens the window that the command line requests.
    pub(super) fn open(request: WindowRequest) -> (Status, Option<String>) {
        let opened = native::run(WindowConfig {
            opening: request.opening,
            engine: request.engine,
            available_memory: cli::available_memory,
        });
        match opened {
            Ok(()) => (Status::Done, None),
            Err(error) => {
                let status = match error {
                    WindowError::NoDisplay(_) | WindowError::Start(_) => Status::BadInput,
                    WindowError::Device(_) | WindowError::Window(_) => Status::DeviceFailed,
                };
                (status, Some(error.to_string()))
            }
        }
    }
}

/// A build for servers has no window.
#[cfg(not(feature = "window"))]
mod window {
    use duolife::cli::Status;
    use duolife::cli::window::WindowRequest;

    /// Says what to do instead.
    pub(super) fn open(_request: WindowRequest) -> (Status, Option<String>) {
        let message = "this build has no window; cargo install --path . makes one that has. Without it there are duolife run, duel, immigration and tournament, and duolife play battle (or fragment) --terminal";
        (Status::BadInput, Some(message.to_owned()))
    }
}
