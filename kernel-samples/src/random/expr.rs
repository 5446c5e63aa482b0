//! Random expressions of a given primitive type.
use super::stmt::Gen;
use super::{PRIMS, pair};
use crate::sketch::desc;
use omp_ir::desc::Prim;
use omp_ir::ids::{ExprId, LocalId};
use omp_ir::kernel::Callee;
use omp_ir::template::{Base, BinOp, Check, Expr, Place, Projection, Stmt, ThreadQuery, TyRef, UnOp};

const ARITH: &[&str] =
    &["add", "sub", "mul", "neg", "shl", "shr", "pow", "div", "rem", "div_euclid", "rem_euclid", "abs"];
const TO_SELF: &[&str] = &[
    "swap_bytes",
    "reverse_bits",
    "to_be",
    "min",
    "max",
    "rotate_left",
    "rotate_right",
    "midpoint",
    "clone",
];
const TO_U32: &[&str] =
    &["count_ones", "count_zeros", "leading_zeros", "leading_ones", "trailing_zeros", "trailing_ones"];
const FLOAT_TO_SELF: &[&str] =
    &["abs", "floor", "ceil", "round", "round_ties_even", "trunc", "fract", "sqrt", "clone"];
const FLOAT_TO_BOOL: &[&str] = &["is_nan", "is_finite", "is_infinite", "is_normal", "is_subnormal"];

impl Gen {
    /// A primitive that may occur.
    pub fn prim(&mut self) -> Prim {
        let p = self.rng.pick(&PRIMS);
        if p == Prim::F64 && !self.options.f64 { Prim::F32 } else { p }
    }

    fn int_prim(&mut self) -> Prim {
        self.rng.pick(&PRIMS[1..11])
    }

    fn float_prim(&mut self) -> Prim {
        if self.options.f64 && self.rng.once_in(2) { Prim::F64 } else { Prim::F32 }
    }

    /// An expression of type `p`; `depth` bounds its height.
    pub fn value(&mut self, p: Prim, depth: u32) -> ExprId {
        if depth == 0 || self.rng.once_in(6) {
            return self.leaf(p);
        }
        match self.rng.below(10) {
            0 | 1 => self.leaf(p),
            2 => self.element(p, depth - 1),
            3 => self.converted(p, depth - 1),
            _ if p == Prim::Bool => self.truth(depth - 1),
            _ if p.is_float() => self.float(p, depth - 1),
            4 | 5 => self.int_method(p, depth - 1),
            6 => self.arith(p, depth - 1),
            _ => self.int_operator(p, depth - 1),
        }
    }

    fn leaf(&mut self, p: Prim) -> ExprId {
        let known: Vec<LocalId> = self.scope.iter().filter(|(_, ty)| *ty == p).map(|(l, _)| *l).collect();
        if !known.is_empty() && !self.rng.once_in(4) {
            let local = self.rng.pick(&known);
            return self.s.get(local);
        }
        if p == Prim::Usize && self.rng.once_in(12) {
            let query = self.rng.pick(&[ThreadQuery::NumTeams, ThreadQuery::ThreadNum]);
            let thread = self.s.expr(Expr::Thread(query));
            // The answer differs from device to device: it is always below 2^63.
            let bits = self.s.int(Prim::Usize, 63);
            return self.s.binary(BinOp::Shr, thread, bits);
        }
        self.literal(p)
    }

    pub fn literal(&mut self, p: Prim) -> ExprId {
        if self.rng.once_in(10) {
            let bytes = self.word(p);
            let name = format!("C{}", self.s.code.consts.len());
            let id = self.s.konst(&name, desc(p), bytes);
            return self.s.load(Base::Const(id));
        }
        if p == Prim::Bool {
            return self.flag();
        }
        if p.is_float() {
            let digits =
                self.rng.pick(&["0.0", "1.0", "0.1", "2.5", "1e-3", "3.4e5", "65537.75", "0.333333333333"]);
            let negative = self.rng.once_in(3);
            return self.s.expr(Expr::Float { digits: digits.to_owned(), negative, ty: TyRef::Prim(p) });
        }
        let (min, max) = p.int_range().unwrap_or((0, 0));
        let value = match self.rng.below(6) {
            0 => min,
            1 => max,
            2 => i128::from(self.rng.bits()).rem_euclid(max - min + 1) + min,
            _ => (i128::from(self.rng.below(40) as u32) - 9).clamp(min, max),
        };
        self.s.int(p, value)
    }

    /// A `bool` that the compiler can't know: `true` and `false` in conditions make most of a kernel dead code, which
    /// tests little (and kills the inliner of LLVM 15 in PoCL).
    fn flag(&mut self) -> ExprId {
        let known: Vec<(LocalId, Prim)> =
            self.scope.iter().filter(|(_, p)| *p != Prim::Bool).copied().collect();
        if known.is_empty() || self.rng.once_in(20) {
            let b = self.rng.once_in(2);
            return self.s.expr(Expr::Bool(b));
        }
        let (local, p) = self.rng.pick(&known);
        let (value, bound) = (self.s.get(local), self.literal(p));
        let op = self.rng.pick(&[BinOp::Lt, BinOp::Ge, BinOp::Ne]);
        self.s.binary(op, value, bound)
    }

    /// `x[index]` of the array of this type, or a part of a struct or fixed array.
    fn element(&mut self, p: Prim, depth: u32) -> ExprId {
        if self.in_function {
            return self.leaf(p);
        }
        let (array, len, path): (usize, usize, Option<&str>) = match p {
            Prim::U16 if self.rng.once_in(2) => (self.inputs - 2, self.point_len, Some("id")),
            Prim::F32 if self.rng.once_in(2) => (self.inputs - 2, self.point_len, Some("at")),
            Prim::U8 if self.rng.once_in(2) => (self.inputs - 2, self.point_len, Some("tags")),
            Prim::I32 if self.rng.once_in(2) => (self.inputs - 1, self.row_len, None),
            _ => match self.input_of(p) {
                Some(found) => (found.0, found.1, None),
                None => return self.leaf(p),
            },
        };
        let index = self.index(len, depth);
        let base = Base::Array(omp_ir::ids::ArrayId::new(array)).into();
        let mut at = self.at(&format!("x{array}"), base, index, false);
        if let Some(field) = path {
            at.projections.push(Projection::Field(field.to_owned()));
        }
        let nested = if path == Some("tags") { 3 } else { 4 };
        if path == Some("tags") || array == self.inputs - 1 {
            let index = self.index(nested, depth);
            at = self.at("nested", at, index, false);
        }
        self.s.expr(Expr::Load(at))
    }

    /// A variable with an index below `len` (or, where failures are wanted, now and then not).
    pub fn index(&mut self, len: usize, depth: u32) -> LocalId {
        let from = if self.rng.once_in(3) { Prim::Usize } else { self.int_prim() };
        let raw = self.value(from, depth.min(2));
        let raw = self.s.expr(Expr::Cast { value: raw, ty: TyRef::Prim(Prim::Usize) });
        let beyond = usize::from(self.options.failures && self.rng.once_in(8));
        let len = self.s.int(Prim::Usize, (len + beyond) as i128);
        let index = self.s.binary(BinOp::Rem, raw, len);
        self.bind(index)
    }

    fn converted(&mut self, p: Prim, depth: u32) -> ExprId {
        let from = match p {
            Prim::Bool => return self.truth(depth),
            p if p.is_float() => loop {
                let from = self.prim();
                if from != Prim::Bool {
                    break from;
                }
            },
            _ => self.prim(),
        };
        let value = self.value(from, depth);
        self.s.expr(Expr::Cast { value, ty: TyRef::Prim(p) })
    }

    fn truth(&mut self, depth: u32) -> ExprId {
        let compare = &[BinOp::Eq, BinOp::Ne, BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge];
        match self.rng.below(7) {
            0 => {
                let value = self.value(Prim::Bool, depth);
                self.s.expr(Expr::Unary(UnOp::Not, value))
            }
            1 | 2 => {
                let op = self.rng.pick(&[BinOp::And, BinOp::Or, BinOp::BitAnd, BinOp::BitOr, BinOp::BitXor]);
                let (l, r) = (self.value(Prim::Bool, depth), self.value(Prim::Bool, depth));
                self.s.binary(op, l, r)
            }
            3 => {
                let (p, name) = (self.float_prim(), self.rng.pick(FLOAT_TO_BOOL));
                let value = self.value(p, depth);
                self.s.method(name, vec![value])
            }
            4 => {
                let p = self.int_prim();
                let value = self.value(p, depth);
                let name = match (p.is_signed(), self.rng.once_in(2)) {
                    (true, true) => "is_negative",
                    (true, false) => "is_positive",
                    (false, _) => "is_power_of_two",
                };
                self.s.method(name, vec![value])
            }
            _ => {
                let (op, p) = (self.rng.pick(compare), self.prim());
                let (l, r) = (self.value(p, depth), self.value(p, depth));
                self.s.binary(op, l, r)
            }
        }
    }

    fn float(&mut self, p: Prim, depth: u32) -> ExprId {
        match self.rng.below(8) {
            0 | 1 => {
                let name = self.rng.pick(FLOAT_TO_SELF);
                let value = self.value(p, depth);
                self.s.method(name, vec![value])
            }
            2 => {
                // Of two zeros either may be the larger: one side is a literal that is none.
                let name = self.rng.pick(&["min", "max", "copysign"]);
                let value = self.value(p, depth);
                let digits = self.rng.pick(&["0.75", "12.5", "1e9"]).to_owned();
                let negative = self.rng.once_in(2);
                let other = self.s.expr(Expr::Float { digits, negative, ty: TyRef::Prim(p) });
                self.s.method(name, vec![value, other])
            }
            3 => {
                let args = (0..3).map(|_| self.value(p, depth)).collect();
                self.s.method("mul_add", args)
            }
            4 => {
                let value = self.value(p, depth);
                self.s.expr(Expr::Unary(UnOp::Neg, value))
            }
            _ => {
                let op = self.rng.pick(&[BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div, BinOp::Rem]);
                let (l, r) = (self.value(p, depth), self.value(p, depth));
                self.s.binary(op, l, r)
            }
        }
    }

    fn int_operator(&mut self, p: Prim, depth: u32) -> ExprId {
        match self.rng.below(10) {
            0 => {
                let value = self.value(p, depth);
                let op = if p.is_signed() && self.rng.once_in(2) { UnOp::Neg } else { UnOp::Not };
                self.s.expr(Expr::Unary(op, value))
            }
            1 | 2 => {
                let count = self.int_prim();
                let (l, r) = (self.value(p, depth), self.value(count, depth));
                let op = self.rng.pick(&[BinOp::Shl, BinOp::Shr]);
                self.s.binary(op, l, r)
            }
            3 => self.quotient(p, depth),
            _ => {
                let op = self.rng.pick(&[
                    BinOp::Add,
                    BinOp::Sub,
                    BinOp::Mul,
                    BinOp::BitAnd,
                    BinOp::BitOr,
                    BinOp::BitXor,
                ]);
                let (l, r) = (self.value(p, depth), self.value(p, depth));
                self.s.binary(op, l, r)
            }
        }
    }

    /// A divisor: from 1 to 8, or anything where failures are wanted.
    fn divisor(&mut self, p: Prim, depth: u32) -> ExprId {
        let raw = self.value(p, depth);
        if self.options.failures && self.rng.once_in(4) {
            return raw;
        }
        let (seven, one) = (self.s.int(p, 7), self.s.int(p, 1));
        let low = self.s.binary(BinOp::BitAnd, raw, seven);
        self.s.binary(BinOp::Add, low, one)
    }

    fn quotient(&mut self, p: Prim, depth: u32) -> ExprId {
        let lhs = self.value(p, depth);
        let lhs = self.bind(lhs);
        let rhs = self.divisor(p, depth);
        let rhs = self.bind(rhs);
        let rem = self.rng.once_in(2);
        let (cl, cr, src) = (self.s.get(lhs), self.s.get(rhs), self.s.src());
        self.s.push(Stmt::Check { check: Check::Divide { access: None, rem, lhs: cl, rhs: cr }, src });
        let (l, r) = (self.s.get(lhs), self.s.get(rhs));
        self.s.binary(if rem { BinOp::Rem } else { BinOp::Div }, l, r)
    }

    fn int_method(&mut self, p: Prim, depth: u32) -> ExprId {
        let (n, small) = (self.value(p, depth), p.size() < 8);
        match self.rng.below(9) {
            0 if p == Prim::U32 => {
                let (of, name) = (self.int_prim(), self.rng.pick(TO_U32));
                let value = self.value(of, depth);
                self.s.method(name, vec![value])
            }
            1 if p.is_signed() => self.s.method("signum", vec![n]),
            1 => {
                let signed = self.value(p.signed(), depth);
                if self.rng.once_in(2) {
                    return self.s.method("unsigned_abs", vec![signed]);
                }
                let other = self.value(p.signed(), depth);
                self.s.method("abs_diff", vec![signed, other])
            }
            2 if !p.is_signed() => self.s.method("isqrt", vec![n]),
            3 => {
                let name = self.rng.pick(&["div_euclid", "rem_euclid"]);
                let divisor = self.divisor(p, depth);
                self.s.method(name, vec![n, divisor])
            }
            4 => {
                let (lo, hi) = (self.s.int(p, 3), self.s.int(p, 90));
                self.s.method("clamp", vec![n, lo, hi])
            }
            5 if small => {
                let name = self.rng.pick(&["cast_signed", "cast_unsigned"]);
                let of = if name == "cast_signed" { p.unsigned() } else { p.signed() };
                let value = self.value(of, depth);
                let cast = self.s.method(name, vec![value]);
                self.s.expr(Expr::Cast { value: cast, ty: TyRef::Prim(p) })
            }
            6 => {
                let count = self.value(Prim::U32, depth);
                let name = self.rng.pick(&["rotate_left", "rotate_right", "wrapping_pow", "saturating_pow"]);
                self.s.method(name, vec![n, count])
            }
            _ => {
                let name = self.rng.pick(TO_SELF);
                let args = match name {
                    "min" | "max" | "midpoint" => vec![n, self.value(p, depth)],
                    "rotate_left" | "rotate_right" => vec![n, self.value(Prim::U32, depth)],
                    _ => vec![n],
                };
                self.s.method(name, args)
            }
        }
    }

    /// `wrapping_*`, `saturating_*`, `checked_*().unwrap_or(…)`, `overflowing_*().0`.
    fn arith(&mut self, p: Prim, depth: u32) -> ExprId {
        let op = loop {
            let op = self.rng.pick(ARITH);
            if op != "abs" || p.is_signed() {
                break op;
            }
        };
        let n = self.value(p, depth);
        let args = match op {
            "neg" | "abs" => vec![n],
            "shl" | "shr" => vec![n, self.value(Prim::U32, depth)],
            "pow" => {
                let exponent = self.value(Prim::U32, depth);
                let seven = self.s.int(Prim::U32, 7);
                vec![n, self.s.binary(BinOp::BitAnd, exponent, seven)]
            }
            "div" | "rem" | "div_euclid" | "rem_euclid" => vec![n, self.divisor(p, depth)],
            _ => vec![n, self.value(p, depth)],
        };
        match self.rng.below(4) {
            0 => self.s.method(&format!("wrapping_{op}"), args),
            1 if matches!(op, "add" | "sub" | "mul" | "div" | "pow") => {
                self.s.method(&format!("saturating_{op}"), args)
            }
            2 => {
                let value = self.s.call(&format!("overflowing_{op}"), Callee::Builtin, Some(pair(p)), args);
                let local = self.bind(value);
                let field = if p == Prim::Bool { "1" } else { "0" };
                let projections = vec![Projection::Field(field.to_owned())];
                self.s.expr(Expr::Load(Place { base: Base::Local(local), projections }))
            }
            _ => {
                let value = self.s.method(&format!("checked_{op}"), args);
                let or = self.leaf(p);
                self.s.method("unwrap_or", vec![value, or])
            }
        }
    }
}
