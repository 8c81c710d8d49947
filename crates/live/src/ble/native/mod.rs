//! CoreBluetooth of macOS and WinRT of Windows: a task of its own asks the system, and [`Native`] is told what came of it.
//!
//! The task (`task`) is calls of the system and nothing else, for it runs on machines that the tests are not on; [`Native`] is the same
//! everywhere, and its tests have a task of their own.

mod error;
mod host;
mod order;
#[cfg(target_os = "macos")]
mod run_loop;
#[cfg(any(target_os = "macos", windows))]
mod task;
#[cfg(test)]
mod tests;
mod wait;

pub use error::NativeError;
pub use host::{Native, NativeConfig};
pub use order::Heard;
