//! Templates as text, for snapshots and dumps: close to the Rust they came from, with ids where names could repeat.
//!
//! ```text
//! region saxpy(a: s0)
//!   arrays x r, y rw
//!   for i0 in 0 .. len(x)
//!   check y[i0] #0
//!   y[i0]#0 = ((a * x[i0]#1) + y[i0]#2)
//! ```
use super::ids::{ExprId, LocalId};
use super::template::{
    Adaptor, Base, Block, Check, Code, Expr, FnTemplate, KernelTemplate, LocalKind, Place, Projection, Range,
    Stmt, TyRef, UnOp,
};
use std::fmt::Write;

/// A region as text.
#[must_use]
pub fn kernel(template: &KernelTemplate) -> String {
    let mut p = Printer { code: &template.code, names: Some(template), out: String::new() };
    let scalars: Vec<String> =
        template.scalars.iter().map(|s| format!("{}: s{}", s.name, s.slot.0)).collect();
    p.line(0, &format!("region {}({})", template.name, scalars.join(", ")));
    let arrays: Vec<String> = template.arrays.iter().map(array).collect();
    if !arrays.is_empty() {
        p.line(1, &format!("arrays {}", arrays.join(", ")));
    }
    for r in &template.reductions {
        let op = r.op.builtin().map_or_else(|| r.op.symbol().to_owned(), |op| format!("{op:?}"));
        let item = r.local().map_or_else(|| r.name.clone(), |local| p.local(local));
        let kind = if r.reproducible { "reduce reproducible" } else { "reduce" };
        let line = format!("{kind} {op} {item}");
        p.line(1, &line);
    }
    for d in &template.dims {
        let kind = if d.host { "parallel" } else { "parallel dependent" };
        let line = format!("{kind} {} in {}", p.local(d.var), p.range(&d.range));
        p.line(1, &line);
    }
    p.block(1, &template.code.block);
    p.out
}

/// A device function as text.
#[must_use]
pub fn function(template: &FnTemplate) -> String {
    let mut p = Printer { code: &template.code, names: None, out: String::new() };
    let params: Vec<String> = template.params.iter().map(|l| p.declared(*l)).collect();
    let ret = template.ret.map(|s| format!(" -> s{}", s.0)).unwrap_or_default();
    p.line(0, &format!("fn {}({}){ret}", template.name, params.join(", ")));
    p.block(1, &template.code.block);
    p.out
}

fn array(a: &super::template::ArrayParam) -> String {
    let map = a.map.map(|m| format!(" {m:?}")).unwrap_or_default();
    let section = if a.section { " section" } else { "" };
    let uses = match (a.read, a.written) {
        (true, true) => " rw",
        (true, false) => " r",
        (false, true) => " w",
        (false, false) => "",
    };
    format!("{}{uses}{map}{section}", a.name)
}

struct Printer<'a> {
    code: &'a Code,
    /// Names of arrays and scalars; none in a function.
    names: Option<&'a KernelTemplate>,
    out: String,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", depth * 2);
    }

    fn block(&mut self, depth: usize, block: &Block) {
        for s in &block.0 {
            self.stmt(depth, s);
        }
    }

    fn stmt(&mut self, depth: usize, stmt: &Stmt) {
        match stmt {
            Stmt::Let { local, init } => {
                let init = init.map(|e| format!(" = {}", self.expr(e))).unwrap_or_default();
                let line = format!("let {}{init}", self.declared(*local));
                self.line(depth, &line);
            }
            Stmt::Assign { place, value, src: _ } => {
                let line = format!("{} = {}", self.place(place), self.expr(*value));
                self.line(depth, &line);
            }
            Stmt::Eval(e) => {
                let line = self.expr(*e);
                self.line(depth, &line);
            }
            Stmt::Atomic { place, old, new, update, src: _ } => {
                let into = new.map_or(String::new(), |l| format!(", {}", self.local(l)));
                let line = format!("atomic {}{into} = {}", self.local(*old), self.place(place));
                self.line(depth, &line);
                self.block(depth + 1, update);
            }
            Stmt::If { cond, then, els } => {
                let line = format!("if {}", self.expr(*cond));
                self.line(depth, &line);
                self.block(depth + 1, then);
                if !els.0.is_empty() {
                    self.line(depth, "else");
                    self.block(depth + 1, els);
                }
            }
            Stmt::For { label, var, range, body, src: _ } => {
                let line = format!("'l{} for {} in {}", label.0, self.declared(*var), self.range(range));
                self.line(depth, &line);
                self.block(depth + 1, body);
            }
            Stmt::Loop { label, body } => {
                self.line(depth, &format!("'l{} loop", label.0));
                self.block(depth + 1, body);
            }
            Stmt::Labelled { label, body } => {
                self.line(depth, &format!("'l{} block", label.0));
                self.block(depth + 1, body);
            }
            Stmt::Inner(inner) => {
                let name = |l: LocalId| self.declared(l);
                let mut line = format!("{:?} nest of {}", inner.level, inner.loops);
                for r in &inner.reductions {
                    let _ = write!(line, ", {} {}= {}", name(r.target), r.op.symbol(), name(r.local));
                }
                if inner.in_place {
                    line.push_str(", in place");
                }
                for l in &inner.lasts {
                    let _ = write!(line, ", {} = last {}", name(l.target), name(l.local));
                }
                self.line(depth, &line);
                self.block(depth + 1, &inner.body);
            }
            Stmt::Break(l) => self.line(depth, &format!("break 'l{}", l.0)),
            Stmt::Continue(l) => self.line(depth, &format!("continue 'l{}", l.0)),
            Stmt::Return(e) => {
                let value = e.map(|e| format!(" {}", self.expr(e))).unwrap_or_default();
                self.line(depth, &format!("return{value}"));
            }
            Stmt::Check { check, src: _ } => {
                let line = format!("check {}", self.check(check));
                self.line(depth, &line);
            }
        }
    }

    fn check(&self, check: &Check) -> String {
        match check {
            Check::Bounds { access, base, index } => {
                format!("{}[{}] #{}", self.place(base), self.expr(*index), access.0)
            }
            Check::Slice { access, base, lo, hi, last } => {
                let (to, end) = if last.is_some() { ("..=", last) } else { ("..", hi) };
                format!(
                    "{}[{}{to}{}] #{}",
                    self.place(base),
                    self.optional(*lo),
                    self.optional(*end),
                    access.0
                )
            }
            Check::Divide { access: _, rem, lhs, rhs } => {
                format!("{} {} {}", self.expr(*lhs), if *rem { "%" } else { "/" }, self.expr(*rhs))
            }
            Check::Panic { access: _, message, args } => {
                let args: String = args.iter().map(|a| format!(", {}", self.expr(*a))).collect();
                format!("panic {message:?}{args}")
            }
            Check::Claim { array, index, access: _, to: _ } => {
                let place = Place::from(Base::Array(*array));
                format!("claim {}[{}]", self.place(&place), self.expr(*index))
            }
            Check::Step { access: _, step } => format!("step {}", self.expr(*step)),
        }
    }

    fn optional(&self, e: Option<ExprId>) -> String {
        e.map(|e| self.expr(e)).unwrap_or_default()
    }

    fn range(&self, range: &Range) -> String {
        let bound = |e: Option<ExprId>| e.map_or("?".to_owned(), |e| self.expr(e));
        let dots = if range.inclusive { "..=" } else { ".." };
        let mut text = format!("{} {dots} {}", bound(range.lo), bound(range.hi));
        for a in &range.adaptors {
            match a {
                Adaptor::Rev => text.push_str(" rev"),
                Adaptor::StepBy(s) => {
                    let _ = write!(text, " step {}", bound(*s));
                }
            }
        }
        text
    }

    /// `x3`: the name, and a number that distinguishes it from others of the same name.
    fn local(&self, l: LocalId) -> String {
        format!("{}{}", self.code.locals[l.index()].name, l.0)
    }

    fn declared(&self, l: LocalId) -> String {
        let local = &self.code.locals[l.index()];
        let kind = match local.kind {
            LocalKind::Slice if local.mutable => "mut slice ",
            LocalKind::Slice => "slice ",
            LocalKind::Ref => "ref ",
            LocalKind::User if local.mutable => "mut ",
            LocalKind::User
            | LocalKind::Temp
            | LocalKind::Loop
            | LocalKind::Private(_)
            | LocalKind::Reduction => "",
        };
        let slot = local.slot.map(|s| format!(": s{}", s.0)).unwrap_or_default();
        format!("{kind}{}{slot}", self.local(l))
    }

    fn place(&self, place: &Place) -> String {
        let mut text = match place.base {
            Base::Local(l) => self.local(l),
            Base::Array(a) => {
                self.names.map_or(format!("array{}", a.0), |t| t.arrays[a.index()].name.clone())
            }
            Base::Scalar(s) => {
                self.names.map_or(format!("scalar{}", s.0), |t| t.scalars[s.index()].name.clone())
            }
            Base::Const(c) => self.code.consts[c.index()].name.clone(),
        };
        for p in &place.projections {
            match p {
                Projection::Index { index, access } => {
                    let _ = write!(text, "[{}]#{}", self.expr(*index), access.0);
                }
                Projection::Field(name) => {
                    let _ = write!(text, ".{name}");
                }
                Projection::Payload => text.push_str(".some"),
            }
        }
        text
    }

    fn list(&self, list: &[ExprId]) -> String {
        list.iter().map(|e| self.expr(*e)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&self, id: ExprId) -> String {
        match &self.code.exprs[id.index()].expr {
            Expr::Unit => "()".to_owned(),
            Expr::Int { value, negative, ty } => format!("{}{value}{}", sign(*negative), suffix(*ty)),
            Expr::Float { digits, negative, ty } => format!("{}{digits}{}", sign(*negative), suffix(*ty)),
            Expr::Bool(b) => b.to_string(),
            Expr::Load(p) => self.place(p),
            Expr::Len(p) => format!("len({})", self.place(p)),
            Expr::Borrow(p) => format!("&mut {}", self.place(p)),
            Expr::Slice { base, lo, hi, access, mutable } => {
                let ampersand = if *mutable { "&mut " } else { "&" };
                let access = access.map(|a| format!("#{}", a.0)).unwrap_or_default();
                format!(
                    "{ampersand}{}[{}..{}]{access}",
                    self.place(base),
                    self.optional(*lo),
                    self.optional(*hi)
                )
            }
            Expr::Unary(UnOp::Neg, a) => format!("-{}", self.expr(*a)),
            Expr::Unary(UnOp::Not, a) => format!("!{}", self.expr(*a)),
            Expr::Binary(op, a, b) => format!("({} {} {})", self.expr(*a), op.symbol(), self.expr(*b)),
            Expr::Cast { value, ty } => format!("({} as{})", self.expr(*value), suffix(*ty)),
            Expr::Call { call, args } => {
                let call = &self.code.calls[call.index()];
                let dot = if call.method { "." } else { "" };
                let ret = call.ret.map(|s| format!(":s{}", s.0)).unwrap_or_default();
                format!("{dot}{}({}){ret}", call.name, self.list(args))
            }
            Expr::Struct { slot, name: _, fields, rest } => {
                let fields: Vec<String> =
                    fields.iter().map(|(n, v)| format!("{n}: {}", self.expr(*v))).collect();
                let rest = rest.map(|e| format!(", ..{}", self.expr(e))).unwrap_or_default();
                format!("s{} {{ {}{rest} }}", slot.0, fields.join(", "))
            }
            Expr::Array { slot, elems } => format!("[{}]:s{}", self.list(elems), slot.0),
            Expr::Repeat { slot, value } => format!("[{}; _]:s{}", self.expr(*value), slot.0),
            Expr::Some { slot, value } => format!("Some({}):s{}", self.expr(*value), slot.0),
            Expr::None { slot } => format!("None:s{}", slot.0),
            Expr::IsSome(e) => format!("is_some({})", self.expr(*e)),
            Expr::Thread(q) => format!("{q:?}"),
            Expr::SizeOf { ty } => format!("size_of{}", suffix(*ty)),
        }
    }
}

fn sign(negative: bool) -> &'static str {
    if negative { "-" } else { "" }
}

fn suffix(ty: TyRef) -> String {
    match ty {
        TyRef::Slot(s) => format!(":s{}", s.0),
        TyRef::Prim(p) => format!(":{}", p.name()),
    }
}
