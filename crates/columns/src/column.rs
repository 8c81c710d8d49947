//! Values of one column until they are an array.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder, UInt64Builder};
use arrow_schema::{DataType, Field};

/// Type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Text,
    Number,
    /// Whole number. It has a sign though it never falls below zero, for the difference of two columns does.
    Count,
    /// Seed: all 64 bits of it count.
    Seed,
    Flag,
    Numbers,
}

impl Type {
    /// The type in Arrow's words.
    pub fn arrow(self) -> DataType {
        match self {
            Self::Text => DataType::Utf8,
            Self::Number => DataType::Float64,
            Self::Count => DataType::Int64,
            Self::Seed => DataType::UInt64,
            Self::Flag => DataType::Boolean,
            Self::Numbers => DataType::List(Arc::new(item())),
        }
    }

    /// The type in the words of its documentation.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "number",
            Self::Count | Self::Seed => "whole number",
            Self::Flag => "true or false",
            Self::Numbers => "list of numbers",
        }
    }

    /// A column without values.
    pub fn column(self) -> Column {
        match self {
            Self::Text => Column::Text(StringBuilder::new()),
            Self::Number => Column::Number(Float64Builder::new()),
            Self::Count => Column::Count(Int64Builder::new()),
            Self::Seed => Column::Seed(UInt64Builder::new()),
            Self::Flag => Column::Flag(BooleanBuilder::new()),
            Self::Numbers => Column::Numbers(ListBuilder::new(Float64Builder::new()).with_field(item())),
        }
    }
}

/// Field of what is in a list.
fn item() -> Field {
    Field::new("item", DataType::Float64, true)
}

/// Values of a column.
#[derive(Debug)]
pub(crate) enum Column {
    Text(StringBuilder),
    Number(Float64Builder),
    Count(Int64Builder),
    Seed(UInt64Builder),
    Flag(BooleanBuilder),
    Numbers(ListBuilder<Float64Builder>),
}

impl Column {
    /// Adds nothing.
    pub fn nothing(&mut self) {
        match self {
            Self::Text(values) => values.append_null(),
            Self::Number(values) => values.append_null(),
            Self::Count(values) => values.append_null(),
            Self::Seed(values) => values.append_null(),
            Self::Flag(values) => values.append_null(),
            Self::Numbers(values) => values.append_null(),
        }
    }

    /// Takes the values as an array; the column is empty behind it.
    pub fn take(&mut self) -> ArrayRef {
        match self {
            Self::Text(values) => Arc::new(values.finish()),
            Self::Number(values) => Arc::new(values.finish()),
            Self::Count(values) => Arc::new(values.finish()),
            Self::Seed(values) => Arc::new(values.finish()),
            Self::Flag(values) => Arc::new(values.finish()),
            Self::Numbers(values) => Arc::new(values.finish()),
        }
    }
}
