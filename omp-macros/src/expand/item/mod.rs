//! Items that need care before their phases: attributes below a directive, the spelling of C and Fortran, and items that don't parse.
pub(super) mod attributes_below;
pub(super) mod c_spelling;
pub(super) mod offloaded;
pub mod unparsed;
