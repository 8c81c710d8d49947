//! Rows until they are a batch.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use serde_json::Value;
use thiserror::Error;

use crate::column::{Column, Type};
use crate::columns::Key;
use crate::fixed::counted;
use crate::names::Names;
use crate::{Columns, Row, fixed_columns};

/// Rows of a batch: enough that a column is worth its head, few enough that some hundred columns stay small. *Assumed.*
pub const BATCH: usize = 8_192;

/// Reason that a record is no row of a table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Unfit {
    /// It has a name that none of the records had which the columns are of.
    #[error("record `{id}` has `{name}`, and the table has no column for it: the records changed while they were read")]
    Unknown {
        /// Id of the record.
        id: String,
        /// Name that has no column.
        name: String,
    },
    /// A whole number of it needs more than 63 bits.
    #[error("record `{id}`: {column} is {value}, and a column holds whole numbers up to {}", i64::MAX)]
    TooLarge {
        /// Id of the record.
        id: String,
        /// Name of the column.
        column: String,
        /// The number.
        value: u64,
    },
}

/// Rows that are gathered.
#[derive(Debug)]
pub struct Rows {
    schema: SchemaRef,
    columns: Columns,
    keys: Vec<Key>,
    values: Vec<Column>,
    rows: usize,
}

impl Rows {
    /// No rows yet, of a table with these columns.
    pub fn new(columns: &Columns) -> Self {
        let schema = columns.schema();
        let fixed = fixed_columns().iter().map(|column| column.cell.kind());
        let keys = columns.keys();
        let of_keys = keys
            .iter()
            .flat_map(|Key { kind, number }| [Some(*kind), number.map(|_| Type::Number)].into_iter().flatten());
        let counts = [&columns.ledger, &columns.steady, &columns.counters].map(Names::len).into_iter().sum();
        let types = fixed.chain(of_keys).chain(std::iter::repeat_n(Type::Count, counts));
        let values: Vec<Column> = types.map(Type::column).collect();
        debug_assert_eq!(values.len(), schema.fields().len());
        Self { schema, columns: columns.clone(), keys, values, rows: 0 }
    }

    /// Schema of the batches.
    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Adds a row. After an error there is no batch to be had of these rows.
    ///
    /// # Errors
    /// When the columns are not those of the record.
    pub fn push(&mut self, row: &Row<'_>) -> Result<(), Unfit> {
        let (fixed, others) = self.values.split_at_mut(fixed_columns().len());
        for (column, values) in fixed_columns().iter().zip(fixed) {
            column.cell.add(row, column.name, values)?;
        }
        let Columns { keys, ledger, steady, counters, .. } = &self.columns;
        let unknown = |name: &str| Unfit::Unknown { id: row.record.id.clone(), name: name.to_owned() };
        let mut others = others.iter_mut();
        let mut slots = Vec::with_capacity(keys.len());
        keys.sort(row.record.params.iter(), &mut slots).map_err(unknown)?;
        for (value, key) in slots.iter().zip(&self.keys) {
            let value = value.filter(|value| !value.is_null());
            if let Some(column) = others.next() {
                set(column, value).ok_or_else(|| unknown("a value of another type"))?;
            }
            if let Some(quantity) = key.number
                && let Some(Column::Number(numbers)) = others.next()
            {
                numbers.append_option(value.and_then(Value::as_str).and_then(|text| quantity.number(text)));
            }
        }
        let record = row.record;
        let books = [(ledger, &record.ledger_ns), (steady, &record.steady_ledger_ns), (counters, &record.counters)];
        let mut slots = Vec::new();
        for (names, entries) in books {
            names.sort(entries.iter(), &mut slots).map_err(unknown)?;
            for ((slot, name), column) in slots.iter().zip(names.iter()).zip(&mut others) {
                let Column::Count(values) = column else { continue };
                values.append_option(slot.map(|count| counted(row, name, *count)).transpose()?);
            }
        }
        self.rows += 1;
        Ok(())
    }

    /// The rows as a batch; there are none behind it.
    pub fn take(&mut self) -> RecordBatch {
        self.rows = 0;
        let arrays = self.values.iter_mut().map(Column::take).collect();
        RecordBatch::try_new(self.schema(), arrays).expect("each column has a value for each row")
    }
}

/// Adds a key's value to its column, if that holds values of its type.
fn set(column: &mut Column, value: Option<&Value>) -> Option<()> {
    let Some(value) = value else {
        column.nothing();
        return Some(());
    };
    match column {
        Column::Flag(values) => values.append_value(value.as_bool()?),
        Column::Count(values) => values.append_value(value.as_i64()?),
        Column::Number(values) => values.append_value(value.as_f64()?),
        Column::Text(values) => match value {
            Value::String(text) => values.append_value(text),
            other => values.append_value(other.to_string()),
        },
        Column::Seed(_) | Column::Numbers(_) => return None,
    }
    Some(())
}
