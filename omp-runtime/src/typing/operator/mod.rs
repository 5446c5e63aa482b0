//! The meaning of operators in a body: rustc infers the operands' types, and traits over these types find the operator.
//!
//! `a + b` is also an operator in the typing copy, with its operands in an [`OpSlot`]: `o.l(a) + o.r(b)`. [`HasDeviceOp`] decides
//! its meaning on a device: the operator of primitives, or the device function that `#[omp::declare_target]` made of the `impl` of
//! a std operator ([`DeviceOp`]). If an operand's type is a type parameter, neither can be proved. Then the launch finds the
//! operators of the type with itself ([`Device::operator`]).
//!
//! **The check must not influence inference**, or the copy could call another operator than the host: with `impl Mul<u8>
//! for V` declared and `impl Mul<i32> for V` not, the `2` of `v * 2` is an `i32`. So the bound [`DeviceOp`] is on
//! [`Operand::Is`], which rustc can't normalise before it knows the operand's type.
pub mod by_name;
pub mod hosts;
pub mod ordered;

use super::call::{Builtin, DeviceFn};
use super::describe::Describe;
use super::device::Device;
use omp_ir::desc::TypeDesc;
use omp_ir::kernel::Callee;
use ordered::{ByParts, Comparable};
use std::any::{TypeId, type_name};
use std::marker::PhantomData;

/// The operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum OpKind {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    AddAssign,
    SubAssign,
    MulAssign,
    DivAssign,
    RemAssign,
    BitAndAssign,
    BitOrAssign,
    BitXorAssign,
    ShlAssign,
    ShrAssign,
    Neg,
    Not,
    /// `T::default()`, no operator but found like one.
    Default,
    /// `T::from(x)`, the same.
    From,
    /// `T::try_from(x)`, the same.
    TryFrom,
    Eq,
    Lt,
    Le,
    Gt,
    Ge,
}

/// An operator as a type.
pub trait Op: 'static {
    /// Which.
    const KIND: OpKind;
    /// As Rust writes it.
    const SYMBOL: &'static str;
}

/// The operators as types.
#[allow(missing_docs)]
pub mod ops {
    use super::{Op, OpKind};

    macro_rules! operators {
        ($($name:ident $symbol:literal)+) => { $(
            #[derive(Debug)]
            pub enum $name {}

            impl Op for $name {
                const KIND: OpKind = OpKind::$name;
                const SYMBOL: &'static str = $symbol;
            }
        )+ };
    }

    operators! {
        Add "+" Sub "-" Mul "*" Div "/" Rem "%" BitAnd "&" BitOr "|" BitXor "^" Shl "<<" Shr ">>"
        AddAssign "+=" SubAssign "-=" MulAssign "*=" DivAssign "/=" RemAssign "%=" BitAndAssign "&="
        BitOrAssign "|=" BitXorAssign "^=" ShlAssign "<<=" ShrAssign ">>="
        Neg "-" Not "!" Default "default()" From "from()" TryFrom "try_from()" Eq "==" Lt "<" Le "<=" Gt ">" Ge ">="
    }
}

/// What kinds of operand there are.
pub mod kind {
    /// A number or `bool`: its operators are built in.
    #[derive(Debug)]
    pub enum Prim {}
    /// A field-less enum: compared by its bits, which is what a derived `PartialEq` does.
    #[derive(Debug)]
    pub enum Enum {}
    /// A tuple, fixed array or `Option`: compared part by part.
    #[derive(Debug)]
    pub enum Parts {}
    /// `Wrapping` or `Saturating`: its operators are those of its number.
    #[derive(Debug)]
    pub enum Wrapper {}
    /// Any other device type.
    #[derive(Debug)]
    pub enum User {}
}

/// What can be an operand of an operator on a device: device types, and references to them.
pub trait Operand {
    /// The type itself, which rustc sees only when it knows the type.
    type Is: ?Sized;
    /// One of [`kind`].
    type Kind;
}

macro_rules! prims {
    ($($t:ty),*) => { $(
        impl Operand for $t {
            type Is = $t;
            type Kind = kind::Prim;
        }
    )* };
}
prims!(bool, char, i8, i16, i32, i64, isize, u8, u16, u32, u64, u128, usize, f32, f64, ());
// No type of a device, as is said where it comes from: of its operators there is nothing to add.
prims!(i128);

impl Operand for std::cmp::Ordering {
    type Is = Self;
    type Kind = kind::Enum;
}

impl<T> Operand for PhantomData<T> {
    type Is = Self;
    type Kind = kind::User;
}

impl<'a, T: Operand + 'a> Operand for &'a T
where
    T::Is: 'a,
{
    type Is = &'a T::Is;
    type Kind = T::Kind;
}

impl<T: Device, const N: usize> Operand for [T; N] {
    type Is = [T; N];
    type Kind = kind::Parts;
}

impl<T: Device> Operand for Option<T> {
    type Is = Self;
    type Kind = kind::Parts;
}

impl<T: Device, E: Device> Operand for Result<T, E> {
    type Is = Self;
    type Kind = kind::User;
}

impl<T: Device> Operand for std::cmp::Reverse<T> {
    type Is = Self;
    type Kind = kind::Parts;
}

impl<T: Device> Operand for std::num::Wrapping<T> {
    type Is = Self;
    type Kind = kind::Wrapper;
}

impl<T: Device> Operand for std::num::Saturating<T> {
    type Is = Self;
    type Kind = kind::Wrapper;
}

macro_rules! tuples {
    ($(($($T:ident)+))*) => { $(
        impl<$($T: Device),+> Operand for ($($T,)+) {
            type Is = ($($T,)+);
            type Kind = kind::Parts;
        }
    )* };
}
tuples! {
    (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) (A B C D E F G H I)
    (A B C D E F G H I J) (A B C D E F G H I J K) (A B C D E F G H I J K L)
}

/// An operator that is a device function: `#[omp::declare_target]` on the `impl` of a std operator implements it. A
/// unary one is on `()`.
///
/// # Safety
/// [`Self::Callee`] is the function that the host's operator calls.
#[diagnostic::on_unimplemented(
    message = "this operator of `{Self}` and `{B}` is no device function [omp::E0709]",
    label = "not an operator of a device",
    note = "help: put `#[omp::declare_target]` on the `impl` of the operator (`#[derive(PartialEq)]` makes one without it)"
)]
pub unsafe trait DeviceOp<O, B: ?Sized = Self> {
    /// The function's companion.
    type Callee: DeviceFn;

    /// The name of the operator's method finds it: the type has none of this name itself.
    #[must_use]
    fn is_found_by_name() -> bool {
        false
    }
}

macro_rules! by_reference {
    ($($op:ident)*) => { $(
        // SAFETY: std compares references by what they refer to, and no other `impl` of these operators for two references can exist.
        unsafe impl<A: ?Sized + DeviceOp<ops::$op, B>, B: ?Sized> DeviceOp<ops::$op, &B> for &A {
            type Callee = A::Callee;
        }
    )* };
}
by_reference!(Eq Lt Le Gt Ge);

/// By the operands' kinds: whose operator it is.
///
/// # Safety
/// [`Self::Callee`] is what the host's operator does.
#[diagnostic::on_unimplemented(
    message = "this operator of `{A}` and `{B}` is no device function [omp::E0709]",
    label = "not an operator of a device",
    note = "help: put `#[omp::declare_target]` on the `impl` of the operator (`#[derive(PartialEq)]` makes one without it)"
)]
pub unsafe trait Resolve<O, A: ?Sized, B: ?Sized> {
    /// The function's companion.
    type Callee: DeviceFn;

    /// [`DeviceOp::is_found_by_name`].
    #[must_use]
    fn is_found_by_name() -> bool {
        false
    }
}

// SAFETY: the callee is the operator's.
unsafe impl<O, A: ?Sized, B: ?Sized> Resolve<O, A, B> for (kind::Prim, kind::Prim) {
    type Callee = Builtin;

    fn is_found_by_name() -> bool {
        true
    }
}

macro_rules! by_user {
    ($(($a:ident, $b:ident))*) => { $(
        // SAFETY: the callee is the operator's.
        unsafe impl<O, A: ?Sized + DeviceOp<O, B>, B: ?Sized> Resolve<O, A, B> for (kind::$a, kind::$b) {
            type Callee = A::Callee;

            fn is_found_by_name() -> bool {
                A::is_found_by_name()
            }
        }
    )* };
}
by_user! {
    (Prim, User) (User, Prim) (User, User) (User, Enum) (Enum, User) (Prim, Enum) (Enum, Prim)
    (User, Parts) (Parts, User) (Prim, Parts) (Parts, Prim) (Enum, Parts) (Parts, Enum)
    (User, Wrapper) (Wrapper, User) (Prim, Wrapper) (Enum, Wrapper) (Wrapper, Enum) (Parts, Wrapper) (Wrapper, Parts)
}

// SAFETY: `w << 3`, `w += 1`, `-w`: the device's operator is that of the number, as in std. (No other crate can implement one.)
unsafe impl<O, A: ?Sized, B: ?Sized> Resolve<O, A, B> for (kind::Wrapper, kind::Prim) {
    type Callee = Builtin;

    fn is_found_by_name() -> bool {
        true
    }
}

macro_rules! of_wrappers {
    ($($op:ident)*) => { $(
        // SAFETY: the device's operator is that of the number, as in std.
        unsafe impl<A: ?Sized, B: ?Sized> Resolve<ops::$op, A, B> for (kind::Wrapper, kind::Wrapper) {
            type Callee = Builtin;

            fn is_found_by_name() -> bool {
                true
            }
        }
    )* };
}
of_wrappers! {
    Add Sub Mul Div Rem BitAnd BitOr BitXor AddAssign SubAssign MulAssign DivAssign RemAssign BitAndAssign BitOrAssign BitXorAssign
}

macro_rules! by_parts {
    ($($op:ident)*) => { $(
        // SAFETY: the callee is the operator's.
        unsafe impl<A: ?Sized + Comparable, B: ?Sized> Resolve<ops::$op, A, B> for (kind::Parts, kind::Parts) {
            type Callee = ByParts<A, ops::$op>;
        }

        // SAFETY: the callee is the operator's.
        unsafe impl<A: ?Sized + Comparable, B: ?Sized> Resolve<ops::$op, A, B> for (kind::Wrapper, kind::Wrapper) {
            type Callee = ByParts<A, ops::$op>;
        }
    )* };
}
by_parts!(Eq Lt Le Gt Ge);

macro_rules! of_enums {
    ($($op:ident)*) => { $(
        // SAFETY: the callee is the operator's.
        unsafe impl<A: ?Sized + DeviceOp<ops::$op, B>, B: ?Sized> Resolve<ops::$op, A, B> for (kind::Enum, kind::Enum) {
            type Callee = A::Callee;
        }
    )* };
}
of_enums! {
    Add Sub Mul Div Rem BitAnd BitOr BitXor Shl Shr AddAssign SubAssign MulAssign DivAssign RemAssign BitAndAssign
    BitOrAssign BitXorAssign ShlAssign ShrAssign From
}

// SAFETY: the callee is the operator's.
unsafe impl<A: ?Sized + EnumOperand, B: ?Sized> Resolve<ops::Eq, A, B> for (kind::Enum, kind::Enum) {
    type Callee = ByBits<A::Enum>;
}

macro_rules! in_order {
    ($($op:ident)*) => { $(
        // SAFETY: the callee is the operator's.
        unsafe impl<A: ?Sized + EnumOperand, B: ?Sized> Resolve<ops::$op, A, B> for (kind::Enum, kind::Enum) {
            type Callee = InOrder<A::Enum, ops::$op>;
        }
    )* };
}
in_order!(Lt Le Gt Ge);

/// A field-less enum, or a reference to one.
///
/// # Safety
/// [`Self::Enum`] is the type itself, behind its references.
pub unsafe trait EnumOperand {
    /// The enum.
    type Enum: Compared;
}

// SAFETY: the type itself.
unsafe impl<T: EnumOperand> EnumOperand for &T {
    type Enum = T::Enum;
}

/// How a field-less enum is compared; implemented by the derive.
///
/// # Safety
/// The answers are those of the host's comparisons of all values.
pub unsafe trait Compared: Device {
    /// Its `==` compares the bits of all values, as a derived one does.
    fn by_bits() -> bool;

    /// Its `<` and the like compare the numbers of all values, as derived ones do.
    fn by_order() -> bool;

    /// So do its `cmp`, `max` and `min`, as those of a derived `Ord` do.
    fn by_cmp() -> bool;

    /// Refuses a region that compares by order, unless the operator does.
    fn check_order(cx: &mut Describe) {
        if !Self::by_order() {
            cx.fault(|| {
                format!(
                    "`<` on `{}` is not that of `#[derive(PartialOrd)]`, by which a device orders enums: put \
                     `#[omp::declare_target]` on its `impl PartialOrd`",
                    type_name::<Self>(),
                )
            });
        }
    }

    /// Refuses a region that compares it, unless it does.
    fn check(cx: &mut Describe) {
        if !Self::by_bits() {
            cx.fault(|| {
                format!(
                    "`==` on `{}` is not that of `#[derive(PartialEq)]`, by which a device compares enums: `match` \
                     the values, or call a `#[omp::declare_target]` function that does",
                    type_name::<Self>(),
                )
            });
        }
    }
}

// SAFETY: the type itself.
unsafe impl EnumOperand for std::cmp::Ordering {
    type Enum = Self;
}

// SAFETY: a derived comparison.
unsafe impl Compared for std::cmp::Ordering {
    fn by_bits() -> bool {
        true
    }
    fn by_order() -> bool {
        true
    }
    fn by_cmp() -> bool {
        true
    }
}

/// The callee of `==` on an enum.
#[derive(Debug)]
pub struct ByBits<E>(PhantomData<fn() -> E>);

// SAFETY: no template, or that of the function.
unsafe impl<E: Compared> DeviceFn for ByBits<E> {
    const BUILTIN: bool = true;

    fn genuine() -> TypeId {
        TypeId::of::<()>()
    }

    fn describe(cx: &mut Describe) {
        E::check(cx);
    }
}

/// The callee of `<` and the like on an enum: the declared one if there is, else its numbers are compared.
#[derive(Debug)]
pub struct InOrder<E, O>(PhantomData<fn() -> (E, O)>);

// SAFETY: no template, or that of the function.
unsafe impl<E: Compared, O: Op> DeviceFn for InOrder<E, O> {
    const BUILTIN: bool = true;

    fn genuine() -> TypeId {
        TypeId::of::<()>()
    }

    fn describe(_: &mut Describe) {}

    fn found(cx: &mut Describe) -> Option<Callee> {
        // It has been checked there, if none is declared.
        Some(E::operator(O::KIND, TypeId::of::<E>(), cx).unwrap_or(Callee::Builtin))
    }
}

/// All values of an enum with their numbers, to compare each with each: `(&OrderW(&values)).omp_by_order()`.
pub struct OrderW<'a, E>(pub &'a [(E, i128)]);

shows_name!([E] OrderW<'_, E>, "OrderW");

/// It has `<`.
pub trait Order1 {
    /// [`Compared::by_order`].
    fn omp_by_order(&self) -> bool;
}

/// It has none, so this is not used.
pub trait Order0 {
    /// [`Compared::by_order`].
    fn omp_by_order(&self) -> bool;
}

impl<E: PartialOrd> Order1 for OrderW<'_, E> {
    fn omp_by_order(&self) -> bool {
        self.0.iter().all(|(a, i)| {
            self.0.iter().all(|(b, j)| {
                ((a < b), (a <= b), (a > b), (a >= b)) == ((i < j), (i <= j), (i > j), (i >= j))
                    && a.partial_cmp(b) == i.partial_cmp(j)
            })
        })
    }
}

impl<E> Order0 for &OrderW<'_, E> {
    fn omp_by_order(&self) -> bool {
        true
    }
}

/// All values of an enum, to compare each with each: `(&EqualW(&values)).omp_by_bits()`.
pub struct EqualW<'a, E>(pub &'a [E]);

shows_name!([E] EqualW<'_, E>, "EqualW");

/// It has `==`.
pub trait Equal1 {
    /// [`Compared::by_bits`].
    fn omp_by_bits(&self) -> bool;
}

/// It has none, so it is not compared.
pub trait Equal0 {
    /// [`Compared::by_bits`].
    fn omp_by_bits(&self) -> bool;
}

impl<E: PartialEq> Equal1 for EqualW<'_, E> {
    fn omp_by_bits(&self) -> bool {
        let values = || self.0.iter().enumerate();
        values().all(|(i, a)| values().all(|(j, b)| (a == b) == (i == j) && (a != b) == (i != j)))
    }
}

impl<E> Equal0 for &EqualW<'_, E> {
    fn omp_by_bits(&self) -> bool {
        true
    }
}

/// An operator that a device has.
///
/// # Safety
/// [`Self::Callee`] is what the host's operator does.
#[diagnostic::on_unimplemented(
    message = "this operator of `{Self}` and `{B}` is no device function [omp::E0709]",
    label = "not an operator of a device",
    note = "help: put `#[omp::declare_target]` on the `impl` of the operator (`#[derive(PartialEq)]` makes one without it)"
)]
pub unsafe trait HasDeviceOp<O, B> {
    /// The function's companion; [`Builtin`] for those of primitives.
    type Callee: DeviceFn;

    /// [`DeviceOp::is_found_by_name`].
    fn is_found_by_name() -> bool;
}

#[diagnostic::do_not_recommend]
// SAFETY: the callee is the operator's.
unsafe impl<O, A: Operand, B: Operand> HasDeviceOp<O, B> for A
where
    (A::Kind, B::Kind): Resolve<O, A::Is, B::Is>,
{
    type Callee = <(A::Kind, B::Kind) as Resolve<O, A::Is, B::Is>>::Callee;

    fn is_found_by_name() -> bool {
        <(A::Kind, B::Kind) as Resolve<O, A::Is, B::Is>>::is_found_by_name()
    }
}

/// [`HasDeviceOp`] of an operator with one operand, which rustc's message names alone.
#[diagnostic::on_unimplemented(
    message = "this operator of `{Self}` is no device function [omp::E0709]",
    label = "not an operator of a device",
    note = "help: put `#[omp::declare_target]` on the `impl` of the operator"
)]
pub trait HasUnaryOp<O> {
    /// [`HasDeviceOp::Callee`].
    type Callee: DeviceFn;
}

#[diagnostic::do_not_recommend]
impl<O, A: HasDeviceOp<O, ()>> HasUnaryOp<O> for A {
    type Callee = A::Callee;
}

/// The phantom type of a marker of an operator and its operands, which owns none of them.
pub(super) type Of<O, A, B> = fn() -> (O, A, B);

/// Catches the operands of one operator.
pub struct OpSlot<O, A, B>(PhantomData<Of<O, A, B>>);

/// What a local of the typing copy catches.
#[inline(always)]
#[must_use]
pub const fn operator<'a, O, A, B>(_: *const [OpSlot<O, A, B>; 0]) -> &'a OpSlot<O, A, B> {
    &OpSlot(PhantomData)
}

impl<O, A, B> OpSlot<O, A, B> {
    /// The left operand, for `*o.l(x)`: what begins with a token of no name can bear the user's place from there to its end.
    #[inline(always)]
    pub fn l<'a>(&self, _: A) -> &'a A {
        super::call::probe::never()
    }

    /// The right operand.
    #[inline(always)]
    pub fn r<'a>(&self, _: B) -> &'a B {
        super::call::probe::never()
    }

    /// The left operand of `op=`.
    #[inline(always)]
    pub fn place(&self, _: &A) {}
}

impl<O, A> OpSlot<O, A, ()> {
    /// The operand of a unary operator.
    #[inline(always)]
    pub fn only<'a>(&self, _: A) -> &'a A {
        super::call::probe::never()
    }
}

shows_name!([O, A, B] OpSlot<O, A, B>, "OpSlot");

/// Reads an [`OpSlot`] in generic code: `(&&&&OpW(&slot)).omp_callee(cx)`.
pub struct OpW<'a, S>(pub &'a S);

shows_name!([S] OpW<'_, S>, "OpW");

/// A declared operator, whatever its type parameters are: `Point<T> * T`.
pub trait TellOp2 {
    /// What the operator is.
    fn omp_callee(&self, cx: &mut Describe) -> Callee;
}

/// The types are known well enough.
pub trait TellOp1 {
    /// What the operator is.
    fn omp_callee(&self, cx: &mut Describe) -> Callee;
}

/// A type parameter: the launch looks at the type itself.
pub trait TellOp0 {
    /// What the operator is.
    fn omp_callee(&self, cx: &mut Describe) -> Callee;
}

/// No device type, which another error says: this one keeps rustc from saying it once more.
pub trait TellOpNone {
    /// There is none.
    ///
    /// # Panics
    /// Always.
    fn omp_callee(&self, cx: &mut Describe) -> Callee;
}

impl<O, A: DeviceOp<O, B>, B> TellOp2 for &&&OpW<'_, OpSlot<O, A, B>> {
    fn omp_callee(&self, cx: &mut Describe) -> Callee {
        cx.callee::<A::Callee>()
    }
}

impl<O, A: HasDeviceOp<O, B>, B> TellOp1 for &&OpW<'_, OpSlot<O, A, B>> {
    fn omp_callee(&self, cx: &mut Describe) -> Callee {
        cx.callee::<A::Callee>()
    }
}

impl<O: Op, A: Device, B: 'static> TellOp0 for &OpW<'_, OpSlot<O, A, B>> {
    fn omp_callee(&self, cx: &mut Describe) -> Callee {
        A::operator(O::KIND, TypeId::of::<B>(), cx).unwrap_or(Callee::Builtin)
    }
}

/// What is no reference: a device type, or what a unary operator has in place of a right operand.
pub trait Value {}

impl<T: Device> Value for T {}
impl Value for () {}

/// The operator of references to values of a type: of these values, if it compares them, or if they are numbers. Other operators of references
/// are impls of their own, which generic code does not find.
fn of_references<O: Op, A: Device, B: 'static>(cx: &mut Describe) -> Callee {
    let compares = matches!(O::KIND, OpKind::Eq | OpKind::Lt | OpKind::Le | OpKind::Gt | OpKind::Ge);
    if !compares && !matches!(A::DESC, TypeDesc::Prim(_)) {
        cx.fault(|| {
            let (op, ty) = (O::SYMBOL, type_name::<A>());
            format!("generic code has no device function for `{op}` of references to `{ty}`: write it for values (`*a {op} *b`)")
        });
        return Callee::Builtin;
    }
    A::operator(O::KIND, TypeId::of::<B>(), cx).unwrap_or(Callee::Builtin)
}

macro_rules! references_to_parameters {
    ($($(#[$doc:meta])* $name:ident: $a:ty, $b:ty, $right:path;)*) => { $(
        $(#[$doc])*
        pub trait $name {
            /// What the operator is: that of the types themselves.
            fn omp_callee(&self, cx: &mut Describe) -> Callee;
        }

        impl<O: Op, A: Device, B: $right + 'static> $name for &OpW<'_, OpSlot<O, $a, $b>> {
            fn omp_callee(&self, cx: &mut Describe) -> Callee {
                of_references::<O, A, B>(cx)
            }
        }
    )* };
}
references_to_parameters! {
    /// References to type parameters: `x.iter().filter(|v| *v == first)`.
    TellOpRefs: &A, &B, Sized;
    /// References to references to them: `x.iter().filter(|v| v == &first)`.
    TellOpRefsOfRefs: &&A, &&B, Sized;
    /// A reference and a value, or nothing.
    TellOpRefAndValue: &A, B, Value;
}

impl<O, A, B> TellOpNone for OpW<'_, OpSlot<O, A, B>> {
    fn omp_callee(&self, _: &mut Describe) -> Callee {
        panic!("an operator of `{}`, which is no `omp::Device`", type_name::<A>())
    }
}

/// Whether `A: DeviceOp<O, B>`, checked where both are known: `(&DeclaredW::<O, A, B>::NEW).omp_declared(cx)`.
pub struct DeclaredW<O, A, B>(PhantomData<Of<O, A, B>>);

impl<O, A, B> DeclaredW<O, A, B> {
    /// The question.
    pub const NEW: Self = Self(PhantomData);
}

shows_name!([O, A, B] DeclaredW<O, A, B>, "DeclaredW");

/// It is.
pub trait Declared1 {
    /// The function.
    fn omp_declared(&self, cx: &mut Describe) -> Option<Callee>;
}

/// It is not.
pub trait Declared0 {
    /// None.
    fn omp_declared(&self, cx: &mut Describe) -> Option<Callee>;
}

impl<O, A: DeviceOp<O, B>, B> Declared1 for DeclaredW<O, A, B> {
    fn omp_declared(&self, cx: &mut Describe) -> Option<Callee> {
        Some(cx.callee::<A::Callee>())
    }
}

impl<O, A, B> Declared0 for &DeclaredW<O, A, B> {
    fn omp_declared(&self, _: &mut Describe) -> Option<Callee> {
        None
    }
}
