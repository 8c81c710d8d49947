//! Records as tables of columns: a row is a record, a column one thing that is known of it. In memory that is Arrow, which data frames
//! take without a copy; in files it is Parquet (feature `parquet`, which is on by default).
//!
//! The form is [`SCHEMA`]; docs/columns.md has every column. First come the columns that every table has, in the order of
//! [`columns`](fixed_columns); behind them a column for each key (`params.KEY`), account (`ledger_ns.ACCOUNT`,
//! `steady_ledger_ns.ACCOUNT`) and counter (`counters.NAME`) that some record has. So records are looked at twice: once for the names,
//! once for the values, and no more than a batch of them is held.
//!
//! ```
//! use airtime_columns::{Columns, Row};
//! use airtime_lab::run::record;
//! use airtime_lab::{Document, Library, Plan};
//!
//! let text = "link = \"ieee802154\"\nrun.duration = \"3s\"\nsweep.ieee802154.payload = [20, 60, 116]";
//! let plan = Plan::parse("payloads.toml", text, &Library::builtin(), &[]).expect("the plan is right");
//! let records = plan.points().iter().map(|point| record(&plan, point)).collect();
//! let documents = [Document { records, ..Document::new("payloads") }];
//!
//! let columns = Columns::of(&documents);
//! let batches = columns.batches(&documents).collect::<Result<Vec<_>, _>>().expect("all names were seen");
//! assert_eq!(batches.iter().map(|batch| batch.num_rows()).sum::<usize>(), 3);
//! assert!(batches[0].column_by_name("params.ieee802154.payload").is_some());
//! assert!(batches[0].column_by_name("goodput_kbps.median").is_some());
//! ```
//!
//! The three types to begin with:
//!
//! - [`Columns`]: the names that records have; makes the schema
//! - [`Rows`]: rows until they are a batch; [`Columns::batches`] does that for whole documents
//! - [`Row`]: a record, with what is known around it
#![warn(missing_docs)]

mod column;
mod columns;
#[cfg(feature = "parquet")]
mod file;
mod fixed;
mod names;
mod row;
mod rows;

pub use columns::Columns;
#[cfg(feature = "parquet")]
pub use file::{NotWritten, ParquetFile, write};
pub use fixed::{FixedColumn, fixed_columns};
pub use row::Row;
pub use rows::{BATCH, Rows, Unfit};

/// Name and version of the form of these tables; the metadata of every schema has it under [`SCHEMA_KEY`]. Columns are added, never
/// renamed.
pub const SCHEMA: &str = "airtime/columns/1";

/// Key of the metadata that names the form of the table: [`SCHEMA`].
pub const SCHEMA_KEY: &str = "airtime.columns";

/// Key of the metadata that names the form of the records: that of the documents of `--json`.
pub const RECORDS_KEY: &str = "airtime.records";

/// Key of the metadata with the plans that the records are of, as a JSON list.
pub const PLANS_KEY: &str = "airtime.plans";

/// Key of the metadata with the version of the program that has made the table.
pub const VERSION_KEY: &str = "airtime.version";

/// Key of the metadata with the command that has made the table.
pub const COMMAND_KEY: &str = "airtime.command";

/// Key of a column's metadata with a sentence on what it holds.
pub const SAYS_KEY: &str = "airtime.says";
