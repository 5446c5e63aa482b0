//! What the queues of every device must do.
use super::{Checked, bytes, expect, kernel, pattern, same, say, uninit};
use omp_kernels::schedule::Geometry;
use omp_runtime::backend::api::{ArgValue, Device, DeviceError};
use omp_runtime::backend::queue::{Event, Landing, Queue};
use std::mem::MaybeUninit;

/// All checks, by name. Round trips go up to `largest` bytes.
pub fn all<D: Device>(device: &D, largest: usize) -> Vec<(&'static str, Checked)> {
    vec![
        ("queues: round trips of all sizes", round_trips(device, largest)),
        ("queues: parts of a landing", parts(device)),
        ("queues: one after another", chain(device)),
        ("queues: what is followed comes before", follow(device)),
        ("queues: the default queue comes before", after_default(device)),
        ("queues: memory is reused after its users", reuse(device)),
        ("queues: memory that the default queue had in between", unused(device)),
        ("queues: everything may be dropped", drops(device)),
        ("queues: mailboxes", mailboxes(device)),
        ("queues: many of them", many(device)),
        ("queues: events", events(device)),
        ("queues: what does not fit is refused", refusals(device)),
        ("queues: several threads", threads(device)),
    ]
}

type Bytes<D> = <D as Device>::Buffer;
type Land<D> = <<D as Device>::Queue as Queue>::Landing;

fn read<L: Landing>(landing: &L, offset: usize, count: usize) -> Result<Vec<u8>, String> {
    let mut to = vec![0xA5u8; count];
    let pointer = to.as_mut_ptr().cast::<MaybeUninit<u8>>();
    // SAFETY: the same memory; reading writes a byte or does not change it.
    let slots = unsafe { std::slice::from_raw_parts_mut(pointer, count) };
    landing.read(offset, slots).map_err(say)?;
    Ok(to)
}

/// Writes `value` to the first words after a while.
const SLOW: &str = "KERNEL slow(GLOBAL u32* out, GLOBAL u32* in, u32 times) {
    u32 a = in[IDX]; u32 b = 1; for (u32 i = 0; i < times; ++i) b = b * 1664525u + 1013904223u;
    out[IDX] = a + 1u + (b == 12345u ? 7u : 0u); }";
const WORDS: usize = 256;
const SLOWLY: u32 = 300_000;

struct Slow<'a, D: Device> {
    device: &'a D,
    kernel: D::Kernel,
}

impl<'a, D: Device> Slow<'a, D> {
    fn new(device: &'a D) -> Result<Self, String> {
        Ok(Self { device, kernel: kernel(device, "slow", SLOW)? })
    }

    /// `out = in + 1`, after `times` multiplications.
    fn launch(&self, queue: &D::Queue, out: &Bytes<D>, from: &Bytes<D>, times: u32) -> Checked {
        let geometry = Geometry { grid: [WORDS as u32 / 16, 1, 1], block: [16, 1, 1], shared: 0 };
        let times = times.to_ne_bytes();
        let args = [ArgValue::Buffer(out), ArgValue::Buffer(from), ArgValue::Bytes(&times)];
        queue.launch(&self.kernel, &geometry, &args).map_err(say)
    }

    fn queue(&self) -> Result<D::Queue, String> {
        self.device.queue().map_err(say)
    }

    fn buffer(&self, queue: &D::Queue, word: u32) -> Result<Bytes<D>, String> {
        let buffer = queue.alloc(4 * WORDS).map_err(say)?;
        queue.upload(&buffer, 0, uninit(&words(word))).map_err(say)?;
        Ok(buffer)
    }
}

fn words(word: u32) -> Vec<u8> {
    word.to_ne_bytes().repeat(WORDS)
}

fn holds(what: &str, landing: &impl Landing, word: u32) -> Checked {
    same(what, &read(landing, 0, 4 * WORDS)?, &words(word))
}

fn round_trips<D: Device>(device: &D, largest: usize) -> Checked {
    let most = largest.min(usize::try_from(device.facts().max_alloc).unwrap_or(usize::MAX));
    let queue = device.queue().map_err(say)?;
    for size in [1, 3, 4097, 65_535, 65_537, (1 << 20) + 1, 2 << 20, (9 << 20) + 7, (64 << 20) - 1] {
        if size > most {
            break;
        }
        let there = queue.alloc(size).map_err(say)?;
        let mut sent = pattern(size, 3);
        queue.upload(&there, 0, uninit(&sent)).map_err(say)?;
        let want = std::mem::replace(&mut sent, vec![0; size]);
        let landing = queue.download(&there, 0, size).map_err(say)?;
        expect(landing.bytes() == size, || format!("{} of {size} bytes", landing.bytes()))?;
        same(&format!("{size} bytes"), &read(&landing, 0, size)?, &want)?;
        // The caller's memory may change as soon as the upload is queued, and while the queue is busy.
        drop(sent);
    }
    Ok(())
}

fn parts<D: Device>(device: &D) -> Checked {
    let slow = Slow::new(device)?;
    let queue = slow.queue()?;
    let busy = slow.buffer(&queue, 0)?;
    let mut want = pattern(5 << 20, 1);
    let there = queue.alloc(want.len()).map_err(say)?;
    slow.launch(&queue, &busy, &busy, SLOWLY)?;
    let mut sent = want.clone();
    queue.upload(&there, 0, uninit(&sent)).map_err(say)?;
    sent.fill(7);
    for (offset, count) in [(1, 1), (7, 100), (4095, 70_001), ((1 << 20) + 3, (3 << 20) + 1), (5 << 20, 0)] {
        let mut part = pattern(count, offset as u64);
        want[offset..offset + count].copy_from_slice(&part);
        queue.upload(&there, offset, uninit(&part)).map_err(say)?;
        part.fill(9);
    }
    queue.zero(&there, 100, 1001).map_err(say)?;
    want[100..1101].fill(0);
    let landing = queue.download(&there, 50, want.len() - 50).map_err(say)?;
    let want = &want[50..];
    for (offset, count) in [(0, 1), (99, 4000), ((2 << 20) - 7, 1 << 20), (want.len(), 0), (0, want.len())] {
        same("a part", &read(&landing, offset, count)?, &want[offset..offset + count])?;
    }
    Ok(())
}

fn chain<D: Device>(device: &D) -> Checked {
    let slow = Slow::new(device)?;
    let queue = slow.queue()?;
    let (a, b) = (slow.buffer(&queue, 5)?, slow.buffer(&queue, 0)?);
    for round in 0..40 {
        let (to, from) = if round % 2 == 0 { (&b, &a) } else { (&a, &b) };
        slow.launch(&queue, to, from, 100)?;
    }
    holds("forty kernels", &queue.download(&a, 0, 4 * WORDS).map_err(say)?, 45)
}

fn follow<D: Device>(device: &D) -> Checked {
    let slow = Slow::new(device)?;
    for round in 0..5 {
        let queues: Vec<_> = (0..4).map(|_| slow.queue()).collect::<Result<_, _>>()?;
        let first = slow.buffer(&queues[0], round)?;
        slow.launch(&queues[0], &first, &first, SLOWLY)?;
        let mut event = queues[0].record(false).map_err(say)?;
        let mut last = first;
        for queue in &queues[1..] {
            queue.follow(&event).map_err(say)?;
            let next = slow.buffer(queue, 0)?;
            slow.launch(queue, &next, &last, SLOWLY)?;
            event = queue.record(false).map_err(say)?;
            last = next;
        }
        // One that follows nothing new must not be needed.
        queues[0].follow(&event).map_err(say)?;
        let landing = queues[0].download(&last, 0, 4 * WORDS).map_err(say)?;
        holds(&format!("round {round}"), &landing, round + 4)?;
    }
    Ok(())
}

fn after_default<D: Device>(device: &D) -> Checked {
    let slow = Slow::new(device)?;
    let queue = slow.queue()?;
    for round in 0..5u32 {
        let buffer = device.alloc(4 * WORDS).map_err(say)?;
        device.upload(&buffer, 0, uninit(&words(round))).map_err(say)?;
        let geometry = Geometry { grid: [WORDS as u32 / 16, 1, 1], block: [16, 1, 1], shared: 0 };
        let times = SLOWLY.to_ne_bytes();
        let args = [ArgValue::Buffer(&buffer), ArgValue::Buffer(&buffer), ArgValue::Bytes(&times)];
        device.launch(&slow.kernel, &geometry, &args).map_err(say)?;
        let landing = queue.download(&buffer, 0, 4 * WORDS).map_err(say)?;
        holds("after a kernel", &landing, round + 1)?;
        device.zero(&buffer, 0, 4 * WORDS).map_err(say)?;
        slow.launch(&queue, &buffer, &buffer, 1)?;
        queue.record(false).and_then(|event| event.wait()).map_err(say)?;
        same("after the host waited", &bytes(device, &buffer, 0, 4 * WORDS)?, &words(1))?;
    }
    Ok(())
}

fn reuse<D: Device>(device: &D) -> Checked {
    let slow = Slow::new(device)?;
    let queues = [slow.queue()?, slow.queue()?];
    let mut landings: Vec<(Land<D>, u32)> = Vec::new();
    for round in 0..30u32 {
        let queue = &queues[round as usize % 2];
        let (from, to) = (slow.buffer(queue, round)?, queue.alloc(4 * WORDS).map_err(say)?);
        slow.launch(queue, &to, &from, SLOWLY / 10)?;
        landings.push((queue.download(&to, 0, 4 * WORDS).map_err(say)?, round + 1));
        drop((from, to));
        // The default queue gets the same memory, maybe, and must not be in the way.
        let other = device.alloc(4 * WORDS).map_err(say)?;
        device.upload(&other, 0, uninit(&words(999))).map_err(say)?;
        if round % 3 == 0 {
            same("the default queue's", &bytes(device, &other, 0, 4 * WORDS)?, &words(999))?;
        }
        // Never used in the queue that it was made for.
        drop(queue.alloc(4 * WORDS).map_err(say)?);
    }
    landings.iter().try_for_each(|(landing, want)| holds("a landing", landing, *want))
}

/// The default queue gets memory that another queue's kernel still uses, and frees it without using it. A third queue comes after the
/// kernel all the same.
fn unused<D: Device>(device: &D) -> Checked {
    let slow = Slow::new(device)?;
    let queues = [slow.queue()?, slow.queue()?];
    for round in 0..10 {
        let [first, last] = &queues;
        let (from, to) = (slow.buffer(first, round)?, first.alloc(4 * WORDS).map_err(say)?);
        slow.launch(first, &to, &from, SLOWLY)?;
        let landing = first.download(&to, 0, 4 * WORDS).map_err(say)?;
        drop((from, to));
        let between: Vec<_> =
            (0..2).map(|_| device.alloc(4 * WORDS)).collect::<Result<_, _>>().map_err(say)?;
        drop(between);
        let after: Vec<_> = (0..2).map(|_| slow.buffer(last, 999)).collect::<Result<_, _>>()?;
        holds("what the kernel has left", &landing, round + 1)?;
        for buffer in &after {
            let landing = last.download(buffer, 0, 4 * WORDS).map_err(say)?;
            holds("the memory's next use", &landing, 999)?;
        }
    }
    Ok(())
}

fn drops<D: Device>(device: &D) -> Checked {
    for round in 0..10 {
        let slow = Slow::new(device)?;
        let queue = slow.queue()?;
        let buffer = slow.buffer(&queue, round)?;
        slow.launch(&queue, &buffer, &buffer, SLOWLY)?;
        queue.upload(&buffer, 0, uninit(&words(round + 10))).map_err(say)?;
        let kept = queue.download(&buffer, 0, 4 * WORDS).map_err(say)?;
        drop(queue.download(&buffer, 0, 4 * WORDS).map_err(say)?);
        let event = queue.record(true).map_err(say)?;
        drop(queue.record(false).map_err(say)?);
        drop((buffer, queue, slow));
        event.wait().map_err(say)?;
        holds("what was kept", &kept, round + 10)?;
    }
    Ok(())
}

fn mailboxes<D: Device>(device: &D) -> Checked {
    let bump = kernel(device, "bump", "KERNEL bump(GLOBAL u32* m, u32 by) { m[IDX] += by; }")?;
    let queues = [device.queue().map_err(say)?, device.queue().map_err(say)?];
    for round in 0..50u32 {
        let queue = &queues[round as usize % 2];
        let mail = device.mailbox(96).map_err(say)?;
        device.write_mailbox(&mail, &[0; 96]).map_err(say)?;
        let geometry = Geometry { grid: [24, 1, 1], block: [1, 1, 1], shared: 0 };
        let args = [ArgValue::Buffer(&mail), ArgValue::Bytes(&round.to_ne_bytes())];
        queue.launch(&bump, &geometry, &args).map_err(say)?;
        queue.launch(&bump, &geometry, &args).map_err(say)?;
        queue.record(false).and_then(|event| event.wait()).map_err(say)?;
        let mut got = [0xFF; 96];
        device.read_mailbox(&mail, &mut got).map_err(say)?;
        expect(got.chunks(4).all(|w| w == (2 * round).to_ne_bytes()), || format!("round {round}: {got:?}"))?;
        // Freed while a kernel still writes to it: the next one must not be the same memory.
        queue.launch(&bump, &geometry, &args).map_err(say)?;
    }
    Ok(())
}

fn many<D: Device>(device: &D) -> Checked {
    let slow = Slow::new(device)?;
    let queues: Vec<_> = (0..40).map(|_| slow.queue()).collect::<Result<_, _>>()?;
    expect(queues[0].number() != queues[1].number() && queues[0].number() != 0, || "not two queues".into())?;
    let mut landings = Vec::new();
    for (i, queue) in (0..).zip(&queues) {
        let buffer = slow.buffer(queue, i)?;
        slow.launch(queue, &buffer, &buffer, 1000)?;
        landings.push(queue.download(&buffer, 0, 4 * WORDS).map_err(say)?);
    }
    (0..).zip(&landings).try_for_each(|(i, landing)| holds("of forty queues", landing, i + 1))?;
    let most = queues.iter().map(Queue::number).max();
    drop(queues);
    let again: Vec<_> = (0..4).map(|_| slow.queue()).collect::<Result<_, _>>()?;
    expect(again.iter().map(Queue::number).max() <= most, || "queues are not reused".into())
}

fn events<D: Device>(device: &D) -> Checked {
    let slow = Slow::new(device)?;
    let queue = slow.queue()?;
    let buffer = slow.buffer(&queue, 0)?;
    let time = |times: u32| {
        let start = queue.record(true).map_err(say)?;
        slow.launch(&queue, &buffer, &buffer, times)?;
        let end = queue.record(true).map_err(say)?;
        while !end.is_reached().map_err(say)? {
            std::thread::yield_now();
        }
        expect(start.is_reached().map_err(say)?, || "the end before the start".into())?;
        end.wait().map_err(say)?;
        Ok::<_, String>(end.since(&start))
    };
    time(1)?;
    match (time(1000)?, time(20 * SLOWLY)?) {
        (None, None) => Ok(()),
        (Some(short), Some(long)) => expect(short < long, || format!("short {short:?}, long {long:?}")),
        other => Err(format!("{other:?}")),
    }
}

fn refusals<D: Device>(device: &D) -> Checked {
    let slow = Slow::new(device)?;
    let queue = slow.queue()?;
    let there = slow.buffer(&queue, 1)?;
    let size = 4 * WORDS;
    let refused = |result: Result<(), DeviceError>| {
        expect(matches!(result, Err(DeviceError::Transfer { .. })), || format!("{result:?}"))
    };
    refused(queue.upload(&there, size - 1, uninit(&[0; 2])))?;
    refused(queue.upload(&there, usize::MAX, uninit(&[0; 2])))?;
    refused(queue.download(&there, 0, size + 1).map(drop))?;
    refused(queue.zero(&there, size + 1, 0))?;
    let landing = queue.download(&there, 0, size).map_err(say)?;
    refused(landing.read(1, &mut vec![MaybeUninit::uninit(); size]))?;
    let times = 1u32.to_ne_bytes();
    let args = [ArgValue::Buffer(&there), ArgValue::Buffer(&there), ArgValue::Bytes(&times)];
    let result =
        queue.launch(&slow.kernel, &Geometry { grid: [0, 1, 1], block: [1, 1, 1], shared: 0 }, &args);
    expect(matches!(result, Err(DeviceError::Launch { .. })), || format!("{result:?}"))?;
    let result = queue.alloc(usize::MAX / 2).err();
    expect(matches!(result, Some(DeviceError::OutOfMemory { .. })), || format!("{result:?}"))?;
    // None of it is left in the queue.
    slow.launch(&queue, &there, &there, 1)?;
    queue.record(false).and_then(|event| event.wait()).map_err(say)?;
    holds("after refusals", &queue.download(&there, 0, size).map_err(say)?, 2)
}

fn threads<D: Device>(device: &D) -> Checked {
    let slow = Slow::new(device)?;
    let one = |thread: u32| -> Checked {
        for round in 0..20u32 {
            let queue = slow.queue()?;
            let other = slow.queue()?;
            let buffer = slow.buffer(&queue, thread * 100 + round)?;
            slow.launch(&queue, &buffer, &buffer, 10_000)?;
            other.follow(&queue.record(false).map_err(say)?).map_err(say)?;
            let next = other.alloc(4 * WORDS).map_err(say)?;
            slow.launch(&other, &next, &buffer, 10_000)?;
            drop(buffer);
            let landing = other.download(&next, 0, 4 * WORDS).map_err(say)?;
            drop(next);
            holds(&format!("thread {thread}, round {round}"), &landing, thread * 100 + round + 2)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let one = &one;
        let all: Vec<_> = (0..6).map(|thread| scope.spawn(move || one(thread))).collect();
        all.into_iter().try_for_each(|t| t.join().unwrap_or_else(|_| Err("a thread panicked".into())))
    })
}
