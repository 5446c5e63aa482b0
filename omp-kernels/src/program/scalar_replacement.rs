//! Scalar replacement of aggregates: a variable for each number of a struct, tuple or small array, so that statements of leaves are
//! about numbers alone. A program then loads and stores the fields of elements one by one.
use super::steps::Refused;
use omp_ir::desc::StructDesc;
use omp_ir::ids::{AccessId, ArrayId, ExprId, LocalId, SrcId, TyId};
use omp_ir::kernel::{Kernel, Ty, TypedCode, Types};
use omp_ir::template::{Base, Block, Expr, ExprNode, LocalKind, Place, Projection, Stmt};
use omp_ir::visit;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Variables of one value, at most.
const MOST_PARTS: usize = 32;

/// The kernel's body, with numbers alone.
pub(super) fn body(kernel: &Kernel) -> Result<Cow<'_, TypedCode>, Refused> {
    let whole = |ty: &TyId| matches!(kernel.types.get(*ty), Ty::Struct(..) | Ty::Array(..));
    if !kernel.array_ty.iter().chain(&kernel.body.local_ty).any(whole) {
        return Ok(Cow::Borrowed(&kernel.body));
    }
    let mut code = kernel.body.clone();
    let block = std::mem::take(&mut code.code.block);
    let mut replacer = Replacer { kernel, code, parts: BTreeMap::new() };
    replacer.variables();
    let block = replacer.block(block)?;
    replacer.code.code.block = block;
    Ok(Cow::Owned(replacer.code))
}

/// By subscript of a mapped array: the numbers of its elements that the body loads or stores.
pub(crate) fn parts(kernel: &Kernel) -> BTreeMap<AccessId, BTreeSet<u32>> {
    let mut found: BTreeMap<AccessId, BTreeSet<u32>> = BTreeMap::new();
    let Ok(code) = body(kernel) else { return found };
    let mut see = |place: &Place| {
        if let Some((access, part)) = element(kernel, place) {
            found.entry(access).or_default().insert(part);
        }
    };
    visit::each_live_expr(&code.code, &mut |e| {
        if let Expr::Load(place) = &code.code.exprs[e.index()].expr {
            see(place);
        }
    });
    visit::each_stmt(&code.code.block, &mut |stmt| {
        if let Stmt::Assign { place, .. } = stmt {
            see(place);
        }
    });
    found
}

/// The subscript of a place in a mapped array that is a number, and which number of a struct it is.
pub(super) fn element(kernel: &Kernel, place: &Place) -> Option<(AccessId, u32)> {
    let (Base::Array(array), [Projection::Index { access, .. }, rest @ ..]) =
        (place.base, place.projections.as_slice())
    else {
        return None;
    };
    part(kernel, array, rest).map(|part| (*access, part))
}

/// Which number of a struct projections after the first subscript lead to; 0 if there is no struct.
fn part(kernel: &Kernel, array: ArrayId, projections: &[Projection]) -> Option<u32> {
    let mut ty = kernel.array_ty[array.index()];
    let (mut part, mut fields) = (0, false);
    for step in projections {
        ty = match (step, kernel.types.get(ty)) {
            (Projection::Index { .. }, Ty::Array(elem, _)) if !fields => *elem,
            (Projection::Field(name), Ty::Struct(desc, types)) => {
                fields = true;
                let (prim, _) = kernel.types.numbers(ty)?;
                let at = desc.position(name)?;
                part += desc.fields[at].offset / prim.size();
                types[at]
            }
            _ => return None,
        };
    }
    kernel.types.prim(ty)?;
    u32::try_from(part).ok()
}

/// The types of the numbers of a value, in the order of fields and elements.
fn numbers(types: &Types, ty: TyId) -> Option<Vec<TyId>> {
    let all = match types.get(ty) {
        Ty::Prim(_) => vec![ty],
        Ty::Struct(_, fields) => {
            fields.iter().map(|ty| numbers(types, *ty)).collect::<Option<Vec<_>>>()?.concat()
        }
        Ty::Array(elem, n) if *n as usize <= MOST_PARTS => numbers(types, *elem)?.repeat(*n as usize),
        _ => return None,
    };
    (all.len() <= MOST_PARTS).then_some(all)
}

struct Replacer<'k> {
    kernel: &'k Kernel,
    code: TypedCode,
    /// The variables that stand for one.
    parts: BTreeMap<LocalId, Vec<LocalId>>,
}

impl Replacer<'_> {
    fn variables(&mut self) {
        for l in 0..self.code.local_ty.len() {
            let (ty, local) = (self.code.local_ty[l], self.code.code.locals[l].clone());
            let own = matches!(local.kind, LocalKind::User | LocalKind::Temp);
            let whole = matches!(self.kernel.types.get(ty), Ty::Struct(..) | Ty::Array(..));
            if let (true, true, Some(types)) = (own, whole, numbers(&self.kernel.types, ty)) {
                let parts = types.into_iter().map(|ty| self.variable(&local.name, ty)).collect();
                self.parts.insert(LocalId::new(l), parts);
            }
        }
    }

    fn variable(&mut self, name: &str, ty: TyId) -> LocalId {
        self.code.temp(name.to_owned(), ty)
    }

    fn is_number(&self, ty: TyId) -> bool {
        !matches!(self.kernel.types.get(ty), Ty::Struct(..) | Ty::Array(..))
    }

    fn block(&mut self, block: Block) -> Result<Block, Refused> {
        let mut out = Vec::with_capacity(block.0.len());
        for mut stmt in block.0 {
            match &stmt {
                Stmt::Let { local, init } => {
                    if let Some(parts) = self.parts.get(local).cloned() {
                        let values = init.map(|e| self.values(e)).transpose()?;
                        let value = |k: usize| values.as_ref().map(|values| values[k]);
                        let lets = parts.iter().enumerate();
                        out.extend(lets.map(|(k, part)| Stmt::Let { local: *part, init: value(k) }));
                        continue;
                    }
                }
                Stmt::Assign { place, value, src } => {
                    if let Some(to) = self.targets(place)? {
                        let (values, src) = (self.values(*value)?, *src);
                        self.assign(&to, &values, src, &mut out);
                        continue;
                    }
                }
                _ => {}
            }
            let mut roots = Vec::new();
            visit::of_stmt(&stmt, &mut |e| roots.push(e));
            roots.into_iter().try_for_each(|e| self.number(e))?;
            for inner in visit::blocks_of_mut(&mut stmt).into_iter().flatten() {
                *inner = self.block(std::mem::take(inner))?;
            }
            out.push(stmt);
        }
        Ok(Block(out))
    }

    /// Assigns values to places. Several values are all computed before the first is assigned.
    fn assign(&mut self, to: &[Place], values: &[ExprId], src: SrcId, out: &mut Vec<Stmt>) {
        if let ([place], [value]) = (to, values) {
            return out.push(Stmt::Assign { place: place.clone(), value: *value, src });
        }
        let mut assignments = Vec::new();
        for (place, value) in to.iter().zip(values) {
            let ty = self.code.expr_ty[value.index()];
            let local = self.variable("part", ty);
            out.push(Stmt::Let { local, init: Some(*value) });
            let load = Expr::Load(Place::from(Base::Local(local)));
            let value = self.code.push(load, ty, src);
            assignments.push(Stmt::Assign { place: place.clone(), value, src });
        }
        out.extend(assignments);
    }

    /// The places of the numbers of an assigned place; `None` if it is one already.
    fn targets(&mut self, place: &Place) -> Result<Option<Vec<Place>>, Refused> {
        match place.base {
            Base::Local(local) if self.parts.contains_key(&local) => {
                let (at, ty) = self.within(local, place)?;
                let n = numbers(&self.kernel.types, ty).map_or(0, |types| types.len());
                let local = |part: &LocalId| Place::from(Base::Local(*part));
                Ok(Some(self.parts[&local_of(place)][at..at + n].iter().map(local).collect()))
            }
            Base::Array(array) => {
                let mut indices = Vec::new();
                visit::of_place(place, &mut |e| indices.push(e));
                indices.into_iter().try_for_each(|e| self.number(e))?;
                let ty = self.type_of(array, place)?;
                if self.is_number(ty) {
                    return Ok(None);
                }
                Ok(Some(self.fields(place, ty)?.into_iter().map(|(place, _)| place).collect()))
            }
            _ => Ok(None),
        }
    }

    /// The type of a place in a mapped array.
    fn type_of(&self, array: ArrayId, place: &Place) -> Result<TyId, Refused> {
        let mut ty = self.kernel.array_ty[array.index()];
        for step in place.projections.iter().skip(1) {
            ty = match (step, self.kernel.types.get(ty)) {
                (Projection::Index { .. }, Ty::Array(elem, _)) => *elem,
                (Projection::Field(name), Ty::Struct(desc, types)) => field(desc, types, name)?.1,
                _ => return Err("a part of an element is computed".into()),
            };
        }
        Ok(ty)
    }

    /// The places of the numbers of a place, and their types.
    fn fields(&self, place: &Place, ty: TyId) -> Result<Vec<(Place, TyId)>, Refused> {
        match self.kernel.types.get(ty) {
            Ty::Struct(desc, types) => {
                let mut all = Vec::new();
                for (of, ty) in desc.fields.iter().zip(types) {
                    let mut inner = place.clone();
                    inner.projections.push(Projection::Field(of.name.to_owned()));
                    all.extend(self.fields(&inner, *ty)?);
                }
                Ok(all)
            }
            Ty::Prim(_) => Ok(vec![(place.clone(), ty)]),
            _ => Err("a value has parts that are neither numbers nor structs".into()),
        }
    }

    /// Where a place starts among the numbers of its variable, and its type.
    fn within(&self, local: LocalId, place: &Place) -> Result<(usize, TyId), Refused> {
        let (types, count) =
            (&self.kernel.types, |ty: &TyId| numbers(&self.kernel.types, *ty).map_or(0, |t| t.len()));
        let (mut at, mut ty) = (0, self.code.local_ty[local.index()]);
        for step in &place.projections {
            ty = match (step, types.get(ty)) {
                (Projection::Field(name), Ty::Struct(desc, fields)) => {
                    let (n, of) = field(desc, fields, name)?;
                    at += fields[..n].iter().map(count).sum::<usize>();
                    of
                }
                (Projection::Index { index, access: _ }, Ty::Array(elem, len)) => {
                    match &self.code.code.exprs[index.index()].expr {
                        Expr::Int { value, negative: false, ty: _ } if *value < u128::from(*len) => {
                            at += *value as usize * count(elem);
                            *elem
                        }
                        _ => return Err("which element of a local array is used is computed".into()),
                    }
                }
                _ => return Err("a part of a value is no field".into()),
            };
        }
        Ok((at, ty))
    }

    /// Lets an expression that is a number read numbers.
    fn number(&mut self, e: ExprId) -> Result<(), Refused> {
        let ExprNode { expr, src } = self.code.code.exprs[e.index()].clone();
        match &expr {
            Expr::Load(place) | Expr::Len(place) if matches!(place.base, Base::Local(l) if self.parts.contains_key(&l)) =>
            {
                let local = local_of(place);
                let (at, ty) = self.within(local, place)?;
                let new = match (&expr, self.kernel.types.get(ty)) {
                    (Expr::Len(_), Ty::Array(_, n)) => Expr::Int {
                        value: u128::from(*n),
                        negative: false,
                        ty: omp_ir::template::TyRef::Prim(omp_ir::desc::Prim::Usize),
                    },
                    (Expr::Load(_), Ty::Prim(_)) => {
                        let part = self.parts[&local][at];
                        Expr::Load(Place::from(Base::Local(part)))
                    }
                    _ => return Err("a value of several parts is used as a whole".into()),
                };
                self.code.code.exprs[e.index()] = ExprNode { expr: new, src };
            }
            _ => {
                let mut operands = Vec::new();
                visit::of_expr(&expr, &mut |e| operands.push(e));
                operands.into_iter().try_for_each(|e| self.number(e))?;
            }
        }
        Ok(())
    }

    /// The numbers of a value.
    fn values(&mut self, e: ExprId) -> Result<Vec<ExprId>, Refused> {
        let (ExprNode { expr, src }, ty) =
            (self.code.code.exprs[e.index()].clone(), self.code.expr_ty[e.index()]);
        if self.is_number(ty) {
            self.number(e)?;
            return Ok(vec![e]);
        }
        match expr {
            Expr::Load(place) => {
                let local = match place.base {
                    Base::Local(local) => self.parts.get(&local).cloned(),
                    _ => None,
                };
                let places = match (local, place.base) {
                    (Some(parts), _) => {
                        let (at, ty) = self.within(local_of(&place), &place)?;
                        let types = numbers(&self.kernel.types, ty).unwrap_or_default();
                        let place = |part: &LocalId| Place::from(Base::Local(*part));
                        parts[at..at + types.len()].iter().map(place).zip(types).collect()
                    }
                    (None, Base::Array(_) | Base::Scalar(_) | Base::Const(_)) => {
                        let mut indices = Vec::new();
                        visit::of_place(&place, &mut |e| indices.push(e));
                        indices.into_iter().try_for_each(|e| self.number(e))?;
                        self.fields(&place, ty)?
                    }
                    (None, Base::Local(_)) => return Err("a captured value has several parts".into()),
                };
                Ok(places.into_iter().map(|(place, ty)| self.code.push(Expr::Load(place), ty, src)).collect())
            }
            Expr::Struct { slot: _, name: _, fields, rest } => {
                let Ty::Struct(desc, types) = self.kernel.types.get(ty) else {
                    return Err("a variant of an enum is made".into());
                };
                let rest = rest.map(|e| self.values(e)).transpose()?;
                let (mut all, mut at) = (Vec::new(), 0);
                for (n, ty) in types.iter().enumerate() {
                    let count = numbers(&self.kernel.types, *ty).map_or(0, |types| types.len());
                    let given = fields.iter().find(|(name, _)| desc.position(name) == Some(n));
                    match (given, &rest) {
                        (Some((_, e)), _) => all.extend(self.values(*e)?),
                        (None, Some(rest)) => all.extend_from_slice(&rest[at..at + count]),
                        (None, None) => return Err("a field has no value".into()),
                    }
                    at += count;
                }
                Ok(all)
            }
            Expr::Array { slot: _, elems } => {
                let each = elems.into_iter().map(|e| self.values(e)).collect::<Result<Vec<_>, _>>()?;
                Ok(each.concat())
            }
            Expr::Repeat { slot: _, value } => {
                let Ty::Array(_, n) = self.kernel.types.get(ty) else {
                    return Err("nothing is repeated".into());
                };
                let one = self.values(value)?;
                let mut all = one.clone();
                for _ in 1..*n {
                    let copies: Vec<_> = one.iter().map(|e| self.code.copy(*e)).collect();
                    all.extend(copies);
                }
                all.truncate(one.len() * *n as usize);
                Ok(all)
            }
            _ => Err("a value of several parts is the result of a method or call".into()),
        }
    }
}

/// The variable of a place that begins at one.
fn local_of(place: &Place) -> LocalId {
    match place.base {
        Base::Local(local) => local,
        Base::Array(_) | Base::Scalar(_) | Base::Const(_) => unreachable!("it begins at a variable"),
    }
}

/// The number and type of a field.
fn field(desc: &StructDesc, types: &[TyId], name: &str) -> Result<(usize, TyId), Refused> {
    let n = desc.position(name).ok_or_else(|| "a field is none of a struct".to_owned())?;
    Ok((n, types[n]))
}
