//! `omp::Error` and its kinds of panics may get more variants: a `match` has a last arm.
fn known(e: &omp::Error) -> bool {
    match e {
        omp::Error::NoSuchDevice { .. }
        | omp::Error::Mandatory { .. }
        | omp::Error::OutOfMemory { .. }
        | omp::Error::Compile { .. }
        | omp::Error::Launch { .. }
        | omp::Error::Transfer { .. }
        | omp::Error::DeviceLost { .. }
        | omp::Error::Panic { .. }
        | omp::Error::Race { .. }
        | omp::Error::Overlap { .. }
        | omp::Error::NotPresent { .. }
        | omp::Error::PartlyPresent { .. }
        | omp::Error::OtherType { .. }
        | omp::Error::Moved { .. }
        | omp::Error::BehindShared { .. }
        | omp::Error::OldValue { .. }
        | omp::Error::Stranded { .. }
        | omp::Error::SectionsOverlap { .. }
        | omp::Error::Section { .. }
        | omp::Error::Clause { .. }
        | omp::Error::Mismatch { .. }
        | omp::Error::OnlyOnDevice { .. }
        | omp::Error::Environment { .. } => true,
    }
}

fn kind(k: omp::error::PanicKind) -> u8 {
    use omp::error::PanicKind as Kind;
    match k {
        Kind::IndexOutOfBounds => 0,
        Kind::DivisionByZero => 1,
        Kind::Overflow => 2,
        Kind::OverlappingWrites => 3,
        Kind::Other => 4,
    }
}

fn main() {}
