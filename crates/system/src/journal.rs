//! The journal of deeds: written before anything is done, so that whatever ends the process, they are undone.
//!
//! A journal is a file with a line per deed. Its owner holds a lock on it, which the system takes away with the process:
//! a journal that can be locked belongs to the dead, and whoever comes next undoes what it says.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::replacement::{Draft, sweep_folder};

use super::deed::Deed;
use super::error::SystemError;
use super::machine::Machine;

/// Folder of the journals: gone after a restart of the machine, as deeds are.
pub const FOLDER: &str = "/run/airtime";

/// Suffix of a journal's file behind its name.
const SUFFIX: &str = "deeds";

/// Journal of all that was done so far, and has to be undone.
pub struct Journal {
    folder: PathBuf,
    path: PathBuf,
    file: File,
    deeds: Vec<Deed>,
    machine: Box<dyn Machine>,
    says: Box<dyn FnMut(&str)>,
}

impl Journal {
    /// Opens a journal in `folder` after undoing what the dead have left there. `says` is told of that, and of deeds that
    /// cannot be undone at the end.
    ///
    /// # Errors
    /// When the folder cannot be used, or somebody else could write there.
    pub fn open(
        folder: &Path,
        name: &str,
        mut machine: Box<dyn Machine>,
        mut says: Box<dyn FnMut(&str)>,
    ) -> Result<Self, SystemError> {
        keep_to_us(folder)?;
        clean_up(folder, machine.as_mut(), says.as_mut())?;
        let path = folder.join(format!("{name}-{}.{SUFFIX}", std::process::id()));
        let file = begin(&path)?;
        Ok(Self { folder: folder.to_owned(), path, file, deeds: Vec::new(), machine, says })
    }

    /// The machine that deeds are carried out on.
    pub fn machine(&mut self) -> &mut dyn Machine {
        self.machine.as_mut()
    }

    /// Writes `deed` down and does it.
    ///
    /// # Errors
    /// When the machine refuses; everything before it stays done until the end.
    pub fn carry_out(&mut self, mut deed: Deed) -> Result<(), SystemError> {
        deed.check(self.machine.as_mut())?;
        // Of a setting that somebody else has changed already, what counts is how he found it.
        if let Some(first) = self.others()?.into_iter().find(|other| deed.shares(other)) {
            deed = first;
        }
        let mut line = serde_json::to_string(&deed).expect("a deed is made of texts");
        line.push('\n');
        self.file.write_all(line.as_bytes()).map_err(SystemError::file("write", &self.path))?;
        self.deeds.push(deed.clone());
        deed.carry_out(self.machine.as_mut())
    }

    /// Deeds of journals whose owners live.
    fn others(&self) -> Result<Vec<Deed>, SystemError> {
        let mut deeds = Vec::new();
        for path in journals(&self.folder)?.into_iter().filter(|path| *path != self.path) {
            // One that ends just now has no deeds any more.
            if let Ok(file) = File::open(&path)
                && matches!(file.try_lock(), Err(TryLockError::WouldBlock))
            {
                deeds.extend(read(file));
            }
        }
        Ok(deeds)
    }

    /// Undoes everything, latest first; what cannot be undone is said, and the rest goes on.
    fn undo(&mut self) {
        let others = self.others().unwrap_or_default();
        let mut left = false;
        for deed in std::mem::take(&mut self.deeds).into_iter().rev() {
            if others.iter().any(|other| deed.shares(other)) {
                continue;
            }
            if let Err(error) = deed.undo(self.machine.as_mut()) {
                left = true;
                (self.says)(&format!("cannot undo what was done to the machine: {error}"));
            }
        }
        // What is left is for whoever comes next.
        if !left {
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.undo();
    }
}

/// An empty journal. It is locked when it gets its name: nobody takes it for one of the dead.
fn begin(path: &Path) -> Result<File, SystemError> {
    let mut draft = Draft::secret(path).map_err(SystemError::file("create", path))?;
    if !draft.locked() {
        return Err(SystemError::file("lock", path)(ErrorKind::Unsupported.into()));
    }
    draft.rename().and_then(|()| draft.into_file()).map_err(SystemError::file("create", path))
}

/// Makes the folder if there is none, and insists on its being ours alone.
fn keep_to_us(folder: &Path) -> Result<(), SystemError> {
    let is_root = rustix::process::geteuid().is_root();
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied && !is_root => {
            return Err(SystemError::NotRoot(folder.to_owned()));
        }
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(SystemError::file("create", folder)(error));
        }
        _ => {}
    }
    let found = fs::symlink_metadata(folder).map_err(SystemError::file("look at", folder))?;
    let own = rustix::process::geteuid().as_raw();
    check_owner(folder, own, found.uid(), found.is_dir() && found.mode() & 0o022 == 0)
}

/// Checks that `folder` of user `owner`, which is `in_order` if it is one and nobody else may write it, is for user `own`.
fn check_owner(folder: &Path, own: u32, owner: u32, in_order: bool) -> Result<(), SystemError> {
    match in_order {
        true if owner == own => Ok(()),
        // That of root is as it should be: it is the user who is another.
        true if owner == 0 => Err(SystemError::NotRoot(folder.to_owned())),
        _ => Err(SystemError::Folder(folder.to_owned())),
    }
}

fn journals(folder: &Path) -> Result<Vec<PathBuf>, SystemError> {
    let entries = fs::read_dir(folder).map_err(SystemError::file("read", folder))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|suffix| suffix == SUFFIX)).collect();
    paths.sort();
    Ok(paths)
}

/// The deeds of a journal. A line that was cut off was cut off before its deed was done.
fn read(file: File) -> Vec<Deed> {
    let lines = BufReader::new(file).lines().map_while(Result::ok);
    lines.filter_map(|line| serde_json::from_str(&line).ok()).collect()
}

/// Undoes what journals of the dead say.
fn clean_up(folder: &Path, machine: &mut dyn Machine, says: &mut dyn FnMut(&str)) -> Result<(), SystemError> {
    sweep_folder(folder);
    for path in journals(folder)? {
        let Ok(file) = OpenOptions::new().read(true).write(true).open(&path) else { continue };
        if file.try_lock().is_err() {
            continue;
        }
        // The lock stays until the file is gone: two who come at once do not both undo.
        let deeds = file.try_clone().map(read).map_err(SystemError::file("read", &path))?;
        let undone: Result<(), SystemError> = deeds.iter().rev().try_for_each(|deed| deed.undo(machine));
        match undone {
            Ok(()) => {
                says(&format!("undid what a process that was killed had left: {}", path.display()));
                let _ = fs::remove_file(&path);
            }
            Err(error) => says(&format!("cannot undo what a process that was killed has left: {error}")),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;
    use crate::machine::Recorder;

    type Shared = Rc<RefCell<Recorder>>;

    fn journal(folder: &Path, name: &str, machine: &Shared, said: &Rc<RefCell<Vec<String>>>) -> Journal {
        let said = said.clone();
        let says = Box::new(move |text: &str| said.borrow_mut().push(text.to_owned()));
        Journal::open(folder, name, Box::new(machine.clone()), says).unwrap()
    }

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    /// Three deeds on a machine that has what they need.
    fn deeds(machine: &Shared) -> [Deed; 3] {
        machine.borrow_mut().files.insert("/proc/sys/net/ipv4/conf/eth0/forwarding".into(), "0\n".into());
        [
            Deed::namespace("x-a").unwrap(),
            Deed::forwarding("eth0", &mut machine.clone()).unwrap(),
            Deed::masquerade("tun0", "10.0.0.1/24".parse().unwrap(), "eth0").unwrap(),
        ]
    }

    #[test]
    fn what_was_done_is_undone_latest_first() {
        let folder = tempfile::tempdir().unwrap();
        let (machine, said) = (Shared::default(), Rc::default());
        let mut journal = journal(&folder.path().join("ours"), "test", &machine, &said);
        for deed in deeds(&machine) {
            journal.carry_out(deed).unwrap();
        }
        machine.borrow_mut().files.insert("/run/netns/x-a".into(), String::new());
        machine.borrow_mut().said.clear();
        drop(journal);
        let found = machine.borrow();
        assert!(found.said[0].starts_with("nft ") && found.said[1] == "ip netns del x-a", "{:?}", found.said);
        assert_eq!(found.files[Path::new("/proc/sys/net/ipv4/conf/eth0/forwarding")], "0\n");
        assert_eq!((entries(&folder.path().join("ours")), said.borrow().len()), (0, 0));
    }

    #[test]
    fn a_deed_that_fails_is_undone_with_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let (machine, said) = (Shared::default(), Rc::default());
        machine.borrow_mut().refuses.push("postrouting");
        let mut journal = journal(folder.path(), "test", &machine, &said);
        let [namespace, _, masquerade] = deeds(&machine);
        journal.carry_out(namespace).unwrap();
        assert!(matches!(journal.carry_out(masquerade), Err(SystemError::Refused { .. })));
        drop(journal);
        assert!(machine.borrow().said.last().unwrap().contains("delete table"), "it may have been done by half");
        assert_eq!(entries(folder.path()), 0);
    }

    #[test]
    fn what_the_dead_have_left_is_undone_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let (machine, said) = (Shared::default(), Rc::default());
        let [.., masquerade] = deeds(&machine);
        let namespace = serde_json::to_string(&Deed::namespace("x-a").unwrap()).unwrap();
        // A journal without a lock, the last line cut off in the middle.
        let masquerade = serde_json::to_string(&masquerade).unwrap();
        let text = format!("{namespace}\n{masquerade}\n{}", &namespace[..10]);
        fs::write(folder.path().join("test-1.deeds"), text).unwrap();
        fs::write(folder.path().join("test-2.deeds.2.part"), "").unwrap();
        machine.borrow_mut().files.insert("/run/netns/x-a".into(), String::new());
        let living = journal(folder.path(), "test", &machine, &said);
        assert_eq!(machine.borrow().said[1], "ip netns del x-a");
        assert_eq!((entries(folder.path()), said.borrow().len()), (1, 1), "only its own is left");
        // That of the living is left alone.
        machine.borrow_mut().said.clear();
        drop(journal(folder.path(), "other", &machine, &said));
        assert_eq!((entries(folder.path()), machine.borrow().said.len()), (1, 0));
        drop(living);
    }

    #[test]
    fn what_cannot_be_undone_is_kept_for_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let (machine, said) = (Shared::default(), Rc::default());
        let [.., masquerade] = deeds(&machine);
        let mut first = journal(folder.path(), "test", &machine, &said);
        first.carry_out(masquerade).unwrap();
        machine.borrow_mut().refuses.push("delete");
        drop(first);
        assert!(said.borrow()[0].contains("cannot undo"), "{said:?}");
        machine.borrow_mut().refuses.clear();
        drop(journal(folder.path(), "other", &machine, &said));
        assert_eq!(entries(folder.path()), 0);
        assert!(machine.borrow().said.last().unwrap().contains("delete table"));
    }

    #[test]
    fn of_two_who_forward_the_last_one_restores() {
        let folder = tempfile::tempdir().unwrap();
        let (machine, said) = (Shared::default(), Rc::default());
        let path = PathBuf::from("/proc/sys/net/ipv4/conf/eth0/forwarding");
        let [_, forwarding, _] = deeds(&machine);
        let (mut one, mut two) =
            (journal(folder.path(), "one", &machine, &said), journal(folder.path(), "two", &machine, &said));
        one.carry_out(forwarding).unwrap();
        two.carry_out(Deed::forwarding("eth0", &mut machine.clone()).unwrap()).unwrap();
        drop(one);
        assert_eq!(machine.borrow().files[&path], "1\n", "the other still needs it");
        drop(two);
        assert_eq!(machine.borrow().files[&path], "0\n");
    }

    #[test]
    fn an_ordinary_user_is_told_what_is_missing() {
        let path = Path::new("/run/airtime");
        assert!(check_owner(path, 0, 0, true).is_ok() && check_owner(path, 1_000, 1_000, true).is_ok());
        let said = check_owner(path, 1_000, 0, true).unwrap_err().to_string();
        assert!(said.contains("for root") && said.contains("sudo"), "{said}");
        for (own, owner, in_order) in [(0, 1_000, true), (0, 0, false), (1_000, 0, false)] {
            assert!(matches!(check_owner(path, own, owner, in_order), Err(SystemError::Folder(_))), "{own} {owner}");
        }
    }

    #[test]
    fn a_folder_that_others_may_write_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
        let refused = Journal::open(folder.path(), "test", Box::new(Recorder::default()), Box::new(|_| {}));
        assert!(matches!(refused.err(), Some(SystemError::Folder(_))));
    }
}
