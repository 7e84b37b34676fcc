//! What a command writes: standard output, and files that must not destroy each other.

use std::io::{self, LineWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Error, Result, bail};

use super::{is_broken_pipe, print_note};
use crate::format::film::is_frame_name;
use crate::format::{FileIdentity, StandardOutput, is_standard_output};

/// Standard output by lines. Its errors name it.
pub(super) struct StandardLines(LineWriter<StandardOutput>);

/// Standard output, for reports and games.
pub(super) fn standard_output() -> StandardLines {
    StandardLines(LineWriter::new(StandardOutput::new()))
}

impl Write for StandardLines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(name_standard_output)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(name_standard_output)
    }
}

/// The same error with the name of the file.
pub(super) fn name_standard_output(error: io::Error) -> io::Error {
    match error.kind() {
        // Is repeated and never seen.
        io::ErrorKind::Interrupted => error,
        kind => io::Error::new(kind, format!("standard output: cannot be written: {error}")),
    }
}

/// A file and the option that names it.
pub(super) type NamedFile<'a> = (&'static str, &'a Path);

/// The files that are given, of some options.
pub(super) fn given<'a, const N: usize>(
    files: [(&'static str, &'a Option<PathBuf>); N],
) -> Vec<NamedFile<'a>> {
    let files = files.into_iter();
    files
        .filter_map(|(option, path)| Some((option, path.as_deref()?)))
        .collect()
}

/// Refuses outputs of which one would overwrite another.
pub(super) fn check_outputs(outputs: &[NamedFile<'_>]) -> Result<()> {
    for (index, &(option, path)) in outputs.iter().enumerate() {
        let Some(identity) = FileIdentity::of(path) else {
            continue;
        };
        for &(other, other_path) in &outputs[index + 1..] {
            let shared = FileIdentity::of(other_path).is_some_and(|found| found == identity);
            if shared && identity == FileIdentity::Standard {
                bail!("{option} and {other} cannot share standard output; give all but one a file");
            }
            if shared {
                bail!(
                    "{}: {option} and {other} would write to the same file; name two",
                    path.display()
                );
            }
            for (frames, folder, option, path) in [
                (option, path, other, other_path),
                (other, other_path, option, path),
            ] {
                if frames == "--frames" && is_frame_of(path, folder) {
                    bail!(
                        "{}: {option} would write over a frame of --frames; name another file",
                        path.display()
                    );
                }
            }
        }
    }
    Ok(())
}

/// Whether a path is that of a frame in a folder of frames.
fn is_frame_of(path: &Path, folder: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let parent = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let place = FileIdentity::of(parent);
    name.is_some_and(is_frame_name) && place.is_some() && place == FileIdentity::of(folder)
}

/// Refuses outputs that would overwrite an input.
pub(super) fn check_inputs(outputs: &[NamedFile<'_>], inputs: &[NamedFile<'_>]) -> Result<()> {
    for &(option, path) in outputs {
        let Some(identity) = FileIdentity::of(path).filter(|_| !is_standard_output(path)) else {
            continue;
        };
        let is_read = |input: &Path| {
            !is_standard_output(input) && FileIdentity::of(input).as_ref() == Some(&identity)
        };
        if let Some((input, _)) = inputs.iter().find(|(_, input)| is_read(input)) {
            bail!(
                "{}: {option} would overwrite a file that is read ({input}); name another file",
                path.display()
            );
        }
    }
    Ok(())
}

/// Reports what has failed, all but the last as notes. A closed pipe counts only if nothing else has
/// failed.
pub(super) fn report_failures(failures: Vec<Error>) -> Result<()> {
    let (closed, mut failures): (Vec<Error>, Vec<Error>) =
        failures.into_iter().partition(is_broken_pipe);
    let last = failures.pop().or(closed.into_iter().next());
    for failure in failures {
        print_note(&format!("{failure:#}"));
    }
    last.map_or(Ok(()), Err)
}
