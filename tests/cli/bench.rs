use serde_json::Value;

use crate::support::no_gpu;
use crate::support::program::{json, refusal, stdout};

#[test]
fn the_speed_of_every_engine_is_measured() {
    let short = [
        "bench",
        "--only",
        "small",
        "--only",
        "refereed",
        "--seconds",
        "0.01",
    ];
    let report = json(&[&short[..], &["--json", "--engine", "cpu"]].concat());
    let rows = report["rows"].as_array().unwrap();
    let named = |row: &Value| format!("{} {} {}", row["workload"], row["engine"], row["width"]);
    let expected = [
        r#""small" "reference" 256"#,
        r#""small" "cpu" 256"#,
        r#""refereed" "reference" 512"#,
        r#""refereed" "cpu" 4096"#,
    ];
    assert_eq!(rows.iter().map(named).collect::<Vec<_>>(), expected);
    for row in rows {
        let generations = row["generations"].as_f64().unwrap();
        assert!(generations >= 1.0, "{row}");
        assert!(row["cells_per_second"].as_f64().unwrap() > 0.0, "{row}");
        assert_eq!(
            row["over_reference"] == 1.0,
            row["engine"] == "reference",
            "{row}"
        );
        let refereed = row["workload"] == "refereed";
        assert_eq!(row["cost_of_refereeing"].is_number(), refereed, "{row}");
        let is_bounded = row["engine"] == "cpu" && !refereed;
        for share in ["of_memory", "of_arithmetic"] {
            let share = row[share].as_f64();
            assert_eq!(share.is_some_and(|share| share > 0.0), is_bounded, "{row}");
        }
    }
    let [bounds] = &report["bounds"].as_array().unwrap()[..] else {
        panic!("{report}");
    };
    assert_eq!(bounds["engine"], "cpu");
    for bound in ["bytes_per_second", "functions_per_second"] {
        assert!(bounds[bound].as_f64().unwrap() > 1e6, "{bounds}");
    }
    let gpu = if no_gpu() { "cpu" } else { "gpu" };
    let table = stdout(&[
        "bench",
        "--only",
        "small",
        "--seconds",
        "0.01",
        "--engine",
        gpu,
    ]);
    assert!(
        table
            .lines()
            .any(|line| line.starts_with("small") && line.contains(gpu)),
        "{table}"
    );
    assert!(refusal(&["bench", "--seconds", "0"]).contains("--seconds"));
    assert!(refusal(&["bench", "--engine", "cpu", "--adapter", "x"]).contains("--adapter"));
}
