//! Consts and statics with lower-case names. A name that no pattern of the function binds is an item. It is a value if
//! it is used as an operand or as a path in a pattern. All other names are taken for variables, by their spelling.
use crate::parse::arguments;
use crate::sema::syntax::forms::{as_name, strip};
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, Macro, Pat};

/// Macros that bind nothing, in addition to those that take expressions.
const KNOWN: &[&str] = &[
    "unreachable",
    "todo",
    "unimplemented",
    "cfg",
    "concat",
    "stringify",
    "env",
    "option_env",
    "line",
    "column",
    "file",
    "include_str",
    "include_bytes",
    "module_path",
];

/// Names in lower case that are consts or statics: numbers that the function reads and none of its patterns, all of which
/// are `bound`, has.
pub(in crate::expand) fn of(body: &Block, bound: &HashMap<String, usize>) -> Vec<String> {
    let mut found = NumberNames::default();
    found.visit_block(body);
    if found.unknown {
        return Vec::new();
    }
    let is_item = |name: &String| {
        !found.others.contains(name)
            && !bound.contains_key(name)
            && name != "self"
            && name.starts_with(char::is_lowercase)
    };
    found.numbers.into_iter().filter(is_item).collect()
}

#[derive(Default)]
struct NumberNames {
    /// Operands, bounds and subscripts.
    numbers: HashSet<String>,
    /// Names that are subscripted, borrowed, assigned or iterated, or of which a field is read.
    others: HashSet<String>,
    /// A macro may bind any name.
    unknown: bool,
}

impl NumberNames {
    fn number(&mut self, e: &Expr) {
        self.numbers.extend(as_name(strip(e)).map(ToString::to_string));
    }

    fn other(&mut self, e: &Expr) {
        self.others.extend(as_name(strip(e)).map(ToString::to_string));
    }
}

impl<'ast> Visit<'ast> for NumberNames {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::Binary(b) => {
                self.number(&b.right);
                // An update's left side is a place.
                let updates = |op: &BinOp| crate::sema::reduction::updates::is_assignment(op);
                if updates(&b.op) { self.other(&b.left) } else { self.number(&b.left) }
            }
            Expr::Cast(c) => self.number(&c.expr),
            Expr::Range(r) => [&r.start, &r.end].into_iter().flatten().for_each(|e| self.number(e)),
            Expr::Index(x) => {
                self.other(&x.expr);
                self.number(&x.index);
            }
            Expr::Field(f) => self.other(&f.base),
            Expr::MethodCall(m) => self.other(&m.receiver),
            Expr::Reference(r) => self.other(&r.expr),
            Expr::RawAddr(r) => self.other(&r.expr),
            Expr::Assign(a) => self.other(&a.left),
            Expr::ForLoop(f) => self.other(&f.expr),
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.other(&u.expr),
            _ => {}
        }
        visit::visit_expr(self, e);
    }

    fn visit_pat(&mut self, p: &'ast Pat) {
        if let Pat::Path(path) = p {
            self.numbers.extend(path.path.get_ident().map(ToString::to_string));
        }
        visit::visit_pat(self, p);
    }

    fn visit_macro(&mut self, m: &'ast Macro) {
        if let Some(pattern) = crate::lower::pattern_of_matches(m) {
            let mut own = Self::default();
            own.visit_pat(&pattern);
            self.numbers.extend(own.numbers);
        }
        let last = m.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        let ours = m.path.segments.iter().any(|s| s.ident == "omp" || s.ident == "acc");
        self.unknown |=
            !ours && !crate::parse::std_macros::takes_expressions(m) && !KNOWN.contains(&last.as_str());
        // The arguments of macros that print or assert are read, too.
        arguments(m).iter().flatten().for_each(|e| self.visit_expr(e));
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
