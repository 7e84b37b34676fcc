use std::sync::{Arc, Mutex};

use duolife::board::{Edges, LifelikeBoard, RezolutionBoard, start};
use duolife::engine::conformance;
use duolife::engine::gpu::arena::GpuArena;
use duolife::engine::gpu::{GpuEngine, Kernels};
use duolife::engine::{Engine, Family};
use duolife::rules::RezolutionRuleset;

use crate::support::boards::{life, size};
use crate::support::own_kernels;

/// The names of what was proved.
type Proved = Arc<Mutex<Vec<String>>>;

/// Kernels that require proofs of all that is not `known`, and the names of new proofs.
fn kernels(known: &[String]) -> Option<(Arc<Kernels>, Proved)> {
    let kernels = own_kernels()?;
    let proved = Proved::default();
    let names = Arc::clone(&proved);
    kernels.require_proofs(known.to_vec(), move |name| {
        names.lock().unwrap().push(name.to_owned());
    });
    Some((kernels, proved))
}

fn soup(width: u64) -> LifelikeBoard {
    start::random(size(width, 50), 0.4, 1).unwrap()
}

/// Computes a board in every way.
fn use_all<R: Family>(kernels: &Arc<Kernels>, ruleset: R, board: &R::Board) {
    let mut engines = vec![
        GpuEngine::new(kernels, ruleset).unwrap().with_pass(1),
        GpuEngine::new(kernels, ruleset).unwrap().with_pass(4),
        GpuEngine::new(kernels, ruleset)
            .unwrap()
            .within_workgroup(true),
    ];
    for engine in &mut engines {
        engine.load(board).unwrap();
        engine.fast_forward(12).unwrap();
        engine.step_with_stats(13, &mut Vec::new()).unwrap();
    }
}

#[test]
fn every_program_is_tried_before_it_is_used_and_only_once() {
    let Some((first, proved)) = kernels(&[]) else {
        return;
    };
    use_all(&first, life(Edges::Torus), &soup(70));
    let names = proved.lock().unwrap().clone();
    for of in [
        "step",
        "step with statistics",
        "pass 4",
        "active blocks",
        "single workgroup",
    ] {
        assert!(
            names.iter().any(|name| name.contains(of)),
            "{of}: {names:?}"
        );
    }
    let mut once = names.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), names.len(), "{names:?}");
    use_all(&first, life(Edges::Torus), &soup(64));
    assert_eq!(*proved.lock().unwrap(), names, "all is proved");

    let rezolution = RezolutionRuleset { edges: Edges::Dead };
    let board = RezolutionBoard::new(size(90, 40)).unwrap();
    use_all(&first, rezolution, &board);
    let all = proved.lock().unwrap().clone();
    assert!(
        all.len() > names.len(),
        "another family has its own: {all:?}"
    );

    // What is known from before is not tried.
    let (second, proved) = kernels(&all).unwrap();
    use_all(&second, life(Edges::Torus), &soup(70));
    assert!(proved.lock().unwrap().is_empty());
}

#[test]
fn a_proof_is_no_part_of_the_run_that_needs_it() {
    let Some((kernels, _)) = kernels(&[]) else {
        return;
    };
    let Some(plain) = own_kernels() else { return };
    let run = |kernels: &Arc<Kernels>| {
        let mut engine = GpuEngine::new(kernels, life(Edges::Torus))
            .unwrap()
            .with_pass(4);
        engine.load(&soup(70)).unwrap();
        let mut stats = Vec::new();
        engine.fast_forward(8).unwrap();
        engine.step_with_stats(20, &mut stats).unwrap();
        (engine.read().unwrap(), stats)
    };
    assert_eq!(run(&kernels), run(&plain));
}

#[test]
fn the_arena_of_a_device_is_tried() {
    let Some(kernels) = own_kernels() else { return };
    conformance::prove_arena(&GpuArena::new(kernels.gpu()).unwrap()).unwrap();
    conformance::prove_arena(&GpuArena::portable(kernels.gpu()).unwrap()).unwrap();
}
