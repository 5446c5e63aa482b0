//! The runtime of omp-offload: devices, data, launches, caches and reports.
//!
//! User code sees what the facade crate `omp` re-exports from here: [`Error`], the runtime functions and the
//! reports. Generated code sees [`__private`]. Data flows one way: the macros' [`launch::Site`] and the types that
//! rustc infers ([`typing`]) make a [`launch::TypedSite`]; a [`launch::Region`] brings the data of one execution,
//! selects a device ([`device`]), finds or compiles the kernel ([`cache`]), moves the data ([`data`]), launches,
//! and reports ([`observe`]); or passes the loop to [`host`].
//!
//! Only `backend/cuda` knows cudarc and only `backend/opencl` opencl3; everything above speaks to
//! [`backend::erased::DynDevice`].

/// The `Debug` of a type without values of interest: its name.
macro_rules! shows_name {
    ([$($generics:tt)*] $ty:ty, $name:literal) => {
        impl<$($generics)*> ::std::fmt::Debug for $ty {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str($name)
            }
        }
    };
}

pub mod acc;
pub mod backend;
pub mod cache;
pub mod data;
pub mod device;
pub mod env;
pub mod error;
pub mod host;
pub mod launch;
pub mod observe;
pub mod task;
pub mod tune;
pub mod typing;

pub use crate::launch::outcome::report::{RegionReport, last_region};
pub use data::device_slice::{DeviceSlice, DeviceView, DeviceViewMut};
pub use data::directive::target_is_present;
pub use data::mapper::Mapper;
pub use device::DeviceInfo;
pub use device::api::{
    devices, get_default_device, get_initial_device, get_max_threads, get_num_devices, get_num_teams,
    get_num_threads, get_team_num, get_thread_num, get_wtime, is_initial_device, set_default_device,
    set_num_threads,
};
pub use error::Error;
pub use host::AtomicAccess;

/// What generated code names. Not part of the public interface: it changes without notice.
#[doc(hidden)]
pub mod __private {
    // Generated code reaches these through here: `extern crate self as core` in the user's crate says what `::core` is there.
    #[doc(hidden)]
    pub use ::{core, std};

    pub use crate::acc::{
        ASYNC_NOVAL, ASYNC_SYNC, init_from as acc_init, is_of as acc_is_of, set_from as acc_set,
        shutdown_from as acc_shutdown, wide,
    };
    pub use crate::data::HostArray;
    pub use crate::data::directive::region::DataRegion;
    pub use crate::data::directive::try_operator::Question;
    pub use crate::data::directive::work::{DataMap, Map};
    pub use crate::data::directive::{DataSite, Directive};
    #[cfg(feature = "ndarray")]
    pub use crate::data::mapper::ndarray::Standard;
    pub use crate::data::mapper::{
        Arrays, Elements, ElementsMut, MapField, MapItem, Mappable, Mapper, Name, Owner, PhantomIndex,
        Subscripted, pin_item,
    };
    pub use crate::host::*;
    pub use crate::launch::execute::timing::repeat_kernels;
    pub use crate::launch::outcome::report::fallbacks;
    pub use crate::launch::{
        ClauseInt, FromFailure, HostRun, Launched, Outcome, Region, Site, SiteInfo, TypedSite, they_met,
    };
    pub use crate::task::{
        Depends, Extent, ExtentOf, ExtentOfValue, Guarded, LostMemory, OmpE0407UsedByTasks, Slot as TaskSlot,
        TaskArray, TaskNumber, TaskShared, TaskValue, Tasks, Used, ended, task_never,
    };
    pub use crate::typing::*;

    /// The traits whose methods generated code calls, without names: one import brings them all.
    pub mod traits {
        pub use super::methods::{
            ByteArrays as _, ByteMethods as _, CharMethods as _, Compares as _, ContainerMethods as _,
            FloatMethods as _, FromBits as _, FromBytes as _, IntMethods as _, IntegerMethods as _,
            OptionMethods as _, OrdMethods as _, OrdReferences as _, OrderMethods as _, Orders as _,
            PartialOrdMethods as _, PrimMethods as _, RangeMethods as _, ReferenceMethods as _,
            ResultMethods as _, SignedMethods as _, SliceMethods as _, TotalOrder as _, UnsignedMethods as _,
            WordMethods as _,
        };
        #[cfg(feature = "num-traits")]
        pub use super::num::{
            NumAs as _, NumBounded as _, NumFloat as _, NumFloatConst as _, NumFloatValues as _,
            NumFrom as _, NumInt as _, NumOne as _, NumTo as _, NumZero as _,
        };
        pub use super::{
            All0 as _, All1 as _, AskArguments0 as _, AskArguments1 as _, AskEach0 as _, AskEach1 as _,
            AskHidden0 as _, AskHidden1 as _, AskHidden2 as _, AskHidden3 as _, AskLink0 as _, AskLink1 as _,
            AskLink2 as _, AskMethod0 as _, AskMethod1 as _, AskMethod2 as _, AskMethod3 as _,
            AskMethod4 as _, AskMethod5 as _, AskOp0 as _, AskOp1 as _, AskOpNone as _, AskParameter0 as _,
            AskParameter1 as _, AskSame0 as _, AskSame1 as _, AskUnary0 as _, AskUnary1 as _,
            AskUnaryNone as _, Contained0 as _, Contained1 as _, DefaultByName as _, FromByName as _,
            Known as _, Open as _, Peel0 as _, Peel1 as _, Place0 as _, Place1 as _, Place2 as _,
            Place3 as _, SeeValue0 as _, SeeValue1 as _, SeeValue2 as _, Tell0 as _, Tell1 as _, Tell2 as _,
            TellKonst0 as _, TellKonst1 as _, TellNamed0 as _, TellNamed1 as _, TellNoOperator as _,
            TellOp0 as _, TellOp1 as _, TellOp2 as _, TellOpNone as _, TellOpRefAndValue as _,
            TellOpRefs as _, TellOpRefsOfRefs as _, TellOpenOperator as _, TellOperator as _, Turned0 as _,
            Turned1 as _,
        };
        // Built-in methods are these traits' to the host, whatever prelude the user has.
        pub use core::{
            clone::Clone as _,
            cmp::{Ord as _, PartialOrd as _},
            convert::{Into as _, TryInto as _},
        };
    }

    /// Macros that directives know: a name that these make ambiguous is another's.
    pub mod std_macros {
        pub use std::{
            assert, assert_eq, assert_ne, cfg, column, concat, dbg, debug_assert, debug_assert_eq,
            debug_assert_ne, env, eprint, eprintln, file, format, format_args, include_bytes, include_str,
            line, matches, module_path, panic, print, println, stringify, todo, unimplemented, unreachable,
            vec, write, writeln,
        };
    }

    /// The same of what is called `core::…`.
    pub mod core_macros {
        pub use core::{
            assert, assert_eq, assert_ne, cfg, column, concat, debug_assert, debug_assert_eq,
            debug_assert_ne, env, file, format_args, include_bytes, include_str, line, matches, module_path,
            panic, stringify, todo, unimplemented, unreachable, write, writeln,
        };
    }
}
