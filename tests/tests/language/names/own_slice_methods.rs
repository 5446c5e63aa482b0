//! Methods of a type of another file that have the names of slices' methods, on elements, copies and references; next to those of slices.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};
mod words;
use words::Word;

twice! {
    pub struct Line { pub text: [u8; 5], pub word: u32 }
    #[omp::declare_target]
    fn taken(w: Word) -> u32 { w.trim_ascii() + w.is_sorted() as u32 }
    #[omp::declare_target]
    fn by_reference(w: &Word) -> u32 { w.trim_ascii_start().b + w.is_sorted_by(1) as u32 }
    /// The parameter's name goes to a part of a slice.
    #[omp::declare_target]
    fn hidden(w: Word, text: &[u8]) -> usize { let k = w.a as usize % 2; let w = &text[k..]; w.trim_ascii().len() }
    pub fn run(x: &[Word], text: &[[u8; 5]], y: &mut [u32]) {
        #[omp::target]
        for i in 0..y.len() {
            let w = x[i];
            let r = &x[i];
            y[i] = x[i].trim_ascii() + w.trim_ascii() + r.trim_ascii_start().trim_ascii() + w.trim_ascii_start().a;
            y[i] += x[i].is_sorted() as u32 + r.is_sorted() as u32 + w.is_sorted_by(2) as u32;
            y[i] += x[i].partition_point(3) + x[i].binary_search(4) + x[i].reverse().a;
            y[i] += taken(w) + by_reference(&x[i]) + hidden(w, &text[i]) as u32;
            let w = &text[i][1..];
            y[i] += text[i].trim_ascii().len() as u32 + w.trim_ascii_end().len() as u32 + text[i].is_sorted() as u32;
            let mut last = text[i];
            last.sort_unstable();
            y[i] += last.partition_point(|&c| c < 50) as u32 + last.binary_search(&32).is_ok() as u32;
        }
    }
}
#[test]
fn own_methods_and_those_of_slices() {
    for n in [0usize, 1, 9] {
        let x: Vec<Word> = (0..n as u32).map(|k| Word { a: k * 7 % 5, b: k }).collect();
        let text: Vec<[u8; 5]> = (0..n).map(|k| if k % 2 == 0 { *b" a 12" } else { *b"1 2  " }).collect();
        compare!(m, d => {
            omp::set_default_device(d);
            let mut y = vec![0; n];
            m::run(&x, &text, &mut y);
            y
        });
    }
}
