//! Images that are executed.

mod small;
mod stream;
