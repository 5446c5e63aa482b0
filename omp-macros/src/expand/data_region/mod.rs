//! Data regions in a function: the code at their exits, and names that are shadowed there.
pub(super) mod exits;
pub(super) mod shadowed;
