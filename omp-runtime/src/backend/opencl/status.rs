//! OpenCL status codes as our errors.
use crate::backend::api::DeviceError;
use opencl3::error_codes::{
    CL_DEVICE_NOT_AVAILABLE, CL_INVALID_BUFFER_SIZE, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY,
    CL_OUT_OF_RESOURCES, ClError,
};

/// A status code that is not success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault(pub(super) i32);

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", ClError(self.0), self.0)
    }
}

impl Fault {
    /// The device is gone.
    pub(super) fn lost(self) -> bool {
        self.0 == CL_DEVICE_NOT_AVAILABLE
    }

    /// Memory ran out, or was requested in one piece that is too large.
    pub(super) fn no_memory(self) -> bool {
        [CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, CL_INVALID_BUFFER_SIZE]
            .contains(&self.0)
    }

    /// As the failure of a copy.
    pub(super) fn transfer(self, what: &str) -> DeviceError {
        let reason = format!("{what}: {self}");
        if self.lost() { DeviceError::Lost { reason } } else { DeviceError::Transfer { reason } }
    }

    /// As the failure of a launch or of launched work.
    pub(super) fn launch(self, what: &str) -> DeviceError {
        let reason = format!("{what}: {self}");
        if self.lost() { DeviceError::Lost { reason } } else { DeviceError::Launch { reason } }
    }
}
