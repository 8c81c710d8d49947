//! Power that goes at any step, disks that fail at any step, and what is found then.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::{Disk, Draft, System, replace, sweep, sweep_folder};

const FILES: [&str; 3] = ["a/one", "b/two", "a/three"];
const OLD: &[u8] = b"what was there";
const NEW: &[u8] = b"what is to be there";

/// A disk in memory. Contents and names reach its medium when they are synced; the power may go before or after.
#[derive(Clone, Default)]
struct Memory {
    /// What each file holds: as programs see it, and on the medium.
    files: Vec<[Vec<u8>; 2]>,
    /// What is called how, in the same two views.
    names: [BTreeMap<PathBuf, usize>; 2],
    steps: u32,
    /// This step is not carried out, or half.
    fails_at: Option<u32>,
}

struct Beside {
    beside: PathBuf,
    target: PathBuf,
    file: usize,
}

impl Memory {
    fn new(fails_at: Option<u32>) -> Self {
        let mut disk = Self { fails_at, ..Self::default() };
        for (file, name) in FILES.iter().enumerate() {
            disk.files.push([OLD.to_vec(), OLD.to_vec()]);
            for names in &mut disk.names {
                names.insert(name.into(), file);
            }
        }
        disk
    }

    fn step(&mut self) -> io::Result<()> {
        self.steps += 1;
        if self.fails_at == Some(self.steps) { Err(io::Error::other("power")) } else { Ok(()) }
    }

    /// How many of the files are replaced, when of the contents, and of the names in each folder, the `views` are found.
    fn replaced(&self, contents: usize, folders: [usize; 2]) -> usize {
        let found = FILES.map(|name| {
            let names = &self.names[folders[usize::from(name.starts_with('b'))]];
            self.files[names[Path::new(name)]][contents].as_slice()
        });
        assert!(found.iter().all(|found| [OLD, NEW].contains(found)), "whole: {found:?}");
        let replaced = found.iter().take_while(|found| **found == NEW).count();
        assert!(found[replaced..].iter().all(|found| *found == OLD), "in their order: {found:?}");
        replaced
    }
}

impl Disk for Memory {
    type Draft = Beside;

    fn begin(&mut self, target: &Path) -> io::Result<Beside> {
        self.step()?;
        let (beside, file) = (target.with_extension("1.part"), self.files.len());
        self.files.push([Vec::new(), Vec::new()]);
        self.names[0].insert(beside.clone(), file);
        Ok(Beside { beside, target: target.to_owned(), file })
    }

    fn write(&mut self, draft: &mut Beside, octets: &[u8]) -> io::Result<()> {
        let seen = &mut self.files[draft.file][0];
        seen.extend_from_slice(&octets[..octets.len() / 2]);
        self.step()?;
        self.files[draft.file][0].extend_from_slice(&octets[octets.len() / 2..]);
        Ok(())
    }

    fn sync(&mut self, draft: &mut Beside) -> io::Result<()> {
        self.step()?;
        let [seen, medium] = &mut self.files[draft.file];
        medium.clone_from(seen);
        Ok(())
    }

    fn rename(&mut self, draft: &mut Beside) -> io::Result<()> {
        self.step()?;
        self.names[0].remove(&draft.beside);
        self.names[0].insert(draft.target.clone(), draft.file);
        Ok(())
    }

    fn sync_folder(&mut self, draft: &mut Beside) -> io::Result<()> {
        self.step()?;
        let folder = draft.target.parent();
        let [seen, medium] = &mut self.names;
        medium.retain(|name, _| name.parent() != folder);
        medium
            .extend(seen.iter().filter(|(name, _)| name.parent() == folder).map(|(name, file)| (name.clone(), *file)));
        Ok(())
    }
}

fn replace_all<D: Disk>(disk: &mut D, folder: &Path) -> Result<(), super::NotReplaced> {
    let paths = FILES.map(|name| folder.join(name));
    let files: Vec<(&Path, &[u8])> = paths.iter().map(|path| (path.as_path(), NEW)).collect();
    replace(disk, &files)
}

/// Cuts at every step; of what was not synced, every part may have reached the medium or not.
#[test]
fn after_any_cut_files_are_whole_and_replaced_in_their_order() {
    let mut whole = Memory::new(None);
    replace_all(&mut whole, Path::new("")).unwrap();
    assert_eq!(whole.replaced(1, [1, 1]), FILES.len(), "all that was done is durable");
    let mut met = [false; FILES.len() + 1];
    for step in 1..=whole.steps {
        let mut disk = Memory::new(Some(step));
        let said = replace_all(&mut disk, Path::new("")).unwrap_err();
        for contents in [0, 1] {
            for folders in [[0, 0], [0, 1], [1, 0], [1, 1]] {
                met[disk.replaced(contents, folders)] = true;
            }
        }
        assert_eq!(disk.replaced(0, [0, 0]), said.replaced, "step {step}: what is said is so");
        assert!(said.replaced <= FILES.len() && FILES.map(Path::new).contains(&said.path.as_path()));
    }
    assert_eq!(met, [true; FILES.len() + 1], "cuts are met between any two files");
}

fn left(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn a_place_that_cannot_be_written_leaves_all_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("a")).unwrap();
    fs::write(folder.path().join(FILES[0]), OLD).unwrap();
    // There is no folder b.
    let said = replace_all(&mut System, folder.path()).unwrap_err();
    assert_eq!((said.replaced, said.path.as_path()), (0, folder.path().join(FILES[1]).as_path()));
    assert_eq!(fs::read(folder.path().join(FILES[0])).unwrap(), OLD);
    assert_eq!(left(&folder.path().join("a")), 1, "no draft is left");
    fs::create_dir(folder.path().join("b")).unwrap();
    replace_all(&mut System, folder.path()).unwrap();
    assert!(FILES.iter().all(|name| fs::read(folder.path().join(name)).unwrap() == NEW));
    assert_eq!((left(&folder.path().join("a")), left(&folder.path().join("b"))), (2, 1));
}

#[test]
fn something_else_than_a_file_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let said = replace(&mut System, &[(folder.path(), NEW)]).unwrap_err().to_string();
    assert!(said.contains("something else than a plain file"), "{said}");
    assert!(folder.path().is_dir());
}

/// The number of a process says nothing: that of this one stands for one that was used again.
#[test]
fn drafts_of_the_dead_are_removed_and_those_of_the_living_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let (target, pid) = (folder.path().join("file"), std::process::id());
    let [dead, living, other, kept] =
        [format!("file.{pid}.part"), "file.1.part".to_owned(), "other.1.part".to_owned(), "file.part".to_owned()]
            .map(|name| folder.path().join(name));
    for path in [&dead, &living, &other, &kept] {
        fs::write(path, "half").unwrap();
    }
    let owner = File::open(&living).unwrap();
    owner.try_lock().unwrap();
    let mut one = Draft::beside(&target).unwrap();
    assert!(one.locked() && living.exists() && other.exists());
    // A second one at the same time has another name.
    drop(Draft::beside(&target).unwrap());
    one.rename().unwrap();
    assert!(!dead.exists() && target.exists());
    drop(owner);
    sweep(&target);
    assert!(!living.exists() && other.exists());
    sweep_folder(folder.path());
    assert!(!other.exists() && kept.exists() && target.exists());
}
