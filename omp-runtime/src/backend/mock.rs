//! A device for tests: memory is `Vec<u8>`, kernels run in the reference interpreter, any operation can be made to fail, and
//! unordered queues run in the worst order. Above the backend contract it takes the same path as a real device.
mod queue;
mod run;
#[cfg(test)]
mod tests;

pub use self::queue::{MockEvent, MockLanding, MockQueue, Order};
use self::run::Run;

use super::api::{ArgValue, Device, DeviceError, DeviceFacts};
use super::size::UNKNOWN;
use omp_ir::kernel::Kernel;
use omp_kernels::back::{Arg, Dialect, Source};
use omp_kernels::schedule::{DeviceClass, DeviceKind, Geometry};
use omp_kernels::valid::KernelInfo;
use std::collections::HashMap;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Operations that can be made to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Op {
    Alloc,
    Mailbox,
    Upload,
    Download,
    Compile,
    Load,
    Launch,
    Wait,
    /// Taking a queue.
    Queue,
    Record,
    Follow,
    /// The wait for an event.
    Await,
    /// The reading of a landing.
    Land,
    /// Not a call: something queued, when it runs.
    Work,
}

/// What a launch takes, by its grid.
pub type Pace = fn(&Geometry) -> Duration;

const OPS: usize = 14;

/// What tests see of a mock and do to it; shared with the device.
#[derive(Debug, Default)]
pub struct Control {
    counts: [AtomicUsize; OPS],
    faults: Mutex<Vec<(Op, usize, DeviceError)>>,
    live: AtomicIsize,
    live_kernels: AtomicIsize,
    bytes: AtomicIsize,
    live_events: AtomicIsize,
    live_landings: AtomicIsize,
    ahead: AtomicBool,
    /// Launches with wrong results, by their number.
    spoilt: Mutex<Vec<usize>>,
    /// What a launch takes, by its grid.
    pace: Mutex<Option<Pace>>,
    board: queue::Board,
}

impl Control {
    /// In which order queues run that nothing orders.
    pub fn order(&self, order: Order) {
        self.board.set(order);
    }

    /// Whether the device runs ahead by itself: kernels without results are not waited for, and tasks share events.
    pub fn run_ahead(&self, ahead: bool) {
        self.ahead.store(ahead, Ordering::SeqCst);
    }

    /// Events that are still held.
    #[must_use]
    pub fn live_events(&self) -> isize {
        self.live_events.load(Ordering::SeqCst)
    }

    /// Landings that are still held.
    #[must_use]
    pub fn live_landings(&self) -> isize {
        self.live_landings.load(Ordering::SeqCst)
    }

    /// Queues that are still held.
    #[must_use]
    pub fn live_queues(&self) -> usize {
        self.board.held()
    }

    /// The number of queued operations that have not run.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.board.pending()
    }

    /// Makes the `n`-th operation of this kind from now (1 is the next) fail with `error`.
    pub fn fail(&self, op: Op, n: usize, error: DeviceError) {
        let at = self.counts[op as usize].load(Ordering::SeqCst) + n;
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).push((op, at, error));
    }

    /// The `n`-th launch from now (1 is the next) gives wrong results.
    pub fn spoil(&self, n: usize) {
        let at = self.count(Op::Launch) + n;
        self.spoilt.lock().unwrap_or_else(PoisonError::into_inner).push(at);
    }

    fn is_spoilt(&self) -> bool {
        let now = self.count(Op::Launch);
        self.spoilt.lock().unwrap_or_else(PoisonError::into_inner).contains(&now)
    }

    /// Sets the time of later launches in the default queue.
    pub fn pace(&self, pace: Pace) {
        *self.pace.lock().unwrap_or_else(PoisonError::into_inner) = Some(pace);
    }

    fn time(&self, geometry: &Geometry) -> Duration {
        let pace = *self.pace.lock().unwrap_or_else(PoisonError::into_inner);
        pace.map_or(Duration::from_micros(1), |pace| pace(geometry))
    }

    /// Nothing fails any more.
    pub fn forgive(&self) {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// How often this operation was requested.
    #[must_use]
    pub fn count(&self, op: Op) -> usize {
        self.counts[op as usize].load(Ordering::SeqCst)
    }

    /// Buffers that exist.
    #[must_use]
    pub fn live_buffers(&self) -> isize {
        self.live.load(Ordering::SeqCst)
    }

    /// Kernels that are loaded.
    #[must_use]
    pub fn live_kernels(&self) -> isize {
        self.live_kernels.load(Ordering::SeqCst)
    }

    /// Bytes that are allocated.
    #[must_use]
    pub fn live_bytes(&self) -> isize {
        self.bytes.load(Ordering::SeqCst)
    }

    fn enter(&self, op: Op) -> Result<(), DeviceError> {
        let now = self.counts[op as usize].fetch_add(1, Ordering::SeqCst) + 1;
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        match faults.iter().position(|(o, at, _)| *o == op && *at == now) {
            Some(i) => Err(faults.swap_remove(i).2),
            None => Ok(()),
        }
    }
}

/// Memory of a mock. It lives until it was dropped and nothing queued needs it.
#[derive(Debug)]
pub struct MockBuffer(Arc<MockMemory>);

#[derive(Debug)]
struct MockMemory {
    bytes: Mutex<Vec<u8>>,
    control: Arc<Control>,
}

impl Drop for MockMemory {
    fn drop(&mut self) {
        self.control.live.fetch_sub(1, Ordering::SeqCst);
        let bytes = self.bytes.get_mut().unwrap_or_else(PoisonError::into_inner).len();
        self.control.bytes.fetch_sub(isize::try_from(bytes).unwrap_or(isize::MAX), Ordering::SeqCst);
    }
}

impl MockBuffer {
    fn new(control: &Arc<Control>, bytes: usize) -> Result<Self, DeviceError> {
        let mut memory = Vec::new();
        let short = |_| DeviceError::OutOfMemory { requested: bytes as u64, free: UNKNOWN };
        memory.try_reserve_exact(bytes).map_err(short)?;
        control.live.fetch_add(1, Ordering::SeqCst);
        control.bytes.fetch_add(isize::try_from(bytes).unwrap_or(isize::MAX), Ordering::SeqCst);
        // 0xa5 is no valid `bool`, so reads of uninitialised memory show.
        memory.resize(bytes, 0xa5);
        Ok(Self(Arc::new(MockMemory { bytes: Mutex::new(memory), control: Arc::clone(control) })))
    }

    fn share(&self) -> Self {
        Self(Arc::clone(&self.0))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<u8>> {
        self.0.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
struct Program {
    kernel: Kernel,
    info: KernelInfo,
    source: Source,
}

/// A loaded kernel of a mock.
#[derive(Debug)]
pub struct MockKernel {
    program: Arc<Program>,
    control: Arc<Control>,
}

impl Drop for MockKernel {
    fn drop(&mut self) {
        self.control.live_kernels.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The mock device.
#[derive(Debug)]
pub struct Mock {
    facts: DeviceFacts,
    control: Arc<Control>,
    /// The most threads that a block of any kernel may have.
    max_block: u32,
    programs: Mutex<HashMap<String, Arc<Program>>>,
    /// Of the last launch.
    time: Mutex<Duration>,
}

impl Mock {
    /// A mock that claims to be of this kind.
    #[must_use]
    pub fn of_kind(kind: DeviceKind) -> Self {
        Self::with_control(kind, Arc::default())
    }

    /// The same, watched and disturbed through `control`.
    #[must_use]
    pub fn with_control(kind: DeviceKind, control: Arc<Control>) -> Self {
        let cuda = kind == DeviceKind::Cuda;
        let class = DeviceClass {
            kind,
            units: 4,
            max_block: 1024,
            warp: if kind == DeviceKind::OpenClCpu { 1 } else { 32 },
            shared_bytes: 48 << 10,
            arch: if cuda { 90 } else { 0 },
            f64: true,
            atomics64: true,
        };
        let facts = DeviceFacts {
            backend: "mock",
            name: "Mock".to_owned(),
            versions: "mock 1".to_owned(),
            memory: 1 << 30,
            max_alloc: 1 << 30,
            class,
            dialect: if cuda { Dialect::Cuda } else { Dialect::OpenCl },
        };
        Self { facts, control, max_block: 1024, programs: Mutex::default(), time: Mutex::default() }
    }

    /// Changes the facts that the mock reports.
    #[must_use]
    pub fn claiming(mut self, change: impl FnOnce(&mut DeviceFacts)) -> Self {
        change(&mut self.facts);
        self
    }

    /// Blocks of its kernels have at most so many threads, as a device finds out after compiling.
    #[must_use]
    pub fn with_max_block(self, max_block: u32) -> Self {
        Self { max_block, ..self }
    }
}

fn refused(reason: &str) -> DeviceError {
    DeviceError::Launch { reason: reason.to_owned() }
}

fn range_of(len: usize, offset: usize, bytes: usize) -> Result<std::ops::Range<usize>, DeviceError> {
    match offset.checked_add(bytes) {
        Some(end) if end <= len => Ok(offset..end),
        _ => Err(DeviceError::Transfer { reason: format!("{bytes} bytes at {offset} of a buffer of {len}") }),
    }
}

impl Device for Mock {
    type Buffer = MockBuffer;
    type Kernel = MockKernel;
    type Queue = MockQueue;

    fn facts(&self) -> &DeviceFacts {
        &self.facts
    }

    fn alloc(&self, bytes: usize) -> Result<MockBuffer, DeviceError> {
        self.control.enter(Op::Alloc)?;
        MockBuffer::new(&self.control, bytes)
    }

    fn mailbox(&self, bytes: usize) -> Result<MockBuffer, DeviceError> {
        self.control.enter(Op::Mailbox)?;
        MockBuffer::new(&self.control, bytes)
    }

    fn write_mailbox(&self, mailbox: &MockBuffer, bytes: &[u8]) -> Result<(), DeviceError> {
        let mut to = mailbox.lock();
        let range = range_of(to.len(), 0, bytes.len())?;
        to[range].copy_from_slice(bytes);
        Ok(())
    }

    fn read_mailbox(&self, mailbox: &MockBuffer, bytes: &mut [u8]) -> Result<(), DeviceError> {
        let from = mailbox.lock();
        bytes.copy_from_slice(&from[range_of(from.len(), 0, bytes.len())?]);
        Ok(())
    }

    fn upload(&self, to: &MockBuffer, offset: usize, from: &[MaybeUninit<u8>]) -> Result<(), DeviceError> {
        self.control.enter(Op::Upload)?;
        let mut to = to.lock();
        let range = range_of(to.len(), offset, from.len())?;
        // SAFETY: both sides have `from.len()` bytes. The mock serves types without padding, whose bytes are all
        // initialised.
        unsafe {
            std::ptr::copy_nonoverlapping(from.as_ptr().cast(), to[range].as_mut_ptr(), from.len());
        }
        Ok(())
    }

    fn download(
        &self,
        to: &mut [MaybeUninit<u8>],
        from: &MockBuffer,
        offset: usize,
    ) -> Result<(), DeviceError> {
        self.control.enter(Op::Download)?;
        let from = from.lock();
        let range = range_of(from.len(), offset, to.len())?;
        for (to, from) in to.iter_mut().zip(&from[range]) {
            to.write(*from);
        }
        Ok(())
    }

    fn zero(&self, to: &MockBuffer, offset: usize, bytes: usize) -> Result<(), DeviceError> {
        let mut to = to.lock();
        let range = range_of(to.len(), offset, bytes)?;
        to[range].fill(0);
        Ok(())
    }

    fn interpret(&self, kernel: &Kernel, info: &KernelInfo, source: &Source) {
        let program = Program { kernel: kernel.clone(), info: info.clone(), source: source.clone() };
        self.programs
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(source.text.clone(), Arc::new(program));
    }

    fn compile(&self, source: &Source) -> Result<Vec<u8>, DeviceError> {
        self.control.enter(Op::Compile)?;
        Ok(source.text.clone().into_bytes())
    }

    fn load(&self, binary: &[u8], _source: &Source) -> Result<MockKernel, DeviceError> {
        self.control.enter(Op::Load)?;
        let programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        let program = std::str::from_utf8(binary).ok().and_then(|text| programs.get(text));
        let program =
            program.ok_or_else(|| DeviceError::BadBinary { reason: "no such program".to_owned() })?;
        self.control.live_kernels.fetch_add(1, Ordering::SeqCst);
        Ok(MockKernel { program: Arc::clone(program), control: Arc::clone(&self.control) })
    }

    fn max_block(&self, _: &MockKernel) -> Option<u32> {
        Some(self.max_block)
    }

    fn launch(
        &self,
        kernel: &MockKernel,
        geometry: &Geometry,
        args: &[ArgValue<'_, MockBuffer>],
    ) -> Result<(), DeviceError> {
        self.control.enter(Op::Launch)?;
        if geometry.block.iter().product::<u32>() > self.max_block {
            return Err(refused("the block is too large"));
        }
        *self.time.lock().unwrap_or_else(PoisonError::into_inner) = self.control.time(geometry);
        Run::of(&kernel.program, args)?.execute()?;
        if self.control.is_spoilt() {
            let written = kernel.program.source.args.iter().zip(args).filter_map(|(arg, value)| match arg {
                Arg::Array(a) if kernel.program.kernel.template.arrays[a.index()].written => value.buffer(),
                Arg::Result => value.buffer(),
                _ => None,
            });
            written.for_each(|buffer| buffer.lock().iter_mut().take(4).for_each(|byte| *byte ^= 0x15));
        }
        Ok(())
    }

    fn wait(&self) -> Result<(), DeviceError> {
        self.control.enter(Op::Wait)
    }

    fn runs_ahead(&self) -> bool {
        self.control.ahead.load(Ordering::SeqCst)
    }

    fn last_kernel_time(&self) -> Option<Duration> {
        Some(*self.time.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn queue(&self) -> Result<MockQueue, DeviceError> {
        self.control.enter(Op::Queue)?;
        Ok(MockQueue::new(&self.control, self.max_block))
    }

    fn memory(&self) -> (u64, u64) {
        let used = u64::try_from(self.control.live_bytes()).unwrap_or(0);
        (self.facts.memory.saturating_sub(used), self.facts.memory)
    }
}
