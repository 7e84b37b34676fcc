use serde_json::Value;

use crate::support::no_gpu;
use crate::support::program::{command, duolife, json, stdout, text};

const RUN: [&str; 9] = [
    "run",
    "--size",
    "20x20",
    "--generations",
    "5",
    "--json",
    "--engine",
    "gpu",
    "--adapter",
];

#[test]
fn adapters_are_listed_and_chosen_by_number_name_or_backend() {
    if no_gpu() {
        eprintln!("skipped: DUOLIFE_NO_GPU=1");
        return;
    }
    let devices = json(&["devices", "--json"]);
    let name = devices[0]["name"].as_str().unwrap();
    let part = name.split_whitespace().next().unwrap().to_uppercase();
    let backend = devices[0]["backend"].as_str().unwrap();
    for wanted in ["1", &part, backend] {
        assert_eq!(json(&[&RUN[..], &[wanted]].concat())["adapter"], name);
    }
    assert!(stdout(&["devices"]).starts_with(&format!("1 {name}\n")));
    // Digits are a number, not a part of a name; an empty name is none.
    for wanted in ["no such card", "77", "0", "", "gl"] {
        let output = duolife(&[&RUN[..], &[wanted]].concat());
        assert_eq!(output.status.code(), Some(2), "{wanted:?}");
        assert!(text(&output.stderr).contains(name), "{output:?}");
    }
}

/// Two drivers with one name, as two equal cards have it: the same one, listed twice.
#[cfg(target_os = "linux")]
#[test]
fn adapters_of_one_name_are_told_apart_by_their_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = std::path::Path::new("/usr/share/vulkan/icd.d");
    let manifests = std::fs::read_dir(manifest).into_iter().flatten().flatten();
    let mut software = manifests
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("lvp_icd"))
        .filter_map(|entry| std::fs::read(entry.path()).ok())
        .filter_map(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    let Some(mut manifest) = software.next().filter(|_| !no_gpu()) else {
        eprintln!("skipped: DUOLIFE_NO_GPU=1, or no llvmpipe");
        return;
    };
    let library = manifest["ICD"]["library_path"].as_str().unwrap().to_owned();
    let copy = folder.path().join("libvulkan_copy.so");
    if std::fs::copy(&library, &copy).is_err() {
        eprintln!("skipped: {library} is not a file");
        return;
    }
    let mut files = Vec::new();
    for library in [library, copy.to_str().unwrap().to_owned()] {
        manifest["ICD"]["library_path"] = library.into();
        let file = folder.path().join(format!("{}.json", files.len()));
        std::fs::write(&file, manifest.to_string()).unwrap();
        files.push(file.to_str().unwrap().to_owned());
    }
    let here = |arguments: &[&str]| {
        let mut command = command(arguments);
        command.env("VK_DRIVER_FILES", files.join(":"));
        command.env("VK_ICD_FILENAMES", files.join(":"));
        command.output().unwrap()
    };
    let devices: Value = serde_json::from_slice(&here(&["devices", "--json"]).stdout).unwrap();
    let devices = devices.as_array().unwrap();
    assert_eq!(devices.len(), 2);
    assert_eq!(devices[0]["name"], devices[1]["name"]);
    for (wanted, status, said) in [
        ("1", 0, ""),
        ("2", 0, ""),
        ("3", 2, "1 llvmpipe"),
        ("llvm", 0, "adapter 1, the first of 2"),
        ("vulkan", 0, "adapter 1, the first of 2"),
    ] {
        let output = here(&[&RUN[..], &[wanted]].concat());
        assert_eq!(output.status.code(), Some(status), "{wanted}: {output:?}");
        assert!(text(&output.stderr).contains(said), "{wanted}: {output:?}");
        assert_eq!(
            text(&output.stderr).contains("the first of"),
            said.contains("the first of"),
            "{wanted}: {output:?}"
        );
    }
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

#[test]
fn what_an_adapter_has_proved_is_remembered() {
    if no_gpu() {
        eprintln!("skipped: DUOLIFE_NO_GPU=1");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("duolife/proofs.json");
    let run = |arguments: &[&str]| {
        let mut command = command(&["run", "--size", "64x64", "--seed", "1", "--engine", "gpu"]);
        command.args(arguments).env("XDG_DATA_HOME", folder.path());
        command.env("DUOLIFE_LOG", "duolife=debug");
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        text(&output.stderr).matches(" proved ").count()
    };
    let proofs = || std::fs::read_to_string(&file).unwrap();
    assert!(run(&["--generations", "3"]) > 0);
    let first = proofs();
    assert!(first.contains("\"lifelike step\""), "{first}");
    assert_eq!(run(&["--generations", "3"]), 0);
    assert_eq!(proofs(), first);
    // Another family has other kernels.
    assert!(run(&["--generations", "3", "--rule", "rezolution"]) > 0);
    assert!(proofs().contains("\"rezolution step\""));
    // What was proved with another driver, or with other shaders, counts for nothing; nor does a damaged file.
    for damaged in [
        proofs().replace("\"driver\": \"", "\"driver\": \"older "),
        proofs().replace("\"shaders\": \"", "\"shaders\": \"0"),
        "{".to_owned(),
    ] {
        std::fs::write(&file, damaged).unwrap();
        assert!(run(&["--generations", "3"]) > 0);
        assert_eq!(run(&["--generations", "3"]), 0);
    }
    // A folder that cannot be written costs no run.
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert!(run(&["--generations", "3"]) > 0);
}
