//! Which device a region uses.
//!
//! | requested | used |
//! |---|---|
//! | `if(false)`, `device(get_initial_device())`, `device(-1)` | the host, also under `mandatory` |
//! | `OMP_TARGET_OFFLOAD=disabled` | the host, whatever the number |
//! | `device(n)`, `set_default_device(n)`, `OMP_DEFAULT_DEVICE=n` | device `n`; an error if there is none |
//! | nothing | the first GPU; an OpenCL CPU under `OMP_BACKEND=opencl` or `mandatory`; else the host |
//!
//! When `OMP_BACKEND` names a backend that has no device, or `mandatory` finds none, the error lists the reasons.
use super::registry::Registry;
use crate::env::{BackendChoice, Env, OffloadPolicy};

/// Where a region runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// On the device of this number.
    Device(usize),
    /// On the host, as requested.
    Host,
    /// There is no device although one was requested: the host, or an error under `mandatory`.
    Missing(Vec<(String, String)>),
    /// No device has this number.
    NoSuch(i128),
}

/// What a region says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeviceClauses {
    /// `device(e)`.
    pub device: Option<i128>,
    /// `if(e)` was false.
    pub not_if: bool,
}

/// The number that stands for "the host" in OpenMP (`omp_initial_device`).
const INITIAL: i128 = -1;

/// Chooses. `default` is what this thread set by `set_default_device`.
#[must_use]
pub fn select(registry: &Registry, env: &Env, default: Option<usize>, requested: DeviceClauses) -> Choice {
    if requested.not_if || env.offload == OffloadPolicy::Disabled {
        return Choice::Host;
    }
    if let Some(number) = requested.device {
        return numbered(registry, number);
    }
    if let Some(number) = default.or(env.default_device) {
        return numbered(registry, number as i128);
    }
    if let Some(gpu) = registry.first_gpu() {
        return Choice::Device(gpu);
    }
    let mandatory = env.offload == OffloadPolicy::Mandatory;
    let named = matches!(env.backend, BackendChoice::Cuda | BackendChoice::OpenCl);
    if registry.count() > 0 && (mandatory || env.backend == BackendChoice::OpenCl) {
        return Choice::Device(0);
    }
    if mandatory || named {
        return Choice::Missing(registry.reasons());
    }
    Choice::Host
}

fn numbered(registry: &Registry, number: i128) -> Choice {
    if number == INITIAL {
        return Choice::Host;
    }
    // A first CUDA device answers without a look at OpenCL.
    match usize::try_from(number) {
        Ok(n) if registry.get(n).is_some() => Choice::Device(n),
        Ok(n) if n == registry.count() => Choice::Host,
        _ => Choice::NoSuch(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::mock::Mock;
    use crate::backend::{Unavailable, erased::erase};
    use omp_kernels::schedule::DeviceKind;

    fn registry(cuda: usize, gpus: usize, cpus: usize) -> Registry {
        Registry::new(
            Box::new(move || match cuda {
                0 => Err(Unavailable { reason: "libcuda.so.1 was not found".into() }),
                n => Ok((0..n).map(|_| erase(Mock::of_kind(DeviceKind::Cuda))).collect()),
            }),
            Box::new(move || {
                // A driver may list CPUs first.
                let cpus = (0..cpus).map(|_| erase(Mock::of_kind(DeviceKind::OpenClCpu)));
                Ok(cpus.chain((0..gpus).map(|_| erase(Mock::of_kind(DeviceKind::OpenClGpu)))).collect())
            }),
        )
    }

    fn env(text: &[(&str, &str)]) -> Env {
        Env::parse(|n| text.iter().find(|(k, _)| *k == n).map(|(_, v)| (*v).to_owned())).expect("well formed")
    }

    #[test]
    fn gpus_come_before_cpus() {
        let r = registry(1, 1, 1);
        let kinds: Vec<_> = r.iter().map(|d| d.handle.facts().class.kind).collect();
        assert_eq!(kinds, [DeviceKind::Cuda, DeviceKind::OpenClGpu, DeviceKind::OpenClCpu]);
        assert_eq!(r.count(), 3);
    }

    #[test]
    fn selection() {
        use Choice::{Device, Host, NoSuch};
        let no = DeviceClauses::default();
        let dev = |n| DeviceClauses { device: Some(n), not_if: false };
        let none: &[(&str, &str)] = &[];
        let mandatory = &[("OMP_TARGET_OFFLOAD", "mandatory")][..];
        let disabled = &[("OMP_TARGET_OFFLOAD", "disabled")][..];
        let opencl = &[("OMP_BACKEND", "opencl")][..];
        let second = &[("OMP_DEFAULT_DEVICE", "1")][..];
        for ((cuda, gpus, cpus), text, default, requested, expected) in [
            ((0, 0, 0), none, None, no, Host),
            ((2, 0, 1), none, None, no, Device(0)),
            ((0, 1, 1), none, None, no, Device(0)),
            ((0, 0, 1), none, None, no, Host),
            ((0, 0, 1), none, None, dev(0), Device(0)),
            ((0, 0, 1), none, None, dev(1), Host),
            ((0, 0, 1), none, None, dev(-1), Host),
            ((0, 0, 1), none, None, dev(2), NoSuch(2)),
            ((0, 0, 1), none, None, dev(-2), NoSuch(-2)),
            ((0, 0, 1), none, Some(0), no, Device(0)),
            ((0, 0, 1), opencl, None, no, Device(0)),
            ((0, 0, 1), mandatory, None, no, Device(0)),
            ((1, 0, 1), mandatory, None, dev(2), Host),
            ((1, 0, 0), disabled, None, no, Host),
            ((1, 0, 0), disabled, None, dev(5), Host),
            ((1, 1, 0), second, None, no, Device(1)),
            ((1, 1, 0), second, Some(0), no, Device(0)),
            ((1, 0, 0), second, None, no, Host),
            ((0, 0, 0), second, None, no, NoSuch(1)),
        ] {
            let got = select(&registry(cuda, gpus, cpus), &env(text), default, requested);
            assert_eq!(got, expected, "{cuda} {gpus} {cpus} {text:?} {default:?} {requested:?}");
        }
        let off = DeviceClauses { device: Some(9), not_if: true };
        assert_eq!(select(&registry(1, 0, 0), &env(mandatory), None, off), Host);
    }

    #[test]
    fn missing_devices_say_why() {
        for text in [&[("OMP_TARGET_OFFLOAD", "mandatory")][..], &[("OMP_BACKEND", "cuda")]] {
            match select(&registry(0, 0, 0), &env(text), None, DeviceClauses::default()) {
                Choice::Missing(reasons) => {
                    assert!(reasons[0].1.contains("libcuda.so.1"), "{reasons:?}");
                    assert_eq!(reasons[1].1, "it has no device");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
