//! Looks into images for boards, on the machine that builds them.

mod key;
mod log;

use std::env;
use std::process::ExitCode;

const USAGE: &str = "\
usage: airtime-image key IMAGE   whether a sealed image keeps its key; the seed in AIRTIME_IDENTITY, as when the image was built
       airtime-image log IMAGE   the log of a running image as text: defmt's frames come on standard input";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let done = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["key", image] => key::judged(image).map(|verdict| println!("{verdict}")),
        ["log", image] => log::decode(image),
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
