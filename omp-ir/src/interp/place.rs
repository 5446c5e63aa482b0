//! Places at run time: the address of a base with its projections, reads and writes.
use super::exec::{Machine, Stopped};
use super::value::{Value, size};
use crate::ids::{ArrayId, ConstId, LocalId, ScalarId, SrcId, TyId};
use crate::kernel::Ty;
use crate::template::{Base, Place, Projection};

/// A location: a variable and the steps into it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Location {
    root: Root,
    steps: Vec<Step>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Root {
    /// A local of the frame at this depth.
    Local(usize, LocalId),
    Array(ArrayId),
    Scalar(ScalarId),
    /// A const of the code of the frame at this depth.
    Const(usize, ConstId),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Index(u64),
    Field(usize),
    /// A field of a variant.
    Part(usize, usize),
    Payload,
}

/// A slice: `len` elements from `lo` of the array at a location.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SliceRef {
    of: Location,
    lo: u64,
    pub len: u64,
}

impl SliceRef {
    fn element(&self, index: u64) -> Location {
        let mut at = self.of.clone();
        at.steps.push(Step::Index(self.lo + index));
        at
    }
}

/// Where a place leads: to a value, or (a slice variable, a mapped array) to a whole slice.
enum Target {
    At(Location, TyId),
    Slice(SliceRef, TyId),
}

pub(super) fn out_of_bounds(len: u64, index: u64) -> String {
    format!("index out of bounds: the len is {len} but the index is {index}")
}

impl Machine<'_> {
    fn base(&self, base: Base) -> Target {
        let depth = self.frames.len() - 1;
        match base {
            Base::Local(l) => {
                match (self.frame().locals[l.index()].as_ref(), self.code().local_ty[l.index()]) {
                    (Some(Value::Slice(slice)), ty) => Target::Slice(slice.clone(), self.elem(ty)),
                    (Some(Value::Ref(at, ty)), _) => Target::At(at.clone(), *ty),
                    (_, ty) => Target::At(Location { root: Root::Local(depth, l), steps: Vec::new() }, ty),
                }
            }
            Base::Array(a) => {
                let elem = self.kernel.array_ty[a.index()];
                let bytes = self.memory.arrays[a.index()].len();
                // Elements have a size above zero; an empty struct would make an endless array.
                let len = bytes.checked_div(size(&self.kernel.types, elem)).unwrap_or(0) as u64;
                let of = Location { root: Root::Array(a), steps: Vec::new() };
                Target::Slice(SliceRef { of, lo: 0, len }, elem)
            }
            Base::Scalar(s) => {
                let at = Location { root: Root::Scalar(s), steps: Vec::new() };
                Target::At(at, self.kernel.scalar_ty[s.index()])
            }
            Base::Const(c) => {
                let at = Location { root: Root::Const(depth, c), steps: Vec::new() };
                Target::At(at, self.code().const_ty[c.index()])
            }
        }
    }

    fn elem(&self, ty: TyId) -> TyId {
        match self.kernel.types.get(ty) {
            Ty::Array(elem, _) | Ty::Slice(elem) | Ty::Option(elem) => *elem,
            other => unreachable!("a part of {other:?}; the kernel was validated"),
        }
    }

    fn resolve(&mut self, place: &Place, src: SrcId) -> Result<Target, Stopped> {
        let mut target = self.base(place.base);
        for step in &place.projections {
            target = match (target, step) {
                (Target::Slice(slice, elem), Projection::Index { index, access: _ }) => {
                    let i = self.index(*index)?;
                    self.within(i, slice.len, src)?;
                    Target::At(slice.element(i), elem)
                }
                (Target::At(mut at, ty), Projection::Index { index, access: _ }) => {
                    let i = self.index(*index)?;
                    self.within(i, self.kernel.types.array_len(ty).unwrap_or(0), src)?;
                    at.steps.push(Step::Index(i));
                    Target::At(at, self.elem(ty))
                }
                (Target::At(mut at, ty), Projection::Field(name)) => match self.kernel.types.get(ty) {
                    Ty::Struct(desc, fields) => {
                        let i = desc.position(name).expect("validated");
                        at.steps.push(Step::Field(i));
                        Target::At(at, fields[i])
                    }
                    Ty::Data(desc, variants) => {
                        let (variant, i) = desc.position(name).expect("validated");
                        let Ty::Struct(_, fields) = self.kernel.types.get(variants[variant]) else {
                            unreachable!("variants are structs")
                        };
                        at.steps.push(Step::Part(variant, i));
                        Target::At(at, fields[i])
                    }
                    other => unreachable!("a field of {other:?}; the kernel was validated"),
                },
                (Target::At(mut at, ty), Projection::Payload) => {
                    at.steps.push(Step::Payload);
                    Target::At(at, self.elem(ty))
                }
                (Target::Slice(..), Projection::Field(_) | Projection::Payload) => {
                    unreachable!("a field of a slice; the kernel was validated")
                }
            };
        }
        Ok(target)
    }

    fn within(&self, index: u64, len: u64, src: SrcId) -> Result<(), Stopped> {
        if index < len { Ok(()) } else { Err(self.fail(src, out_of_bounds(len, index))) }
    }

    /// The length of the array or slice at a place.
    pub fn len(&mut self, place: &Place, src: SrcId) -> Result<u64, Stopped> {
        Ok(match self.resolve(place, src)? {
            Target::Slice(slice, _) => slice.len,
            Target::At(at, ty) => match self.kernel.types.array_len(ty) {
                Some(n) => n,
                // A slice in a struct can't be; this is a slice variable that was not set.
                None => match self.read(&at, ty, src)? {
                    Value::Slice(slice) => slice.len,
                    other => unreachable!("the length of {other:?}; the kernel was validated"),
                },
            },
        })
    }

    /// The slice `lo..hi` of what is at a place. A check statement precedes it.
    pub fn slice(&mut self, place: &Place, lo: u64, hi: Option<u64>, src: SrcId) -> Result<Value, Stopped> {
        let whole = match self.resolve(place, src)? {
            Target::Slice(slice, _) => slice,
            Target::At(of, ty) => SliceRef { of, lo: 0, len: self.kernel.types.array_len(ty).unwrap_or(0) },
        };
        let hi = hi.unwrap_or(whole.len);
        if let Some(message) = slice_fault(lo, Some(hi), whole.len) {
            return Err(self.fail(src, message));
        }
        Ok(Value::Slice(SliceRef { of: whole.of, lo: whole.lo + lo, len: hi - lo }))
    }

    /// All elements of a slice, as an array of type `ty`.
    pub fn elements(&mut self, slice: &SliceRef, ty: TyId, src: SrcId) -> Result<Value, Stopped> {
        let elem = self.elem(ty);
        let values = (0..slice.len).map(|i| self.read(&slice.element(i), elem, src));
        Ok(Value::Array(values.collect::<Result<_, _>>()?))
    }

    /// The value at a place.
    pub fn load(&mut self, place: &Place, src: SrcId) -> Result<Value, Stopped> {
        if let Some((Projection::Field(step), whole)) = place.projections.split_last()
            && step.ends_with('?')
        {
            let whole = Place { base: place.base, projections: whole.to_vec() };
            let Target::At(at, ty) = self.resolve(&whole, src)? else {
                unreachable!("a variant of a slice; the kernel was validated")
            };
            let value = self.read(&at, ty, src)?;
            let (Ty::Data(desc, _), Value::Data(variant, _)) = (self.kernel.types.get(ty), value) else {
                unreachable!("a variant of no enum; the kernel was validated")
            };
            return Ok(Value::bool(desc.tested(step) == Some(variant)));
        }
        match self.resolve(place, src)? {
            Target::Slice(slice, _) => Ok(Value::Slice(slice)),
            Target::At(at, ty) => self.read(&at, ty, src),
        }
    }

    /// `&mut` of a place.
    pub fn borrow(&mut self, place: &Place, src: SrcId) -> Result<Value, Stopped> {
        match self.resolve(place, src)? {
            Target::Slice(slice, _) => Ok(Value::Slice(slice)),
            Target::At(at, ty) => Ok(Value::Ref(at, ty)),
        }
    }

    /// Puts a value at a place.
    pub fn store(&mut self, place: &Place, value: Value, src: SrcId) -> Result<(), Stopped> {
        if let (Base::Local(l), []) = (place.base, &place.projections[..])
            && !matches!(self.frame().locals[l.index()], Some(Value::Ref(..)))
        {
            self.frame_mut().locals[l.index()] = Some(value);
            return Ok(());
        }
        let Target::At(at, ty) = self.resolve(place, src)? else {
            unreachable!("a slice is assigned; the kernel was validated")
        };
        match at.root {
            Root::Local(depth, l) => {
                let Some(whole) = self.frames[depth].locals[l.index()].as_mut() else {
                    return Err(self.fail(src, "a part of a variable without value is assigned".into()));
                };
                *descend_mut(whole, &at.steps) = value;
            }
            Root::Array(a) => {
                let offset = self.offset(self.kernel.array_ty[a.index()], &at.steps);
                value.encode(&self.kernel.types, ty, &mut self.memory.arrays[a.index()][offset..]);
            }
            Root::Scalar(_) | Root::Const(..) => {
                unreachable!("a constant is assigned; the kernel was validated")
            }
        }
        Ok(())
    }

    fn read(&self, at: &Location, ty: TyId, src: SrcId) -> Result<Value, Stopped> {
        let types = &self.kernel.types;
        match at.root {
            Root::Local(depth, l) => match &self.frames[depth].locals[l.index()] {
                Some(whole) => match descend(whole, &at.steps) {
                    Some(value) => Ok(value.clone()),
                    None => Err(self.fail(src, "a part of another variant is read".into())),
                },
                None => {
                    let name = &self.code().code.locals[l.index()].name;
                    Err(self.fail(src, format!("`{name}` is read before it has a value")))
                }
            },
            Root::Array(a) => {
                let offset = self.offset(self.kernel.array_ty[a.index()], &at.steps);
                Ok(Value::decode(types, ty, &self.memory.arrays[a.index()][offset..]))
            }
            Root::Scalar(s) => {
                let whole =
                    Value::decode(types, self.kernel.scalar_ty[s.index()], &self.memory.scalars[s.index()]);
                Ok(descend(&whole, &at.steps).expect("no `Option` is captured").clone())
            }
            Root::Const(depth, c) => {
                let code = self.code_at(depth);
                let whole = Value::decode(types, code.const_ty[c.index()], &code.consts[c.index()].bytes);
                Ok(descend(&whole, &at.steps).expect("no const is an `Option`").clone())
            }
        }
    }

    /// Bytes from the start of a mapped array with elements of type `ty`.
    fn offset(&self, ty: TyId, steps: &[Step]) -> usize {
        let types = &self.kernel.types;
        let (Some(Step::Index(first)), rest) = (steps.first().copied(), &steps[1..]) else {
            unreachable!("a mapped array as a value; the kernel was validated")
        };
        let mut offset = first as usize * size(types, ty);
        let mut ty = ty;
        for step in rest {
            (offset, ty) = match (*step, types.get(ty)) {
                (Step::Index(i), Ty::Array(elem, _)) => (offset + i as usize * size(types, *elem), *elem),
                (Step::Field(i), Ty::Struct(desc, fields)) => (offset + desc.fields[i].offset, fields[i]),
                (Step::Part(v, i), Ty::Data(desc, variants)) => {
                    let Ty::Struct(_, parts) = types.get(variants[v]) else {
                        unreachable!("variants are structs")
                    };
                    (offset + desc.variants[v].fields.fields[i].offset, parts[i])
                }
                (step, ty) => unreachable!("{step:?} of {ty:?} in memory; the kernel was validated"),
            };
        }
        offset
    }
}

/// `None`: the payload of a `None`.
fn descend<'v>(value: &'v Value, steps: &[Step]) -> Option<&'v Value> {
    steps.iter().try_fold(value, |value, step| match (value, step) {
        (Value::Array(elems), Step::Index(i)) => elems.get(*i as usize),
        (Value::Struct(fields), Step::Field(i)) => fields.get(*i),
        (Value::Data(variant, fields), Step::Part(v, i)) => (variant == v).then(|| &fields[*i]),
        (Value::Option(payload), Step::Payload) => payload.as_deref(),
        (value, step) => unreachable!("{step:?} of {value:?}; the kernel was validated"),
    })
}

fn descend_mut<'v>(value: &'v mut Value, steps: &[Step]) -> &'v mut Value {
    steps.iter().fold(value, |value, step| match (value, step) {
        (Value::Array(elems), Step::Index(i)) => &mut elems[*i as usize],
        (Value::Struct(fields), Step::Field(i)) => &mut fields[*i],
        (Value::Data(_, fields), Step::Part(_, i)) => &mut fields[*i],
        (Value::Option(Some(payload)), Step::Payload) => payload,
        (value, step) => unreachable!("{step:?} of {value:?}; the kernel was validated"),
    })
}

/// Rust's panic message about the end of a slice of length `len`; for `..=last` it names `last`.
pub(super) fn past_the_end(end: u64, len: u64) -> String {
    format!("range end index {end} out of range for slice of length {len}")
}

/// Rust's (1.95) panic message for `[lo..hi]` of a slice of length `len`, if it panics.
pub(super) fn slice_fault(lo: u64, hi: Option<u64>, len: u64) -> Option<String> {
    match hi {
        _ if lo > len => Some(format!("range start index {lo} out of range for slice of length {len}")),
        Some(hi) if hi > len => Some(past_the_end(hi, len)),
        Some(hi) if lo > hi => Some(format!("slice index starts at {lo} but ends at {hi}")),
        Some(_) | None => None,
    }
}
