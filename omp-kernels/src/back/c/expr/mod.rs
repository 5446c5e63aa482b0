//! Expressions. The emitted text is closed: a name, a call, a cast of such, or an expression in parentheses. So it can
//! be an operand anywhere. [`bare`] removes outer parentheses that are not needed.
pub(crate) mod literal;
pub(crate) mod method;
pub(super) mod order;
pub(crate) mod place;

use super::body::{Body, Leave, Within};
use super::helpers::{c_name, wide};

use super::types::Space;
use super::writer::read_int;
use crate::back::{Arg, Dialect, FailureKind};
use crate::valid::may_overflow;
use omp_ir::desc::{DataDesc, Prim};
use omp_ir::ids::{ExprId, TyId};
use omp_ir::kernel::{Callee, Ty};
use omp_ir::template::{Base, BinOp, Expr, Place, Projection, ThreadQuery, TyRef, UnOp};
use place::Held;

/// Takes the outer parentheses off.
pub(crate) fn bare(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else { return text };
    let mut depth = 0i32;
    for c in inner.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return text;
        }
    }
    inner
}

impl Body<'_, '_> {
    /// Writes an expression.
    pub(crate) fn expr(&mut self, e: ExprId) -> String {
        let code = self.code;
        let ty = self.ty(e);
        if let Some(text) = self.widened_operator(e) {
            return text;
        }
        match &code.code.exprs[e.index()].expr {
            Expr::Unit => self.nothing(),
            Expr::Int { value, negative, ty: _ } => self.int_literal(ty, *value, *negative),
            Expr::Float { digits, negative, ty: _ } => self.float_literal(ty, digits, *negative),
            Expr::Bool(value) => value.to_string(),
            Expr::Load(place) => self.load(place, ty),
            Expr::Len(place) => {
                let placed = self.place(place);
                self.length(&placed)
            }
            Expr::Slice { .. } => self.slice(e).0,
            Expr::Borrow(place) => self.address(place, ty).0,
            Expr::Unary(op, a) => self.unary(e, *op, *a),
            Expr::Binary(op, a, b) => self.binary(e, *op, *a, *b),
            Expr::Cast { value, ty: _ } => self.cast_expr(ty, *value),
            Expr::Call { call, args } => match code.calls[call.index()] {
                Callee::Builtin => match code.methods[call.index()] {
                    Some(method) => self.method(e, method, args),
                    None => self.nothing(),
                },
                Callee::Fn(id) => self.device_call(id, args),
            },
            Expr::Struct { slot: _, name, fields, rest } => self.struct_value(ty, name, fields, *rest),
            Expr::Array { slot: _, elems } => {
                let maker = self.w.maker(ty);
                let elems: Vec<_> = elems.iter().map(|&e| self.bare(e)).collect();
                format!("{maker}({})", elems.join(", "))
            }
            Expr::Repeat { slot: _, value } => self.repeat(ty, *value),
            Expr::Some { slot: _, value } => {
                let maker = self.w.maker(ty);
                let value = self.bare(*value);
                format!("{maker}(true, {value})")
            }
            Expr::None { slot: _ } => self.none(ty),
            Expr::IsSome(a) => self.carried(*a).0,
            Expr::Thread(query) => self.thread(*query),
            Expr::SizeOf { ty: _ } => self.size_of(e),
        }
    }

    /// As [`Self::expr`], where no parentheses are needed.
    pub(crate) fn bare(&mut self, e: ExprId) -> String {
        let text = self.expr(e);
        bare(&text).to_owned()
    }

    /// The value of a type of size zero.
    pub(crate) fn nothing(&self) -> String {
        "(u8)0".to_owned()
    }

    fn int_literal(&self, ty: TyId, value: u128, negative: bool) -> String {
        let value = value as i128;
        let prim = self.w.types.prim(ty).unwrap_or(Prim::I32);
        literal::int(self.w.syntax, prim, if negative { -value } else { value })
    }

    fn float_literal(&self, ty: TyId, digits: &str, negative: bool) -> String {
        let prim = self.w.types.prim(ty).unwrap_or(Prim::F64);
        // An f32 is read at its own precision: through f64 it would be rounded twice.
        let value = if prim == Prim::F32 {
            digits.parse::<f32>().map_or(f64::NAN, f64::from)
        } else {
            digits.parse::<f64>().unwrap_or(f64::NAN)
        };
        literal::float(self.w.syntax, prim, if negative { -value } else { value })
    }

    fn load(&mut self, place: &Place, ty: TyId) -> String {
        if matches!(self.w.types.get(ty), Ty::Slice(_)) {
            let placed = self.place(place);
            return if matches!(placed.held, Held::Slice(_)) {
                placed.text
            } else {
                self.slice_of(place, None, None).0
            };
        }
        if self.w.types.is_empty(ty) {
            return self.zero(ty);
        }
        if let Place { base: Base::Local(local), projections } = place
            && projections.is_empty()
            && self.narrow[local.index()]
        {
            let prim = self.w.types.prim(ty).unwrap_or(Prim::Usize);
            // Widened without a sign, which GPUs have for nothing.
            let bits = if !prim.is_signed() && self.w.syntax.dialect == Dialect::Cuda { "(u32)" } else { "" };
            return format!("({}){bits}{}", c_name(prim), self.locals[local.index()]);
        }
        if let Some(text) = self.collected_row(place, ty) {
            return text;
        }
        let text = self.place(place).text;
        match (&self.leave, place.base, place.projections.first()) {
            // Threads of a program run on after a failure, and beyond the last iteration.
            (Leave::Deferred, Base::Array(array), Some(Projection::Index { index, .. })) => {
                let (index, len) = (self.expr(*index), self.arg(Arg::Len(array)));
                format!("((u64){index} < {len} ? {text} : {})", self.zero(ty))
            }
            _ => text,
        }
    }

    /// The name of a loop variable that is declared with 32 bits, if the expression is one.
    pub(crate) fn narrow_name(&self, e: ExprId) -> Option<&str> {
        match &self.code.code.exprs[e.index()].expr {
            Expr::Load(Place { base: Base::Local(local), projections })
                if projections.is_empty() && self.narrow[local.index()] =>
            {
                Some(&self.locals[local.index()])
            }
            _ => None,
        }
    }

    fn unary(&mut self, e: ExprId, op: UnOp, a: ExprId) -> String {
        let Some(prim) = self.w.types.scalar(self.ty(e)) else { return self.nothing() };
        if let (UnOp::Neg, Expr::Int { value, negative: false, ty: _ }) =
            (op, &self.code.code.exprs[a.index()].expr)
            && prim.is_int()
            && *value > 0
        {
            return self.int_literal(self.ty(e), *value, true);
        }
        let checked = self.checks_overflow(e);
        let text = self.expr(a);
        match op {
            UnOp::Not if prim == Prim::Bool => format!("!{text}"),
            UnOp::Not if prim.size() < 4 => format!("({})~{text}", c_name(prim)),
            UnOp::Not if prim.is_signed() && prim.size() <= 8 => {
                let not = self.w.helpers.need(self.w.syntax, "not_T", prim);
                format!("{not}({})", bare(&text))
            }
            UnOp::Not => format!("~{text}"),
            UnOp::Neg if prim.is_float() => format!("(-{text})"),
            UnOp::Neg if checked => self.checked_arith(e, "neg", "negate", prim, &[text]),
            UnOp::Neg if prim.size() < 4 => {
                let neg = self.w.helpers.need(self.w.syntax, "neg_T", prim);
                format!("{neg}({})", bare(&text))
            }
            UnOp::Neg => format!("({})(({w})0 - ({w}){text})", c_name(prim), w = wide(prim)),
        }
    }

    fn binary(&mut self, e: ExprId, op: BinOp, a: ExprId, b: ExprId) -> String {
        let Some(prim) = self.w.types.scalar(self.ty(a)) else {
            // One `()` is as good as another.
            return match op {
                BinOp::Eq | BinOp::Ne => (op == BinOp::Eq).to_string(),
                _ => self.nothing(),
            };
        };
        let checked = self.checks_overflow(e);
        if matches!(op, BinOp::Shl | BinOp::Shr) {
            return self.shift(e, op, prim, a, b, checked);
        }
        let (a, b) = (self.expr(a), self.expr(b));
        if checked {
            let (helper, what) = match op {
                BinOp::Add => ("add", "add"),
                BinOp::Sub => ("sub", "subtract"),
                _ => ("mul", "multiply"),
            };
            return self.checked_arith(e, helper, what, prim, &[a, b]);
        }
        self.arith(op, prim, &a, &b)
    }

    /// An operator with Rust's wrapping meaning; a zero divisor was excluded.
    pub(crate) fn arith(&mut self, op: BinOp, prim: Prim, a: &str, b: &str) -> String {
        let sign = op.symbol();
        if prim.is_float() {
            return match op {
                BinOp::Rem => format!("{}({}, {})", self.w.syntax.math("fmod", prim), bare(a), bare(b)),
                _ => format!("({a} {sign} {b})"),
            };
        }
        let (c, w) = (c_name(prim), wide(prim));
        match op {
            // (See `same_T` in `templates/int.h`; comparisons with zero are right.)
            BinOp::Eq | BinOp::Ne if prim == Prim::I32 && self.w.rectifies && ![a, b].contains(&"0") => {
                let same = self.call("same_T", prim, &[a.to_owned(), b.to_owned()]);
                if op == BinOp::Eq { same } else { format!("!{same}") }
            }
            BinOp::Add | BinOp::Sub | BinOp::Mul if prim.is_signed() || prim.size() < 4 => {
                format!("({c})(({w}){a} {sign} ({w}){b})")
            }
            BinOp::Div | BinOp::Rem if prim == Prim::U128 && self.w.syntax.dialect == Dialect::OpenCl => {
                // Its compilers call a function of a library that a kernel has not.
                let helper = if op == BinOp::Div { "quotient_T" } else { "remainder_T" };
                self.call(helper, prim, &[a.to_owned(), b.to_owned()])
            }
            BinOp::Div | BinOp::Rem if prim.size() < 4 => format!("({c})({a} {sign} {b})"),
            _ => format!("({a} {sign} {b})"),
        }
    }

    fn shift(&mut self, e: ExprId, op: BinOp, prim: Prim, a: ExprId, b: ExprId, checked: bool) -> String {
        let bits = 8 * prim.size() as u128;
        let (c, w, sign) = (c_name(prim), wide(prim), op.symbol());
        let left = self.expr(a);
        let count = match &self.code.code.exprs[b.index()].expr {
            Expr::Int { value, negative: false, ty: _ } if !checked || *value < bits => {
                (value % bits).to_string()
            }
            _ => {
                let text = self.expr(b);
                if checked {
                    let text = self.checked_count(e, op, bits, &text);
                    format!("({text} & {})", bits - 1)
                } else {
                    format!("({text} & {})", bits - 1)
                }
            }
        };
        match op {
            BinOp::Shl if prim.is_signed() || prim.size() < 4 => format!("({c})(({w}){left} << {count})"),
            _ if prim.size() < 4 => format!("({c})({left} {sign} {count})"),
            _ => format!("({left} {sign} {count})"),
        }
    }

    /// Whether overflow of this operator is checked here.
    pub(crate) fn checks_overflow(&self, e: ExprId) -> bool {
        match self.w.program {
            Some(program) if self.function.is_none() && !self.at_border => program.checked.contains(&e),
            _ => self.checked && may_overflow(self.w.kernel, self.code, e),
        }
    }

    /// `add_checked_i32(cx, site, a, b)`: sets the context's flag on overflow.
    fn checked_arith(
        &mut self,
        e: ExprId,
        op: &str,
        what: &'static str,
        prim: Prim,
        args: &[String],
    ) -> String {
        let over = self.w.helpers.need(self.w.syntax, &format!("over_{op}_T"), prim);
        let c = c_name(prim);
        let name = format!("{op}_checked_{c}");
        let site = self.site(e, FailureKind::Overflow { what });
        let (params, pass) = match args.len() {
            1 => (format!("{c} a"), "a"),
            _ => (format!("{c} a, {c} b"), "a, b"),
        };
        let fail = self.fail_in();
        let helper = self.w.syntax.helper;
        self.w.helpers.add(&name, || {
            format!(
                "{helper}{c} {name}(context* cx, u32 site, {params}) {{\n    bool over = false;\n    \
                 const {c} r = {over}({pass}, &over);\n    if (over) {fail}(cx, site, 0, 0);\n    return r;\n}}\n"
            )
        });
        self.fallible = true;
        let args: Vec<_> = args.iter().map(|a| bare(a)).collect();
        format!("{name}({}, {site}, {})", self.context_pointer(), args.join(", "))
    }

    /// A shift count that fails at the width; negative ones are too large as well.
    fn checked_count(&mut self, e: ExprId, op: BinOp, bits: u128, count: &str) -> String {
        let what = if op == BinOp::Shl { "shift left" } else { "shift right" };
        let site = self.site(e, FailureKind::Overflow { what });
        let fail = self.fail_in();
        let helper = self.w.syntax.helper;
        self.w.helpers.add("shift_checked", || {
            format!(
                "{helper}u32 shift_checked(context* cx, u32 site, u64 count, u32 bits) {{\n    \
                 if (count >= bits) {fail}(cx, site, 0, 0);\n    return (u32)count;\n}}\n"
            )
        });
        self.fallible = true;
        format!("shift_checked({}, {site}, (u64){count}, {bits})", self.context_pointer())
    }

    fn cast_expr(&mut self, to: TyId, value: ExprId) -> String {
        let (from_ty, Some(to)) = (self.ty(value), self.w.types.prim(to)) else { return self.expr(value) };
        if let Some(name) = self.narrow_name(value) {
            // A 32-bit variable holds the same value as the 64-bit one that it stands for.
            return format!("({}){name}", c_name(to));
        }
        if let Ty::Enum(desc) = self.w.types.get(from_ty) {
            let from = super::types::enum_int(desc);
            let plain = desc.variants.iter().all(|(_, value, bits)| from_bits(from, *bits) == *value);
            let text = self.expr(value);
            if plain {
                return self.cast(from, to, &text);
            }
            let last = desc.variants.last().map_or(0, |v| v.1);
            let mut out = literal::int(self.w.syntax, Prim::I64, last);
            for (_, value, bits) in desc.variants.iter().rev().skip(1) {
                let bits = literal::int(self.w.syntax, from, from_bits(from, *bits));
                out = format!(
                    "({text} == {bits} ? {} : {out})",
                    literal::int(self.w.syntax, Prim::I64, *value)
                );
            }
            return format!("({}){out}", c_name(to));
        }
        let Some(from) = self.w.types.prim(from_ty) else { return self.expr(value) };
        let text = self.expr(value);
        self.cast(from, to, &text)
    }

    /// `as` between primitives.
    pub(crate) fn cast(&mut self, from: Prim, to: Prim, text: &str) -> String {
        if from == to || (c_name(from) == c_name(to)) {
            return text.to_owned();
        }
        if from.is_float() && to.is_int() {
            return self.float_to_int(from, to, text);
        }
        if matches!(from, Prim::I8 | Prim::I16) && to == Prim::U128 {
            return format!("(u128){}", self.call("widened_T", from, &[text.to_owned()]));
        }
        if matches!(from, Prim::I8 | Prim::I16) && to.is_int() && to.size() == 8 {
            let widened = self.call("widened_T", from, &[text.to_owned()]);
            return if to.is_signed() { widened } else { format!("({}){widened}", c_name(to)) };
        }
        format!("({}){text}", c_name(to))
    }

    /// A saturating conversion; NaN becomes 0.
    fn float_to_int(&mut self, from: Prim, to: Prim, text: &str) -> String {
        let (f, t) = (c_name(from), c_name(to));
        let name = format!("{t}_of_{f}");
        let (syntax, helper) = (self.w.syntax, self.w.syntax.helper);
        let Some((lowest, highest)) = to.int_range() else { return text.to_owned() };
        // The bounds are powers of two (or zero), so that they are exact in any float type.
        let above = literal::float(syntax, from, (highest + 1) as f64);
        let below = literal::float(syntax, from, lowest as f64);
        let (lowest, highest) = (literal::int(syntax, to, lowest), literal::int(syntax, to, highest));
        self.w.helpers.add(&name, || {
            let convert = match (syntax.dialect, from, to) {
                // The instruction saturates and takes NaN to zero.
                (Dialect::Cuda, Prim::F32, Prim::I32) => "__float2int_rz(x)".to_owned(),
                (Dialect::Cuda, Prim::F32, Prim::U32) => "__float2uint_rz(x)".to_owned(),
                (Dialect::Cuda, Prim::F32, Prim::U8 | Prim::U16) => {
                    format!("({t})min(__float2uint_rz(x), (u32){highest})")
                }
                (Dialect::Cuda, Prim::F32, Prim::I8 | Prim::I16) => {
                    format!("({t})max(min(__float2int_rz(x), (i32){highest}), (i32){lowest})")
                }
                (Dialect::Cuda, ..) | (Dialect::OpenCl, ..) => {
                    format!("x != x ? ({t})0 : x >= {above} ? {highest} : x <= {below} ? {lowest} : ({t})x")
                }
            };
            format!("{helper}{t} {name}({f} x) {{ return {convert}; }}\n")
        });
        format!("{name}({})", bare(text))
    }

    fn struct_value(
        &mut self,
        ty: TyId,
        name: &str,
        fields: &[(String, ExprId)],
        rest: Option<ExprId>,
    ) -> String {
        if let Ty::Data(desc, variants) = self.w.types.get(ty) {
            let Some(variant) = desc.variant(name) else { return self.nothing() };
            return self.variant_value(ty, (desc, variants[variant], variant), fields);
        }
        let Ty::Struct(desc, types) = self.w.types.get(ty) else { return self.nothing() };
        let maker = self.w.maker(ty);
        let names = self.w.with_types(|t, n| t.struct_names(ty, n));
        let mut args = Vec::new();
        for (i, field) in desc.fields.iter().enumerate() {
            if self.w.types.is_empty(types[i]) {
                continue;
            }
            if let Some((_, value)) = fields.iter().find(|(name, _)| name == field.name) {
                args.push(self.bare(*value));
            } else if let (Some(rest), Some(name)) = (rest, &names.fields[i]) {
                args.push(format!("{}.{name}", self.expr(rest)));
            }
        }
        format!("{maker}({})", args.join(", "))
    }

    /// A value of an enum with data: the tag, and the fields of the variant.
    fn variant_value(
        &mut self,
        ty: TyId,
        (desc, fields_ty, variant): (&DataDesc, TyId, usize),
        fields: &[(String, ExprId)],
    ) -> String {
        let (c, helper) = (self.w.memory_type(ty), self.w.syntax.helper);
        let names = self.w.with_types(|t, n| t.struct_names(ty, n));
        let tag = names.fields[0].as_deref().unwrap_or_default();
        let number = read_int(desc.tag, &desc.variants[variant].tag.to_le_bytes());
        let number = literal::int(self.w.syntax, desc.tag, number);
        let value = self.struct_value(fields_ty, "", fields, None);
        let of = desc.variants[variant].name;
        let name = format!("make_{c}_{of}");
        // (The tag is stored last: the fields' struct has it among its padding.)
        match &names.fields[variant + 1] {
            Some(field) => {
                let of = self.w.memory_type(fields_ty);
                self.w.helpers.add(&name, || {
                    format!("{helper}{c} {name}({of} fields) {{ {c} r; r.{field} = fields; r.{tag} = {number}; return r; }}\n")
                });
                format!("{name}({value})")
            }
            None => {
                self.w.helpers.add(&name, || {
                    format!("{helper}{c} {name}(void) {{ {c} r; r.{tag} = {number}; return r; }}\n")
                });
                format!("{name}()")
            }
        }
    }

    fn repeat(&mut self, ty: TyId, value: ExprId) -> String {
        let Ty::Array(elem, len) = self.w.types.get(ty) else { return self.nothing() };
        let (array, elem) = (self.w.memory_type(ty), self.w.value_type(*elem));
        let name = format!("repeat_{array}");
        let helper = self.w.syntax.helper;
        let text = format!(
            "{helper}{array} {name}({elem} value) {{\n    {array} r;\n    \
             for (u32 i = 0; i < {len}u; i++) r.v[i] = value;\n    return r;\n}}\n"
        );
        self.w.helpers.add(&name, || text);
        format!("{name}({})", self.bare(value))
    }

    /// `None` of a type.
    pub(crate) fn none(&mut self, ty: TyId) -> String {
        let Ty::Option(payload) = self.w.types.get(ty) else { return self.nothing() };
        let (option, payload) = (self.w.memory_type(ty), self.zero(*payload));
        let _ = option;
        let maker = self.w.maker(ty);
        format!("{maker}(false, {payload})")
    }

    /// Some value of a type.
    pub(crate) fn zero(&mut self, ty: TyId) -> String {
        match self.w.types.scalar(ty) {
            Some(p) => literal::int(self.w.syntax, p, 0),
            None if matches!(self.w.types.get(ty), Ty::Unit | Ty::Never) => self.nothing(),
            None => {
                let c = self.w.memory_type(ty);
                let name = format!("any_{c}");
                let helper = self.w.syntax.helper;
                self.w.helpers.add(&name, || format!("{helper}{c} {name}(void) {{ {c} r; return r; }}\n"));
                format!("{name}()")
            }
        }
    }

    fn thread(&self, query: ThreadQuery) -> String {
        let s = self.w.syntax;
        let around = self.within == Within::Around;
        match query {
            ThreadQuery::ThreadNum if around => "0ul".to_owned(),
            ThreadQuery::NumThreads if around => "1ul".to_owned(),
            ThreadQuery::NumThreads if self.nest_threads.is_some() => {
                format!("(u64){}", self.nest_threads.as_deref().unwrap_or_default())
            }
            ThreadQuery::TeamNum => format!("(u64){}", s.block_id(0)),
            ThreadQuery::NumTeams => format!("(u64){}", s.blocks(0)),
            ThreadQuery::ThreadNum => format!("(u64){}", s.thread_id(0)),
            ThreadQuery::NumThreads => format!("(u64){}", s.block_size(0)),
            ThreadQuery::IsInitialDevice => "false".to_owned(),
        }
    }

    fn size_of(&mut self, e: ExprId) -> String {
        let size = match &self.code.code.exprs[e.index()].expr {
            Expr::SizeOf { ty: TyRef::Prim(p) } => p.size(),
            _ => 0, // finalisation has made literals of the others
        };
        literal::int(self.w.syntax, Prim::Usize, size as i128)
    }

    /// A slice value, and where its memory is.
    pub(crate) fn slice(&mut self, e: ExprId) -> (String, Space) {
        let code = self.code;
        match &code.code.exprs[e.index()].expr {
            Expr::Slice { base, lo, hi, access: _, mutable: _ } => self.slice_of(base, *lo, *hi),
            Expr::Load(place) => {
                let placed = self.place(place);
                match placed.held {
                    Held::Slice(_) => (placed.text, placed.space),
                    Held::Array(_) | Held::Value(_) => self.slice_of(place, None, None),
                }
            }
            _ => (self.expr(e), Space::Global),
        }
    }

    fn slice_of(&mut self, base: &Place, lo: Option<ExprId>, hi: Option<ExprId>) -> (String, Space) {
        let placed = self.place(base);
        let (start, elem) = self.start(&placed);
        let lo = lo.map(|e| self.expr(e));
        let hi = match hi {
            Some(e) => self.expr(e),
            None => self.length(&placed),
        };
        let (p, len) = match &lo {
            Some(lo) => (format!("{start} + {lo}"), format!("{hi} - {lo}")),
            None => (start, hi),
        };
        let c = self.w.slice_type(elem, placed.space);
        let text = match self.w.syntax.dialect {
            Dialect::Cuda => format!("{c}{{{p}, {}}}", bare(&len)),
            Dialect::OpenCl => format!("({c}){{{p}, {}}}", bare(&len)),
        };
        (text, placed.space)
    }
}

/// The value of bits in memory as the enum's integer type has it.
fn from_bits(prim: Prim, bits: u64) -> i128 {
    read_int(prim, &bits.to_le_bytes())
}
