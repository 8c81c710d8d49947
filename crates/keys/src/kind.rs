//! Kinds of values, and how one is read.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use airtime_core::Duration;
use airtime_core::level::Level;
use airtime_core::units::{Bitrate, Frequency, Size};
use serde_json::Value;

use crate::{Fault, Key};

/// Kind of values that a key takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Any text of at most this many octets.
    Text(usize),
    /// A flag: `true` or `false`.
    Flag,
    /// A whole number in this range.
    Count(u64, u64),
    /// A whole number in this range, or `"none"`.
    CountOrNone(u64, u64),
    /// A probability or a share, 0..=1.
    Probability,
    /// A time in this range.
    Span(Duration, Duration),
    /// A time in this range, or `"none"`.
    SpanOrNone(Duration, Duration),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// The name of a personality.
    Personality,
    /// A text with a form of its own.
    Parsed {
        /// Values that are allowed, for messages and documentation.
        allowed: &'static str,
        /// Values that `explain` tries.
        alternatives: &'static [&'static str],
        /// The canonical form of a text, or what is wrong with it.
        canonical: fn(&str) -> Result<String, String>,
    },
    /// A rate to be reached or not to be exceeded: `">= 500kbps"`.
    Threshold,
    /// A rate above nothing.
    Rate,
    /// A rate above nothing, or the range between two.
    Rates,
    /// A size in this range of octets.
    Size(u64, u64),
    /// A clock in this range of hertz.
    Clock(u64, u64),
    /// One of these words, or a table with the keys of one of these forms.
    Forms {
        /// Words that stand for a whole table.
        words: &'static [&'static str],
        /// Forms of the table: keys that belong together.
        forms: &'static [&'static [&'static str]],
        /// Parts of the table that a word stands for: one part is set on top of them.
        parts: fn(&str) -> Vec<(&'static str, Value)>,
        /// Value as which a whole table counts; none where a table is nothing but its parts.
        whole: Option<Whole>,
    },
}

/// A table that is one value.
#[derive(Clone, Copy, Debug)]
pub struct Whole {
    /// Keys of the parts of the table.
    pub keys: &'static [Key],
    /// Check of the parts of the table together.
    pub check: fn(&Value) -> Result<(), Fault>,
}

/// A rate to be reached, or not to be exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// Set where the rate itself is too little: `>` and `<`.
    pub strict: bool,
    /// Set where more is better: `>` and `>=`.
    pub at_least: bool,
    /// Rate of the threshold, in bit/s.
    pub rate: Bitrate,
}

impl Threshold {
    /// Tells if `rate` meets the threshold.
    pub fn met_by(self, rate: Bitrate) -> bool {
        match (self.at_least, self.strict) {
            (true, false) => rate >= self.rate,
            (true, true) => rate > self.rate,
            (false, false) => rate <= self.rate,
            (false, true) => rate < self.rate,
        }
    }
}

/// Need of an application: a rate, or anything between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// Lowest rate that the application needs, in bit/s.
    pub least: Bitrate,
    /// Highest rate that the application needs, in bit/s.
    pub most: Bitrate,
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.least == self.most { self.least.fmt(f) } else { write!(f, "{} to {}", self.least, self.most) }
    }
}

impl FromStr for Need {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rate = |text: &str| text.trim().parse::<Bitrate>().map_err(|error| error.to_string());
        let (least, most) = text.split_once(" to ").unwrap_or((text, text));
        let (least, most) = (rate(least)?, rate(most)?);
        match (least.0, least <= most) {
            (0, _) => Err("a rate of nothing".into()),
            (_, false) => Err(format!("{least} is more than {most}")),
            _ => Ok(Self { least, most }),
        }
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.at_least { ">" } else { "<" };
        write!(f, "{sign}{} {}", if self.strict { "" } else { "=" }, self.rate)
    }
}

impl FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let at_least = match text.chars().next() {
            Some('>') => true,
            Some('<') => false,
            _ => return Err(format!("`{text}` does not begin with `>=`, `>`, `<=` or `<`")),
        };
        let strict = !text[1..].starts_with('=');
        let rate = text[if strict { 1 } else { 2 }..].parse::<Bitrate>().map_err(|e| e.to_string())?;
        Ok(Self { strict, at_least, rate })
    }
}

impl Kind {
    /// A level of a signal at a receiver.
    pub const LEVEL: Self = Self::Parsed {
        allowed: "a level from \"-130dBm\" to \"10dBm\"",
        alternatives: &[],
        canonical: |text| text.parse::<Level>().map(|level| level.to_string()),
    };

    /// `"none"`, or a table with the keys of one of these forms.
    pub const fn none_or(forms: &'static [&'static [&'static str]]) -> Self {
        Self::Forms { words: &["none"], forms, parts: |_| Vec::new(), whole: None }
    }

    /// Allowed values, for messages and documentation.
    pub fn allowed(&self) -> String {
        match self {
            Self::Text(octets) => format!("a text of 1 to {octets} octets"),
            Self::Flag => "true, false".into(),
            Self::Count(min, max) => format!("a whole number from {min} to {max}"),
            Self::CountOrNone(min, max) => format!("a whole number from {min} to {max}, or \"none\""),
            Self::Probability => "a number from 0 to 1, or a percentage such as \"5%\"".into(),
            Self::Span(min, max) => format!("a time from \"{min}\" to \"{max}\""),
            Self::SpanOrNone(min, max) => format!("a time from \"{min}\" to \"{max}\", or \"none\""),
            Self::Choice(words) => quoted(words),
            Self::Personality => "the name of a personality, or the path of its file".into(),
            Self::Parsed { allowed, .. } => (*allowed).into(),
            Self::Threshold => "a comparison with a rate such as \">= 500kbps\"".into(),
            Self::Rate => "a rate such as \"400kbps\" or \"15Mbps\"".into(),
            Self::Rates => "a rate such as \"15Mbps\", or a range such as \"5Mbps to 15Mbps\"".into(),
            Self::Size(min, max) => format!("a size from \"{}\" to \"{}\"", Size(*min), Size(*max)),
            Self::Clock(min, max) => format!("a clock from \"{}\" to \"{}\"", Frequency(*min), Frequency(*max)),
            Self::Forms { words, forms, .. } => {
                let tables = forms.iter().map(|keys| format!("{{ {} }}", keys.join(", ")));
                words.iter().map(|w| format!("\"{w}\"")).chain(tables).collect::<Vec<_>>().join(", ")
            }
        }
    }

    /// The number that `value` is: a count, nanoseconds, octets, hertz or bits a second; none of words, and of `"none"`.
    pub fn number(&self, value: &Value) -> Option<u64> {
        let text = || value.as_str();
        match self {
            Self::Count(..) | Self::CountOrNone(..) => value.as_u64(),
            Self::Span(..) | Self::SpanOrNone(..) => text()?.parse().ok().map(Duration::as_nanos),
            Self::Size(..) => text()?.parse().ok().map(|size: Size| size.0),
            Self::Clock(..) => text()?.parse().ok().map(|clock: Frequency| clock.0),
            Self::Rate => text()?.parse().ok().map(|rate: Bitrate| rate.0),
            _ => None,
        }
    }

    /// `value` in its canonical form.
    ///
    /// # Errors
    /// When it is no value of `name`, and why.
    pub fn check(&self, name: &str, value: &Value) -> Result<Value, Fault> {
        let wrong = |why: String| Fault::new(format!("`{name}`: {why}")).allowing(self.allowed());
        let no_such = |words: &[&'static str], text: &str| {
            wrong(format!("`{text}` is not one of its values")).misspelling(text, words.iter().copied())
        };
        match (self, value) {
            (Self::CountOrNone(..) | Self::SpanOrNone(..), Value::String(text)) if text == "none" => Ok(value.clone()),
            (Self::Flag, Value::Bool(_)) => Ok(value.clone()),
            (Self::Text(octets), Value::String(text)) => (1..=*octets)
                .contains(&text.len())
                .then(|| value.clone())
                .ok_or_else(|| wrong(format!("a text of {} octets does not fit", text.len()))),
            (Self::Personality, Value::String(_)) => Ok(value.clone()),
            (Self::Count(min, max) | Self::CountOrNone(min, max), Value::Number(number)) => match number.as_u64() {
                Some(n) if (*min..=*max).contains(&n) => Ok(n.into()),
                _ => Err(wrong(format!("{number} is impossible"))),
            },
            (Self::Probability, Value::Number(number)) => match number.as_f64() {
                Some(p) if (0.0..=1.0).contains(&p) => Ok(p.into()),
                _ => Err(wrong(format!("{number} is not a probability"))),
            },
            (Self::Probability, Value::String(text)) if text.ends_with('%') => {
                let share = text.trim_end_matches('%').trim().parse::<f64>().ok().map(|per_cent| per_cent / 100.0);
                let share = share.filter(|share| (0.0..=1.0).contains(share));
                share.map(Value::from).ok_or_else(|| wrong(format!("{text} is not a probability")))
            }
            (Self::Count(..) | Self::CountOrNone(..), Value::String(text)) if is_number(text) => {
                Err(wrong(format!("{text} is out of range")))
            }
            (Self::Span(min, max) | Self::SpanOrNone(min, max), Value::String(text)) => {
                let span = text.parse::<Duration>().map_err(|e| wrong(e.to_string()))?;
                let fits = (*min..=*max).contains(&span);
                fits.then(|| span.to_string().into()).ok_or_else(|| wrong(format!("{span} is out of range")))
            }
            (Self::Span(..) | Self::SpanOrNone(..), Value::Number(number)) => {
                Err(wrong(format!("{number} has no unit")))
            }
            (Self::Choice(words), Value::String(text)) | (Self::Forms { words, .. }, Value::String(text)) => {
                let known = words.contains(&text.as_str());
                known.then(|| value.clone()).ok_or_else(|| no_such(words, text))
            }
            (Self::Forms { whole: Some(whole), .. }, Value::Object(_)) => (whole.check)(value).map(|()| value.clone()),
            (Self::Parsed { allowed, canonical, .. }, Value::String(text)) => {
                canonical(text).map(Value::from).map_err(|why| wrong(why).misspelling(text, words_of(allowed)))
            }
            (Self::Threshold, Value::String(text)) => Ok(text.parse::<Threshold>().map_err(wrong)?.to_string().into()),
            (Self::Rate, Value::String(text)) => {
                let rate = text.parse::<Bitrate>().map_err(|e| wrong(e.to_string()))?;
                (rate.0 > 0).then(|| rate.to_string().into()).ok_or_else(|| wrong("a rate of nothing".into()))
            }
            (Self::Rates, Value::String(text)) => Ok(text.parse::<Need>().map_err(wrong)?.to_string().into()),
            (Self::Size(min, max), Value::String(text)) => {
                let size = text.parse::<Size>().map_err(|e| wrong(e.to_string()))?;
                let fits = (*min..=*max).contains(&size.0);
                fits.then(|| size.to_string().into()).ok_or_else(|| wrong(format!("{size} is out of range")))
            }
            (Self::Clock(min, max), Value::String(text)) => {
                let clock = text.parse::<Frequency>().map_err(|e| wrong(e.to_string()))?;
                let fits = (*min..=*max).contains(&clock.0);
                fits.then(|| clock.to_string().into()).ok_or_else(|| wrong(format!("{clock} is out of range")))
            }
            (Self::Size(..) | Self::Clock(..) | Self::Rate | Self::Rates, Value::Number(number)) => {
                Err(wrong(format!("{number} has no unit")))
            }
            (_, other) => Err(wrong(format!("{other} is {}", what_it_is(other)))),
        }
    }
}

/// Tells if a text is a whole number: one that no integer holds is read as a text.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|octet| octet.is_ascii_digit())
}

/// Words that a text about allowed values quotes: without those that have a number in them, of which another is as near as any.
fn words_of(allowed: &'static str) -> impl Iterator<Item = &'static str> {
    allowed
        .split('"')
        .skip(1)
        .step_by(2)
        .filter(|word| word.bytes().all(|octet| octet.is_ascii_lowercase() || octet == b'-'))
}

/// Words in quotes, with commas.
fn quoted(words: &[&str]) -> String {
    words.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(", ")
}

/// The type of a value, with its article.
fn what_it_is(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a flag",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a table",
    }
}
