//! An open device: waiting for it, and turning its failures into errors.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use web_time::Instant;
use wgpu::{AdapterInfo, DeviceType, Limits, PollType};

use crate::engine::EngineError;

/// How long a wait with a time limit sleeps between two polls.
const POLL_INTERVAL: Duration = Duration::from_micros(200);

/// An open device.
pub struct Gpu {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    instance: wgpu::Instance,
    adapter: wgpu::Adapter,
    info: AdapterInfo,
    /// The first error that the device reported outside an error scope.
    failure: Arc<Mutex<Option<String>>>,
}

/// What a window shares with the engines: everything is drawn by the device that computes.
#[derive(Clone, Debug)]
pub struct Handles {
    /// Creates surfaces.
    pub instance: wgpu::Instance,
    /// The adapter of the device.
    pub adapter: wgpu::Adapter,
    /// The open device.
    pub device: wgpu::Device,
    /// Its only queue: what is submitted first is done first.
    pub queue: wgpu::Queue,
}

/// Bytes of the largest plane that one binding holds.
pub(super) fn largest_plane(limits: &Limits) -> u64 {
    limits
        .max_storage_buffer_binding_size
        .min(limits.max_buffer_size)
}

/// The first line of a driver's message.
fn one_line(message: &str) -> String {
    let lines: Vec<&str> = message.lines().map(str::trim).collect();
    lines.join(" ").trim().to_owned()
}

impl Gpu {
    /// Opens an adapter with all of its limits and features that engines use.
    ///
    /// # Errors
    /// [`EngineError::Device`] if the driver refuses.
    pub(super) fn open(
        instance: wgpu::Instance,
        adapter: wgpu::Adapter,
    ) -> Result<Arc<Self>, EngineError> {
        let info = adapter.get_info();
        let request = adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("duolife"),
            required_limits: adapter.limits(),
            required_features: adapter.features() & wgpu::Features::SUBGROUP,
            ..Default::default()
        });
        let (device, queue) = pollster::block_on(request).map_err(|error| EngineError::Device {
            adapter: info.name.clone(),
            message: one_line(&error.to_string()),
        })?;
        let failure = Arc::new(Mutex::new(None));
        let record = |message: String, failure: &Mutex<Option<String>>| {
            let mut first = failure.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert(one_line(&message));
        };
        let sink = Arc::clone(&failure);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            record(error.to_string(), &sink);
        }));
        let sink = Arc::clone(&failure);
        device.set_device_lost_callback(move |reason, message| {
            record(format!("device lost ({reason:?}) {message}"), &sink);
        });
        Ok(Arc::new(Self {
            device,
            queue,
            instance,
            adapter,
            info,
            failure,
        }))
    }

    /// The adapter's name.
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// The driver, its version, and how it is reached.
    pub fn driver(&self) -> String {
        let info = &self.info;
        let backend = info.backend.to_string();
        [info.driver.as_str(), &info.driver_info, &backend].join(" ")
    }

    /// Whether the device computes on the CPU.
    pub fn is_software(&self) -> bool {
        self.info.device_type == DeviceType::Cpu
    }

    /// The limits of the device.
    pub fn limits(&self) -> Limits {
        self.device.limits()
    }

    /// Workgroups of a dispatch, in each dimension.
    pub(super) fn most_groups(&self) -> u32 {
        self.limits().max_compute_workgroups_per_dimension
    }

    /// Whether threads of a subgroup can exchange values without memory.
    pub fn has_subgroups(&self) -> bool {
        self.device.features().contains(wgpu::Features::SUBGROUP)
    }

    /// Threads per subgroup, if all subgroups have the same number.
    pub(super) fn subgroup(&self) -> Option<u32> {
        let (least, most) = (self.info.subgroup_min_size, self.info.subgroup_max_size);
        (self.has_subgroups() && least == most).then_some(least)
    }

    /// Bytes of the largest plane that can be bound.
    pub fn largest_plane(&self) -> u64 {
        largest_plane(&self.device.limits())
    }

    /// The device itself, for drawing.
    pub fn handles(&self) -> Handles {
        Handles {
            instance: self.instance.clone(),
            adapter: self.adapter.clone(),
            device: self.device.clone(),
            queue: self.queue.clone(),
        }
    }

    /// The first error of the device, in one line, if it has failed.
    pub fn failure(&self) -> Option<String> {
        self.failure
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Releases the device even if engines still use it: every call of theirs fails from now on.
    pub fn destroy(&self) {
        self.device.destroy();
    }

    /// Runs `make` and returns the first error that the device reports meanwhile.
    pub(super) fn checked<T>(&self, make: impl FnOnce() -> T) -> Result<T, EngineError> {
        self.attempt(make)
            .map_err(|error| self.error(&error.to_string()))
    }

    /// Like [`checked`](Self::checked), with the error as wgpu has it.
    pub(super) fn attempt<T>(&self, make: impl FnOnce() -> T) -> Result<T, wgpu::Error> {
        let filters = [
            wgpu::ErrorFilter::Internal,
            wgpu::ErrorFilter::OutOfMemory,
            wgpu::ErrorFilter::Validation,
        ];
        let scopes = filters.map(|filter| self.device.push_error_scope(filter));
        let made = make();
        // All scopes, the innermost first, even if one has caught something.
        let mut caught = None;
        for scope in scopes.into_iter().rev() {
            let error = pollster::block_on(scope.pop());
            caught = caught.or(error);
        }
        match caught {
            Some(error) => Err(error),
            None => Ok(made),
        }
    }

    /// Waits until a submission is done (the latest, if none is named) and reports any failure.
    pub(super) fn wait(
        &self,
        submission: Option<wgpu::SubmissionIndex>,
    ) -> Result<(), EngineError> {
        let waited = self.device.poll(PollType::Wait {
            submission_index: submission,
            timeout: None,
        });
        self.check()?;
        waited.map_err(|error| self.error(&error.to_string()))?;
        Ok(())
    }

    /// Waits until submitted work has signalled `done`, but no longer than `most`. Returns whether it has.
    ///
    /// Polls, since a wait of wgpu with a time limit fails where several threads wait on one device.
    pub(super) fn wait_for(
        &self,
        done: &mpsc::Receiver<()>,
        most: Duration,
    ) -> Result<bool, EngineError> {
        let since = Instant::now();
        loop {
            self.is_idle()?;
            let left = most.saturating_sub(since.elapsed());
            match done.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(()) => return Ok(true),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Ok(false),
                Err(RecvTimeoutError::Timeout) => {}
                Err(error) => return Err(self.error(&error.to_string())),
            }
        }
    }

    /// Whether all submitted work is done.
    pub(super) fn is_idle(&self) -> Result<bool, EngineError> {
        let polled = self.device.poll(PollType::Poll);
        self.check()?;
        match polled {
            Ok(status) => Ok(status.is_queue_empty()),
            Err(error) => Err(self.error(&error.to_string())),
        }
    }

    fn check(&self) -> Result<(), EngineError> {
        match self.failure() {
            Some(message) => Err(self.error(&message)),
            None => Ok(()),
        }
    }

    /// An error of this device.
    pub(crate) fn error(&self, message: &str) -> EngineError {
        EngineError::Device {
            adapter: self.info.name.clone(),
            message: one_line(message),
        }
    }
}
