use std::fs;

use crate::support::program::{Place, command, refusal, stdout};

#[test]
fn a_golly_rule_is_written_or_refused_with_the_reason() {
    let place = Place::new();
    let output = command(&["rule-file", "highlife", "--ties", "blue"])
        .current_dir(place.folder())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let written = fs::read_to_string(place.path("Immigration-B36-S23-blue.rule")).unwrap();
    assert!(
        written.starts_with("@RULE Immigration-B36-S23-blue\n"),
        "{written}"
    );
    assert!(stdout(&["rule-file", "B3/S23", "--output", "-"]).starts_with("@RULE Immigration\n"));
    assert!(refusal(&["rule-file", "B36/S23"]).contains("--ties red"));
    assert!(
        refusal(&["rule-file", "B36/S23", "--ties", "checkerboard"]).contains("cannot be written")
    );
}
