//! Threads that enter and leave regions of the same data at the same time: each sees its own data or shared data, and at the end
//! nothing is left.
use super::super::array::HostArray;
use super::super::directive::{DataSite, Directive};
use super::super::present::{Found, range};
use super::super::section::Mapped;
use super::{Random, surroundings};
use crate::data::directive::work::{DataMap, Map};
use crate::device::Dev;
use crate::error::Error;
use crate::launch::Context;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

static SITE: DataSite = DataSite::new("threads", "threads.rs", 1, 1);

const THREADS: usize = if cfg!(miri) { 3 } else { 8 };
const ROUNDS: usize = if cfg!(miri) { 4 } else { 400 };
const OWN: usize = 16;

const fn map(ty: DataMap) -> Map {
    Map { ty, always: false, present: false }
}

/// A kernel: adds `plus` to each element of what is present, from the host's values where there are none.
fn kernel(device: &'static Dev, x: &mut [u32], plus: u32) {
    let mapped = Mapped::whole(HostArray::write(x).raw());
    let Found::Here(presence) = device.present.find(&mapped) else { panic!("it is present") };
    let (block, (lo, hi)) = (presence.block(), range(&mapped));
    for (entry, (lo, hi)) in presence.missing(lo, hi) {
        // SAFETY: `x` is borrowed.
        let host = unsafe { mapped.array.bytes_at(lo, hi) };
        device.handle.upload(&block.buffer, block.offset(lo), host).expect("nothing fails");
        entry.fill(lo, hi);
    }
    presence.entries().for_each(|entry| entry.write());
    for i in 0..x.len() as u64 {
        let at = block.offset(mapped.array.address(i));
        let mut bytes = [MaybeUninit::new(0); 4];
        device.handle.download(&mut bytes, &block.buffer, at).expect("nothing fails");
        // SAFETY: all were initialised, and then filled.
        let value = u32::from_ne_bytes(bytes.map(|b| unsafe { b.assume_init() }));
        let bytes = value.wrapping_add(plus).to_ne_bytes().map(MaybeUninit::new);
        device.handle.upload(&block.buffer, at, &bytes).expect("nothing fails");
    }
}

/// The values that a kernel would read of shared data.
fn read(device: &'static Dev, x: &[u32]) -> Vec<u32> {
    let mapped = Mapped::whole(HostArray::read(x).raw());
    let Found::Here(presence) = device.present.find(&mapped) else { panic!("it is present") };
    let (lo, hi) = range(&mapped);
    assert_eq!(presence.missing(lo, hi).count(), 0, "what was mapped `to` has values");
    let mut bytes = vec![MaybeUninit::uninit(); size_of_val(x)];
    let block = presence.block();
    device.handle.download(&mut bytes, &block.buffer, block.offset(lo)).expect("nothing fails");
    // SAFETY: the download has filled all of them.
    let value =
        |b: &[MaybeUninit<u8>]| u32::from_ne_bytes(std::array::from_fn(|i| unsafe { b[i].assume_init() }));
    bytes.chunks_exact(4).map(value).collect()
}

/// A region over a thread's own data and all threads' shared data; in it, others.
fn round(context: &'static Context, random: &mut Random, own: &mut [u32], shared: &[u32]) {
    let device = context.registry.get(0).expect("the mock");
    let mut open = Directive::new(&SITE).within(context);
    open.map("own", map([DataMap::ToFrom, DataMap::From][random.below(2)]), HostArray::write(&mut *own));
    open.map("shared", map(DataMap::To), HostArray::read(shared));
    let mut region = open.try_open().expect("it opens");
    drop(open);
    let (lo, hi) = (random.below(OWN / 2), OWN / 2 + random.below(OWN / 2));
    let unstructured = |ty: DataMap, run: fn(&Directive<'_>) -> Result<(), Error>| {
        let mut d = Directive::new(&SITE).within(context);
        d.map("shared", map(ty), HostArray::read(shared));
        d.section(lo, hi);
        run(&d).expect("part of what is present fits");
    };
    unstructured(DataMap::To, |d| d.try_enter());
    std::thread::yield_now();
    kernel(device, own, 1);
    assert_eq!(read(device, shared), shared);
    let mut update = Directive::new(&SITE).within(context);
    update.map("own", map(DataMap::From), HostArray::write(&mut *own));
    update.section(lo, hi);
    update.try_update().expect("it is present");
    drop(update);
    kernel(device, &mut own[lo..hi], 1);
    assert_eq!(read(device, &shared[lo..hi]), shared[lo..hi]);
    unstructured(DataMap::Release, |d| d.try_exit());
    let mut leaving = region.leave();
    leaving.item(HostArray::write(own));
    leaving.item(HostArray::read(shared));
    leaving.try_end().expect("it ends");
    own[lo..hi].iter_mut().for_each(|v| *v -= 1);
}

#[test]
fn threads_share_what_they_read_and_have_their_own() {
    let (context, control) = surroundings();
    let shared: Vec<u32> = (0..OWN as u32).collect();
    let mut own = vec![0u32; THREADS * OWN];
    std::thread::scope(|threads| {
        for (t, own) in own.chunks_exact_mut(OWN).enumerate() {
            let shared = &shared;
            threads.spawn(move || {
                let mut random = Random(t as u64);
                for k in 0..ROUNDS {
                    round(context, &mut random, own, shared);
                    assert!(own.iter().all(|v| *v as usize == k + 1), "thread {t}, round {k}: {own:?}");
                }
            });
        }
    });
    assert!(own.iter().all(|v| *v as usize == ROUNDS));
    let device = context.registry.get(0).expect("the mock");
    assert!(device.present.is_empty(), "{:?}", device.present.list());
    assert_eq!(control.live_buffers(), 0);
}

/// The last of some regions ends while another begins.
#[test]
fn data_stays_while_a_region_counts_on_it() {
    let (context, control) = surroundings();
    let device = context.registry.get(0).expect("the mock");
    let shared = [7u32; OWN];
    std::thread::scope(|threads| {
        for t in 0..THREADS {
            let shared = &shared;
            threads.spawn(move || {
                for k in 0..ROUNDS * 10 {
                    let mut open = Directive::new(&SITE).within(context);
                    open.map("shared", map(DataMap::To), HostArray::read(shared));
                    let mut region = open.try_open().expect("it opens");
                    let found = device.present.find(&Mapped::whole(HostArray::read(shared).raw()));
                    assert!(matches!(found, Found::Here(_)), "thread {t}, round {k}");
                    let mut leaving = region.leave();
                    leaving.item(HostArray::read(shared));
                    leaving.try_end().expect("it is still there");
                }
            });
        }
    });
    assert!(device.present.is_empty(), "{:?}", device.present.list());
    assert_eq!(control.live_buffers(), 0);
}

#[test]
fn regions_and_deletions_of_many_threads_leak_nothing() {
    let (context, control) = surroundings();
    let shared: Vec<u32> = (0..64).collect();
    std::thread::scope(|threads| {
        for t in 0..THREADS {
            let shared = &shared;
            threads.spawn(move || {
                let mut random = Random(1000 + t as u64);
                for _ in 0..ROUNDS {
                    let (lo, hi) = [(0, 64), (0, 32), (32, 64), (16, 48)][random.below(4)];
                    let mut d = Directive::new(&SITE).within(context);
                    let ty =
                        [DataMap::To, DataMap::Alloc, DataMap::Release, DataMap::Delete][random.below(4)];
                    d.map("shared", map(ty), HostArray::read(shared));
                    d.section(lo, hi);
                    // Errors of data that is there in part, or not, are right; anything else is not.
                    let went = match ty {
                        DataMap::Release | DataMap::Delete => d.try_exit(),
                        _ if random.one_in(2) => d.try_enter(),
                        _ => d.try_open().map(|region| {
                            std::thread::yield_now();
                            let left = catch_unwind(AssertUnwindSafe(move || {
                                let _region = region;
                                resume_unwind(Box::new(()));
                            }));
                            assert!(left.is_err());
                        }),
                    };
                    let right =
                        matches!(went, Ok(()) | Err(Error::PartlyPresent { .. } | Error::NotPresent { .. }));
                    assert!(right, "{went:?}");
                }
            });
        }
    });
    let device = context.registry.get(0).expect("the mock");
    for (lo, hi) in [(0, 64), (0, 32), (32, 64), (16, 48)] {
        let mut d = Directive::new(&SITE).within(context);
        d.map("shared", map(DataMap::Delete), HostArray::read(&shared));
        d.section(lo, hi);
        let _ = d.try_exit();
    }
    assert!(device.present.is_empty(), "{:?}", device.present.list());
    assert_eq!((control.live_buffers(), control.live_bytes()), (0, 0));
}

#[test]
fn ten_thousand_data_regions_leave_the_device_as_it_was() {
    let (context, control) = surroundings();
    let shared: Vec<u32> = (0..OWN as u32).collect();
    let (mut own, mut random) = (vec![0u32; OWN], Random(5));
    for _ in 0..if cfg!(miri) { 10 } else { 10_000 } {
        round(context, &mut random, &mut own, &shared);
        assert_eq!((control.live_buffers(), control.live_bytes()), (0, 0));
    }
}
