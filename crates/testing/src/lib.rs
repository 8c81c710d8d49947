//! Parts of tests that several packages share. Nothing that is published depends on it.
//!
//! - [`Script`]: octets read as a script, for fuzz targets and for ordinary tests
//! - [`corpus`]: every file of a fuzz target's corpus
//! - [`image`]: an image of firmware of a few instructions
//! - [`Tenth`]: one of every ten cases, or the whole of them; [`Known`]: the cells of a table that are not made then
//!
//! ```
//! use airtime_testing::Script;
//!
//! let mut script = Script::new(&[1, 2, 0, 0xaa, 0xbb, 0xcc], 4_096);
//! assert_eq!((script.octet(), script.octets(10)), (1, &[0xaa, 0xbb][..]));
//! assert_eq!((script.word(), script.is_over()), (0x00cc, true));
//! ```

mod corpus;
mod image;
mod known;
mod script;
mod tenth;

pub use corpus::corpus;
pub use image::{CODE, PROGRAM, image};
pub use known::Known;
pub use script::Script;
pub use tenth::{Tenth, WHOLE, is_whole, whole_or_tenth};
