/// The program, run as a user runs it.
pub(crate) mod program;

use std::sync::{Arc, OnceLock};

use duolife::engine::gpu::{AdapterSelector, Kernels, select_adapter};

/// The kernels of this machine's GPU. Without one the test fails, unless `DUOLIFE_NO_GPU=1` is set:
/// then it gets `None` and prints that it was skipped.
pub(crate) fn kernels() -> Option<Arc<Kernels>> {
    static KERNELS: OnceLock<Arc<Kernels>> = OnceLock::new();
    if no_gpu() {
        eprintln!("skipped: DUOLIFE_NO_GPU=1");
        return None;
    }
    let kernels = KERNELS.get_or_init(|| {
        let gpu =
            select_adapter(&AdapterSelector::default()).expect("an adapter, or DUOLIFE_NO_GPU=1");
        eprintln!("executed on {}", gpu.info().name);
        Arc::new(Kernels::new(&gpu.open().unwrap()).unwrap())
    });
    Some(Arc::clone(kernels))
}

pub(crate) fn no_gpu() -> bool {
    std::env::var("DUOLIFE_NO_GPU").is_ok_and(|value| value == "1")
}
