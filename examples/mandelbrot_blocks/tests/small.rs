//! Small runs of the example.
use omp_tests::example::{runs, traced};
use std::collections::BTreeSet;

#[test]
fn small_runs() {
    let program = env!("CARGO_BIN_EXE_mandelbrot_blocks");
    let png = concat!(env!("CARGO_TARGET_TMPDIR"), "/mandelbrot_blocks.png");
    runs(program, &["--width", "61", "--height", "40", "-b", "7", "-o", png]);
    runs(program, &["--width", "5", "--height", "3", "-b", "8", "-i", "20", "-o", png]);
}

/// A kernel or a copy, as the trace has it.
struct Span {
    kernel: bool,
    pipelined: bool,
    queue: u64,
    from: f64,
    to: f64,
}

/// What the device did, by a run's trace.
fn spans(json: &str) -> Vec<Span> {
    let json: serde_json::Value = serde_json::from_str(json).expect("a trace is JSON");
    let events = json["traceEvents"].as_array().expect("a list of events").iter();
    let span = |event: &serde_json::Value| {
        let kind = event["cat"].as_str().filter(|kind| ["kernel", "transfer"].contains(kind))?;
        let from = event["ts"].as_f64()?;
        // (A queue's first track and those beside it.)
        let queue = event["tid"].as_u64()? / 8;
        // What goes through the default queue is of the other way.
        Some(Span {
            kernel: kind == "kernel",
            pipelined: queue > 0,
            queue,
            from,
            to: from + event["dur"].as_f64()?,
        })
    };
    events.filter_map(span).collect()
}

/// Copies beside a kernel at one time, of another queue if there are several.
fn overlaps(spans: &[&Span]) -> usize {
    let (kernels, copies): (Vec<&Span>, Vec<&Span>) = spans.iter().partition(|span| span.kernel);
    let alone = spans.iter().all(|span| span.queue == spans[0].queue);
    let meets =
        |copy: &Span, k: &Span| (alone || k.queue != copy.queue) && k.from < copy.to && copy.from < k.to;
    copies.into_iter().filter(|copy| kernels.iter().any(|kernel| meets(copy, kernel))).count()
}

#[test]
fn copies_overlap_kernels_where_blocks_are_tasks() {
    let program = env!("CARGO_BIN_EXE_mandelbrot_blocks");
    let png = concat!(env!("CARGO_TARGET_TMPDIR"), "/mandelbrot_traced.png");
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/mandelbrot_blocks.json");
    let arguments = ["--width", "256", "--height", "256", "-i", "3000", "-r", "2", "-o", png];
    // A machine that is busy with other things may put one after the other, now and then.
    for _ in 0..5 {
        let Some(json) = traced(program, &arguments, file) else { return };
        let spans = spans(&json);
        let (tasks, in_turn): (Vec<&Span>, Vec<&Span>) = spans.iter().partition(|span| span.pipelined);
        for kernel in [true, false] {
            assert!(
                in_turn.iter().filter(|s| s.kernel == kernel).count() >= 8,
                "a kernel and a copy for each block"
            );
            let of_tasks = tasks.iter().filter(|s| s.kernel == kernel);
            let queues: BTreeSet<u64> = of_tasks.map(|s| s.queue).collect();
            assert!(queues.len() >= 2, "kernels {kernel}: {queues:?}");
        }
        assert_eq!(overlaps(&in_turn), 0, "one after the other");
        if overlaps(&tasks) > 0 {
            return;
        }
    }
    panic!("no copy of a block ran beside the kernel of another");
}
