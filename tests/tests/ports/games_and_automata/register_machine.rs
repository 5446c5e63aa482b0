//! A register machine that runs one program over many inputs: opcodes and outcomes are enums with data.
use omp_tests::twice;

twice! {
    // A register machine that runs one program over many inputs.
    #[derive(Debug, Clone, Copy, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Instr {
        LoadImm { dst: u8, value: i64 },
        Mov(u8, u8),
        Add { dst: u8, a: u8, b: u8 },
        Sub { dst: u8, a: u8, b: u8 },
        Mul { dst: u8, a: u8, b: u8 },
        JumpIfZero { reg: u8, target: u16 },
        Jump(u16),
        Halt,
    }
    #[derive(Debug, Clone, Copy, PartialEq, omp::Device)]
    #[repr(u32)]
    pub enum Outcome {
        Done { result: i64, steps: u32 },
        Overflow(u32),
        OutOfFuel,
    }
    #[omp::declare_target]
    fn step(instr: Instr, regs: &mut [i64; 8], pc: &mut usize) -> bool {
        use_next(pc);
        match instr {
            Instr::LoadImm { dst, value } => regs[dst as usize] = value,
            Instr::Mov(dst, src) => regs[dst as usize] = regs[src as usize],
            Instr::Add { dst, a, b } => regs[dst as usize] = regs[a as usize].wrapping_add(regs[b as usize]),
            Instr::Sub { dst, a, b } => regs[dst as usize] = regs[a as usize].wrapping_sub(regs[b as usize]),
            Instr::Mul { dst, a, b } => match regs[a as usize].checked_mul(regs[b as usize]) {
                Some(v) => regs[dst as usize] = v,
                None => return false,
            },
            Instr::JumpIfZero { reg, target } if regs[reg as usize] == 0 => *pc = target as usize,
            Instr::JumpIfZero { .. } => {}
            Instr::Jump(target) => *pc = target as usize,
            Instr::Halt => {}
        }
        true
    }
    #[omp::declare_target]
    fn use_next(pc: &mut usize) { *pc += 1; }
    #[omp::offload]
    pub fn execute(program: &[Instr], inputs: &[i64], out: &mut [Outcome], fuel: u32) {
        #[omp::target]
        for (input, o) in inputs.iter().zip(out.iter_mut()) {
            let mut regs = [0i64; 8];
            regs[0] = *input;
            let mut pc = 0;
            let mut steps = 0;
            *o = loop {
                if steps == fuel {
                    break Outcome::OutOfFuel;
                }
                let instr = program[pc];
                if let Instr::Halt = instr {
                    break Outcome::Done { result: regs[1], steps };
                }
                steps += 1;
                if !step(instr, &mut regs, &mut pc) {
                    break Outcome::Overflow(pc as u32 - 1);
                }
            };
        }
    }

    pub fn run() -> Vec<(u8, i64, u32)> {
        let factorial = [
            Instr::LoadImm { dst: 1, value: 1 },
            Instr::LoadImm { dst: 2, value: 1 },
            Instr::JumpIfZero { reg: 0, target: 6 },
            Instr::Mul { dst: 1, a: 1, b: 0 },
            Instr::Sub { dst: 0, a: 0, b: 2 },
            Instr::Jump(2),
            Instr::Halt,
        ];
        let inputs = [0, 5, 20, 25, 1000, -1];
        let mut out = vec![Outcome::OutOfFuel; 6];
        execute(&factorial, &inputs, &mut out, 200);
        let shown = |o| match o {
            Outcome::Done { result, steps } => (0, result, steps),
            Outcome::Overflow(at) => (1, 0, at),
            Outcome::OutOfFuel => (2, 0, 0),
        };
        out.into_iter().map(shown).collect()
    }
}
port!(register_machine: run());
