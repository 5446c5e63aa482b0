//! Estimates the cost of an iteration. The operands of a scan may be cheap compared with the other statements of an
//! iteration; then the host's parallel loop computes them for all iterations, not only for those that other threads
//! wait for. If iterations are expensive, more threads get copies of reduced arrays.
use crate::visits::{self, Node};
use omp_ir::method::is_short;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Stmt};

/// No statement calls a function or has a loop in it, but for conversions and short methods.
pub(super) fn is_cheap(stmts: &[Stmt]) -> bool {
    let is_from =
        |f: &Expr| matches!(f, Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "from"));
    !visits::any(stmts, |node| match node {
        Node::Expr(Expr::Call(call)) => !is_from(&call.func),
        Node::Expr(Expr::MethodCall(call)) => !is_short(&call.method.to_string()),
        Node::Expr(Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_)) | Node::Macro(_) => true,
        _ => false,
    })
}

/// How many simple updates an iteration takes the time of, by guess: more with calls in it, and with loops, of which `loops`
/// stand around it.
pub(super) fn weight(body: &Block, loops: usize) -> u64 {
    let mut weigh = Weigh { depth: loops as u32, deepest: loops as u32 };
    weigh.visit_block(body);
    let once = if is_cheap(&body.stmts) { 1 } else { 16 };
    1u64.checked_shl(10 * weigh.deepest).unwrap_or(u64::MAX).saturating_mul(once)
}

/// How deep loops stand.
struct Weigh {
    depth: u32,
    deepest: u32,
}

impl Visit<'_> for Weigh {
    fn visit_expr(&mut self, e: &Expr) {
        let inside = u32::from(matches!(e, Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_)));
        self.depth += inside;
        self.deepest = self.deepest.max(self.depth).min(3);
        visit::visit_expr(self, e);
        self.depth -= inside;
    }

    fn visit_item(&mut self, _: &syn::Item) {}
}

#[cfg(test)]
mod tests {
    use super::is_cheap;

    #[test]
    fn calls_and_loops_are_not() {
        let is = |text: &str| {
            let block: syn::Block = syn::parse_str(&format!("{{ {text} }}")).expect("it is a block");
            is_cheap(&block.stmts)
        };
        assert!(is("s += x[i] * 2;"));
        assert!(is("let v = x[i]; s = s.max(v); n += usize::from(v & 1 == 1);"));
        assert!(is("if x[i] > 0 { n += 1; }"));
        assert!(!is("s = joined(s, x[i]);"));
        assert!(!is("s += x[i].sin();"));
        assert!(!is("s += { let mut v = 0; while v < x[i] { v += 1; } v };"));
        assert!(!is("for k in 0..3 { s += x[i + k]; }"));
        assert!(!is("assert!(i < 4); s += 1;"));
    }
}
