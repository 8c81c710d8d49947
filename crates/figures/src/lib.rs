//! Figures: plain data in, SVG out, and pages of HTML that need no network.
//!
//! No file, no clock, no thread, and no other crate: a figure is text, the same for the same data, in WebAssembly too. What a
//! record has to say is turned into these data by `airtime-report`, which lies above.
//!
//! ```
//! use airtime_figures::{Figure, Step, Waterfall, document};
//!
//! let falls = Waterfall {
//!     title: "Half of the air is silence".to_owned(),
//!     subtitle: "one run".to_owned(),
//!     phy_kbps: 1000.0,
//!     steps: vec![Step { account: "idle".to_owned(), kbps: 500.0, share: 0.5 }],
//!     goodput_kbps: 500.0,
//! };
//! let svg = document(&[Figure::Waterfall(falls)], "airtime run x -o x.svg");
//! assert!(svg.starts_with("<svg") && svg.contains("Half of the air is silence"));
//! ```
//!
//! - [`Figure`]: one of [`Waterfall`], [`Ladder`], [`Chart`], [`Heat`], [`Rows`] and [`Timeline`] · [`document`]: figures as one SVG
//! - [`Page`]: figures, words and tables as HTML
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod chart;
mod figure;
mod heat;
mod ladder;
mod page;
mod paper;
mod plane;
mod rows;
mod scale;
mod timeline;
mod waterfall;

#[cfg(test)]
mod tests;

pub use chart::{Axis, Chart, Look, Mark, Series, Spacing};
pub use figure::{BEGINS, Figure, RULES, document};
pub use heat::Heat;
pub use ladder::{Ladder, Rung};
pub use page::{GENERATOR, Grid, Page, Part, data_of, fragment};
pub use rows::{Band, Dot, Row, Rows};
pub use timeline::{Lane, Span, Spent, Timeline};
pub use waterfall::{Step, Waterfall};
