//! The sources of the numbers of an evaluation.
use crate::analysis::form::Sym;
use crate::analysis::plan::{DimValues, LaunchValues};

/// A parallel loop's values.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    Known(DimValues),
    /// Its bounds depend on outer variables, or nothing is known yet.
    Unknown,
}

/// Numbers for symbols and parallel loops.
pub(super) trait Sources {
    fn sym(&self, at: usize) -> Option<i128>;
    fn dim(&self, d: usize) -> Source;
}

/// A launch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Launch<'a> {
    pub syms: &'a [Sym],
    pub values: &'a LaunchValues<'a>,
}

impl Sources for Launch<'_> {
    fn sym(&self, at: usize) -> Option<i128> {
        match self.syms[at] {
            Sym::Scalar(s) => self.values.scalars.get(s.index()).copied().flatten(),
            Sym::Len(a) => self.values.lens.get(a.index()).map(|n| i128::from(*n)),
            Sym::Free(_) => None,
        }
    }

    fn dim(&self, d: usize) -> Source {
        self.values.dims.get(d).copied().flatten().map_or(Source::Unknown, Source::Known)
    }
}

/// Before any launch: constants only.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nothing;

impl Sources for Nothing {
    fn sym(&self, _: usize) -> Option<i128> {
        None
    }
    fn dim(&self, _: usize) -> Source {
        Source::Unknown
    }
}
