//! A kernel as pseudo-Rust, for messages of failing tests.
use omp_ir::ids::ExprId;
use omp_ir::template::{
    Adaptor, Base, Block, Check, Code, Expr, KernelTemplate, Place, Projection, Range, Stmt,
};
use std::fmt::Write;

pub(super) fn show(t: &KernelTemplate) -> String {
    let mut out = String::new();
    for d in &t.dims {
        let _ = writeln!(out, "for l{} in {}", d.var.0, range(&t.code, &d.range));
    }
    block(&t.code, &t.code.block, 1, &mut out);
    out
}

fn range(c: &Code, r: &Range) -> String {
    let end = |e: Option<ExprId>| e.map_or("?".into(), |e| expr(c, e));
    let mut s = format!("({}..{}{})", end(r.lo), if r.inclusive { "=" } else { "" }, end(r.hi));
    for a in &r.adaptors {
        match a {
            Adaptor::Rev => s += ".rev()",
            Adaptor::StepBy(e) => s += &format!(".step_by({})", end(*e)),
        }
    }
    s
}

fn place(c: &Code, p: &Place) -> String {
    let mut s = match p.base {
        Base::Local(l) => format!("l{}", l.0),
        Base::Array(a) => ["y", "x", "z"][a.index()].to_owned(),
        Base::Scalar(s) => ["a", "b", "c", "s"][s.index()].to_owned(),
        Base::Const(k) => format!("C{}", k.0),
    };
    for p in &p.projections {
        s += &match p {
            Projection::Index { index, access } => format!("[#{} {}]", access.0, expr(c, *index)),
            Projection::Field(f) => format!(".{f}"),
            Projection::Payload => ".some".into(),
        };
    }
    s
}

fn expr(c: &Code, e: ExprId) -> String {
    match &c.exprs[e.index()].expr {
        Expr::Int { value, negative, .. } => format!("{}{value}", if *negative { "-" } else { "" }),
        Expr::Load(p) => place(c, p),
        Expr::Unary(op, a) => format!("{op:?}({})", expr(c, *a)),
        Expr::Binary(op, a, b) => format!("({} {op:?} {})", expr(c, *a), expr(c, *b)),
        Expr::Cast { value, ty } => format!("({} as {ty:?})", expr(c, *value)),
        Expr::Call { call, args } => {
            let args: Vec<_> = args.iter().map(|a| expr(c, *a)).collect();
            format!("{}({})", c.calls[call.index()].name, args.join(", "))
        }
        other => format!("{other:?}"),
    }
}

fn block(c: &Code, b: &Block, depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    for s in &b.0 {
        let _ = match s {
            Stmt::Let { local, init } => {
                writeln!(out, "{pad}let l{} = {};", local.0, init.map_or("_".into(), |e| expr(c, e)))
            }
            Stmt::Assign { place: p, value, .. } => {
                writeln!(out, "{pad}{} = {};", place(c, p), expr(c, *value))
            }
            Stmt::If { cond, then, els } => {
                let _ = writeln!(out, "{pad}if {}", expr(c, *cond));
                block(c, then, depth + 1, out);
                if !els.0.is_empty() {
                    let _ = writeln!(out, "{pad}else");
                    block(c, els, depth + 1, out);
                }
                Ok(())
            }
            Stmt::For { var, range: r, body, .. } => {
                let _ = writeln!(out, "{pad}for l{} in {}", var.0, range(c, r));
                block(c, body, depth + 1, out);
                Ok(())
            }
            Stmt::Inner(inner) => {
                let _ = writeln!(out, "{pad}{:?}, {} loops", inner.level, inner.loops);
                block(c, &inner.body, depth + 1, out);
                Ok(())
            }
            Stmt::Check { check: Check::Bounds { .. }, .. } => Ok(()),
            other => writeln!(out, "{pad}{other:?}"),
        };
    }
}
