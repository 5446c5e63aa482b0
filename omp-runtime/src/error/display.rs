//! The texts of the errors: one sentence, then facts, then what to try.
use super::{Difference, Error, Place};
use crate::backend::size::UNKNOWN;
use std::fmt;

fn reasons(f: &mut fmt::Formatter<'_>, list: &[(String, String)]) -> fmt::Result {
    for (who, why) in list {
        write!(f, "\n  {who}: {why}")?;
    }
    Ok(())
}

fn iteration(f: &mut fmt::Formatter<'_>, values: &[(String, i128)]) -> fmt::Result {
    for (i, (name, value)) in values.iter().enumerate() {
        write!(f, "{}{name} = {value}", if i == 0 { "\n  in the iteration " } else { ", " })?;
    }
    Ok(())
}

fn mismatch(f: &mut fmt::Formatter<'_>, place: &Place, device: &str, found: &Difference) -> fmt::Result {
    let Difference { variable, host, device: other, differing, compared, tolerance, promised } = found;
    write!(f, "OMP_VERIFY: host and device disagree on `{variable}` in {place}")?;
    write!(f, "\n  host: {host}\n  {device}: {other}")?;
    if *compared > 1 {
        write!(f, "\n  {differing} of {compared} elements differ")?;
    }
    if let Some(promised) = promised {
        write!(
            f,
            "\n  the region promises `unsafe({promised})`, which nothing checks: where it does not hold, either result may be the wrong one"
        )?;
        // Under `disjoint` alone there is something that looks.
        if let Some(checked) = promised.split(", ").find(|p| p.starts_with("disjoint(")) {
            write!(f, "\n  try: `{checked}` in its place, which is checked while running")?;
        } else {
            f.write_str("\n  try: the region without it, where subscripts are checked")?;
        }
        return Ok(());
    }
    if *tolerance > 0.0 {
        write!(
            f,
            "\n  floats may differ by a fraction of {tolerance:e}\n  try: OMP_VERIFY=1e-2 for a larger one, or `fp(strict)` on the region"
        )?;
    } else {
        f.write_str(
            "\n  floats of host and device may differ in their last bits (`a * b + c` in one step or two); a cast to an integer, or a comparison, turns that into another value at its edge\
             \n  try: `fp(strict)` on the region, with which both compute the same; if they disagree under it, too, OMP_DUMP=dir keeps the kernel's source for a bug report",
        )?;
    }
    Ok(())
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchDevice { place, requested, by_default, devices, reasons: list } => {
                write!(f, "there is no device {requested}")?;
                if let Some(place) = place {
                    write!(f, ", which {place} requests")?;
                }
                if *by_default {
                    f.write_str("\n  it is the default device, by OMP_DEFAULT_DEVICE, ACC_DEVICE_NUM or `omp::set_default_device`")?;
                }
                write!(
                    f,
                    "\n  devices: {devices}, so numbers 0 to {devices} are allowed ({devices} is the host)"
                )?;
                reasons(f, list)?;
                f.write_str("\n  try: `omp::get_num_devices()` gives the number, `omp::devices()` lists them")
            }
            Self::Mandatory { place, reasons: list } => {
                write!(
                    f,
                    "{place} can't run on a device, and OMP_TARGET_OFFLOAD=mandatory forbids the host"
                )?;
                reasons(f, list)?;
                f.write_str("\n  try: OMP_TARGET_OFFLOAD=default lets the host run it")
            }
            Self::OutOfMemory { place, device, variable, requested, free, largest } => {
                write!(f, "{device} is out of memory for {place}\n  requested: {requested} bytes")?;
                if let Some(v) = variable {
                    write!(f, " for `{v}`")?;
                }
                if *free != UNKNOWN {
                    write!(f, ", free: {free} bytes")?;
                }
                for (i, m) in largest.iter().enumerate() {
                    write!(f, "{}{m}", if i == 0 { "\n  largest mappings: " } else { ", " })?;
                }
                f.write_str("\n  try: map sections, or split the loop")
            }
            Self::Compile { place, device, log, source } => {
                write!(f, "the kernel of {place} does not compile for {device}")?;
                match source {
                    Some(path) => write!(
                        f,
                        "\n  source: {}\n  try: OMP_TARGET_OFFLOAD=default lets the host run it; please report the source with the log",
                        path.display()
                    )?,
                    None => f.write_str("\n  try: OMP_DUMP=dir keeps the source")?,
                }
                write!(f, "\n  log: {}", log.trim_end())
            }
            Self::Launch { place, device, reason } => {
                write!(f, "the launch of {place} on {device} failed: {reason}")?;
                f.write_str("\n  try: a smaller `thread_limit`, or OMP_INFO=all to see the launch")
            }
            Self::Transfer { place, device, variable, reason } => {
                write!(
                    f,
                    "the transfer of `{variable}` between the host and {device} failed in {place}: {reason}"
                )?;
                f.write_str("\n  try: OMP_INFO=transfer,launch to see what came before it")
            }
            Self::DeviceLost { place, device, reason } => {
                write!(f, "{device} has failed for good in {place}: {reason}")?;
                f.write_str("\n  try: start the program again, or OMP_BACKEND=host")
            }
            Self::Panic { place, device, kind, at, message, variable, iteration: values } => {
                f.write_str(message)?;
                if let Some(v) = variable {
                    write!(f, "\n  subscript of `{v}`")?;
                }
                iteration(f, values)?;
                match at {
                    Some(at) => write!(f, "\n  at {at}, in {place}")?,
                    None => write!(f, "\n  in {place}")?,
                }
                let help = kind.help(message, &**device == "the host");
                write!(f, "\n  on {device}\n  try: {help}")
            }
            Self::Race { place, variable, accesses: (a, b), witness, reason } => {
                f.write_str(&match witness {
                    Some(_) => format!("{place} has a race through `{variable}`: with these sizes two iterations touch one element"),
                    None => format!("{place} may have a race through `{variable}`: with these sizes nothing shows that two iterations touch different elements"),
                })?;
                write!(f, "\n  it is written at {a} and touched at {b}")?;
                if let Some(meeting) = witness {
                    let values = |pick: fn(&(String, i128, i128)) -> i128| {
                        let shown: Vec<_> =
                            meeting.iterations.iter().map(|i| format!("{} = {}", i.0, pick(i))).collect();
                        if shown.len() > 1 { format!("({})", shown.join(", ")) } else { shown.concat() }
                    };
                    if !meeting.iterations.is_empty() {
                        let (one, other) = (values(|i| i.1), values(|i| i.2));
                        write!(f, "\n  for example in the iterations {one} and {other}")?;
                    }
                    write!(f, ", element {}", meeting.element)?;
                }
                if let Some(reason) = reason {
                    write!(f, "\n  {reason}")?;
                }
                write!(
                    f,
                    "\n  try: sizes that keep the subscripts apart, `disjoint({variable})`, which checks it while running, or the promise that they are: `unsafe(disjoint({variable}))`"
                )
            }
            Self::Operator { place, at, method, operator } => {
                write!(f, "`reduction({operator}: …)` of {place}: ")?;
                match method {
                    Some(method) => write!(
                        f,
                        "the method `{method}` that updates the item is a trait's of the program, and nothing shows that it \
                         computes the operator `{operator}`\n  it is called at {at}\n  try: a method body that is the operation itself, \
                         or a function as the clause's operator: `#[omp::declare_reduction(f: T, identity = …)]`, `reduction(f: …)` and \
                         `m = f(m, e)`"
                    ),
                    None => write!(
                        f,
                        "the operator `{operator}=` that updates the item is an `impl` of the program, and nothing shows that it \
                         computes what `{operator}` does\n  it is at {at}\n  try: `s = s {operator} e`, or `*self = *self {operator} other` as \
                         the body of the `impl`"
                    ),
                }
            }
            Self::Overlap { place, written, other } => {
                write!(
                    f,
                    "{place} writes memory that is mapped twice\n  written: {written}\n  overlapped by: {other}"
                )?;
                f.write_str("\n  try: map each element under one name only")
            }
            Self::NotPresent { place, device, lookup } => {
                write!(f, "`{}` is not present on {device}, as {place} needs{lookup}", lookup.variable)?;
                write!(f, "\n  try: {}", lookup.wanted.help())
            }
            Self::PartlyPresent { place, device, lookup } => {
                write!(
                    f,
                    "`{}` is only partially present on {device}, where {place} needs all of it{lookup}",
                    lookup.variable
                )?;
                f.write_str("\n  try: a `map` of what is present (a section of it fits), or map all of it there first")
            }
            Self::OtherType { place, device, lookup } => {
                write!(
                    f,
                    "the memory of `{}` is present on {device} with elements of another type than {place} has{lookup}",
                    lookup.variable
                )?;
                f.write_str(
                    "\n  try: `target_exit_data!` before data is freed: its memory is another variable's now",
                )
            }
            Self::Moved { place, variable } => {
                write!(f, "`{variable}` was moved, reallocated or resized inside {place}")?;
                f.write_str("\n  what is on the device belongs to memory that is no longer the variable's, and was not brought back")?;
                f.write_str("\n  try: let its memory be as it is until the region's end, or map it again after the change")
            }
            Self::BehindShared { place, device, variable } => {
                write!(
                    f,
                    "{place} can't bring back `{variable}` from {device}: it is behind a `&`, which nothing is written through"
                )?;
                f.write_str("\n  kernels have written what is on the device, so the host's values are old")?;
                f.write_str("\n  try: name the array by its owner in a directive before (`target_update!(from(x))`), then `map(release: …)` here; or make the field a `&mut`")
            }
            Self::OldValue { place, device, variable } => {
                write!(f, "{place} takes `{variable}` as a value, which a data region keeps on {device}")?;
                f.write_str("\n  kernels have written what is on the device, so the host's values are old")?;
                f.write_str("\n  try: read its elements by index in the loop, or copy it before the loop, after `target_update!(from(x))`: `let copy = *x;`")
            }
            Self::Stranded { place, device, variable, reason } => {
                write!(f, "{place} can't run on {device}: {reason}")?;
                write!(f, "\n  the host can't run it instead, because `{variable}` is on the device")?;
                f.write_str("\n  try: end the data region before it, or `target_update!` and `if(false)`")
            }
            Self::SectionsOverlap { place, variable, sections: ((a, b), (c, d)) } => {
                write!(
                    f,
                    "the sections `{variable}[{a}..{b}]` and `{variable}[{c}..{d}]` in {place} overlap"
                )?;
                f.write_str("\n  try: name each element once")
            }
            Self::Section { place, variable, section: (lo, hi), len } => {
                write!(f, "the section `{variable}[")?;
                match hi {
                    // The end of an inclusive range that no half-open one has.
                    &u64::MAX => write!(f, "{lo}..=usize::MAX")?,
                    hi => write!(f, "{lo}..{hi}")?,
                }
                write!(f, "]` of {place} is not inside the array")?;
                write!(f, "\n  the length of `{variable}` is {len}")?;
                f.write_str("\n  try: bounds up to that length, the first no greater than the second; without one, `x[3..]`, a section runs to the end")
            }
            Self::Clause { place, clause, value, allowed } => {
                match *clause {
                    "schedule" | "dist_schedule" => write!(f, "the chunk of `{clause}(…, {value})`")?,
                    _ => write!(f, "{clause}({value})")?,
                }
                write!(f, " of {place} is out of range\n  allowed: {allowed}")?;
                write!(f, "\n  try: a value in this range, or no `{clause}`: it is chosen then")
            }
            Self::Mismatch { place, device, found } => mismatch(f, place, device, found),
            Self::OnlyOnDevice { place, device, error } => {
                write!(
                    f,
                    "OMP_VERIFY: {device} fails in {place}, where the host does not\n  on the device: {error}"
                )
            }
            Self::Environment { variable, value, allowed } => {
                write!(f, "the environment variable {variable} has the value `{value}`\n  allowed: {allowed}")
            }
        }
    }
}
