//! Placeholders for the outputs that a build leaves out: each refuses before any game is played.

use std::path::Path;

use anyhow::{Result, bail};

/// Instead of Parquet files.
#[cfg(not(feature = "parquet"))]
pub(super) mod parquet {
    use super::{Path, Result, refuse};

    pub(in super::super) fn check(_path: &Path) -> Result<()> {
        refuse("--parquet", "parquet")
    }

    pub(in super::super) fn save(_lines: &Path, path: &Path) -> Result<()> {
        check(path)
    }
}

/// Instead of plots.
#[cfg(not(feature = "plot"))]
pub(super) mod plot {
    use super::{Path, Result, refuse};
    use crate::arena::statistics::Standing;

    pub(in super::super) fn check(_path: &Path) -> Result<()> {
        refuse("--plot", "plot")
    }

    pub(in super::super) fn save(
        path: &Path,
        _title: &str,
        _standings: &[Standing],
        _top: usize,
    ) -> Result<()> {
        check(path)
    }
}

fn refuse(option: &str, feature: &str) -> Result<()> {
    bail!(
        "this build has no {option}; cargo install --path . --features {feature} makes one that has"
    )
}
