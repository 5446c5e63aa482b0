//! Finds and removes the attributes of expressions.
use super::directive::is_ours;
use super::standalone;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Expr, Item};

/// Attributes of rustc's own: no macro can take their place, and their names are in sight everywhere.
const BUILTIN: &[&str] = &[
    "allow",
    "automatically_derived",
    "cfg",
    "cold",
    "coverage",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "export_name",
    "feature",
    "forbid",
    "ignore",
    "inline",
    "instruction_set",
    "link",
    "link_section",
    "macro_use",
    "must_use",
    "naked",
    "no_implicit_prelude",
    "no_mangle",
    "optimize",
    "path",
    "repr",
    "should_panic",
    "target_feature",
    "track_caller",
    "used",
    "warn",
];

/// Whether rustc has an attribute of this name.
pub fn is_builtin(name: &str) -> bool {
    BUILTIN.contains(&name)
}

/// Takes our attributes off a statement's expression. In `#[omp::atomic] x[i] += e`, syn gives the attribute to
/// `x[i]`.
pub fn take(e: &mut Expr) -> Vec<Attribute> {
    let mut taken = take_own(e);
    let left = match e {
        Expr::Assign(a) => &mut a.left,
        Expr::Binary(b) => &mut b.left,
        Expr::Cast(c) => &mut c.expr,
        _ => return taken,
    };
    taken.extend(take(left));
    taken
}

/// All attributes of an expression.
pub fn all(e: &Expr) -> Vec<Attribute> {
    of(&mut e.clone()).map_or_else(Vec::new, |attrs| attrs.clone())
}

/// Takes our attributes off an expression itself.
pub fn take_own(e: &mut Expr) -> Vec<Attribute> {
    of(e).map_or_else(Vec::new, take_from)
}

/// Takes ours out of a list.
pub fn take_from(attrs: &mut Vec<Attribute>) -> Vec<Attribute> {
    let (ours, rest) = std::mem::take(attrs).into_iter().partition(is_ours);
    *attrs = rest;
    ours
}

/// The attributes of an expression.
fn of(e: &mut Expr) -> Option<&mut Vec<Attribute>> {
    macro_rules! of {
        ($($variant:ident)*) => {
            match e {
                $(Expr::$variant(inner) => Some(&mut inner.attrs),)*
                _ => None,
            }
        };
    }
    of!(Array Assign Async Await Binary Block Break Call Cast Closure Const Continue Field ForLoop Group If Index
        Infer Let Lit Loop Macro Match MethodCall Paren Path Range RawAddr Reference Repeat Return Struct Try TryBlock
        Tuple Unary Unsafe While Yield)
}

/// Takes off all of ours, wherever they are left. Items keep theirs: there they are macros of their own.
pub struct Strip;

impl VisitMut for Strip {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        attrs.retain(|a| !is_ours(a));
    }

    /// Stand-alone directives, too.
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let ours = |s: &syn::Stmt| matches!(s, syn::Stmt::Macro(m) if standalone::name_of(&m.mac).is_some());
        block.stmts.retain(|s| !ours(s));
        syn::visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if matches!(e, Expr::Macro(m) if standalone::name_of(&m.mac).is_some()) {
            *e = syn::parse_quote!(());
        }
        syn::visit_mut::visit_expr_mut(self, e);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
