//! The trait `omp::Device`: the types that device memory can hold, and their layout.
use super::describe::Describe;
use super::operator::ordered::Comparison;
use super::operator::{OpKind, Operand};
use omp_ir::desc::{
    DataDesc, Derived, EnumDesc, FieldDesc, OptionDesc, OptionLayout, Prim, StructDesc, TypeDesc, VariantDesc,
};
use omp_ir::kernel::Callee;
use omp_ir::template::ReduceOp;
use std::any::TypeId;
use std::cmp::{Ordering, Reverse};
use std::marker::PhantomData;
use std::mem::{ManuallyDrop, MaybeUninit, align_of, offset_of, size_of};
use std::num::{Saturating, Wrapping};
use std::ops::Deref;

/// `Copy`. It is what rustc names where a type derives [`Device`] without: the derive can't see what else is derived.
#[doc(hidden)]
pub trait DeriveCloneAndCopy: Copy {}

impl<T: Copy> DeriveCloneAndCopy for T {}

/// A type whose values can be copied to a device and back: the numbers, `bool` and `char`, fixed arrays, tuples, `Option`s and
/// `Reverse`, `Wrapping` and `Saturating` of device types, and structs and enums that derive `omp::Device`.
///
/// Derive it; it is the bound for generic code:
///
/// ```ignore
/// #[derive(Clone, Copy, omp::Device)]
/// struct Particle { at: [f32; 3], mass: f32 }
/// ```
///
/// # Safety
/// [`DESC`](Self::DESC) describes the type exactly as rustc lays it out: every field at its offset, every valid bit
/// pattern of every field valid for the whole; of an enum with data, of the fields of the variant whose tag stands there. The type has no `Deref`. Only the derive
/// implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be used on a device: it is no `omp::Device` [omp::E0711]",
    label = "`{Self}` is not a device type",
    note = "device types are the integers of up to 64 bits, `u128`, `f32`, `f64`, `bool`, `char`, fixed arrays and tuples of device types, and structs and enums with `#[derive(Clone, Copy, omp::Device)]`",
    note = "help: derive it for a struct or enum of yours; a type parameter needs the bound `T: omp::Device`; references and types that own memory (`Vec`, `String`, `Box`) can't go to a device"
)]
pub unsafe trait Device: DeriveCloneAndCopy + Send + Sync + Operand + 'static {
    /// The type as rustc lays it out.
    #[doc(hidden)]
    const DESC: &'static TypeDesc;
    /// A valid value: what device memory holds before anything is written to it. All zero bits where that is valid.
    #[doc(hidden)]
    const FILL: Self;
    /// The device function that an operator of this type and `rhs` is (a unary one is on `()`), for code that knows
    /// the type as a type parameter only.
    #[doc(hidden)]
    fn operator(_op: OpKind, _rhs: TypeId, _cx: &mut Describe) -> Option<Callee> {
        None
    }
    /// How the declared reduction `op` combines values of this type, for the same code.
    #[doc(hidden)]
    fn reduction(_op: ReduceOp) -> Option<DeclaredReduction<Self>> {
        None
    }
    /// Refuses the region where a device would not compare the values as the host does, for the same code.
    #[doc(hidden)]
    fn asked(_how: Comparison, _cx: &mut Describe) {}
}

/// A declared reduction of values of a type.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct DeclaredReduction<T> {
    /// The identity.
    pub identity: fn() -> T,
    /// `a ⊕ b`
    pub with: fn(T, T) -> T,
    /// Adds the device function to a region's description.
    pub operator: fn(&mut Describe),
}

// Without `T: Device`: a derive requires each primitive that its parameter may be, and a field that is no device type is to
// be reported once, at the field.
impl<T: 'static> DeclaredReduction<T> {
    /// What was found for `T`, where it turns out to be `S`.
    #[must_use]
    pub fn of_itself<S: Device>(found: Option<Self>) -> Option<DeclaredReduction<S>> {
        (&found as &dyn std::any::Any).downcast_ref::<Option<DeclaredReduction<S>>>().copied().flatten()
    }
}

/// A value to begin with, of the type that is assigned later.
#[inline]
#[must_use]
pub fn fill<T: Device>() -> T {
    T::FILL
}

/// What a derive reads of the type of a field.
#[derive(Debug, Clone, Copy)]
pub struct Part<T> {
    /// [`Device::DESC`].
    pub desc: &'static TypeDesc,
    /// [`Device::FILL`].
    pub fill: T,
}

/// Both by one function, so that rustc has the same words for both where `T` is no device type, and says them once.
pub const fn part_of<T: Device>() -> Part<T> {
    Part { desc: T::DESC, fill: T::FILL }
}

/// `&mut x[i]` as an argument, in the copy: it borrows nothing, as others may be elements of the same array.
pub fn element_to_change<'a, T: ?Sized>(_: &T) -> &'a mut T {
    super::call::probe::never()
}

/// As [`part_of`], of a `PhantomData`, whose parameter may be any type.
#[must_use]
pub const fn phantom<T: PhantomField>() -> Part<T> {
    Part { desc: &TypeDesc::Unit, fill: T::FILL }
}

/// `PhantomData`.
pub trait PhantomField {
    /// Its value.
    const FILL: Self;
}

impl<T: ?Sized> PhantomField for PhantomData<T> {
    const FILL: Self = Self;
}

/// What a local variable of a region can hold: device types, `Option`s of them, and `()`.
///
/// # Safety
/// `DESC` describes the type as rustc lays it out (see [`Device`]).
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be used on a device: it is no `omp::Device` [omp::E0711]",
    label = "`{Self}` is not a device type",
    note = "device types are the integers of up to 64 bits, `u128`, `f32`, `f64`, `bool`, `char`, fixed arrays and tuples of device types, and structs and enums with `#[derive(Clone, Copy, omp::Device)]`",
    note = "help: derive it for a struct or enum of yours; copy a value behind `&mut` or two `&` before the loop (`let p = *p;`); pass an array of a field as `&self.x[..]`; write a table as a `const` or `static` of a type `[T; N]`, not `&[T; N]`; of a struct that owns arrays, loops of its own module may call the methods, others use the fields: `m.data[i * m.cols + j]`"
)]
pub unsafe trait Value: Copy + 'static {
    /// The type as rustc lays it out.
    #[doc(hidden)]
    const DESC: &'static TypeDesc;
    /// [`Device::reduction`].
    #[doc(hidden)]
    fn reduction(_op: ReduceOp) -> Option<DeclaredReduction<Self>> {
        None
    }
}

// SAFETY: described as `Device` demands.
unsafe impl<T: Device> Value for T {
    const DESC: &'static TypeDesc = T::DESC;

    #[inline(always)]
    fn reduction(op: ReduceOp) -> Option<DeclaredReduction<Self>> {
        <T as Device>::reduction(op)
    }
}

/// A const or static that a body names: a value, or a table behind a reference, `const T: &[u8; 64]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be used on a device: it is no `omp::Device` [omp::E0711]",
    label = "`{Self}` is not a device type",
    note = "device types are the integers of up to 64 bits, `u128`, `f32`, `f64`, `bool`, `char`, fixed arrays and tuples of device types, and structs and enums with `#[derive(Clone, Copy, omp::Device)]`",
    note = "help: a table is a `const` or `static` of a type `[T; N]` or `&[T; N]`; derive `omp::Device` for a struct or enum of yours"
)]
pub trait Konst {
    /// What a device has of it.
    type Held: Value;
    /// That value.
    fn held(&self) -> &Self::Held;
}

impl<T: Value> Konst for T {
    type Held = T;

    fn held(&self) -> &T {
        self
    }
}

impl<T: Device, const N: usize> Konst for &'static [T; N] {
    type Held = [T; N];

    fn held(&self) -> &[T; N] {
        self
    }
}

/// A fixed array, or a reference to one.
pub trait Table {
    /// Of its elements.
    type Elem;
    /// As a slice.
    fn elements(&self) -> &[Self::Elem];
}

impl<T, const N: usize> Table for [T; N] {
    type Elem = T;

    fn elements(&self) -> &[T] {
        self
    }
}

impl<T, const N: usize> Table for &[T; N] {
    type Elem = T;

    fn elements(&self) -> &[T] {
        &self[..]
    }
}

impl<T> Table for &[T] {
    type Elem = T;

    fn elements(&self) -> &[T] {
        self
    }
}

/// How many elements a table has, known where it is compiled.
#[derive(Debug)]
pub struct Length<R>(pub R);

impl<T, const N: usize> Length<&[T; N]> {
    /// The number.
    #[must_use]
    pub const fn of_table(&self) -> usize {
        N
    }
}

impl<T, const N: usize> Length<&&[T; N]> {
    /// The number.
    #[must_use]
    pub const fn of_table(&self) -> usize {
        N
    }
}

impl<T> Length<&&[T]> {
    /// The number.
    #[must_use]
    pub const fn of_table(&self) -> usize {
        self.0.len()
    }
}

/// A table as the array that it is: `const T: &[u8] = &[1, 2]` has its length in its value alone.
///
/// # Panics
/// Never: `N` is the length.
#[must_use]
pub fn array_of<T, const N: usize>(table: &[T]) -> &[T; N] {
    table.try_into().expect("the length is that of the table itself")
}

/// The elements of a const or static.
#[inline(always)]
pub fn of_table<T: Table>(table: &T) -> &[T::Elem] {
    table.elements()
}

/// The value of a place as it is now.
#[inline(always)]
#[must_use]
pub fn taken<T: Value>(place: &T) -> T {
    *place
}

/// The tag at the start of an `Option` or `Result` that has one. A constant can't read bytes that are not initialised, so this also shows
/// that a tag of this width stands there.
const fn tag_at_start<O>(value: &O, tag: usize) -> u64 {
    let at = &raw const *value;
    // SAFETY: only constants call it, and rustc refuses constants that read uninitialised memory. The alignment is at least `tag`.
    unsafe {
        match tag {
            1 => *at.cast::<u8>() as u64,
            2 => *at.cast::<u16>() as u64,
            4 => *at.cast::<u32>() as u64,
            _ => *at.cast::<u64>(),
        }
    }
}

/// How rustc lays out an `Option<T>`, if it is known and stands in memory.
const fn layout_of_option<T: Device>() -> Option<OptionLayout> {
    match T::DESC.size() {
        None | Some(0) => return None,
        Some(_) => {}
    }
    if size_of::<Option<T>>() == size_of::<T>() {
        return niche_in::<T>(T::DESC, 0);
    }
    if align_of::<T>() > 8 {
        return None;
    }
    let tag = align_of::<T>();
    let some = Some(T::FILL);
    let Some(value) = &some else { return None };
    // SAFETY: the value is in the `Option`.
    let offset = unsafe { offset_in(&some, value) };
    assert!(
        size_of::<Option<T>>() == tag + size_of::<T>()
            && align_of::<Option<T>>() == tag
            && offset == tag
            && tag_at_start(&some, tag) == 1
            && tag_at_start(&None::<T>, tag) == 0,
        "this rustc lays out `Option` in a way that omp doesn't know"
    );
    Some(OptionLayout::tag(tag))
}

/// Where rustc keeps the `None` of an `Option<T>` as large as `T`: in an integer of the part of `T` that is described and stands at an
/// offset. Which integer it takes, and which bit pattern, differs between versions of rustc, so both are tried and read.
const fn niche_in<T: Device>(desc: &TypeDesc, at: usize) -> Option<OptionLayout> {
    // An integer, and a pattern that some value has there.
    let (offset, prim, valid) = match desc {
        TypeDesc::Unit => return None,
        TypeDesc::Prim(Prim::Bool) => (at, Prim::U8, 0),
        TypeDesc::Prim(Prim::Char) => (at, Prim::U32, 0),
        TypeDesc::Prim(_) => return None,
        TypeDesc::Array { elem, len } => return if *len > 0 { niche_in::<T>(elem, at) } else { None },
        TypeDesc::Struct(s) => {
            let mut i = 0;
            while i < s.fields.len() {
                let found = niche_in::<T>(s.fields[i].ty, at + s.fields[i].offset);
                if found.is_some() {
                    return found;
                }
                i += 1;
            }
            return None;
        }
        TypeDesc::Enum(e) => match OptionLayout::tag(e.size) {
            OptionLayout::Tag(prim) if !e.variants.is_empty() => (at, prim, e.variants[0].2),
            _ => return None,
        },
        TypeDesc::Data(d) if !d.variants.is_empty() => (at, d.tag.unsigned(), d.variants[0].tag),
        TypeDesc::Data(_) => return None,
        TypeDesc::Option(o) => match o.layout {
            Some(layout) => (at + layout.decider().0, layout.decider().1, layout.none()),
            None => return None,
        },
    };
    let mut option = MaybeUninit::new(None::<T>);
    // SAFETY: the integer is a part of `T`, as described. Written to a `None`, a valid pattern makes it a `Some` if rustc keeps the `None` there, and else
    // leaves it a `None`: the test reads only what tells them apart, so it never finds a pattern that is neither.
    #[expect(clippy::redundant_pattern_matching, reason = "`is_none` would make a reference to the value")]
    let is_none = unsafe {
        let integer = option.as_mut_ptr().byte_add(offset);
        match prim.size() {
            1 => integer.cast::<u8>().write(valid as u8),
            2 => integer.cast::<u16>().write(valid as u16),
            4 => integer.cast::<u32>().write(valid as u32),
            _ => integer.cast::<u64>().write(valid),
        }
        matches!(*option.as_ptr(), None)
    };
    if is_none {
        return None;
    }
    let none = None::<T>;
    // SAFETY: in a `None`, the integer that tells it from `Some` is initialised.
    let none = unsafe {
        let integer = (&raw const none).byte_add(offset);
        match prim.size() {
            1 => *integer.cast::<u8>() as u64,
            2 => *integer.cast::<u16>() as u64,
            4 => *integer.cast::<u32>() as u64,
            _ => *integer.cast::<u64>(),
        }
    };
    Some(OptionLayout::Niche { offset, prim, none })
}

#[diagnostic::do_not_recommend]
// SAFETY: where the description has a layout, it has been tried; values without a layout stay inside kernels.
unsafe impl<T: Device> Device for Option<T> {
    const DESC: &'static TypeDesc =
        &TypeDesc::Option(&OptionDesc { of: <T as Device>::DESC, layout: layout_of_option::<T>() });
    const FILL: Self = {
        assert!(
            <Self as Device>::DESC.size().is_some(),
            "the value of this `Option` has no bytes, or a `u128` in it. On devices it can be a variable, but no part of a struct or array: \
             keep a `bool` next to the value"
        );
        None
    };

    fn operator(op: OpKind, _: TypeId, cx: &mut Describe) -> Option<Callee> {
        if let Some(how) = Comparison::of(op) {
            Self::asked(how, cx);
        }
        None
    }

    fn asked(how: Comparison, cx: &mut Describe) {
        T::asked(how, cx);
    }
}

// SAFETY: described as `Device` demands.
unsafe impl Value for Option<()> {
    const DESC: &'static TypeDesc = &TypeDesc::Option(&OptionDesc { of: &TypeDesc::Unit, layout: None });
}

/// Where the tag and the values of a `Result` stand.
#[derive(Clone, Copy)]
struct ResultLayout {
    /// It is rustc's.
    agreed: bool,
    tag: Prim,
    /// The offsets of both values.
    at: [usize; 2],
    size: usize,
    align: usize,
}

impl ResultLayout {
    /// The layout with a tag of this width in front of the values.
    const fn with_tag(width: usize, [ok, err]: [&TypeDesc; 2], agreed: bool) -> Self {
        let at = [most(width, ok.align()), most(width, err.align())];
        let align = most(at[0], at[1]);
        let (Some(ok), Some(err)) = (ok.size(), err.size()) else {
            panic!("what is in a `Result` has a size")
        };
        let size = most(at[0] + ok, at[1] + err).next_multiple_of(align);
        Self { agreed, tag: tag_type(width, false), at, size, align }
    }

    /// The size of the tag and one of the values.
    const fn extent(&self, of: usize, ty: &TypeDesc) -> usize {
        let Some(size) = ty.size() else { return self.size };
        (self.at[of] + size).next_multiple_of(self.at[of])
    }

    /// The library's own, of a `Result` that stays inside kernels: that of an enum of this form under `#[repr(u32)]`.
    const fn own(values: [&TypeDesc; 2]) -> Self {
        Self::with_tag(4, values, false)
    }

    /// Rustc's, if that has a tag in front of the values, as wide as the less aligned one; otherwise the library's own.
    const fn of<T: Device, E: Device>() -> Self {
        let values: [&TypeDesc; 2] = [<T as Device>::DESC, <E as Device>::DESC];
        let own = Self::own_if_sized(values);
        let (Some(ok), Some(err)) = (values[0].size(), values[1].size()) else { return own };
        let width = least(values[0].align(), values[1].align());
        if ok == 0 || err == 0 || width > 8 {
            return own;
        }
        let layout = Self::with_tag(width, values, true);
        // A `Result` without a tag is smaller.
        if layout.size != size_of::<Result<T, E>>() || layout.align != align_of::<Result<T, E>>() {
            return own;
        }
        let (first, second): (Result<T, E>, Result<T, E>) = (Ok(T::FILL), Err(E::FILL));
        let (Ok(value), Err(error)) = (&first, &second) else { return own };
        // SAFETY: the values are in the `Result`s.
        let at = unsafe { [offset_in(&first, value), offset_in(&second, error)] };
        if at[0] != layout.at[0] || at[1] != layout.at[1] {
            return own;
        }
        assert!(
            tag_at_start(&first, width) == 0 && tag_at_start(&second, width) == 1,
            "this rustc lays out `Result` in a way that omp doesn't know"
        );
        layout
    }

    /// [`Self::own`]; values that have no size are laid out by each device alone.
    const fn own_if_sized(values: [&TypeDesc; 2]) -> Self {
        match (values[0].size(), values[1].size()) {
            (Some(_), Some(_)) => Self::own(values),
            _ => Self { agreed: false, tag: Prim::U32, at: [4, 4], size: 8, align: 4 },
        }
    }
}

const fn least(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

const fn most(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// The description of a `Result` of two described types in a layout.
macro_rules! result_of {
    ($layout:expr, $ok:expr, $err:expr) => {
        &TypeDesc::Data(&DataDesc {
            name: "Result",
            size: $layout.size,
            align: $layout.align,
            tag: $layout.tag,
            agreed: $layout.agreed,
            result: true,
            variants: &[
                result_of!(@variant "Ok", 0, $layout, $ok),
                result_of!(@variant "Err", 1, $layout, $err),
            ],
        })
    };
    (@variant $name:literal, $tag:literal, $layout:expr, $ty:expr) => {
        VariantDesc {
            name: $name,
            tag: $tag,
            fields: &StructDesc {
                name: $name,
                derived: Derived::Nothing,
                size: $layout.extent($tag, $ty),
                align: $layout.at[$tag],
                fields: &[FieldDesc { name: "0", ty: $ty, offset: $layout.at[$tag] }],
            },
        }
    };
}

#[diagnostic::do_not_recommend]
// SAFETY: `FILL` asserts that the layout is rustc's; values of another one stay inside kernels.
unsafe impl<T: Device, E: Device> Device for Result<T, E> {
    const DESC: &'static TypeDesc =
        result_of!(ResultLayout::of::<T, E>(), <T as Device>::DESC, <E as Device>::DESC);
    const FILL: Self = {
        assert!(
            ResultLayout::of::<T, E>().agreed,
            "rustc keeps which value this `Result` has in a bit pattern that `bool`, `char`, enums and `Option`s leave free. On devices \
             it can be a variable, but no part of a struct or array: keep an `Option` of a number, or an error code next to the value"
        );
        Ok(T::FILL)
    };
}

macro_rules! results_with_units {
    ($([$($g:ident)?] $ok:ty, $err:ty;)*) => { $(
        // SAFETY: no memory of the host's holds one that a device sees, so the layout is the library's own.
        unsafe impl<$($g: Device)?> Value for Result<$ok, $err> {
            const DESC: &'static TypeDesc = result_of!(
                ResultLayout::own_if_sized([<$ok as Value>::DESC, <$err as Value>::DESC]),
                <$ok as Value>::DESC,
                <$err as Value>::DESC
            );
        }

        // SAFETY: described as `Device` demands.
        unsafe impl<$($g: Device)?> Value for Option<Result<$ok, $err>> {
            const DESC: &'static TypeDesc = &TypeDesc::Option(&OptionDesc { of: <Result<$ok, $err> as Value>::DESC, layout: None });
        }
    )* };
}
results_with_units! {
    [E] (), E;
    [T] T, ();
    [] (), ();
}

// SAFETY: described as `Device` demands.
unsafe impl Value for () {
    const DESC: &'static TypeDesc = &TypeDesc::Unit;
}

// SAFETY: it has no bytes, and one value.
unsafe impl<T: ?Sized + 'static> Value for PhantomData<T> {
    const DESC: &'static TypeDesc = &TypeDesc::Unit;
}

/// Compiles only for device types.
#[inline(always)]
pub fn is_device<T: Device>() {}

/// Compiles only for what a variable of a region can hold.
#[inline(always)]
pub fn is_value<T: Value>() {}

/// A method of a declared trait on a type whose `impl` bears no attribute.
pub fn undeclared_impl<T>(cx: &mut Describe, of: &str, method: &str) {
    cx.fault(|| {
        let ty = std::any::type_name::<T>();
        format!(
            "`{method}` of `{ty}` is no device function: put `#[omp::declare_target]` on its `impl {of} for {ty}`"
        )
    });
}

/// Implemented by the derive for every device type, and by everything that has `Deref`: a type with both is a
/// conflict that the compiler reports. (Field access and indexing of a type with `Deref` could mean something else
/// than its tokens say.)
pub trait NoDeref {}

impl<T: Deref + ?Sized> NoDeref for T {}

macro_rules! prims {
    ($($t:ty => $prim:ident, $fill:expr;)*) => { $(
        #[diagnostic::do_not_recommend]
        // SAFETY: rustc and `Prim` agree on size and alignment of the type (asserted below); all of its valid bit
        // patterns are those of the primitive.
        unsafe impl Device for $t {
            const DESC: &'static TypeDesc = &TypeDesc::Prim(Prim::$prim);
            const FILL: Self = $fill;
        }
        const _: () = assert!(size_of::<$t>() == Prim::$prim.size() && align_of::<$t>() == Prim::$prim.size());
    )* };
}

prims! {
    bool => Bool, false;
    char => Char, '\0';
    i8 => I8, 0;
    i16 => I16, 0;
    i32 => I32, 0;
    i64 => I64, 0;
    isize => Isize, 0;
    u8 => U8, 0;
    u16 => U16, 0;
    u32 => U32, 0;
    u64 => U64, 0;
    usize => Usize, 0;
    u128 => U128, 0;
    f32 => F32, 0.0;
    f64 => F64, 0.0;
}

// SAFETY: `Ordering` is `repr(i8)` with these three discriminants, so one byte whose bits are theirs.
unsafe impl Device for Ordering {
    const DESC: &'static TypeDesc = &TypeDesc::Enum(&EnumDesc {
        name: "Ordering",
        size: size_of::<Self>(),
        variants: &[("Less", -1, 0xff), ("Equal", 0, 0), ("Greater", 1, 1)],
    });
    const FILL: Self = Self::Equal;
}
const _: () =
    assert!(size_of::<Ordering>() == 1 && Ordering::Less as i8 == -1 && Ordering::Greater as i8 == 1);

// SAFETY: an array is its elements, one after the other, without padding between them.
unsafe impl<T: Device, const N: usize> Device for [T; N] {
    const DESC: &'static TypeDesc = &TypeDesc::Array { elem: <T as Device>::DESC, len: N };
    const FILL: Self = {
        // rustc has this value in memory while it compiles, several times.
        assert!(
            size_of::<Self>() <= 1 << 26,
            "an array in an `omp::Device` type has at most 64 MiB: map a `Vec` or slice of its elements instead"
        );
        [T::FILL; N]
    };

    fn operator(op: OpKind, _: TypeId, cx: &mut Describe) -> Option<Callee> {
        if let Some(how) = Comparison::of(op) {
            Self::asked(how, cx);
        }
        None
    }

    fn asked(how: Comparison, cx: &mut Describe) {
        T::asked(how, cx);
    }
}

macro_rules! of_one_part {
    ($($of:ident $derived:ident)*) => { $(
        #[diagnostic::do_not_recommend]
        // SAFETY: offset, size and alignment are computed by rustc.
        unsafe impl<T: Device> Device for $of<T> {
            const DESC: &'static TypeDesc = &TypeDesc::Struct(&StructDesc {
                name: stringify!($of),
                derived: Derived::$derived,
                size: size_of::<Self>(),
                align: align_of::<Self>(),
                fields: &[FieldDesc { name: "0", ty: <T as Device>::DESC, offset: offset_of!(Self, 0) }],
            });
            const FILL: Self = Self(T::FILL);

            fn operator(op: OpKind, _: TypeId, cx: &mut Describe) -> Option<Callee> {
                if let Some(how) = Comparison::of(op) {
                    Self::asked(how, cx);
                }
                None
            }

            fn asked(how: Comparison, cx: &mut Describe) {
                T::asked(how, cx);
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: CloneCopies> CloneCopies for $of<T> {}
    )* };
}
of_one_part!(Reverse Reversed Wrapping Wrapping Saturating Saturating);

macro_rules! tuples {
    ($(($($T:ident $i:tt),+))*) => { $(
        #[diagnostic::do_not_recommend]
        // SAFETY: offsets, size and alignment are computed by rustc.
        unsafe impl<$($T: Device),+> Device for ($($T,)+) {
            const DESC: &'static TypeDesc = &TypeDesc::Struct(&StructDesc {
                name: "(…)",
                derived: Derived::Order,
                size: size_of::<Self>(),
                align: align_of::<Self>(),
                fields: &[$(FieldDesc {
                    name: stringify!($i),
                    ty: <$T as Device>::DESC,
                    offset: offset_of!(Self, $i),
                }),+],
            });
            const FILL: Self = ($($T::FILL,)+);

            fn operator(op: OpKind, _: TypeId, cx: &mut Describe) -> Option<Callee> {
                if let Some(how) = Comparison::of(op) {
                    Self::asked(how, cx);
                }
                None
            }

            fn asked(how: Comparison, cx: &mut Describe) {
                $($T::asked(how, cx);)+
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($T: CloneCopies),+> CloneCopies for ($($T,)+) {}
    )* };
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11)
}

/// Types whose `Clone` copies, as is known without looking into it: `.cloned()` of others may run the user's code.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`cloned` calls the `Clone` of `{Self}`, which is no device function [omp::E0709]",
    label = "the items are cloned",
    note = "help: write `.copied()`: all device types are `Copy`"
)]
pub trait CloneCopies: Copy {}

macro_rules! clone_copies {
    ($($t:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl CloneCopies for $t {}
    )* };
}
clone_copies!(i8 i16 i32 i64 isize u8 u16 u32 u64 u128 usize f32 f64 bool char Ordering);

#[diagnostic::do_not_recommend]
impl<T: CloneCopies, const N: usize> CloneCopies for [T; N] {}

/// An item of `.cloned()`.
#[inline(always)]
pub fn clone_of<T: CloneCopies>(item: T) -> T {
    item
}

/// The offset of a field of type `F` in an `S`, which has to be laid out as devices have it.
///
/// # Panics
/// While compiling, when the field isn't aligned.
#[must_use]
#[track_caller]
pub const fn aligned_field<S, F>(offset: usize) -> usize {
    assert!(
        align_of::<S>() >= align_of::<F>() && offset.is_multiple_of(align_of::<F>()),
        "a packed struct can't be an `omp::Device`: devices load aligned fields; remove `packed`"
    );
    offset
}

/// The bits of a value of a field-less enum as they stand in memory.
///
/// # Safety
/// `T` is a field-less enum of 1, 2, 4 or 8 bytes.
#[must_use]
pub const unsafe fn enum_bits<T>(value: T) -> u64 {
    let value = ManuallyDrop::new(value);
    let at = &raw const value;
    // SAFETY: a field-less enum has no padding, so all of its bytes are initialised; the type read is as large as it
    // (and aligned the same, as its layout is that of an integer).
    unsafe {
        match size_of::<T>() {
            1 => *at.cast::<u8>() as u64,
            2 => *at.cast::<u16>() as u64,
            4 => *at.cast::<u32>() as u64,
            8 => *at.cast::<u64>(),
            _ => panic!(
                "an `omp::Device` enum has 1, 2, 4 or 8 bytes: more than one variant, or a `repr` that says so"
            ),
        }
    }
}

/// How many bytes from the start of a value one of its fields is.
///
/// # Safety
/// `part` is in `whole`.
#[must_use]
pub const unsafe fn offset_in<E, F>(whole: &E, part: &F) -> usize {
    // SAFETY: both are in one value, by the caller.
    unsafe { (&raw const *part).cast::<u8>().offset_from((&raw const *whole).cast::<u8>()) as usize }
}

/// The size of the tag in front of the fields of an enum without a representation: rustc makes it as wide as the space there. `None` if
/// there is none: a field at the start shares its bytes with the tag.
///
/// The arguments are the offset, the size and the alignment of each field of each variant.
#[must_use]
pub const fn tag_before(fields: &[(usize, usize, usize)]) -> Option<usize> {
    let (mut first, mut i) = (usize::MAX, 0);
    while i < fields.len() {
        let (offset, size, align) = fields[i];
        if size > 0 || align > 1 {
            first = least(first, offset);
        }
        i += 1;
    }
    match first {
        1 | 2 | 4 | 8 => Some(first),
        _ => None,
    }
}

/// The integer type of a tag.
#[must_use]
pub const fn tag_type(size: usize, signed: bool) -> Prim {
    match (size, signed) {
        (1, false) => Prim::U8,
        (2, false) => Prim::U16,
        (4, false) => Prim::U32,
        (_, false) => Prim::U64,
        (1, true) => Prim::I8,
        (2, true) => Prim::I16,
        (4, true) => Prim::I32,
        (_, true) => Prim::I64,
    }
}

/// The tag of a value of an enum with data.
///
/// # Safety
/// A tag of `size` bytes is at the start of values of `E`. (In a constant, rustc refuses to read one that is wider than what is initialised.)
#[must_use]
pub const unsafe fn tag_of<E>(value: E, size: usize) -> u64 {
    let value = ManuallyDrop::new(value);
    let at = &raw const value;
    // SAFETY: the integer stands at the start of the value, which is aligned for it, by the caller.
    unsafe {
        match size {
            1 => *at.cast::<u8>() as u64,
            2 => *at.cast::<u16>() as u64,
            4 => *at.cast::<u32>() as u64,
            _ => *at.cast::<u64>(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the derive requires of every field, whatever made the struct packed.
    #[test]
    fn packed_fields_are_refused() {
        #[repr(C, packed(2))]
        struct Packed(u16, u32);
        #[repr(C, align(4))]
        struct Shifted([u8; 2], [u8; 4]);
        assert_eq!(aligned_field::<Packed, u16>(core::mem::offset_of!(Packed, 0)), 0);
        std::panic::catch_unwind(|| aligned_field::<Packed, u32>(core::mem::offset_of!(Packed, 1)))
            .unwrap_err();
        std::panic::catch_unwind(|| aligned_field::<Shifted, u32>(core::mem::offset_of!(Shifted, 1)))
            .unwrap_err();
    }

    #[test]
    fn nested_types_are_described_as_laid_out() {
        let TypeDesc::Struct(s) = <(u8, [f64; 3], (i16, bool)) as Device>::DESC else {
            panic!("a tuple is a struct")
        };
        assert_eq!(s.size, size_of::<(u8, [f64; 3], (i16, bool))>());
        assert_eq!(s.fields.iter().map(|f| f.name).collect::<Vec<_>>(), ["0", "1", "2"]);
        for f in s.fields {
            assert_eq!(f.offset % f.ty.align(), 0);
            assert!(f.offset + f.ty.size().unwrap() <= s.size);
        }
        assert_eq!(s.fields[1].ty, &TypeDesc::Array { elem: &TypeDesc::Prim(Prim::F64), len: 3 });
    }

    /// The layout of an `Option<T>`, after a look at the bytes of `None` and of `Some`s.
    fn layout<T: Device>(values: &[T]) -> Option<OptionLayout> {
        let TypeDesc::Option(OptionDesc { of, layout }) = <Option<T> as Value>::DESC else {
            panic!("it is an `Option`")
        };
        assert_eq!(*of, T::DESC);
        let size = size_of::<Option<T>>();
        assert_eq!(<Option<T> as Value>::DESC.size(), layout.map(|_| size));
        if let Some(layout) = layout {
            let none = crate::typing::konst_bytes(&None::<T>);
            assert!(!layout.is_some(&none), "{layout:?} of {none:?}");
            for value in values {
                let some = crate::typing::konst_bytes(&Some(*value));
                assert!(layout.is_some(&some), "{layout:?} of {some:?}");
                let at = layout.value_at();
                assert_eq!(some[at..at + size_of::<T>()], crate::typing::konst_bytes(value));
            }
        }
        *layout
    }

    #[test]
    fn options_are_described_as_laid_out() {
        assert_eq!(layout(&[0u16, u16::MAX]), Some(OptionLayout::Tag(Prim::U16)));
        assert_eq!(layout(&[(1u8, 2.0f64)]), Some(OptionLayout::Tag(Prim::U64)));
        assert_eq!(layout(&[[0u8; 3]]), Some(OptionLayout::Tag(Prim::U8)));
        assert_eq!(layout(&[0u128]), None);
        assert_eq!(layout(&[[0u8; 0]]), None);
        assert_eq!(layout(&[[false; 0]]), None);
        let byte = |offset, none| Some(OptionLayout::Niche { offset, prim: Prim::U8, none });
        assert_eq!(layout(&[false, true]), byte(0, 2));
        assert_eq!(layout(&[None, Some(false), Some(true)]), byte(0, 3));
        assert_eq!(layout(&[Some(Some(true)), Some(None), None]), byte(0, 4));
        assert_eq!(layout(&[Some(0u8), Some(255), None]), byte(0, 2));
        assert_eq!(layout(&[[true, false], [false, true]]), byte(0, 2));
        assert_eq!(layout(&[Ordering::Less, Ordering::Equal, Ordering::Greater]), byte(0, 2));
        let decider = |l: Option<OptionLayout>| l.map(OptionLayout::decider);
        assert_eq!(decider(layout(&['\0', char::MAX, '\u{d7ff}'])), Some((0, Prim::U32)));
        assert_eq!(decider(layout(&[(1u64, 'x'), (2, char::MAX)])), Some((8, Prim::U32)));
        // The tag has more free patterns than the `bool` has.
        assert_eq!(
            decider(layout(&[(true, None), (false, Some(1u32))])),
            Some((offset_of!((bool, Option<u32>), 1), Prim::U32))
        );
        assert_eq!(
            decider(layout(&[Some((true, 1u16)), None])),
            Some((offset_of!((bool, u16), 0), Prim::U8))
        );
        assert_eq!(decider(layout(&[Ok(1u32), Err(2u16)])), Some((0, Prim::U16)));
    }

    #[test]
    fn bits_of_enums_are_those_in_memory() {
        #[derive(Clone, Copy)]
        #[repr(i16)]
        enum Sign {
            Minus = -1,
            Plus = 7,
        }
        // SAFETY: a field-less enum of two bytes.
        assert_eq!(unsafe { (enum_bits(Sign::Minus), enum_bits(Sign::Plus)) }, (0xffff, 7));
    }
}
