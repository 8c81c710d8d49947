//! Derives of `airtime-keys`: `Keys` for a plain struct whose fields are keys of a plan, `Words` for an enum whose variants
//! are words of one.
//!
//! The doc comment of a field is the key's text, as with clap and serde. `airtime-keys` documents both by example.
#![warn(missing_docs)]

mod attributes;
mod field;
mod keys;
mod quantity;
mod words;

use proc_macro::TokenStream;
use syn::{DeriveInput, Error, parse_macro_input};

/// Declares the fields of a struct as keys: `#[keys(table = "…", context = Type)]` on the struct, `#[key(…)]` on each field.
///
/// With `head = "…"` on the struct the table is a key itself, with this text: `"none"`, or all of its parts together, each of
/// which is then an `Option`. With `required` every key without a default has to be set, as in the file of a personality: an
/// `Option` is then a value or `"none"`.
///
/// | in `#[key(…)]` | meaning |
/// |---|---|
/// | `range = 0..=125` | lowest and highest value; quantities as text: `"250us"..="4ms"`; of a text, octets at most |
/// | `default = 108` | value when the plan does not say: a number, a flag, a quantity or a word as text |
/// | `from = "…"` | sentence about where the value comes from when the plan does not say; the field is an `Option` |
/// | `whose = Daemon` | owner: a variant of `Turns`, or `Sender`, `Receiver`, `Interval`; without it, nobody |
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
