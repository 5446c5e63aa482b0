//! Values and their layout in memory.
use super::number::Num;
use super::place::{Location, SliceRef};
use crate::desc::{EnumDesc, Prim};
use crate::ids::TyId;
use crate::kernel::{Ty, Types};
use crate::message::Spec;

/// A value of a device type.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Unit,
    Num(Num),
    Array(Vec<Value>),
    /// A struct or tuple, fields in the order of declaration.
    Struct(Vec<Value>),
    /// A field-less enum: the bits that stand in memory.
    Enum(u64),
    /// An enum with data: which variant, and its fields.
    Data(usize, Vec<Value>),
    Option(Option<Box<Value>>),
    Slice(SliceRef),
    /// `&mut`: another place, of that type.
    Ref(Location, TyId),
}

impl Value {
    /// The value in an `Option` or `Result`, if there is one; `None` of others.
    pub fn carried(&self) -> Option<Option<&Self>> {
        match self {
            Self::Option(payload) => Some(payload.as_deref()),
            // (The first variant of a `Result` is `Ok`.)
            Self::Data(variant, fields) => Some(fields.first().filter(|_| *variant == 0)),
            _ => None,
        }
    }

    pub fn bool(b: bool) -> Self {
        Self::Num(Num::Bool(b))
    }

    pub fn usize(v: u64) -> Self {
        Self::Num(Num::Usize(v as usize))
    }

    pub fn option(payload: Option<Self>) -> Self {
        Self::Option(payload.map(Box::new))
    }

    /// The number, of a kernel that is well typed.
    pub fn num(&self) -> Num {
        match self {
            Self::Num(n) => *n,
            other => unreachable!("{other:?} is no number; the kernel was validated"),
        }
    }

    /// As `{}` and `{:?}` show it.
    pub fn show(&self, ty: &Ty, spec: &Spec) -> String {
        match (self, ty) {
            (Self::Enum(bits), Ty::Enum(desc)) => spec.word(desc.variant(*bits)),
            _ => spec.show(self.num().prim(), self.num().to_bits()),
        }
    }

    pub fn truth(&self) -> bool {
        self.num() == Num::Bool(true)
    }

    /// The value in memory at `bytes`.
    pub fn decode(types: &Types, ty: TyId, bytes: &[u8]) -> Self {
        match types.get(ty) {
            Ty::Unit | Ty::Never => Self::Unit,
            Ty::Prim(Prim::U128) => {
                let low = bits(&bytes[..8]);
                Self::Num(Num::U128(u128::from(low) | u128::from(bits(&bytes[8..16])) << 64))
            }
            Ty::Prim(p) => Self::Num(Num::from_bits(*p, bits(&bytes[..p.size()]))),
            Ty::Array(elem, n) => {
                let size = size(types, *elem);
                Self::Array(
                    (0..*n as usize).map(|i| Self::decode(types, *elem, &bytes[i * size..])).collect(),
                )
            }
            Ty::Struct(desc, fields) => {
                let parts = desc.fields.iter().zip(fields);
                Self::Struct(parts.map(|(f, &ty)| Self::decode(types, ty, &bytes[f.offset..])).collect())
            }
            Ty::Enum(desc) => Self::Enum(bits(&bytes[..desc.size])),
            Ty::Data(desc, variants) => {
                let variant = desc.stands(bytes).expect("the tag of a variant");
                let Self::Struct(fields) = Self::decode(types, variants[variant], bytes) else {
                    unreachable!("variants are structs")
                };
                Self::Data(variant, fields)
            }
            Ty::Option(payload) => {
                let layout = types.option(*payload).expect("an `Option` with a layout");
                let value = || Self::decode(types, *payload, &bytes[layout.value_at()..]);
                Self::option(layout.is_some(bytes).then(value))
            }
            Ty::Slice(_) => unreachable!("no value of this type stands in memory"),
        }
    }

    /// Writes the value. Padding bytes are not written.
    pub fn encode(&self, types: &Types, ty: TyId, bytes: &mut [u8]) {
        match (self, types.get(ty)) {
            (Self::Unit, _) => {}
            (Self::Num(Num::U128(n)), _) => bytes[..16].copy_from_slice(&n.to_le_bytes()),
            (Self::Num(n), _) => {
                let size = n.prim().size();
                bytes[..size].copy_from_slice(&n.to_bits().to_le_bytes()[..size]);
            }
            (Self::Array(elems), Ty::Array(elem, _)) => {
                let size = size(types, *elem);
                for (i, value) in elems.iter().enumerate() {
                    value.encode(types, *elem, &mut bytes[i * size..]);
                }
            }
            (Self::Struct(values), Ty::Struct(desc, fields)) => {
                for ((value, f), &ty) in values.iter().zip(desc.fields).zip(fields) {
                    value.encode(types, ty, &mut bytes[f.offset..]);
                }
            }
            (Self::Enum(v), Ty::Enum(desc)) => {
                bytes[..desc.size].copy_from_slice(&v.to_le_bytes()[..desc.size]);
            }
            (Self::Data(variant, values), Ty::Data(desc, variants)) => {
                let tag = desc.tag.size();
                bytes[..tag].copy_from_slice(&desc.variants[*variant].tag.to_le_bytes()[..tag]);
                let Ty::Struct(fields, parts) = types.get(variants[*variant]) else {
                    unreachable!("variants are structs")
                };
                for ((value, f), &ty) in values.iter().zip(fields.fields).zip(parts) {
                    value.encode(types, ty, &mut bytes[f.offset..]);
                }
            }
            (Self::Option(value), Ty::Option(payload)) => {
                let layout = types.option(*payload).expect("an `Option` with a layout");
                if let Some(value) = value {
                    value.encode(types, *payload, &mut bytes[layout.value_at()..]);
                }
                layout.mark(value.is_some(), bytes);
            }
            (value, ty) => unreachable!("{value:?} as {ty:?} in memory; the kernel was validated"),
        }
    }
}

/// Size in bytes of a type that can stand in memory.
pub(super) fn size(types: &Types, ty: TyId) -> usize {
    types.size(ty).expect("a type with a layout") as usize
}

fn bits(bytes: &[u8]) -> u64 {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(wide)
}

/// What `as` gives for an enum's value.
pub(super) fn discriminant(desc: &EnumDesc, bits: u64, to: Prim) -> Num {
    let value = desc.variants.iter().find(|(_, _, stands)| *stands == bits).map_or(0, |(_, d, _)| *d);
    Num::from_int(to, value)
}
