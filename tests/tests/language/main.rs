//! What bodies and device functions may say, in every form: types, operators, methods, calls, names, orders of evaluation, failures.
mod arrays;
mod calls;
mod evaluation;
mod idioms;
mod iterators;
mod names;
mod numbers;
mod options;
mod orders;
mod ranges;
mod references;
mod slices;
mod types;
