//! Descriptions of types: static data, built by `omp::Device` in constants.
use crate::method::Overflow;

/// A primitive type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[allow(missing_docs)]
pub enum Prim {
    Bool,
    I8,
    I16,
    I32,
    I64,
    Isize,
    U8,
    U16,
    U32,
    U64,
    Usize,
    F32,
    F64,
    Char,
    U128,
}

impl Prim {
    /// Size in bytes.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 | Self::Char => 4,
            Self::I64 | Self::U64 | Self::Isize | Self::Usize | Self::F64 => 8,
            Self::U128 => 16,
        }
    }

    /// One of the two float types.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    /// One of the integer types.
    #[must_use]
    pub const fn is_int(self) -> bool {
        !self.is_float() && !matches!(self, Self::Bool | Self::Char)
    }

    /// A signed integer or a float.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64 | Self::Isize | Self::F32 | Self::F64)
    }

    /// The unsigned integer of the same width (of `isize`: `usize`).
    #[must_use]
    pub const fn unsigned(self) -> Self {
        match self {
            Self::Bool | Self::I8 | Self::U8 => Self::U8,
            Self::I16 | Self::U16 => Self::U16,
            Self::I32 | Self::U32 | Self::F32 | Self::Char => Self::U32,
            Self::I64 | Self::U64 | Self::F64 => Self::U64,
            Self::Isize | Self::Usize => Self::Usize,
            Self::U128 => Self::U128,
        }
    }

    /// The signed integer of the same width (of `usize`: `isize`; there is none of 128 bits).
    #[must_use]
    pub const fn signed(self) -> Self {
        match self {
            Self::Bool | Self::I8 | Self::U8 => Self::I8,
            Self::I16 | Self::U16 => Self::I16,
            Self::I32 | Self::U32 | Self::F32 | Self::Char => Self::I32,
            Self::I64 | Self::U64 | Self::F64 => Self::I64,
            Self::Isize | Self::Usize => Self::Isize,
            Self::U128 => Self::U128,
        }
    }

    /// Smallest and largest value of an integer type, or of `char` by its number. Analyses know nothing of `u128`.
    #[must_use]
    pub const fn int_range(self) -> Option<(i128, i128)> {
        Some(match self {
            Self::I8 => (i8::MIN as i128, i8::MAX as i128),
            Self::I16 => (i16::MIN as i128, i16::MAX as i128),
            Self::I32 => (i32::MIN as i128, i32::MAX as i128),
            Self::I64 | Self::Isize => (i64::MIN as i128, i64::MAX as i128),
            Self::U8 => (0, u8::MAX as i128),
            Self::U16 => (0, u16::MAX as i128),
            Self::U32 => (0, u32::MAX as i128),
            Self::U64 | Self::Usize => (0, u64::MAX as i128),
            Self::Char => (0, char::MAX as i128),
            Self::Bool | Self::F32 | Self::F64 | Self::U128 => return None,
        })
    }

    /// The name in Rust.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::Isize => "isize",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::Usize => "usize",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::Char => "char",
            Self::U128 => "u128",
        }
    }
}

/// A type as rustc lays it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TypeDesc {
    /// `()`.
    Unit,
    /// A number, `bool` or `char`.
    Prim(Prim),
    /// `[T; N]`.
    Array {
        /// `T`
        elem: &'static TypeDesc,
        /// `N`
        len: usize,
    },
    /// A struct or a tuple.
    Struct(&'static StructDesc),
    /// A field-less enum.
    Enum(&'static EnumDesc),
    /// An enum with data, under a primitive representation.
    Data(&'static DataDesc),
    /// `Option<T>`.
    Option(&'static OptionDesc),
}

impl TypeDesc {
    /// Size in bytes as rustc lays it out; values without an agreed layout have none.
    #[must_use]
    pub const fn size(&self) -> Option<usize> {
        match self {
            Self::Unit => Some(0),
            Self::Prim(p) => Some(p.size()),
            Self::Array { elem, len } => match elem.size() {
                Some(s) => Some(s * *len),
                None => None,
            },
            Self::Struct(s) => Some(s.size),
            Self::Enum(e) => Some(e.size),
            Self::Data(d) if d.agreed => Some(d.size),
            Self::Data(_) => None,
            Self::Option(o) => match (o.of.size(), o.layout) {
                (Some(size), Some(layout)) => Some(layout.value_at() + size),
                _ => None,
            },
        }
    }

    /// Whether every byte of a value is one of a number: there is no padding, and no part that some values lack.
    #[must_use]
    pub fn is_dense(&self) -> bool {
        match self {
            Self::Unit | Self::Prim(_) | Self::Enum(_) => true,
            Self::Array { elem, .. } => elem.is_dense(),
            Self::Struct(s) => {
                let bytes = s.fields.iter().map(|f| f.ty.size().unwrap_or(0)).sum::<usize>();
                bytes == s.size && s.fields.iter().all(|f| f.ty.is_dense())
            }
            Self::Data(_) | Self::Option(_) => false,
        }
    }

    /// Alignment in bytes.
    #[must_use]
    pub const fn align(&self) -> usize {
        match self {
            Self::Unit => 1,
            Self::Prim(p) => p.size(),
            Self::Array { elem, .. } => elem.align(),
            Self::Struct(s) => s.align,
            Self::Enum(e) => e.size,
            Self::Data(d) => d.align,
            Self::Option(o) => o.of.align(),
        }
    }
}

/// An `Option`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct OptionDesc {
    /// `T`
    pub of: &'static TypeDesc,
    /// How rustc lays it out. An `Option` without a layout is a value inside kernels only, which can't be mapped.
    pub layout: Option<OptionLayout>,
}

/// How rustc lays out an `Option<T>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OptionLayout {
    /// An integer that is 0 or 1, as wide as `T` is aligned, and then `T`.
    Tag(Prim),
    /// `T` alone. `None` is a bit pattern that no `T` has in one of its integers (rustc's *niche*); the other bytes are padding then.
    Niche {
        /// Where the integer stands.
        offset: usize,
        /// An unsigned integer.
        prim: Prim,
        /// The bits of `None`.
        none: u64,
    },
}

impl OptionLayout {
    /// With a tag of this many bytes.
    #[must_use]
    pub const fn tag(bytes: usize) -> Self {
        Self::Tag(match bytes {
            1 => Prim::U8,
            2 => Prim::U16,
            4 => Prim::U32,
            _ => Prim::U64,
        })
    }

    /// The integer that tells `None` from `Some`, and where it stands.
    #[must_use]
    pub const fn decider(self) -> (usize, Prim) {
        match self {
            Self::Tag(prim) => (0, prim),
            Self::Niche { offset, prim, .. } => (offset, prim),
        }
    }

    /// The bits of that integer in `None`.
    #[must_use]
    pub const fn none(self) -> u64 {
        match self {
            Self::Tag(_) => 0,
            Self::Niche { none, .. } => none,
        }
    }

    /// Where the value in `Some` stands.
    #[must_use]
    pub const fn value_at(self) -> usize {
        match self {
            Self::Tag(prim) => prim.size(),
            Self::Niche { .. } => 0,
        }
    }

    /// Whether these bytes are a `Some`.
    #[must_use]
    pub fn is_some(self, bytes: &[u8]) -> bool {
        let (at, prim) = self.decider();
        bytes[at..at + prim.size()] != self.none().to_le_bytes()[..prim.size()]
    }

    /// Writes what tells `None` from `Some`; a `Some` has its value already.
    pub fn mark(self, some: bool, bytes: &mut [u8]) {
        let (at, prim) = self.decider();
        let bits = match (self, some) {
            (Self::Niche { .. }, true) => return,
            (Self::Tag(_), true) => 1,
            (_, false) => self.none(),
        };
        bytes[at..at + prim.size()].copy_from_slice(&bits.to_le_bytes()[..prim.size()]);
    }
}

/// The comparisons of a struct that are those of std's derives, all the way down; each has those before it, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Derived {
    /// None.
    Nothing,
    /// `==`
    Equality,
    /// `<` and the like, `partial_cmp`
    PartialOrder,
    /// `cmp`, `max`, `min`
    Order,
    /// As [`Order`](Self::Order), the other way round: `std::cmp::Reverse`.
    Reversed,
    /// As [`Order`](Self::Order): `std::num::Wrapping`, whose operators are those of its number.
    Wrapping,
    /// As [`Order`](Self::Order): `std::num::Saturating`, whose operators are those of its number.
    Saturating,
}

impl Derived {
    /// What an operator of such a type does with a result that does not fit; `None` if the type has no operators of std.
    #[must_use]
    pub const fn overflow(self) -> Option<Overflow> {
        match self {
            Self::Wrapping => Some(Overflow::Wrapping),
            Self::Saturating => Some(Overflow::Saturating),
            Self::Nothing | Self::Equality | Self::PartialOrder | Self::Order | Self::Reversed => None,
        }
    }
}

/// A struct or tuple.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct StructDesc {
    /// The type's name, `(…)` for a tuple. For messages only.
    pub name: &'static str,
    /// Size in bytes.
    pub size: usize,
    /// Alignment in bytes.
    pub align: usize,
    /// In the order of declaration; tuple fields are named `0`, `1`, ….
    pub fields: &'static [FieldDesc],
    /// How a device may compare it by its parts.
    pub derived: Derived,
}

impl StructDesc {
    /// Where the field of this name is, or of this number from the end (`-1` is the last).
    #[must_use]
    pub fn position(&self, name: &str) -> Option<usize> {
        // (A pattern of a path of one segment may be a variant's: see [`DataDesc`].)
        let name = name.split_once('!').map_or(name, |(_, field)| field);
        match name.strip_prefix('-') {
            Some(back) => self.fields.len().checked_sub(back.parse().ok()?),
            None => self.fields.iter().position(|f| f.name == name),
        }
    }
}

/// A field of a struct or tuple.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct FieldDesc {
    /// The name.
    pub name: &'static str,
    /// The type.
    pub ty: &'static TypeDesc,
    /// Offset in bytes from the start of the struct.
    pub offset: usize,
}

/// A field-less enum.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct EnumDesc {
    /// The type's name.
    pub name: &'static str,
    /// Size in bytes (1, 2, 4 or 8); a one-variant enum of size 0 is not a device type.
    pub size: usize,
    /// Name, discriminant (what `as` gives) and the bits that stand in memory, for each variant.
    pub variants: &'static [(&'static str, i128, u64)],
}

impl EnumDesc {
    /// Whether it is laid out as [`std::cmp::Ordering`].
    #[must_use]
    pub fn is_ordering(&self) -> bool {
        self.size == 1 && self.variants.iter().map(|v| v.1).eq([-1, 0, 1])
    }

    /// The name of the variant with these bits (what is above the enum's size is ignored).
    #[must_use]
    pub fn variant(&self, bits: u64) -> &'static str {
        let mask = u64::MAX >> (64 - 8 * self.size.min(8));
        let found = self.variants.iter().find(|(_, _, stands)| *stands & mask == bits & mask);
        found.map_or("?", |(name, _, _)| name)
    }
}

/// An enum with data under a primitive representation: the tag stands first, and each variant is laid out as a struct that
/// begins with it.
///
/// In places, `Circle!r` is the field `r` of the variant `Circle`, and `Circle?` tests whether the value is that variant. The tokens
/// of the pattern `P(a, b)` are the same for a variant and for a struct, so both are written like that: for a struct, `P!0` is its
/// field `0`, and `P?` holds.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct DataDesc {
    /// The type's name.
    pub name: &'static str,
    /// Size in bytes.
    pub size: usize,
    /// Alignment in bytes.
    pub align: usize,
    /// The integer of the representation, at the start.
    pub tag: Prim,
    /// The layout is rustc's. That of some `Result`s is the library's own: values inside kernels only, which can't be mapped.
    pub agreed: bool,
    /// It describes `Result<T, E>`.
    pub result: bool,
    /// In the order of declaration.
    pub variants: &'static [VariantDesc],
}

/// A variant of an enum with data.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct VariantDesc {
    /// The name.
    pub name: &'static str,
    /// The bits of the tag.
    pub tag: u64,
    /// The fields, at their offsets from the start of the enum.
    pub fields: &'static StructDesc,
}

impl DataDesc {
    /// The variant of this name.
    #[must_use]
    pub fn variant(&self, name: &str) -> Option<usize> {
        self.variants.iter().position(|v| v.name == name)
    }

    /// Whether it describes `Result<T, E>`.
    #[must_use]
    pub const fn is_result(&self) -> bool {
        self.result
    }

    /// The variant whose tag stands at the start of these bytes.
    #[must_use]
    pub fn stands(&self, bytes: &[u8]) -> Option<usize> {
        let mut wide = [0; 8];
        wide[..self.tag.size()].copy_from_slice(&bytes[..self.tag.size()]);
        self.variants.iter().position(|v| v.tag == u64::from_le_bytes(wide))
    }

    /// The variant that `Circle?` tests for.
    #[must_use]
    pub fn tested(&self, step: &str) -> Option<usize> {
        self.variant(step.strip_suffix('?')?)
    }

    /// The variant and the number of the field that `Circle!r` is.
    #[must_use]
    pub fn position(&self, step: &str) -> Option<(usize, usize)> {
        let (variant, field) = step.split_once('!')?;
        let variant = self.variant(variant)?;
        Some((variant, self.variants[variant].fields.position(field)?))
    }
}

/// Size and alignment of the struct that a variant is, of offset, size and alignment of its fields.
#[must_use]
pub const fn variant_layout(fields: &[(usize, usize, usize)]) -> (usize, usize) {
    let (mut end, mut align, mut i) = (0, 1, 0);
    while i < fields.len() {
        let (offset, size, own) = fields[i];
        if offset + size > end {
            end = offset + size;
        }
        if own > align {
            align = own;
        }
        i += 1;
    }
    (end.next_multiple_of(align), align)
}
