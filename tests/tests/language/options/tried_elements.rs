//! Elements that may not be there, changed or read: `*x.get_mut(i).ok_or(e)? += 1`.
#![allow(clippy::all, clippy::pedantic, unused, unreachable_patterns, reason = "as programs have them")]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Trap { Overflow, Underflow, Code(u8) }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Stack { slots: [i32; 4], depth: usize }
    #[omp::declare_target]
    impl Stack {
        fn push(&mut self, v: i32) -> Result<(), Trap> {
            *self.slots.get_mut(self.depth).ok_or(Trap::Overflow)? = v;
            self.depth += 1;
            Ok(())
        }
        fn pop(&mut self) -> Result<i32, Trap> {
            self.depth = self.depth.checked_sub(1).ok_or(Trap::Underflow)?;
            Ok(self.slots[self.depth])
        }
    }
    #[omp::declare_target]
    fn run(code: &[u8]) -> Result<i32, Trap> {
        let mut s = Stack { slots: [0; 4], depth: 0 };
        for &c in code {
            match c {
                0..=9 => s.push(i32::from(c))?,
                10 => { let (b, a) = (s.pop()?, s.pop()?); s.push(a + b)?; }
                11 => { let (b, a) = (s.pop()?, s.pop()?); s.push(a * b)?; }
                c => return Err(Trap::Code(c)),
            }
        }
        s.pop()
    }
    #[omp::declare_target]
    fn lens(code: &[u8], count: &mut [u32]) -> Result<u32, u8> {
        for &len in code {
            *count.get_mut(len as usize).ok_or(len)? += 1;
        }
        let c = count[0];
        Ok(c)
    }
    pub fn all(code: &[[u8; 5]], out: &mut [(i32, u32)]) {
        #[omp::target]
        for (c, o) in code.iter().zip(out) {
            let mut n = [0u32; 10];
            *o = (
                match run(c) { Ok(v) => v, Err(Trap::Overflow) => -1, Err(Trap::Underflow) => -2, Err(Trap::Code(c)) => -100 - i32::from(c) },
                match lens(c, &mut n) { Ok(v) => v + 10 * n[2], Err(l) => 1000 + u32::from(l) },
            );
        }
    }
}

#[test]
fn tried() {
    compare!(m, d => {
        let code = vec![[1u8, 2, 10, 3, 11], [1, 2, 3, 4, 5], [10, 1, 1, 1, 1], [2, 2, 2, 10, 10], [1, 99, 2, 3, 4]];
        let mut o = vec![(0, 0); 5];
        m::all(&code, &mut o);
        o
    });
}
