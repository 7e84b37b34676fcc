mod lifelike;
mod rezolution;

use std::time::Duration;

use duolife::board::Board;
use duolife::engine::Engine;
use rand::RngExt;
use rand_pcg::Pcg32;

use crate::support::engines::stats_of;

/// Requests generations in all ways and numbers, and compares all results with `boards`, the generations
/// of the first of them.
fn mix_requests<B: Board + PartialEq>(
    engine: &mut dyn Engine<B>,
    boards: &[B],
    random: &mut Pcg32,
    what: &str,
) {
    let last = boards.len() - 1;
    engine.load(&boards[0]).unwrap();
    let (mut now, mut loaded) = (0, 0);
    while now < last {
        let most = random.random_range(0..=(last - now).min(30));
        let mut stats = Vec::new();
        match random.random_range(0..12) {
            0 => assert!(engine.read().unwrap() == boards[now], "{what}, {now}"),
            1 => assert_eq!(engine.census().unwrap(), boards[now].census()),
            2 | 3 => {
                engine.step(most as u64).unwrap();
                now += most;
            }
            4 | 5 => {
                let mut counts = Vec::new();
                engine.step_with_census(most as u64, &mut counts).unwrap();
                let expected = boards[now + 1..][..most].iter().map(Board::census);
                assert!(counts.into_iter().eq(expected), "{what}, after {now}");
                now += most;
            }
            6 => {
                let budget = Duration::from_micros(20);
                engine.advance(most as u64, budget, &mut stats).unwrap();
            }
            7 => {
                now = random.random_range(0..=now);
                loaded = now;
                engine.load(&boards[now]).unwrap();
            }
            _ => engine.step_with_stats(most as u64, &mut stats).unwrap(),
        }
        for (i, &found) in stats.iter().enumerate() {
            now += 1;
            assert_eq!(found, stats_of(boards, loaded, now), "{what}, {now}");
            assert!(!found.is_settled() || i + 1 == stats.len(), "it ends there");
        }
    }
    assert!(engine.read().unwrap() == boards[last], "{what}");
}
