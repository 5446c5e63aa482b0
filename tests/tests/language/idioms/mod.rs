//! Programs as they are written first: idioms of std and of code for CPUs, and every form of the directives.
mod as_first_written;
mod as_programs_have_them;
mod first_refused;
mod first_written;
mod forms;
mod idioms;
mod language;
mod language_more;
mod openacc;
