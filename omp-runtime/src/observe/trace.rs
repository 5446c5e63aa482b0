//! `OMP_TRACE=file.json`: a timeline in the format of Chrome's `about:tracing` and Perfetto.
//!
//! The host is one process of the trace, with a track for each thread: regions, data directives, host loops, compiling,
//! waiting, fallbacks, failures. Each device is another, with a track for each queue: kernels and transfers. A kernel's
//! length is by the device's clock; its end is when the host saw it, unless the device reports both. A transfer ends when its data
//! is in host memory. The queue may be working again by then, and viewers want no overlap on a track, so a queue has a second
//! track for what overlaps.
//!
//! The file is valid JSON at any time: each write overwrites the closing brackets of the one before and writes them anew. So a
//! process that is killed loses its last events only.
use crate::device::Dev;
use crate::error::Place;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

const HEAD: &str = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":0,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"host\"}}";
const TAIL: &str = "\n]}\n";

/// Bytes that are kept back before they are written.
const ENOUGH: usize = 1 << 18;

/// Tracks that a queue may have.
const LANES: u64 = 8;

/// Where an event is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Track<'a> {
    /// With the thread that reports it.
    Thread,
    /// With a queue of a device.
    Queue(&'a Dev, u32),
}

/// A value that is shown with an event.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Arg<'a> {
    Text(&'a dyn DisplayDebug),
    Number(u64),
}

/// Text of any kind.
pub(crate) trait DisplayDebug: fmt::Display + fmt::Debug {}
impl<T: fmt::Display + fmt::Debug + ?Sized> DisplayDebug for T {}

/// Something that happened.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Event<'a> {
    pub track: Track<'a>,
    /// The category: `kernel`, `transfer`, …
    pub kind: &'static str,
    pub name: &'a dyn DisplayDebug,
    pub start: Instant,
    /// `None`: a moment.
    pub time: Option<Duration>,
    pub place: Option<&'a Place>,
    pub args: &'a [(&'static str, Arg<'a>)],
}

#[derive(Debug)]
struct Trace {
    file: File,
    /// Where the closing brackets begin.
    end: u64,
    /// What is still to be written.
    pending: String,
    start: Instant,
    /// Devices and queues, and threads, that have their names.
    named: BTreeSet<(u64, u64)>,
    /// By device and queue: the end of the last event on each of its tracks.
    ends: BTreeMap<(u64, u32), Vec<Instant>>,
}

static TRACE: OnceLock<Mutex<Option<Trace>>> = OnceLock::new();

fn trace() -> Option<MutexGuard<'static, Option<Trace>>> {
    Some(TRACE.get()?.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Begins the file.
pub(crate) fn open(path: &Path) -> io::Result<()> {
    let opened = Trace::create(path)?;
    let _ = TRACE.set(Mutex::new(Some(opened)));
    super::exit::expect_the_end();
    Ok(())
}

/// The last write.
pub(super) fn close() {
    if let Some(mut trace) = trace()
        && let Some(mut trace) = trace.take()
    {
        trace.write_or_report();
    }
}

/// Records an event. After a failure, events are written at once, because the process may end.
pub(crate) fn add(event: &Event<'_>) {
    let thread = thread_number();
    let Some(mut slot) = trace() else { return };
    let Some(trace) = slot.as_mut() else { return };
    trace.add(event, thread);
    if (trace.pending.len() > ENOUGH || event.kind == "failure") && !trace.write_or_report() {
        *slot = None;
    }
}

fn thread_number() -> u64 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    thread_local! {
        static NUMBER: Cell<u32> = const { Cell::new(0) };
    }
    let number = NUMBER.try_with(|number| {
        if number.get() == 0 {
            number.set(NEXT.fetch_add(1, Ordering::Relaxed));
        }
        number.get()
    });
    number.unwrap_or(0).into()
}

impl Trace {
    fn create(path: &Path) -> io::Result<Self> {
        let mut file = File::create(path)?;
        file.write_all(HEAD.as_bytes())?;
        file.write_all(TAIL.as_bytes())?;
        Ok(Self {
            file,
            end: HEAD.len() as u64,
            pending: String::new(),
            start: Instant::now(),
            named: BTreeSet::new(),
            ends: BTreeMap::new(),
        })
    }

    fn write_or_report(&mut self) -> bool {
        let done = self.write();
        if let Err(e) = &done {
            // stderr may be closed.
            let _ = writeln!(io::stderr(), "omp: OMP_TRACE ends here: {e}");
        }
        done.is_ok()
    }

    fn write(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let events = self.pending.len() as u64;
        self.pending.push_str(TAIL);
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(self.pending.as_bytes())?;
        self.file.flush()?;
        self.end += events;
        self.pending.clear();
        Ok(())
    }

    fn add(&mut self, event: &Event<'_>, thread: u64) {
        let (process, track) = match event.track {
            Track::Thread => (0, thread),
            Track::Queue(device, queue) => {
                let process = device.id as u64 + 1;
                (process, u64::from(queue) * LANES + self.lane((process, queue), event))
            }
        };
        if self.named.insert((process, track)) {
            self.name(event.track, process, track);
        }
        // Formatting into a `String` does not fail.
        let _ = self.write_event(event, process, track);
    }

    /// Which of a queue's tracks is free for an event; the last one, if none is.
    fn lane(&mut self, queue: (u64, u32), event: &Event<'_>) -> u64 {
        let ends = self.ends.entry(queue).or_default();
        let free = ends.iter().position(|end| *end <= event.start).unwrap_or(ends.len());
        let lane = free.min(LANES as usize - 1);
        let end = event.start + event.time.unwrap_or_default();
        match ends.get_mut(lane) {
            Some(last) => *last = end.max(*last),
            None => ends.push(end),
        }
        lane as u64
    }

    /// What a track is called.
    fn name(&mut self, of: Track<'_>, process: u64, track: u64) {
        let mut name = |kind: &str, name: &dyn DisplayDebug| {
            let _ = write!(
                self.pending,
                ",\n{{\"ph\":\"M\",\"pid\":{process},\"tid\":{track},\"name\":\"{kind}\",\"args\":{{\"name\":{}}}}}",
                Json(name)
            );
        };
        match of {
            Track::Thread => match std::thread::current().name() {
                Some(known) => name("thread_name", &known),
                None => name("thread_name", &format_args!("thread {track}")),
            },
            Track::Queue(device, queue) => {
                name("process_name", &device.label());
                match track % LANES {
                    0 => name("thread_name", &format_args!("queue {queue}")),
                    lane => name("thread_name", &format_args!("queue {queue}, overlapping ({lane})")),
                }
            }
        }
    }

    fn write_event(&mut self, event: &Event<'_>, process: u64, track: u64) -> fmt::Result {
        let Event { kind, name, start, time, place, args, .. } = *event;
        let start = Micros(start.saturating_duration_since(self.start));
        let to = &mut self.pending;
        write!(to, ",\n{{\"pid\":{process},\"tid\":{track},\"ts\":{start},")?;
        match time {
            Some(time) => write!(to, "\"ph\":\"X\",\"dur\":{},", Micros(time))?,
            None => to.write_str("\"ph\":\"i\",\"s\":\"t\",")?,
        }
        write!(to, "\"cat\":\"{kind}\",\"name\":{},\"args\":{{", Json(name))?;
        let mut comma = "";
        if let Some(place) = place {
            let at = format_args!("{}:{}:{}", place.file, place.line, place.column).to_string();
            write!(to, "\"region\":{},\"place\":{}", Json(&place.region), Json(&at))?;
            comma = ",";
        }
        for (key, value) in args {
            match value {
                Arg::Text(text) => write!(to, "{comma}\"{key}\":{}", Json(*text))?,
                Arg::Number(number) => write!(to, "{comma}\"{key}\":{number}")?,
            }
            comma = ",";
        }
        to.write_str("}}")
    }
}

/// A time in microseconds, to the nanosecond.
struct Micros(Duration);

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.0.as_nanos();
        write!(f, "{}.{:03}", nanos / 1000, nanos % 1000)
    }
}

/// Text as a string of JSON. (With `serde_json` among the dependencies, comparisons of integers in users' code would have two
/// meanings and need annotations: it compares them with its values.)
pub(super) struct Json<'a>(pub &'a dyn DisplayDebug);

impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        struct Escaped<'a, 'b>(&'a mut fmt::Formatter<'b>);
        impl fmt::Write for Escaped<'_, '_> {
            fn write_str(&mut self, s: &str) -> fmt::Result {
                s.chars().try_for_each(|c| match c {
                    '"' | '\\' => write!(self.0, "\\{c}"),
                    '\n' => self.0.write_str("\\n"),
                    c if c < ' ' || c == '\u{7f}' => write!(self.0, "\\u{:04x}", u32::from(c)),
                    c => self.0.write_char(c),
                })
            }
        }
        f.write_char('"')?;
        write!(Escaped(f), "{}", self.0)?;
        f.write_char('"')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_whole_after_every_write_and_text_is_escaped() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("t.json");
        let mut trace = Trace::create(&path).expect("it can be written");
        let read = || std::fs::read_to_string(&path).expect("it is there");
        assert!(read().starts_with(HEAD) && read().ends_with(TAIL));
        let start = trace.start + Duration::from_nanos(1_234_567);
        for (time, tail) in [(Some(Duration::from_micros(2)), "\"dur\":2.000"), (None, "\"ph\":\"i\"")] {
            let event = Event {
                track: Track::Thread,
                kind: "kernel",
                name: &"a \"quoted\"\\\n\u{1}é",
                start,
                time,
                place: None,
                args: &[("bytes", Arg::Number(7)), ("why", Arg::Text(&"so"))],
            };
            trace.add(&event, 3);
            trace.write().expect("it can be written");
            let text = read();
            assert!(text.ends_with(TAIL) && text.matches(TAIL).count() == 1, "{text}");
            for part in [
                tail,
                "\"ts\":1234.567",
                "a \\\"quoted\\\"\\\\\\n\\u0001é",
                "\"tid\":3",
                "{\"bytes\":7,\"why\":\"so\"}",
            ] {
                assert!(text.contains(part), "{part}: {text}");
            }
        }
        assert_eq!(read().matches("thread_name").count(), 1);
    }

    #[test]
    fn what_overlaps_in_a_queue_is_on_separate_tracks() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut trace = Trace::create(&dir.path().join("t.json")).expect("it can be written");
        let begin = trace.start;
        let mut lane = |queue, (from, to): (u64, u64)| {
            let (start, time) = (begin + Duration::from_micros(from), Some(Duration::from_micros(to - from)));
            let event = Event {
                track: Track::Thread,
                kind: "kernel",
                name: &"k",
                start,
                time,
                place: None,
                args: &[],
            };
            trace.lane((1, queue), &event)
        };
        let lanes = [(0, 5), (5, 9), (7, 8), (2, 3), (8, 20), (9, 10), (25, 26)].map(|span| lane(0, span));
        assert_eq!(lanes, [0, 0, 1, 2, 1, 0, 0]);
        assert_eq!(lane(1, (0, 30)), 0, "queues are apart");
        let crowd = [(); 20].map(|()| lane(1, (0, 30)));
        assert_eq!(crowd.iter().max(), Some(&(LANES - 1)));
    }
}
