//! Index forms and verdicts.
mod inspect;
mod launch;
mod machine;
mod macro_time;
mod nests;
mod proofs;
mod random;
mod show;
