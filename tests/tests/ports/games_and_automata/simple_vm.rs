//! A register machine with one program and many inputs; errors as results.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Op { Load(i64), Input, Add, Mul, Dup, Swap, JumpIfZero(u16), Jump(u16), Dec, Halt }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Fault { Underflow, Overflow, BadJump, Timeout }

    #[derive(Clone, Copy, omp::Device)]
    struct Machine { stack: [i64; 8], sp: usize }

    #[omp::declare_target]
    impl Machine {
        fn push(&mut self, v: i64) -> Result<(), Fault> {
            if self.sp == self.stack.len() { return Err(Fault::Overflow); }
            self.stack[self.sp] = v;
            self.sp += 1;
            Ok(())
        }
        fn pop(&mut self) -> Result<i64, Fault> {
            if self.sp == 0 { return Err(Fault::Underflow); }
            self.sp -= 1;
            Ok(self.stack[self.sp])
        }
    }

    #[omp::declare_target]
    fn execute(program: &[Op], input: i64) -> Result<i64, Fault> {
        let mut m = Machine { stack: [0; 8], sp: 0 };
        let mut pc = 0usize;
        for _ in 0..1000 {
            let Some(&op) = program.get(pc) else { return Err(Fault::BadJump) };
            pc += 1;
            match op {
                Op::Load(v) => m.push(v)?,
                Op::Input => m.push(input)?,
                Op::Add => { let (b, a) = (m.pop()?, m.pop()?); m.push(a.wrapping_add(b))?; }
                Op::Mul => { let b = m.pop()?; let a = m.pop()?; m.push(a.wrapping_mul(b))?; }
                Op::Dup => { let a = m.pop()?; m.push(a)?; m.push(a)?; }
                Op::Swap => { let b = m.pop()?; let a = m.pop()?; m.push(b)?; m.push(a)?; }
                Op::Dec => { let a = m.pop()?; m.push(a - 1)?; }
                Op::JumpIfZero(to) => { let a = m.pop()?; m.push(a)?; if a == 0 { pc = to as usize; } }
                Op::Jump(to) => pc = usize::from(to),
                Op::Halt => return m.pop(),
            }
        }
        Err(Fault::Timeout)
    }

    pub fn run_all(program: &[Op], inputs: &[i64]) -> (Vec<i64>, [u32; 4]) {
        let mut out = vec![0; inputs.len()];
        let mut faults = [0u32; 4];
        #[omp::target(reduction(+: faults))]
        for (o, &x) in out.iter_mut().zip(inputs) {
            match execute(program, x) {
                Ok(v) => *o = v,
                Err(fault) => faults[fault as usize] += 1,
            }
        }
        (out, faults)
    }

    pub fn run() -> (Vec<i64>, Vec<u32>) {
        // acc = 1; n = input; while n != 0 { acc *= n; n -= 1 }
        let p = [Op::Load(1), Op::Input, Op::JumpIfZero(10), Op::Dup, Op::Dec, Op::Swap, Op::Load(0), Op::Add, Op::Halt, Op::Jump(2), Op::Swap, Op::Halt];
        let (a, f) = run_all(&p, &[0, 1, 2, 3, -4]);
        let q = [Op::Input, Op::Dup, Op::JumpIfZero(6), Op::Dup, Op::Dup, Op::Jump(0), Op::Add, Op::Halt];
        let (b, g) = run_all(&q, &[0, 5]);
        ([a, b].concat(), f.iter().chain(&g).copied().collect())
    }
}
port!(simple_vm: run());
