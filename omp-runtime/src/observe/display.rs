//! `OMP_DISPLAY_ENV`: the control variables as this process has them, in OpenMP's form, on stderr.
use crate::env::{Display, Env, Info};
use std::fmt::Write as _;

/// The version of OpenMP whose directives these are.
const VERSION: &str = "202111";

/// The whole text; `verbose` adds the variables that only this library has.
#[must_use]
pub fn text(env: &Env, display: Display) -> String {
    let mut text = format!("OPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '{VERSION}'\n");
    let mut line = |scope: &str, name: &str, value: String| {
        let _ = writeln!(text, "  [{scope}] {name} = '{value}'");
    };
    let or = |number: Option<String>, default: &str| number.unwrap_or_else(|| default.to_owned());
    line("host", "OMP_NUM_THREADS", or(env.num_threads.map(|n| n.to_string()), "all processors"));
    line("host", "OMP_SCHEDULE", format!("{:?}", env.schedule).to_ascii_uppercase());
    line("device", "OMP_NUM_TEAMS", or(env.num_teams.map(|n| n.to_string()), "0"));
    line("device", "OMP_TEAMS_THREAD_LIMIT", or(env.thread_limit.map(|n| n.to_string()), "0"));
    line("device", "OMP_STACKSIZE", or(env.stack_size.map(|n| format!("{n}B")), "what memory allows"));
    line(
        "all",
        "OMP_DEFAULT_DEVICE",
        or(env.default_device.map(|n| n.to_string()), "the first GPU, else the host"),
    );
    line("all", "OMP_TARGET_OFFLOAD", format!("{:?}", env.offload).to_ascii_uppercase());
    line("all", "OMP_DISPLAY_ENV", format!("{display:?}").to_ascii_uppercase());
    if display == Display::Verbose {
        line("all", "OMP_BACKEND", format!("{:?}", env.backend).to_ascii_uppercase());
        line("all", "OMP_INFO", info(env.info));
        line("all", "OMP_TIME", u8::from(env.time).to_string());
        line("all", "OMP_VERIFY", env.verify.map_or_else(|| "0".into(), |t| format!("{t:?}")));
        line("all", "OMP_DUMP", or(env.dump.as_ref().map(|p| p.display().to_string()), ""));
        line("all", "OMP_TRACE", or(env.trace.as_ref().map(|p| p.display().to_string()), ""));
        line("all", "OMP_REPORT", or(env.report.as_ref().map(|p| p.display().to_string()), ""));
        line("all", "OMP_TUNE", format!("{:?}", env.tune).to_ascii_uppercase());
        line("all", "OMP_TUNE_FILE", or(env.tune_file.as_ref().map(|p| p.display().to_string()), ""));
        line("all", "OMP_CACHE_DIR", or(env.cache_dir.as_ref().map(|p| p.display().to_string()), ""));
    }
    text.push_str("OPENMP DISPLAY ENVIRONMENT END\n");
    text
}

fn info(info: Info) -> String {
    let all = [
        ("tune", info.tune),
        ("kernel", info.kernel),
        ("data", info.data),
        ("transfer", info.transfer),
        ("launch", info.launch),
        ("wait", info.wait),
    ];
    all.iter().filter(|(_, on)| *on).map(|(name, _)| *name).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_variables_and_our_own() {
        let env = Env { num_teams: Some(7), info: Info { data: true, ..Info::default() }, ..Env::default() };
        let short = text(&env, Display::True);
        assert!(short.contains("  [device] OMP_NUM_TEAMS = '7'\n") && !short.contains("OMP_INFO"), "{short}");
        assert!(short.starts_with("OPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '202111'\n"), "{short}");
        assert!(text(&env, Display::Verbose).contains("OMP_INFO = 'data'"));
    }
}
