//! The explorer inside the program: the files that `cargo xtask explorer` has built before, which a build without them names.

use super::site::Site;
use crate::exit::Failure;

/// A file of the built folder, by its name.
macro_rules! file {
    ($name:literal) => {
        ($name, include_bytes!(concat!("../../../../../target/explorer/", $name)).as_slice())
    };
}

/// Files of the explorer with their names; of the largest ones the packed form as well.
const FILES: [(&str, &[u8]); 9] = [
    file!("index.html"),
    file!("style.css"),
    file!("icon.svg"),
    file!("main.js"),
    file!("main.js.br"),
    file!("worker.js"),
    file!("lab_bg.wasm"),
    file!("lab_bg.wasm.br"),
    file!("lab_bg.wasm.gz"),
];

/// The explorer; it is always there.
pub fn site(_how: &str) -> Result<Site, Failure> {
    Ok(Site::of(FILES.map(|(name, octets)| (name.to_owned(), octets.to_vec())).into()))
}
