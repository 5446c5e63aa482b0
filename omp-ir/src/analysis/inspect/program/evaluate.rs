//! Evaluates columns, one after the other, for all lanes.
use super::{Col, Kind, LANES, Lanes, MOST_ITERATIONS, Program, Step};
use crate::analysis::form::{Arith, NodeId, Rel, counted};
use crate::analysis::inspect::Memory;
use crate::interp::method::of_integers;
use crate::method::{IntMethod, Method};

impl Program {
    /// Computes the first `n` lanes of all columns.
    pub(in crate::analysis::inspect) fn run(&mut self, n: usize, memory: Option<&dyn Memory>) {
        for at in 0..self.steps.len() {
            let (step, kind) = self.steps[at];
            if let Step::Loop(t) = step {
                self.run_loop(t, n, memory);
                continue;
            }
            let (before, rest) = self.values.split_at_mut(at);
            let out = &mut rest[0][..n];
            match step {
                Step::Given | Step::Loop(_) => continue,
                Step::Value(t, k) => {
                    let Some(inner) = &self.loops[t] else { continue };
                    let (_, state, _) = inner.values[k];
                    out.copy_from_slice(&inner.body.values[state][..n]);
                }
                Step::Load(element, index) => {
                    let (before_known, known) = self.known.split_at_mut(at);
                    let known = &mut known[0][..n];
                    let mut whole = match memory {
                        Some(memory) => memory.load(element, &before[index][..n], (out, known)),
                        None => {
                            known.fill(false);
                            false
                        }
                    };
                    if !self.whole[index] {
                        known.iter_mut().zip(&before_known[index]).for_each(|(k, index)| *k &= *index);
                        whole = known.iter().all(|k| *k);
                    }
                    self.whole[at] = whole;
                    continue;
                }
                Step::Method(method, (a, ty), b) => match (quick(method), b) {
                    (Some(f), None) => one(&before[a], out, |v| f(v, self.steps[a].1)),
                    _ => {
                        let known = &mut self.known[at];
                        for (k, o) in out.iter_mut().enumerate() {
                            let wide = |col: Col| self.steps[col].1.wide(before[col][k]);
                            let value = of_integers(method, (wide(a), ty), b.map(|(b, ty)| (wide(b), ty)));
                            known[k] = value.is_some();
                            *o = value.unwrap_or(0) as u64;
                        }
                    }
                },
                Step::Neg(a) => one(&before[a], out, u64::wrapping_neg),
                Step::Not(a) => one(&before[a], out, |v| !v),
                Step::Negated(a) => one(&before[a], out, |v| u64::from(v == 0)),
                Step::Cast(a) => one(&before[a], out, |v| v),
                Step::Rel(rel, a, b) => relation(rel, self.steps[a].1.signed, (&before[a], &before[b]), out),
                Step::Either(a, b) => two(&before[a], &before[b], out, |a, b| a | b),
                Step::Bin(op, a, b) => {
                    let by = self.constants[b];
                    binary(op, (self.steps[a].1, kind), (&before[a], &before[b], by), out);
                }
                Step::Select(c, a, b) => {
                    let (c, a, b) = (&before[c], &before[a], &before[b]);
                    for (k, o) in out.iter_mut().enumerate() {
                        *o = if c[k] != 0 { a[k] } else { b[k] };
                    }
                }
            }
            if kind.bits < 64 {
                out.iter_mut().for_each(|v| *v = kind.narrow(*v));
            }
            if self.known[at].is_empty() {
                continue;
            }
            self.whole[at] = step.operands().is_some_and(|inputs| inputs.iter().all(|c| self.whole[*c]));
            if self.whole[at] {
                self.known[at][..n].fill(true);
            } else {
                self.know(at, step, n);
            }
        }
    }

    /// Runs a loop for all lanes.
    fn run_loop(&mut self, t: usize, n: usize, memory: Option<&dyn Memory>) {
        let Some(mut inner) = self.loops[t].take() else { return };
        let number = |col: Col, k: usize| {
            let known = self.known[col].is_empty() || self.known[col][k];
            known.then(|| self.steps[col].1.wide(self.values[col][k]))
        };
        // By lane: the first value of the variable, its step, and the trip count.
        let mut counts = [(0i128, 0i128, 0u64); LANES];
        let mut alive = [true; LANES];
        for k in 0..n {
            let steps = |node: NodeId| {
                let col = inner.steps.iter().find(|(of, _)| *of == node)?.1;
                number(col, k)
            };
            let ends = number(inner.ends.0, k).zip(number(inner.ends.1, k));
            let range = ends.and_then(|ends| counted(ends, &inner.shape, steps));
            let count = range.and_then(|(first, step, count)| match inner.until {
                None => Some((first, step, count)),
                Some(col) => {
                    let at = number(col, k)?.checked_sub(first)?.checked_div(step)?;
                    Some((first, step, u64::try_from(at).ok().filter(|at| *at < count)?))
                }
            });
            match count {
                Some(count) => counts[k] = count,
                None => alive[k] = false,
            }
        }
        let most = counts[..n].iter().map(|c| c.2).max().unwrap_or(0);
        if most > MOST_ITERATIONS {
            self.overrun = true;
        } else {
            self.iterated += most * n as u64;
            let body = &mut inner.body;
            for (from, to) in &inner.given {
                body.values[*to] = self.values[*from];
                if !body.known[*to].is_empty() {
                    for k in 0..n {
                        body.known[*to][k] = self.known[*from].is_empty() || self.known[*from][k];
                    }
                }
            }
            for (init, state, _) in &inner.values {
                body.values[*state] = self.values[*init];
                for (k, alive) in alive[..n].iter().enumerate() {
                    let known = self.known[*init].is_empty() || self.known[*init][k];
                    body.known[*state][k] = *alive && known;
                }
            }
            for iteration in 0..most {
                if let Some(var) = inner.var {
                    for (lane, (first, step, _)) in body.values[var].iter_mut().zip(&counts[..n]) {
                        *lane = first.wrapping_add(step.wrapping_mul(i128::from(iteration))) as u64;
                    }
                }
                body.run(n, memory);
                // A value may be what another one was.
                let next = inner.values.iter().map(|(_, _, next)| {
                    (body.values[*next], std::array::from_fn(|k| body.known[*next].get(k).is_none_or(|k| *k)))
                });
                let next: Vec<(Lanes, [bool; LANES])> = next.collect();
                for ((_, state, _), (values, known)) in inner.values.iter().zip(next) {
                    for k in (0..n).filter(|k| iteration < counts[*k].2) {
                        body.values[*state][k] = values[k];
                        body.known[*state][k] &= known[k];
                    }
                }
            }
            self.iterated += std::mem::take(&mut body.iterated);
            self.overrun |= std::mem::take(&mut body.overrun);
        }
        self.loops[t] = Some(inner);
    }

    /// How many lanes of loops have been computed since the last call; `None`: there were too many.
    pub(in crate::analysis::inspect) fn iterated(&mut self) -> Option<u64> {
        let iterated = std::mem::take(&mut self.iterated);
        (!self.overrun).then_some(iterated)
    }

    /// Computes which lanes have a value.
    fn know(&mut self, at: Col, step: Step, n: usize) {
        let (before, rest) = self.known.split_at_mut(at);
        let out = &mut rest[0];
        let is = |col: Col, k: usize| before[col].is_empty() || before[col][k];
        match step {
            Step::Given | Step::Loop(_) | Step::Load(..) => {}
            Step::Value(t, k) => {
                let Some(inner) = &self.loops[t] else { return };
                let (_, state, _) = inner.values[k];
                out[..n].copy_from_slice(&inner.body.known[state][..n]);
            }
            Step::Method(method, (a, _), b) => {
                // Where the method itself is not quick, it has said so.
                let own = |out: &[bool], k: usize| quick(method).is_some() || out[k];
                (0..n).for_each(|k| out[k] = own(out, k) && is(a, k) && b.is_none_or(|(b, _)| is(b, k)));
            }
            Step::Neg(a) | Step::Not(a) | Step::Negated(a) | Step::Cast(a) => {
                (0..n).for_each(|k| out[k] = is(a, k));
            }
            Step::Rel(_, a, b) => (0..n).for_each(|k| out[k] = is(a, k) && is(b, k)),
            Step::Select(c, a, b) => {
                let chosen = |k: usize| if self.values[c][k] != 0 { a } else { b };
                (0..n).for_each(|k| out[k] = is(c, k) && is(chosen(k), k));
            }
            Step::Either(a, b) => {
                let (x, y) = (&self.values[a], &self.values[b]);
                for k in 0..n {
                    let (p, q) = (is(a, k), is(b, k));
                    out[k] = p && (q || x[k] == 1) || q && y[k] == 1;
                }
            }
            Step::Bin(op, a, b) => {
                let (x, y) = (&self.values[a], &self.values[b]);
                for k in 0..n {
                    let (p, q) = (is(a, k), is(b, k));
                    out[k] = match op {
                        // Nothing and anything is nothing: as computed, whatever the other's lane has.
                        Arith::And => p && (q || x[k] == 0) || q && y[k] == 0,
                        Arith::Div | Arith::Rem | Arith::DivEuclid | Arith::RemEuclid => p && q && y[k] != 0,
                        _ => p && q,
                    };
                }
            }
        }
    }
}

/// A method of one operand that has always a value, on the bits of its type.
pub(super) fn quick(method: Method) -> Option<fn(u64, Kind) -> u64> {
    let Method::Int(method) = method else { return None };
    /// The bits of the type alone.
    fn low(v: u64, of: Kind) -> u64 {
        v << (64 - of.bits) >> (64 - of.bits)
    }
    Some(match method {
        IntMethod::CountOnes => |v, of| u64::from(low(v, of).count_ones()),
        IntMethod::CountZeros => |v, of| u64::from(of.bits - low(v, of).count_ones()),
        IntMethod::LeadingZeros => |v, of| u64::from(low(v, of).leading_zeros() + of.bits - 64),
        IntMethod::TrailingZeros => |v, of| u64::from(v.trailing_zeros().min(of.bits)),
        IntMethod::ReverseBits => |v, of| v.reverse_bits() >> (64 - of.bits),
        IntMethod::SwapBytes => |v, of| v.swap_bytes() >> (64 - of.bits),
        _ => return None,
    })
}

fn one(a: &Lanes, out: &mut [u64], f: impl Fn(u64) -> u64) {
    out.iter_mut().zip(a).for_each(|(o, a)| *o = f(*a));
}

fn two(a: &Lanes, b: &Lanes, out: &mut [u64], f: impl Fn(u64, u64) -> u64) {
    out.iter_mut().zip(a.iter().zip(b)).for_each(|(o, (a, b))| *o = f(*a, *b));
}

fn relation(rel: Rel, signed: bool, (a, b): (&Lanes, &Lanes), out: &mut [u64]) {
    // The order of signed numbers is that of unsigned ones with the sign iterated over.
    let iteration = if signed { 1u64 << 63 } else { 0 };
    match rel {
        Rel::Eq => two(a, b, out, |a, b| u64::from(a == b)),
        Rel::Ne => two(a, b, out, |a, b| u64::from(a != b)),
        Rel::Lt => two(a, b, out, |a, b| u64::from(a ^ iteration < b ^ iteration)),
        Rel::Le => two(a, b, out, |a, b| u64::from(a ^ iteration <= b ^ iteration)),
        Rel::Gt => two(a, b, out, |a, b| u64::from(a ^ iteration > b ^ iteration)),
        Rel::Ge => two(a, b, out, |a, b| u64::from(a ^ iteration >= b ^ iteration)),
    }
}

/// `of`: the operands' type, `to`: the result's. `by`: the second operand, where it is one number.
fn binary(op: Arith, (of, to): (Kind, Kind), (a, b, by): (&Lanes, &Lanes, Option<u64>), out: &mut [u64]) {
    let places = u64::from(to.bits - 1);
    match op {
        Arith::Add => two(a, b, out, u64::wrapping_add),
        Arith::Sub => two(a, b, out, u64::wrapping_sub),
        Arith::Mul => two(a, b, out, u64::wrapping_mul),
        Arith::And => two(a, b, out, |a, b| a & b),
        Arith::Or => two(a, b, out, |a, b| a | b),
        Arith::Xor => two(a, b, out, |a, b| a ^ b),
        Arith::Shl => two(a, b, out, |a, b| a << (b & places)),
        Arith::Shr if of.signed => two(a, b, out, |a, b| (a as i64 >> (b & places)) as u64),
        Arith::Shr => two(a, b, out, |a, b| a >> (b & places)),
        Arith::AtMost | Arith::AtLeast => one(a, out, |a| a),
        Arith::Min if of.signed => two(a, b, out, |a, b| (a as i64).min(b as i64) as u64),
        Arith::Min => two(a, b, out, u64::min),
        Arith::Max if of.signed => two(a, b, out, |a, b| (a as i64).max(b as i64) as u64),
        Arith::Max => two(a, b, out, u64::max),
        Arith::SaturatingAdd => two(a, b, out, |a, b| saturated(of.wide(a) + of.wide(b), to)),
        Arith::SaturatingSub => two(a, b, out, |a, b| saturated(of.wide(a) - of.wide(b), to)),
        Arith::AbsDiff if of.signed => {
            two(a, b, out, |a, b| if (a as i64) < b as i64 { b.wrapping_sub(a) } else { a.wrapping_sub(b) });
        }
        Arith::AbsDiff => two(a, b, out, u64::abs_diff),
        Arith::Div | Arith::Rem | Arith::DivEuclid | Arith::RemEuclid if of.signed => {
            two(a, b, out, |a, b| {
                let (a, b) = (a as i64, b as i64);
                let value = match op {
                    _ if b == 0 => 0,
                    Arith::Div => a.wrapping_div(b),
                    Arith::Rem => a.wrapping_rem(b),
                    Arith::DivEuclid => a.wrapping_div_euclid(b),
                    _ => a.wrapping_rem_euclid(b),
                };
                value as u64
            });
        }
        Arith::Div | Arith::DivEuclid => match by {
            Some(by) if by.is_power_of_two() => one(a, out, |a| a >> by.trailing_zeros()),
            Some(by) if small(a, out.len(), by) => one(a, out, |a| u64::from(a as u32 / by as u32)),
            _ => two(a, b, out, |a, b| a.checked_div(b).unwrap_or(0)),
        },
        Arith::Rem | Arith::RemEuclid => match by {
            Some(by) if by.is_power_of_two() => one(a, out, |a| a & (by - 1)),
            Some(by) if small(a, out.len(), by) => one(a, out, |a| u64::from(a as u32 % by as u32)),
            _ => two(a, b, out, |a, b| a.checked_rem(b).unwrap_or(0)),
        },
    }
}

/// Whether a division of 32 bits will do, which is the quicker one.
fn small(a: &Lanes, n: usize, by: u64) -> bool {
    by != 0 && (a[..n].iter().fold(by, |all, a| all | a)) >> 32 == 0
}

fn saturated(value: i128, to: Kind) -> u64 {
    let least = if to.signed { -(1i128 << (to.bits - 1)) } else { 0 };
    let most = (1i128 << (to.bits - u32::from(to.signed))) - 1;
    value.clamp(least, most) as u64
}
