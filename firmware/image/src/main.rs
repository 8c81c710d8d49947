//! Looks into images for boards, on the machine that builds them; and the host of one that an emulator runs.

mod gate;
mod host;
mod key;
mod log;

use std::env;
use std::process::ExitCode;

const USAGE: &str = "\
usage: airtime-image key IMAGE   whether a sealed image keeps its key; the seed in AIRTIME_IDENTITY, as when the image was built
       airtime-image gate IMAGE FLASH RAM STACK   whether it fits so many octets of flash and of RAM without the stack, leaves so many for
                                 the stack, and is fit to run: vectors, no unwinding, a panic that ends in a reset
       airtime-image log IMAGE   the log of a running image as text: defmt's frames come on standard input
       airtime-image host LINE MONITOR VERSION   a host of ESP-hosted for a co-processor in QEMU, whose UART and monitor are at these
                                 ADDRESS:PORT; it brings it firmware of this version, and ends when that runs";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let done = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["key", image] => key::judged(image).map(|verdict| println!("{verdict}")),
        ["gate", image, flash, ram, stack] => gate::Budget::parse(flash, ram, stack)
            .and_then(|budget| gate::judged(image, &budget))
            .map(|verdict| println!("{verdict}")),
        ["log", image] => log::decode(image),
        ["host", line, monitor, version] => host::run(line, monitor, version),
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
