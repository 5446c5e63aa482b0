//! Numbers of the iterations of a launch: the tables of `disjoint(…)` contain them.
use crate::analysis::plan::DimValues;
use crate::ids::ArrayId;
use crate::template::{Base, Check, KernelTemplate, Stmt};
use crate::visit;

/// The number of each iteration: the values of its loop variables, read as digits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Numbering {
    /// By parallel loop: the values that its variable may have (for one whose bounds depend on outer variables, all
    /// in between).
    pub digits: Vec<DimValues>,
}

impl Numbering {
    /// How many numbers there are, if they fit 60 bits.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        let all = self.digits.iter().try_fold(1u64, |n, d| n.checked_mul(d.count.max(1)));
        all.filter(|n| *n < 1 << 60)
    }

    /// The number of the iteration with these values.
    #[must_use]
    pub fn number(&self, values: &[i128]) -> u64 {
        self.digits.iter().zip(values).fold(0, |n, (d, value)| {
            let k = (value - d.first) / d.step;
            n.wrapping_mul(d.count.max(1)).wrapping_add(u64::try_from(k).unwrap_or(0))
        })
    }

    /// The values of the iteration with this number.
    #[must_use]
    pub fn values(&self, number: u64) -> Vec<i128> {
        let mut rest = number;
        let mut values: Vec<i128> = self
            .digits
            .iter()
            .rev()
            .map(|d| {
                let k = rest % d.count.max(1);
                rest /= d.count.max(1);
                d.first + i128::from(k) * d.step
            })
            .collect();
        values.reverse();
        values
    }
}

/// Whether an iteration that claims an element reads or writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimKind {
    /// It reads it.
    Reads,
    /// It writes it.
    Writes,
}

/// The message of a conflict: which iteration does what to `array[index]`, and which other one did what. The other is
/// not known where many have read the element. `slices`: iterations take slices of the array, and claim all that is in them.
#[must_use]
pub fn conflict(
    (array, slices): (&str, bool),
    index: u64,
    (this, does): (&str, ClaimKind),
    (other, did): (Option<&str>, ClaimKind),
) -> String {
    let words = |deed: ClaimKind| match (deed, slices) {
        (ClaimKind::Reads, false) => "reads",
        (ClaimKind::Writes, false) => "writes",
        (ClaimKind::Reads, true) => "may read",
        (ClaimKind::Writes, true) => "may write",
    };
    let (does, did) = (words(does), words(did));
    let other = other.map_or_else(|| "another iteration".to_owned(), |other| format!("iteration {other}"));
    let why = if slices { " (of a slice that an iteration takes, every element counts)" } else { "" };
    format!("overlapping writes: iteration {this} {does} `{array}[{index}]`, which {other} {did}{why}")
}

/// Whether iterations take slices of an array.
#[must_use]
pub fn takes_slices(template: &KernelTemplate, array: ArrayId) -> bool {
    let mut found = false;
    visit::each_stmt(&template.code.block, &mut |stmt| {
        if let Stmt::Check { check: Check::Slice { base, .. }, .. } = stmt {
            found |= matches!(base.base, Base::Array(of) if of == array);
        }
    });
    found
}

/// The values of an iteration's variables, for [`conflict`].
#[must_use]
pub fn show(values: &[(String, i128)]) -> String {
    let shown: Vec<_> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    format!("({})", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_of_one_iteration_each() {
        let digits = vec![
            DimValues { first: -3, step: 2, count: 4 },
            DimValues { first: 10, step: -5, count: 3 },
            DimValues { first: 0, step: 1, count: 7 },
        ];
        let n = Numbering { digits };
        assert_eq!(n.count(), Some(84));
        for k in 0..84 {
            assert_eq!(n.number(&n.values(k)), k);
        }
        assert_eq!(n.values(83), [3, 0, 6]);
        let huge = DimValues { first: 0, step: 1, count: 1 << 40 };
        assert_eq!(Numbering { digits: vec![huge, huge] }.count(), None);
    }
}
