//! `OMP_TIME=1`: what every region and data directive took in all, in a table on stderr when the process ends.
use crate::device::Dev;
use crate::error::Place;
use crate::launch::report::Record;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What one region took on one device.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    region: String,
    device: String,
    runs: u64,
    total: Duration,
    least: Duration,
    most: Duration,
    to_device: u64,
    from_device: u64,
    fallbacks: u64,
}

/// By the place, the kind of directive and the device.
type Rows = HashMap<(usize, &'static str, Option<usize>), Row>;

static ROWS: Mutex<Option<Rows>> = Mutex::new(None);

/// Changes the row of a place on a device (`None` is the host), if the table is wanted.
fn with(place: &'static Place, kind: &'static str, device: Option<&Dev>, change: impl FnOnce(&mut Row)) {
    if !super::wants(super::TIME) {
        return;
    }
    super::exit::expect_the_end();
    let key = (std::ptr::from_ref(place).addr(), kind, device.map(|d| d.id));
    let mut rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
    let row = rows.get_or_insert_default().entry(key).or_insert_with(|| Row {
        region: match kind {
            "" => format!("{} {}:{}", place.region, place.file, place.line),
            kind => format!("{} {}:{} ({kind})", place.region, place.file, place.line),
        },
        device: device.map_or_else(|| "host".to_owned(), |d| d.handle.facts().name.clone()),
        runs: 0,
        total: Duration::ZERO,
        least: Duration::MAX,
        most: Duration::ZERO,
        to_device: 0,
        from_device: 0,
        fallbacks: 0,
    });
    change(row);
}

impl Row {
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
    });
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
    let wide = rows.iter().map(|r| r.region.len()).max().unwrap_or(0).max(6);
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
            r.region,
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
    let rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
    if !rows.is_empty() {
        // Whoever reads stderr may be gone.
        let _ =
            std::io::Write::write_all(&mut std::io::stderr(), table(rows.into_values().collect()).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_comes_first() {
        let row = |region: &str, ms| Row {
            region: region.into(),
            device: "host".into(),
            runs: 2,
            total: Duration::from_millis(ms),
            least: Duration::from_millis(1),
            most: Duration::from_millis(ms - 1),
            to_device: 10,
            from_device: 0,
            fallbacks: 1,
        };
        let text = table(vec![row("quick a.rs:1", 4), row("slow b.rs:2", 10)]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[1].contains("slow b.rs:2") && lines[1].contains("10.000") && lines[1].contains("5.000"),
            "{text}"
        );
        assert!(lines[2].contains("quick"), "{text}");
    }
}
