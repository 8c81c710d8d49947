//! The laboratory: a plan in, records out.
//!
//! A plan is a TOML file that says what to run; a record is everything that came of one point of it: what was asked, what both
//! ends agreed on, the goodput, and the books that say where the air went. Everything here is a pure function of its arguments: no
//! file, no thread, no clock. A plan's text and a library of personalities (devices as data) become a typed [`Scenario`] per
//! point; a scenario becomes a [`record::Record`].
//!
//! A plan with two points, and the record of each:
//!
//! ```
//! use airtime_lab::run::record;
//! use airtime_lab::{Library, Plan};
//!
//! let text = "
//!     link = \"ieee802154\"
//!     ieee802154.backoff = \"mean\"
//!     run.duration = \"3s\"
//!     sweep.ieee802154.payload = [58, 116]
//! ";
//! let plan = Plan::parse("payloads.toml", text, &Library::builtin(), &[])?;
//! let records: Vec<_> = plan.points().iter().map(|point| record(&plan, point)).collect();
//!
//! // Half the payload in a frame is two thirds of the goodput, in kbit/s: the headers stay, but a shorter frame is sooner over.
//! let goodput: Vec<f64> = records.iter().map(|record| record.goodput_kbps.median).collect();
//! assert_eq!(goodput, [92.3, 135.5]);
//!
//! // The accounts of the air sum to the time of the run, and the first cause of what is missing has a name.
//! let longer = &records[1];
//! assert_eq!(longer.ledger_ns.iter().map(|(_, ns)| *ns).sum::<u64>(), longer.elapsed_ns);
//! assert_eq!(longer.ledger_ns.iter().max_by_key(|(_, ns)| **ns).map(|(account, _)| account), Some("payload"));
//!
//! // A mistake has its place, and what would have been right.
//! let error = Plan::parse("wrong.toml", "link = \"ieee802155\"", &Library::builtin(), &[]).unwrap_err();
//! assert!(error.to_string().contains("wrong.toml:1:8"), "{error}");
//! # Ok::<(), airtime_lab::PlanError>(())
//! ```
//!
//! The three types to begin with:
//!
//! - [`Plan`]: the points of a file, checked; [`Library`] has the personalities that it can name
//! - [`Record`]: everything that came of one point, as `--json` prints it
//! - [`explain`](explain::candidates): the changes that somebody could make to a point, to be run and compared
#![warn(missing_docs)]

pub mod captured;
pub mod compare;
pub mod condition;
pub mod configurations;
pub mod explain;
pub mod figure;
pub mod fit;
pub mod limiting_default;
pub mod links;
pub mod personality;
pub mod plan;
pub mod quantity;
pub mod record;
pub mod run;
pub mod schema;
pub mod spelling;
pub mod template;
pub mod time_line;
pub mod toml;
pub mod tune;
pub mod verdict;

pub use airtime_link::Ordered;
pub use condition::Condition;
pub use figure::Figure;
pub use personality::{Library, Personality};
pub use plan::scenario::Scenario;
pub use plan::{Plan, Point};
pub use record::{Document, Record, Records};
pub use toml::PlanError;
pub use verdict::Verdict;
