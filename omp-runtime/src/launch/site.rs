//! The static data that the macros place at a region, and its typed instances.
//!
//! A `static` in a generic function is shared by all instances of the function. This is right for the template's bytes. So the site has an
//! append-only list of typed instances. The key is the type of the closure that describes the types: rustc makes one for each
//! instance of the enclosing function, so types, const generics and associated consts distinguish instances.
use super::execute::args::{Scalars, value_of, word_of};
use super::execute::timing::Timing;
use super::outcome::fault::Fault;
use super::outcome::report::FallbackCount;
use super::plan::decisions::Recent;
use super::plan::inspect::Inspections;
use super::plan::replay::Replays;
use crate::backend::erased::{DynBuffer, DynKernel};
use crate::device::Dev;
use crate::error::Place;
use crate::host::loops::contended::Contended;
use crate::host::loops::pace::Pace;
use crate::typing::Describe;
use omp_ir::analysis::bounds;
use omp_ir::analysis::plan::{LaunchFacts, Nest, ScalarPart};
use omp_ir::desc::{Prim, TypeDesc};
use omp_ir::ids::{AccessId, ArrayId, ScalarId};
use omp_ir::kernel::{BoundsVerdict, Kernel, Reducer, RegionTypes};
use omp_ir::template::{Base, Check, KernelTemplate, NamedUpdate, ReduceOp, Stmt};
use omp_ir::visit;
use omp_kernels::back::Source;
use omp_kernels::schedule::{self, Schedule};
use omp_kernels::valid::{self, KernelInfo};
use std::any::TypeId;
use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

/// What the macros know of a region.
#[derive(Debug, Clone, Copy)]
pub struct SiteInfo {
    /// The serialised [`KernelTemplate`].
    pub template: &'static [u8],
    /// `file!()`.
    pub file: &'static str,
    /// Line of the directive.
    pub line: u32,
    /// Column of the directive.
    pub column: u32,
    /// The user's crate checks integer arithmetic for overflow.
    pub overflow_checks: bool,
}

/// A region in the user's program; a `static` in generated code.
#[derive(Debug)]
pub struct Site {
    info: SiteInfo,
    head: AtomicPtr<TypedSite>,
    /// Fallbacks of all its instances.
    pub(crate) fallbacks: FallbackCount,
    adding: Mutex<()>,
}

impl Site {
    /// A site without instances.
    ///
    /// # Safety
    /// The template is what the macros made of the loop that [`super::Region`] brings the data of: the launch proves subscripts
    /// and the order of iterations by it, and kernels are made of it.
    #[must_use]
    pub const unsafe fn new(info: SiteInfo) -> Self {
        Self {
            info,
            head: AtomicPtr::new(std::ptr::null_mut()),
            fallbacks: FallbackCount::new(),
            adding: Mutex::new(()),
        }
    }

    /// The instance of these types; `describe` describes them the first time.
    ///
    /// # Safety
    /// `describe` is a closure of the function that the site stands in. It describes the types that rustc has inferred for the template's
    /// slots, in their order, and calls nothing else.
    pub unsafe fn typed<F: FnOnce(&mut Describe)>(&'static self, describe: F) -> &'static TypedSite {
        let closure = type_id_of_val(&describe);
        if let Some(found) = self.find(closure) {
            return found;
        }
        let mut describe = Some(describe);
        self.add(closure, &mut |cx| {
            if let Some(describe) = describe.take() {
                describe(cx);
            }
        })
    }

    /// Adds an instance. (One copy for all regions of a program.)
    fn add(&'static self, closure: TypeId, describe: &mut dyn FnMut(&mut Describe)) -> &'static TypedSite {
        // Describing runs generated code only; no thread waits for a device under this lock.
        let _adding = lock(&self.adding);
        if let Some(found) = self.find(closure) {
            return found;
        }
        let mut cx = Describe::region(self.info.file);
        describe(&mut cx);
        let next = self.head.load(Ordering::Relaxed);
        // SAFETY: what the list holds was leaked by this function and is never freed.
        let next = unsafe { next.as_ref() };
        let typed: &'static TypedSite = Box::leak(Box::new(TypedSite::new(self, closure, cx, next)));
        // There are no writes through the pointer.
        self.head.store(std::ptr::from_ref(typed).cast_mut(), Ordering::Release);
        typed
    }

    fn find(&self, closure: TypeId) -> Option<&'static TypedSite> {
        // SAFETY: as above; `Acquire` pairs with the `Release` that published the entry.
        let mut at: Option<&'static TypedSite> = unsafe { self.head.load(Ordering::Acquire).as_ref() };
        while let Some(typed) = at {
            if typed.closure == closure {
                return Some(typed);
            }
            at = typed.next;
        }
        None
    }
}

/// The type id of a value's type, whose lifetimes are left out of account.
pub(crate) fn type_id_of_val<T>(_: &T) -> TypeId {
    type_id::<T>()
}

/// The type id of a type whose lifetimes are left out of account.
pub(crate) fn type_id<T>() -> TypeId {
    trait Erased {
        fn id(&self) -> TypeId
        where
            Self: 'static;
    }
    impl<T> Erased for PhantomData<T> {
        fn id(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<T>()
        }
    }
    let value = PhantomData::<T>;
    let erased: &dyn Erased = &value;
    // SAFETY: only the lifetime bound of the trait object changes. `id` accesses no data of `T`; a type id ignores
    // lifetimes.
    let erased = unsafe { std::mem::transmute::<&dyn Erased, &(dyn Erased + 'static)>(erased) };
    erased.id()
}

/// Ignores poisoning, which only shows a panic elsewhere: what these locks guard is consistent at every point.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A region with its types.
#[derive(Debug)]
pub struct TypedSite {
    pub(crate) site: &'static Site,
    closure: TypeId,
    next: Option<&'static TypedSite>,
    pub(crate) place: Place,
    /// The template, as far as it can be read.
    pub(crate) template: KernelTemplate,
    /// The arrays' names.
    pub(crate) names: Vec<String>,
    /// The arrays' element types, as rustc inferred them.
    pub(crate) elems: Vec<Option<&'static TypeDesc>>,
    /// The kernel, or why it can't go to any device.
    pub(crate) body: Result<Ready, String>,
    variants: RwLock<Vec<Variant>>,
    /// Launches before, by their numbers.
    pub(crate) recent: Recent,
    /// The launch plans of the last few tasks, for replays.
    pub(super) replays: Replays,
    /// Held while a variant is compiled.
    compiling: Mutex<()>,
    pub(super) inspections: Inspections,
    /// What rustc said of the types, and the kernel whose iterations claim what they touch although no clause says so.
    types: Option<RegionTypes>,
    claiming: OnceLock<Option<Ready>>,
    /// The update of a reduction item by a method or operator that may compute something else than its name says.
    pub(super) misnamed: Option<NamedUpdate>,
    /// The atomic accesses of a short body, which may be worth one thread of the host alone.
    pub(super) contended: Option<Contended>,
    /// What iterations took on the host.
    pub(super) pace: Pace,
}

/// A typed and validated region.
#[derive(Debug)]
pub(crate) struct Ready {
    pub kernel: Kernel,
    pub info: KernelInfo,
    /// By scalar: its integer type, if it is one that decides something.
    pub scalar_ints: Vec<Option<Prim>>,
    /// Subscripts that the host's parallel loop does not check.
    pub host_relies: Vec<AccessId>,
    /// The sizes for which it has kernels of their own.
    pub specialised: Specialised,
}

/// Sizes for which a region has kernels of their own: the first large ones. All others share one without, so that a program with
/// many sizes compiles few kernels.
#[derive(Debug, Default)]
pub(crate) struct Specialised {
    sizes: Mutex<Vec<Nest>>,
    /// Those of one iteration alone.
    parts: Mutex<Vec<Nest>>,
}

impl Specialised {
    /// So many.
    const MOST: usize = 4;

    /// Whether a launch with these sizes gets such a kernel.
    pub fn admits(&self, nest: Option<&Nest>) -> bool {
        let Some(nest) = nest.filter(|nest| schedule::is_specialised(nest)) else { return false };
        Self::is_known(&self.sizes, nest)
    }

    /// Whether a launch gets one for the sizes of an iteration.
    pub fn admits_parts(&self, nest: Option<&Nest>) -> bool {
        nest.and_then(schedule::sizes_of_parts).is_some_and(|sizes| Self::is_known(&self.parts, &sizes))
    }

    fn is_known(known: &Mutex<Vec<Nest>>, nest: &Nest) -> bool {
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() < Self::MOST && !known.contains(nest) {
            known.push(nest.clone());
        }
        known.contains(nest)
    }
}

#[derive(Debug)]
struct Variant {
    device: usize,
    schedule: Schedule,
    compiled: Result<Arc<Compiled>, Fault>,
}

/// A kernel that is loaded on a device.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub source: Source,
    pub kernel: DynKernel,
    /// Scratch memory of launches before that no launch uses.
    pub scratch: Mutex<Vec<Scratch>>,
    /// Whether its launches are timed by the device.
    pub timing: Timing,
}

impl Compiled {
    /// One that was not launched.
    pub(super) fn new(source: Source, kernel: DynKernel) -> Self {
        Self { source, kernel, scratch: Mutex::default(), timing: Timing::default() }
    }
}

/// Device memory that launches of a kernel use one after the other.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub status: Option<DynBuffer>,
    pub ticket: Option<DynBuffer>,
    pub result: Option<DynBuffer>,
    /// With their sizes.
    pub partials: Option<(DynBuffer, usize)>,
    pub copies: Option<(DynBuffer, usize)>,
    /// Zeroed when it was made.
    pub tiles: Option<(DynBuffer, usize)>,
}

impl TypedSite {
    /// What the region's `unsafe(…)` says: `disjoint(y), unchecked(x)`.
    pub(crate) fn promises(&self) -> Option<String> {
        let template = &self.template;
        let of = |word: &str, arrays: &[ArrayId]| {
            let names = arrays.iter().filter_map(|a| Some(&*template.arrays.get(a.index())?.name));
            (!arrays.is_empty()).then(|| format!("{word}({})", names.collect::<Vec<_>>().join(", ")))
        };
        let all = template.unchecked_all.then(|| "unchecked".to_owned());
        let said = [of("disjoint", &template.trust_disjoint), of("unchecked", &template.unchecked), all];
        let said: Vec<_> = said.into_iter().flatten().collect();
        (!said.is_empty()).then(|| said.join(", "))
    }

    fn new(
        site: &'static Site,
        closure: TypeId,
        described: Describe,
        next: Option<&'static TypedSite>,
    ) -> Self {
        let info = site.info;
        let (mut elems, mut answers, mut misnamed) = (Vec::new(), None, None);
        let (template, body) = match KernelTemplate::from_bytes(info.template) {
            Ok(template) => {
                misnamed = described.misnamed_update(&template);
                let body = described.finish().and_then(|types| {
                    elems.clone_from(&types.arrays);
                    answers = Some(types.clone());
                    valid::finalise(template.clone(), types, info.overflow_checks).map_err(|e| {
                        match e.place {
                            Some((line, column)) => {
                                format!("{} (at {}:{line}:{column})", e.message, info.file)
                            }
                            None => e.message,
                        }
                    })
                });
                let body = body.map(|(kernel, kernel_info)| Ready::new(kernel, kernel_info, &template));
                (template, body)
            }
            Err(e) => (empty_template(), Err(format!("its template can't be read: {e}"))),
        };
        Self {
            site,
            closure,
            next,
            place: Place {
                region: template.name.as_str().into(),
                file: info.file,
                line: info.line,
                column: info.column,
            },
            names: template.arrays.iter().map(|a| a.name.clone()).collect(),
            elems,
            contended: Contended::of(&template),
            pace: Pace::default(),
            template,
            body,
            variants: RwLock::default(),
            recent: Recent::default(),
            replays: Replays::default(),
            compiling: Mutex::default(),
            inspections: Inspections::default(),
            types: answers,
            misnamed,
            claiming: OnceLock::new(),
        }
    }

    /// The kernel with checks that no clause requests, if these facts need one. A loop that it can't check runs in order.
    pub(super) fn claiming(&'static self, facts: &mut LaunchFacts) -> Option<&'static Ready> {
        let requested = &self.template.check_disjoint;
        if facts.claims.iter().all(|array| requested.contains(array)) {
            return None;
        }
        let made = self.claiming.get_or_init(|| {
            let ready = self.body.as_ref().ok()?;
            let template = valid::claiming(&self.template, &ready.info.plan.checkable())?;
            let types = self.types.clone()?;
            let (kernel, info) =
                valid::finalise(template.clone(), types, self.site.info.overflow_checks).ok()?;
            Some(Ready::new(kernel, info, &template))
        });
        if made.is_none() {
            let (checked, ordered) =
                std::mem::take(&mut facts.claims).into_iter().partition(|array| requested.contains(array));
            facts.claims = checked;
            facts.ordered.extend::<BTreeSet<ArrayId>>(ordered);
        }
        made.as_ref()
    }

    /// Keeps a kernel that was made elsewhere.
    pub(super) fn keep(&self, device: &Dev, schedule: &Schedule, compiled: &Arc<Compiled>) {
        let variant =
            Variant { device: device.id, schedule: schedule.clone(), compiled: Ok(Arc::clone(compiled)) };
        let mut variants = self.variants.write().unwrap_or_else(PoisonError::into_inner);
        variants.retain(|v| v.device != device.id || v.schedule != *schedule);
        variants.push(variant);
    }

    /// The kernel for a device and schedule; `compile` makes it the first time. A kernel that can't be made is
    /// remembered as well.
    pub(crate) fn compiled(
        &self,
        device: &Dev,
        schedule: &Schedule,
        compile: impl FnOnce() -> Result<Compiled, Fault>,
    ) -> Result<Arc<Compiled>, Fault> {
        let find = || {
            let variants = self.variants.read().unwrap_or_else(PoisonError::into_inner);
            variants
                .iter()
                .find(|v| v.device == device.id && v.schedule == *schedule)
                .map(|v| v.compiled.clone())
        };
        if let Some(found) = find() {
            return found;
        }
        let _compiling = lock(&self.compiling);
        if let Some(found) = find() {
            return found;
        }
        let compiled = compile().map(Arc::new);
        let lasting = match &compiled {
            Ok(_) | Err(Fault::Unsupported(_)) => true,
            Err(Fault::Device { error, .. }) => {
                matches!(error, crate::backend::api::DeviceError::Compile { .. })
            }
            Err(Fault::BroughtBackInPart { .. } | Fault::Program(_)) => false,
        };
        if lasting {
            let variant =
                Variant { device: device.id, schedule: schedule.clone(), compiled: compiled.clone() };
            self.variants.write().unwrap_or_else(PoisonError::into_inner).push(variant);
        }
        compiled
    }
}

impl Ready {
    fn new(kernel: Kernel, info: KernelInfo, template: &KernelTemplate) -> Self {
        let starts = |i: usize| template.reductions.iter().any(|r| r.start.is_some_and(|s| s.index() == i));
        let ints =
            kernel.scalar_ty.iter().map(|t| kernel.types.prim(*t).filter(|p| p.is_int() && p.size() <= 8));
        let decides = |i: usize| info.plan.uses(ScalarId::new(i)) && !starts(i);
        let scalar_ints = ints.enumerate().map(|(i, p)| p.filter(|_| decides(i))).collect();
        let classes = bounds::at_compile_time(template);
        let relies = classes.iter().enumerate().filter(|(_, c)| c.affine && c.unconditional);
        let host_relies = relies.map(|(i, _)| AccessId::new(i)).collect();
        Self { kernel, info, scalar_ints, host_relies, specialised: Specialised::default() }
    }

    /// By scalar: its value, if it is an integer that decides something; after them, such numbers in captured structs.
    pub(crate) fn integers<'a>(&'a self, scalars: &'a Scalars) -> impl Iterator<Item = Option<i128>> + 'a {
        let whole = self
            .scalar_ints
            .iter()
            .enumerate()
            .map(|(i, prim)| prim.map(|prim| value_of(prim, scalars.bits(ScalarId::new(i)))));
        let part = |part: &ScalarPart| {
            let bytes = scalars.get(part.scalar).get(part.at..part.at + part.prim.size())?;
            Some(value_of(part.prim, word_of(bytes)))
        };
        whole.chain(self.info.plan.parts().iter().map(part))
    }

    /// A debug build in which the loop adds or multiplies integers up: only the serial loop overflows exactly where
    /// Rust does. (On a device such items wrap.)
    pub(crate) fn sums_are_checked(&self) -> bool {
        let reducers = &self.kernel.reducers;
        self.info.overflow_checks
            && reducers.iter().any(|r| match r {
                Reducer::Builtin(op, prim) => prim.is_int() && matches!(op, ReduceOp::Add | ReduceOp::Mul),
                Reducer::Declared { .. } => false,
            })
    }

    /// Whether a subscript of an array with a section is known to none of plan and launch.
    pub(crate) fn leaves_sections(&self, unproved: &BTreeSet<AccessId>) -> bool {
        let body = &self.kernel.body;
        let mut open = false;
        visit::each_stmt(&body.code.block, &mut |stmt| {
            if let Stmt::Check {
                check: Check::Bounds { access, base, .. } | Check::Slice { access, base, .. },
                ..
            } = stmt
                && let (Base::Array(a), true) = (base.base, base.projections.is_empty())
                && self.kernel.template.arrays[a.index()].section
            {
                open |= match body.bounds[access.index()] {
                    BoundsVerdict::Residual => true,
                    BoundsVerdict::AtLaunch => unproved.contains(access),
                    BoundsVerdict::Proved | BoundsVerdict::Trusted => false,
                };
            }
        });
        open
    }

    /// Whether every subscript that the host's parallel loop does not check is proved to be in bounds.
    pub(crate) fn host_is_safe(&self, unproved: &BTreeSet<AccessId>) -> bool {
        self.host_relies.iter().all(|access| match self.kernel.body.bounds.get(access.index()) {
            Some(BoundsVerdict::Proved | BoundsVerdict::Trusted) => true,
            Some(BoundsVerdict::AtLaunch) => !unproved.contains(access),
            Some(BoundsVerdict::Residual) | None => false,
        })
    }
}

fn empty_template() -> KernelTemplate {
    KernelTemplate {
        name: "?".to_owned(),
        arrays: Vec::new(),
        scalars: Vec::new(),
        dims: Vec::new(),
        reductions: Vec::new(),
        scan: None,
        inner_scans: false,
        code: omp_ir::template::Code::default(),
        fp: omp_ir::template::FpMode::default(),
        trust_disjoint: Vec::new(),
        check_disjoint: Vec::new(),
        unchecked: Vec::new(),
        unchecked_all: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omp_ir::analysis::plan::DimValues;

    #[test]
    fn the_first_large_sizes_have_kernels_of_their_own() {
        let product =
            |n: u64| Nest { loops: vec![DimValues { first: 0, step: 1, count: n }; 3], ..Nest::default() };
        let specialised = Specialised::default();
        assert!(!specialised.admits(None));
        assert!(!specialised.admits(Some(&product(64))), "the gain would not be measurable");
        let sizes = [2048, 1500, 2048, 4096, 3000, 8192, 1500, 5000, 4096];
        let admitted: Vec<bool> = sizes.iter().map(|n| specialised.admits(Some(&product(*n)))).collect();
        assert_eq!(admitted, [true, true, true, true, true, false, true, false, true]);
    }
}
