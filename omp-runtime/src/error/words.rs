//! Tests: every error names its place, variable and device, and says what disagrees and what to try.
use super::*;

static PLACE: std::sync::LazyLock<Place> =
    std::sync::LazyLock::new(|| Place { region: "saxpy".into(), file: "src/main.rs", line: 7, column: 5 });

const DEVICE: &str = "Mock (mock)";

fn mapping(elements: (u64, u64)) -> Mapping {
    Mapping { variable: "x".into(), elements, bytes: 4 * (elements.1 - elements.0) }
}

fn lookup(wanted: Wanted) -> Box<Lookup> {
    let row = PresentRow {
        variable: "x".into(),
        elements: (0, 5),
        of: "f32",
        addresses: (0x1000, 0x1014),
        references: 1,
        place: &PLACE,
    };
    Box::new(Lookup {
        variable: "x".into(),
        elements: (2, 9),
        of: "u32",
        addresses: (0x1008, 0x1024),
        missing: vec![(5, 9)],
        device: DEVICE.into(),
        wanted,
        table: vec![row],
    })
}

/// One of each, with the words that it must contain in addition to the place.
fn each() -> Vec<(Error, Vec<&'static str>)> {
    let place = &*PLACE;
    let (device, variable) = (|| DEVICE.to_owned(), || "x".to_owned());
    let reasons = || vec![("cuda".to_owned(), "no libcuda.so.1 in /usr/lib".to_owned())];
    let panic = Error::Panic {
        place,
        device: DEVICE.into(),
        kind: PanicKind::IndexOutOfBounds,
        at: Some("src/main.rs:9:14".into()),
        message: "index out of bounds: the len is 3 but the index is 4".into(),
        variable: Some("x".into()),
        iteration: vec![("i".into(), 4)],
    };
    let of_panic = vec!["src/main.rs:9:14", "`x`", "i = 4", "index is 4", DEVICE];
    let found = Difference {
        variable: "x[3]".into(),
        host: "1".into(),
        device: "2".into(),
        differing: 1,
        compared: 8,
        tolerance: 0.0,
        promised: None,
    };
    let meeting = Meeting { iterations: vec![("i".into(), 1, 2)], element: 5 };
    let accesses = ("src/main.rs:8:9".to_owned(), "src/main.rs:8:20".to_owned());
    let compile = |source: Option<&str>| Error::Compile {
        place,
        device: device(),
        log: "expected `;`".into(),
        source: source.map(Into::into),
    };
    let race = |witness: Option<Box<Meeting>>| Error::Race {
        place,
        variable: variable(),
        accesses: accesses.clone(),
        reason: witness.is_none().then(|| "the index is the result of `find`".into()),
        witness,
    };
    vec![
        (
            Error::NoSuchDevice {
                place: Some(place),
                requested: 9,
                by_default: false,
                devices: 2,
                reasons: reasons(),
            },
            vec!["device 9", "numbers 0 to 2", "cuda: no libcuda.so.1 in /usr/lib"],
        ),
        (Error::Mandatory { place, reasons: reasons() }, vec!["cuda: no libcuda.so.1 in /usr/lib"]),
        (
            Error::OutOfMemory {
                place,
                device: device(),
                variable: Some(variable()),
                requested: 1000,
                free: 10,
                largest: vec![mapping((0, 5))],
            },
            vec![DEVICE, "`x`", "requested: 1000", "free: 10", "`x[0..5]` (20 bytes)"],
        ),
        (compile(None), vec![DEVICE, "log: expected `;`", "OMP_DUMP"]),
        (compile(Some("/tmp/a.cu")), vec![DEVICE, "log: expected `;`", "/tmp/a.cu"]),
        (Error::Launch { place, device: device(), reason: "too large".into() }, vec![DEVICE, "too large"]),
        (
            Error::Transfer { place, device: device(), variable: variable(), reason: "lost".into() },
            vec![DEVICE, "`x`", "lost"],
        ),
        (Error::DeviceLost { place, device: device(), reason: "gone".into() }, vec![DEVICE, "gone"]),
        (panic.clone(), of_panic.clone()),
        (
            race(Some(Box::new(meeting))),
            vec!["race", "`x`", "src/main.rs:8:9", "src/main.rs:8:20", "i = 1 and i = 2", "element 5"],
        ),
        (
            Error::Operator {
                place,
                at: "src/main.rs:8:9".into(),
                method: Some("max".into()),
                operator: "max",
            },
            vec!["`reduction(max: …)`", "`max`", "src/main.rs:8:9", "declare_reduction"],
        ),
        (
            Error::Operator { place, at: "src/main.rs:8:9".into(), method: None, operator: "+" },
            vec!["`reduction(+: …)`", "`+=`", "src/main.rs:8:9", "`s = s + e`"],
        ),
        (race(None), vec!["race", "`x`", "src/main.rs:8:9", "src/main.rs:8:20", "result of `find`"]),
        (
            Error::Overlap { place, written: mapping((0, 4)), other: mapping((2, 6)) },
            vec!["`x[0..4]` (16 bytes)", "`x[2..6]` (16 bytes)"],
        ),
        (
            Error::NotPresent { place, device: device(), lookup: lookup(Wanted::Map) },
            vec![DEVICE, "`x[2..9]`", "present table", "`x[0..5]`"],
        ),
        (
            Error::NotPresent { place, device: device(), lookup: lookup(Wanted::Update) },
            vec![DEVICE, "`x[2..9]`", "present table"],
        ),
        (
            Error::NotPresent { place, device: device(), lookup: lookup(Wanted::Exit) },
            vec![DEVICE, "`x[2..9]`", "present table"],
        ),
        (
            Error::PartlyPresent { place, device: device(), lookup: lookup(Wanted::Map) },
            vec![DEVICE, "`x[2..9]`", "missing: `x[5..9]`", "present table", "`x[0..5]`"],
        ),
        (
            Error::OtherType { place, device: device(), lookup: lookup(Wanted::Map) },
            vec![DEVICE, "`x[2..9]` of u32", "`x[0..5]` of f32"],
        ),
        (Error::Moved { place, variable: variable() }, vec!["`x`"]),
        (Error::BehindShared { place, device: device(), variable: variable() }, vec![DEVICE, "`x`", "`&`"]),
        (Error::OldValue { place, device: device(), variable: variable() }, vec![DEVICE, "`x`", "old"]),
        (
            Error::Stranded { place, device: device(), variable: variable(), reason: "recursion".into() },
            vec![DEVICE, "`x`", "recursion"],
        ),
        (
            Error::SectionsOverlap { place, variable: variable(), sections: ((0, 4), (2, 6)) },
            vec!["`x[0..4]`", "`x[2..6]`"],
        ),
        (
            Error::Section { place, variable: variable(), section: (2, 9), len: 5 },
            vec!["`x[2..9]`", "the length of `x` is 5"],
        ),
        (
            Error::Clause { place, clause: "num_teams", value: 0, allowed: "1 and more" },
            vec!["num_teams(0)", "allowed: 1 and more"],
        ),
        (
            Error::Clause { place, clause: "schedule", value: 0, allowed: "1 and more" },
            vec!["the chunk of `schedule(…, 0)`", "allowed: 1 and more"],
        ),
        (
            Error::Mismatch { place, device: device(), found: Box::new(found) },
            vec![DEVICE, "`x[3]`", "host: 1", "1 of 8 elements"],
        ),
        (Error::OnlyOnDevice { place, device: device(), error: Box::new(panic) }, of_panic),
    ]
}

/// A new variant has to be listed above.
fn is_of_a_region(error: &Error) -> bool {
    match error {
        Error::NoSuchDevice { .. }
        | Error::Mandatory { .. }
        | Error::OutOfMemory { .. }
        | Error::Compile { .. }
        | Error::Launch { .. }
        | Error::Transfer { .. }
        | Error::DeviceLost { .. }
        | Error::Panic { .. }
        | Error::Race { .. }
        | Error::Operator { .. }
        | Error::Overlap { .. }
        | Error::NotPresent { .. }
        | Error::PartlyPresent { .. }
        | Error::OtherType { .. }
        | Error::Moved { .. }
        | Error::BehindShared { .. }
        | Error::OldValue { .. }
        | Error::Stranded { .. }
        | Error::SectionsOverlap { .. }
        | Error::Section { .. }
        | Error::Clause { .. }
        | Error::Mismatch { .. }
        | Error::OnlyOnDevice { .. } => true,
        // Its place is outside of the program.
        Error::Environment { .. } => false,
    }
}

#[test]
fn every_error_says_where_of_what_and_what_to_try() {
    for (error, words) in each() {
        let text = error.to_string();
        assert!(is_of_a_region(&error));
        assert_eq!(error.place(), Some(&*PLACE), "{text}");
        for word in words.into_iter().chain(["src/main.rs:7", "`saxpy`", "\n  try: "]) {
            assert!(text.contains(word), "`{word}` is not in: {text}");
        }
    }
    let error =
        Error::Environment { variable: "OMP_TUNE", value: "maybe".into(), allowed: "off, auto".into() };
    let text = error.to_string();
    assert!(["OMP_TUNE", "`maybe`", "allowed: off, auto"].iter().all(|word| text.contains(word)), "{text}");
    assert!(error.place().is_none());
}
