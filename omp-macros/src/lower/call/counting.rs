//! The helper functions of counted loops over ranges: `nth`, `nth_back`, `ordinal`, `trips`, `fewer` and others of
//! `::omp::__private`. `of_range` marks what is made of a range's method, `clone_of` the items of `.cloned()`.
use crate::lower::cx::{Lower, Value, hidden};
use crate::lower::expr::place::READ;
use crate::lower::expr::wrapped;
use crate::sema::syntax::forms::{strip, strip_mut};
use omp_ir::desc::Prim;
use omp_ir::ids::{ExprId, SrcId};
use omp_ir::template::{Base, BinOp, Block, Check, Expr, LocalKind, Place, Stmt, TyRef};
use quote::quote_spanned;
use syn::spanned::Spanned;

impl Lower {
    /// A call of one of them; `None` if it is none.
    pub fn counting(&mut self, name: &str, e: &mut syn::Expr) -> Option<Value> {
        match name {
            "nth" => Some(self.nth(e, (0, BinOp::Add))),
            "nth_back" => Some(self.nth(e, (1, BinOp::Sub))),
            "trips" => Some(self.trips(e)),
            "count" => Some(self.count(e)),
            "fewer" => Some(self.fewer(e)),
            "windows" => Some(self.windows(e)),
            "steps" => Some(self.steps(e)),
            "ordinal" => Some(self.ordinal(e, false)),
            "ordinal_before" => Some(self.ordinal(e, true)),
            "of_range" => Some(self.of_range(e)),
            "clone_of" => Some(self.clone_of(e)),
            "option_of" => Some(self.option_of(e)),
            "some_of" => Some(self.some_of(e)),
            "sum_start" | "sum_start_of_any" => Some(self.start(e, "0.0", true)),
            "product_start" | "product_start_of_any" => Some(self.start(e, "1.0", false)),
            "added" | "added_of_any" => Some(self.accumulated(e, BinOp::Add)),
            "multiplied" | "multiplied_of_any" => Some(self.accumulated(e, BinOp::Mul)),
            // These are for rustc alone.
            "closure_types" | "one_type" | "known" | "alike" => {
                let src = self.src(e.span());
                Some(Some(self.expr(Expr::Unit, src)))
            }
            "assigned" | "repeated" => Some(self.assigned(e)),
            _ => None,
        }
    }

    /// `assigned(&a, each)`: an array of as many of these as the fixed array has elements. `repeated(each)`: of as many as rustc infers.
    fn assigned(&mut self, e: &mut syn::Expr) -> Value {
        let (span, src) = (e.span(), self.src(e.span()));
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        let value = self.element(c.args.last_mut().expect("what is repeated"))?;
        let slot = self.query(e, "ty", span);
        Some(self.expr(Expr::Repeat { slot, value }, src))
    }

    /// `nth(lo, hi, k)`: value `k` of the range, of the range's type. `nth_back`: counted from `hi`.
    fn nth(&mut self, e: &mut syn::Expr, (from, op): (usize, BinOp)) -> Value {
        let (span, src) = (e.span(), self.src(e.span()));
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        let values = self.values(c.args.iter_mut(), Self::value)?;
        let slot = self.query(e, "pass", span);
        // In 64 bits the sum is right modulo the type's range, whatever the type.
        let wide = Prim::I64;
        let (from, k) = (self.as_prim(values[from], wide), self.as_prim(values[2], wide));
        let value = self.expr(Expr::Binary(op, from, k), src);
        Some(self.expr(Expr::Cast { value, ty: TyRef::Slot(slot) }, src))
    }

    /// `trips(lo, hi, inclusive)`: how many values the range has.
    fn trips(&mut self, e: &mut syn::Expr) -> Value {
        let src = self.src(e.span());
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        let inclusive =
            matches!(&c.args[2], syn::Expr::Lit(l) if matches!(&l.lit, syn::Lit::Bool(b) if b.value));
        let values = self.values(c.args.iter_mut().take(2), Self::value)?;
        let (lo, hi) = (self.temp("first", values[0]), self.temp("last", values[1]));
        Some(self.distance(lo, hi, inclusive, src))
    }

    /// `count(n)`: a `usize`, as a subscript is.
    fn count(&mut self, e: &mut syn::Expr) -> Value {
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        self.in_index += 1;
        let value = self.value(&mut c.args[0]);
        self.in_index -= 1;
        value
    }

    /// `fewer(a, b)`: the smaller of two numbers of items.
    fn fewer(&mut self, e: &mut syn::Expr) -> Value {
        let (span, src) = (hidden(e.span()), self.src(e.span()));
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        let args = self.values(c.args.iter_mut(), Self::value)?;
        let (call, ident) = self.call("min", span, true, None);
        let func = &c.func;
        *c.func = wrapped(
            quote_spanned!(span=> let _: &::omp::__private::Call<::omp::__private::Builtin> = #ident; #func),
            span,
        );
        Some(self.expr(Expr::Call { call, args }, src))
    }

    /// `windows(size, all)`: how many windows of a size above zero an array has.
    fn windows(&mut self, e: &mut syn::Expr) -> Value {
        let src = self.src(e.span());
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        let values = self.values(c.args.iter_mut(), Self::value)?;
        let (size, all) = (self.temp("first", values[0]), self.temp("last", values[1]));
        let check = Check::Step { access: None, step: self.copy(size) };
        self.push(Stmt::Check { check, src });
        Some(self.distance(size, all, true, src))
    }

    /// The number of values from one to another.
    fn distance(&mut self, lo: ExprId, hi: ExprId, inclusive: bool, src: SrcId) -> ExprId {
        let number = |value| Expr::Int { value, negative: false, ty: TyRef::Prim(Prim::Usize) };
        let none = self.expr(number(0), src);
        let result = self.local("trips", LocalKind::Temp, None, true);
        self.push(Stmt::Let { local: result, init: Some(none) });
        let (a, b) = (self.as_prim(lo, Prim::I64), self.as_prim(hi, Prim::I64));
        let distance = self.expr(Expr::Binary(BinOp::Sub, b, a), src);
        let value = self.as_prim(distance, Prim::Usize);
        let (lo, hi) = (self.copy(lo), self.copy(hi));
        let order = if inclusive { BinOp::Le } else { BinOp::Lt };
        let cond = self.expr(Expr::Binary(order, lo, hi), src);
        let assign = |value| {
            let place = Place::from(Base::Local(result));
            Stmt::Assign { place, value, src }
        };
        let mut then = vec![assign(value)];
        if inclusive {
            // The last of 2^64 values is never reached.
            let (so_far, most) = (self.load(result, src), self.expr(number(u128::from(u64::MAX)), src));
            let cond = self.expr(Expr::Binary(BinOp::Ne, so_far, most), src);
            let (so_far, one) = (self.load(result, src), self.expr(number(1), src));
            let more = self.expr(Expr::Binary(BinOp::Add, so_far, one), src);
            then.push(Stmt::If { cond, then: Block(vec![assign(more)]), els: Block::default() });
        }
        let then = Block(then);
        self.push(Stmt::If { cond, then, els: Block::default() });
        self.load(result, src)
    }

    /// `ordinal(first, v)`: how far a value is from the first. `ordinal_before`: one less.
    fn ordinal(&mut self, e: &mut syn::Expr, less: bool) -> Value {
        let src = self.src(e.span());
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        let values = self.values(c.args.iter_mut(), Self::value)?;
        let (first, value) = (self.as_prim(values[0], Prim::I64), self.as_prim(values[1], Prim::I64));
        let mut distance = self.expr(Expr::Binary(BinOp::Sub, value, first), src);
        if less {
            let one = Expr::Int { value: 1, negative: false, ty: TyRef::Prim(Prim::I64) };
            let one = self.expr(one, src);
            distance = self.expr(Expr::Binary(BinOp::Sub, distance, one), src);
        }
        Some(self.as_prim(distance, Prim::Usize))
    }

    /// `steps(n, step)`: how many of `n` items are taken if each `step`-th is, the first included.
    fn steps(&mut self, e: &mut syn::Expr) -> Value {
        let src = self.src(e.span());
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        let values = self.values(c.args.iter_mut(), Self::value)?;
        let (n, step) = (self.temp("items", values[0]), self.temp("step", values[1]));
        let check = Check::Step { access: None, step: self.copy(step) };
        self.push(Stmt::Check { check, src });
        let (n2, step2) = (self.copy(n), self.copy(step));
        let whole = self.operation(BinOp::Div, n, step, src);
        let rest = self.operation(BinOp::Rem, n2, step2, src);
        let none = Expr::Int { value: 0, negative: false, ty: TyRef::Prim(Prim::Usize) };
        let none = self.expr(none, src);
        let more = self.expr(Expr::Binary(BinOp::Ne, rest, none), src);
        let more = self.as_prim(more, Prim::Usize);
        Some(self.expr(Expr::Binary(BinOp::Add, whole, more), src))
    }

    /// `of_range(a..b, "len")`: whether the range's method is std's. A trait of the user's may have one that comes first.
    fn of_range(&mut self, e: &mut syn::Expr) -> Value {
        let (span, src) = (e.span(), self.src(e.span()));
        let syn::Expr::Call(c) = &*e else { unreachable!("called with a call") };
        if let (syn::Expr::Paren(range), syn::Expr::Lit(l)) = (&c.args[0], &c.args[1])
            && let (syn::Expr::Range(ends), syn::Lit::Str(name)) = (&*range.expr, &l.lit)
        {
            let mut range = ends.clone();
            let ends = range.start.as_deref_mut().into_iter().chain(range.end.as_deref_mut());
            for value in self.values(ends, Self::value)? {
                self.unused(value);
            }
            let method = syn::Ident::new(&name.value(), name.span());
            let receiver = syn::Expr::Paren(syn::ExprParen {
                attrs: Vec::new(),
                paren_token: Default::default(),
                expr: Box::new(syn::Expr::Range(range)),
            });
            let mut query: syn::Expr = syn::parse_quote_spanned!(name.span()=> #receiver.#method());
            self.probe_value(&mut query, &method, "OfRanges");
            *e = wrapped(quote_spanned!(span=> let _ = #query;), span);
        }
        Some(self.expr(Expr::Unit, src))
    }

    /// `clone_of(v)`: the value itself, where rustc finds that its `Clone` is not the user's.
    fn clone_of(&mut self, e: &mut syn::Expr) -> Value {
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        self.value(&mut c.args[0])
    }

    /// `option_of(&v)`: the value of a variable, or of what it refers to.
    fn option_of(&mut self, e: &mut syn::Expr) -> Value {
        let src = self.src(e.span());
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        let syn::Expr::Reference(r) = &mut c.args[0] else { unreachable!("made with a reference") };
        let place = self.place(&mut r.expr, READ)?;
        Some(self.expr(Expr::Load(place), src))
    }

    /// `some_of(v)`: `v.ok()`, which options have here, too.
    fn some_of(&mut self, e: &mut syn::Expr) -> Value {
        let (span, src) = (e.span(), self.src(e.span()));
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        let value = self.value(&mut c.args[0])?;
        let (call, ident) = self.call("ok", span, false, None);
        let tokens = quote_spanned! {span=>
            let _: &::omp::__private::Call<::omp::__private::Builtin> = #ident;
            #e
        };
        *e = wrapped(tokens, span);
        Some(self.expr(Expr::Call { call, args: vec![value] }, src))
    }

    /// `sum_start()`: -0.0, or 0 of an integer type. `product_start()`: 1.
    fn start(&mut self, e: &mut syn::Expr, digits: &str, negative: bool) -> Value {
        let (span, src) = (e.span(), self.src(e.span()));
        let slot = self.query(e, "ty", span);
        let ty = TyRef::Prim(Prim::F32);
        let value = self.expr(Expr::Float { digits: digits.to_owned(), negative, ty }, src);
        Some(self.expr(Expr::Cast { value, ty: TyRef::Slot(slot) }, src))
    }

    /// `added(sum, item)`, of an item that may be a reference.
    fn accumulated(&mut self, e: &mut syn::Expr, op: BinOp) -> Value {
        let src = self.src(e.span());
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        let values = self.values(c.args.iter_mut(), |this, e| match strip_mut(e) {
            syn::Expr::Reference(r) => this.value(&mut r.expr),
            other => this.value(other),
        })?;
        Some(self.operation(op, values[0], values[1], src))
    }

    fn as_prim(&mut self, value: ExprId, prim: Prim) -> ExprId {
        let src = self.code.exprs[value.index()].src;
        self.expr(Expr::Cast { value, ty: TyRef::Prim(prim) }, src)
    }
}

/// Whether it is a call of one of them that gives a number of items.
pub(in crate::lower) fn is_count(e: &syn::Expr) -> bool {
    let syn::Expr::Call(c) = strip(e) else { return false };
    let syn::Expr::Path(p) = strip(&c.func) else { return false };
    let name = super::private_name(&p.path).map(ToString::to_string);
    matches!(name.as_deref(), Some("count" | "fewer" | "steps" | "trips" | "windows"))
}
