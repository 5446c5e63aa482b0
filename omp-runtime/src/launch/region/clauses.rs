//! Clauses about how a region runs: generated code passes their values.
use super::Region;
use crate::device::select::DeviceClauses;
use crate::host::loops::schedule::Schedule;
use omp_kernels::schedule::Pins;
use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;

/// The values of the clauses of an execution, except those of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::launch) struct Clauses {
    pub num_teams: Option<i128>,
    pub thread_limit: Option<i128>,
    pub num_threads: Option<i128>,
    pub num_gangs: Option<i128>,
    pub num_workers: Option<i128>,
    /// If iterations conflict, the region is not run.
    pub yields: bool,
    pub vector_length: Option<i128>,
    pub simdlen: Option<i128>,
    pub schedule: Option<Schedule>,
    pub chunk: Option<i128>,
    pub team_chunk: Option<i128>,
    pub pins: Pins,
    pub unroll_all: bool,
    /// A host loop: no device is looked for.
    pub host_only: bool,
    pub requested: DeviceClauses,
}

/// The clauses of an execution. Most regions have none, and those that are launched repeatedly are made and compared each time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::launch) struct SomeClauses(Option<Box<Clauses>>);

impl Deref for SomeClauses {
    type Target = Clauses;

    fn deref(&self) -> &Clauses {
        static NONE: LazyLock<Clauses> = LazyLock::new(Clauses::default);
        self.0.as_deref().unwrap_or(&NONE)
    }
}

impl DerefMut for SomeClauses {
    fn deref_mut(&mut self) -> &mut Clauses {
        self.0.get_or_insert_default()
    }
}

/// The types that clause expressions may have: all integers.
#[diagnostic::on_unimplemented(
    message = "a clause takes an integer, not `{Self}` [omp::E0205]",
    label = "not an integer",
    note = "help: any integer type will do; cast others: `n as usize`"
)]
pub trait ClauseInt: Copy {
    /// The value; what is beyond `i128` saturates.
    fn wide(self) -> i128;
}

macro_rules! clause_ints {
    ($($t:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl ClauseInt for $t {
            #[inline]
            fn wide(self) -> i128 {
                i128::try_from(self).unwrap_or(i128::MAX)
            }
        }
    )* };
}
clause_ints!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

thread_local! {
    static MET: Cell<bool> = const { Cell::new(false) };
}

/// Whether the previous region of this thread was not run, because its iterations conflict.
#[must_use]
pub fn they_met() -> bool {
    MET.take()
}

/// The lanes of a worker where `num_workers` stands alone.
const DEFAULT_LANES: i128 = 32;

/// An upper bound of OpenACC's: the greatest number is none, where `device_type` says nothing of a kind of devices.
fn bound(n: impl ClauseInt) -> Option<i128> {
    Some(n.wide()).filter(|n| *n != i128::MAX)
}

/// What a pin can hold; what is below one becomes zero, which is refused.
fn narrow(n: impl ClauseInt) -> u32 {
    u32::try_from(n.wide().clamp(0, 1 << 30)).unwrap_or(0)
}

impl Region {
    /// `num_teams(e)`
    pub fn num_teams(&mut self, n: impl ClauseInt) {
        self.clauses.num_teams = Some(n.wide());
    }

    /// `thread_limit(e)`
    pub fn thread_limit(&mut self, n: impl ClauseInt) {
        self.clauses.thread_limit = Some(n.wide());
    }

    /// `num_threads(e)`
    pub fn num_threads(&mut self, n: impl ClauseInt) {
        self.clauses.num_threads = Some(n.wide());
    }

    /// OpenACC's `num_gangs(e)`: teams.
    pub fn num_gangs(&mut self, n: impl ClauseInt) {
        let gangs = bound(n);
        self.clauses.num_gangs = gangs;
        self.clauses.num_teams = gangs;
    }

    /// OpenACC's `num_workers(e)`: with the lanes of a worker, the threads of a team.
    pub fn num_workers(&mut self, n: impl ClauseInt) {
        self.clauses.num_workers = bound(n);
        self.limit_gang();
    }

    /// OpenACC's `vector_length(e)`
    pub fn vector_length(&mut self, n: impl ClauseInt) {
        self.clauses.vector_length = bound(n);
        self.limit_gang();
    }

    fn limit_gang(&mut self) {
        let (workers, lanes) = (self.clauses.num_workers, self.clauses.vector_length);
        self.clauses.thread_limit = (workers.is_some() || lanes.is_some())
            .then(|| workers.unwrap_or(1).saturating_mul(lanes.unwrap_or(DEFAULT_LANES)));
    }

    /// `schedule(kind)`
    pub fn schedule(&mut self, schedule: Schedule) {
        self.clauses.schedule = Some(schedule);
    }

    /// `simdlen(e)`: a hint.
    pub fn simdlen(&mut self, n: impl ClauseInt) {
        self.clauses.simdlen = Some(n.wide());
    }

    /// The chunk of a `schedule(kind, e)`.
    pub fn chunk(&mut self, n: impl ClauseInt) {
        self.clauses.chunk = Some(n.wide());
    }

    /// The chunk of a `dist_schedule(static, e)`.
    pub fn team_chunk(&mut self, n: impl ClauseInt) {
        self.clauses.team_chunk = Some(n.wide());
    }

    /// `block(x, y, z)`
    pub fn block<X: ClauseInt, Y: ClauseInt, Z: ClauseInt>(&mut self, (x, y, z): (X, Y, Z)) {
        self.clauses.pins.block = Some([narrow(x), narrow(y), narrow(z)]);
    }

    /// `tile(a, b)`
    pub fn tile<A: ClauseInt, B: ClauseInt>(&mut self, (a, b): (A, B)) {
        self.clauses.pins.tile = Some([narrow(a), narrow(b)]);
    }

    /// `unroll(n)`
    pub fn unroll(&mut self, n: impl ClauseInt) {
        self.clauses.pins.unroll = Some(narrow(n));
    }

    /// `unroll`
    pub fn unroll_fully(&mut self) {
        self.clauses.unroll_all = true;
    }

    /// `vector(n)`
    pub fn vector(&mut self, n: impl ClauseInt) {
        self.clauses.pins.vector = Some(narrow(n));
    }

    /// The loop is for the host's threads.
    pub fn host_only(&mut self) {
        self.clauses.host_only = true;
    }

    /// `device(e)`
    pub fn device(&mut self, n: impl ClauseInt) {
        self.clauses.requested.device = Some(n.wide());
    }

    /// `if(e)`
    pub fn condition(&mut self, c: bool) {
        self.clauses.requested.not_if |= !c;
    }

    /// Under OpenACC's `kernels`: if the numbers of a launch show that iterations conflict, the region does nothing. [`they_met`] is then
    /// true in the code after it, which is the serial loop.
    pub fn yields(&mut self) {
        self.clauses.yields = true;
    }

    /// Whether the region is not run, because its iterations conflict.
    pub(in crate::launch) fn gives_way(&mut self) -> bool {
        if self.clauses.yields {
            MET.set(true);
            self.nothing_to_do();
        }
        self.clauses.yields
    }

    /// OpenACC's `self(e)`
    pub fn host_if(&mut self, c: bool) {
        self.clauses.requested.not_if |= c;
    }
}
