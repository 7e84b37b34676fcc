//! A start without a display.

/// The program where there is nothing to show a window on.
pub(super) fn without_display(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("duolife"));
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(variable);
    }
    let output = command.args(arguments).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.stdout.is_empty());
    (output.status.code(), message)
}

#[test]
#[cfg(all(unix, not(target_os = "macos")))]
fn without_a_display_one_line_names_the_commands_that_need_none() {
    for arguments in [
        &[][..],
        &["play"],
        &["play", "battle"],
        &["play", "fragment"],
        &["play", "duel"],
        &["play", "immigration", "--size", "30x20"],
        &["play", "rezolution"],
        &["play", "rezolution", "--seed", "3", "--edges", "torus"],
    ] {
        let (status, message) = without_display(arguments);
        assert_eq!(
            (status, message.lines().count()),
            (Some(2), 1),
            "{arguments:?}: {message}"
        );
        for named in [
            "no display",
            "duolife run (with --rule rezolution, too)",
            "duolife duel",
            "duolife immigration",
        ] {
            assert!(message.contains(named), "{message}");
        }
    }
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("duolife"));
    command
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET");
    let output = command.env("DISPLAY", "nowhere:0").output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), message.lines().count()),
        (Some(2), 1)
    );
    let reason = "no display for a window: Failed to open connection to X server;";
    assert!(message.contains(reason), "{message}");
    // An error in a file is reported before the display is checked.
    let (status, message) = without_display(&["play", "battle", "no-such-file.rle"]);
    assert_eq!((status, message.lines().count()), (Some(2), 1));
    assert!(message.contains("no-such-file.rle"), "{message}");
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.json");
    std::fs::write(&record, "{\"size\": 3}").unwrap();
    let record = record.to_str().unwrap();
    let message = [&[record][..], &["play", "immigration", record]].map(|arguments| {
        let (status, message) = without_display(arguments);
        assert_eq!((status, message.lines().count()), (Some(2), 1), "{message}");
        assert!(message.contains("game.json"), "{message}");
        message
    });
    assert_eq!(message[0], message[1], "it is read as the record of a game");
    let (status, message) = without_display(&["no-such-command"]);
    assert_eq!(status, Some(2));
    assert!(message.contains("no such command"), "{message}");
}
