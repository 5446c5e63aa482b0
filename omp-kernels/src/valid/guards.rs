//! Checks before built-in methods that may panic: `rem_euclid(0)`, `clamp(5, 3)`, `unwrap()` of `None`, and in debug builds `pow`
//! and `abs` that overflow. After the checks the methods are total, as [`Method`] says.
//!
//! An expression has no effects, so its checks can stand before the statement that contains it. The checks of a right operand of
//! `&&` and `||` stand under an `If` of the left one.
use super::typer::constant::{Constants, float};
use omp_ir::desc::Prim;
use omp_ir::ids::{CallId, ExprId, SrcId, TyId};
use omp_ir::kernel::{Callee, Ty, TypedCode, Types};
use omp_ir::method::{CharMethod, FloatMethod, IntMethod, IntOp, Method, OptionMethod, Overflow, PartsOp};
use omp_ir::template::{BinOp, Block, CallParam, Check, Expr, Stmt, TyRef, UnOp};
use omp_ir::visit;

/// Puts the checks in.
pub(super) fn insert(code: &mut TypedCode, types: &mut Types) {
    let overflow_checks = code.overflow_checks;
    if code.methods.iter().flatten().next().is_none() {
        return;
    }
    let constants = Constants::new(&code.code);
    let block = std::mem::take(&mut code.code.block);
    let mut guards = Guards { code, types, overflow_checks, constants, out: Vec::new() };
    let block = guards.block(block);
    code.code.block = block;
}

struct Guards<'a> {
    code: &'a mut TypedCode,
    types: &'a mut Types,
    overflow_checks: bool,
    constants: Constants,
    out: Vec<Stmt>,
}

/// What goes wrong, and when.
struct Fault {
    when: ExprId,
    message: &'static str,
    args: Vec<ExprId>,
}

impl Guards<'_> {
    fn block(&mut self, block: Block) -> Block {
        let mut stmts = Vec::with_capacity(block.0.len());
        for mut stmt in block.0 {
            self.constants.pass(self.types, self.code, &stmt);
            let mut roots = Vec::new();
            visit::of_stmt(&stmt, &mut |e| roots.push(e));
            for root in roots {
                self.expr(root, &mut Vec::new());
            }
            stmts.append(&mut self.out);
            for inner in visit::blocks_of_mut(&mut stmt).into_iter().flatten() {
                *inner = self.block(std::mem::take(inner));
            }
            stmts.push(stmt);
        }
        Block(stmts)
    }

    /// Collects the guards of an expression that is evaluated when all of `path` hold.
    fn expr(&mut self, e: ExprId, path: &mut Vec<(ExprId, bool)>) {
        let node = self.code.code.exprs[e.index()].clone();
        if let Expr::Binary(op @ (BinOp::And | BinOp::Or), lhs, rhs) = node.expr {
            self.expr(lhs, path);
            path.push((lhs, op == BinOp::And));
            self.expr(rhs, path);
            path.pop();
            return;
        }
        let mut operands = Vec::new();
        visit::of_expr(&node.expr, &mut |e| operands.push(e));
        for operand in operands {
            self.expr(operand, path);
        }
        if let Expr::Call { call, args } = &node.expr
            && let Some(method) = self.code.methods[call.index()]
        {
            for fault in self.faults(method, *call, args, node.src) {
                self.guard(fault, node.src, path);
            }
        }
    }

    /// `if when { panic!(message) }`, under the path.
    fn guard(&mut self, fault: Fault, src: SrcId, path: &[(ExprId, bool)]) {
        let Fault { when, message, args } = fault;
        let check = Check::Panic { access: None, message: message.to_owned(), args };
        let mut stmt =
            Stmt::If { cond: when, then: Block(vec![Stmt::Check { check, src }]), els: Block::default() };
        for &(cond, holds) in path.iter().rev() {
            let cond = self.code.copy(cond);
            let (then, els) = if holds {
                (Block(vec![stmt]), Block::default())
            } else {
                (Block::default(), Block(vec![stmt]))
            };
            stmt = Stmt::If { cond, then, els };
        }
        self.out.push(stmt);
    }

    fn faults(&mut self, method: Method, call: CallId, args: &[ExprId], src: SrcId) -> Vec<Fault> {
        match method {
            Method::Arith(Overflow::Checked, _) => Vec::new(),
            Method::Arith(Overflow::Strict, op) => {
                let rem = matches!(op, IntOp::Rem | IntOp::RemEuclid);
                let divisor = if op.divides() { self.zero(args[1], rem, src) } else { None };
                let mut faults: Vec<_> = divisor.into_iter().collect();
                // A divisor of zero gives `None` as well, and is reported first.
                if !op.divides() || self.prim(args[0]).is_signed() {
                    let (checked, message) = strict(op);
                    faults.push(self.gives_none(checked, args, message, src));
                }
                faults
            }
            Method::Arith(_, op) if op.divides() => {
                let rem = matches!(op, IntOp::Rem | IntOp::RemEuclid);
                self.zero(args[1], rem, src).into_iter().collect()
            }
            Method::Int(m) => self.int_faults(m, args, src),
            Method::Char(m) => self.char_faults(m, args, src),
            Method::Float(FloatMethod::Clamp) => {
                let known = |e| float(self.types, self.code, e);
                if let (Some(lo), Some(hi)) = (known(args[1]), known(args[2]))
                    && lo <= hi
                {
                    return Vec::new();
                }
                let ordered = self.compare(BinOp::Le, args[1], args[2], src);
                let when = self.not(ordered, src);
                let args = vec![self.code.copy(args[1]), self.code.copy(args[2])];
                vec![Fault { when, message: "min > max, or either was NaN. min = {:?}, max = {:?}", args }]
            }
            Method::Option(OptionMethod::Unwrap) if self.code.code.calls[call.index()].name == "unwrap" => {
                let option = self.code.copy(args[0]);
                let some = self.push(Expr::IsSome(option), Prim::Bool, src);
                let when = self.not(some, src);
                let message = match self.types.get(self.code.expr_ty[args[0].index()]) {
                    Ty::Data(..) => "called `Result::unwrap()` on an `Err` value",
                    _ => "called `Option::unwrap()` on a `None` value",
                };
                vec![fault(when, message)]
            }
            Method::Clamp => {
                let bool = self.types.intern(Ty::Prim(Prim::Bool));
                let when = self.call("lt", Method::Parts(PartsOp::Lt), &[args[2], args[1]], bool, src);
                vec![fault(when, "assertion failed: min <= max")]
            }
            Method::Arith(..)
            | Method::Float(_)
            | Method::Option(_)
            | Method::Byte(_)
            | Method::Slice(_)
            | Method::Convert
            | Method::Clone
            | Method::ToArray
            | Method::Part(_)
            | Method::OfPart
            | Method::Parts(_)
            | Method::Extreme(_)
            | Method::Order(_)
            | Method::TotalCompare
            | Method::ToBytes { .. }
            | Method::FromBytes { .. }
            | Method::Compare { .. } => Vec::new(),
        }
    }

    fn int_faults(&mut self, m: IntMethod, args: &[ExprId], src: SrcId) -> Vec<Fault> {
        match m {
            IntMethod::DivEuclid | IntMethod::RemEuclid => {
                let rem = m == IntMethod::RemEuclid;
                let mut faults: Vec<_> = self.zero(args[1], rem, src).into_iter().collect();
                faults.extend(self.quotient_overflow(args[0], args[1], rem, src));
                faults
            }
            IntMethod::DivCeil => self.zero(args[1], false, src).into_iter().collect(),
            IntMethod::NextMultipleOf => {
                let mut faults: Vec<_> = self.zero(args[1], true, src).into_iter().collect();
                faults.extend(self.none(
                    "checked_next_multiple_of",
                    args,
                    "attempt to add with overflow",
                    src,
                ));
                faults
            }
            IntMethod::NextPowerOfTwo => {
                self.none("checked_next_power_of_two", args, "attempt to add with overflow", src)
            }
            IntMethod::Pow => self.none("checked_pow", args, "attempt to multiply with overflow", src),
            IntMethod::Abs => self.none("checked_abs", args, "attempt to negate with overflow", src),
            IntMethod::Clamp => {
                let known = |e| self.constants.int(self.types, self.code, e);
                if let (Some(lo), Some(hi)) = (known(args[1]), known(args[2]))
                    && lo <= hi
                {
                    return Vec::new();
                }
                let when = self.compare(BinOp::Gt, args[1], args[2], src);
                let args = vec![self.code.copy(args[1]), self.code.copy(args[2])];
                vec![Fault { when, message: "min > max. min = {:?}, max = {:?}", args }]
            }
            IntMethod::Isqrt => {
                if self.prim(args[0]).is_signed() {
                    let when = self.compare_with(BinOp::Lt, args[0], 0, src);
                    vec![fault(when, "argument of integer square root cannot be negative")]
                } else {
                    Vec::new()
                }
            }
            IntMethod::Ilog2 | IntMethod::Ilog10 => vec![self.not_positive(args[0], src)],
            IntMethod::Ilog => {
                let when = self.compare_with(BinOp::Lt, args[1], 2, src);
                vec![
                    fault(when, "base of integer logarithm must be at least 2"),
                    self.not_positive(args[0], src),
                ]
            }
            _ => Vec::new(),
        }
    }

    fn char_faults(&mut self, m: CharMethod, args: &[ExprId], src: SrcId) -> Vec<Fault> {
        let Some(&radix) = args.get(1) else { return Vec::new() };
        if self.constants.int(self.types, self.code, radix).is_some_and(|v| (2..=36).contains(&v)) {
            return Vec::new();
        }
        let high = self.compare_with(BinOp::Gt, radix, 36, src);
        if m == CharMethod::FromDigit {
            return vec![fault(high, "from_digit: radix is too high (maximum 36)")];
        }
        let low = self.compare_with(BinOp::Lt, radix, 2, src);
        let when = self.push(Expr::Binary(BinOp::Or, low, high), Prim::Bool, src);
        vec![fault(when, "to_digit: invalid radix -- radix must be in the range 2 to 36 inclusive")]
    }

    fn not_positive(&mut self, value: ExprId, src: SrcId) -> Fault {
        let when = self.compare_with(BinOp::Le, value, 0, src);
        fault(when, "argument of integer logarithm must be positive")
    }

    /// The divisor is zero.
    fn zero(&mut self, divisor: ExprId, rem: bool, src: SrcId) -> Option<Fault> {
        if self.constants.int(self.types, self.code, divisor).is_some_and(|v| v != 0) {
            return None;
        }
        let when = self.compare_with(BinOp::Eq, divisor, 0, src);
        Some(fault(
            when,
            if rem {
                "attempt to calculate the remainder with a divisor of zero"
            } else {
                "attempt to divide by zero"
            },
        ))
    }

    /// `MIN / -1`.
    fn quotient_overflow(&mut self, lhs: ExprId, rhs: ExprId, rem: bool, src: SrcId) -> Option<Fault> {
        let (min, _) = self.prim(lhs).int_range()?;
        if min == 0 || self.constants.int(self.types, self.code, rhs).is_some_and(|v| v != -1) {
            return None;
        }
        let least = self.compare_with(BinOp::Eq, lhs, min, src);
        let minus = self.compare_with(BinOp::Eq, rhs, -1, src);
        let when = self.push(Expr::Binary(BinOp::And, least, minus), Prim::Bool, src);
        Some(fault(
            when,
            if rem {
                "attempt to calculate the remainder with overflow"
            } else {
                "attempt to divide with overflow"
            },
        ))
    }

    /// In a debug build: the checked form of the method gives `None`.
    fn none(&mut self, checked: &str, args: &[ExprId], message: &'static str, src: SrcId) -> Vec<Fault> {
        if !self.overflow_checks {
            return Vec::new();
        }
        vec![self.gives_none(checked, args, message, src)]
    }

    /// The checked form of the method gives `None`.
    fn gives_none(&mut self, checked: &str, args: &[ExprId], message: &'static str, src: SrcId) -> Fault {
        let recv = self.code.expr_ty[args[0].index()];
        let method = Method::parse(checked, self.types.get(recv), args.len()).expect("integers have it");
        let option = self.types.intern(Ty::Option(recv));
        let value = self.call(checked, method, args, option, src);
        let some = self.push(Expr::IsSome(value), Prim::Bool, src);
        fault(self.not(some, src), message)
    }

    /// A call of a method, of copies of these.
    fn call(&mut self, name: &str, method: Method, args: &[ExprId], ret: TyId, src: SrcId) -> ExprId {
        let call = CallId::new(self.code.code.calls.len());
        self.code.code.calls.push(CallParam { name: name.to_owned(), method: true, ret: None });
        self.code.calls.push(Callee::Builtin);
        self.code.methods.push(Some(method));
        let args = args.iter().map(|&a| self.code.copy(a)).collect();
        self.code.push(Expr::Call { call, args }, ret, src)
    }

    fn prim(&self, e: ExprId) -> Prim {
        self.types.prim(self.code.expr_ty[e.index()]).expect("a method of a number")
    }

    fn not(&mut self, e: ExprId, src: SrcId) -> ExprId {
        self.push(Expr::Unary(UnOp::Not, e), Prim::Bool, src)
    }

    fn compare(&mut self, op: BinOp, lhs: ExprId, rhs: ExprId, src: SrcId) -> ExprId {
        let (lhs, rhs) = (self.code.copy(lhs), self.code.copy(rhs));
        self.push(Expr::Binary(op, lhs, rhs), Prim::Bool, src)
    }

    fn compare_with(&mut self, op: BinOp, lhs: ExprId, rhs: i128, src: SrcId) -> ExprId {
        let prim = self.prim(lhs);
        let literal = Expr::Int { value: rhs.unsigned_abs(), negative: rhs < 0, ty: TyRef::Prim(prim) };
        let rhs = self.push(literal, prim, src);
        let lhs = self.code.copy(lhs);
        self.push(Expr::Binary(op, lhs, rhs), Prim::Bool, src)
    }

    fn push(&mut self, expr: Expr, prim: Prim, src: SrcId) -> ExprId {
        let ty = self.types.intern(Ty::Prim(prim));
        self.code.push(expr, ty, src)
    }
}

/// The checked form of a strict operation, and what the host says where it overflows.
fn strict(op: IntOp) -> (&'static str, &'static str) {
    const ADD: &str = "attempt to add with overflow";
    const SUB: &str = "attempt to subtract with overflow";
    const MUL: &str = "attempt to multiply with overflow";
    const DIV: &str = "attempt to divide with overflow";
    const REM: &str = "attempt to calculate the remainder with overflow";
    const NEG: &str = "attempt to negate with overflow";
    match op {
        IntOp::Add => ("checked_add", ADD),
        IntOp::AddSigned => ("checked_add_signed", ADD),
        IntOp::AddUnsigned => ("checked_add_unsigned", ADD),
        IntOp::Sub => ("checked_sub", SUB),
        IntOp::SubSigned => ("checked_sub_signed", SUB),
        IntOp::SubUnsigned => ("checked_sub_unsigned", SUB),
        IntOp::SignedDiff => ("checked_signed_diff", SUB),
        IntOp::Mul => ("checked_mul", MUL),
        IntOp::Pow => ("checked_pow", MUL),
        IntOp::Div => ("checked_div", DIV),
        IntOp::DivEuclid => ("checked_div_euclid", DIV),
        IntOp::Rem => ("checked_rem", REM),
        IntOp::RemEuclid => ("checked_rem_euclid", REM),
        IntOp::Neg => ("checked_neg", NEG),
        IntOp::Abs => ("checked_abs", NEG),
        IntOp::Shl => ("checked_shl", "attempt to shift left with overflow"),
        IntOp::Shr => ("checked_shr", "attempt to shift right with overflow"),
    }
}

fn fault(when: ExprId, message: &'static str) -> Fault {
    Fault { when, message, args: Vec::new() }
}
