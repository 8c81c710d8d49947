//! One field as one key, or as a head and the parts of its loss.

use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprLit, ExprRange, Field, GenericArgument, Ident, Lit, PathArguments, Result, Type};

use crate::attributes::{OfField, OfStruct, doc, of_field};
use crate::quantity::{CLOCKS, SIZES, TIMES, base_units};

/// A field with all that is said about it.
pub struct Declared<'a> {
    pub ident: &'a Ident,
    pub name: String,
    /// Type without its `Option`.
    inner: &'a Type,
    pub is_optional: bool,
    /// Set if the key has to be set; an `Option` is then a value or `"none"`.
    pub is_required: bool,
    pub said: OfField,
    doc: String,
}

/// Shape of the values of a field, by its type.
enum Shape {
    Flag,
    Count,
    CountOrNone,
    Span,
    SpanOrNone,
    Size,
    Clock,
    Rate,
    Probability,
    Text,
    Words,
}

impl<'a> Declared<'a> {
    /// The declaration of `field` in the table of `of`.
    pub fn read(of: &OfStruct, field: &'a Field) -> Result<Self> {
        let table = &of.table;
        let ident = field.ident.as_ref().ok_or_else(|| Error::new(field.span(), "keys have names"))?;
        let said = of_field(&field.attrs)?;
        let last = said.name.as_ref().map_or_else(|| ident.to_string(), syn::LitStr::value);
        let name = if table.is_empty() { last } else { format!("{table}.{last}") };
        let (inner, is_optional) = match only_argument(&field.ty, "Option") {
            Some(inner) => (inner, true),
            None => (&field.ty, false),
        };
        let doc = doc(&field.attrs);
        let has_default = said.default.is_some() || said.loss.is_some();
        let is_required = of.required && !has_default && !said.nested;
        let declared = Self { ident, name, inner, is_optional, is_required, said, doc };
        declared.checked(has_default)
    }

    /// Refuses what a declaration cannot say together.
    fn checked(self, has_default: bool) -> Result<Self> {
        let Self { ident, is_optional, .. } = self;
        if self.said.nested {
            return Ok(self);
        }
        if self.said.mechanism.is_none() && (self.said.way.is_some() || self.said.guards.is_some()) {
            return Err(Error::new_spanned(ident, "a way and a guard are of a mechanism"));
        }
        if !self.doc.ends_with('.') {
            return Err(Error::new_spanned(ident, "a key has a doc comment, which is a sentence: its text"));
        }
        if self.said.octets && !self.is_required {
            return Err(Error::new_spanned(ident, "octets have a unit in files; in a plan, their type is `Size`"));
        }
        if !self.is_required && has_default == is_optional {
            let what = "a key has either a default or, as an `Option`, none; say `from` where it then comes from";
            return Err(Error::new_spanned(ident, what));
        }
        Ok(self)
    }

    /// The keys of this field as constant expressions.
    pub fn keys(&self) -> Result<Vec<TokenStream>> {
        let (name, doc) = (&self.name, &self.doc);
        if let Some(what) = &self.said.loss {
            return Ok(loss_keys(name, doc, &what.value()));
        }
        let kind = self.kind()?;
        let default = self.default_of_key()?;
        let knob = match &self.said.whose {
            None => quote!(::airtime_keys::Knob::Of(::airtime_keys::Turns::Nobody)),
            Some(rule)
                if ["Sender", "Receiver", "Central", "Peripheral", "Program", "Interval"]
                    .iter()
                    .any(|known| rule == known) =>
            {
                quote!(::airtime_keys::Knob::#rule)
            }
            Some(turns) => quote!(::airtime_keys::Knob::Of(::airtime_keys::Turns::#turns)),
        };
        let unit = match &self.said.unit {
            Some(unit) => quote!(::core::option::Option::Some(#unit)),
            None => quote!(::core::option::Option::None),
        };
        let eases = self.eases();
        let steps = self.said.steps.iter().flat_map(|steps| &steps.elems);
        let config = self.said.config.iter().flat_map(|config| &config.elems);
        Ok(vec![quote! {
            ::airtime_keys::Key {
                name: #name,
                kind: #kind,
                unit: #unit,
                default: #default,
                knob: #knob,
                eases: #eases,
                steps: { #[allow(unused_imports)] use ::airtime_keys::Step::*; &[#(#steps),*] },
                config: { #[allow(unused_imports)] use ::airtime_keys::config::*; const { &[#(#config),*] } },
                doc: #doc,
            }
        }])
    }

    /// Part of the key in the throughput as an expression.
    fn eases(&self) -> TokenStream {
        let OfField { mechanism, way, guards, .. } = &self.said;
        let Some(mechanism) = mechanism else { return quote!(::core::option::Option::None) };
        let either = Ident::new("Either", mechanism.span());
        let way = way.as_ref().unwrap_or(&either);
        let guards = match guards {
            Some(guard) => quote!(::core::option::Option::Some(::airtime_keys::Guard::#guard)),
            None => quote!(::core::option::Option::None),
        };
        quote!(::core::option::Option::Some(::airtime_keys::Eases {
            mechanism: ::airtime_keys::Mechanism::#mechanism,
            way: ::airtime_keys::Way::#way,
            guards: #guards,
        }))
    }

    /// The field's value when nothing is set; only for a field that is no `Option`.
    pub fn default(&self) -> Result<TokenStream> {
        let Some(default) = &self.said.default else { return Ok(quote!(::core::option::Option::None)) };
        let inner = self.inner;
        Ok(match self.shape()? {
            Shape::Flag | Shape::Count => quote!(#default),
            Shape::Span => {
                let ns = base_units(default, TIMES)?;
                quote!(::airtime_keys::derived::Duration::from_nanos(#ns))
            }
            _ => quote! {
                <#inner as ::airtime_keys::Field>::parse(&::airtime_keys::Value::from(#default))
                    .expect("the default is a value of its key")
            },
        })
    }

    /// Type of the field without its `Option`.
    pub fn inner(&self) -> &Type {
        self.inner
    }

    fn shape(&self) -> Result<Shape> {
        let shape = self.shape_of_value()?;
        match shape {
            Shape::Count if self.said.octets => Ok(Shape::Size),
            Shape::Count if self.is_required && self.is_optional => Ok(Shape::CountOrNone),
            Shape::Span if self.is_required && self.is_optional => Ok(Shape::SpanOrNone),
            _ if self.is_required && self.is_optional => {
                Err(Error::new_spanned(self.inner, "only a count or a time can be none"))
            }
            other => Ok(other),
        }
    }

    fn shape_of_value(&self) -> Result<Shape> {
        if let Some(number) = only_argument(self.inner, "OrNone") {
            return match last_ident(number).map(Ident::to_string).as_deref() {
                Some("u8" | "u16" | "u32" | "u64") => Ok(Shape::CountOrNone),
                _ => Err(Error::new_spanned(self.inner, "only a count can be none")),
            };
        }
        let name = last_ident(self.inner).map(Ident::to_string).unwrap_or_default();
        Ok(match name.as_str() {
            "bool" => Shape::Flag,
            "u8" | "u16" | "u32" | "u64" => Shape::Count,
            "Duration" => Shape::Span,
            "Size" => Shape::Size,
            "Frequency" => Shape::Clock,
            "Bitrate" => Shape::Rate,
            "f64" => Shape::Probability,
            "String" => Shape::Text,
            _ => Shape::Words,
        })
    }

    fn kind(&self) -> Result<TokenStream> {
        if let Some(kind) = &self.said.kind {
            return Ok(quote!({ #[allow(unused_imports)] use ::airtime_keys::Kind; #kind }));
        }
        let inner = self.inner;
        Ok(match self.shape()? {
            Shape::Flag => quote!(::airtime_keys::Kind::Flag),
            Shape::Count => {
                let (least, most) = self.bounds(&[])?;
                quote!({
                    assert!(#most <= <#inner>::MAX as u64, "the range does not fit the field");
                    ::airtime_keys::Kind::Count(#least, #most)
                })
            }
            Shape::CountOrNone => {
                let (least, most) = self.bounds(&[])?;
                quote!(::airtime_keys::Kind::CountOrNone(#least, #most))
            }
            Shape::Span => {
                let (least, most) = self.times()?;
                quote!(::airtime_keys::Kind::Span(#least, #most))
            }
            Shape::SpanOrNone => {
                let (least, most) = self.times()?;
                quote!(::airtime_keys::Kind::SpanOrNone(#least, #most))
            }
            Shape::Size => {
                let (least, most) = self.bounds(SIZES)?;
                quote!(::airtime_keys::Kind::Size(#least, #most))
            }
            Shape::Clock => {
                let (least, most) = self.bounds(CLOCKS)?;
                quote!(::airtime_keys::Kind::Clock(#least, #most))
            }
            Shape::Rate => quote!(::airtime_keys::Kind::Rate),
            Shape::Probability => quote!(::airtime_keys::Kind::Probability),
            Shape::Text => {
                let (_, most) = self.bounds(&[])?;
                quote!(::airtime_keys::Kind::Text(#most as usize))
            }
            Shape::Words => quote!(::airtime_keys::Kind::Choice(<#inner as ::airtime_keys::Words>::WORDS)),
        })
    }

    /// Shortest and longest time as expressions.
    fn times(&self) -> Result<(TokenStream, TokenStream)> {
        let (least, most) = self.bounds(TIMES)?;
        let time = |ns: TokenStream| quote!(::airtime_keys::derived::Duration::from_nanos(#ns));
        Ok((time(least), time(most)))
    }

    /// Lowest and highest value as expressions, in base units.
    fn bounds(&self, units: &[(&str, u64)]) -> Result<(TokenStream, TokenStream)> {
        let Some(Expr::Range(ExprRange { start: Some(least), end: Some(most), .. })) = &self.said.range else {
            return Err(Error::new_spanned(self.ident, "a number has a range: range = 0..=125"));
        };
        let bound = |expression: &Expr| match expression {
            Expr::Lit(_) => base_units(expression, units).map(|n| quote!(#n)),
            // A constant of the crate.
            other => Ok(quote!((#other) as u64)),
        };
        Ok((bound(least)?, bound(most)?))
    }

    fn default_of_key(&self) -> Result<TokenStream> {
        match (&self.said.default, &self.said.from) {
            (Some(_), Some(from)) => Err(Error::new_spanned(from, "a key has a default or comes from elsewhere")),
            (None, Some(from)) => Ok(quote!(::airtime_keys::Default::From(#from))),
            (None, None) => Ok(quote!(::airtime_keys::Default::Absent)),
            (Some(Expr::Lit(ExprLit { lit, .. })), None) => Ok(match lit {
                Lit::Int(number) => quote!(::airtime_keys::Default::Count(#number)),
                Lit::Bool(flag) => quote!(::airtime_keys::Default::Flag(#flag)),
                text => quote!(::airtime_keys::Default::Text(#text)),
            }),
            (Some(other), None) => Err(Error::new_spanned(other, "a default is a literal")),
        }
    }
}

/// The one type argument of `ty`, if it is this generic type.
fn only_argument<'a>(ty: &'a Type, generic: &str) -> Option<&'a Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|segment| segment.ident == generic)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) => Some(inner),
        _ => None,
    }
}

fn last_ident(ty: &Type) -> Option<&Ident> {
    let Type::Path(path) = ty else { return None };
    path.path.segments.last().map(|segment| &segment.ident)
}

/// The head of a table of loss and its parts, in the order of `airtime_keys::loss::PARTS`.
fn loss_keys(head: &str, doc: &str, of: &str) -> Vec<TokenStream> {
    let key = |name: String, kind: TokenStream, default: TokenStream, doc: String| quote!(::airtime_keys::Key::new(#name, #kind, ::airtime_keys::Default::#default, #doc));
    // A name of letters such as MPDU is spelled out when it is read: an em-pee-dee-you.
    let article = if of.starts_with(['A', 'E', 'F', 'I', 'L', 'M', 'O', 'a', 'e', 'i', 'o']) { "an" } else { "a" };
    let share = || quote!(::airtime_keys::Kind::Probability);
    let mean = || {
        let (least, most) = (1_000u64, 86_400_000_000_000u64);
        quote!(::airtime_keys::Kind::Span(
            ::airtime_keys::derived::Duration::from_nanos(#least),
            ::airtime_keys::derived::Duration::from_nanos(#most),
        ))
    };
    let forms = quote!(::airtime_keys::Kind::none_or(::airtime_keys::loss::FORMS));
    let part = |name: &str, kind: TokenStream, doc: String| key(format!("{head}.{name}"), kind, quote!(Absent), doc);
    vec![
        {
            let head = key(head.to_owned(), forms, quote!(Text("none")), doc.to_owned());
            let losses = quote!(::airtime_keys::Mechanism::Losses, ::airtime_keys::Way::Either);
            quote!(#head.easing(::airtime_keys::Eases::new(#losses)))
        },
        part("per", share(), format!("Probability that {article} {of} is damaged.")),
        part("miss", share(), format!("Probability that {article} {of} is missed: its receiver finds no beginning.")),
        part(
            "damage",
            share(),
            format!("Probability that {article} {of} is damaged: it arrives with a wrong checksum."),
        ),
        part("ber", share(), "Probability that a bit is wrong; in the beginning it hides what follows.".to_owned()),
        part("good", share(), format!("Probability that {article} {of} is lost outside bursts.")),
        part("bad", share(), format!("Probability that {article} {of} is lost within a burst.")),
        part("every", mean(), "Mean time between bursts.".to_owned()),
        part("burst", mean(), "Mean length of a burst.".to_owned()),
        part("missed", share(), "Share of what is lost in this way that is missed and not damaged.".to_owned()),
    ]
}
