//! The fastest kernels of the adapters of this machine, remembered in the user's data folder.
//!
//! ```json
//! {"version": 1, "adapters": [
//!   {"adapter": "Some Card", "driver": "some driver 1.2", "kernels": [
//!     {"rule_class": "life", "generations": 4, "subgroups": true}]}]}
//! ```
//!
//! It can be measured anew at any time, so a file that is not understood is written over.

use std::io;
use std::path::PathBuf;

use directories::ProjectDirs;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::engine::gpu::Kernels;
use crate::format::{ReadError, WriteError, atomic_write, make_folder_of, read_bytes};

/// The version that is written, and the only one that is read.
const VERSION: u64 = 1;

/// Bytes of the largest file that is read: thousands of adapters.
const MAX_BYTES: u64 = 1 << 20;

/// Why a tuning was not read or kept. The message is one line.
#[derive(Debug, Error)]
pub enum TuningError {
    /// The system has no data folder for this user.
    #[error("nothing is remembered: this user has no home folder; set XDG_DATA_HOME")]
    NoFolder,
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The file is not understood.
    #[error("{name}: {why}; duolife devices --tune measures anew")]
    Damaged {
        /// The file.
        name: String,
        /// What is wrong with it.
        why: String,
    },
}

/// The fastest kernel for some rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TunedKernel {
    /// The rules: the name of a `RuleClass`.
    // Its name in files of earlier versions.
    #[serde(alias = "circuits")]
    pub rule_class: String,
    /// The most generations per pass.
    pub generations: u32,
    /// Whether the threads of a subgroup share a tile.
    pub subgroups: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Adapter {
    adapter: String,
    driver: String,
    kernels: Vec<TunedKernel>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    version: u64,
    adapters: Vec<Adapter>,
}

/// Makes kernels the fastest that are remembered of their device.
///
/// # Errors
/// [`TuningError`] if the file cannot be read or is not understood; the kernels are not changed then.
pub fn recall(kernels: &Kernels) -> Result<(), TuningError> {
    let gpu = kernels.gpu();
    for kernel in Tunings::of_user()?.of(gpu.name(), &gpu.driver())? {
        kernels.tune_named(&kernel.rule_class, kernel.generations, kernel.subgroups);
    }
    Ok(())
}

/// The file of fastest kernels.
#[derive(Clone, Debug)]
pub struct Tunings {
    path: PathBuf,
}

impl Tunings {
    /// The file in the data folder of the user.
    ///
    /// # Errors
    /// [`TuningError::NoFolder`] if there is no such folder.
    pub fn of_user() -> Result<Self, TuningError> {
        let folders = ProjectDirs::from("", "", "duolife").ok_or(TuningError::NoFolder)?;
        Ok(Self::at(folders.data_dir().join("tuning.json")))
    }

    /// The file at a path; it need not be there yet.
    pub const fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// What is remembered of an adapter under a driver: nothing if it was not measured.
    ///
    /// # Errors
    /// [`TuningError`] if there is a file that cannot be read or is not understood.
    pub fn of(&self, adapter: &str, driver: &str) -> Result<Vec<TunedKernel>, TuningError> {
        let known = self.read()?.into_iter();
        let mut known = known.filter(|known| known.adapter == adapter && known.driver == driver);
        Ok(known.next().map_or(Vec::new(), |known| known.kernels))
    }

    /// Remembers kernels of an adapter under a driver, beside those of other classes of rules. Other drivers of
    /// the same adapter are forgotten.
    ///
    /// # Errors
    /// [`TuningError`] if the file cannot be written; it is then what it was before.
    pub fn keep(
        &self,
        adapter: &str,
        driver: &str,
        kernels: &[TunedKernel],
    ) -> Result<(), TuningError> {
        let mut all = match self.read() {
            Err(TuningError::Damaged { .. }) => Vec::new(),
            read => read?,
        };
        let mut kept: Vec<TunedKernel> = kernels.to_vec();
        for known in all.iter().filter(|known| known.adapter == adapter) {
            if known.driver == driver {
                let others = known.kernels.iter();
                let is_new =
                    |rule_class: &str| kernels.iter().any(|new| new.rule_class == rule_class);
                kept.extend(others.filter(|other| !is_new(&other.rule_class)).cloned());
            }
        }
        all.retain(|known| known.adapter != adapter);
        all.push(Adapter {
            adapter: adapter.into(),
            driver: driver.into(),
            kernels: kept,
        });
        make_folder_of(&self.path)?;
        let contents = Contents {
            version: VERSION,
            adapters: all,
        };
        Ok(atomic_write(&self.path, |out| {
            serde_json::to_writer_pretty(&mut *out, &contents)?;
            out.write_all(b"\n")
        })?)
    }

    fn read(&self) -> Result<Vec<Adapter>, TuningError> {
        let bytes = match read_bytes(&self.path, MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(ReadError::Io { cause, .. }) if cause.kind() == io::ErrorKind::NotFound => {
                return Ok(Vec::new());
            }
            Err(error) => return Err(error.into()),
        };
        let damaged = |why: String| TuningError::Damaged {
            name: self.path.display().to_string(),
            why,
        };
        match serde_json::from_slice::<Contents>(&bytes) {
            Ok(contents) if contents.version == VERSION => Ok(contents.adapters),
            Ok(contents) => Err(damaged(format!("there is no version {}", contents.version))),
            Err(error) => Err(damaged(error.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn kernel(rule_class: &str, generations: u32) -> TunedKernel {
        TunedKernel {
            rule_class: rule_class.into(),
            generations,
            subgroups: true,
        }
    }

    #[test]
    fn what_was_measured_is_remembered_for_that_adapter_and_driver() {
        let folder = tempfile::tempdir().unwrap();
        let file = Tunings::at(folder.path().join("new/tuning.json"));
        assert_eq!(file.of("card", "1").unwrap(), []);
        file.keep("card", "1", &[kernel("life", 4), kernel("ties", 2)])
            .unwrap();
        file.keep("other", "1", &[kernel("life", 8)]).unwrap();
        file.keep("card", "1", &[kernel("life", 2)]).unwrap();
        let kept = [kernel("life", 2), kernel("ties", 2)];
        assert_eq!(file.of("card", "1").unwrap(), kept);
        assert_eq!(file.of("other", "1").unwrap(), [kernel("life", 8)]);
        assert_eq!(file.of("card", "2").unwrap(), [], "another driver");
        file.keep("card", "2", &[kernel("odd", 4)]).unwrap();
        assert_eq!(file.of("card", "1").unwrap(), []);
        assert_eq!(file.of("card", "2").unwrap(), [kernel("odd", 4)]);
    }

    #[test]
    fn a_file_of_an_earlier_version_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tuning.json");
        let text = r#"{"version": 1, "adapters": [{"adapter": "card", "driver": "1", "kernels": [
            {"circuits": "life", "generations": 4, "subgroups": true}]}]}"#;
        fs::write(&path, text).unwrap();
        let kept = Tunings::at(path).of("card", "1").unwrap();
        assert_eq!(kept, [kernel("life", 4)]);
    }

    #[test]
    fn a_damaged_file_is_reported_and_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tuning.json");
        let file = Tunings::at(path.clone());
        for text in ["", "{\"version\": 2, \"adapters\": []}", "[1]"] {
            fs::write(&path, text).unwrap();
            let error = file.of("card", "1").unwrap_err().to_string();
            assert!(
                error.contains("tuning.json") && error.contains("--tune"),
                "{error}"
            );
            file.keep("card", "1", &[kernel("life", 4)]).unwrap();
            assert_eq!(file.of("card", "1").unwrap(), [kernel("life", 4)]);
        }
    }
}
