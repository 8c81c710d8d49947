//! `#[derive(Keys)]`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Error, Fields, Result, Type, Visibility};

use crate::attributes::of_struct;
use crate::field::Declared;

/// The implementation of `Keys`, and a constant for each key.
pub fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "keys are the fields of a struct"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(&input.ident, "keys have names"));
    };
    let of_struct = of_struct(&input.ident, &input.attrs)?;
    let declared = fields.named.iter().map(|field| Declared::read(&of_struct, field)).collect::<Result<Vec<_>>>()?;
    let name = &input.ident;
    let context = of_struct.context.map_or_else(|| quote!(()), |context| quote!(#context));
    let (mut together, mut alone, mut keys) = (None, None, Own::default());
    if let Some(doc) = &of_struct.head {
        let head = head(&of_struct.table, doc, &declared)?;
        let eases = of_struct.mechanism.iter().map(|mechanism| {
            quote!(.easing(::airtime_keys::Eases::new(::airtime_keys::Mechanism::#mechanism, ::airtime_keys::Way::Either)))
        });
        keys.extend(vec![quote!(#head #(#eases)*)]);
        together = Some(quote!(::airtime_keys::together(Self::KEYS, from)?;));
        let parts = declared.iter().map(|field| field.ident);
        alone = Some(quote! {
            if true #(&& self.#parts.is_none())* {
                told(&Self::KEYS[0], "none".into());
            }
        });
    }
    let Parts { reads, shows, constants } = parts(&declared, &input.vis, &mut keys)?;
    let keys = keys.all();
    Ok(quote! {
        #[automatically_derived]
        impl ::airtime_keys::Keys for #name {
            type Context = #context;

            const KEYS: &'static [::airtime_keys::Key] = #keys;

            fn read(
                from: &dyn ::airtime_keys::Source,
            ) -> ::core::result::Result<Self, ::airtime_keys::Fault> {
                #together
                ::core::result::Result::Ok(Self { #(#reads),* })
            }

            #[allow(unused_variables)]
            fn show(
                &self,
                context: &Self::Context,
                told: &mut dyn ::core::ops::FnMut(&'static ::airtime_keys::Key, ::airtime_keys::Value),
            ) {
                #alone
                #(#shows)*
            }
        }

        #[automatically_derived]
        #[allow(dead_code)]
        impl #name {
            #(#constants)*
        }
    })
}

/// Code of each field: what reads it, what shows it, and the constant that is its key.
#[derive(Default)]
struct Parts {
    reads: Vec<TokenStream>,
    shows: Vec<TokenStream>,
    constants: Vec<TokenStream>,
}

/// Parts of the fields that are `declared` in a struct of which `keys` has the keys so far.
fn parts(declared: &[Declared<'_>], visible: &Visibility, keys: &mut Own) -> Result<Parts> {
    let Parts { mut reads, mut shows, mut constants } = Parts::default();
    for field in declared {
        if field.said.nested {
            keys.nest(field.inner());
            reads.push(read_nested(field));
            shows.push(show_nested(field));
            continue;
        }
        let own = field.keys()?;
        let (first, past) = (keys.index(0), keys.index(own.len()));
        keys.extend(own);
        reads.push(read(field, &first, &past)?);
        shows.push(show(field, &first, &past));
        constants.push(constant(visible, field, &first));
    }
    Ok(Parts { reads, shows, constants })
}

/// The keys of a struct so far: its own, and those of the structs nested in it.
#[derive(Default)]
struct Own {
    /// Own keys, and behind each run of them the type of the struct that is nested there.
    runs: Vec<(Vec<TokenStream>, Type)>,
    last: Vec<TokenStream>,
}

impl Own {
    fn extend(&mut self, keys: Vec<TokenStream>) {
        self.last.extend(keys);
    }

    fn nest(&mut self, nested: &Type) {
        self.runs.push((core::mem::take(&mut self.last), nested.clone()));
    }

    /// Position of the key that is `ahead` of the next one, as an expression.
    fn index(&self, ahead: usize) -> TokenStream {
        let own = self.runs.iter().map(|(keys, _)| keys.len()).sum::<usize>() + self.last.len() + ahead;
        let nested = self.runs.iter().map(|(_, nested)| nested);
        quote!(#own #(+ <#nested as ::airtime_keys::Keys>::KEYS.len())*)
    }

    /// All of them, as a constant expression.
    fn all(&self) -> TokenStream {
        let (last, length) = (&self.last, self.index(0));
        if self.runs.is_empty() {
            return quote!(&[#(#last),*]);
        }
        let runs =
            self.runs.iter().map(|(keys, nested)| quote!(&[#(#keys),*], <#nested as ::airtime_keys::Keys>::KEYS));
        quote!(&::airtime_keys::derived::joined::<{ #length }>(&[#(#runs,)* &[#(#last),*]]))
    }
}

fn read_nested(field: &Declared<'_>) -> TokenStream {
    let (ident, inner) = (field.ident, field.inner());
    quote!(#ident: <#inner as ::airtime_keys::Keys>::read(from)?)
}

fn show_nested(field: &Declared<'_>) -> TokenStream {
    let ident = field.ident;
    quote!(::airtime_keys::Keys::show(&self.#ident, &(), told);)
}

/// The key that a whole table is: `"none"`, or its parts together.
fn head(table: &str, doc: &str, parts: &[Declared<'_>]) -> Result<TokenStream> {
    if let Some(part) = parts.iter().find(|part| !part.is_optional) {
        return Err(Error::new_spanned(part.ident, "a part of a table with a head is an `Option`"));
    }
    let name = |part: &Declared<'_>| part.name.rsplit('.').next().unwrap_or(&part.name).to_owned();
    let all: Vec<String> = parts.iter().map(name).collect();
    // A part with a value of its own may be left out.
    let needed: Vec<String> = parts.iter().filter(|part| part.said.from.is_none()).map(name).collect();
    let forms = if needed.len() == all.len() { vec![all] } else { vec![needed, all] };
    Ok(quote! {
        ::airtime_keys::Key::new(
            #table,
            ::airtime_keys::Kind::none_or(&[#(&[#(#forms),*]),*]),
            ::airtime_keys::Default::Text("none"),
            #doc,
        )
    })
}

/// The field's initialiser in `read`.
fn read(field: &Declared<'_>, first: &TokenStream, past: &TokenStream) -> Result<TokenStream> {
    let (ident, inner) = (field.ident, field.inner());
    if field.said.loss.is_some() {
        return Ok(quote!(#ident: ::airtime_keys::loss::read(from, &Self::KEYS[#first..#past])?));
    }
    let value = match (field.is_required, field.is_optional) {
        (true, _) if field.said.octets => {
            quote!(::airtime_keys::derived::required::<::airtime_keys::derived::Size>(&Self::KEYS[#first], from)?.0)
        }
        (true, false) => quote!(::airtime_keys::derived::required::<#inner>(&Self::KEYS[#first], from)?),
        (true, true) => {
            quote!(::airtime_keys::derived::required::<::airtime_keys::OrNone<#inner>>(&Self::KEYS[#first], from)?.0)
        }
        (false, _) => quote! {
            from.value(&Self::KEYS[#first]).as_ref().and_then(<#inner as ::airtime_keys::Field>::parse)
        },
    };
    if field.is_required || field.is_optional {
        return Ok(quote!(#ident: #value));
    }
    let default = field.default()?;
    Ok(quote!(#ident: #value.unwrap_or_else(|| #default)))
}

/// The field's statement in `show`.
fn show(field: &Declared<'_>, first: &TokenStream, past: &TokenStream) -> TokenStream {
    let ident = field.ident;
    let tell = if field.said.loss.is_some() {
        quote!(::airtime_keys::loss::show(self.#ident, &Self::KEYS[#first..#past], told);)
    } else if field.said.octets {
        quote! {
            told(&Self::KEYS[#first], ::airtime_keys::Field::shown(&::airtime_keys::derived::Size(self.#ident)));
        }
    } else if field.is_required && field.is_optional {
        quote!(told(&Self::KEYS[#first], ::airtime_keys::derived::shown_or_none(self.#ident.as_ref()));)
    } else if field.is_optional {
        quote! {
            if let ::core::option::Option::Some(value) = &self.#ident {
                told(&Self::KEYS[#first], ::airtime_keys::Field::shown(value));
            }
        }
    } else {
        quote!(told(&Self::KEYS[#first], ::airtime_keys::Field::shown(&self.#ident));)
    };
    match &field.said.when {
        Some(when) => quote!(if #when(context) { #tell }),
        None => tell,
    }
}

/// `pub const CHANNEL: &Key`.
fn constant(visibility: &Visibility, field: &Declared<'_>, index: &TokenStream) -> TokenStream {
    let name =
        format_ident!("{}", field.ident.to_string().trim_start_matches("r#").trim_end_matches('_').to_uppercase());
    let doc = format!("Key `{}`.", field.name);
    quote! {
        #[doc = #doc]
        #visibility const #name: &'static ::airtime_keys::Key = &<Self as ::airtime_keys::Keys>::KEYS[#index];
    }
}
