//! A struct that borrows and is given by value is a copy. What the same call changes can't stand for the copy.
fn main() {}

#[derive(Clone, Copy)]
struct Cursor<'a> {
    words: &'a [u32],
    pos: usize,
}

#[omp::declare_target]
impl<'a> Cursor<'a> {
    fn go_on(&mut self, from: Cursor<'a>) -> u32 {
        self.pos += 5;
        self.pos += from.pos;
        self.words[self.pos]
    }
}

#[omp::declare_target]
fn both(a: Cursor<'_>, b: &mut Cursor<'_>) -> usize {
    b.pos += 5;
    a.pos + b.pos
}

#[omp::offload]
fn copies(x: &[u32], out: &mut [u32]) {
    #[omp::target]
    for i in 0..out.len() {
        let mut c = Cursor { words: x, pos: i };
        out[i] = c.go_on(c) + both(c, &mut c) as u32;
        let from = c;
        out[i] += c.go_on(from);
    }
}
