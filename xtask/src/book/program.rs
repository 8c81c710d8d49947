//! The program whose commands the book has: each is run once, and what it says is what the book shows.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::files;

/// The `airtime` of this book, and what it has said so far.
pub struct Program {
    path: PathBuf,
    said: BTreeMap<(PathBuf, Vec<String>), Said>,
    slowest: (Duration, String),
}

/// End of a command, and what it wrote.
#[derive(Clone, Debug)]
pub struct Said {
    /// Exit code; none of a program that was ended.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Program {
    /// The one at `path`, or else one that cargo builds.
    pub fn found(path: Option<&Path>, root: &Path) -> Result<Self, String> {
        let path = match path {
            Some(path) => path.canonicalize().map_err(|error| files::said(path, &error))?,
            None => built(root)?,
        };
        Ok(Self { path, said: BTreeMap::new(), slowest: (Duration::ZERO, String::new()) })
    }

    /// Runs the program in `folder`, or has what it said there to the same words.
    pub fn run(&mut self, folder: &Path, words: &[String]) -> Result<Said, String> {
        // What writes no file, and reads none of the chapter's, says the same everywhere.
        let alone =
            !words.iter().any(|word| word.starts_with("-o") || word == "--output" || folder.join(word).exists());
        let place = (if alone { PathBuf::new() } else { folder.to_owned() }, words.to_vec());
        if let Some(said) = self.said.get(&place) {
            return Ok(said.clone());
        }
        let begun = Instant::now();
        let output = self.command(folder).args(words).stdin(Stdio::null()).output();
        let output = output.map_err(|error| files::said(&self.path, &error))?;
        let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
        let said = Said { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) };
        if begun.elapsed() > self.slowest.0 {
            self.slowest = (begun.elapsed(), words.join(" "));
        }
        self.said.insert(place, said.clone());
        Ok(said)
    }

    /// Standard output of a command that has to succeed.
    pub fn output(&mut self, folder: &Path, words: &[&str]) -> Result<String, String> {
        let said = self.run(folder, &words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())?;
        match said.code {
            Some(0) => Ok(said.out),
            _ => Err(format!("airtime {}: {}", words.join(" "), said.err.trim())),
        }
    }

    /// A command of the program, as a terminal of 80 columns without colours has it.
    pub fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.path);
        command.current_dir(folder).env("COLUMNS", "80").env("NO_COLOR", "1");
        command
    }

    /// Number of commands that were run, and the one that took longest.
    pub fn summary(&self) -> String {
        let (time, command) = &self.slowest;
        format!("{} commands run; `airtime {command}` took {:.1} s of it", self.said.len(), time.as_secs_f64())
    }
}

/// The program that cargo builds, where cargo says that it is.
fn built(root: &Path) -> Result<PathBuf, String> {
    // Cargo says which one it is in the environment of what it runs.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let fixed = "build --locked --package airtime --message-format json-render-diagnostics";
    let output = Command::new(cargo).args(fixed.split(' ')).current_dir(root).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cargo cannot be run: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo {fixed} ended with {}", output.status));
    }
    let messages = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut executables = messages.lines().filter_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        (message["target"]["name"] == "airtime").then(|| message["executable"].as_str().map(PathBuf::from))?
    });
    executables.next_back().ok_or_else(|| format!("cargo {fixed} names no program"))
}

/// Words of a line as a shell has them: quotes hold together, and `#` begins a comment.
pub fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words: Vec<String> = Vec::new();
    let (mut word, mut quote) = (None::<String>, None::<char>);
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => break,
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            (None, '|' | '>' | '<' | '&' | ';' | '$' | '\\') => {
                return Err(format!("`{line}` needs a shell, and the book has none"));
            }
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    match quote {
        None => Ok(words),
        Some(open) => Err(format!("`{line}` has a {open} without its other")),
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_are_those_of_a_shell() {
        let split = |line| words(line).expect("words");
        assert_eq!(
            split("airtime run a.toml --set 'link=\"x y\"' # a note"),
            ["airtime", "run", "a.toml", "--set", "link=\"x y\""]
        );
        assert_eq!(split("a '' b#c"), ["a", "", "b#c"]);
        assert!(words("a | b").is_err() && words("a > b").is_err() && words("a 'b").is_err());
    }
}
