//! The mock's queues: ordered work is right in every order, a missing edge shows, and faults leak nothing.
use super::{Control, Mock, MockBuffer, MockLanding, MockQueue, Op, Order};
use crate::backend::api::{Device, DeviceError};
use crate::backend::queue::{Event, Landing, Queue};
use omp_kernels::schedule::DeviceKind;
use std::mem::MaybeUninit;
use std::sync::Arc;

fn mock(order: Order) -> (Mock, Arc<Control>) {
    let control = Arc::<Control>::default();
    control.order(order);
    (Mock::with_control(DeviceKind::Cuda, control.clone()), control)
}

fn uninit(bytes: &[u8]) -> Vec<MaybeUninit<u8>> {
    bytes.iter().map(|b| MaybeUninit::new(*b)).collect()
}

fn read(landing: &MockLanding) -> Result<Vec<u8>, DeviceError> {
    let mut to = vec![MaybeUninit::new(0xee); landing.bytes()];
    landing.read(0, &mut to)?;
    // SAFETY: every byte was initialised before and is still.
    Ok(to.into_iter().map(|b| unsafe { b.assume_init() }).collect())
}

fn put(queue: &MockQueue, to: &MockBuffer, byte: u8) -> Result<(), DeviceError> {
    queue.upload(to, 0, &uninit(&[byte; 4]))
}

fn get(queue: &MockQueue, from: &MockBuffer) -> Result<Vec<u8>, DeviceError> {
    read(&queue.download(from, 0, 4)?)
}

#[test]
fn a_missing_edge_shows() {
    let mut wrong = 0;
    for order in [Order::Late].into_iter().chain((0..20).map(Order::Random)) {
        let (device, _) = mock(order);
        let (a, b) = (device.queue().unwrap(), device.queue().unwrap());
        let buffer = a.alloc(4).unwrap();
        put(&a, &buffer, 7).unwrap();
        wrong += usize::from(get(&b, &buffer).unwrap() != [7; 4]);
    }
    assert!(wrong > 5, "{wrong}");
}

#[test]
fn edges_hold_in_every_order() {
    for order in [Order::Late, Order::Eager].into_iter().chain((0..200).map(Order::Random)) {
        let (device, control) = mock(order);
        let queues: Vec<MockQueue> = (0..4).map(|_| device.queue().unwrap()).collect();
        let buffer = queues[0].alloc(4).unwrap();
        put(&queues[0], &buffer, 0).unwrap();
        let mut before = queues[0].record(false).unwrap();
        for round in 1..20u8 {
            let queue = &queues[usize::from(round) % 4];
            queue.follow(&before).unwrap();
            let landing = queue.download(&buffer, 0, 4).unwrap();
            put(queue, &buffer, round).unwrap();
            before = queue.record(false).unwrap();
            if round % 5 == 0 {
                assert_eq!(read(&landing).unwrap(), [round - 1; 4], "{order:?}");
            }
        }
        before.wait().unwrap();
        assert!(before.is_reached().unwrap());
        let mut back = [MaybeUninit::new(0); 4];
        device.download(&mut back, &buffer, 0).unwrap();
        // SAFETY: initialised before the download and by it.
        assert_eq!(back.map(|b| unsafe { b.assume_init() }), [19; 4]);
        drop((buffer, before, queues));
        assert_eq!(control.pending(), 0);
        assert_eq!((control.live_buffers(), control.live_events(), control.live_landings()), (0, 0, 0));
        assert_eq!(control.live_queues(), 0);
    }
}

#[test]
fn memory_stays_while_it_is_needed() {
    let (device, control) = mock(Order::Late);
    let queue = device.queue().unwrap();
    let buffer = queue.alloc(4).unwrap();
    put(&queue, &buffer, 3).unwrap();
    let landing = queue.download(&buffer, 0, 4).unwrap();
    drop((buffer, queue));
    assert_eq!(control.live_buffers(), 1);
    assert_eq!(read(&landing).unwrap(), [3; 4]);
    assert_eq!((control.live_buffers(), control.pending()), (0, 0));
}

#[test]
fn every_step_may_fail() {
    let lost = || DeviceError::Transfer { reason: "as the test wants it".into() };
    let all = |device: &Mock| -> Result<Vec<u8>, DeviceError> {
        let (a, b) = (device.queue()?, device.queue()?);
        let buffer = a.alloc(4)?;
        put(&a, &buffer, 1)?;
        let made = a.record(false)?;
        b.follow(&made)?;
        b.zero(&buffer, 0, 2)?;
        let landing = b.download(&buffer, 0, 4)?;
        b.record(false)?.wait()?;
        made.wait()?;
        read(&landing)
    };
    for op in [
        Op::Queue,
        Op::Alloc,
        Op::Upload,
        Op::Download,
        Op::Record,
        Op::Follow,
        Op::Await,
        Op::Land,
        Op::Work,
    ] {
        for n in 1.. {
            let (device, control) = mock(Order::Late);
            control.fail(op, n, lost());
            let result = all(&device);
            control.forgive();
            // Work that was queued before the fault runs all the same.
            for _ in 0..2 {
                let queue = device.queue().unwrap();
                queue.record(false).unwrap().wait().unwrap();
            }
            while control.pending() > 0 {
                control.board.pass(&control);
            }
            assert_eq!((control.live_buffers(), control.live_events()), (0, 0), "{op:?} {n}");
            assert_eq!((control.live_landings(), control.live_queues()), (0, 0), "{op:?} {n}");
            match result {
                Err(error) => assert_eq!(error, lost(), "{op:?} {n}"),
                Ok(bytes) => {
                    assert_eq!(bytes, [0, 0, 1, 1]);
                    assert!(n > 1, "{op:?} never happens");
                    break;
                }
            }
        }
    }
}

#[test]
fn a_failure_shows_at_the_next_event_only() {
    let (device, control) = mock(Order::Late);
    let queue = device.queue().unwrap();
    let buffer = queue.alloc(4).unwrap();
    control.fail(Op::Work, 1, DeviceError::Launch { reason: "late".into() });
    put(&queue, &buffer, 1).unwrap();
    let first = queue.record(false).unwrap();
    put(&queue, &buffer, 2).unwrap();
    let second = queue.record(false).unwrap();
    assert_eq!(second.wait(), Ok(()));
    assert!(matches!(first.wait(), Err(DeviceError::Launch { .. })));
    assert!(first.is_reached().is_err());
}

#[test]
fn times_pass() {
    let (device, _) = mock(Order::Late);
    let queue = device.queue().unwrap();
    let buffer = queue.alloc(4).unwrap();
    let start = queue.record(true).unwrap();
    put(&queue, &buffer, 1).unwrap();
    let end = queue.record(true).unwrap();
    assert_eq!(end.since(&start), None);
    end.wait().unwrap();
    assert!(end.since(&start).unwrap() > std::time::Duration::ZERO);
}
