//! Columns of a table: those that every table has, and those that its records bring.

use std::collections::BTreeMap;
use std::sync::Arc;

use airtime_lab::quantity::Quantity;
use airtime_lab::{Document, Record};
use arrow_array::RecordBatch;
use arrow_schema::{Field, Schema, SchemaRef};
use serde_json::Value;

use crate::column::Type;
use crate::names::Names;
use crate::rows::{BATCH, Rows, Unfit};
use crate::{
    COMMAND_KEY, FixedColumn, PLANS_KEY, RECORDS_KEY, Row, SAYS_KEY, SCHEMA, SCHEMA_KEY, VERSION_KEY, fixed_columns,
};

/// Names that the records of a table have, and the types of their values.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    pub(crate) keys: Names,
    /// Type of each key's values, as far as a record had one.
    types: Vec<Option<Type>>,
    quantities: Vec<Quantity>,
    pub(crate) ledger: Names,
    pub(crate) steady: Names,
    pub(crate) counters: Names,
    plans: Vec<String>,
    command: Option<String>,
}

/// Column of a key, and perhaps a second one beside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub kind: Type,
    /// Quantity of the values that are told as numbers as well.
    pub number: Option<Quantity>,
}

impl Columns {
    /// Columns of no record yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Columns of all records of `documents`.
    pub fn of<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Self {
        let mut columns = Self::new();
        for document in documents {
            document.records.iter().for_each(|record| columns.see(&Row::of(document, &record)));
        }
        columns
    }

    /// The same with the command that makes the table, for its metadata.
    pub fn made_by(mut self, command: impl Into<String>) -> Self {
        self.command = Some(command.into());
        self
    }

    /// Takes in the names of a record that will be a row.
    pub fn see(&mut self, row: &Row<'_>) {
        if self.plans.last().is_none_or(|last| last != row.plan) && !self.plans.iter().any(|plan| plan == row.plan) {
            self.plans.push(row.plan.to_owned());
        }
        let Record { params, ledger_ns, steady_ledger_ns, counters, .. } = row.record;
        for (guess, (key, value)) in params.iter().enumerate() {
            let place = self.keys.see(key, guess);
            if place == self.types.len() {
                self.types.push(None);
                self.quantities.push(Quantity::of(key));
            }
            self.types[place] = joined(self.types[place], value);
        }
        let see = |names: &mut Names, (guess, (name, _)): (usize, (&str, &u64))| _ = names.see(name, guess);
        ledger_ns.iter().enumerate().for_each(|entry| see(&mut self.ledger, entry));
        steady_ledger_ns.iter().enumerate().for_each(|entry| see(&mut self.steady, entry));
        counters.iter().enumerate().for_each(|entry| see(&mut self.counters, entry));
    }

    /// Names and types of all columns in their order, with the metadata of the table.
    pub fn schema(&self) -> SchemaRef {
        let fixed = fixed_columns().iter().map(|FixedColumn { name, says, cell }| field(name, cell.kind(), says));
        let keys = self.keys().into_iter().zip(self.keys.iter()).flat_map(|(Key { kind, number }, name)| {
            let value = field(&format!("params.{name}"), kind, "Value in effect of the key.");
            let number = number.map(|quantity| {
                let name = format!("params.{name}{}", quantity.ending());
                field(&name, Type::Number, "The same as a number; nothing where it is a word.")
            });
            [Some(value), number].into_iter().flatten()
        });
        let counts = |names: &Names, prefix: &str, says: &str| {
            names.iter().map(|name| field(&format!("{prefix}.{name}"), Type::Count, says)).collect::<Vec<_>>()
        };
        let fields: Vec<Field> = fixed
            .chain(keys)
            .chain(counts(&self.ledger, "ledger_ns", "Time of the run booked to the account."))
            .chain(counts(&self.steady, "steady_ledger_ns", "Time of the steady state booked to the account."))
            .chain(counts(&self.counters, "counters", "Counter of the steady state of the first run."))
            .collect();
        Arc::new(Schema::new_with_metadata(fields, self.metadata().into_iter().collect()))
    }

    /// Columns of the keys, in their order.
    pub(crate) fn keys(&self) -> Vec<Key> {
        let key = |((name, kind), quantity): ((&str, &Option<Type>), &Quantity)| {
            let ending = quantity.ending();
            // A record that somebody wrote may have a key of that name.
            let is_free = || self.keys.place(&format!("{name}{ending}"), 0).is_none();
            let has_number = *kind == Some(Type::Text) && !ending.is_empty() && is_free();
            Key { kind: kind.unwrap_or(Type::Text), number: has_number.then_some(*quantity) }
        };
        self.keys.iter().zip(&self.types).zip(&self.quantities).map(key).collect()
    }

    /// Metadata of the table, in the order of its keys.
    pub(crate) fn metadata(&self) -> BTreeMap<String, String> {
        let plans = serde_json::to_string(&self.plans).unwrap_or_default();
        let entries = [
            (SCHEMA_KEY, Some(SCHEMA.to_owned())),
            (RECORDS_KEY, Some(airtime_lab::record::SCHEMA.to_owned())),
            (VERSION_KEY, Some(env!("CARGO_PKG_VERSION").to_owned())),
            (PLANS_KEY, Some(plans)),
            (COMMAND_KEY, self.command.clone()),
        ];
        entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
    }

    /// Batches of [`BATCH`] rows with the records of `documents`, one at a time.
    pub fn batches<'a>(
        &'a self,
        documents: &'a [Document],
    ) -> impl Iterator<Item = Result<RecordBatch, Unfit>> + use<'a> {
        let records = |document: &'a Document| document.records.iter().map(move |record| (document, record));
        let mut records = documents.iter().flat_map(records);
        let mut rows = Rows::new(self);
        std::iter::from_fn(move || {
            for (document, record) in records.by_ref() {
                if let Err(unfit) = rows.push(&Row::of(document, &record)) {
                    return Some(Err(unfit));
                }
                if rows.len() == BATCH {
                    break;
                }
            }
            (!rows.is_empty()).then(|| Ok(rows.take()))
        })
    }
}

/// Type that holds what `kind` does and `value`.
fn joined(kind: Option<Type>, value: &Value) -> Option<Type> {
    let own = match value {
        Value::Null => return kind,
        Value::Bool(_) => Type::Flag,
        Value::Number(number) if number.is_i64() => Type::Count,
        Value::Number(_) => Type::Number,
        Value::String(_) | Value::Array(_) | Value::Object(_) => Type::Text,
    };
    Some(match (kind, own) {
        (None, own) => own,
        (Some(kind), own) if kind == own => own,
        (Some(Type::Count | Type::Number), Type::Count | Type::Number) => Type::Number,
        _ => Type::Text,
    })
}

fn field(name: &str, kind: Type, says: &str) -> Field {
    let metadata = [(SAYS_KEY.to_owned(), says.to_owned())].into_iter().collect();
    Field::new(name, kind.arrow(), true).with_metadata(metadata)
}
