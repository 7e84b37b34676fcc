use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Child;
use std::process::{Command, Output, Stdio};
#[cfg(unix)]
use std::thread;
#[cfg(unix)]
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use super::no_gpu;

/// A folder of its own for a test.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, content: &str) -> String {
        fs::write(self.path(name), content).unwrap();
        self.name(name)
    }

    pub(crate) fn name(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }
}

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("duolife"));
    command.args(arguments);
    // Nothing here needs a display.
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command
}

pub(crate) fn duolife(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// The output of a command that reads `input`.
pub(crate) fn piped(command: &mut Command, input: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    child.wait_with_output().unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Standard output of a run that must succeed.
pub(crate) fn stdout(arguments: &[&str]) -> String {
    let output = duolife(arguments);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    text(&output.stdout).to_owned()
}

pub(crate) fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments)).unwrap()
}

/// The one line of a run that must be refused: status 2, nothing on standard output.
pub(crate) fn refusal(arguments: &[&str]) -> String {
    let output = duolife(arguments);
    let said = text(&output.stderr).to_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    assert_eq!(said.lines().count(), 1, "one line: {said}");
    assert!(said.starts_with("duolife: "), "{said}");
    said
}

/// All engines of this machine.
pub(crate) fn engines() -> &'static [&'static str] {
    if no_gpu() {
        &["reference", "cpu"]
    } else {
        &["reference", "cpu", "gpu"]
    }
}

/// Starts a run that would take for ever, and sends it Ctrl-C once it is under way.
#[cfg(unix)]
pub(crate) fn interrupted(arguments: &[&str]) -> Output {
    let output = signalled(arguments, "-INT");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    output
}

/// Starts a run that would take for ever, and sends it a signal once it is under way.
#[cfg(unix)]
pub(crate) fn signalled(arguments: &[&str], signal: &str) -> Output {
    let mut child = command(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The line about the engine comes when the run listens.
    let mut first = [0];
    let mut stderr = child.stderr.take().unwrap();
    stderr.read_exact(&mut first).unwrap();
    thread::sleep(Duration::from_millis(700));
    let kill = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let mut output = child.wait_with_output().unwrap();
    stderr.read_to_end(&mut output.stderr).unwrap();
    output
}

/// The output of a process that must end within so many seconds.
#[cfg(unix)]
pub(crate) fn ended(seconds: u64, mut child: Child) -> Output {
    let since = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if since.elapsed() > Duration::from_secs(seconds) {
            child.kill().unwrap();
            panic!("the program hangs");
        }
        thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap()
}
