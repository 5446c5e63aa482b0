//! Short lists: up to `N` things stand in place, so that a small task makes none in memory of its own.
use std::ops::Deref;

/// A list, mostly of few.
#[derive(Debug, Clone)]
pub struct Few<T, const N: usize> {
    few: [T; N],
    count: usize,
    /// All of them, once they are more.
    many: Vec<T>,
}

impl<T: Copy + Default, const N: usize> Default for Few<T, N> {
    fn default() -> Self {
        Self { few: [T::default(); N], count: 0, many: Vec::new() }
    }
}

impl<T: Copy + Default, const N: usize> Few<T, N> {
    /// Adds one.
    pub fn push(&mut self, value: T) {
        if self.count < N {
            self.few[self.count] = value;
            self.count += 1;
            return;
        }
        if self.many.is_empty() {
            self.many.extend(self.few);
        }
        self.many.push(value);
    }
}

impl<T: Copy + Default, const N: usize> FromIterator<T> for Few<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        let mut list = Self::default();
        all.into_iter().for_each(|value| list.push(value));
        list
    }
}

impl<T, const N: usize> Deref for Few<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        if self.many.is_empty() { &self.few[..self.count] } else { &self.many }
    }
}

#[cfg(test)]
mod tests {
    use super::Few;

    #[test]
    fn they_keep_what_they_are_given() {
        for n in 0..7 {
            let list: Few<u32, 3> = (0..n).collect();
            assert_eq!(*list, *(0..n).collect::<Vec<_>>());
        }
    }
}
