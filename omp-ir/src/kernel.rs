//! The typed kernel: a template in which all types, callees and consts are known.
use super::desc::{DataDesc, EnumDesc, OptionLayout, Prim, StructDesc, TypeDesc};
use super::ids::{ArrayId, CallId, ExprId, FnId, LocalId, SlotId, SrcId, TyId};
use super::method::Method;
use super::template::{Code, Expr, ExprNode, FnTemplate, KernelTemplate, Local, LocalKind, ReduceOp, TyRef};
use super::visit;
use std::collections::BTreeSet;

/// What rustc said of one body.
#[derive(Debug, Clone, Default)]
pub struct CodeTypes {
    /// By slot; `None` where the type is a reference or otherwise no device type.
    pub slots: Vec<Option<&'static TypeDesc>>,
    /// By const.
    pub consts: Vec<ConstValue>,
    /// By call.
    pub calls: Vec<Callee>,
    /// By reduction item, those of inner nests after the region's: the user's operator; `None` where it is built in.
    /// (Shorter than the items: the rest is.)
    pub operators: Vec<Option<DeclaredOperator>>,
    /// The source file of the body, for messages.
    pub file: &'static str,
    /// Whether its crate checks integer arithmetic for overflow; `None`: as the region's does.
    pub overflow_checks: Option<bool>,
}

/// What a call names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callee {
    /// A method of a primitive, slice or `Option`, or a library function, known by name.
    Builtin,
    /// A device function: position in [`RegionTypes::fns`].
    Fn(FnId),
}

/// The value of a const: its bytes as rustc lays them out (padding zeroed).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstValue {
    /// Its type.
    pub ty: &'static TypeDesc,
    /// `ty.size()` bytes.
    pub bytes: Vec<u8>,
}

/// An operator that the user declared for a reduction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredOperator {
    /// `fn(T, T) -> T`, associative.
    pub function: FnId,
    /// The identity of the operator.
    pub identity: ConstValue,
}

/// How the values of a reduction item are combined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reducer {
    /// By a built-in operator, which commutes. (An array item of nested arrays: element by element.)
    Builtin(ReduceOp, Prim),
    /// By a function, whose operands keep their order.
    Declared {
        /// `fn(T, T) -> T`
        function: FnId,
        /// The bytes of the identity.
        identity: Vec<u8>,
        /// `T`
        ty: TyId,
    },
}

impl Reducer {
    /// The order of operands matters.
    #[must_use]
    pub const fn is_ordered(&self) -> bool {
        matches!(self, Self::Declared { .. })
    }

    /// A sum of floating-point numbers: its error depends on how they are grouped. (That of a product does not.)
    #[must_use]
    pub const fn is_float_sum(&self) -> bool {
        matches!(self, Self::Builtin(ReduceOp::Add, prim) if prim.is_float())
    }
}

/// Everything that rustc said of a region.
#[derive(Debug, Clone, Default)]
pub struct RegionTypes {
    /// Element type of each mapped array.
    pub arrays: Vec<Option<&'static TypeDesc>>,
    /// Of the region's body.
    pub code: CodeTypes,
    /// The device functions that are reached, each once per instance.
    pub fns: Vec<(FnTemplate, CodeTypes)>,
}

/// An interned type. `PartialEq` of `TyId`s is equality of types.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Ty {
    /// `()`
    Unit,
    /// Of an expression that does not end (only in dead code).
    Never,
    /// A number or `bool`.
    Prim(Prim),
    /// `[T; N]`
    Array(TyId, u64),
    /// A struct or tuple; fields in the order of declaration.
    Struct(&'static StructDesc, Vec<TyId>),
    /// A field-less enum.
    Enum(&'static EnumDesc),
    /// An enum with data; its variants are structs.
    Data(&'static DataDesc, Vec<TyId>),
    /// `Option<T>`
    Option(TyId),
    /// `&[T]`
    Slice(TyId),
}

/// The interned types of a kernel.
#[derive(Debug, Clone, Default)]
pub struct Types {
    list: Vec<Ty>,
    index: std::collections::HashMap<Ty, TyId>,
    /// By what is in them: `Option`s that rustc described.
    options: std::collections::HashMap<TyId, OptionLayout>,
}

impl Types {
    /// The id of `ty`.
    pub fn intern(&mut self, ty: Ty) -> TyId {
        if let Some(&id) = self.index.get(&ty) {
            return id;
        }
        let id = TyId::new(self.list.len());
        self.list.push(ty.clone());
        self.index.insert(ty, id);
        id
    }

    /// The id of `ty`, if it has one.
    #[must_use]
    pub fn lookup(&self, ty: &Ty) -> Option<TyId> {
        self.index.get(ty).copied()
    }

    /// The id of what rustc described.
    pub fn intern_desc(&mut self, desc: &TypeDesc) -> TyId {
        let ty = match desc {
            TypeDesc::Unit => Ty::Unit,
            TypeDesc::Prim(p) => Ty::Prim(*p),
            TypeDesc::Array { elem, len } => Ty::Array(self.intern_desc(elem), *len as u64),
            TypeDesc::Struct(s) => Ty::Struct(s, s.fields.iter().map(|f| self.intern_desc(f.ty)).collect()),
            TypeDesc::Enum(e) => Ty::Enum(e),
            TypeDesc::Data(d) => {
                // The test of a variant has this type.
                self.intern(Ty::Prim(Prim::Bool));
                let variant = |v: &'static super::desc::VariantDesc| TypeDesc::Struct(v.fields);
                Ty::Data(d, d.variants.iter().map(|v| self.intern_desc(&variant(v))).collect())
            }
            TypeDesc::Option(o) => {
                let payload = self.intern_desc(o.of);
                if let Some(layout) = o.layout {
                    self.options.insert(payload, layout);
                }
                Ty::Option(payload)
            }
        };
        self.intern(ty)
    }

    /// The type of an id.
    #[must_use]
    pub fn get(&self, id: TyId) -> &Ty {
        &self.list[id.index()]
    }

    /// The primitive, if it is one.
    #[must_use]
    pub fn prim(&self, id: TyId) -> Option<Prim> {
        match self.get(id) {
            Ty::Prim(p) => Some(*p),
            _ => None,
        }
    }

    /// `T` of `Option<T>` and `Result<T, E>`.
    #[must_use]
    pub fn payload(&self, id: TyId) -> Option<TyId> {
        match self.get(id) {
            Ty::Option(payload) => Some(*payload),
            Ty::Data(desc, variants) if desc.is_result() => match self.get(variants[0]) {
                Ty::Struct(_, fields) => fields.first().copied(),
                _ => None,
            },
            _ => None,
        }
    }

    /// The numbers that a value consists of, if all have one type and nothing else lies between them: `T` and 12 of `[[T; 4]; 3]`
    /// and of a struct with twelve fields.
    #[must_use]
    pub fn numbers(&self, id: TyId) -> Option<(Prim, u64)> {
        match self.get(id) {
            Ty::Prim(p) => Some((*p, 1)),
            Ty::Array(e, n) => self.numbers(*e).map(|(prim, of_each)| (prim, of_each * n)),
            Ty::Struct(desc, fields) => {
                let mut parts = fields.iter().map(|ty| self.numbers(*ty));
                let (prim, first) = parts.next()??;
                let all = parts.try_fold(first, |all, part| {
                    part.filter(|(other, _)| *other == prim).map(|(_, n)| all + n)
                })?;
                (desc.size as u64 == all * prim.size() as u64).then_some((prim, all))
            }
            _ => None,
        }
    }

    /// `N`, if it is a `[T; N]`.
    #[must_use]
    pub fn array_len(&self, id: TyId) -> Option<u64> {
        match self.get(id) {
            Ty::Array(_, n) => Some(*n),
            _ => None,
        }
    }

    /// All types, in order: parts stand before what they are part of.
    pub fn iter(&self) -> impl Iterator<Item = (TyId, &Ty)> {
        self.list.iter().enumerate().map(|(i, t)| (TyId::new(i), t))
    }

    /// Alignment in bytes as rustc lays it out; 1 for types that don't stand in mapped memory.
    #[must_use]
    pub fn align(&self, id: TyId) -> usize {
        match self.get(id) {
            Ty::Prim(p) => p.size(),
            Ty::Array(e, _) => self.align(*e),
            Ty::Struct(s, _) => s.align,
            Ty::Enum(e) => e.size,
            Ty::Data(d, _) if d.agreed => d.align,
            Ty::Option(t) => self.align(*t),
            Ty::Unit | Ty::Never | Ty::Slice(_) | Ty::Data(..) => 1,
        }
    }

    /// The bytes of its narrowest part.
    #[must_use]
    pub fn narrowest(&self, id: TyId) -> usize {
        match self.get(id) {
            Ty::Array(e, _) => self.narrowest(*e),
            Ty::Struct(_, types) => types.iter().map(|ty| self.narrowest(*ty)).min().unwrap_or(usize::MAX),
            Ty::Data(..) | Ty::Option(_) => 1,
            _ => self.align(id),
        }
    }

    /// Size in bytes as rustc lays it out, for types that can stand in mapped memory.
    #[must_use]
    pub fn size(&self, id: TyId) -> Option<u64> {
        match self.get(id) {
            Ty::Unit => Some(0),
            Ty::Prim(p) => Some(p.size() as u64),
            Ty::Array(e, n) => Some(self.size(*e)? * n),
            Ty::Struct(s, _) => Some(s.size as u64),
            Ty::Enum(e) => Some(e.size as u64),
            Ty::Data(d, _) if d.agreed => Some(d.size as u64),
            Ty::Option(t) => Some(self.option(*t)?.value_at() as u64 + self.size(*t)?),
            Ty::Never | Ty::Slice(_) | Ty::Data(..) => None,
        }
    }

    /// The most bytes that a variable of a type takes on a device.
    fn held(&self, id: TyId) -> u64 {
        match self.get(id) {
            Ty::Array(e, n) => self.held(*e).saturating_mul(*n),
            Ty::Data(d, variants) if !d.agreed => {
                variants.iter().fold(8, |sum, ty| self.held(*ty).saturating_add(sum))
            }
            Ty::Option(t) => self.held(*t).saturating_add(8),
            _ => self.size(id).unwrap_or(0),
        }
    }

    /// Some bit pattern is no value, so that rustc lays an `Option` of the type out without a tag ([`OptionLayout::Niche`]).
    fn has_niche(&self, id: TyId) -> bool {
        match self.get(id) {
            Ty::Unit | Ty::Never => false,
            Ty::Prim(p) => matches!(p, Prim::Bool | Prim::Char),
            Ty::Array(elem, len) => *len > 0 && self.has_niche(*elem),
            Ty::Struct(_, fields) => fields.iter().any(|field| self.has_niche(*field)),
            Ty::Enum(_) | Ty::Data(..) | Ty::Option(_) | Ty::Slice(_) => true,
        }
    }

    /// How an `Option` of the type is laid out, if the `Option` has a layout.
    #[must_use]
    pub fn option(&self, payload: TyId) -> Option<OptionLayout> {
        if let Some(described) = self.options.get(&payload) {
            return Some(*described);
        }
        let align = self.align(payload);
        (self.size(payload)? > 0 && align <= 8 && !self.has_niche(payload))
            .then_some(OptionLayout::tag(align))
    }

    /// The bytes of a type up to the last that belongs to a value: the rest is padding.
    #[must_use]
    pub fn used(&self, id: TyId) -> Option<u64> {
        match self.get(id) {
            Ty::Struct(s, types) => {
                let ends = s.fields.iter().zip(types).map(|(f, ty)| Some(f.offset as u64 + self.used(*ty)?));
                ends.collect::<Option<Vec<_>>>()?.into_iter().max()
            }
            _ => self.size(id),
        }
    }
}

/// A body with its types.
#[derive(Debug, Clone)]
pub struct TypedCode {
    /// The template's code. Checks that are always true have been dropped.
    pub code: Code,
    /// By expression.
    pub expr_ty: Vec<TyId>,
    /// By local.
    pub local_ty: Vec<TyId>,
    /// By const.
    pub consts: Vec<ConstValue>,
    /// By const: its type.
    pub const_ty: Vec<TyId>,
    /// By call.
    pub calls: Vec<Callee>,
    /// By call: which method a [`Callee::Builtin`] is; `None` for device functions and calls that are not reached.
    pub methods: Vec<Option<Method>>,
    /// By subscript: dropped, decided at launch, or checked in the kernel.
    pub bounds: Vec<BoundsVerdict>,
    /// By expression, of a scan: it is a carried value that is that of the loop one after the other, not what a part of the loop
    /// comes to.
    pub carried: Vec<bool>,
    /// The counters of loops over short arrays: only unrolled, they leave the elements in registers.
    pub unrolled: BTreeSet<LocalId>,
    /// The file, for messages.
    pub file: &'static str,
    /// Integer arithmetic is checked for overflow, as in the crate of the code.
    pub overflow_checks: bool,
}

impl TypedCode {
    /// Whether two calls are of the same function.
    #[must_use]
    pub fn same_function(&self, a: CallId, b: CallId) -> bool {
        let callee = |call: CallId| (self.calls[call.index()], self.methods[call.index()]);
        let known = callee(a) != (Callee::Builtin, None);
        a == b || known && callee(a) == callee(b)
    }

    /// Adds an expression of this type.
    pub fn push(&mut self, expr: Expr, ty: TyId, src: SrcId) -> ExprId {
        self.code.exprs.push(ExprNode { expr, src });
        self.expr_ty.push(ty);
        ExprId::new(self.code.exprs.len() - 1)
    }

    /// Adds a variable of the compiler's own, of this type.
    pub fn temp(&mut self, name: String, ty: TyId) -> LocalId {
        self.code.locals.push(Local { name, kind: LocalKind::Temp, slot: None, mutable: true });
        self.local_ty.push(ty);
        LocalId::new(self.code.locals.len() - 1)
    }

    /// A copy of an expression: every node belongs to one place of the tree.
    pub fn copy(&mut self, e: ExprId) -> ExprId {
        let ExprNode { mut expr, src } = self.code.exprs[e.index()].clone();
        visit::of_expr_mut(&mut expr, &mut |operand| *operand = self.copy(*operand));
        self.push(expr, self.expr_ty[e.index()], src)
    }

    /// The first slot of a cast or struct that has the same type.
    #[must_use]
    pub fn first_of_type(&self, slot: SlotId) -> SlotId {
        let slots = || {
            let of = |(node, ty): (&ExprNode, &TyId)| match node.expr {
                Expr::Cast { ty: TyRef::Slot(slot), .. } | Expr::Struct { slot, .. } => Some((slot, *ty)),
                _ => None,
            };
            self.code.exprs.iter().zip(&self.expr_ty).filter_map(of)
        };
        let own = slots().find(|(other, _)| *other == slot).map(|(_, ty)| ty);
        slots().find(|(_, ty)| Some(*ty) == own).map_or(slot, |(first, _)| first)
    }
}

/// How a subscript's bounds are established: from proved at compile time to checked in the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BoundsVerdict {
    /// No check is needed.
    Proved,
    /// The launch plan decides; a launch that can't prove it compiles the kernel with this check.
    AtLaunch,
    /// Always checked in the kernel.
    Residual,
    /// The user promised (`unsafe(unchecked)`).
    Trusted,
}

/// A region, typed.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// What it was made from; its `code` is superseded by [`Self::body`].
    pub template: KernelTemplate,
    /// All types.
    pub types: Types,
    /// Element type of each mapped array.
    pub array_ty: Vec<TyId>,
    /// Type of each captured scalar.
    pub scalar_ty: Vec<TyId>,
    /// The body.
    pub body: TypedCode,
    /// Device functions, by [`FnId`].
    pub fns: Vec<TypedFn>,
    /// By reduction item.
    pub reducers: Vec<Reducer>,
    /// By item of an inner nest.
    pub inner_reducers: Vec<Reducer>,
}

impl Kernel {
    /// The most bytes that the variables of a thread take, with those of all device functions.
    #[must_use]
    pub fn private_bytes(&self) -> u64 {
        let codes = self.fns.iter().map(|f| &f.body).chain([&self.body]);
        let locals = codes.flat_map(|code| &code.local_ty);
        locals.fold(0, |sum, ty| self.types.held(*ty).saturating_add(sum))
    }

    /// The reduction items that are arrays: position among the items, and which.
    #[must_use]
    pub fn array_items(&self) -> Vec<(usize, ArrayId)> {
        let all = self.template.reductions.iter().enumerate();
        all.filter_map(|(k, r)| Some((k, r.array()?))).collect()
    }

    /// The places of the results of scalar reduction items, each aligned to 16 bytes, and the number of bytes in all. Results of
    /// array items are in the arrays.
    #[must_use]
    pub fn result_places(&self) -> (Vec<usize>, usize) {
        let mut end = 0usize;
        let place = |r: &super::template::Reduction| {
            let Some(ty) = r.local().map(|l| self.body.local_ty[l.index()]) else { return end };
            let align = self.types.align(ty).max(16);
            let start = end.next_multiple_of(align);
            end = start + (self.types.size(ty).unwrap_or(0) as usize).next_multiple_of(align);
            start
        };
        let places = self.template.reductions.iter().map(place).collect();
        (places, end)
    }
}

/// A device function, typed.
#[derive(Debug, Clone)]
pub struct TypedFn {
    /// What it was made from; its `code` is superseded by [`Self::body`].
    pub template: FnTemplate,
    /// The body.
    pub body: TypedCode,
    /// The return type.
    pub ret: TyId,
}
