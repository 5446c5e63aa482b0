//! The types of a region, as rustc infers them.
//!
//! The macros infer nothing. Next to the host loop they put [`Slot`]s, [`Arr`]s and [`Call`]s into a copy of the body that never
//! runs. rustc unifies their parameters with the types of the user's expressions. At the first launch of each instance the types
//! are collected in a [`Describe`], which makes the [`RegionTypes`](omp_ir::kernel::RegionTypes) that finalisation takes.
//!
//! * [`device`]: the trait `omp::Device` and how rustc's types are described.
//! * [`mod@slot`]: the places that catch types, and the pinning of mapped containers.
//! * [`mod@call`]: how the callee of a call is found.
//!   In its folder: [`call::probe`]: whether the host's method is the device's; [`call::convert`]: conversions by `T::from(x)` and
//!   `x.into()`; [`call::default`]: values by `T::default()`; [`methods`]: the built-in methods under their mangled names; `num`:
//!   the traits of `num_traits`, under the feature of that name.
//! * [`mod@operator`]: whose operator an operator is; [`by_name`]: operators by the names of their methods.
//! * [`names`]: whether two tokens of one text are one variable.
//! * [`describe`]: where the types are collected.

pub mod bound;
pub mod call;
pub mod describe;
pub mod device;
pub mod names;
pub mod operator;
pub mod slot;

pub use bound::{Pure, pure};
// Generated code names these modules.
pub use call::methods;
#[cfg(feature = "num-traits")]
pub use call::num;
pub use operator::by_name;

pub use call::arguments::{
    ArgumentsW, AskArguments0, AskArguments1, AskEach0, AskEach1, AskHidden0, AskHidden1, AskHidden2,
    AskHidden3, AskLink0, AskLink1, AskLink2, AskParameter0, AskParameter1, EachW, HiddenW, LinkW,
    ParameterW,
};
pub use call::convert::{
    ConvertedTo, FromByName, FromOf, HasFrom, HasTryFrom, Integer, IntoOf, TriedFrom, TriedInteger, TriedOf,
    TryFromOf, TryIntoOf,
};
pub use call::default::{DefaultByName, DefaultOf, HasDefault, NamedW, TellNamed0, TellNamed1};
pub use call::probe::{
    AskMethod0, AskMethod1, AskMethod2, AskMethod3, AskMethod4, AskMethod5, ByMut, ByOperator, ByRef, ByVal,
    ChangingSlices, Contained, Contained0, Contained1, Earlier, Found, Found0, Found1, Gives,
    LookingAtSlices, MayHaveMethods, MethodW, NotHidden, NotLookedAt, OfHost, OfRanges, OfSlices, Peel0,
    Peel1, Place0, Place1, Place2, Place3, Receiver, SwapOfSlices, a_of, awaited, b_of, borrows_receiver,
    c_of, d_of, e_of, never, receiver,
};
pub use call::{
    AlsoOfNumbers, Builtin, Call, DeclaredMethod, DeclaredTarget, DeclaredTargetOrOfMem, DeviceFn,
    HasOfOtherArguments, MethodName, Methods, NotDeclared, Reads, SameMethod, Undeclared, call, id_of,
    opaque, trait_without_macro, undeclared_trait,
};
pub(crate) use describe::initialised_bytes;
pub use describe::{Describe, KonstW, Neutral0, Neutral1, NeutralW, TellKonst0, TellKonst1, konst_bytes};
pub use device::{
    CloneCopies, DeclaredReduction, DeriveCloneAndCopy, Device, Length, NoDeref, Part, Value, aligned_field,
    array_of, clone_of, element_to_change, enum_bits, fill, is_device, is_value, of_table, offset_in,
    part_of, phantom, tag_before, tag_of, tag_type, taken, undeclared_impl,
};
pub use names::{OneVariable, none_of_option, one_variable, some_of_option};
pub use omp_ir::desc::{
    DataDesc, Derived, EnumDesc, FieldDesc, Prim, StructDesc, TypeDesc, VariantDesc, variant_layout,
};
pub use omp_ir::kernel::Callee;
pub use omp_ir::template::ReduceOp;
pub use operator::by_name::{NamedOperator, OnOperands, SameItem, TypeOf, left, right};
pub use operator::hosts::{
    AskOp0, AskOp1, AskOpNone, AskSame0, AskSame1, AskUnary0, AskUnary1, AskUnaryNone,
};
pub use operator::ordered::{
    ByParts, Cmp0, Cmp1, CmpW, Comparable, Comparison, Furthest, HasOrder, HasParts, ask_enum, furthest,
};
pub use operator::{
    Compared, Declared0, Declared1, DeclaredW, DeviceOp, EnumOperand, Equal0, Equal1, EqualW, HasDeviceOp,
    HasUnaryOp, OpKind, OpSlot, OpW, Operand, Order0, Order1, OrderW, TellOp0, TellOp1, TellOp2, TellOpNone,
    TellOpRefAndValue, TellOpRefs, TellOpRefsOfRefs, kind, operator, ops,
};
pub use slot::either::{E, Either, Take0, Take1};
pub use slot::{
    All, All0, All1, Arr, Mapped, OwnFields, OwnValue, SeeValue0, SeeValue1, SeeValue2, Slice, Slot, Tell0,
    Tell1, Tell2, W, array, changed_by_name, iterated_by_name, moved_in, pin, shared, slot,
};
