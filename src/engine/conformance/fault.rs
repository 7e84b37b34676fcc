//! An engine with a fault, to prove that a comparison finds one.

use glam::uvec2;

use crate::board::{Board, LifelikeBoard};
use crate::engine::{
    Engine, EngineError, GenerationStats, Observation, Observe, Request, Sink, Stop,
};

/// An engine that flips one bit of one cell of one generation.
pub struct Faulty<'a, B: Board = LifelikeBoard> {
    engine: &'a mut dyn Engine<B>,
    fault: Fault,
    generation: u64,
}

/// Where a fault is planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// After computing this generation, counted from the board that was loaded.
    pub generation: u64,
    /// Column, taken modulo the width.
    pub x: u32,
    /// Row, taken modulo the height.
    pub y: u32,
}

impl Fault {
    /// Flips the bit.
    pub(super) fn flip<B: Board>(&self, board: &mut B) {
        let size = board.size();
        board.flip_bit(uvec2(self.x % size.width(), self.y % size.height()));
    }
}

impl<'a, B: Board> Faulty<'a, B> {
    /// The engine with a fault.
    pub fn new(engine: &'a mut dyn Engine<B>, fault: Fault) -> Self {
        Self {
            engine,
            fault,
            generation: 0,
        }
    }

    /// Computes the generation with the fault. To the engine its board is one that was loaded, so
    /// that it repeats no earlier one.
    fn run_faulty(
        &mut self,
        request: Request,
        sink: &mut Sink<'_, B>,
    ) -> Result<GenerationStats<B::Census>, EngineError> {
        self.engine.step(1)?;
        self.generation += 1;
        let mut board = self.engine.read()?;
        self.fault.flip(&mut board);
        self.engine.load(&board)?;
        let census = self.engine.census()?;
        let stats = GenerationStats {
            census,
            period: None,
        };
        let observation = request.observe.observation(stats, || self.engine.read())?;
        observation.into_iter().for_each(sink);
        Ok(stats)
    }
}

impl<B: Board> Engine<B> for Faulty<'_, B> {
    fn load(&mut self, board: &B) -> Result<(), EngineError> {
        self.generation = 0;
        self.engine.load(board)
    }

    fn run(&mut self, request: Request, sink: &mut Sink<'_, B>) -> Result<(), EngineError> {
        let mut left = request.generations;
        while left > 0 {
            // As many at once as are right.
            let part = match self.fault.generation.checked_sub(self.generation) {
                None | Some(0) => left,
                Some(1) => {
                    let stats = self.run_faulty(request, sink)?;
                    left -= 1;
                    if request.stop == Stop::AtSettled && stats.is_settled() {
                        break;
                    }
                    continue;
                }
                Some(until) => left.min(until - 1),
            };
            let part = Request {
                generations: part,
                ..request
            };
            let (mut observed, mut is_settled) = (0, false);
            self.engine.run(part, &mut |observation| {
                observed += 1;
                if let Observation::Stats(stats) = &observation {
                    is_settled = stats.is_settled();
                }
                sink(observation);
            })?;
            let computed = match request.observe {
                Observe::Nothing => part.generations,
                Observe::Census | Observe::Stats | Observe::Boards => observed,
            };
            self.generation += computed;
            left -= computed;
            let is_over = request.stop == Stop::AtSettled && is_settled;
            if is_over || request.budget.is_some() {
                break;
            }
        }
        Ok(())
    }

    fn census(&mut self) -> Result<B::Census, EngineError> {
        self.engine.census()
    }

    fn read(&mut self) -> Result<B, EngineError> {
        self.engine.read()
    }
}
