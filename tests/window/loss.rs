//! Files that are dropped on the window, and a device that is lost under it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use duolife::app::actions::Who;
use duolife::engine::gpu::{AdapterSelector, GpuEngine, Kernels, select_adapter};

use super::*;

#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }
    fn bytes(&self) -> Result<Vec<u8>, String> {
        panic!("files are read by their format")
    }
}

#[test]
fn a_file_that_is_dropped_is_opened() {
    let memory = Memory::default();
    let board = later(&soup(), 1);
    let document = Document::new(&board);
    memory.write("dropped.rle", &document).unwrap();
    let mut harness = window(battle(&soup(), &memory), 1.0);
    let mut drop = |name: &str| {
        let file: egui::DroppedFileHandle = Arc::new(Dropped(name.into()));
        harness.input_mut().dropped_files.push(file);
        harness.run();
        harness.state_mut().state().board().unwrap()
    };
    assert_eq!(drop("dropped.rle"), board);
    // What cannot be opened is said, and nothing is lost.
    assert_eq!(drop("nothing.rle"), board);
    assert!(harness.query_by_label_contains("nothing.rle").is_some());
}

/// Makers on a device of its own.
fn on_device(kernels: &Arc<Kernels>) -> Makers {
    let kernels = Arc::clone(kernels);
    Makers {
        lifelike: Rc::new(move |choice, ruleset| {
            Ok(match choice {
                EngineChoice::Gpu => Box::new(GpuEngine::new(&kernels, ruleset)?),
                _ => Box::new(CpuEngine::new(ruleset)),
            })
        }),
        ..makers()
    }
}

#[test]
fn a_lost_device_leaves_the_start_pattern_to_the_cpu() {
    if crate::no_gpu() {
        eprintln!("skipped: DUOLIFE_NO_GPU=1");
        return;
    }
    let gpu = select_adapter(&AdapterSelector::default())
        .unwrap()
        .open()
        .unwrap();
    let kernels = Arc::new(Kernels::new(&gpu).unwrap());
    let open = |opening: Opening, choice: EngineChoice| {
        let platform = Box::new(Memory::default());
        State::new(
            opening,
            on_device(&kernels),
            platform,
            choice,
            "test".into(),
        )
        .unwrap()
    };
    let board = soup();
    let opening = Opening::Battle {
        settings: settings(board.size()),
        board: board.clone(),
    };
    let mut state = open(opening, EngineChoice::Gpu);
    for _ in 0..5 {
        state.apply(Action::Step);
    }
    assert_eq!(state.board().unwrap(), later(&board, 5));
    assert_eq!(state.failure(), None);
    gpu.destroy();
    state.apply(Action::Step);
    assert!(state.failure().is_some(), "it is said");
    let mut state = open(state.salvage(), EngineChoice::Cpu);
    assert_eq!(facts(&mut state).settings, settings(board.size()));
    assert_eq!(state.board().unwrap(), board);
    state.apply(Action::Step);
    assert_eq!(state.board().unwrap(), later(&board, 1));
}

#[test]
fn every_game_is_what_it_was_after_a_loss() {
    let again = |state: &mut State| super::state(state.salvage(), &Memory::default());
    let memory = Memory::default();
    let mut duel = state(Opening::Duel(Some(soup())), &memory);
    let mut duel = again(&mut duel);
    assert_eq!(facts(&mut duel).kind, Kind::Duel);
    assert_eq!(duel.board().unwrap(), soup());

    let mut puzzle = state(
        Opening::Fragment(fragment::Settings::standard().unwrap(), Some(4)),
        &memory,
    );
    let field = puzzle.board().unwrap();
    assert_eq!(again(&mut puzzle).board().unwrap(), field);

    let setup = duolife::game::immigration::Setup::new(
        size(25, 25),
        duolife::game::immigration::Player::Red,
    );
    let players = [Who::Person; 2];
    let opening = Opening::Immigration(Some((setup.unwrap(), players)));
    let mut game = state(opening, &memory);
    game.apply(Action::Counter(Counter::Place(3, 4)));
    let counters = game.board().unwrap();
    assert_eq!(counters.get(3, 4), Cell::Red);
    assert_eq!(again(&mut game).board().unwrap(), counters);
}
