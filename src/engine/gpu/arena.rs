//! Many small boards in one dispatch.
//!
//! A workgroup loads a board into its memory and computes generation after generation there, so that
//! global memory is accessed only at the beginning and the end of a dispatch. A dispatch computes a
//! bounded number of generations, which adapts to how long the last one took.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use web_time::Instant;

use super::commands::Commands;
use super::device::Gpu;
use super::family::lifelike::{rule_constants, tie_seed};
use super::kernels::arena::{
    ARENA, ARENA_SUBGROUPS, ARENA_WORDS, ArenaGame, ArenaGameState, ArenaParams,
};
use super::pipelines::{Kernel, Kernels};
use super::program::{Form, Program};
use super::transfer::{bind, buffer, download, plane_usage, upload};
use crate::board::{LifelikeBoard, LifelikeCensus, Size};
use crate::engine::{EngineError, GenerationStats};
use crate::rules::LifelikeRuleset;

/// A dispatch should take about this long, so that a screen on the same device stays alive; one that
/// computes on the CPU holds up nothing but a request to stop.
const DISPATCH_TIME: [Duration; 2] = [Duration::from_millis(500), Duration::from_millis(50)];

/// How long games of one rule have been computed before a kernel with the rule folded in is made for them.
const FOLD_AFTER: Duration = Duration::from_secs(1);

/// Bytes of planes in one batch.
const BATCH_BYTES: u64 = 64 << 20;

/// Boards of one batch: on a device that computes on the CPU, and on others.
const BATCH_BOARDS: [usize; 2] = [1 << 8, 1 << 14];

/// A board, and how many generations of it to compute.
pub struct Task {
    /// The rules.
    pub ruleset: LifelikeRuleset,
    /// Generations, at least 1.
    pub limit: u32,
    /// Generation 0.
    pub start: LifelikeBoard,
}

/// The result of a [`Task`].
pub struct Run {
    /// The first generation that [is settled](GenerationStats::is_settled), else the last one.
    pub decided: u64,
    /// The statistics of that generation.
    pub stats: GenerationStats,
    /// The most red cells of any generation, and the most blue ones.
    pub peak: LifelikeCensus,
    /// The board of the last generation.
    pub board: LifelikeBoard,
}

/// A device that computes many small boards at once.
pub struct GpuArena {
    kernels: Kernels,
    program: &'static Program,
    /// Time spent on batches of one rule, keyed by the values of the overrides.
    time_spent: Mutex<HashMap<Vec<u32>, Duration>>,
}

impl GpuArena {
    /// Compiles what does not depend on a rule.
    ///
    /// # Errors
    /// [`EngineError::Device`] if the device refuses the shader.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self, EngineError> {
        Self::with(gpu, gpu.has_subgroups())
    }

    /// Like [`new`](Self::new), with the shader that needs no subgroups.
    ///
    /// # Errors
    /// [`EngineError::Device`] if the device refuses the shader.
    pub fn portable(gpu: &Arc<Gpu>) -> Result<Self, EngineError> {
        Self::with(gpu, false)
    }

    fn with(gpu: &Arc<Gpu>, subgroups: bool) -> Result<Self, EngineError> {
        let program = if subgroups { &ARENA_SUBGROUPS } else { &ARENA };
        Ok(Self {
            kernels: Kernels::new(gpu)?,
            program,
            time_spent: Mutex::default(),
        })
    }

    /// The device.
    pub fn gpu(&self) -> &Arc<Gpu> {
        self.kernels.gpu()
    }

    /// Whether the engine takes tasks of this size and limit: the board must fit into workgroup memory.
    pub fn takes(size: Size, limit: u64) -> bool {
        size.plane_words() <= ARENA_WORDS as usize && u32::try_from(limit).is_ok()
    }

    /// The error for a game that came back undecided.
    pub fn undecided(&self) -> EngineError {
        self.gpu().error("a game came back undecided")
    }

    /// Tasks per batch, for boards of at most `words` words per plane.
    pub fn batch(&self, words: usize) -> usize {
        let bytes = 16 * words.max(1) as u64;
        let limit = BATCH_BYTES.min(self.gpu().largest_plane());
        let fitting = usize::try_from((limit / bytes).max(1)).unwrap_or(usize::MAX);
        fitting.min(BATCH_BOARDS[usize::from(!self.gpu().is_software())])
    }

    /// Computes tasks, whatever their rules; `None` if `stop` returned true. The engine must
    /// [take](Self::takes) each of them, and they must fit into one [batch](Self::batch). Tasks whose rulesets differ at most in the seed of the
    /// ties are faster after a while: the rule is then folded into the kernel.
    ///
    /// # Errors
    /// [`EngineError`] if the device fails.
    pub fn play(
        &self,
        tasks: &[Task],
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<Run>>, EngineError> {
        if tasks.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let gpu = &**self.gpu();
        let common = common_values(tasks);
        let kernel = self.kernel(common.as_ref())?;
        let mut planes = Vec::new();
        let mut games = Vec::with_capacity(tasks.len());
        let mut states = Vec::with_capacity(tasks.len());
        for task in tasks {
            games.push(game(task, planes.len()));
            let census = task.start.census();
            states.push(ArenaGameState {
                // Boards that a workgroup holds have fewer cells than 2^32.
                peak_red: census.red as u32,
                peak_blue: census.blue as u32,
                ..ArenaGameState::default()
            });
            planes.extend_from_slice(task.start.alive());
            planes.extend_from_slice(task.start.blue());
            planes.resize(planes.len() + 2 * task.start.size().plane_words(), 0);
        }
        let batch = gpu.checked(|| Batch::new(gpu, &kernel, &games, &states, &planes))?;
        let mut generations = 16;
        loop {
            if stop() {
                return Ok(None);
            }
            let started = Instant::now();
            batch.dispatch(gpu, &kernel, generations)?;
            let states = batch.states(gpu)?;
            if states.iter().all(|state| state.over != 0) {
                let mut read = Vec::with_capacity(planes.len());
                let bytes = 0..4 * planes.len() as u64;
                let planes = [(&batch.planes, bytes)];
                download(gpu, &planes, |_, words| read.extend_from_slice(words))?;
                let planes = read;
                return self.runs(tasks, &games, &states, &planes).map(Some);
            }
            let took = started.elapsed();
            if let Some(values) = &common {
                self.note_time(values, took, &kernel);
            }
            let aim = DISPATCH_TIME[usize::from(!gpu.is_software())];
            if took < aim / 2 {
                generations = (generations * 2).min(1 << 14);
            } else if took > aim * 2 {
                generations = (generations / 2).max(1);
            }
        }
    }

    /// The kernel of games with these values of the overrides in common, or of any games.
    fn kernel(&self, common: Option<&Vec<u32>>) -> Result<Kernel, EngineError> {
        let form = match common {
            Some(_) => None,
            None => Some(Form::General),
        };
        let values = common.cloned().unwrap_or_default();
        self.kernels.kernel(self.program, values, form)
    }

    /// Adds to the time spent on a rule, and requests a kernel with the rule folded in once that is long.
    fn note_time(&self, values: &[u32], took: Duration, kernel: &Kernel) {
        let mut time_spent = self
            .time_spent
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let time_spent = time_spent.entry(values.to_vec()).or_default();
        *time_spent += took;
        if *time_spent >= FOLD_AFTER {
            self.kernels.request(kernel);
        }
    }

    /// The results from what was read back.
    fn runs(
        &self,
        tasks: &[Task],
        games: &[ArenaGame],
        states: &[ArenaGameState],
        planes: &[u32],
    ) -> Result<Vec<Run>, EngineError> {
        let run = |((task, game), state): ((&Task, &ArenaGame), &ArenaGameState)| {
            let size = task.start.size();
            let (first, words) = (game.first_word as usize, size.plane_words());
            let alive = planes[first..first + words].to_vec();
            let blue = planes[first + words..first + 2 * words].to_vec();
            let board = LifelikeBoard::from_planes(size, alive, blue);
            Ok(Run {
                decided: state.decided.into(),
                stats: GenerationStats {
                    census: LifelikeCensus {
                        red: u64::from(state.decided_alive.saturating_sub(state.decided_blue)),
                        blue: state.decided_blue.into(),
                    },
                    period: match state.decided_period {
                        0 => None,
                        1 => Some(1),
                        _ => Some(2),
                    },
                },
                peak: LifelikeCensus {
                    red: state.peak_red.into(),
                    blue: state.peak_blue.into(),
                },
                board: board.map_err(|cause| EngineError::Damaged {
                    adapter: self.gpu().name().into(),
                    cause,
                })?,
            })
        };
        tasks.iter().zip(games).zip(states).map(run).collect()
    }
}

/// The values of the overrides, if all tasks have them in common.
fn common_values(tasks: &[Task]) -> Option<Vec<u32>> {
    let mut all = tasks.iter().map(|task| rule_constants(task.ruleset));
    let first = all.next()?;
    all.all(|other| other == first).then(|| first.to_vec())
}

/// The game of a task whose planes begin at `first_word`.
fn game(task: &Task, first_word: usize) -> ArenaGame {
    let size = task.start.size();
    let [seed_low, seed_high] = tie_seed(task.ruleset.ties);
    let [birth, survival, torus, ties] = rule_constants(task.ruleset);
    ArenaGame {
        width: size.width(),
        height: size.height(),
        row_words: size.row_words() as u32,
        first_word: first_word as u32,
        limit: task.limit,
        seed_low,
        seed_high,
        birth,
        survival,
        torus,
        ties,
        padding: 0,
    }
}

/// The buffers of tasks that are computed together.
struct Batch {
    groups: [u32; 2],
    games: u32,
    params: wgpu::Buffer,
    planes: wgpu::Buffer,
    states: wgpu::Buffer,
    bindings: wgpu::BindGroup,
}

impl Batch {
    fn new(
        gpu: &Gpu,
        kernel: &Kernel,
        games: &[ArenaGame],
        states: &[ArenaGameState],
        planes: &[u32],
    ) -> Self {
        let filled = |label, words: &[u32]| {
            let filled = buffer(gpu, label, 4 * words.len() as u64, plane_usage());
            upload(gpu, &filled, 0, words);
            filled
        };
        let params = buffer(
            gpu,
            "arena params",
            size_of::<ArenaParams>() as u64,
            wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        );
        let game_buffer = filled("arena games", bytemuck::cast_slice(games));
        let planes = filled("arena planes", planes);
        let count = games.len() as u32;
        let states = filled("arena states", bytemuck::cast_slice(states));
        let resources = [&params, &game_buffer, &planes, &states]
            .map(wgpu::Buffer::as_entire_binding)
            .to_vec();
        let bindings = bind(gpu, kernel, resources);
        let columns = count.min(gpu.limits().max_compute_workgroups_per_dimension);
        Self {
            groups: [columns, count.div_ceil(columns)],
            games: count,
            params,
            planes,
            states,
            bindings,
        }
    }

    /// Computes at most `generations` generations of the games that are not over.
    fn dispatch(&self, gpu: &Gpu, kernel: &Kernel, generations: u32) -> Result<(), EngineError> {
        let params = ArenaParams {
            games: self.games,
            generations,
            groups_x: self.groups[0],
            padding: 0,
        };
        gpu.queue
            .write_buffer(&self.params, 0, bytemuck::bytes_of(&params));
        let mut commands = Commands::new(gpu);
        let pass = commands.compute();
        pass.set_pipeline(kernel.pipeline());
        pass.set_bind_group(0, &self.bindings, &[]);
        pass.dispatch_workgroups(self.groups[0], self.groups[1], 1);
        let submission = commands.submit(gpu);
        gpu.wait(Some(submission))
    }

    fn states(&self, gpu: &Gpu) -> Result<Vec<ArenaGameState>, EngineError> {
        let words = self.games as usize * size_of::<ArenaGameState>() / 4;
        let mut read = Vec::with_capacity(words);
        let states = [(&self.states, 0..4 * words as u64)];
        download(gpu, &states, |_, words| read.extend_from_slice(words))?;
        Ok(bytemuck::cast_slice(&read).to_vec())
    }
}
