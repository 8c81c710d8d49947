//! Many runs: grids in parallel, run folders that can go on after an interruption, published measurements replayed.
//!
//! A grid is every point of a plan that has lists of values. A sweep runs each, on as many cores as there are, and gives the
//! records in the order of the points, so that nothing depends on who was first.
//!
//! A grid, whole and in two parts that two machines could have run:
//!
//! ```
//! use airtime_lab::run::record;
//! use airtime_lab::{Library, Plan, Point, Record};
//! use airtime_study::{Shard, Sweep};
//!
//! let text = "link = \"ieee802154\"\nrun.duration = \"3s\"\nsweep.ieee802154.payload = [20, 60, 116]";
//! let plan = Plan::parse("payloads.toml", text, &Library::builtin(), &[]).expect("the plan is right");
//! let points = plan.points();
//! let runner = |point: &Point| record(&plan, point);
//!
//! let whole = Sweep::<Point, Record>::new(&points, &runner).run();
//! assert!(whole.complete());
//! let goodput = |(_, record): &(usize, Record)| record.goodput_kbps.median;
//! assert!(whole.records.is_sorted_by_key(goodput), "longer payloads carry more");
//!
//! let part = |name: &str| {
//!     let shard: Shard = name.parse().expect("i/n");
//!     Sweep { shard, ..Sweep::<Point, Record>::new(&points, &runner) }.run().records
//! };
//! let (first, second) = (part("1/2"), part("2/2"));
//! assert_eq!([&first[0], &second[0], &first[1]], [&whole.records[0], &whole.records[1], &whole.records[2]]);
//! ```
//!
//! The three types to begin with:
//!
//! - [`Sweep`]: a grid and how it is to be run; [`Swept`] is what came of it
//! - [`RunFolder`]: where finished points are kept, one line each, so that a sweep can go on where it was broken off
//! - [`Explained`]: a point, and the changes that would gain most ([`explain()`])
#![warn(missing_docs)]

pub mod compare;
mod digest;
mod explain;
pub mod field;
pub mod fit;
mod folder;
mod kept;
pub mod log;
mod memo;
pub mod perf;
pub mod request;
mod shard;
mod sweep;
pub mod tune;

pub use digest::Digest;
pub use explain::{Depth, Explained, Seen, explain};
pub use folder::{FolderError, Opening, Part, RECORDS_FILE, RunFolder};
pub use kept::{KeptFolder, KeptRecord, Merged, NotMerged};
pub use memo::Memo;
pub use shard::{Shard, ShardError};
pub use sweep::{Ended, Finished, Name, Runner, Sweep, Swept};
