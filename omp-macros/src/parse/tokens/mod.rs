//! Tokens before they are parsed: raw identifiers, invisible groups, format strings, and text as the user wrote it.
pub mod file;
pub mod format_text;
pub mod groups;
pub mod leaves;
pub mod outline;
pub mod raw;
pub mod reader;
pub mod source;
pub mod synonyms;
