//! Products of a variable with itself: `i·(i + 1)/2 + j`, the rows of a packed triangle, do not overlap, because
//! `p(x) = a·x² + b·x` increases from `x` to `x + 1` by `a·(2x + 1) + b`, which is linear. Where it never decreases,
//! `x > y` means `p(x) >= p(y + 1) = p(y) + a·(2y + 1) + b` and `p(x) >= p(x - 1) + …`, facts of a linear system in which the
//! squares are variables.
use super::Builder;
use super::linear::{Equation, Lin, gcd};
use super::solve::{Case, Split};

/// The square of a variable.
#[derive(Debug, Clone, Copy)]
pub(super) struct Product {
    /// The value that is squared, as a sum, and as the variable that stands for it.
    of: Lin,
    root: Lin,
    square: Lin,
    /// Of the second iteration.
    second: bool,
}

/// More pairs of squares than this are not compared.
const MOST_PAIRS: usize = 3;
/// By larger divisors it is not tried whether a polynomial has always the same remainder.
const MOST_RESIDUES: i64 = 16;

impl Builder<'_> {
    /// `a·b`, where both are multiples of one sum, and a constant more.
    pub(super) fn product(&mut self, a: &Lin, b: &Lin, second: bool) -> Option<Lin> {
        let ((base, ka), (other, kb)) = (primitive(a)?, primitive(b)?);
        if !base.is_parallel(&other) {
            return None;
        }
        let at = match self.products.iter().position(|p| p.of == base) {
            Some(at) => at,
            None => self.squared(base, second)?,
        };
        let Product { root, square, .. } = self.products[at];
        // (ka·x + c)·(kb·x + d)
        let linear = kb.checked_mul(a.konst)?.checked_add(ka.checked_mul(b.konst)?)?;
        let sum = square.combine(ka.checked_mul(kb)?, &root, linear)?;
        sum.plus(a.konst.checked_mul(b.konst)?)
    }

    fn squared(&mut self, of: Lin, second: bool) -> Option<usize> {
        let only = of.only_var().filter(|v| of.at(*v) == 1);
        let root = match only {
            Some(_) => of,
            None => {
                let root = self.system.var(self.system.range(&of))?;
                self.system.equals(root.minus(&of)?);
                root
            }
        };
        let square = self.system.square(root.only_var()?)?;
        self.products.push(Product { of, root, square, second });
        Some(self.products.len() - 1)
    }

    /// The remainder that a polynomial of one variable always has.
    pub(super) fn remainder(&self, a: &Lin, by: i64) -> Option<i64> {
        let square = a.vars().find(|s| self.system.root(*s).is_some())?;
        let root = self.system.root(square)?;
        if by > MOST_RESIDUES || a.vars().any(|v| v != square && v != root) {
            return None;
        }
        let part = |c: i64| c.rem_euclid(by);
        let at = |x: i64| part(part(a.at(square)) * x * x + part(a.at(root)) * x + part(a.konst));
        (1..by).all(|x| at(x) == at(0)).then(|| at(0))
    }

    /// Compares the squares of both iterations: one split for each pair.
    pub(super) fn squares(&self) -> Vec<Split> {
        let (first, second): (Vec<&Product>, Vec<&Product>) = self.products.iter().partition(|p| !p.second);
        let pairs = first.iter().flat_map(|p| second.iter().map(move |q| (*p, *q)));
        pairs.take(MOST_PAIRS).filter_map(|(p, q)| self.ordered(p, q)).collect()
    }

    /// The roots are equal, or one is larger.
    fn ordered(&self, p: &Product, q: &Product) -> Option<Split> {
        let (mut split, polynomials) = (Vec::new(), self.polynomials(p, q));
        let same = vec![p.root.minus(&q.root)?, p.square.minus(&q.square)?];
        split.push(Case { most: Vec::new(), zero: same });
        for (large, less) in [(p, q), (q, p)] {
            let mut most = vec![less.root.minus(&large.root)?.plus(1)?];
            for (a, b) in &polynomials {
                most.extend(self.growth(large, less, *a, *b).into_iter().flatten());
            }
            split.push(Case { most, zero: Vec::new() });
        }
        Some(split)
    }

    /// The factors of square and root that occur in the equations.
    fn polynomials(&self, p: &Product, q: &Product) -> Vec<(i64, i64)> {
        let mut found = Vec::new();
        for Equation { lin: l, .. } in &self.system.equal {
            let (l, _) = self.without_quotients(l);
            for product in [p, q] {
                let factor = |of: &Lin| of.only_var().map_or(0, |v| l.at(v));
                let (a, b) = (factor(&product.square), factor(&product.root));
                let g = if a < 0 { -gcd(a, b) } else { gcd(a, b) };
                if a != 0 && !found.contains(&(a / g, b / g)) {
                    found.push((a / g, b / g));
                }
            }
        }
        found
    }

    /// That `a·x² + b·x` of the larger root is at least (or at most) what it is one step from the smaller one.
    fn growth(&self, large: &Product, less: &Product, a: i64, b: i64) -> Option<[Lin; 2]> {
        let of = |p: &Product| p.square.combine(a, &p.root, b);
        let step = |p: &Product, from: i64| {
            let konst = a.checked_mul(from)?.checked_add(b)?;
            p.root.times(a.checked_mul(2)?)?.plus(konst)
        };
        let bounds = |p: &Product| p.root.only_var().map(|v| self.system.bounds[v]);
        let (x, y) = (bounds(large)?, bounds(less)?);
        let (lo, hi) = (x.0.min(y.0), x.1.max(y.1) - 1);
        let at = |x: i128| i128::from(a) * (2 * x + 1) + i128::from(b);
        let sign = if at(lo) >= 0 && at(hi) >= 0 {
            1
        } else if at(lo) <= 0 && at(hi) <= 0 {
            -1
        } else {
            return None;
        };
        // p(large) - p(less) - step
        let grown = of(large)?.minus(&of(less)?)?;
        let facts = [grown.minus(&step(less, 1)?)?, grown.minus(&step(large, -1)?)?];
        Some([facts[0].times(-sign)?, facts[1].times(-sign)?])
    }
}

/// The sum without its constant, of which this is the multiple: its first factor is positive.
fn primitive(l: &Lin) -> Option<(Lin, i64)> {
    let first = l.at(l.vars().next()?);
    let base = l.plus(-l.konst)?.times(first.signum())?;
    Some((base.tightened(l.divisor()), first.signum() * l.divisor()))
}
