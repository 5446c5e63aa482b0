//! Places: the type of a base with its projections.
use super::Typer;
use super::operators::type_name;
use crate::valid::TypeError;
use omp_ir::desc::Prim;
use omp_ir::ids::{AccessId, ArrayId, SrcId, TyId};
use omp_ir::kernel::{Kernel, Ty, TypedCode, Types};
use omp_ir::template::{Base, Block, Check, Place, Projection, Stmt};
use omp_ir::visit;

/// One step from a type; `Err` says what is needed.
pub(super) fn project(types: &Types, ty: TyId, step: &Projection) -> Result<TyId, &'static str> {
    match (types.get(ty), step) {
        (Ty::Never, _) => Ok(ty),
        (Ty::Array(elem, _) | Ty::Slice(elem), Projection::Index { .. }) => Ok(*elem),
        (Ty::Struct(..), Projection::Field(name)) if name.ends_with('?') => {
            Ok(types.lookup(&Ty::Prim(Prim::Bool)).expect("the test of a variant interned it"))
        }
        (Ty::Struct(desc, fields), Projection::Field(name)) => {
            desc.position(name).map(|i| fields[i]).ok_or("a field of that name")
        }
        (Ty::Data(desc, variants), Projection::Field(name)) => {
            if desc.tested(name).is_some() {
                return Ok(types.lookup(&Ty::Prim(Prim::Bool)).expect("interned with the enum"));
            }
            let (variant, field) = desc.position(name).ok_or("a variant of that name with that field")?;
            let Ty::Struct(_, fields) = types.get(variants[variant]) else {
                unreachable!("variants are structs")
            };
            Ok(fields[field])
        }
        (Ty::Option(payload), Projection::Payload) => Ok(*payload),
        (_, Projection::Index { .. }) => Err("an array or slice"),
        (_, Projection::Field(_)) => Err("a struct or tuple"),
        (_, Projection::Payload) => Err("an `Option`"),
    }
}

/// The type of a place of typed code, with the projections up to `steps`. For a whole mapped array it is the slice.
///
/// # Panics
/// When the place is not of this (validated) code.
#[must_use]
pub fn place_type(
    types: &Types,
    arrays: &[TyId],
    scalars: &[TyId],
    code: &TypedCode,
    place: &Place,
    steps: usize,
) -> TyId {
    let base = match place.base {
        Base::Local(l) => code.local_ty[l.index()],
        Base::Array(a) => types.lookup(&Ty::Slice(arrays[a.index()])).expect("slices of arrays are interned"),
        Base::Scalar(s) => scalars[s.index()],
        Base::Const(c) => code.const_ty[c.index()],
    };
    let step = |ty, p| project(types, ty, p).expect("the code is validated");
    place.projections[..steps].iter().fold(base, step)
}

/// What is left to check of a subscript of a body or function, which can fail nowhere else: `None` if nothing is, else
/// the length of what is subscripted where the type has one.
#[must_use]
pub fn checked_len(kernel: &Kernel, code: &TypedCode, access: AccessId) -> Option<Option<u64>> {
    let base = checked_base(code, access)?;
    let steps = base.projections.len();
    let ty = place_type(&kernel.types, &kernel.array_ty, &kernel.scalar_ty, code, base, steps);
    Some(kernel.types.array_len(ty))
}

/// The mapped array that a checked subscript of the body is of, if it is one of the array itself.
#[must_use]
pub fn checked_array(kernel: &Kernel, access: AccessId) -> Option<ArrayId> {
    match checked_base(&kernel.body, access)? {
        Place { base: Base::Array(array), projections } if projections.is_empty() => Some(*array),
        _ => None,
    }
}

/// What a checked subscript is of.
fn checked_base(code: &TypedCode, access: AccessId) -> Option<&Place> {
    fn within(block: &Block, access: AccessId) -> Option<&Place> {
        block.0.iter().find_map(|stmt| match stmt {
            Stmt::Check {
                check: Check::Bounds { access: a, base, .. } | Check::Slice { access: a, base, .. },
                ..
            } => (*a == access).then_some(base),
            stmt => visit::blocks_of(stmt).into_iter().flatten().find_map(|block| within(block, access)),
        })
    }
    within(&code.code.block, access)
}

impl Typer<'_> {
    fn base(&mut self, base: Base, src: SrcId) -> Result<TyId, TypeError> {
        Ok(match base {
            Base::Local(l) => match self.parts.locals[l.index()] {
                Some(ty) => ty,
                // Nothing was assigned on any path so far: dead code.
                None => self.world.types.intern(Ty::Never),
            },
            Base::Array(a) => self.world.types.intern(Ty::Slice(self.world.arrays[a.index()])),
            Base::Scalar(s) => self.world.scalars[s.index()],
            Base::Const(c) => match self.answers.consts.get(c.index()) {
                Some(value) => {
                    let ty = self.world.types.intern_desc(value.ty);
                    // Its value would have come as bytes.
                    if self.world.types.size(ty).is_none() {
                        let (name, of) = (&self.code.consts[c.index()].name, self.name(ty));
                        let message = format!(
                            "the constant `{name}` is of type `{of}`, which has no agreed layout: write its value out in the body"
                        );
                        return Err(self.error(Some(src), message));
                    }
                    ty
                }
                None => return Err(self.error(Some(src), "a constant without value")),
            },
        })
    }

    /// The type of a place; types the indices in it.
    pub fn place(&mut self, place: &Place, src: SrcId) -> Result<TyId, TypeError> {
        let mut ty = self.base(place.base, src)?;
        for step in &place.projections {
            if let Projection::Index { index, access: _ } = step {
                self.expr_of(*index, Prim::Usize, "the index")?;
            }
            ty = project(&self.world.types, ty, step).map_err(|needed| {
                let step = match step {
                    Projection::Index { .. } => "a subscript".to_owned(),
                    Projection::Field(name) => match name.split_once(['!', '?']) {
                        Some((variant, _)) => format!("the pattern `{variant}`"),
                        None => format!("`.{name}`"),
                    },
                    Projection::Payload => "the value in `Some`".to_owned(),
                };
                let found = type_name(&self.world.types, ty);
                self.error(Some(src), format!("{step} of `{found}`; it needs {needed}"))
            })?;
        }
        Ok(ty)
    }

    /// The element type of a place that is subscripted or sliced.
    pub fn element(&mut self, place: &Place, src: SrcId) -> Result<TyId, TypeError> {
        let ty = self.place(place, src)?;
        match self.world.types.get(ty) {
            Ty::Array(elem, _) | Ty::Slice(elem) => Ok(*elem),
            Ty::Never => Ok(ty),
            Ty::Unit | Ty::Prim(_) | Ty::Struct(..) | Ty::Enum(_) | Ty::Data(..) | Ty::Option(_) => {
                let found = self.name(ty);
                let hint = match self.world.types.get(ty) {
                    Ty::Struct(..) => format!(
                        ", or the type of the value written where it is bound (`let v: {found} = …;`), so that its declared `Index` is found"
                    ),
                    _ => String::new(),
                };
                let text = format!("a subscript of `{found}`; it needs an array or slice{hint}");
                Err(self.error(Some(src), text))
            }
        }
    }
}
