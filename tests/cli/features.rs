//! What a build leaves out says so in one line.

#[cfg(not(feature = "window"))]
#[test]
fn a_build_without_the_window_says_how_to_get_one() {
    use crate::support::program::refusal;

    for arguments in [&[][..], &["play"], &["play", "rezolution"]] {
        let said = refusal(arguments);
        assert!(said.contains("cargo install"), "{said}");
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_how_to_get_it() {
    use crate::support::program::{Place, refusal};

    let place = Place::new();
    let (lines, columns) = (place.name("r.csv"), place.name("r.parquet"));
    let said = refusal(&[
        "tournament",
        "--random-seeds",
        "2",
        "--output",
        &lines,
        "--parquet",
        &columns,
    ]);
    assert!(said.contains("--features parquet"), "{said}");
}

#[cfg(not(feature = "plot"))]
#[test]
fn a_build_without_plots_says_how_to_get_them() {
    use crate::support::program::{Place, refusal};

    let place = Place::new();
    let plot = place.name("r.svg");
    let said = refusal(&["tournament", "--random-seeds", "2", "--plot", &plot]);
    assert!(said.contains("--features plot"), "{said}");
}
