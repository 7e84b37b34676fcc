//! Files that are dropped on the window, and a device that is lost under it.

use glam::uvec2;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use duolife::engine::gpu::{GpuEngine, Kernels};
use duolife::game::opponent::PlayerKind;

use super::*;
use crate::support::own_kernels;

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
    let document = LifelikeDocument::new(&board);
    memory.write("dropped.rle", &document).unwrap();
    let mut harness = window(battle(&soup(), &memory), 1.0);
    let mut drop = |name: &str| {
        let file: egui::DroppedFileHandle = Arc::new(Dropped(name.into()));
        harness.input_mut().dropped_files.push(file);
        harness.run();
        harness.state_mut().controller().board().unwrap()
    };
    assert_eq!(drop("dropped.rle"), board);
    // What cannot be opened is reported, and nothing is lost.
    assert_eq!(drop("nothing.rle"), board);
    assert!(harness.query_by_label_contains("nothing.rle").is_some());
}

/// An engine factory on a device of its own.
fn on_device(kernels: &Arc<Kernels>) -> EngineFactory {
    let kernels = Arc::clone(kernels);
    EngineFactory {
        lifelike: Rc::new(move |choice, ruleset| {
            Ok(match choice {
                EngineName::Gpu => Box::new(GpuEngine::new(&kernels, ruleset)?),
                _ => Box::new(CpuEngine::new(ruleset)),
            })
        }),
        ..engine_factory()
    }
}

#[test]
fn a_lost_device_leaves_the_start_pattern_to_the_cpu() {
    let Some(kernels) = own_kernels() else { return };
    let open = |opening: Opening, choice: EngineName| {
        let platform = Box::new(Memory::default());
        Controller::new(
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
    let mut controller = open(opening, EngineName::Gpu);
    for _ in 0..5 {
        controller.apply(RunCommand::Step);
    }
    assert_eq!(controller.board().unwrap(), later(&board, 5));
    assert_eq!(controller.failure(), None);
    kernels.gpu().destroy();
    controller.apply(RunCommand::Step);
    assert!(controller.failure().is_some(), "it is reported");
    let mut controller = open(controller.recovery(), EngineName::Cpu);
    assert_eq!(
        battle_status(&mut controller).settings,
        settings(board.size())
    );
    assert_eq!(controller.board().unwrap(), board);
    controller.apply(RunCommand::Step);
    assert_eq!(controller.board().unwrap(), later(&board, 1));
}

#[test]
fn every_game_is_what_it_was_after_a_loss() {
    let again =
        |controller: &mut Controller| super::controller(controller.recovery(), &Memory::default());
    let memory = Memory::default();
    let mut duel = controller(Opening::Duel(Some(soup())), &memory);
    let mut duel = again(&mut duel);
    assert_eq!(battle_status(&mut duel).kind, GameName::Duel);
    assert_eq!(duel.board().unwrap(), soup());

    let mut puzzle = controller(
        Opening::Fragment(fragment::Settings::standard().unwrap(), Some(4)),
        &memory,
    );
    let field = puzzle.board().unwrap();
    assert_eq!(again(&mut puzzle).board().unwrap(), field);

    let setup = duolife::game::immigration::Setup::new(
        size(25, 25),
        duolife::game::immigration::Player::Red,
    );
    let players = [PlayerKind::Person; 2];
    let opening = Opening::Immigration(Some((setup.unwrap(), players)));
    let mut game = controller(opening, &memory);
    game.apply(ImmigrationCommand::Place(UVec2::new(3, 4)));
    let counters = game.board().unwrap();
    assert_eq!(counters.cell(uvec2(3, 4)), LifelikeCell::Red);
    assert_eq!(again(&mut game).board().unwrap(), counters);
}
