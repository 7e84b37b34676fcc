//! The ranking of the seeds.

use super::*;

#[test]
fn a_known_strong_seed_ranks_first() {
    let place = Place::new();
    let seeds = seeds(&place);
    let report = stdout(&[
        "tournament",
        &seeds,
        "--trials",
        "60",
        "--engine",
        "cpu",
        "--json",
    ]);
    let report: Value = serde_json::from_str(&report).unwrap();
    let standings = report["standings"].as_array().unwrap();
    assert_eq!(standings.len(), 5);
    assert_eq!(report["games"], 600);
    let first = &standings[0];
    assert!(
        first["name"].as_str().unwrap().ends_with("acorn.rle"),
        "{report}"
    );
    assert!(
        first["low"].as_f64().unwrap() > standings[1]["high"].as_f64().unwrap(),
        "{report}"
    );
    let total = |column: &str| -> u64 {
        standings
            .iter()
            .map(|standing| standing[column].as_u64().unwrap())
            .sum()
    };
    assert_eq!(total("wins"), total("losses"));
    assert_eq!(total("games"), 1200);
}

#[cfg(feature = "plot")]
#[test]
fn the_ranking_is_drawn() {
    let place = Place::new();
    let seeds = seeds(&place);
    let plot = place.name("ranking.svg");
    let text = stdout(&[
        "tournament",
        &seeds,
        "--trials",
        "60",
        "--engine",
        "cpu",
        "--plot",
        &plot,
    ]);
    assert!(text.contains("rank  seed"), "{text}");
    let plot = fs::read_to_string(plot).unwrap();
    assert!(
        plot.starts_with("<svg") && plot.contains("acorn.rle"),
        "{plot}"
    );
    // A dot each, on the scale from 0 to 100.
    assert_eq!(plot.matches("<circle").count(), 5);
}

#[test]
fn a_seed_against_itself_shows_no_advantage_of_a_colour() {
    let place = Place::new();
    let acorn = place.file("acorn.rle", "x = 7, y = 3\nbo$3bo$2o2b3o!");
    let arguments = |placement| {
        [
            "tournament",
            acorn.as_str(),
            "--challengers",
            acorn.as_str(),
            "--trials",
            "3000",
            "--engine",
            "cpu",
            "--json",
            "--placement",
            placement,
        ]
    };
    let report: Value = serde_json::from_str(&stdout(&arguments("random"))).unwrap();
    let decided = report["red_wins"].as_u64().unwrap() + report["blue_wins"].as_u64().unwrap();
    assert!(decided > 2000, "{report}");
    assert!(report["side_p"].as_f64().unwrap() > 0.001, "{report}");
    // The test itself can fail: blue is given away.
    let list = place.file(
        "unfair.tsv",
        "red\tblue\trepeats\nbo$3bo$2o2b3o!\t2o$2o!\t200\n",
    );
    let report: Value = serde_json::from_str(&stdout(&[
        "tournament",
        "--list",
        &list,
        "--engine",
        "cpu",
        "--json",
    ]))
    .unwrap();
    assert!(report["side_p"].as_f64().unwrap() < 1e-9, "{report}");
}
