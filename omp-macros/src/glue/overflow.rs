//! Whether rustc checks integer arithmetic for overflow in the crate that it compiles. `cfg(overflow_checks)` is
//! unstable, and a profile may differ from `debug_assertions`; but macros run inside rustc and can read its arguments.
use proc_macro2::TokenStream;

/// An expression of type `bool` for the user's crate.
pub(super) fn checks() -> TokenStream {
    match given(std::env::args()) {
        Some(true) => code!(true),
        Some(false) => code!(false),
        // rustc's default.
        None => code!(::omp::__private::core::cfg!(debug_assertions)),
    }
}

/// The value of `-C overflow-checks`; the last one counts.
fn given(args: impl Iterator<Item = String>) -> Option<bool> {
    let mut found = None;
    let mut args = args.flat_map(unfolded);
    while let Some(arg) = args.next() {
        let option = match &*arg {
            "-C" | "--codegen" => args.next().unwrap_or_default(),
            other => match other.strip_prefix("-C").or_else(|| other.strip_prefix("--codegen=")) {
                Some(option) => option.to_owned(),
                None => continue,
            },
        };
        let (name, value) = option.split_once('=').unwrap_or((&option, "yes"));
        if name.replace('_', "-") == "overflow-checks" {
            found = match value {
                "y" | "yes" | "on" | "true" => Some(true),
                "n" | "no" | "off" | "false" => Some(false),
                _ => found,
            };
        }
    }
    found
}

/// `@file`: its lines are arguments.
fn unfolded(arg: String) -> Vec<String> {
    match arg.strip_prefix('@').map(std::fs::read_to_string) {
        Some(Ok(lines)) => lines.lines().map(str::to_owned).collect(),
        Some(Err(_)) | None => vec![arg],
    }
}

#[cfg(test)]
mod tests {
    use super::given;

    #[test]
    fn the_last_argument_counts() {
        for (args, expected) in [
            ("rustc --crate-name a src/main.rs", None),
            ("rustc -C opt-level=3 -C overflow-checks=on a.rs", Some(true)),
            ("rustc -C overflow-checks=off a.rs", Some(false)),
            ("rustc -Coverflow-checks=no", Some(false)),
            ("rustc -C overflow-checks", Some(true)),
            ("rustc --codegen overflow-checks=y", Some(true)),
            ("rustc --codegen=overflow_checks=n", Some(false)),
            ("rustc -C overflow-checks=on -C overflow-checks=off", Some(false)),
            ("rustc -C debug-assertions=on", None),
            ("rustc --cfg overflow-checks=on", None),
            ("rustc -C", None),
        ] {
            assert_eq!(given(args.split(' ').map(str::to_owned)), expected, "{args}");
        }
        let file = std::env::temp_dir().join(format!("omp-arguments-{}", std::process::id()));
        std::fs::write(&file, "-C\noverflow-checks=off\n").unwrap();
        assert_eq!(given([format!("@{}", file.display())].into_iter()), Some(false));
        std::fs::remove_file(&file).unwrap();
        assert_eq!(given(["@/no/such/file".to_owned()].into_iter()), None);
    }
}
