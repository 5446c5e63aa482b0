//! `cargo omp verify`: `OMP_VERIFY` over a whole run.
use crate::Done;
use crate::program::Program;
use crate::show::{field, print, table, wrap};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The fraction by which floats may differ; without it 1e-4 for f32 and 1e-9 for f64
    #[arg(long, value_name = "FRACTION", value_parser = fraction)]
    tolerance: Option<f64>,
    #[command(flatten)]
    program: Program,
}

fn fraction(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(of) if (0.0..1.0).contains(&of) => Ok(of),
        _ => Err("a number of at least 0 and below 1, such as 1e-6".into()),
    }
}

pub fn run(options: &Options) -> Done {
    let tolerance = options.tolerance.map_or_else(|| "1".to_owned(), |of| format!("{of:e}"));
    let ran = options.program.run(|_| vec![("OMP_VERIFY", tolerance.into())])?;
    let mut compared: Vec<_> = ran.report.compared.iter().collect();
    compared.sort_by(|a, b| a.place.cmp(&b.place));
    let rows = compared.iter().map(|of| {
        let found = match (&of.differs, &of.not_compared, of.largest) {
            (Some(_), ..) => "DIFFERS".to_owned(),
            (None, Some(_), _) if of.count == 0 => "not compared".to_owned(),
            (None, _, Some(0.0)) => "equal".to_owned(),
            (None, _, Some(_)) => "agrees".to_owned(),
            (None, _, None) => "agrees, not finite".to_owned(),
        };
        let largest = match of.largest {
            Some(largest) if of.count > 0 => format!("{largest:.1e}"),
            _ => "-".to_owned(),
        };
        vec![of.place.short(), found, of.count.to_string(), largest]
    });
    let mut text = String::new();
    if !compared.is_empty() {
        text.push_str(&table(&["region", "result", "runs", "largest difference"], rows, 2));
    }
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for of in compared.iter().filter(|of| of.differs.is_none()) {
        if let Some(why) = &of.not_compared {
            reasons.entry(why).or_default().push(of.place.short());
        }
    }
    for (why, regions) in reasons {
        let _ = write!(text, "\nnot compared, at least once\n{}", field("regions", &regions.join(", ")));
        text.push_str(&field("because", why));
    }
    for of in &compared {
        if let Some(what) = &of.differs {
            let _ = writeln!(text, "\n{what}");
        }
    }
    let differs = compared.iter().filter(|of| of.differs.is_some()).count();
    let counted = compared.iter().filter(|of| of.count > 0).count();
    let runs: u64 = compared.iter().map(|of| of.count).sum();
    let _ = writeln!(text, "\nregions compared: {counted}, in {runs} runs; {differs} differ");
    if counted == 0 {
        let on_device = ran.report.runs.iter().any(|run| run.backend != "host");
        let why = if on_device {
            "no region could be compared".to_owned()
        } else {
            format!("nothing ran on a device: {}", options.program.without_device())
        };
        let _ = writeln!(text, "{}", wrap(&why, 0));
    }
    print(&text);
    if let Some(failure) = ran.failure() {
        return Err(failure);
    }
    Ok(if differs == 0 && counted > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
