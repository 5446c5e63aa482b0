//! Names: every user name becomes a distinct identifier that is no keyword of the target language.
use crate::back::syntax::Syntax;
use std::collections::HashSet;

/// Words that the emitted code uses itself.
static OWN: &[&str] = &[
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "f32",
    "f64",
    "status_record",
    "context",
    "fail",
    "fail_in",
    "cx",
    "v",
    "p",
    "len",
    "value",
    "has",
    "items",
    "identity",
    "combine",
    "load_partial",
    "shuffle_down",
    "shuffle_up",
    "shuffle_from",
    "scan_head",
    "scan_publish",
    "scan_ask",
    "scan_warp",
    "scan_wait",
    "scan_drawn",
    "scan_end",
    "scan_slots",
    "slots_of",
    "slot_of",
    "publish_tile",
    "publish_group",
    "look_back",
    "granule",
    "min",
    "move_async",
    "moves_end",
    "moves_wait",
    "load_shared",
    "multiply_matrices",
    "copy_async",
    "copies_done",
    "load_relaxed",
    "store_relaxed",
    "RELAXED_ACCESSES",
    "ASYNC_COPIES",
    "SHARED_LOADS",
    "LOADS_OF_2",
    "LOADS_OF_4",
    "SHARED_MEMORY",
    "words",
    "part_group",
    "load_part",
    "store_part",
    "ITEM_WORDS",
    "TICKET_BITS",
    "SCAN_LAUNCHES",
    "reduce_block",
    "reduce_grid",
    "PARTIAL_BYTES",
    "DEVICE_FENCE",
    "GROUP_BARRIER",
    "GROUP_ITEMS",
    "run",
    "CX_PARAM",
    "CX_ARG",
    "item_words",
    "reduce_warp",
    "fold",
    "levels",
    "fold_begin",
    "fold_push",
    "fold_total",
    "items_alone",
    "HOT_WORDS",
    "hot_word",
    "add_word",
    "parts_of_f32",
    "parts_of_f64",
    "accumulate_f32_8",
    "accumulate_f32_32",
    "accumulate_f64_32",
    "accumulated_f32_8",
    "accumulated_f32_32",
    "accumulated_f64_32",
];

/// Whether the dialects' headers may define a macro of this name: `M_PI`, `FLT_MAX`, and more with each version.
fn may_be_macro(name: &str) -> bool {
    let letters = || name.chars().filter(|c| c.is_alphabetic());
    name.len() > 1 && letters().next().is_some() && letters().all(|c| !c.is_lowercase())
}

/// Makes names. A clone is a scope: its names do not collide with those made before.
#[derive(Debug, Clone)]
pub(crate) struct Namer {
    taken: HashSet<String>,
    news: Vec<String>,
}

impl Namer {
    /// A namer that knows the words of a dialect.
    pub(crate) fn new(syntax: &Syntax) -> Self {
        let words = syntax.reserved.iter().flat_map(|w| w.iter()).chain(OWN);
        Self { taken: words.map(|w| (*w).to_owned()).collect(), news: Vec::new() }
    }

    /// A new name like `wish`.
    pub(crate) fn name(&mut self, wish: &str) -> String {
        let mut base = identifier(wish);
        if super::helpers::may_be_helper(&base) || may_be_macro(&base) {
            base.push('_');
        }
        let stem = base.trim_end_matches('_');
        let name = [base.clone(), format!("{stem}_")]
            .into_iter()
            .chain((2u32..).map(|n| format!("{stem}_{n}")))
            .find(|name| !self.taken.contains(name))
            .expect("there are more numbers than names");
        self.take(&name);
        self.news.push(name.clone());
        name
    }

    /// Reserves a name.
    pub(crate) fn take(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// Whether a name is in use.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Forgets which names are new.
    pub(crate) fn watch(&mut self) {
        self.news.clear();
    }

    /// The names that were made since [`Self::watch`].
    pub(crate) fn news(&self) -> &[String] {
        &self.news
    }
}

/// `wish` as an identifier of C: other characters become `_`, never two in a row and none in front.
pub(crate) fn identifier(wish: &str) -> String {
    let mut out = String::new();
    for ch in wish.trim_start_matches("r#").chars() {
        if ch.is_ascii_alphanumeric() {
            out.push(ch);
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
    }
    let out = out.trim_end_matches('_');
    match out.chars().next() {
        None => "anon".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("n{out}"),
        Some(_) => out.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::back::Dialect;

    #[test]
    fn names_are_new_and_legal() {
        let mut names = Namer::new(Syntax::of(Dialect::Cuda));
        assert_eq!(names.name("int"), "int_");
        assert_eq!(names.name("int"), "int_2");
        assert_eq!(names.name("x"), "x");
        assert_eq!(names.name("self.x"), "self_x");
        assert_eq!(names.name("größe"), "gr_e");
        assert_eq!(names.name("__x"), "x_");
        assert_eq!(names.name("_"), "anon");
        assert_eq!(names.name("0"), "n0");
    }
}
