//! Methods that give or take a [`std::cmp::Ordering`], which is its discriminant; numbers as bytes.
use super::method::from_bits;
use crate::back::c::body::Body;
use crate::back::c::helpers::c_name;
use omp_ir::desc::Prim;
use omp_ir::ids::{ExprId, TyId};
use omp_ir::kernel::Ty;
use omp_ir::method::{ExtremeOp, OrderMethod, PartsOp};

impl Body<'_, '_> {
    /// `cmp` and `partial_cmp`: an `Ordering` is its discriminant.
    pub(super) fn compare(&mut self, partial: bool, result: TyId, a: ExprId, b: ExprId) -> String {
        let ty = self.ty(a);
        let (operand, order) = (self.w.value_type(ty), self.w.memory_type(result));
        let name = format!("compare_{operand}_{order}");
        let helper = self.w.syntax.helper;
        let (less, greater, has) = match self.w.types.get(ty) {
            Ty::Struct(..) | Ty::Array(..) | Ty::Option(_) => {
                let (lt, eq) = (self.compares(PartsOp::Lt, ty), self.compares(PartsOp::Eq, ty));
                let (less, greater) = (format!("{lt}(a, b)"), format!("{lt}(b, a)"));
                let has = format!("value != 0 || {eq}(a, b)");
                (less, greater, has)
            }
            Ty::Unit | Ty::Never | Ty::Prim(_) | Ty::Enum(_) | Ty::Data(..) | Ty::Slice(_) => {
                ("(a < b)".to_owned(), "(a > b)".to_owned(), "a == a && b == b".to_owned())
            }
        };
        let body = if partial {
            let maker = self.w.maker(result);
            format!("const i8 value = (i8)({greater} - {less});\n    return {maker}({has}, value);")
        } else {
            format!("return ({order})({greater} - {less});")
        };
        let text = format!("{helper}{order} {name}({operand} a, {operand} b) {{\n    {body}\n}}\n");
        self.w.helpers.add(&name, || text);
        format!("{name}({}, {})", self.bare(a), self.bare(b))
    }

    /// The greater or the lesser; of equal ones `max` gives the second, `min` the first.
    pub(super) fn extreme(&mut self, op: ExtremeOp, result: TyId, a: ExprId, b: ExprId) -> String {
        let (lt, c, helper) =
            (self.compares(PartsOp::Lt, result), self.w.value_type(result), self.w.syntax.helper);
        let (word, value) = match op {
            ExtremeOp::Max => ("greater", "a : b"),
            ExtremeOp::Min => ("lesser", "b : a"),
        };
        let name = format!("{word}_{c}");
        let text = format!("{helper}{c} {name}({c} a, {c} b) {{\n    return {lt}(b, a) ? {value};\n}}\n");
        self.w.helpers.add(&name, || text);
        format!("{name}({}, {})", self.bare(a), self.bare(b))
    }

    /// `clamp` of what has no arithmetic; the ends are in order.
    pub(super) fn clamp(&mut self, result: TyId, args: &[ExprId]) -> String {
        let (lt, c, helper) =
            (self.compares(PartsOp::Lt, result), self.w.value_type(result), self.w.syntax.helper);
        let name = format!("clamped_{c}");
        let text = format!(
            "{helper}{c} {name}({c} a, {c} low, {c} high) {{\n    \
             return {lt}(a, low) ? low : {lt}(high, a) ? high : a;\n}}\n"
        );
        self.w.helpers.add(&name, || text);
        format!("{name}({}, {}, {})", self.bare(args[0]), self.bare(args[1]), self.bare(args[2]))
    }

    /// `total_cmp`: the bits are a signed number, once those of a negative float are turned round.
    pub(super) fn total_compare(&mut self, result: TyId, a: ExprId, b: ExprId) -> String {
        let (order, helper) = (self.w.memory_type(result), self.w.syntax.helper);
        let Some(prim) = self.w.types.prim(self.ty(a)) else { return self.nothing() };
        let (own, bits) = (c_name(prim), prim.unsigned());
        let (i, u) = (c_name(bits.signed()), c_name(bits));
        let (a_bits, b_bits) = (self.to_bits(prim, "a"), self.to_bits(prim, "b"));
        let shift = 8 * prim.size() - 1;
        let name = format!("total_compare_{own}_{order}");
        self.w.helpers.add(&name, || {
            format!(
                "{helper}{order} {name}({own} a, {own} b) {{\n    {i} x = ({i})({a_bits});\n    {i} y = ({i})({b_bits});\n    \
                 x ^= ({i})(({u})(x >> {shift}) >> 1);\n    y ^= ({i})(({u})(y >> {shift}) >> 1);\n    \
                 return ({order})((x > y) - (x < y));\n}}\n"
            )
        });
        format!("{name}({}, {})", self.bare(a), self.bare(b))
    }

    pub(super) fn order_method(&mut self, m: OrderMethod, result: TyId, args: &[ExprId]) -> String {
        let first = self.expr(args[0]);
        let symbol = match m {
            OrderMethod::IsEq => "==",
            OrderMethod::IsNe => "!=",
            OrderMethod::IsLt => "<",
            OrderMethod::IsLe => "<=",
            OrderMethod::IsGt => ">",
            OrderMethod::IsGe => ">=",
            OrderMethod::Reverse => return format!("({})-{first}", self.w.value_type(result)),
            OrderMethod::Then => {
                let (order, helper) = (self.w.value_type(result), self.w.syntax.helper);
                let name = format!("then_{order}");
                self.w.helpers.add(&name, || {
                    format!(
                        "{helper}{order} {name}({order} a, {order} b) {{\n    return a == 0 ? b : a;\n}}\n"
                    )
                });
                return format!("{name}({}, {})", self.bare(args[0]), self.bare(args[1]));
            }
        };
        format!("({first} {symbol} 0)")
    }

    /// The bytes of a number.
    pub(super) fn bytes_of(&mut self, big: bool, result: TyId, number: ExprId) -> String {
        let Some(prim) = self.w.types.prim(self.ty(number)) else { return self.nothing() };
        let (array, own, u) = (self.w.value_type(result), c_name(prim), c_name(prim.unsigned()));
        let (helper, size) = (self.w.syntax.helper, prim.size());
        let name = format!("bytes_{}_of_{own}", if big { "be" } else { "le" });
        let bits = if prim.is_float() { self.to_bits(prim, "a") } else { "a".to_owned() };
        let at = if big { format!("{}u - i", size - 1) } else { "i".to_owned() };
        self.w.helpers.add(&name, || {
            format!(
                "{helper}{array} {name}({own} a) {{\n    {array} r;\n    {u} v = ({u})({bits});\n    \
                 for (u32 i = 0; i < {size}u; i++) r.v[{at}] = (u8)(v >> 8u * i);\n    return r;\n}}\n"
            )
        });
        format!("{name}({})", self.bare(number))
    }

    /// The number of these bytes.
    pub(super) fn number_of(&mut self, big: bool, result: TyId, bytes: ExprId) -> String {
        let Some(prim) = self.w.types.prim(result) else { return self.nothing() };
        let (array, own) = (self.w.value_type(self.ty(bytes)), c_name(prim));
        let (helper, size) = (self.w.syntax.helper, prim.size());
        let name = format!("{own}_of_{}_bytes", if big { "be" } else { "le" });
        let at = if big { format!("{}u - i", size - 1) } else { "i".to_owned() };
        let bits = prim.unsigned();
        let word = c_name(if prim == Prim::U128 { prim } else { Prim::U64 });
        let value = if prim.is_float() {
            from_bits(self.w.syntax.dialect, bits, &format!("({})v", c_name(bits)))
        } else {
            format!("({own})v")
        };
        self.w.helpers.add(&name, || {
            format!(
                "{helper}{own} {name}({array} a) {{\n    {word} v = 0;\n    \
                 for (u32 i = 0; i < {size}u; i++) v |= ({word})a.v[{at}] << 8u * i;\n    return {value};\n}}\n"
            )
        });
        format!("{name}({})", self.bare(bytes))
    }
}
