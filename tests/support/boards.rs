use duolife::board::rezolution::{Ground, RezolutionCell};
use duolife::board::{Edges, LifelikeBoard, LifelikeCell, RezolutionBoard, Size};
use duolife::format::Limits;
use duolife::format::rezolution::parse;
use duolife::rules::{LifelikeRuleset, Rule, Ties};
use glam::uvec2;
use rand::RngExt;
use rand_pcg::Pcg32;

pub(crate) const BARRIER: RezolutionCell = RezolutionCell {
    population: 0,
    ground: Ground::Barrier,
};

/// A target that nobody has reached.
pub(crate) const TARGET: RezolutionCell = RezolutionCell {
    population: 0,
    ground: Ground::Target,
};

pub(crate) fn size(width: u64, height: u64) -> Size {
    Size::new(width, height).unwrap()
}

/// Conway's rule.
pub(crate) fn life(edges: Edges) -> LifelikeRuleset {
    LifelikeRuleset {
        rule: Rule::LIFE,
        edges,
        ties: Ties::Red,
    }
}

/// A board from rows of `.`, `1` and `2`, as a text grid has them.
pub(crate) fn lifelike(rows: &str) -> LifelikeBoard {
    let rows: Vec<&str> = rows.split_whitespace().collect();
    let size = size(rows[0].len() as u64, rows.len() as u64);
    let mut board = LifelikeBoard::new(size).unwrap();
    for (y, row) in (0..).zip(rows) {
        assert_eq!(row.len(), size.width() as usize, "row {y}");
        for (x, cell) in (0..).zip(row.chars()) {
            let cell = match cell {
                '.' => LifelikeCell::Dead,
                '1' => LifelikeCell::Red,
                '2' => LifelikeCell::Blue,
                other => panic!("{other}"),
            };
            board.set(uvec2(x, y), cell);
        }
    }
    board
}

/// A board from rows of cells as a board file of reZolution has them.
pub(crate) fn rezolution(rows: &str) -> RezolutionBoard {
    let rows = rows.trim();
    let width = rows.lines().next().unwrap().split_whitespace().count();
    let height = rows.lines().count();
    let file = format!("duolife populations 1\nsize {width}x{height}\n{rows}");
    parse(file.as_bytes(), &Limits::default()).unwrap().board
}

/// A block of four cells, which lives on unchanged.
pub(crate) fn put_block(board: &mut LifelikeBoard, x: u32, y: u32, cell: LifelikeCell) {
    board.set_run(uvec2(x, y), 2, cell);
    board.set_run(uvec2(x, y + 1), 2, cell);
}

/// A glider on its way down and to the right.
pub(crate) fn put_glider(board: &mut LifelikeBoard, x: u32, y: u32, cell: LifelikeCell) {
    board.set(uvec2(x + 1, y), cell);
    board.set(uvec2(x + 2, y + 1), cell);
    board.set_run(uvec2(x, y + 2), 3, cell);
}

/// Populations up to `largest` on both sides, barriers and targets.
pub(crate) fn random_populations(size: Size, largest: i8, random: &mut Pcg32) -> RezolutionBoard {
    let mut board = RezolutionBoard::new(size).unwrap();
    for y in 0..size.height() {
        for x in 0..size.width() {
            let cell = match random.random_range(0..16) {
                0 => BARRIER,
                1 => TARGET,
                _ => RezolutionCell::open(random.random_range(-largest..=largest)),
            };
            board.set(uvec2(x, y), cell);
        }
    }
    board
}
