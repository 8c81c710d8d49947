//! Types of fields: how a value becomes one, and how it is shown.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};

use airtime_core::Duration;
use airtime_core::level::Level;
use airtime_core::units::{Bitrate, Frequency, Size};
use serde_json::Value;

/// A type that a key's field can have.
pub trait Field: Sized {
    /// The field of a value that the key's kind has accepted; none where the two do not match.
    fn parse(value: &Value) -> Option<Self>;

    /// The value in its canonical form.
    fn shown(&self) -> Value;
}

/// An enumeration whose variants a plan writes as words.
pub trait Words: Copy + Sized + 'static {
    /// Every word, in the order of the variants.
    const WORDS: &'static [&'static str];

    /// The variant that is written so.
    fn from_word(word: &str) -> Option<Self>;

    /// Word of this variant, as plans write it.
    fn word(self) -> &'static str;
}

/// A number that a plan can also leave out on purpose, as `"none"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrNone<T>(pub Option<T>);

impl<T: Field> Field for OrNone<T> {
    fn parse(value: &Value) -> Option<Self> {
        if value.as_str() == Some("none") { Some(Self(None)) } else { T::parse(value).map(|value| Self(Some(value))) }
    }

    fn shown(&self) -> Value {
        shown_or_none(self.0.as_ref())
    }
}

/// The value in its canonical form, or `"none"`.
pub fn shown_or_none<T: Field>(value: Option<&T>) -> Value {
    value.map_or_else(|| "none".into(), T::shown)
}

impl Field for bool {
    fn parse(value: &Value) -> Option<Self> {
        value.as_bool()
    }

    fn shown(&self) -> Value {
        (*self).into()
    }
}

impl Field for f64 {
    fn parse(value: &Value) -> Option<Self> {
        value.as_f64()
    }

    fn shown(&self) -> Value {
        (*self).into()
    }
}

impl Field for String {
    fn parse(value: &Value) -> Option<Self> {
        value.as_str().map(str::to_owned)
    }

    fn shown(&self) -> Value {
        self.as_str().into()
    }
}

macro_rules! counts {
    ($($number:ty),*) => {
        $(impl Field for $number {
            fn parse(value: &Value) -> Option<Self> {
                value.as_u64().and_then(|n| Self::try_from(n).ok())
            }

            fn shown(&self) -> Value {
                (*self).into()
            }
        })*
    };
}

counts!(u8, u16, u32, u64);

macro_rules! quantities {
    ($($quantity:ty),*) => {
        $(impl Field for $quantity {
            fn parse(value: &Value) -> Option<Self> {
                value.as_str()?.parse().ok()
            }

            fn shown(&self) -> Value {
                self.to_string().into()
            }
        })*
    };
}

quantities!(Duration, Bitrate, Size, Frequency, Level);
