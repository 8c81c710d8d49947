//! The laboratory as a page asks it: a plan with changes in, JSON and SVG out.
//!
//! Nothing is computed here: records come from `airtime-lab`, explanations from `airtime-study`, figures from `airtime-report` and
//! `airtime-figures`. No file, no clock, no thread. In WebAssembly the functions of [`web`](self) carry the same names; on any other
//! target they are ordinary functions, which is how they are tested.
//!
//! ```
//! use airtime_explorer::{Ask, Ran};
//!
//! let ask = Ask::parse(r#"{"plan": "coc-nrf", "set": [["run.duration", "1s"], ["run.warmup", "0us"]]}"#).unwrap();
//! let answer = Ran::new(&ask).unwrap().answer(760.0);
//! assert!(answer.goodput.median > 1000.0 && answer.figure.contains("<svg"));
//! ```
//!
//! - [`Ask`]: a plan, with what is changed of it · [`Asked`]: that plan, read
//! - [`Ran`]: a run; [`Answer`]: its goodput and figure at once · [`Rest`]: the keys to turn, and whatever can wait
//! - [`event`]: a connection event, an exchange, a cycle to scale · [`record`]: what `airtime run --json` prints
//! - [`Capture`]: a capture that is dropped into the page, read as `airtime trace read` does
//! - [`Sweep`]: goodput over one key · [`explain`]: what would gain · [`catalogue`]: shipped plans and links
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod answer;
mod ask;
mod catalogue;
mod control;
mod explained;
mod heard;
mod stops;
mod sweep;
#[cfg(target_arch = "wasm32")]
mod web;

#[cfg(test)]
mod tests;

pub use answer::{Answer, Ran, Rest, event, record};
pub use ask::{Ask, Asked, Pasted};
pub use catalogue::{Catalogue, catalogue, template};
pub use control::Control;
pub use explained::{Found, explain};
pub use heard::{Capture, Heard, Rows};
pub use sweep::Sweep;
