//! What memory and arithmetic of a device allow, measured.

use std::time::Duration;

use web_time::Instant;

use super::commands::Commands;
use super::device::Gpu;
use super::kernels::roofline::{FUNCTIONS, ROOFLINE, RooflineParams};
use super::pipelines::Kernels;
use super::transfer::{bind, buffer, plane_usage, uniform};
use crate::engine::EngineError;
use crate::engine::roofline::Roofline;

/// A measurement is repeated with more work until it takes at least this long.
const LEAST_TIME: Duration = Duration::from_millis(40);

/// Bytes of each of the two buffers that are copied, at most.
const COPIED_BYTES: u64 = 512 << 20;

/// Rounds of a thread: loops of Mesa's llvmpipe have no more than 65,535 turns.
const ROUNDS: u32 = 1 << 11;

/// Workgroups that keep a large card busy.
const HARDWARE_GROUPS: u32 = 1 << 14;
const SOFTWARE_GROUPS: u32 = 1 << 6;

/// The most dispatches or copies of a measurement.
const MOST_TIMES: u32 = 1 << 12;

/// Measurements, of which the best counts: other work can only make them slower.
const MEASUREMENTS: u32 = 4;

impl Kernels {
    /// Measures the device, for some tenths of a second.
    ///
    /// # Errors
    /// [`EngineError::Device`] if it fails.
    pub fn roofline(&self) -> Result<Roofline, EngineError> {
        Ok(Roofline {
            bytes_per_second: self.bytes_per_second()?,
            functions_per_second: self.functions_per_second()?,
        })
    }

    fn bytes_per_second(&self) -> Result<f64, EngineError> {
        let gpu = self.gpu();
        let bytes = COPIED_BYTES.min(gpu.largest_plane()) / 4 * 4;
        let [from, to] =
            gpu.checked(|| ["from", "to"].map(|label| buffer(gpu, label, bytes, plane_usage())))?;
        let runs_per_second = runs_per_second(gpu, |commands| {
            commands.copy(&from, 0..bytes, &to, 0);
        })?;
        Ok(2.0 * bytes as f64 * runs_per_second)
    }

    fn functions_per_second(&self) -> Result<f64, EngineError> {
        let gpu = self.gpu();
        let kernel = self.kernel(&ROOFLINE, Vec::new(), None)?;
        let groups = match gpu.is_software() {
            true => SOFTWARE_GROUPS,
            false => HARDWARE_GROUPS,
        };
        let threads = groups * ROOFLINE.workgroup;
        let params = RooflineParams {
            rounds: ROUNDS,
            seed: 1,
        };
        let group = gpu.checked(|| {
            let params = uniform(gpu, "logic params", bytemuck::bytes_of(&params));
            let results = buffer(gpu, "logic", u64::from(threads) * 4, plane_usage());
            let resources = [&params, &results].map(wgpu::Buffer::as_entire_binding);
            bind(gpu, &kernel, resources.to_vec())
        })?;
        let runs_per_second = runs_per_second(gpu, |commands| {
            let pass = commands.compute();
            pass.set_pipeline(kernel.pipeline());
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(groups, 1, 1);
        })?;
        let functions = u64::from(threads) * u64::from(ROUNDS) * u64::from(FUNCTIONS);
        Ok(functions as f64 * runs_per_second)
    }
}

/// How often a second the device does what is recorded.
fn runs_per_second(gpu: &Gpu, mut record: impl FnMut(&mut Commands)) -> Result<f64, EngineError> {
    let mut times = 1;
    let mut best: f64 = 0.0;
    let mut measured = 0;
    loop {
        let mut commands = Commands::new(gpu);
        for _ in 0..times {
            record(&mut commands);
        }
        let since = Instant::now();
        commands.submit(gpu);
        gpu.wait(None)?;
        let took = since.elapsed();
        best = best.max(f64::from(times) / took.as_secs_f64());
        if took < LEAST_TIME && times < MOST_TIMES {
            times *= 2;
            continue;
        }
        measured += 1;
        if measured == MEASUREMENTS {
            return Ok(best);
        }
    }
}
