//! Helper functions on demand, instantiated from the files in `templates/`.
use crate::back::Dialect;
use crate::back::syntax::Syntax;
use omp_ir::desc::Prim;
use std::collections::HashSet;

/// The template files, of which a kernel gets the pieces that it needs.
const INT: &str = include_str!("../../templates/int.h");
const FLOAT: &str = include_str!("../../templates/float.h");

/// The helpers that a source needs, in an order that a C compiler likes.
#[derive(Debug, Default)]
pub(crate) struct Helpers {
    done: HashSet<String>,
    /// The text so far.
    pub text: String,
}

impl Helpers {
    /// Adds the piece `name` (which ends in `_T`) for a type, and gives the name of the function.
    pub(crate) fn need(&mut self, syntax: &Syntax, name: &str, prim: Prim) -> String {
        let function = instance(name, prim);
        if self.done.insert(function.clone()) {
            let file = if prim.is_float() { FLOAT } else { INT };
            let piece = find(file, name).unwrap_or_else(|| panic!("no helper {name}"));
            let text = self.instantiate(syntax, file, piece, prim);
            self.text.push_str(&text);
            self.text.push('\n');
        }
        function
    }

    /// The names of all so far.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.done.iter()
    }

    /// The name of a helper that is written elsewhere.
    pub(crate) fn written(&mut self, name: String) {
        self.done.insert(name);
    }

    /// A helper whose text is made elsewhere.
    pub(crate) fn add(&mut self, name: &str, text: impl FnOnce() -> String) {
        if self.done.insert(name.to_owned()) {
            let text = text();
            self.text.push_str(&text);
            self.text.push('\n');
        }
    }

    /// Adds the macro that declares memory of which the launch says how much there is, and gives its name.
    pub(crate) fn shared_memory(&mut self) -> &'static str {
        self.add("SHARED_MEMORY", || include_str!("../../templates/shared_memory.cuh").to_owned());
        "SHARED_MEMORY"
    }

    /// Replaces the words of a piece. The pieces that it calls are added before it.
    fn instantiate(&mut self, syntax: &Syntax, file: &str, piece: &str, prim: Prim) -> String {
        let piece = resolve_conditions(piece, prim);
        let mut out = String::new();
        let mut rest = piece.as_str();
        while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic() || c == '_') {
            out.push_str(&rest[..start]);
            rest = &rest[start..];
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let word = &rest[..end];
            rest = &rest[end..];
            if out.ends_with(|c: char| c.is_ascii_digit()) {
                out.push_str(word); // the suffix of a number
            } else if let Some(text) = replacement(syntax, word, prim) {
                out.push_str(&text);
            } else if let Some((stem, of)) = typed_name(word, prim)
                && find(file, &format!("{stem}_T")).is_some()
            {
                out.push_str(&self.need(syntax, &format!("{stem}_T"), of));
            } else {
                out.push_str(word);
            }
        }
        out.push_str(rest);
        out
    }
}

/// Whether a name could be that of a helper for some type.
pub(crate) fn may_be_helper(name: &str) -> bool {
    let Some((stem, ty)) = name.rsplit_once('_') else { return false };
    let types = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "u128", "f32", "f64", "bool"];
    let piece = format!("{stem}_T");
    types.contains(&ty) && (find(INT, &piece).is_some() || find(FLOAT, &piece).is_some())
}

/// The name of a helper for a type.
fn instance(name: &str, prim: Prim) -> String {
    format!("{}_{}", name.strip_suffix("_T").unwrap_or(name), c_name(prim))
}

/// The text of a piece in its file.
pub(crate) fn find<'f>(file: &'f str, name: &str) -> Option<&'f str> {
    let head = format!("//@ {name}\n");
    let start = file.find(&head)? + head.len();
    let end = file[start..].find("//@ ").map_or(file.len(), |e| start + e);
    Some(file[start..end].trim_end())
}

/// `high_U` is the helper `high` of the unsigned type.
fn typed_name(word: &str, prim: Prim) -> Option<(&str, Prim)> {
    let (stem, letter) = word.rsplit_once('_')?;
    match letter {
        "T" => Some((stem, prim)),
        "U" => Some((stem, unsigned(prim))),
        "S" => Some((stem, signed(prim))),
        _ => None,
    }
}

/// Chooses the branch of `#if BITS …`.
fn resolve_conditions(piece: &str, prim: Prim) -> String {
    let mut out = String::new();
    let mut keep = true;
    for line in piece.lines() {
        match line {
            "#if BITS < 64" => keep = prim.size() < 8,
            "#if BITS < 32" => keep = prim.size() < 4,
            "#if BITS == 32" => keep = prim.size() == 4,
            "#if BITS == 64" => keep = prim.size() == 8,
            "#if BITS == 128" => keep = prim.size() == 16,
            "#else" => keep = !keep,
            "#endif" => keep = true,
            _ if keep => {
                out.push_str(line);
                out.push('\n');
            }
            _ => {}
        }
    }
    out
}

fn replacement(syntax: &Syntax, word: &str, prim: Prim) -> Option<String> {
    let cuda = syntax.dialect == Dialect::Cuda;
    if let Some(name) = word.strip_suffix("_M") {
        return Some(syntax.math(name, prim));
    }
    let text = match word {
        "FN" => syntax.helper.trim_end().to_owned(),
        "T" => c_name(prim).to_owned(),
        "U" => c_name(unsigned(prim)).to_owned(),
        "S" => c_name(signed(prim)).to_owned(),
        "L" => if prim.is_signed() { "i64" } else { "u64" }.to_owned(),
        "W" => wide(prim).to_owned(),
        "BITS" => format!("{}u", prim.size() * 8),
        "SIGNED" => if prim.is_signed() { "true" } else { "false" }.to_owned(),
        "LOWEST" => super::expr::literal::int(syntax, prim, prim.int_range()?.0),
        "HIGHEST" => super::expr::literal::int(syntax, prim, prim.int_range()?.1),
        "HIDE_R" => {
            let register = if prim.size() == 8 { "l" } else { "r" };
            match cuda {
                true => format!("asm(\"\" : \"+{register}\"(r));"),
                false => format!(
                    "\n#ifdef __NV_CL_C_VERSION\n    __asm__ volatile(\"\" : \"+{register}\"(r));\n#endif"
                ),
            }
        }
        "SIGN_R" => {
            // The selector takes the value's bytes, then the sign of the highest.
            let (sign, u) = (if prim.size() == 1 { "0x8880" } else { "0x9910" }, c_name(unsigned(prim)));
            let (defined, asm) =
                if cuda { ("__CUDACC__", "asm") } else { ("__NV_CL_C_VERSION", "__asm__ volatile") };
            format!(
                "\n#ifdef {defined}\n    {asm}(\"prmt.b32 %0, %1, 0, {sign};\" : \"=r\"(r) : \"r\"((u32)({u})a));\n#else\n    \
                 r = a;\n#endif"
            )
        }
        "POPC32" => if cuda { "__popc" } else { "popcount" }.to_owned(),
        "POPC64" => if cuda { "__popcll" } else { "popcount" }.to_owned(),
        "CLZ32" => if cuda { "__clz" } else { "clz" }.to_owned(),
        "CLZ64" => if cuda { "__clzll" } else { "clz" }.to_owned(),
        "HIGH64" => match (cuda, prim.is_signed()) {
            (false, _) => "mul_hi",
            (true, true) => "__mul64hi",
            (true, false) => "__umul64hi",
        }
        .to_owned(),
        _ => return None,
    };
    Some(text)
}

/// The name of a primitive in the emitted code. `usize` and `isize` have 64 bits there.
pub(crate) fn c_name(prim: Prim) -> &'static str {
    match prim {
        Prim::Bool => "bool",
        Prim::I8 => "i8",
        Prim::I16 => "i16",
        Prim::I32 => "i32",
        Prim::I64 | Prim::Isize => "i64",
        Prim::U8 => "u8",
        Prim::U16 => "u16",
        Prim::U32 | Prim::Char => "u32",
        Prim::U64 | Prim::Usize => "u64",
        Prim::F32 => "f32",
        Prim::F64 => "f64",
        Prim::U128 => "u128",
    }
}

/// The unsigned integer of a primitive's width.
pub(crate) fn unsigned(prim: Prim) -> Prim {
    match prim.size() {
        1 => Prim::U8,
        2 => Prim::U16,
        4 => Prim::U32,
        16 => Prim::U128,
        _ => Prim::U64,
    }
}

/// The signed integer of a primitive's width.
pub(crate) fn signed(prim: Prim) -> Prim {
    match prim.size() {
        1 => Prim::I8,
        2 => Prim::I16,
        4 => Prim::I32,
        16 => Prim::U128,
        _ => Prim::I64,
    }
}

/// The unsigned type in which wrapping arithmetic is done.
pub(crate) fn wide(prim: Prim) -> &'static str {
    match prim.size() {
        16 => "u128",
        8 => "u64",
        _ => "u32",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_helper_calls_stands_before_it() {
        let mut helpers = Helpers::default();
        let syntax = Syntax::of(Dialect::Cuda);
        assert_eq!(helpers.need(syntax, "over_pow_T", Prim::Usize), "over_pow_u64");
        let order: Vec<_> = ["high_u64(", "over_mul_u64(", "over_pow_u64("]
            .map(|name| helpers.text.find(name).expect("it is there"))
            .into();
        assert!(order.is_sorted());
        assert!(helpers.text.contains("__umul64hi(a, b)"));
    }
}
