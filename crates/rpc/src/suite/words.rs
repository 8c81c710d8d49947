//! Words by which a plan says what is called: the names of methods and of checks, each from its one list.

use airtime_keys::{Field, Value, Words};

use super::{Conformance, Method};

/// One of the published checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishedCheck(&'static str);

/// Names of the methods in their order.
const METHODS: [&str; Method::ALL.len()] = {
    let mut names = [""; Method::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = Method::ALL[at].name();
        at += 1;
    }
    names
};

impl Words for Method {
    const WORDS: &'static [&'static str] = &METHODS;

    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == word)
    }

    fn word(self) -> &'static str {
        self.name()
    }
}

impl Words for PublishedCheck {
    const WORDS: &'static [&'static str] = &Conformance::NAMES;

    fn from_word(word: &str) -> Option<Self> {
        Conformance::NAMES.into_iter().find(|name| *name == word).map(Self)
    }

    fn word(self) -> &'static str {
        self.0
    }
}

impl Field for Method {
    fn parse(value: &Value) -> Option<Self> {
        value.as_str().and_then(Self::from_word)
    }

    fn shown(&self) -> Value {
        self.word().into()
    }
}

impl Field for PublishedCheck {
    fn parse(value: &Value) -> Option<Self> {
        value.as_str().and_then(Self::from_word)
    }

    fn shown(&self) -> Value {
        self.word().into()
    }
}
