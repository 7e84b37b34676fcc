//! The program: arguments to a command, its failure to one line, its end to an exit status.

use std::io::IsTerminal;
use std::process::ExitCode;

use duolife::cli;
use tracing_subscriber::EnvFilter;

fn main() -> ExitCode {
    // Silent unless asked: DUOLIFE_LOG=duolife=debug shows every submission to a device.
    tracing_subscriber::fmt()
        .with_env_filter(
            EnvFilter::try_from_env("DUOLIFE_LOG").unwrap_or_else(|_| EnvFilter::new("off")),
        )
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr)
        .init();
    let (status, message) = cli::run();
    if let Some(message) = message {
        cli::remark(&message);
    }
    ExitCode::from(status as u8)
}
