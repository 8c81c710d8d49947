//! Points that are checked while a plan is read: all of a small one; of a large grid its corners and every value of each axis, so that
//! it begins to run at once. What is left is checked when it is run.

use std::collections::BTreeSet;

use super::Plan;
use crate::toml::PlanError;

/// Most points of a plan that are all checked while it is read; of a larger one most values of an axis, and most corners.
pub const CHECKED_MAX: usize = 1_000;

impl Plan {
    /// Checks every point, however many there are.
    ///
    /// # Errors
    /// The first one that is impossible.
    pub fn check_all(&self) -> Result<(), PlanError> {
        (0..self.len()).try_for_each(|index| self.check_point(index))
    }

    /// Checks what is checked before any point is run.
    pub(super) fn check(&self) -> Result<(), PlanError> {
        if self.len() <= CHECKED_MAX {
            return self.check_all();
        }
        let lengths: Vec<usize> = self.axes.iter().map(|axis| axis.values.len()).collect();
        chosen(self.variants.len(), &lengths).into_iter().try_for_each(|index| self.check_point(index))
    }

    /// Checks that point `index` is possible, and each corner of what is not logged there.
    fn check_point(&self, index: usize) -> Result<(), PlanError> {
        let assignments = self.assignments(index);
        let settings = self.settings(&assignments)?;
        self.resolver(&settings).checked()?;
        for range in self.unlogged(index) {
            for value in &range.values {
                let mut settings = settings.clone();
                settings.assign(&self.file, value)?;
                self.resolver(&settings).checked()?;
            }
        }
        Ok(())
    }
}

/// Numbers of the points to check: the corners of the grid for each of so many `variants` of rows, and for the first of them each axis
/// of so many values, with the first value of every other.
fn chosen(variants: usize, lengths: &[usize]) -> BTreeSet<usize> {
    let grid: usize = lengths.iter().product();
    // The last axis is the fastest.
    let step = |axis: usize| lengths[axis + 1..].iter().product::<usize>();
    let axes =
        (0..lengths.len()).flat_map(|axis| spread(lengths[axis], CHECKED_MAX).map(move |value| value * step(axis)));
    // How far it is from the first value of an axis to its last one.
    let spans: Vec<usize> =
        (0..lengths.len()).map(|axis| (lengths[axis] - 1) * step(axis)).filter(|span| *span > 0).collect();
    let corner = |corner: usize| -> usize {
        spans.iter().enumerate().filter(|(axis, _)| corner >> axis & 1 == 1).map(|(_, span)| span).sum()
    };
    // Every row has the first corner and the last one.
    let most = (CHECKED_MAX / variants).max(2);
    let corners = (0..variants).flat_map(|variant| spread(1 << spans.len(), most).map(move |number| (variant, number)));
    axes.chain(corners.map(|(variant, number)| variant * grid + corner(number))).collect()
}

/// At most so many of the numbers below `count`, evenly spread, the first and the last among them.
fn spread(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let most = count.min(most);
    (0..most).map(move |number| number * (count - 1) / (most - 1).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_and_axes_of_a_grid_are_chosen() {
        // Of the first row 3 + 2 + 4 values of axes, one of them three times, and the corners that are on none; of the second the corners.
        let found: Vec<usize> = chosen(2, &[3, 2, 4]).into_iter().collect();
        assert_eq!(found, [0, 1, 2, 3, 4, 7, 8, 16, 19, 20, 23, 24, 27, 28, 31, 40, 43, 44, 47]);
        assert_eq!(chosen(3, &[]).into_iter().collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(chosen(1, &[1, 2]).into_iter().collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn what_there_is_much_of_is_thinned_evenly_from_end_to_end() {
        let found: Vec<usize> = spread(100_000, CHECKED_MAX).collect();
        assert_eq!((found.len(), found[0], found[999]), (CHECKED_MAX, 0, 99_999));
        assert!(found.windows(2).all(|pair| (100..=101).contains(&(pair[1] - pair[0]))));
        assert_eq!(spread(1, CHECKED_MAX).collect::<Vec<_>>(), [0]);
        assert_eq!(spread(3, CHECKED_MAX).collect::<Vec<_>>(), [0, 1, 2]);
        // Sixteen axes of two values have 65,536 corners.
        let found = chosen(1, &[2; 16]);
        assert!(found.len() <= CHECKED_MAX + 32 && found.contains(&65_535), "{}", found.len());
    }
}
