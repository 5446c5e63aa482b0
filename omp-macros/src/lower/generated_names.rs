//! Names that the lowering makes. Each kind has a prefix of its own and its own numbers, so two names of a function are
//! never equal: no prefix is another prefix followed by digits, and the names of other phases begin with `__omp_`.
use super::cx::hidden;
use proc_macro2::{Ident, Span};

/// The kinds of generated names, and the word of each.
macro_rules! kinds {
    ($($(#[doc = $doc:expr])+ $kind:ident $word:literal;)*) => {
        /// The kinds of generated names.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Made { $($(#[doc = $doc])+ $kind,)* }

        impl Made {
            #[cfg(test)]
            const ALL: &[Self] = &[$(Self::$kind,)*];

            const fn word(self) -> &'static str {
                match self { $(Self::$kind => $word,)* }
            }
        }
    };
}

kinds! {
    /// A slot.
    Slot "s";
    /// A mapped array.
    Array "a";
    /// A call or operator that rustc resolves.
    Call "c";
    /// The receiver of a method.
    Receiver "r";
    /// The type of a method's result.
    Caught "t";
    /// A method of slices or values that the host calls.
    Builtin "k";
    /// The copy of a local const. It is an item, which patterns see: no variable may have its name.
    Const "CONST_";
    /// An argument of a function that the copy calls.
    Argument "v";
    /// The type of an argument.
    Linked "b";
    /// The types of a hidden method's parameters.
    Parameters "q";
    /// The function itself.
    Callee "g";
    /// A variable of a loop without a name.
    Index "i";
    /// The subject of a `match`.
    Subject "m";
    /// A part that a pattern takes out of it.
    Part "h";
    /// A part of a macro's arguments.
    Operand "p";
    /// A part that an assignment stores.
    Stored "l";
}

impl Made {
    /// The `n`-th name of this kind, at a place of the user's.
    pub(super) fn name(self, n: usize, at: Span) -> Ident {
        Ident::new(&format!("__{}{n}", self.word()), hidden(at))
    }

    /// Whether an expression is a name of this kind.
    pub(crate) fn is(self, e: &syn::Expr) -> bool {
        let number =
            |name: String| Some(name.strip_prefix("__")?.strip_prefix(self.word())?.parse::<usize>().is_ok());
        matches!(e, syn::Expr::Path(p) if p.path.get_ident().and_then(|i| number(i.to_string())) == Some(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_kinds_make_one_name() {
        for (k, a) in Made::ALL.iter().enumerate() {
            assert!(
                !a.word().ends_with(|c: char| c.is_ascii_digit()) && !a.word().starts_with("omp_"),
                "{a:?}"
            );
            for b in &Made::ALL[..k] {
                assert_ne!(a.word(), b.word(), "{a:?} and {b:?}");
            }
        }
    }
}
