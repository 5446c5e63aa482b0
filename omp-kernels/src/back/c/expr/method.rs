//! Built-in methods of numbers, `bool`, `char` and `Option` as C expressions.
use super::bare;
use super::literal;
use crate::back::Dialect;
use crate::back::c::body::Body;
use crate::back::c::helpers::{c_name, signed, unsigned};
use omp_ir::desc::{Derived, Prim};
use omp_ir::ids::{ExprId, TyId};
use omp_ir::kernel::Ty;
use omp_ir::method::{
    ByteMethod, CharMethod, FloatMethod, IntMethod, IntOp, Method, OptionMethod, Overflow, PartsOp,
    SliceMethod,
};
use omp_ir::template::{BinOp, Expr};

impl Body<'_, '_> {
    /// Writes the call `e` of a method.
    pub(crate) fn method(&mut self, e: ExprId, method: Method, args: &[ExprId]) -> String {
        let result = self.ty(e);
        let Some(&first) = args.first() else { return self.nothing() };
        match method {
            Method::Slice(m) => self.slice_method(m, first),
            Method::Option(m) => self.option_method(m, result, args),
            Method::Clone => self.expr(first),
            Method::Parts(op) => {
                let name = self.compares(op, self.ty(first));
                format!("{name}({}, {})", self.bare(first), self.bare(args[1]))
            }
            Method::Extreme(op) => self.extreme(op, result, first, args[1]),
            Method::Clamp => self.clamp(result, args),
            Method::ToArray => self.gathered(result, first),
            Method::Part(k) => self.part(k, first),
            Method::OfPart => format!("{}({})", self.w.maker(result), self.bare(first)),
            Method::Compare { partial } => self.compare(partial, result, first, args[1]),
            Method::TotalCompare => self.total_compare(result, first, args[1]),
            Method::Order(m) => self.order_method(m, result, args),
            Method::ToBytes { big } => self.bytes_of(big, result, first),
            Method::FromBytes { big } => self.number_of(big, result, first),
            Method::Convert => self.convert(result, first),
            Method::Arith(mode, op) => {
                let Some(prim) = self.w.types.prim(self.ty(first)) else { return self.nothing() };
                let args: Vec<_> = args.iter().map(|&a| self.expr(a)).collect();
                self.arith_method(mode, op, prim, result, &args)
            }
            Method::Int(m) => {
                let Some(prim) = self.w.types.prim(self.ty(first)) else { return self.nothing() };
                let args: Vec<_> = args.iter().map(|&a| self.bare(a)).collect();
                self.int_method(m, prim, result, &args)
            }
            Method::Byte(m) => {
                let Some(prim) = self.w.types.prim(self.ty(first)) else { return self.nothing() };
                let args: Vec<_> = args.iter().map(|&a| self.bare(a)).collect();
                self.byte_method(m, prim, &args)
            }
            Method::Char(m) => {
                let args: Vec<_> = args.iter().map(|&a| self.bare(a)).collect();
                self.char_method(m, result, &args)
            }
            Method::Float(m) => {
                let Some(prim) = self.w.types.prim(self.ty(first)) else { return self.nothing() };
                let args: Vec<_> = args.iter().map(|&a| self.expr(a)).collect();
                self.float_method(m, prim, result, &args)
            }
        }
    }

    fn byte_method(&mut self, m: ByteMethod, prim: Prim, args: &[String]) -> String {
        let own = c_name(prim);
        let name = format!("{}_{own}", m.row().name);
        let within = |from: u8, n: u8| format!("({own})(a - {from}) < {n}");
        let (digit, upper, lower) = (within(48, 10), within(65, 26), within(97, 26));
        let letter = format!("({own})((a | 32) - 97) < 26");
        let (result, value) = match m {
            ByteMethod::IsAscii => (Prim::Bool, "a < 128".to_owned()),
            ByteMethod::IsAlphabetic => (Prim::Bool, letter),
            ByteMethod::IsAlphanumeric => (Prim::Bool, format!("{letter} || {digit}")),
            ByteMethod::IsControl => (Prim::Bool, "a < 32 || a == 127".to_owned()),
            ByteMethod::IsDigit => (Prim::Bool, digit),
            ByteMethod::IsGraphic => (Prim::Bool, "a > 32 && a < 127".to_owned()),
            ByteMethod::IsHexdigit => (Prim::Bool, format!("{digit} || ({own})((a | 32) - 97) < 6")),
            ByteMethod::IsLowercase => (Prim::Bool, lower),
            ByteMethod::IsPunctuation => (Prim::Bool, format!("a > 32 && a < 127 && !({letter} || {digit})")),
            ByteMethod::IsUppercase => (Prim::Bool, upper),
            ByteMethod::IsWhitespace => {
                (Prim::Bool, "a == 32 || a == 9 || a == 10 || a == 12 || a == 13".to_owned())
            }
            ByteMethod::ToLowercase => (prim, format!("{upper} ? ({own})(a + 32) : a")),
            ByteMethod::ToUppercase => (prim, format!("{lower} ? ({own})(a - 32) : a")),
            ByteMethod::EqIgnoreCase => (Prim::Bool, format!("a == b || ((a | 32) == (b | 32) && {letter})")),
        };
        let params = if args.len() > 1 { format!("{own} a, {own} b") } else { format!("{own} a") };
        let (helper, c) = (self.w.syntax.helper, c_name(result));
        self.w.helpers.add(&name, || format!("{helper}{c} {name}({params}) {{\n    return {value};\n}}\n"));
        format!("{name}({})", args.join(", "))
    }

    /// What makes a `char` gives a number that is one, or none.
    fn char_method(&mut self, m: CharMethod, result: TyId, args: &[String]) -> String {
        let name = format!("{}_char", m.row().name);
        let (option, result) = (result, self.w.value_type(result));
        let digit = "u32 d = a - 48;\n    if (d >= 10) {\n        d = (a | 32) - 97;\n        d = d < 26 ? d + 10 : 36;\n    }\n    ";
        let (before, has, value) = match m {
            CharMethod::ToDigit | CharMethod::IsDigit => (digit, "d < b", "d"),
            CharMethod::FromU32 => ("", "a < 0xd800u || (a > 0xdfffu && a < 0x110000u)", "a"),
            CharMethod::FromDigit => ("", "a < b && a < 36", "(a < 10 ? a + 48 : a + 87)"),
        };
        let body = match m {
            CharMethod::IsDigit => format!("{before}return {has};"),
            _ => {
                let maker = self.w.maker(option);
                format!("{before}const bool has = {has};\n    return {maker}(has, has ? {value} : 0u);")
            }
        };
        let params = if args.len() > 1 { "u32 a, u32 b" } else { "u32 a" };
        let helper = self.w.syntax.helper;
        self.w.helpers.add(&name, || format!("{helper}{result} {name}({params}) {{\n    {body}\n}}\n"));
        format!("{name}({})", args.join(", "))
    }

    fn convert(&mut self, result: TyId, value: ExprId) -> String {
        if let Some(name) = self.narrow_name(value)
            && let Some(to) = self.w.types.prim(result)
        {
            return format!("({}){name}", c_name(to));
        }
        let (from, to) = (self.w.types.prim(self.ty(value)), self.w.types.prim(result));
        let text = self.expr(value);
        match (from, to) {
            (Some(from), Some(to)) => self.cast(from, to, &text),
            _ => text,
        }
    }

    /// The name of a helper that compares values of a type part by part; the last part decides if all before it are
    /// equal.
    pub(super) fn compares(&mut self, op: PartsOp, ty: TyId) -> String {
        let c = self.w.value_type(ty);
        let (word, symbol) = match op {
            PartsOp::Eq => ("eq", "=="),
            PartsOp::Lt => ("lt", "<"),
            PartsOp::Le => ("le", "<="),
        };
        let name = format!("{word}_{c}");
        let mut lines = Vec::new();
        let at_end = op != PartsOp::Lt;
        match self.w.types.get(ty).clone() {
            // Nothing stands for such a value.
            _ if self.w.types.is_empty(ty) => lines.push(format!("return {at_end};")),
            Ty::Struct(desc, fields) => {
                let names = self.w.with_types(|types, names| types.struct_names(ty, names));
                let (a, b) = if desc.derived == Derived::Reversed { ("b", "a") } else { ("a", "b") };
                for (field, part) in fields.iter().zip(&names.fields) {
                    let Some(part) = part else { continue };
                    let (eq, by) = (self.compares(PartsOp::Eq, *field), self.compares(op, *field));
                    lines.push(format!(
                        "if (!{eq}({a}.{part}, {b}.{part})) return {by}({a}.{part}, {b}.{part});"
                    ));
                }
                lines.push(format!("return {at_end};"));
            }
            Ty::Array(elem, len) => {
                let (eq, by) = (self.compares(PartsOp::Eq, elem), self.compares(op, elem));
                lines.push(format!(
                    "for (u32 i = 0; i < {len}u; i++) if (!{eq}(a.v[i], b.v[i])) return {by}(a.v[i], b.v[i]);"
                ));
                lines.push(format!("return {at_end};"));
            }
            Ty::Option(payload) => {
                let by = self.compares(op, payload);
                let [a, b] = ["a", "b"].map(|option| self.w.has(ty, option));
                // `None` is less than all others.
                lines.push(match op {
                    PartsOp::Eq => format!("return {a} == {b} && (!{a} || {by}(a.value, b.value));"),
                    PartsOp::Lt => format!("return {b} && (!{a} || {by}(a.value, b.value));"),
                    PartsOp::Le => format!("return !{a} || ({b} && {by}(a.value, b.value));"),
                });
            }
            _ if op == PartsOp::Eq && self.w.types.prim(ty) == Some(Prim::I32) => {
                let equal = self.arith(BinOp::Eq, Prim::I32, "a", "b");
                lines.push(format!("return {equal};"));
            }
            _ => lines.push(format!("return a {symbol} b;")),
        }
        let helper = self.w.syntax.helper;
        let body = format!("{helper}bool {name}({c} a, {c} b) {{\n    {}\n}}\n", lines.join("\n    "));
        self.w.helpers.add(&name, || body);
        name
    }

    /// A part of a tuple or array.
    fn part(&mut self, k: usize, whole: ExprId) -> String {
        let (ty, text) = (self.ty(whole), self.expr(whole));
        match self.w.types.get(ty) {
            Ty::Array(..) => format!("({text}).v[{k}]"),
            _ => {
                let names = self.w.with_types(|types, names| types.struct_names(ty, names));
                match names.fields.get(k) {
                    Some(Some(field)) => format!("({text}).{field}"),
                    _ => self.nothing(),
                }
            }
        }
    }

    /// All elements of a slice that is as long as the array `ty`.
    fn gathered(&mut self, ty: TyId, slice: ExprId) -> String {
        let Ty::Array(elem, len) = *self.w.types.get(ty) else { return self.nothing() };
        let (text, space) = self.slice(slice);
        let (array, from) = (self.w.memory_type(ty), self.w.slice_type(elem, space));
        let name = format!("{array}_of_{from}");
        let helper = self.w.syntax.helper;
        let body = format!(
            "{helper}{array} {name}({from} s) {{\n    {array} r;\n    \
             for (u32 i = 0; i < {len}u; i++) r.v[i] = s.p[i];\n    return r;\n}}\n"
        );
        self.w.helpers.add(&name, || body);
        format!("{name}({text})")
    }

    fn slice_method(&mut self, m: SliceMethod, receiver: ExprId) -> String {
        let code = self.code;
        let len = match &code.code.exprs[receiver.index()].expr {
            Expr::Load(place) => {
                let placed = self.place(place);
                self.length(&placed)
            }
            _ => match self.w.types.get(self.ty(receiver)) {
                Ty::Array(_, len) => literal::int(self.w.syntax, Prim::Usize, i128::from(*len)),
                Ty::Slice(_) => format!("{}.len", self.slice(receiver).0),
                _ => self.nothing(),
            },
        };
        match m {
            SliceMethod::Len => len,
            SliceMethod::IsEmpty => format!("({len} == 0)"),
        }
    }

    fn option_method(&mut self, m: OptionMethod, result: TyId, args: &[ExprId]) -> String {
        let (has, value) = self.carried(args[0]);
        match m {
            OptionMethod::IsSome => has,
            OptionMethod::IsNone => format!("!{has}"),
            OptionMethod::Ok => format!("{}({has}, {value})", self.w.maker(result)),
            OptionMethod::Unwrap => value,
            OptionMethod::UnwrapOr => {
                let other = self.expr(args[1]);
                format!("({has} ? {value} : {other})")
            }
            OptionMethod::UnwrapOrDefault => {
                let other = self.zero(result);
                format!("({has} ? {value} : {other})")
            }
            OptionMethod::Or => {
                let (option, other) = (self.expr(args[0]), self.expr(args[1]));
                format!("({has} ? {option} : {other})")
            }
        }
    }

    /// `wrapping_*`, `saturating_*`, `checked_*`, `overflowing_*`.
    fn arith_method(
        &mut self,
        mode: Overflow,
        op: IntOp,
        prim: Prim,
        result: TyId,
        args: &[String],
    ) -> String {
        let simple = match op {
            IntOp::Add => Some(BinOp::Add),
            IntOp::Sub => Some(BinOp::Sub),
            IntOp::Mul => Some(BinOp::Mul),
            _ => None,
        };
        if let (Overflow::Wrapping | Overflow::Strict, Some(op)) = (mode, simple) {
            return self.arith(op, prim, &args[0], &args[1]);
        }
        let stem = op_name(op);
        let over = self.w.helpers.need(self.w.syntax, &format!("over_{stem}_T"), prim);
        let args: Vec<_> = args.iter().map(|a| bare(a)).collect();
        // `usize` and `u64` are one type in C, but options and tuples of them are not.
        let name = format!("{}_{stem}_{}", mode_name(mode), prim.name());
        let value = if op == IntOp::SignedDiff { signed(prim) } else { prim };
        let (params, pass) = self.params_of(op, prim);
        let r = match mode {
            Overflow::Wrapping | Overflow::Strict | Overflow::Saturating => c_name(value).to_owned(),
            Overflow::Checked | Overflow::Overflowing => self.w.memory_type(result),
        };
        let end = match mode {
            Overflow::Wrapping | Overflow::Strict => "return r;".to_owned(),
            Overflow::Saturating => format!("return over ? {} : r;", self.saturated(op, prim)),
            Overflow::Checked => format!("return {}(!over, r);", self.w.maker(result)),
            Overflow::Overflowing => format!("return {}(r, over);", self.w.maker(result)),
        };
        let (helper, c) = (self.w.syntax.helper, c_name(value));
        self.w.helpers.add(&name, || {
            format!(
                "{helper}{r} {name}({params}) {{\n    bool over;\n    const {c} r = {over}({pass}, &over);\n    {end}\n}}\n"
            )
        });
        format!("{name}({})", args.join(", "))
    }

    /// Parameters of a helper for `op`, as declared and as passed on.
    fn params_of(&self, op: IntOp, prim: Prim) -> (String, &'static str) {
        let c = c_name(prim);
        let second = match op {
            IntOp::Neg | IntOp::Abs => return (format!("{c} a"), "a"),
            IntOp::Shl | IntOp::Shr | IntOp::Pow => "u32",
            IntOp::AddSigned | IntOp::SubSigned => c_name(signed(prim)),
            IntOp::AddUnsigned | IntOp::SubUnsigned => c_name(unsigned(prim)),
            IntOp::Add
            | IntOp::Sub
            | IntOp::Mul
            | IntOp::Div
            | IntOp::Rem
            | IntOp::DivEuclid
            | IntOp::RemEuclid
            | IntOp::SignedDiff => c,
        };
        (format!("{c} a, {second} b"), "a, b")
    }

    /// The bound that an overflowing result is nearest to.
    fn saturated(&self, op: IntOp, prim: Prim) -> String {
        let (lowest, highest) = prim.int_range().unwrap_or((0, -1));
        let (lowest, highest) =
            (literal::int(self.w.syntax, prim, lowest), literal::int(self.w.syntax, prim, highest));
        let down = match op {
            IntOp::Add => "a < 0",
            IntOp::Sub if prim.is_signed() => "a < 0",
            IntOp::Sub | IntOp::SubUnsigned => "true",
            IntOp::Mul => "(a < 0) != (b < 0)",
            IntOp::Pow => "a < 0 && (b & 1u)",
            IntOp::AddSigned => "b < 0",
            IntOp::SubSigned => "b > 0",
            IntOp::Div
            | IntOp::Rem
            | IntOp::DivEuclid
            | IntOp::RemEuclid
            | IntOp::Neg
            | IntOp::Shl
            | IntOp::Shr
            | IntOp::Abs
            | IntOp::AddUnsigned
            | IntOp::SignedDiff => return highest,
        };
        format!("({down} ? {lowest} : {highest})")
    }

    pub(super) fn int_method(&mut self, m: IntMethod, prim: Prim, result: TyId, args: &[String]) -> String {
        use IntMethod as M;
        let c = c_name(prim);
        let x = args.first().map_or("", String::as_str);
        let bits = 8 * prim.size();
        match m {
            M::Pow => self.call("pow_T", prim, args),
            M::Abs => self.call("abs_T", prim, args),
            M::UnsignedAbs => format!("({}){}", c_name(unsigned(prim)), self.call("abs_T", prim, args)),
            M::AbsDiff => self.call("abs_diff_T", prim, args),
            M::Signum => self.call("signum_T", prim, args),
            M::IsPositive => format!("(({x}) > 0)"),
            M::IsNegative => format!("(({x}) < 0)"),
            M::Min => self.call("min_T", prim, args),
            M::Max => self.call("max_T", prim, args),
            M::Clamp => self.call("clamp_T", prim, args),
            M::CountOnes => self.call("count_ones_T", prim, args),
            M::CountZeros => format!("({bits}u - {})", self.call("count_ones_T", prim, args)),
            M::LeadingZeros => self.call("leading_zeros_T", prim, args),
            M::LeadingOnes => self.call("leading_zeros_T", prim, &[format!("({c})~({x})")]),
            M::TrailingZeros => self.call("trailing_zeros_T", prim, args),
            M::TrailingOnes => self.call("trailing_zeros_T", prim, &[format!("({c})~({x})")]),
            M::RotateLeft => self.call("rotate_left_T", prim, args),
            M::RotateRight => self.call("rotate_right_T", prim, args),
            M::UnboundedShl => self.call("unbounded_shl_T", prim, args),
            M::UnboundedShr => self.call("unbounded_shr_T", prim, args),
            M::SwapBytes | M::ToBe => self.call("swap_bytes_T", prim, args),
            M::ReverseBits => self.call("reverse_bits_T", prim, args),
            M::ToLe => format!("({x})"),
            M::DivEuclid => self.wrapping("div_euclid", prim, args),
            M::RemEuclid => self.wrapping("rem_euclid", prim, args),
            M::Isqrt => self.call("isqrt_T", prim, args),
            M::Ilog2 => self.call("ilog2_T", prim, args),
            M::Ilog10 => self.call("ilog_T", prim, &[x.to_owned(), "10".to_owned()]),
            M::Ilog => self.call("ilog_T", prim, args),
            M::DivCeil => self.call("div_ceil_T", prim, args),
            M::NextMultipleOf => self.wrapping("next_multiple_of", prim, args),
            M::IsPowerOfTwo => format!("({} == 1u)", self.call("count_ones_T", prim, args)),
            M::NextPowerOfTwo => self.wrapping("next_power_of_two", prim, args),
            M::IsMultipleOf => {
                let y = &args[1];
                format!("(({y}) == 0 ? ({x}) == 0 : ({x}) % (({y}) == 0 ? 1 : ({y})) == 0)")
            }
            M::Midpoint => self.call("midpoint_T", prim, args),
            M::CastSigned => format!("({})({x})", c_name(signed(prim))),
            M::CastUnsigned => format!("({})({x})", c_name(unsigned(prim))),
            M::CheckedIsqrt => self.option_if(&format!("({x}) >= 0"), "isqrt_T", prim, result, args),
            M::CheckedIlog2 => self.option_if(&format!("({x}) > 0"), "ilog2_T", prim, result, args),
            M::CheckedIlog10 => {
                let args = [x.to_owned(), "10".to_owned()];
                self.option_if(&format!("({x}) > 0"), "ilog_T", prim, result, &args)
            }
            M::CheckedIlog => {
                let some = format!("({x}) > 0 && ({}) > 1", args[1]);
                self.option_if(&some, "ilog_T", prim, result, args)
            }
            M::CheckedNextMultipleOf => self.checked("next_multiple_of", prim, result, args),
            M::CheckedNextPowerOfTwo => self.checked("next_power_of_two", prim, result, args),
        }
    }

    /// A call of a helper.
    pub(crate) fn call(&mut self, helper: &str, prim: Prim, args: &[String]) -> String {
        let name = self.w.helpers.need(self.w.syntax, helper, prim);
        let args: Vec<_> = args.iter().map(|a| bare(a)).collect();
        format!("{name}({})", args.join(", "))
    }

    /// The low bits of an `over_*` helper's result.
    fn wrapping(&mut self, stem: &str, prim: Prim, args: &[String]) -> String {
        let over = self.w.helpers.need(self.w.syntax, &format!("over_{stem}_T"), prim);
        let (helper, c) = (self.w.syntax.helper, c_name(prim));
        let name = format!("{stem}_{c}");
        let (params, pass) = one_or_two(c, args.len());
        self.w.helpers.add(&name, || {
            format!(
                "{helper}{c} {name}({params}) {{\n    bool over;\n    return {over}({pass}, &over);\n}}\n"
            )
        });
        format!("{name}({})", args.join(", "))
    }

    /// `None` if an `over_*` helper says so.
    fn checked(&mut self, stem: &str, prim: Prim, result: TyId, args: &[String]) -> String {
        let over = self.w.helpers.need(self.w.syntax, &format!("over_{stem}_T"), prim);
        let (option, maker) = (self.w.memory_type(result), self.w.maker(result));
        let (helper, c) = (self.w.syntax.helper, c_name(prim));
        let name = format!("checked_{stem}_{}", prim.name());
        let (params, pass) = one_or_two(c, args.len());
        self.w.helpers.add(&name, || {
            format!(
                "{helper}{option} {name}({params}) {{\n    bool over;\n    const {c} r = {over}({pass}, &over);\n    \
                 return {maker}(!over, r);\n}}\n"
            )
        });
        format!("{name}({})", args.join(", "))
    }

    /// `Some` of a helper's result under a condition. The helpers in question are total.
    fn option_if(&mut self, some: &str, helper: &str, prim: Prim, result: TyId, args: &[String]) -> String {
        let value = self.call(helper, prim, args);
        format!("{}({some}, {value})", self.w.maker(result))
    }

    fn float_method(&mut self, m: FloatMethod, prim: Prim, result: TyId, args: &[String]) -> String {
        use FloatMethod as M;
        let s = self.w.syntax;
        let x = args.first().map_or("", String::as_str);
        let y = args.get(1).map_or("", String::as_str);
        let list = args.iter().map(|a| bare(a)).collect::<Vec<_>>().join(", ");
        let math = |name: &str| format!("{}({list})", s.math(name, prim));
        let abs = format!("{}({})", s.math("fabs", prim), bare(x));
        let lit = |v: f64| literal::float(s, prim, v);
        let single = prim == Prim::F32;
        let normal = if single { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
        match m {
            M::Abs => abs,
            M::Signum => self.call("signum_T", prim, args),
            M::Copysign => math("copysign"),
            M::Min => math("fmin"),
            M::Max => math("fmax"),
            M::Clamp => self.call("clamp_T", prim, args),
            M::MulAdd => math("fma"),
            M::Powi => self.call("powi_T", prim, args),
            M::Powf => math("pow"),
            M::Sqrt => math("sqrt"),
            M::Cbrt => math("cbrt"),
            M::Hypot => math("hypot"),
            M::Exp => math("exp"),
            M::Exp2 => math("exp2"),
            M::ExpM1 => math("expm1"),
            M::Ln => math("log"),
            M::Ln1p => math("log1p"),
            M::Log => format!("({ln}({}) / {ln}({}))", bare(x), bare(y), ln = s.math("log", prim)),
            M::Log2 => math("log2"),
            M::Log10 => math("log10"),
            M::Sin => math("sin"),
            M::Cos => math("cos"),
            M::Tan => math("tan"),
            M::Asin => math("asin"),
            M::Acos => math("acos"),
            M::Atan => math("atan"),
            M::Atan2 => math("atan2"),
            M::Sinh => math("sinh"),
            M::Cosh => math("cosh"),
            M::Tanh => math("tanh"),
            M::Asinh => math("asinh"),
            M::Acosh => math("acosh"),
            M::Atanh => math("atanh"),
            M::SinCos => {
                let maker = self.w.maker(result);
                format!("{maker}({}, {})", math("sin"), math("cos"))
            }
            M::Floor => math("floor"),
            M::Ceil => math("ceil"),
            M::Round => math("round"),
            M::RoundTiesEven => math("rint"),
            M::Trunc => math("trunc"),
            M::Fract => format!("({x} - {})", math("trunc")),
            M::DivEuclid => self.call("div_euclid_T", prim, args),
            M::RemEuclid => self.call("rem_euclid_T", prim, args),
            M::Recip => format!("({} / {x})", lit(1.0)),
            M::NextUp => self.next_float(prim, args, true),
            M::NextDown => self.next_float(prim, args, false),
            M::Midpoint => self.call("midpoint_T", prim, args),
            M::ToDegrees if single => format!("({x} * {})", lit(f64::from(57.295_78_f32))),
            M::ToDegrees => format!("({x} * {})", lit(180.0 / std::f64::consts::PI)),
            M::ToRadians if single => format!("({x} * {})", lit(f64::from(std::f32::consts::PI / 180.0))),
            M::ToRadians => format!("({x} * {})", lit(std::f64::consts::PI / 180.0)),
            M::ToBits => self.to_bits(prim, x),
            M::FromBits => from_bits(s.dialect, prim, x),
            M::IsNan => format!("({x} != {x})"),
            M::IsFinite => format!("({abs} < {})", lit(f64::INFINITY)),
            M::IsInfinite => format!("({abs} == {})", lit(f64::INFINITY)),
            M::IsNormal => format!("({abs} >= {} && {abs} < {})", lit(normal), lit(f64::INFINITY)),
            M::IsSubnormal => format!("({x} != 0 && {abs} < {})", lit(normal)),
            M::IsSignPositive => format!("({} >> {} == 0)", self.to_bits(prim, x), 8 * prim.size() - 1),
            M::IsSignNegative => format!("({} >> {} != 0)", self.to_bits(prim, x), 8 * prim.size() - 1),
        }
    }

    /// The neighbour of a float: by its bits, as devices may take the least floats for zero.
    fn next_float(&mut self, prim: Prim, args: &[String], up: bool) -> String {
        let name = format!("{}_{}", if up { "next_up" } else { "next_down" }, c_name(prim));
        let (helper, c) = (self.w.syntax.helper, c_name(prim));
        let (bits, high) = if prim == Prim::F32 { ("u32", 31) } else { ("u64", 63) };
        // From zero it goes to the least of the sign that it goes towards; towards it, past it, the bits count down.
        let (own, zero) = if up { ("+", "(W)1") } else { ("-", "(SIGN | (W)1)") };
        let other = if up { "-" } else { "+" };
        let (to, from) = (self.to_bits(prim, "x"), from_bits(self.w.syntax.dialect, prim, "next"));
        let infinity =
            literal::float(self.w.syntax, prim, if up { f64::INFINITY } else { f64::NEG_INFINITY });
        let zero = zero.replace("SIGN", "sign").replace('W', bits);
        self.w.helpers.add(&name, || {
            format!(
                "{helper}{c} {name}({c} x) {{\n    if (x != x || x == {infinity}) return x;\n    const {bits} sign = ({bits})1 << {high};\n    \
                 const {bits} bits = {to};\n    const {bits} next = (bits & ~sign) == 0 ? {zero} : (bits & sign) == 0 ? bits {own} 1 : bits {other} 1;\n    \
                 return {from};\n}}\n"
            )
        });
        let args: Vec<_> = args.iter().map(|a| bare(a)).collect();
        format!("{name}({})", args.join(", "))
    }

    /// The bits of a float as an unsigned integer.
    pub(crate) fn to_bits(&self, prim: Prim, text: &str) -> String {
        let text = bare(text);
        match (self.w.syntax.dialect, prim) {
            (Dialect::Cuda, Prim::F32) => format!("(u32)__float_as_int({text})"),
            (Dialect::Cuda, _) => format!("(u64)__double_as_longlong({text})"),
            (Dialect::OpenCl, Prim::F32) => format!("as_uint({text})"),
            (Dialect::OpenCl, _) => format!("as_ulong({text})"),
        }
    }
}

pub(crate) fn from_bits(dialect: Dialect, bits: Prim, text: &str) -> String {
    let text = bare(text);
    match (dialect, bits.size()) {
        (Dialect::Cuda, 4) => format!("__int_as_float((int)({text}))"),
        (Dialect::Cuda, _) => format!("__longlong_as_double((long long)({text}))"),
        (Dialect::OpenCl, 4) => format!("as_float({text})"),
        (Dialect::OpenCl, _) => format!("as_double({text})"),
    }
}

fn one_or_two(c: &str, args: usize) -> (String, &'static str) {
    if args == 1 { (format!("{c} a"), "a") } else { (format!("{c} a, {c} b"), "a, b") }
}

fn mode_name(mode: Overflow) -> &'static str {
    match mode {
        // A strict one that would overflow has stopped the region.
        Overflow::Wrapping | Overflow::Strict => "wrapping",
        Overflow::Saturating => "saturating",
        Overflow::Checked => "checked",
        Overflow::Overflowing => "overflowing",
    }
}

fn op_name(op: IntOp) -> &'static str {
    match op {
        IntOp::Add => "add",
        IntOp::Sub => "sub",
        IntOp::Mul => "mul",
        IntOp::Div => "div",
        IntOp::Rem => "rem",
        IntOp::DivEuclid => "div_euclid",
        IntOp::RemEuclid => "rem_euclid",
        IntOp::Neg => "neg",
        IntOp::Shl => "shl",
        IntOp::Shr => "shr",
        IntOp::Abs => "abs",
        IntOp::Pow => "pow",
        IntOp::AddSigned => "add_signed",
        IntOp::AddUnsigned => "add_unsigned",
        IntOp::SubUnsigned => "sub_unsigned",
        IntOp::SubSigned => "sub_signed",
        IntOp::SignedDiff => "signed_diff",
    }
}
