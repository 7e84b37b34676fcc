//! The adapters of this machine: listed, selected and opened.

use std::sync::Arc;

use wgpu::{AdapterInfo, Backends, DeviceType, Limits};

use super::device::{Gpu, largest_plane};
use crate::engine::EngineError;

/// How much of a device's memory may be allocated, in percent of what its driver reports.
const MEMORY_PERCENT: u8 = 95;

/// An adapter that could be opened.
pub struct Adapter {
    instance: wgpu::Instance,
    adapter: wgpu::Adapter,
    /// Its place among the adapters of this machine, from 1.
    pub number: usize,
}

/// Which adapter to open.
#[derive(Clone, Debug, Default)]
pub struct AdapterSelector {
    /// The adapter's number, its backend, or a part of its name, case ignored. The best adapter if absent.
    pub name: Option<String>,
    /// Only adapters that are hardware.
    pub hardware_only: bool,
}

/// The adapter that was selected.
pub struct SelectedAdapter {
    /// The first of those that fit.
    pub adapter: Adapter,
    /// How many others fit the name.
    pub others: usize,
}

/// All adapters of this machine, the most capable kind first.
pub fn adapters() -> Vec<Adapter> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    // Allocations fail before the memory is used up, where the driver reports how much there is.
    descriptor.memory_budget_thresholds.for_resource_creation = Some(MEMORY_PERCENT);
    let instance = wgpu::Instance::new(descriptor);
    let mut found = pollster::block_on(instance.enumerate_adapters(Backends::all()));
    // A stable sort: the drivers' own order decides between equals.
    found.sort_by_key(|found| match found.get_info().device_type {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    });
    let numbered = (1..).zip(found);
    numbered
        .map(|(number, adapter)| Adapter {
            instance: instance.clone(),
            adapter,
            number,
        })
        .collect()
}

impl Adapter {
    /// Name, kind and driver.
    pub fn info(&self) -> AdapterInfo {
        self.adapter.get_info()
    }

    /// The limits of the adapter.
    pub fn limits(&self) -> Limits {
        self.adapter.limits()
    }

    /// Whether the adapter computes on the CPU.
    pub fn is_software(&self) -> bool {
        self.info().device_type == DeviceType::Cpu
    }

    /// Bytes of the largest plane that can be bound.
    pub fn largest_plane(&self) -> u64 {
        largest_plane(&self.limits())
    }

    /// Whether a selector names it.
    fn is_named(&self, name: &str) -> bool {
        let info = self.info();
        is_named(name, self.number, &info.name, &info.backend.to_string())
    }

    /// Opens the adapter with all of its limits and features that engines use.
    ///
    /// # Errors
    /// [`EngineError::Device`] if the driver refuses.
    pub fn open(self) -> Result<Arc<Gpu>, EngineError> {
        Gpu::open(self.instance, self.adapter)
    }
}

/// The adapter that a selector names.
///
/// # Errors
/// [`EngineError::NoAdapter`], [`EngineError::UnknownAdapter`] or [`EngineError::NoHardware`].
pub fn select_adapter(selector: &AdapterSelector) -> Result<SelectedAdapter, EngineError> {
    let all = adapters();
    if all.is_empty() {
        return Err(EngineError::NoAdapter);
    }
    let list: Vec<String> = all
        .iter()
        .map(|found| format!("{} {}", found.number, found.info().name))
        .collect();
    let fits = |found: &Adapter| {
        let name = selector.name.as_ref();
        name.is_none_or(|name| found.is_named(name))
            && !(selector.hardware_only && found.is_software())
    };
    let mut fitting = all.into_iter().filter(fits);
    match fitting.next() {
        Some(adapter) => Ok(SelectedAdapter {
            adapter,
            others: fitting.count(),
        }),
        None => {
            let found = list.join(", ");
            Err(match &selector.name {
                Some(name) => EngineError::UnknownAdapter {
                    name: name.clone(),
                    found,
                },
                None => EngineError::NoHardware { found },
            })
        }
    }
}

/// Whether an adapter is meant by `wanted`: its number, its backend, or a part of its name.
fn is_named(wanted: &str, number: usize, name: &str, backend: &str) -> bool {
    let wanted = wanted.trim().to_lowercase();
    if let Ok(wanted) = wanted.parse::<usize>() {
        return wanted == number;
    }
    !wanted.is_empty() && (name.to_lowercase().contains(&wanted) || backend == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_adapter_is_named_by_number_backend_or_part_of_its_name() {
        let named = |wanted| is_named(wanted, 2, "Some Card (LLVM 15.0.6, 256 bits)", "vulkan");
        for wanted in ["2", " 2 ", "some card", "CARD", "llvm 15", "Vulkan"] {
            assert!(named(wanted), "{wanted:?}");
        }
        // Digits in a name are no number.
        for wanted in ["1", "15", "256", "0", "", " ", "other", "gl", "vulka"] {
            assert!(!named(wanted), "{wanted:?}");
        }
    }
}
