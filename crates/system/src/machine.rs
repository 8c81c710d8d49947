//! The machine as deeds see it: programs to run, settings to read and write.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::error::SystemError;

/// A machine that deeds change.
pub trait Machine {
    /// Runs a program to its end.
    ///
    /// # Errors
    /// When it cannot be started, or refuses.
    fn run(&mut self, program: &str, arguments: &[&str]) -> Result<(), SystemError>;

    /// A setting, such as a file below `/proc/sys`.
    ///
    /// # Errors
    /// When there is none.
    fn read(&mut self, path: &Path) -> Result<String, SystemError>;

    /// Changes a setting.
    ///
    /// # Errors
    /// When there is none, or it must not be changed.
    fn write(&mut self, path: &Path, text: &str) -> Result<(), SystemError>;

    /// Tells if there is a file at `path`.
    fn exists(&mut self, path: &Path) -> bool;
}

/// The machine this runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Linux;

impl Machine for Linux {
    fn run(&mut self, program: &str, arguments: &[&str]) -> Result<(), SystemError> {
        let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().map_err(|source| {
            SystemError::Program { program: program.to_owned(), package: package(program), source }
        })?;
        if output.status.success() {
            return Ok(());
        }
        let says = String::from_utf8_lossy(&output.stderr);
        let command = [&[program], arguments].concat().join(" ");
        Err(SystemError::Refused { command, says: says.trim().to_owned() })
    }

    fn read(&mut self, path: &Path) -> Result<String, SystemError> {
        fs::read_to_string(path).map_err(SystemError::file("read", path))
    }

    fn write(&mut self, path: &Path, text: &str) -> Result<(), SystemError> {
        fs::write(path, text).map_err(SystemError::file("write", path))
    }

    fn exists(&mut self, path: &Path) -> bool {
        path.exists()
    }
}

/// Debian package of a program that deeds run.
fn package(program: &str) -> &'static str {
    match program {
        "nft" => "nftables",
        _ => "iproute2",
    }
}

/// A machine that only writes down what it is told, and does as it is told with settings.
#[cfg(test)]
#[derive(Debug, Default)]
pub struct Recorder {
    /// Command lines that were to be run.
    pub said: Vec<String>,
    /// Settings that there are.
    pub files: std::collections::BTreeMap<std::path::PathBuf, String>,
    /// Programs with these words in their command lines refuse.
    pub refuses: Vec<&'static str>,
}

#[cfg(test)]
impl Machine for Recorder {
    fn run(&mut self, program: &str, arguments: &[&str]) -> Result<(), SystemError> {
        let command = [&[program], arguments].concat().join(" ");
        if self.refuses.iter().any(|word| command.contains(word)) {
            return Err(SystemError::Refused { command, says: "no".into() });
        }
        self.said.push(command);
        Ok(())
    }

    fn read(&mut self, path: &Path) -> Result<String, SystemError> {
        let missing = || SystemError::file("read", path)(std::io::ErrorKind::NotFound.into());
        self.files.get(path).cloned().ok_or_else(missing)
    }

    fn write(&mut self, path: &Path, text: &str) -> Result<(), SystemError> {
        self.read(path)?;
        self.files.insert(path.to_owned(), text.to_owned());
        Ok(())
    }

    fn exists(&mut self, path: &Path) -> bool {
        self.files.contains_key(path)
    }
}

/// One machine that several have a hold on.
#[cfg(test)]
impl Machine for std::rc::Rc<std::cell::RefCell<Recorder>> {
    fn run(&mut self, program: &str, arguments: &[&str]) -> Result<(), SystemError> {
        self.borrow_mut().run(program, arguments)
    }

    fn read(&mut self, path: &Path) -> Result<String, SystemError> {
        self.borrow_mut().read(path)
    }

    fn write(&mut self, path: &Path, text: &str) -> Result<(), SystemError> {
        self.borrow_mut().write(path, text)
    }

    fn exists(&mut self, path: &Path) -> bool {
        self.borrow_mut().exists(path)
    }
}
