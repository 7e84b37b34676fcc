use serde_json::Value;

use crate::support::no_gpu;
use crate::support::program::{command, duolife, json, stdout, text};

#[test]
fn adapters_are_listed_and_chosen_by_name() {
    if no_gpu() {
        eprintln!("skipped: DUOLIFE_NO_GPU=1");
        return;
    }
    let devices = json(&["devices", "--json"]);
    let name = devices[0]["name"].as_str().unwrap();
    assert!(stdout(&["devices"]).contains(name));
    let run = [
        "run",
        "--size",
        "20x20",
        "--generations",
        "5",
        "--json",
        "--quiet",
        "--engine",
        "gpu",
        "--adapter",
    ];
    let part = name.split_whitespace().next().unwrap().to_uppercase();
    assert_eq!(json(&[&run[..], &[&part]].concat())["adapter"], name);
    let output = duolife(&[&run[..], &["no such card"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains(name), "{output:?}");
}

#[test]
fn without_a_driver_the_cpu_computes_and_a_gpu_is_refused_with_advice() {
    let without = |arguments: &[&str]| {
        let mut command = command(arguments);
        for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
            command.env(variable, "/nonexistent");
        }
        command.env("WGPU_BACKEND", "vulkan");
        command.output().unwrap()
    };
    let run = ["run", "--size", "20x20", "--generations", "5", "--engine"];
    let output = without(&[&run[..], &["auto"]].concat());
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("engine cpu"), "{output:?}");
    let output = without(&[&run[..], &["gpu"]].concat());
    assert_eq!(output.status.code(), Some(3));
    let said = text(&output.stderr).lines().last().unwrap();
    assert!(
        said.contains("mesa-vulkan-drivers") && said.contains("--engine cpu"),
        "{said}"
    );
    assert!(text(&without(&["devices"]).stdout).contains("no GPU adapter found"));
}

/// Slow, so all about it is in one test.
#[test]
fn the_kernels_of_an_adapter_are_measured_remembered_and_used() {
    if no_gpu() {
        eprintln!("skipped: DUOLIFE_NO_GPU=1");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("duolife/tuning.json");
    let here = |arguments: &[&str]| {
        let mut command = command(arguments);
        command.env("XDG_DATA_HOME", folder.path());
        command.output().unwrap()
    };
    let output = here(&["devices", "--tune", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let measured: Value = serde_json::from_slice(&output.stdout).unwrap();
    let remembered: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let kernels = remembered["adapters"][0]["kernels"].as_array().unwrap();
    for rule_class in ["life", "odd", "ties"] {
        let of = |all: &[Value]| -> Vec<Value> {
            let of = all.iter().filter(|one| one["rule_class"] == rule_class);
            of.cloned().collect()
        };
        let measured = of(measured.as_array().unwrap());
        let [kernel] = &of(kernels)[..] else {
            panic!("{remembered}");
        };
        assert!(measured.len() >= 4, "{measured:?}");
        assert_eq!(kernel["generations"], measured[0]["generations_per_pass"]);
        assert_eq!(kernel["subgroups"], measured[0]["subgroups"]);
        for pair in measured.windows(2) {
            let speed = |one: &Value| one["cells_per_second"].as_f64().unwrap();
            assert!(speed(&pair[0]) >= speed(&pair[1]) && speed(&pair[1]) > 0.0);
        }
    }
    // Commands use it: passes of what it says.
    let slow = std::fs::read_to_string(&file).unwrap();
    let slow = slow.split("\"generations\": ").map(|part| {
        let digits = part.trim_start_matches(|c: char| c.is_ascii_digit());
        if digits.len() < part.len() {
            format!("2{digits}")
        } else {
            part.to_owned()
        }
    });
    let slow: Vec<String> = slow.collect();
    std::fs::write(&file, slow.join("\"generations\": ")).unwrap();
    let bench = [
        "bench",
        "--only",
        "dense",
        "--seconds",
        "0.01",
        "--engine",
        "gpu",
        "--json",
    ];
    let output = here(&bench);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["rows"][1]["pass"], 2, "{report}");
    // A damaged file is reported, and the run goes on without it.
    std::fs::write(&file, "{").unwrap();
    let run = [
        "run",
        "--size",
        "64x64",
        "--seed",
        "1",
        "--generations",
        "9",
        "--engine",
        "gpu",
    ];
    let output = here(&run);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = text(&output.stderr);
    assert!(
        said.contains("tuning.json") && said.contains("--tune"),
        "{said}"
    );
}
