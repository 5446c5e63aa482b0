//! Typed indices into the arenas of a template or kernel.
use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the arena.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of position `i`.
            #[must_use]
            pub fn new(i: usize) -> Self {
                Self(u32::try_from(i).expect("an arena has fewer than 2^32 entries"))
            }
        }
    )* };
}

ids! {
    /// An expression of a [`Code`](super::template::Code).
    ExprId;
    /// A local variable of a [`Code`](super::template::Code): user's, loop variable, parameter or temporary.
    LocalId;
    /// A mapped array of a region.
    ArrayId;
    /// A captured scalar (any `Device` value passed by copy) of a region.
    ScalarId;
    /// A const or static named in the code, whose value rustc gives.
    ConstId;
    /// A type that rustc infers.
    SlotId;
    /// A call whose callee rustc resolves.
    CallId;
    /// One subscript `[i]` (or slice `[a..b]`) in the code: the unit of bounds and race checking.
    AccessId;
    /// A place in the user's source.
    SrcId;
    /// A loop or labelled block that `break` and `continue` name.
    LabelId;
    /// An interned type of a kernel.
    TyId;
    /// A device function of a kernel.
    FnId;
}
