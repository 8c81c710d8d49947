//! Parts of tests that several packages share. Nothing that is published depends on it.
//!
//! - [`Script`]: octets read as a script, for fuzz targets and for ordinary tests
//! - [`corpus`]: every file of a fuzz target's corpus
//!
//! ```
//! use airtime_testing::Script;
//!
//! let mut script = Script::new(&[1, 2, 0, 0xaa, 0xbb, 0xcc], 4_096);
//! assert_eq!((script.octet(), script.octets(10)), (1, &[0xaa, 0xbb][..]));
//! assert_eq!((script.word(), script.is_over()), (0x00cc, true));
//! ```

mod corpus;
mod script;

pub use corpus::corpus;
pub use script::Script;
