//! Attributes as somebody wrote them.

use syn::meta::ParseNestedMeta;
use syn::{Attribute, Error, Expr, ExprArray, Ident, Lit, LitStr, Meta, Path, Result, Type};

/// `#[keys(…)]` of a struct.
pub struct OfStruct {
    /// Table of the plan.
    pub table: String,
    /// Rest of the scenario that decides which keys mean something.
    pub context: Option<Type>,
    /// Text of the key that the table itself is: `"none"`, or all of its parts together.
    pub head: Option<String>,
    /// Mechanism that this key belongs to.
    pub mechanism: Option<Ident>,
    /// Set if a key without a default has to be set, as in the file of a personality.
    pub required: bool,
}

/// `#[key(…)]` of a field.
#[derive(Default)]
pub struct OfField {
    pub range: Option<Expr>,
    pub default: Option<Expr>,
    pub from: Option<LitStr>,
    pub whose: Option<Ident>,
    pub unit: Option<LitStr>,
    pub steps: Option<ExprArray>,
    pub config: Option<ExprArray>,
    pub when: Option<Path>,
    pub loss: Option<LitStr>,
    pub kind: Option<Expr>,
    pub name: Option<LitStr>,
    /// Mechanism that the key belongs to.
    pub mechanism: Option<Ident>,
    /// Way in which it eases it; either, where nothing is said.
    pub way: Option<Ident>,
    /// Good that it guards.
    pub guards: Option<Ident>,
    /// Set if the field is a struct with keys of its own.
    pub nested: bool,
    /// Set if the field is a count of octets that is written with a unit.
    pub octets: bool,
}

/// The attribute of the struct.
pub fn of_struct(owner: &Ident, attributes: &[Attribute]) -> Result<OfStruct> {
    let (mut table, mut context, mut head, mut mechanism, mut required) = (None, None, None, None, false);
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("keys")) {
        attribute.parse_nested_meta(|meta| {
            match name(&meta)?.as_str() {
                "table" => table = Some(meta.value()?.parse::<LitStr>()?.value()),
                "context" => context = Some(meta.value()?.parse()?),
                "head" => head = Some(meta.value()?.parse::<LitStr>()?.value()),
                "mechanism" => mechanism = Some(meta.value()?.parse()?),
                "required" => required = true,
                other => {
                    return Err(meta.error(format!("`{other}` is not table, context, head, mechanism or required")));
                }
            }
            Ok(())
        })?;
    }
    let table = table.ok_or_else(|| Error::new_spanned(owner, "keys need a table: #[keys(table = \"…\")]"))?;
    Ok(OfStruct { table, context, head, mechanism, required })
}

/// The attribute of a field.
pub fn of_field(attributes: &[Attribute]) -> Result<OfField> {
    let mut found = OfField::default();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("key")) {
        attribute.parse_nested_meta(|meta| found.take(&meta))?;
    }
    Ok(found)
}

impl OfField {
    fn take(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let word = name(meta)?;
        match word.as_str() {
            "nested" => self.nested = true,
            "octets" => self.octets = true,
            _ => return self.take_value(meta, &word),
        }
        Ok(())
    }

    fn take_value(&mut self, meta: &ParseNestedMeta<'_>, word: &str) -> Result<()> {
        let value = meta.value()?;
        match word {
            "range" => self.range = Some(value.parse()?),
            "default" => self.default = Some(value.parse()?),
            "from" => self.from = Some(value.parse()?),
            "whose" => self.whose = Some(value.parse()?),
            "unit" => self.unit = Some(value.parse()?),
            "steps" => self.steps = Some(value.parse()?),
            "config" => self.config = Some(value.parse()?),
            "when" => self.when = Some(value.parse()?),
            "loss" => self.loss = Some(value.parse()?),
            "kind" => self.kind = Some(value.parse()?),
            "name" => self.name = Some(value.parse()?),
            "mechanism" => self.mechanism = Some(value.parse()?),
            "way" => self.way = Some(value.parse()?),
            "guards" => self.guards = Some(value.parse()?),
            other => return Err(meta.error(format!("`{other}` says nothing about a key"))),
        }
        Ok(())
    }
}

fn name(meta: &ParseNestedMeta<'_>) -> Result<String> {
    meta.path.get_ident().map(Ident::to_string).ok_or_else(|| meta.error("one word"))
}

/// The text of a doc comment, its lines joined.
pub fn doc(attributes: &[Attribute]) -> String {
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. }) => Some(text.value().trim().to_owned()),
            _ => None,
        },
        _ => None,
    };
    let lines: Vec<String> = attributes.iter().filter_map(line).filter(|line| !line.is_empty()).collect();
    lines.join(" ")
}
