//! Clauses that say how a region runs: the generated code hands over what they are worth.
use super::Region;
use crate::host::schedule::Schedule;

/// The types that clause expressions may have: all integers.
#[diagnostic::on_unimplemented(
    message = "a clause takes an integer, not `{Self}` [omp::E0205]",
    label = "not an integer"
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

/// What a pin can hold; what is below one becomes zero, which is refused.
fn narrow(n: impl ClauseInt) -> u32 {
    u32::try_from(n.wide().clamp(0, 1 << 30)).unwrap_or(0)
}

impl Region {
    /// `num_teams(e)`
    pub fn num_teams(&mut self, n: impl ClauseInt) {
        self.num_teams = Some(n.wide());
    }

    /// `thread_limit(e)`
    pub fn thread_limit(&mut self, n: impl ClauseInt) {
        self.thread_limit = Some(n.wide());
    }

    /// `num_threads(e)`
    pub fn num_threads(&mut self, n: impl ClauseInt) {
        self.num_threads = Some(n.wide());
    }

    /// `schedule(kind)`
    pub fn schedule(&mut self, schedule: Schedule) {
        self.schedule = Some(schedule);
    }

    /// `simdlen(e)`: a hint.
    pub fn simdlen(&mut self, n: impl ClauseInt) {
        self.simdlen = Some(n.wide());
    }

    /// The chunk of a `schedule(kind, e)`.
    pub fn chunk(&mut self, n: impl ClauseInt) {
        self.chunk = Some(n.wide());
    }

    /// The chunk of a `dist_schedule(static, e)`.
    pub fn team_chunk(&mut self, n: impl ClauseInt) {
        self.team_chunk = Some(n.wide());
    }

    /// `block(x, y, z)`
    pub fn block<X: ClauseInt, Y: ClauseInt, Z: ClauseInt>(&mut self, (x, y, z): (X, Y, Z)) {
        self.pins.block = Some([narrow(x), narrow(y), narrow(z)]);
    }

    /// `tile(a, b)`
    pub fn tile<A: ClauseInt, B: ClauseInt>(&mut self, (a, b): (A, B)) {
        self.pins.tile = Some([narrow(a), narrow(b)]);
    }

    /// `unroll(n)`
    pub fn unroll(&mut self, n: impl ClauseInt) {
        self.pins.unroll = Some(narrow(n));
    }

    /// `unroll`
    pub fn unroll_fully(&mut self) {
        self.unroll_all = true;
    }

    /// `vector(n)`
    pub fn vector(&mut self, n: impl ClauseInt) {
        self.pins.vector = Some(narrow(n));
    }

    /// The loop is for the host's threads.
    pub fn host_only(&mut self) {
        self.host_only = true;
    }

    /// `device(e)`
    pub fn device(&mut self, n: impl ClauseInt) {
        self.asked.device = Some(n.wide());
    }

    /// `if(e)`
    pub fn condition(&mut self, c: bool) {
        self.asked.not_if = !c;
    }
}
