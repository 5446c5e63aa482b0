//! Index forms and verdicts.
mod launch;
mod macro_time;
mod random;
mod show;
