//! Which kernels have computed a small board right on the adapters of this machine, remembered in the
//! user's data folder, so that each is tried once under a driver.
//!
//! ```json
//! {"version": 1, "adapters": [
//!   {"adapter": "Some Card", "driver": "some driver 1.2", "shaders": "9f0c...", "kernels": [
//!     "lifelike step"]}]}
//! ```
//!
//! Whatever cannot be read or written is proved again, so nothing here is an error.

use std::path::PathBuf;

use directories::ProjectDirs;
use serde::{Deserialize, Serialize};

use crate::engine::gpu::{Kernels, wgsl};
use crate::format::{WriteError, atomic_write, make_folder_of, read_bytes};

/// The version that is written, and the only one that is read.
const VERSION: u64 = 1;

/// Bytes of the largest file that is read: thousands of adapters.
const MAX_BYTES: u64 = 1 << 20;

/// What an adapter has proved under a driver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Proof {
    adapter: String,
    driver: String,
    /// The digest of the shaders that were tried.
    shaders: String,
    kernels: Vec<String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    version: u64,
    adapters: Vec<Proof>,
}

/// Requires proofs of all kernels of a device, except what is remembered of it, and remembers new ones.
pub fn require(kernels: &Kernels) {
    let folders = ProjectDirs::from("", "", "duolife");
    let file = folders.map(|folders| Proofs::at(folders.data_dir().join("proofs.json")));
    require_from(kernels, file);
}

fn require_from(kernels: &Kernels, file: Option<Proofs>) {
    let gpu = kernels.gpu();
    let (adapter, driver) = (gpu.name().to_owned(), gpu.driver());
    let known = file.as_ref().map(|file| file.of(&adapter, &driver));
    kernels.require_proofs(known.unwrap_or_default(), move |kernel| {
        let kept = file
            .as_ref()
            .map(|file| file.keep(&adapter, &driver, kernel));
        if let Some(Err(error)) = kept {
            tracing::debug!(%error, "a proof was not kept");
        }
    });
}

/// The file of proofs.
#[derive(Clone, Debug)]
struct Proofs {
    path: PathBuf,
}

impl Proofs {
    /// The file at a path; it need not be there yet.
    const fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// The kernels that were proved on an adapter under a driver, by the shaders of this program.
    fn of(&self, adapter: &str, driver: &str) -> Vec<String> {
        let is_it = |proof: &Proof| {
            proof.adapter == adapter
                && proof.driver == driver
                && proof.shaders == wgsl::sources_digest()
        };
        let mut all = self.read().into_iter();
        all.find(is_it).map_or(Vec::new(), |proof| proof.kernels)
    }

    /// Adds a kernel. Other drivers of the adapter, and other shaders, are forgotten.
    fn keep(&self, adapter: &str, driver: &str, kernel: &str) -> Result<(), WriteError> {
        let mut kernels = self.of(adapter, driver);
        if kernels.iter().any(|known| known == kernel) {
            return Ok(());
        }
        kernels.push(kernel.into());
        let mut adapters = self.read();
        adapters.retain(|proof| proof.adapter != adapter);
        adapters.push(Proof {
            adapter: adapter.into(),
            driver: driver.into(),
            shaders: wgsl::sources_digest().into(),
            kernels,
        });
        let contents = Contents {
            version: VERSION,
            adapters,
        };
        make_folder_of(&self.path)?;
        atomic_write(&self.path, |out| {
            serde_json::to_writer_pretty(&mut *out, &contents)?;
            out.write_all(b"\n")
        })
    }

    /// All proofs; none if there is no file, or one that is not understood.
    fn read(&self) -> Vec<Proof> {
        let bytes = read_bytes(&self.path, MAX_BYTES).unwrap_or_default();
        let contents: Contents = serde_json::from_slice(&bytes).unwrap_or_default();
        match contents.version {
            VERSION => contents.adapters,
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn proofs_are_kept_for_that_adapter_driver_and_shaders() {
        let folder = tempfile::tempdir().unwrap();
        let file = Proofs::at(folder.path().join("new/proofs.json"));
        assert!(file.of("card", "1").is_empty());
        for kernel in ["step", "pass", "step"] {
            file.keep("card", "1", kernel).unwrap();
        }
        file.keep("other", "1", "step").unwrap();
        assert_eq!(file.of("card", "1"), ["step", "pass"]);
        assert_eq!(file.of("other", "1"), ["step"]);
        assert!(file.of("card", "2").is_empty(), "another driver");
        file.keep("card", "2", "pass").unwrap();
        assert!(file.of("card", "1").is_empty());
        assert_eq!(file.of("card", "2"), ["pass"]);
        // Other shaders were tried.
        let text = fs::read_to_string(&file.path).unwrap();
        fs::write(&file.path, text.replace(wgsl::sources_digest(), "other")).unwrap();
        assert!(file.of("card", "2").is_empty());
    }

    #[test]
    fn a_file_that_is_not_understood_is_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let file = Proofs::at(folder.path().join("proofs.json"));
        for damaged in ["", "{", r#"{"version": 2, "adapters": []}"#] {
            fs::write(&file.path, damaged).unwrap();
            assert!(file.of("card", "1").is_empty());
            file.keep("card", "1", "step").unwrap();
            assert_eq!(file.of("card", "1"), ["step"]);
        }
    }
}
