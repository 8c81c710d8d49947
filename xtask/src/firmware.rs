//! The images for boards, each from its own folder and for its own target.

use std::path::Path;
use std::process::Command;

use crate::files;

/// Target of the boards with a Cortex-M33.
const CORTEX_M33: &str = "thumbv8m.main-none-eabihf";

/// Target of the images that `crates/interpreted` executes.
const CORTEX_M3: &str = "thumbv7m-none-eabi";

/// A folder of images.
struct Board {
    folder: &'static str,
    /// Folder that they are kept in.
    kept: &'static str,
    target: &'static str,
    images: &'static [Image],
    /// Of each of its images.
    budget: Budget,
}

/// One image: a program of the folder, built with these variables, and the name it is kept by.
struct Image {
    name: &'static str,
    program: &'static str,
    variables: &'static [Variable],
}

/// The most that an image may take, in octets: `airtime-image gate`.
struct Budget {
    /// Flash, without the region that is served.
    flash: u32,
    /// RAM that is static.
    ram: u32,
    /// The least that is left for the stack.
    stack: u32,
}

/// A variable of a build script.
enum Variable {
    /// With this value.
    Is(&'static str, &'static str),
    /// With the line of this file in the folder.
    Of(&'static str, &'static str),
}

/// A quarter of the RRAM is enough for any of them; of 256 kB of RAM half is the stack's: five times what the deepest has been, 23.3
/// kB of a sealed image.
const CORTEX_M33_BUDGET: Budget = Budget { flash: 384 * 1_024, ram: 96 * 1_024, stack: 128 * 1_024 };

/// A slot of either partition table in `crates/ota/partitions` is all the flash that an update has. Of the RAM, the heap is static. *Assumed*: nobody
/// has measured how deep the stack gets; on the Cortex-M33 it was 23.3 kB.
const ESP32_BUDGET: Budget = Budget { flash: 0x1f_0000, ram: 256 * 1_024, stack: 128 * 1_024 };

/// The P4 has more RAM, of which its heap has the buffers of a stream.
const ESP32_P4_BUDGET: Budget = Budget { ram: 320 * 1_024, ..ESP32_BUDGET };

const fn plain(name: &'static str) -> Image {
    Image { name, program: name, variables: &[] }
}

/// The ends of the throughput test on the emulated board, with these variables.
const fn emulated_peripheral(name: &'static str, variables: &'static [Variable]) -> Image {
    Image { name, program: "emulated-peripheral", variables }
}

const fn emulated_central(name: &'static str, variables: &'static [Variable]) -> Image {
    Image { name, program: "emulated-central", variables }
}

/// QEMU brings a million octets into an image in two minutes: the stream is judged at its end, and not when the plan's minute is over.
const WHOLE_STREAM: Variable = Variable::Is("AIRTIME_SET", "run.duration=600s");
const VALUES: Variable = Variable::Is("AIRTIME_PLAN", "../emulated-m33/gatt.toml");

const BOARDS: [Board; 7] = [
    Board {
        folder: "emulated-m33",
        kept: "emulated-m33",
        target: CORTEX_M33,
        images: &[
            emulated_peripheral("peripheral", &[WHOLE_STREAM]),
            emulated_peripheral("sink", &[Variable::Is("AIRTIME_SET", "ble.direction=c2p; run.duration=600s")]),
            emulated_central("central", &[WHOLE_STREAM]),
            emulated_peripheral("channels", &[Variable::Is("AIRTIME_SET", "coc.channels=3; run.duration=600s")]),
            emulated_peripheral("values", &[VALUES, WHOLE_STREAM]),
            emulated_central("values-central", &[VALUES, WHOLE_STREAM]),
            Image { name: "rpc", program: "emulated-rpc", variables: &[] },
            Image {
                name: "rpc-sealed",
                program: "emulated-rpc",
                variables: &[Variable::Of("AIRTIME_IDENTITY", "identity.txt")],
            },
        ],
        budget: CORTEX_M33_BUDGET,
    },
    Board {
        folder: "emulated-m33",
        kept: "emulated-m33-v7m",
        target: CORTEX_M3,
        images: &[
            emulated_peripheral("peripheral", &[]),
            emulated_peripheral("sink", &[Variable::Is("AIRTIME_SET", "ble.direction=c2p")]),
            emulated_central("central", &[]),
        ],
        budget: CORTEX_M33_BUDGET,
    },
    Board {
        folder: "emulated-rv32",
        kept: "emulated-rv32",
        target: "riscv32imac-unknown-none-elf",
        images: &[Image { name: "coprocessor", program: "emulated-coprocessor", variables: &[] }],
        budget: ESP32_BUDGET,
    },
    Board {
        folder: "nrf54l15-coc",
        kept: "nrf54l15-coc",
        target: CORTEX_M33,
        images: &[plain("peripheral"), plain("central")],
        budget: CORTEX_M33_BUDGET,
    },
    Board {
        folder: "nrf54l15-rpc",
        kept: "nrf54l15-rpc",
        target: CORTEX_M33,
        images: &[plain("rpc")],
        budget: CORTEX_M33_BUDGET,
    },
    Board {
        folder: "esp32c6-wifi",
        kept: "esp32c6-wifi",
        target: "riscv32imac-unknown-none-elf",
        images: &[plain("coprocessor")],
        budget: ESP32_BUDGET,
    },
    Board {
        folder: "esp32p4-host",
        kept: "esp32p4-host",
        target: "riscv32imafc-unknown-none-elf",
        images: &[plain("host"), plain("host-uart")],
        budget: ESP32_P4_BUDGET,
    },
];

/// Builds the images of `folder`, or all, and says where they are.
///
/// # Errors
/// A sentence, when there is no such folder, or when a command fails.
pub fn build(folder: Option<&str>) -> Result<(), String> {
    let boards: Vec<&Board> =
        BOARDS.iter().filter(|board| folder.is_none_or(|folder| folder == board.folder)).collect();
    if boards.is_empty() {
        let mut known: Vec<_> = BOARDS.iter().map(|board| board.folder).collect();
        known.dedup();
        return Err(format!("no images of that name; there are {}", known.join(", ")));
    }
    let root = files::root()?;
    let firmware = root.join("firmware");
    run(cargo(&firmware).args(["-p", "airtime-image"]))?;
    boards.into_iter().try_for_each(|board| board.build(&firmware, &root.join("target/firmware")))
}

impl Board {
    /// Builds its images in `firmware`, and copies them below `kept`.
    fn build(&self, firmware: &Path, kept: &Path) -> Result<(), String> {
        run(Command::new("rustup").args(["--quiet", "target", "add", self.target]))?;
        let kept = kept.join(self.kept);
        files::made(&kept)?;
        let built = firmware.join("target").join(self.target).join("release");
        for image in self.images {
            let folder = firmware.join(self.folder);
            let mut cargo = cargo(&folder);
            cargo.args(["--release", "--target", self.target, "--bin", image.program]);
            for variable in image.variables {
                match *variable {
                    Variable::Is(name, value) => cargo.env(name, value),
                    Variable::Of(name, file) => cargo.env(name, files::text(&folder.join(file))?.trim()),
                };
            }
            run(&mut cargo)?;
            let kept = kept.join(image.name);
            files::copy(&built.join(image.program), &kept)?;
            let Budget { flash, ram, stack } = &self.budget;
            let mut gate = Command::new(firmware.join("target/debug/airtime-image"));
            run(gate.arg("gate").arg(kept).args([flash, ram, stack].map(u32::to_string)))?;
        }
        Ok(())
    }
}

/// A build from `folder`, whose `.cargo/config.toml` has the rest of it.
fn cargo(folder: &Path) -> Command {
    // Cargo says which one it is in the environment of what it runs.
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--locked"]).current_dir(folder);
    cargo
}

fn run(command: &mut Command) -> Result<(), String> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let what = words.map(|word| word.display().to_string()).collect::<Vec<_>>().join(" ");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{what}: {status}")),
        Err(error) => Err(format!("{what}: {error}")),
    }
}
