//! Games and their rules.

use super::*;

#[test]
fn the_first_start_offers_games_and_a_click_begins_one() {
    let mut harness = window(controller(Opening::Remembered, &Memory::default()), 1.0);
    assert!(harness.query_by_label("Fragment puzzle").is_some());
    harness
        .get_by_role_and_label(egui::accesskit::Role::Button, "Life Battle")
        .click();
    harness.run();
    assert!(
        harness.query_by_label("Fragment puzzle").is_none(),
        "closed"
    );
    let status = battle_status(harness.state_mut().controller());
    assert_eq!((status.kind, status.generation), (GameName::Battle, 0));
    assert!(status.census.red > 100 && status.census.red == status.census.blue);
}

#[test]
fn two_player_life_has_its_own_rules() {
    let memory = Memory::default();
    let mut controller = battle(&soup(), &memory);
    controller.apply(Command::ChooseGame(GameName::Duel));
    let duel = battle_status(&mut controller);
    assert_eq!(
        (duel.kind, duel.settings.edges),
        (GameName::Duel, Edges::Dead)
    );
    assert_eq!(
        (duel.settings.rule, duel.settings.limit),
        (Rule::LIFE, None)
    );
    assert_eq!(controller.board().unwrap(), soup(), "the board stays");
    let torus = "x = 3, y = 1, rule = B36/S23:T9,9\n3A!".as_bytes().to_vec();
    memory.files.borrow_mut().insert("t.rle".into(), torus);
    controller.apply(Command::Open("t.rle".into()));
    let duel = battle_status(&mut controller);
    assert_eq!(
        (duel.settings.edges, duel.settings.rule),
        (Edges::Dead, Rule::LIFE)
    );
    assert_eq!(duel.settings.size, size(9, 9));
}

#[test]
fn the_computer_answers_in_the_immigration_game() {
    let mut controller = controller(Opening::Remembered, &Memory::default());
    controller.apply(Command::ChooseGame(GameName::Immigration));
    let mut placed = 0;
    for frame in 0..4000u32 {
        controller.tick(frame * 50 * MS, 50 * MS);
        let before = controller.board().unwrap();
        // A person places a counter on the first dead cell of the middle row, in each of its turns.
        let free = (0..25)
            .find(|&x| before.cell(uvec2(x, 12)) == LifelikeCell::Dead)
            .unwrap();
        controller.apply(ImmigrationCommand::Place(UVec2::new(free, 12)));
        placed += u32::from(controller.board().unwrap() != before);
        if placed == 3 {
            break;
        }
    }
    let census = controller.board().unwrap().census();
    assert_eq!(placed, 3, "red, and blue in between: {census:?}");
    assert_eq!((census.red, census.blue), (3, 2));
    controller.apply(ImmigrationCommand::TakeBack);
    let census = controller.board().unwrap().census();
    assert_eq!((census.red, census.blue), (2, 2));
}
