//! Builds of what cargo alone does not make: `cargo xtask explorer` builds the explorer into `target/explorer`, `cargo xtask book` the
//! book into `target/book`, `cargo xtask firmware` the images for boards into `target/firmware`.
#![forbid(unsafe_code)]

mod book;
mod explorer;
mod files;
mod firmware;

use std::env;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask explorer   builds the explorer into target/explorer, which any static host serves
       cargo xtask book       runs the commands of the book and builds it into target/book/html; needs mdbook
              --program PATH  the airtime to run; without it cargo builds one
              --sources       what mdbook reads, and no pages
       cargo xtask firmware [FOLDER]  builds the images of a folder of firmware/, or of all, into target/firmware";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let done = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["explorer"] => explorer::build(),
        ["book", options @ ..] => match book::Request::parse(options) {
            Some(request) => book::build(&request),
            None => Err(USAGE.to_owned()),
        },
        ["firmware"] => firmware::build(None),
        ["firmware", folder] => firmware::build(Some(folder)),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
