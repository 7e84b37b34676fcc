use crate::support::no_gpu;
use crate::support::program::{duolife, engines, stdout, text};

#[test]
fn conform_passes_and_a_planted_fault_fails_it() {
    let engine = if no_gpu() { "cpu" } else { "auto" };
    let common = [
        "conform",
        "--engine",
        engine,
        "--boards",
        "40",
        "--long-boards",
        "2",
        "--sparse-boards",
        "3",
        "--rules",
        "3",
        "--populations",
        "60",
        "--long-populations",
        "2",
    ];
    let printed = stdout(&common);
    let lines = 1 + 3 * (engines().len() - 1);
    assert!(printed.lines().count() >= lines, "{printed}");
    assert!(!printed.contains("DIFFERENT"), "{printed}");

    let output = duolife(&[&common[..], &["--plant-fault", "12,30,4,6"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stdout);
    for expected in [
        "DIFFERENT",
        "board 12",
        "family lifelike",
        "generation 30 differs",
        "x = ",
        "y = ",
        "3x3 before",
        "reference: ",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
}
