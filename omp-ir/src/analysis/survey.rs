//! The survey: all that a body does to memory. It lists loops, conditions, every access of a mapped array, and every bounds
//! check. One traversal ([`super::walk`]) makes it, with or without types; races, bounds and the launch plan read it.
use super::form::{Arith, Forms, NodeId, Op, VarId};
use crate::desc::{EnumDesc, Prim};
use crate::ids::{AccessId, ArrayId, CallId, ConstId, ExprId, FnId, LocalId, ScalarId, SrcId, TyId};
use crate::kernel::{Callee, Kernel, Ty, TypedCode};
use crate::method::Method;
use crate::template::{Base, Code, FnTemplate, Level, Place, Projection};

/// A place in the tree of loops and conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CtxId(pub u32);

impl CtxId {
    /// Inside all parallel loops, outside everything else.
    pub(crate) const ROOT: Self = Self(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a context: what it adds to the context around it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CtxKind {
    /// The body of the parallel loops.
    Root,
    /// The body of a sequential counted loop. `cut`: something in it may end it early.
    Loop { var: VarId, cut: bool },
    /// Reached when `cond` is `holds`. `asserted`: otherwise the region fails.
    Cond { cond: NodeId, holds: bool, asserted: bool },
    /// Reached under circumstances that are not understood.
    Opaque { reason: String },
}

/// A node of the tree.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ctx {
    pub parent: CtxId,
    pub kind: CtxKind,
}

/// An adaptor of a range, understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Adapt {
    Rev,
    By(NodeId),
}

/// A counted loop, or the range that a slice covers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LoopVar {
    pub name: String,
    pub ty: Option<Prim>,
    pub lo: NodeId,
    pub hi: NodeId,
    pub inclusive: bool,
    pub adaptors: Vec<Adapt>,
    /// The variable of a loop of the region's body: of a parallel dimension, or of a sequential `for`. Ranges of slices and loops of
    /// functions have none.
    pub local: Option<LocalId>,
}

/// A step from an array towards what is touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    Index(NodeId),
    /// A field; the number is that of its name.
    Field(u32),
}

/// A touch of a mapped array.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Touch {
    pub array: ArrayId,
    /// The first subscript, if it has one.
    pub access: Option<AccessId>,
    pub path: Vec<Step>,
    pub write: bool,
    pub read: bool,
    pub ctx: CtxId,
    pub src: SrcId,
    /// What is touched is at most this; why it may be less.
    pub at_most: Option<String>,
    /// It can't be torn apart by other atomic accesses.
    pub atomic: bool,
    /// One of several places that data chooses among.
    pub chosen: bool,
    /// The first iteration alone does, for what a scan starts from: the iteration before it is none of the loop's.
    pub first: bool,
    /// The place is in this slice of the array, which is declared around an inner nest: subscripts count from the slice's start.
    pub part: Option<LocalId>,
}

/// What is subscripted, for its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    Array(ArrayId),
    Known(NodeId),
    Unknown,
}

/// With what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subscript {
    At(NodeId),
    Range(NodeId, NodeId),
    /// No subscript: what divides.
    Divisor {
        of: Option<NodeId>,
        by: NodeId,
    },
    /// No subscript: what should not be reached.
    Nowhere,
}

/// A check that a subscript is in bounds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BoundCheck {
    pub access: AccessId,
    pub subscript: Subscript,
    pub limit: Limit,
    pub ctx: CtxId,
}

/// An operator on integers that fails where it overflows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Checked {
    pub expr: ExprId,
    pub op: Arith,
    pub a: NodeId,
    pub b: NodeId,
    pub ty: Prim,
    pub ctx: CtxId,
}

/// An integer of 64 bits that a kernel may compute in 32 where a launch knows its range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Computed {
    pub expr: ExprId,
    pub value: NodeId,
    pub ctx: CtxId,
}

/// The condition of an `if` of the region's own body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Branch {
    pub expr: ExprId,
    pub cond: NodeId,
    pub ctx: CtxId,
}

/// An inner nest whose iterations run at the same time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct InnerNest {
    pub level: Level,
    /// Its loops.
    pub vars: Vec<VarId>,
    /// The sequential loops around the nest: its iterations conflict only within one iteration of these.
    pub around: Vec<VarId>,
    /// The body of its innermost loop.
    pub ctx: CtxId,
    /// The arrays through which its iterations are not compared.
    pub reduces: Vec<ArrayId>,
    /// The slices that are declared around it.
    pub slices: Vec<LocalId>,
    /// Of the directive.
    pub src: SrcId,
}

/// The result of the traversal.
#[derive(Debug, Clone, Default)]
pub(crate) struct Survey {
    pub forms: Forms,
    /// How many of `vars` are parallel dimensions (they come first).
    pub dims: usize,
    pub vars: Vec<LoopVar>,
    /// By variable: its node, if anything names it.
    pub var_nodes: Vec<Option<NodeId>>,
    pub ctxs: Vec<Ctx>,
    /// Those of slices that are declared around inner nests come last: for the nests alone.
    pub touches: Vec<Touch>,
    pub checks: Vec<BoundCheck>,
    /// Operators on numbers that the code checks for overflow.
    pub checked: Vec<Checked>,
    pub branches: Vec<Branch>,
    /// Of 64 bits: what divisions and comparisons are of, and the values of variables that are made of such.
    pub computed: Vec<Computed>,
    pub inners: Vec<InnerNest>,
    pub fields: Vec<String>,
    /// The numbers of captured structs that something names: scalars after those of the template.
    pub parts: Vec<ScalarPart>,
}

impl Survey {
    pub(crate) fn ctx(&self, id: CtxId) -> &Ctx {
        &self.ctxs[id.index()]
    }

    /// The touches of arrays, without those of slices that are declared around inner nests.
    pub(crate) fn of_arrays(&self) -> &[Touch] {
        let end = self.touches.iter().position(|t| t.part.is_some());
        &self.touches[..end.unwrap_or(self.touches.len())]
    }

    /// Whether iterations of an inner nest, or of the region, are compared by these two touches: they are of one array, or of one slice
    /// that the nest's iterations share.
    pub(crate) fn are_compared(nest: Option<&InnerNest>, a: &Touch, b: &Touch) -> bool {
        let shared = |slice: LocalId| nest.is_some_and(|nest| nest.slices.contains(&slice));
        a.array == b.array && a.part == b.part && a.part.is_none_or(shared)
    }

    /// From the root down to `id`, the root left out.
    pub(crate) fn chain(&self, id: CtxId) -> Vec<CtxId> {
        let mut chain = Vec::new();
        let mut at = id;
        while at != CtxId::ROOT {
            chain.push(at);
            at = self.ctx(at).parent;
        }
        chain.reverse();
        chain
    }

    /// The sequential loops around a place, outermost first.
    pub(crate) fn loops_around(&self, id: CtxId) -> Vec<VarId> {
        let var = |c: CtxId| match self.ctx(c).kind {
            CtxKind::Loop { var, cut: _ } => Some(var),
            CtxKind::Root | CtxKind::Cond { .. } | CtxKind::Opaque { .. } => None,
        };
        self.chain(id).into_iter().filter_map(var).collect()
    }

    /// The innermost context around a place, or its own, that is more than a condition of which nothing is known; and whether
    /// it is reached under such conditions as well.
    pub(crate) fn decisive(&self, id: CtxId) -> (CtxId, bool) {
        let mute = |at: CtxId| match self.ctx(at).kind {
            CtxKind::Root | CtxKind::Loop { .. } => false,
            CtxKind::Cond { cond, .. } => self.is_mute(cond),
            CtxKind::Opaque { .. } => true,
        };
        let chain = self.chain(id);
        let decisive = chain.iter().rev().find(|at| !mute(**at)).copied().unwrap_or(CtxId::ROOT);
        (decisive, chain.into_iter().any(mute))
    }

    /// Whether nothing is ever known of a condition, whatever the numbers: it compares floats, or is loaded.
    fn is_mute(&self, cond: NodeId) -> bool {
        let mut comparisons = Vec::new();
        self.forms.comparisons(cond, &mut comparisons);
        let opaque = |n: NodeId| matches!(self.forms.get(n).op, Op::Opaque(_));
        comparisons.into_iter().all(|c| match self.forms.get(c).op {
            Op::Rel(_, l, r) => opaque(l) && opaque(r) && self.forms.is_float(l) && self.forms.is_float(r),
            _ => opaque(c),
        })
    }

    /// Whether the first place is the second, or inside of it.
    pub(crate) fn is_inside(&self, id: CtxId, of: CtxId) -> bool {
        let mut at = id;
        while at != of && at != CtxId::ROOT {
            at = self.ctx(at).parent;
        }
        at == of
    }

    /// Whether a place is in an inner nest.
    pub(crate) fn is_in(&self, id: CtxId, nest: &InnerNest) -> bool {
        self.is_inside(id, nest.ctx)
    }

    /// Reached in every iteration of the loops around it, unless the region fails.
    pub(crate) fn unconditional(&self, id: CtxId) -> bool {
        self.chain(id).iter().all(|c| match &self.ctx(*c).kind {
            CtxKind::Root => true,
            CtxKind::Loop { cut, .. } => !cut,
            CtxKind::Cond { asserted, .. } => *asserted,
            CtxKind::Opaque { .. } => false,
        })
    }

    /// Calls `f` on every node that the value of `id` depends on, through the bounds of loops too.
    pub(crate) fn depends(&self, id: NodeId, f: &mut impl FnMut(NodeId, super::form::Node)) {
        let mut vars = Vec::new();
        self.forms.visit(id, &mut |n, node| {
            if let Op::Var(v) = node.op {
                vars.push(v);
            }
            f(n, node);
        });
        for v in vars {
            let var = &self.vars[v.index()];
            // Bounds name outer variables only, so this ends.
            self.depends(var.lo, f);
            self.depends(var.hi, f);
        }
    }
}

/// What is known of an expression's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// Macro time: the types are not known yet.
    NotYet,
    Prim(Prim),
    /// No number.
    Other,
}

/// A part of a captured struct, or of a const that is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    /// A scalar or const.
    pub of: Base,
    /// Where it starts, in bytes.
    pub at: usize,
    pub ty: TyId,
}

/// A part that is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PartNumber {
    Const(i128, Prim),
    /// A captured one.
    Captured(ScalarPart),
}

/// An integer or truth value in a captured struct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScalarPart {
    /// The struct.
    pub scalar: ScalarId,
    /// Where the number starts, in bytes.
    pub at: usize,
    /// Its type.
    pub prim: Prim,
}

/// A device function, to be executed symbolically.
pub(crate) struct Function<'a, O> {
    pub id: FnId,
    pub params: &'a [LocalId],
    pub code: &'a Code,
    /// Answers about its body.
    pub oracle: O,
}

/// Answers about one body's types; macro time has none.
pub(crate) trait Oracle<'a>: Copy {
    fn typed(&self) -> bool;
    /// Whether operators on integers fail where they overflow.
    fn checks_overflow(&self) -> bool;
    fn expr(&self, e: ExprId) -> Known;
    fn local(&self, l: LocalId) -> Known;
    fn scalar(&self, s: ScalarId) -> Known;
    fn konst(&self, c: ConstId) -> Option<(i128, Prim)>;
    fn builtin(&self, call: CallId) -> bool;
    /// The device function of a call, if its body is available.
    fn function(&self, call: CallId) -> Option<Function<'a, Self>>;
    /// The built-in method of a call; of some type of integers where types are not known.
    fn method(&self, call: CallId, name: &str, args: usize) -> Option<Method>;
    /// A captured value or a const that is a struct or a fixed array, as a whole.
    fn whole(&self, base: Base) -> Option<Part>;
    /// A field of a part.
    fn field(&self, part: Part, name: &str) -> Option<Part>;
    /// What a part is, if it is an integer or truth value.
    fn number(&self, part: Part) -> Option<PartNumber>;
    /// The length of a place that is a fixed array.
    fn fixed_len(&self, place: &Place) -> Option<u64>;
}

/// The device functions whose bodies macro time sees: those of the region's item.
#[derive(Debug, Default)]
pub struct Functions {
    /// By call of the region's body; shorter if no further ones are seen.
    pub calls: Vec<Option<FnId>>,
    /// Each with the same of its own calls.
    pub bodies: Vec<(FnTemplate, Vec<Option<FnId>>)>,
}

/// Macro time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Untyped<'a> {
    calls: &'a [Option<FnId>],
    bodies: &'a [(FnTemplate, Vec<Option<FnId>>)],
}

impl<'a> Untyped<'a> {
    /// A region among these functions.
    pub(crate) fn among(functions: &'a Functions) -> Self {
        Self { calls: &functions.calls, bodies: &functions.bodies }
    }
}

impl<'a> Oracle<'a> for Untyped<'a> {
    fn typed(&self) -> bool {
        false
    }
    fn checks_overflow(&self) -> bool {
        false
    }
    fn expr(&self, _: ExprId) -> Known {
        Known::NotYet
    }
    fn local(&self, _: LocalId) -> Known {
        Known::NotYet
    }
    fn scalar(&self, _: ScalarId) -> Known {
        Known::NotYet
    }
    fn konst(&self, _: ConstId) -> Option<(i128, Prim)> {
        None
    }
    fn builtin(&self, _: CallId) -> bool {
        true
    }
    fn function(&self, call: CallId) -> Option<Function<'a, Self>> {
        let id = (*self.calls.get(call.index())?)?;
        let (f, calls) = self.bodies.get(id.index())?;
        Some(Function { id, params: &f.params, code: &f.code, oracle: Self { calls, ..*self } })
    }
    fn method(&self, _: CallId, name: &str, args: usize) -> Option<Method> {
        [Prim::Usize, Prim::Isize].into_iter().find_map(|ty| Method::parse(name, &Ty::Prim(ty), args))
    }
    fn whole(&self, _: Base) -> Option<Part> {
        None
    }
    fn field(&self, _: Part, _: &str) -> Option<Part> {
        None
    }
    fn number(&self, _: Part) -> Option<PartNumber> {
        None
    }
    fn fixed_len(&self, _: &Place) -> Option<u64> {
        None
    }
}

/// A body of a typed kernel: the region's or a device function's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Typed<'a> {
    kernel: &'a Kernel,
    body: &'a TypedCode,
}

impl<'a> Typed<'a> {
    /// The region's body.
    pub(crate) fn region(kernel: &'a Kernel) -> Self {
        Self { kernel, body: &kernel.body }
    }

    fn known(&self, ty: Option<&TyId>) -> Known {
        ty.and_then(|t| self.kernel.types.prim(*t)).map_or(Known::Other, Known::Prim)
    }

    /// The type of a place.
    fn place(&self, place: &Place) -> Option<TyId> {
        let (k, body) = (self.kernel, self.body);
        let mut projections = place.projections.iter();
        let mut ty = match place.base {
            Base::Local(l) => *body.local_ty.get(l.index())?,
            Base::Scalar(s) => *k.scalar_ty.get(s.index())?,
            Base::Const(c) => *body.const_ty.get(c.index())?,
            Base::Array(a) => {
                projections.next()?; // a mapped array itself has no type of its own
                *k.array_ty.get(a.index())?
            }
        };
        for p in projections {
            ty = match (p, k.types.get(ty)) {
                (Projection::Index { .. }, Ty::Array(elem, _) | Ty::Slice(elem)) => *elem,
                (Projection::Field(name), Ty::Struct(desc, types)) => types[desc.position(name)?],
                (Projection::Payload, Ty::Option(t)) => *t,
                (Projection::Index { .. } | Projection::Field(_) | Projection::Payload, _) => return None,
            };
        }
        Some(ty)
    }
}

impl<'a> Oracle<'a> for Typed<'a> {
    fn typed(&self) -> bool {
        true
    }
    fn checks_overflow(&self) -> bool {
        self.body.overflow_checks
    }
    fn expr(&self, e: ExprId) -> Known {
        self.known(self.body.expr_ty.get(e.index()))
    }
    fn local(&self, l: LocalId) -> Known {
        self.known(self.body.local_ty.get(l.index()))
    }
    fn scalar(&self, s: ScalarId) -> Known {
        self.known(self.kernel.scalar_ty.get(s.index()))
    }
    fn konst(&self, c: ConstId) -> Option<(i128, Prim)> {
        let prim = self.kernel.types.prim(*self.body.const_ty.get(c.index())?)?;
        Some((integer(&self.body.consts.get(c.index())?.bytes, prim)?, prim))
    }
    fn builtin(&self, call: CallId) -> bool {
        self.body.calls.get(call.index()) == Some(&Callee::Builtin)
    }
    fn function(&self, call: CallId) -> Option<Function<'a, Self>> {
        let Callee::Fn(id) = *self.body.calls.get(call.index())? else { return None };
        let f = self.kernel.fns.get(id.index())?;
        let oracle = Self { kernel: self.kernel, body: &f.body };
        Some(Function { id, params: &f.template.params, code: &f.body.code, oracle })
    }
    fn method(&self, call: CallId, _: &str, _: usize) -> Option<Method> {
        self.body.methods.get(call.index()).copied().flatten()
    }
    fn whole(&self, of: Base) -> Option<Part> {
        let ty = match of {
            Base::Scalar(s) => *self.kernel.scalar_ty.get(s.index())?,
            Base::Const(c) => *self.body.const_ty.get(c.index())?,
            Base::Local(_) | Base::Array(_) => return None,
        };
        matches!(self.kernel.types.get(ty), Ty::Struct(..) | Ty::Enum(_) | Ty::Array(..)).then_some(Part {
            of,
            at: 0,
            ty,
        })
    }
    fn field(&self, part: Part, name: &str) -> Option<Part> {
        let types = &self.kernel.types;
        match types.get(part.ty) {
            Ty::Struct(desc, fields) => {
                let k = desc.position(name)?;
                Some(Part { at: part.at + desc.fields[k].offset, ty: fields[k], ..part })
            }
            Ty::Array(elem, n) => {
                let k = name.parse::<u64>().ok().filter(|k| k < n)?;
                let at = part.at + usize::try_from(k * types.size(*elem)?).ok()?;
                Some(Part { at, ty: *elem, ..part })
            }
            _ => None,
        }
    }
    fn number(&self, part: Part) -> Option<PartNumber> {
        let prim = match self.kernel.types.get(part.ty) {
            Ty::Enum(desc) => as_number(desc)?,
            _ => self.kernel.types.prim(part.ty).filter(|p| !p.is_float())?,
        };
        Some(match part.of {
            Base::Scalar(scalar) => PartNumber::Captured(ScalarPart { scalar, at: part.at, prim }),
            Base::Const(c) => {
                let bytes = &self.body.consts.get(c.index())?.bytes;
                PartNumber::Const(integer(bytes.get(part.at..part.at + prim.size())?, prim)?, prim)
            }
            Base::Local(_) | Base::Array(_) => return None,
        })
    }
    fn fixed_len(&self, place: &Place) -> Option<u64> {
        match self.kernel.types.get(self.place(place)?) {
            Ty::Array(_, n) => Some(*n),
            _ => None,
        }
    }
}

/// The integer whose bits are those of an enum's variants, if these are their discriminants.
fn as_number(desc: &EnumDesc) -> Option<Prim> {
    let same = desc.variants.iter().all(|(_, number, bits)| *number == i128::from(*bits));
    let prim = match desc.size {
        1 => Prim::U8,
        2 => Prim::U16,
        4 => Prim::U32,
        8 => Prim::U64,
        _ => return None,
    };
    same.then_some(prim)
}

/// The integer, `bool` or `char` in the bytes of a const.
fn integer(bytes: &[u8], prim: Prim) -> Option<i128> {
    Some(match prim {
        Prim::Bool | Prim::U8 => u8::from_ne_bytes(bytes.try_into().ok()?).into(),
        Prim::I8 => i8::from_ne_bytes(bytes.try_into().ok()?).into(),
        Prim::I16 => i16::from_ne_bytes(bytes.try_into().ok()?).into(),
        Prim::U16 => u16::from_ne_bytes(bytes.try_into().ok()?).into(),
        Prim::I32 => i32::from_ne_bytes(bytes.try_into().ok()?).into(),
        Prim::U32 | Prim::Char => u32::from_ne_bytes(bytes.try_into().ok()?).into(),
        Prim::I64 | Prim::Isize => i64::from_ne_bytes(bytes.try_into().ok()?).into(),
        Prim::U64 | Prim::Usize => u64::from_ne_bytes(bytes.try_into().ok()?).into(),
        Prim::F32 | Prim::F64 | Prim::U128 => return None,
    })
}
