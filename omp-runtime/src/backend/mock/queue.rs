//! The mock's queues. Work is deferred until it is waited for, and unordered queues run in the worst order, so a missing
//! edge shows.
use super::{Control, MockBuffer, MockKernel, Op, Run, range_of, refused};
use crate::backend::api::{ArgValue, DeviceError};
use crate::backend::queue::{Event, Landing, Queue};
use omp_kernels::schedule::Geometry;
use std::collections::VecDeque;
use std::mem::MaybeUninit;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// In which order queues run that nothing orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Everything at once, as it is queued.
    Eager,
    /// Nothing runs before a wait, and then only what the wait needs.
    #[default]
    Late,
    /// By chance: now and then something runs, of any queue.
    Random(u64),
}

type Operation = Box<dyn FnOnce() -> Result<(), DeviceError> + Send>;

enum Step {
    Run(Operation),
    Follow(Arc<Mark>),
    /// The end of what was recorded; for a landing, unless it was reported (`reported`).
    Mark {
        mark: Arc<Mark>,
        reported: bool,
    },
}

impl std::fmt::Debug for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Run(_) => "Run",
            Self::Follow(_) => "Follow",
            Self::Mark { .. } => "Mark",
        })
    }
}

/// When it was reached, and what had failed.
#[derive(Debug)]
struct Mark {
    line: usize,
    reached: OnceLock<(u64, Result<(), DeviceError>)>,
}

impl Mark {
    fn is_reached(&self) -> bool {
        self.reached.get().is_some()
    }
}

#[derive(Debug, Default)]
struct Line {
    steps: VecDeque<Step>,
    /// What failed since the last event.
    failed: Option<DeviceError>,
    held: bool,
}

/// All queues of a mock.
#[derive(Debug, Default)]
pub(super) struct Board(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    lines: Vec<Line>,
    order: Order,
    chance: u64,
    clock: u64,
}

impl State {
    fn draw(&mut self, below: usize) -> usize {
        self.chance ^= self.chance << 13;
        self.chance ^= self.chance >> 7;
        self.chance ^= self.chance << 17;
        (self.chance % below.max(1) as u64) as usize
    }

    /// Does the first step of a line, or of one that it waits for.
    fn step(&mut self, control: &Control, mut line: usize) {
        while let Some(Step::Follow(mark)) = self.lines[line].steps.front()
            && !mark.is_reached()
        {
            line = mark.line;
        }
        self.clock += 1;
        let Some(step) = self.lines[line].steps.pop_front() else { return };
        let failed = &mut self.lines[line].failed;
        match step {
            Step::Follow(_) => {}
            Step::Run(deed) => {
                if let Err(error) = control.enter(Op::Work).and_then(|()| deed()) {
                    failed.get_or_insert(error);
                }
            }
            Step::Mark { mark, reported } => {
                let error = if reported { failed.take() } else { failed.clone() };
                let _ = mark.reached.set((self.clock, error.map_or(Ok(()), Err)));
            }
        }
    }

    /// Something happens, or nothing.
    fn pass(&mut self, control: &Control) {
        let busy: Vec<_> = (0..self.lines.len()).filter(|l| !self.lines[*l].steps.is_empty()).collect();
        if !busy.is_empty() {
            let line = busy[self.draw(busy.len())];
            self.step(control, line);
        }
    }
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set(&self, order: Order) {
        let mut state = self.lock();
        state.order = order;
        if let Order::Random(seed) = order {
            state.chance = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        }
    }

    /// Steps that have not been waited for.
    pub(super) fn pending(&self) -> usize {
        self.lock().lines.iter().map(|line| line.steps.len()).sum()
    }

    /// One step, of any queue.
    #[cfg(test)]
    pub(super) fn pass(&self, control: &Control) {
        self.lock().pass(control);
    }

    /// Queues that are still held.
    pub(super) fn held(&self) -> usize {
        self.lock().lines.iter().filter(|line| line.held).count()
    }

    /// A queue that has nothing to do.
    fn take(&self) -> usize {
        let mut state = self.lock();
        let free = state.lines.iter().position(|line| !line.held && line.steps.is_empty());
        let line = free.unwrap_or_else(|| {
            state.lines.push(Line::default());
            state.lines.len() - 1
        });
        state.lines[line] = Line { held: true, ..Line::default() };
        line
    }

    fn push(&self, control: &Control, line: usize, steps: impl IntoIterator<Item = Step>) {
        let mut state = self.lock();
        state.lines[line].steps.extend(steps);
        match state.order {
            Order::Eager => {
                while !state.lines[line].steps.is_empty() {
                    state.step(control, line);
                }
            }
            Order::Late => {}
            Order::Random(_) => {
                for _ in 0..state.draw(3) {
                    state.pass(control);
                }
            }
        }
    }

    fn wait(&self, control: &Control, mark: &Mark) -> Result<(), DeviceError> {
        let mut state = self.lock();
        while !mark.is_reached() {
            match state.order {
                Order::Random(_) => state.pass(control),
                Order::Late | Order::Eager => state.step(control, mark.line),
            }
        }
        mark.reached.get().map_or(Ok(()), |(_, result)| result.clone())
    }

    fn poll(&self, control: &Control, mark: &Mark) -> Result<bool, DeviceError> {
        let mut state = self.lock();
        if !mark.is_reached() {
            state.step(control, mark.line);
        }
        mark.reached.get().map_or(Ok(false), |(_, result)| result.clone().map(|()| true))
    }
}

/// A queue of a mock.
#[derive(Debug)]
pub struct MockQueue {
    control: Arc<Control>,
    line: usize,
    max_block: u32,
}

/// An event of a mock.
#[derive(Debug)]
pub struct MockEvent {
    control: Arc<Control>,
    mark: Arc<Mark>,
}

/// A landing of a mock.
#[derive(Debug)]
pub struct MockLanding {
    control: Arc<Control>,
    mark: Arc<Mark>,
    bytes: Arc<Mutex<Vec<u8>>>,
    count: usize,
}

impl Drop for MockQueue {
    fn drop(&mut self) {
        self.control.board.lock().lines[self.line].held = false;
    }
}

impl Drop for MockEvent {
    fn drop(&mut self) {
        self.control.live_events.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Drop for MockLanding {
    fn drop(&mut self) {
        self.control.live_landings.fetch_sub(1, Ordering::SeqCst);
    }
}

/// What a queued launch keeps.
enum LaunchArg {
    Buffer(MockBuffer),
    Part(MockBuffer, usize, usize),
    Bytes(Vec<u8>),
}

impl LaunchArg {
    fn value(&self) -> ArgValue<'_, MockBuffer> {
        match self {
            Self::Buffer(buffer) => ArgValue::Buffer(buffer),
            Self::Part(buffer, offset, bytes) => ArgValue::Part { buffer, offset: *offset, bytes: *bytes },
            Self::Bytes(bytes) => ArgValue::Bytes(bytes),
        }
    }
}

impl MockQueue {
    pub(super) fn new(control: &Arc<Control>, max_block: u32) -> Self {
        Self { control: Arc::clone(control), line: control.board.take(), max_block }
    }

    fn push(&self, steps: impl IntoIterator<Item = Step>) {
        self.control.board.push(&self.control, self.line, steps);
    }

    fn run(&self, deed: impl FnOnce() -> Result<(), DeviceError> + Send + 'static) {
        self.push([Step::Run(Box::new(deed))]);
    }

    fn mark(&self) -> Arc<Mark> {
        Arc::new(Mark { line: self.line, reached: OnceLock::new() })
    }
}

impl Queue for MockQueue {
    type Buffer = MockBuffer;
    type Kernel = MockKernel;
    type Event = MockEvent;
    type Landing = MockLanding;

    fn number(&self) -> u32 {
        u32::try_from(self.line + 1).unwrap_or(u32::MAX)
    }

    fn alloc(&self, bytes: usize) -> Result<MockBuffer, DeviceError> {
        self.control.enter(Op::Alloc)?;
        MockBuffer::new(&self.control, bytes)
    }

    fn upload(&self, to: &MockBuffer, offset: usize, from: &[MaybeUninit<u8>]) -> Result<(), DeviceError> {
        self.control.enter(Op::Upload)?;
        let range = range_of(to.lock().len(), offset, from.len())?;
        let (to, mut bytes) = (to.share(), vec![0u8; from.len()]);
        // SAFETY: both sides have `from.len()` bytes. The mock serves types without padding, whose bytes are all
        // initialised.
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr().cast(), bytes.as_mut_ptr(), from.len()) };
        self.run(move || {
            to.lock()[range].copy_from_slice(&bytes);
            Ok(())
        });
        Ok(())
    }

    fn download(&self, from: &MockBuffer, offset: usize, count: usize) -> Result<MockLanding, DeviceError> {
        self.control.enter(Op::Download)?;
        let range = range_of(from.lock().len(), offset, count)?;
        let (from, mark, bytes) = (from.share(), self.mark(), Arc::new(Mutex::new(Vec::new())));
        let to = Arc::clone(&bytes);
        let deed = move || {
            *to.lock().unwrap_or_else(PoisonError::into_inner) = from.lock()[range].to_vec();
            Ok(())
        };
        self.push([Step::Run(Box::new(deed)), Step::Mark { mark: Arc::clone(&mark), reported: false }]);
        self.control.live_landings.fetch_add(1, Ordering::SeqCst);
        Ok(MockLanding { control: Arc::clone(&self.control), mark, bytes, count })
    }

    fn zero(&self, to: &MockBuffer, offset: usize, bytes: usize) -> Result<(), DeviceError> {
        let range = range_of(to.lock().len(), offset, bytes)?;
        let to = to.share();
        self.run(move || {
            to.lock()[range].fill(0);
            Ok(())
        });
        Ok(())
    }

    fn copy(
        &self,
        to: (&MockBuffer, usize),
        from: (&MockBuffer, usize),
        bytes: usize,
    ) -> Result<(), DeviceError> {
        self.control.enter(Op::Upload)?;
        let target = range_of(to.0.lock().len(), to.1, bytes)?;
        let source = range_of(from.0.lock().len(), from.1, bytes)?;
        let (to, from) = (to.0.share(), from.0.share());
        self.run(move || {
            let bytes = from.lock()[source].to_vec();
            to.lock()[target].copy_from_slice(&bytes);
            Ok(())
        });
        Ok(())
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
        Run::of(&kernel.program, args)?;
        let program = Arc::clone(&kernel.program);
        let keep = |arg: &ArgValue<'_, MockBuffer>| match arg {
            ArgValue::Buffer(buffer) => LaunchArg::Buffer(buffer.share()),
            ArgValue::Part { buffer, offset, bytes } => LaunchArg::Part(buffer.share(), *offset, *bytes),
            ArgValue::Bytes(bytes) => LaunchArg::Bytes(bytes.to_vec()),
        };
        let kept: Vec<LaunchArg> = args.iter().map(keep).collect();
        self.run(move || {
            let args: Vec<_> = kept.iter().map(LaunchArg::value).collect();
            Run::of(&program, &args)?.execute()
        });
        Ok(())
    }

    fn record(&self, _timed: bool) -> Result<MockEvent, DeviceError> {
        self.control.enter(Op::Record)?;
        let mark = self.mark();
        self.push([Step::Mark { mark: Arc::clone(&mark), reported: true }]);
        self.control.live_events.fetch_add(1, Ordering::SeqCst);
        Ok(MockEvent { control: Arc::clone(&self.control), mark })
    }

    fn follow(&self, event: &MockEvent) -> Result<(), DeviceError> {
        self.control.enter(Op::Follow)?;
        self.push([Step::Follow(Arc::clone(&event.mark))]);
        Ok(())
    }
}

impl Event for MockEvent {
    fn wait(&self) -> Result<(), DeviceError> {
        self.control.enter(Op::Await)?;
        self.control.board.wait(&self.control, &self.mark)
    }

    fn is_reached(&self) -> Result<bool, DeviceError> {
        self.control.board.poll(&self.control, &self.mark)
    }

    fn since(&self, earlier: &Self) -> Option<Duration> {
        let (end, start) = (self.mark.reached.get()?.0, earlier.mark.reached.get()?.0);
        Some(Duration::from_micros(end.checked_sub(start)?))
    }
}

impl Landing for MockLanding {
    fn bytes(&self) -> usize {
        self.count
    }

    fn read(&self, offset: usize, to: &mut [MaybeUninit<u8>]) -> Result<(), DeviceError> {
        self.control.enter(Op::Land)?;
        let range = range_of(self.count, offset, to.len())?;
        self.control.board.wait(&self.control, &self.mark)?;
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        for (to, from) in to.iter_mut().zip(&bytes[range]) {
            to.write(*from);
        }
        Ok(())
    }
}
