/// Boards and rulesets, written down or drawn.
pub(crate) mod boards;
/// Engines, and the ways in which tests set them up.
pub(crate) mod engines;
/// A judge of battles that keeps every board as text.
pub(crate) mod judge;
/// The program, run as a user runs it.
pub(crate) mod program;

use std::sync::{Arc, OnceLock};

use duolife::engine::gpu::{AdapterSelector, Kernels, select_adapter};

/// The kernels of this machine's GPU, shared by all tests. Without one the test fails, unless
/// `DUOLIFE_NO_GPU=1` is set: then it gets `None` and prints that it was skipped.
pub(crate) fn kernels() -> Option<Arc<Kernels>> {
    static KERNELS: OnceLock<Arc<Kernels>> = OnceLock::new();
    if skips_gpu() {
        return None;
    }
    Some(Arc::clone(KERNELS.get_or_init(open)))
}

/// The kernels of a device that no other test uses, so that it can be lost or kept busy.
pub(crate) fn own_kernels() -> Option<Arc<Kernels>> {
    (!skips_gpu()).then(open)
}

fn open() -> Arc<Kernels> {
    let adapter = select_adapter(&AdapterSelector::default())
        .expect("an adapter, or DUOLIFE_NO_GPU=1")
        .adapter;
    eprintln!("executed on {}", adapter.info().name);
    Arc::new(Kernels::new(&adapter.open().unwrap()).unwrap())
}

/// Whether `DUOLIFE_NO_GPU=1` is set; then the test says that it is skipped.
pub(crate) fn skips_gpu() -> bool {
    let skips = no_gpu();
    if skips {
        eprintln!("skipped: DUOLIFE_NO_GPU=1");
    }
    skips
}

pub(crate) fn no_gpu() -> bool {
    std::env::var("DUOLIFE_NO_GPU").is_ok_and(|value| value == "1")
}
