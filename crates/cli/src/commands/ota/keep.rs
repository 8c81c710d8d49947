//! The files of a run in place: both flashes, as a cut at any time may leave them.

use std::path::Path;

use airtime_ota::hosted::Session;
use airtime_system::replacement::{Disk, NotReplaced, replace, sweep};

use super::file::{self, REMEDY};
use crate::arguments::ota::RunArguments;
use crate::exit::Failure;

/// Files of both flashes.
#[derive(Clone, Copy, Debug)]
pub struct Kept<'a> {
    host: &'a Path,
    coprocessor: Option<&'a Path>,
}

impl<'a> Kept<'a> {
    /// The files that `arguments` name; what runs that were killed have left beside them is removed.
    pub fn of(arguments: &'a RunArguments) -> Self {
        let kept = Self { host: &arguments.file, coprocessor: arguments.coprocessor.as_deref() };
        [Some(kept.host), kept.coprocessor].into_iter().flatten().for_each(sweep);
        kept
    }

    /// Writes both flashes back. The host's, which may be erased, goes last: until the firmware is in the co-processor's file
    /// for good, it is staged.
    ///
    /// # Errors
    /// When a file cannot be written, or somebody else has changed the partition, which held `staged` when it was read.
    pub fn keep<D: Disk>(&self, disk: &mut D, staged: &[u8], pair: &Session) -> Result<(), Failure> {
        if file::read(self.host)? != staged {
            return Err(Failure::Machine(format!(
                "`{}` was changed while this ran, and what is staged now is not to be lost: nothing was written; run it again",
                self.host.display()
            )));
        }
        let slots = pair.slots();
        let coprocessor = self.coprocessor.map(|path| (path, slots.storage().contents()));
        let files: Vec<_> = coprocessor.into_iter().chain([(self.host, pair.flash().contents())]).collect();
        replace(disk, &files).map_err(|error| self.unfinished(error))
    }

    fn unfinished(&self, error: NotReplaced) -> Failure {
        let host = self.host.display();
        let left = match (error.replaced, self.coprocessor.map(Path::display)) {
            (0, None) => format!("`{host}` is as it was: {REMEDY}, and run it again"),
            (0, Some(coprocessor)) => {
                format!("`{coprocessor}` and `{host}` are as they were: {REMEDY}, and run it again")
            }
            (1, Some(coprocessor)) => format!(
                "`{coprocessor}` holds the co-processor's flash as it is now, and `{host}` still what was staged: {REMEDY}, and \
                 run it again, which installs that once more"
            ),
            _ => format!("`{host}` is written, and a loss of power may undo that: run it again"),
        };
        Failure::Unfinished { error, left }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io;
    use std::sync::atomic::AtomicBool;

    use airtime_ota::image::{Chip, Description, ERASED, compose};
    use airtime_ota::stage::stage;
    use airtime_system::replacement::{Draft, System};

    use super::super::run::{Done, carry_out};
    use super::*;
    use crate::arguments::ota::TableArguments;

    const ROOM: u32 = 0x20_0000;

    /// The disk of this machine, until it fails at a step.
    struct Failing {
        steps: u32,
    }

    impl Failing {
        fn step(&mut self) -> io::Result<()> {
            self.steps = self.steps.checked_sub(1).ok_or(io::ErrorKind::StorageFull)?;
            Ok(())
        }
    }

    impl Disk for Failing {
        type Draft = Draft;

        fn begin(&mut self, target: &Path) -> io::Result<Draft> {
            self.step().and_then(|()| System.begin(target))
        }

        fn write(&mut self, draft: &mut Draft, octets: &[u8]) -> io::Result<()> {
            self.step().and_then(|()| System.write(draft, octets))
        }

        fn sync(&mut self, draft: &mut Draft) -> io::Result<()> {
            self.step().and_then(|()| System.sync(draft))
        }

        fn rename(&mut self, draft: &mut Draft) -> io::Result<()> {
            self.step().and_then(|()| System.rename(draft))
        }

        fn sync_folder(&mut self, draft: &mut Draft) -> io::Result<()> {
            self.step().and_then(|()| System.sync_folder(draft))
        }
    }

    /// A run in place in `folder`, where firmware of about 10 kB is staged.
    fn bench(folder: &Path) -> RunArguments {
        let text = |text: &str| text.to_owned();
        let description = Description {
            version: text("2.12.5"),
            project: text("network_adapter"),
            idf: text("v5.5.1"),
            elf_sha256: [7; 32],
        };
        let image = compose(Chip::ESP32_C6, &description, &[0x5A; 10_000]);
        let (partition, _) = stage(&image, Chip::ESP32_C6, ROOM, None).unwrap();
        fs::write(folder.join("partition.bin"), partition).unwrap();
        RunArguments {
            file: folder.join("partition.bin"),
            over: text("virtual"),
            coprocessor: Some(folder.join("c6.bin")),
            in_place: true,
            cut: None,
            set: Vec::new(),
            table: TableArguments { partitions: None },
        }
    }

    fn run<D: Disk>(arguments: &RunArguments, disk: &mut D) -> Result<Done, Failure> {
        carry_out(arguments, disk, true, &AtomicBool::new(false))
    }

    fn ends_well(arguments: &RunArguments) {
        let folder = arguments.file.parent().unwrap();
        let done = run(arguments, &mut System).unwrap();
        assert_eq!(done.pair.running().unwrap().image.description.version, "2.12.5");
        assert!(fs::read(&arguments.file).unwrap().iter().all(|octet| *octet == ERASED));
        assert_eq!(fs::read_dir(folder).unwrap().count(), 2, "nothing is left beside both files");
    }

    #[test]
    fn a_disk_that_fails_at_any_step_says_so_and_the_next_run_ends_well() {
        let mut said = Vec::new();
        for steps in 0.. {
            let folder = tempfile::tempdir().unwrap();
            let arguments = bench(folder.path());
            let staged = fs::read(&arguments.file).unwrap();
            let Err(failure) = run(&arguments, &mut Failing { steps }) else { break };
            let Failure::Unfinished { error, left } = failure else { panic!("{failure}") };
            let changed = fs::read(&arguments.file).unwrap() != staged;
            assert_eq!((error.replaced >= 1, error.replaced >= 2), (folder.path().join("c6.bin").exists(), changed));
            assert!(left.contains("partition.bin") && left.contains("run it again"), "{left}");
            said.push(error.replaced);
            ends_well(&arguments);
        }
        // Two drafts are begun, written and synced; then each gets its place, and its folder is synced.
        assert_eq!(said, [0, 0, 0, 0, 0, 0, 0, 1, 1, 2]);
    }

    #[test]
    fn what_is_staged_meanwhile_is_not_erased() {
        let folder = tempfile::tempdir().unwrap();
        let arguments = bench(folder.path());
        let done = run(&RunArguments { in_place: false, ..bench(folder.path()) }, &mut System).unwrap();
        let refused = Kept::of(&arguments).keep(&mut System, &[ERASED; ROOM as usize], &done.pair);
        assert!(matches!(&refused, Err(Failure::Machine(said)) if said.contains("was changed")), "{refused:?}");
        assert!(!folder.path().join("c6.bin").exists());
        ends_well(&arguments);
    }
}
