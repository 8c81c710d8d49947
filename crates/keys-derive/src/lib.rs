//! Derives of `airtime-keys`: `Keys` for a plain struct whose fields are keys of a plan, `Words` for an enum whose variants
//! are words of one.
//!
//! The doc comment of a field is the key's text, as with clap and serde. `airtime-keys` shows what to do with the result.
//!
//! A struct with two keys, one with a fixed value where the plan does not say, one whose value then comes from elsewhere:
//!
//! ```rust,ignore
//! /// Keys of a plan's `[radio]` table.
//! #[derive(Keys)]
//! #[keys(table = "radio")]
//! pub struct Radio {
//!     /// RF channel: 2400 MHz plus this.
//!     #[key(range = 0..=125, default = 108, whose = Daemon)]
//!     channel: u8,
//!     /// Retransmission delay of the chip.
//!     #[key(range = "250us"..="4ms", from = "the shortest of the mode", whose = Daemon, mechanism = Losses)]
//!     ard: Option<Duration>,
//! }
//! ```
//!
//! The derive writes this, in which paths are shortened and the imports within `steps` and `config` are left out:
//!
//! ```rust,ignore
//! impl Keys for Radio {
//!     type Context = ();
//!
//!     const KEYS: &'static [Key] = &[
//!         Key {
//!             name: "radio.channel",
//!             kind: {
//!                 assert!(125 <= <u8>::MAX as u64, "the range does not fit the field");
//!                 Kind::Count(0, 125)
//!             },
//!             unit: None,
//!             default: Default::Count(108),
//!             knob: Knob::Of(Turns::Daemon),
//!             eases: None,
//!             steps: &[],
//!             config: &[],
//!             doc: "RF channel: 2400 MHz plus this.",
//!         },
//!         Key {
//!             name: "radio.ard",
//!             // Nanoseconds: quantities are read while building.
//!             kind: Kind::Span(Duration::from_nanos(250000), Duration::from_nanos(4000000)),
//!             unit: None,
//!             default: Default::From("the shortest of the mode"),
//!             knob: Knob::Of(Turns::Daemon),
//!             eases: Some(Eases { mechanism: Mechanism::Losses, way: Way::Either, guards: None }),
//!             steps: &[],
//!             config: &[],
//!             doc: "Retransmission delay of the chip.",
//!         },
//!     ];
//!
//!     fn read(from: &dyn Source) -> Result<Self, Fault> {
//!         Ok(Self {
//!             channel: from.value(&Self::KEYS[0]).as_ref().and_then(<u8 as Field>::parse).unwrap_or_else(|| 108),
//!             ard: from.value(&Self::KEYS[1]).as_ref().and_then(<Duration as Field>::parse),
//!         })
//!     }
//!
//!     fn show(&self, context: &Self::Context, told: &mut dyn FnMut(&'static Key, Value)) {
//!         told(&Self::KEYS[0], Field::shown(&self.channel));
//!         if let Some(value) = &self.ard {
//!             told(&Self::KEYS[1], Field::shown(value));
//!         }
//!     }
//! }
//!
//! impl Radio {
//!     /// Key `radio.channel`.
//!     pub const CHANNEL: &'static Key = &<Self as Keys>::KEYS[0];
//!     /// Key `radio.ard`.
//!     pub const ARD: &'static Key = &<Self as Keys>::KEYS[1];
//! }
//! ```
#![warn(missing_docs)]

mod attributes;
#[cfg(test)]
mod example;
mod field;
mod keys;
mod quantity;
mod words;

use proc_macro::TokenStream;
use syn::{DeriveInput, Error, parse_macro_input};

/// Declares the fields of a struct as keys: `#[keys(table = "…", context = Type)]` on the struct, `#[key(…)]` on each field.
///
/// With `head = "…"` on the struct the table is a key itself, with this text: `"none"`, or all of its parts together, each of
/// which is then an `Option`; `mechanism = …` beside it is the one that this key eases. With `required` every key without a
/// default has to be set, as in the file of a personality: an `Option` is then a value or `"none"`.
///
/// | in `#[key(…)]` | meaning |
/// |---|---|
/// | `range = 0..=125` | lowest and highest value; quantities as text: `"250us"..="4ms"`; of a text, octets at most |
/// | `default = 108` | value when the plan does not say: a number, a flag, a quantity or a word as text |
/// | `from = "…"` | sentence about where the value comes from when the plan does not say; the field is an `Option` |
/// | `whose = Daemon` | owner: a variant of `Turns`, or a rule of `Knob` such as `Sender`; without it, nobody |
/// | `mechanism = Losses` | mechanism that the key eases: a variant of `Mechanism` |
/// | `way = More` | way in which it eases it: a variant of `Way`; without it, either |
/// | `guards = Security` | good that the key guards: a variant of `Guard` |
/// | `unit = "octets"` | unit of a count |
/// | `steps = [Half, Double]` | values that `explain` tries, as `Step` |
/// | `config = [host("CONFIG_X", Form::Count)]` | options of build configurations |
/// | `when = path` | function from the context that tells if the key means something |
/// | `loss = "frame"` | loss of frames: a field of type `Loss`, with its table of parts |
/// | `kind = expression` | kind of values, where the field's type does not say it |
/// | `name = "for"` | name in the plan, where it is no identifier |
/// | `octets` | a count of octets that is written with a unit, where every key is required; its range is too: `"0B"..="1MB"` |
/// | `nested` | a struct with keys of its own, which are keys of this one too |
#[proc_macro_derive(Keys, attributes(keys, key))]
pub fn derive_keys(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    keys::expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

/// Makes the variants of an enum words of a plan: kebab-case of the variant, or `#[word("…")]`.
#[proc_macro_derive(Words, attributes(word))]
pub fn derive_words(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    words::expand(&input).unwrap_or_else(Error::into_compile_error).into()
}
