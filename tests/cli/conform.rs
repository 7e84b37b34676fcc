use crate::support::no_gpu;
use crate::support::program::{duolife, stdout, text};

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
    let kernels = ["step with stats", "pass, folded", "active blocks", "arena"];
    let kernels = kernels.iter().filter(|_| !no_gpu());
    for expected in ["lifelike    cpu ", "rezolution  cpu "]
        .iter()
        .chain(kernels)
    {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    assert!(!printed.contains("DIFFERENT"), "{printed}");

    // Only the suites that have the board of the fault.
    let planted = [
        "conform",
        "--engine",
        engine,
        "--boards",
        "16",
        "--long-boards",
        "0",
        "--sparse-boards",
        "0",
        "--rules",
        "0",
        "--populations",
        "16",
        "--long-populations",
        "0",
        "--sums",
        "0",
        "--plant-fault",
        "15,17,4,6",
    ];
    let output = duolife(&planted);
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stdout);
    // Every kernel that takes the board is caught.
    assert!(!printed.contains("equal"), "{printed}");
    for expected in [
        "DIFFERENT",
        "board 15",
        "family lifelike",
        "generation 17 differs",
        "x = ",
        "y = ",
        "3x3 before",
        "reference: ",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
}

#[test]
fn one_family_is_compared_and_its_planted_fault_found() {
    let quick = [
        "conform",
        "--family",
        "rezolution",
        "--populations",
        "12",
        "--long-populations",
        "0",
        "--sums",
        "0",
        "--engine",
        "cpu",
    ];
    let said = stdout(&quick);
    assert!(said.contains("rezolution"), "{said}");
    assert!(!said.contains("lifelike"), "{said}");
    let planted = duolife(&[&quick[..], &["--quiet", "--plant-fault", "3,17,5,9"]].concat());
    assert_eq!(planted.status.code(), Some(1));
    let said = text(&planted.stdout);
    for part in [
        "populations, board 3, engine cpu: family rezolution, rule rezolution, ",
        "generation 17 differs",
        "(from 0); 3x3 before:",
        "reference: ",
    ] {
        assert!(said.contains(part), "{said}");
    }
}
