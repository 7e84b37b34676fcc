//! Lists the shader files, so that a new one is known to the program without being named anywhere.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=shaders");
    let shaders =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("shaders");
    let mut files = Vec::new();
    collect(&shaders, "", &mut files)?;
    files.sort();
    let mut list = String::from("&[\n");
    for (stem, path) in files {
        // Writing to a string does not fail.
        let _ = writeln!(list, "    ({stem:?}, include_str!({path:?})),");
    }
    list += "]\n";
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("shaders.rs"), list)
}

/// Adds the stem, relative to `shaders/`, and the path of every `.wgsl` file of a folder and those in it.
fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let stem = format!("{prefix}{stem}");
        if path.is_dir() {
            collect(&path, &format!("{stem}/"), files)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "wgsl")
        {
            files.push((stem, path));
        }
    }
    Ok(())
}
