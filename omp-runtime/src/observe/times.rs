//! Total times and bytes of every region and data directive: the table of `OMP_TIME=1`, on stderr when the process ends, and a part of the file
//! of `OMP_REPORT`.
use crate::device::Dev;
use crate::error::Place;
use crate::launch::outcome::report::{KernelTime, Record};
use crate::observe::report::Work;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What one region took on one device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub place: &'static Place,
    /// Of a data directive; empty for a region.
    pub kind: &'static str,
    pub device: String,
    pub backend: &'static str,
    pub runs: u64,
    pub total: Duration,
    pub least: Duration,
    pub most: Duration,
    /// Of the kernels, or of the host's loops, as far as it is known.
    pub kernel: Duration,
    pub to_device: u64,
    pub from_device: u64,
    pub fallbacks: u64,
    /// The first one's reason.
    pub fallback: Option<Arc<str>>,
    /// The most that a launch made in the kernel.
    pub checks: usize,
    /// Launches whose work is in `bytes` and `operations`; of the others nothing is known.
    pub launches: u64,
    pub bytes: Option<u64>,
    pub operations: Option<u64>,
}

/// By the place, the kind of directive and the device.
type Rows = HashMap<(usize, &'static str, Option<usize>), Row>;

static ROWS: Mutex<Option<Rows>> = Mutex::new(None);

/// Changes the row of a place on a device (`None` is the host), if the table is wanted.
fn with(place: &'static Place, kind: &'static str, device: Option<&Dev>, change: impl FnOnce(&mut Row)) {
    if !super::wants(super::TIME | super::REPORT) {
        return;
    }
    super::exit::expect_the_end();
    let key = (std::ptr::from_ref(place).addr(), kind, device.map(|d| d.id));
    let mut rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
    let row = rows.get_or_insert_default().entry(key).or_insert_with(|| Row {
        place,
        kind,
        device: device.map_or_else(|| "host".to_owned(), |d| d.handle.facts().name.clone()),
        backend: device.map_or("host", |d| d.handle.facts().backend),
        runs: 0,
        total: Duration::ZERO,
        least: Duration::MAX,
        most: Duration::ZERO,
        kernel: Duration::ZERO,
        to_device: 0,
        from_device: 0,
        fallbacks: 0,
        fallback: None,
        checks: 0,
        launches: 0,
        bytes: Some(0),
        operations: Some(0),
    });
    change(row);
}

impl Row {
    fn region(&self) -> String {
        let Place { region, file, line, .. } = self.place;
        match self.kind {
            "" => format!("{region} {file}:{line}"),
            kind => format!("{region} {file}:{line} ({kind})"),
        }
    }

    fn ran(&mut self, time: Duration) {
        self.runs += 1;
        self.total += time;
        self.least = self.least.min(time);
        self.most = self.most.max(time);
    }
}

/// Counts a region's execution.
pub(crate) fn count(record: &Record) {
    with(record.place, "", record.device, |row| {
        row.ran(record.wall_time);
        row.to_device += record.bytes_to_device;
        row.from_device += record.bytes_from_device;
        row.fallbacks += u64::from(record.fallback.is_some());
        row.fallback = row.fallback.take().or_else(|| record.fallback.clone());
        row.checks = row.checks.max(record.residual_checks);
        row.kernel += match record.kernel_time {
            KernelTime::Known(time) => time,
            KernelTime::OnDevice => {
                record.device.and_then(|d| d.handle.last_kernel_time()).unwrap_or_default()
            }
            KernelTime::Since(_) => Duration::ZERO,
        };
    });
}

/// Counts the work of a launch.
pub(super) fn launched(place: &'static Place, device: &Dev, work: Work) {
    with(place, "", Some(device), |row| {
        row.launches += 1;
        row.bytes = row.bytes.zip(work.bytes).and_then(|(sum, n)| sum.checked_add(n));
        row.operations = row.operations.zip(work.operations).and_then(|(sum, n)| sum.checked_add(n));
    });
}

/// The rows so far.
pub(super) fn rows() -> Vec<Row> {
    let rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
    rows.iter().flat_map(HashMap::values).filter(|row| row.runs > 0).cloned().collect()
}

/// Counts a data directive's execution.
pub(super) fn directive(
    place: &'static Place,
    kind: &'static str,
    device: &Dev,
    time: Duration,
    moved: (u64, u64),
) {
    with(place, kind, Some(device), |row| {
        row.ran(time);
        row.to_device += moved.0;
        row.from_device += moved.1;
    });
}

/// The table, the region that took longest first.
fn table(mut rows: Vec<Row>) -> String {
    rows.sort_by_key(|r| std::cmp::Reverse(r.total));
    let wide = rows.iter().map(|r| r.region().len()).max().unwrap_or(0).max(6);
    let device = rows.iter().map(|r| r.device.len()).max().unwrap_or(0).max(6);
    let mut text = format!(
        "omp: {:wide$}  {:device$} {:>8} {:>11} {:>11} {:>11} {:>11} {:>13} {:>13} {:>9}\n",
        "region",
        "device",
        "runs",
        "total ms",
        "min ms",
        "avg ms",
        "max ms",
        "bytes to",
        "bytes from",
        "fallbacks"
    );
    for r in rows {
        let ms = |d: Duration| format!("{:.3}", d.as_secs_f64() * 1e3);
        let average = r.total / u32::try_from(r.runs.max(1)).unwrap_or(u32::MAX);
        let _ = writeln!(
            text,
            "omp: {:wide$}  {:device$} {:>8} {:>11} {:>11} {:>11} {:>11} {:>13} {:>13} {:>9}",
            r.region(),
            r.device,
            r.runs,
            ms(r.total),
            ms(r.least),
            ms(average),
            ms(r.most),
            r.to_device,
            r.from_device,
            r.fallbacks
        );
    }
    text
}

/// Prints the table, if anything was counted.
pub(super) fn print() {
    let rows = rows();
    if super::wants(super::TIME) && !rows.is_empty() {
        // stderr may be closed.
        let _ = std::io::Write::write_all(&mut std::io::stderr(), table(rows).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    #[test]
    fn the_slowest_comes_first() {
        static QUICK: LazyLock<Place> =
            LazyLock::new(|| Place { region: "quick".into(), file: "a.rs", line: 1, column: 1 });
        static SLOW: LazyLock<Place> =
            LazyLock::new(|| Place { region: "slow".into(), file: "b.rs", line: 2, column: 1 });
        let row = |place, ms| Row {
            place,
            kind: "",
            device: "host".into(),
            backend: "host",
            runs: 2,
            total: Duration::from_millis(ms),
            least: Duration::from_millis(1),
            most: Duration::from_millis(ms - 1),
            kernel: Duration::ZERO,
            to_device: 10,
            from_device: 0,
            fallbacks: 1,
            fallback: None,
            checks: 0,
            launches: 0,
            bytes: None,
            operations: None,
        };
        let text = table(vec![row(&*QUICK, 4), row(&*SLOW, 10)]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[1].contains("slow b.rs:2") && lines[1].contains("10.000") && lines[1].contains("5.000"),
            "{text}"
        );
        assert!(lines[2].contains("quick"), "{text}");
    }
}
