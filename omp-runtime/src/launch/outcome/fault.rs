//! Reasons why a region can't run on its device, and the consequence: fallback to the host, or an error.
use crate::backend::api::DeviceError;
use crate::data::mapping::MappingError;
use crate::data::section::Mapped;
use crate::device::Dev;
use crate::error::{Error, Mapping, Place};
use std::path::PathBuf;

/// What stopped a region on a device.
#[derive(Debug, Clone)]
pub enum Fault {
    /// The kernel can't be expressed for this device.
    Unsupported(String),
    /// The device failed before anything came back; the host can still run the region.
    Device {
        /// What it said.
        error: DeviceError,
        /// For which array, if it was for one.
        array: Option<usize>,
        /// Where the source was written.
        source: Option<PathBuf>,
    },
    /// The copy back failed half-way: the host's data is no longer what the region started from.
    BroughtBackInPart {
        /// What the device said.
        error: DeviceError,
        /// For which array.
        array: usize,
    },
    /// A mistake in the user's program; the host would make it too.
    Program(Error),
}

impl From<MappingError> for Fault {
    fn from(MappingError { array, error }: MappingError) -> Self {
        Self::Device { error, array: Some(array), source: None }
    }
}

impl From<DeviceError> for Fault {
    fn from(error: DeviceError) -> Self {
        Self::Device { error, array: None, source: None }
    }
}

impl Fault {
    /// In a sentence, for the report of a fallback.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            Self::Unsupported(reason) => reason.clone(),
            Self::Device { error, source: Some(path), .. } => {
                format!("{error}\n  source: {}", path.display())
            }
            Self::Device { error, .. } | Self::BroughtBackInPart { error, .. } => error.to_string(),
            Self::Program(error) => error.to_string(),
        }
    }

    /// The device's words when it has failed for good.
    #[must_use]
    pub fn lost(&self) -> Option<&str> {
        match self {
            Self::Device { error: DeviceError::Lost { reason }, .. }
            | Self::BroughtBackInPart { error: DeviceError::Lost { reason }, .. } => Some(reason),
            Self::Device { .. }
            | Self::BroughtBackInPart { .. }
            | Self::Unsupported(_)
            | Self::Program(_) => None,
        }
    }

    /// The device has no memory left.
    #[must_use]
    pub fn is_out_of_memory(&self) -> bool {
        matches!(self, Self::Device { error: DeviceError::OutOfMemory { .. }, .. })
    }

    /// Whether the host may run the region instead.
    #[must_use]
    pub fn host_can(&self) -> bool {
        match self {
            Self::Unsupported(_) | Self::Device { .. } => true,
            Self::BroughtBackInPart { .. } | Self::Program(_) => false,
        }
    }

    /// As the user's error.
    #[must_use]
    pub fn into_error(
        self,
        place: &'static Place,
        device: &Dev,
        names: &[String],
        arrays: &[Mapped],
    ) -> Error {
        let said = |reason| device.said(reason);
        let largest = if self.is_out_of_memory() { largest(device, names, arrays) } else { Vec::new() };
        let device = device.label();
        let (error, array, source) = match self {
            Self::Program(error) => return error,
            Self::Unsupported(reason) => return Error::Mandatory { place, reasons: vec![(device, reason)] },
            Self::Device { error, array, source } => (error, array, source),
            Self::BroughtBackInPart { error, array } => (error, Some(array), None),
        };
        let variable = array.and_then(|i| names.get(i).cloned());
        match error {
            DeviceError::OutOfMemory { requested, free } => {
                Error::OutOfMemory { place, device, variable, requested, free, largest }
            }
            DeviceError::Compile { log } => Error::Compile { place, device, log, source },
            DeviceError::Transfer { reason } => Error::Transfer {
                place,
                device,
                variable: variable.unwrap_or_else(|| "status".into()),
                reason: said(reason),
            },
            DeviceError::BadBinary { reason } | DeviceError::Launch { reason } => {
                Error::Launch { place, device, reason: said(reason) }
            }
            DeviceError::Lost { reason } => Error::DeviceLost { place, device, reason: said(reason) },
        }
    }
}

/// An array's mapping, for messages.
#[must_use]
pub fn mapping(name: &str, mapped: &Mapped) -> Mapping {
    Mapping { variable: name.to_owned(), elements: mapped.section, bytes: mapped.bytes() }
}

/// The largest of what is mapped for the region and what data directives have left on the device.
fn largest(device: &Dev, names: &[String], arrays: &[Mapped]) -> Vec<Mapping> {
    let mut all: Vec<Mapping> = names.iter().zip(arrays).map(|(n, m)| mapping(n, m)).collect();
    let present = device.present.list().into_iter().map(|row| {
        let bytes = u64::try_from(row.addresses.1 - row.addresses.0).unwrap_or(u64::MAX);
        Mapping { variable: row.variable, elements: row.elements, bytes }
    });
    let present: Vec<Mapping> = present.filter(|row| !all.contains(row)).collect();
    all.extend(present);
    all.sort_by_key(|m| std::cmp::Reverse(m.bytes));
    all.truncate(3);
    all
}
