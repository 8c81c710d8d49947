//! Faults: something wrong with a value, or between values, whose place the reader of the plan knows.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::Key;

/// Something wrong, and what would have been right.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Fault {
    /// Sentence about what is wrong, and why.
    pub what: String,
    /// Values that are allowed, as a phrase.
    pub allowed: Option<String>,
    /// Nearest thing that would have been right.
    pub nearest: Option<String>,
    /// Word that is none of the words allowed; the nearest of them is what was meant.
    pub misspelt: Option<Box<Misspelt>>,
    /// Dotted names of the keys it is about, the likeliest culprit first.
    pub about: Vec<&'static str>,
}

/// A word that is none of the words allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misspelt {
    /// The word as it was written.
    pub word: String,
    /// Words that are allowed in its place.
    pub of: Vec<String>,
}

impl Fault {
    /// A fault that says only what is wrong.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), ..Self::default() }
    }

    /// The fault with what is allowed instead.
    #[must_use]
    pub fn allowing(mut self, allowed: impl Into<String>) -> Self {
        self.allowed = Some(allowed.into());
        self
    }

    /// The fault with the nearest value that would have been right.
    #[must_use]
    pub fn near(mut self, nearest: impl Into<String>) -> Self {
        self.nearest = Some(nearest.into());
        self
    }

    /// The fault of `word`, which is none of these, all of which are allowed.
    #[must_use]
    pub fn one_of<'a>(self, word: &str, all: impl IntoIterator<Item = &'a str> + Clone) -> Self {
        let allowed = all.clone().into_iter().collect::<Vec<_>>().join(", ");
        self.misspelling(word, all).allowing(allowed)
    }

    /// The fault of `word`, which may have been meant as one of these.
    #[must_use]
    pub fn misspelling<'a>(mut self, word: &str, all: impl IntoIterator<Item = &'a str>) -> Self {
        let of = all.into_iter().map(str::to_owned).collect();
        self.misspelt = Some(Box::new(Misspelt { word: word.to_owned(), of }));
        self
    }

    /// The fault with the keys it is about, the likeliest culprit first.
    #[must_use]
    pub fn about<'a>(mut self, keys: impl IntoIterator<Item = &'a Key>) -> Self {
        self.about = keys.into_iter().map(|key| key.name).collect();
        self
    }
}
