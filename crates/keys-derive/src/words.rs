//! `#[derive(Words)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, LitStr, Result, Variant};

/// The implementations of `Words` and `Field` for an enum without data.
pub fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "words are the variants of an enum"));
    };
    let name = &input.ident;
    let words = data.variants.iter().map(word).collect::<Result<Vec<_>>>()?;
    let variants: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    Ok(quote! {
        #[automatically_derived]
        impl ::airtime_keys::Words for #name {
            const WORDS: &'static [&'static str] = &[#(#words),*];

            fn from_word(word: &str) -> ::core::option::Option<Self> {
                match word {
                    #(#words => ::core::option::Option::Some(Self::#variants),)*
                    _ => ::core::option::Option::None,
                }
            }

            fn word(self) -> &'static str {
                match self {
                    #(Self::#variants => #words,)*
                }
            }
        }

        #[automatically_derived]
        impl ::airtime_keys::Field for #name {
            fn parse(value: &::airtime_keys::Value) -> ::core::option::Option<Self> {
                value.as_str().and_then(<Self as ::airtime_keys::Words>::from_word)
            }

            fn shown(&self) -> ::airtime_keys::Value {
                <Self as ::airtime_keys::Words>::word(*self).into()
            }
        }
    })
}

/// Word of a variant.
fn word(variant: &Variant) -> Result<String> {
    if !matches!(variant.fields, Fields::Unit) {
        return Err(Error::new_spanned(variant, "a word has no data"));
    }
    match variant.attrs.iter().find(|attribute| attribute.path().is_ident("word")) {
        Some(attribute) => Ok(attribute.parse_args::<LitStr>()?.value()),
        None => Ok(kebab_case(&variant.ident.to_string())),
    }
}

/// `AckPayload` as `ack-payload`.
fn kebab_case(name: &str) -> String {
    let mut word = String::new();
    for (index, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && index > 0 {
            word.push('-');
        }
        word.extend(letter.to_lowercase());
    }
    word
}

#[cfg(test)]
mod tests {
    use super::kebab_case;

    #[test]
    fn variants_become_words() {
        assert_eq!(kebab_case("AckPayload"), "ack-payload");
        assert_eq!(kebab_case("Stream"), "stream");
    }
}
