//! Names in the order in which records have them.

use std::collections::BTreeMap;

/// Names in the order of first appearance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    order: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl Names {
    /// Place of `name`, which is likely to be `guess`: nearly every record has the names of the first, in the same order.
    pub fn place(&self, name: &str, guess: usize) -> Option<usize> {
        match self.order.get(guess) {
            Some(known) if known == name => Some(guess),
            _ => self.places.get(name).copied(),
        }
    }

    /// Place of `name`, which is added at the end where it is new.
    pub fn see(&mut self, name: &str, guess: usize) -> usize {
        self.place(name, guess).unwrap_or_else(|| {
            self.places.insert(name.to_owned(), self.order.len());
            self.order.push(name.to_owned());
            self.order.len() - 1
        })
    }

    /// The names in their order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str)
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Puts `entries` at the places of their names in `slots`; the name of the first that has no place is returned.
    pub fn sort<'a, V>(
        &self,
        entries: impl Iterator<Item = (&'a str, &'a V)>,
        slots: &mut Vec<Option<&'a V>>,
    ) -> Result<(), &'a str> {
        slots.clear();
        slots.resize(self.len(), None);
        for (guess, (name, value)) in entries.enumerate() {
            slots[self.place(name, guess).ok_or(name)?] = Some(value);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_place_of_their_first_appearance() {
        let mut names = Names::default();
        let places = ["b", "a", "b", "c"].map(|name| names.see(name, 1));
        assert_eq!(places, [0, 1, 0, 2]);
        assert_eq!(names.iter().collect::<Vec<_>>(), ["b", "a", "c"]);
        let mut slots = Vec::new();
        names.sort([("c", &3), ("b", &1)].into_iter(), &mut slots).unwrap();
        assert_eq!(slots, [Some(&1), None, Some(&3)]);
        assert_eq!(names.sort([("d", &4)].into_iter(), &mut slots), Err("d"));
    }
}
