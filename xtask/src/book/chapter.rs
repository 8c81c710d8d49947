//! Chapters of the book: Markdown whose commands are run. What a block of `console` shows is what the program wrote when the book was
//! built, and a command that fails fails the build.
//!
//! | a block's first line | what becomes of it |
//! |---|---|
//! | `console` | each line behind `$ ` is run, with its output below, and the figures that it drew below the block |
//! | `console,quiet` | the same without the output |
//! | `console,first=N` | the first N lines of each output |
//! | `console,says=WORDS` | the output of one of them has these words, which the text around relies on |
//! | `console,code=N` | commands that end with that exit code |
//! | `console,unrun` | shown, said to be unrun; its commands have to exist |
//! | `toml,file=NAME` | shown, and written for the commands of the chapter |
//!
//! In a text, a span `airtime WORD` names a command, and a longer one is run as well.

use std::path::PathBuf;

use super::program::{Program, Said, words};
use crate::files;

const UNRUN: &str = "*Not run when this book was built.*";

/// A chapter to be made, and where.
pub struct Chapter<'a> {
    /// Path in the repository, for messages.
    pub name: &'a str,
    /// Its Markdown.
    pub text: &'a str,
    /// Folder that its commands run in.
    pub work: PathBuf,
    /// Folder for its figures.
    pub figures: PathBuf,
    /// Path of that folder from the page.
    pub figures_link: String,
}

/// Options of a block's first line.
#[derive(Debug, Default, PartialEq)]
struct Block {
    language: String,
    quiet: bool,
    unrun: bool,
    first: Option<usize>,
    says: Vec<String>,
    code: i32,
    file: Option<String>,
}

impl Chapter<'_> {
    /// The chapter with what its commands say.
    pub fn made(&self, program: &mut Program) -> Result<String, String> {
        files::made(&self.work)?;
        let mut made = String::new();
        let mut lines = self.text.lines().enumerate();
        while let Some((at, line)) = lines.next() {
            let done = match line.strip_prefix("```") {
                None => self.line(line, program).map(|()| format!("{line}\n")),
                Some(options) => {
                    let body: Vec<&str> =
                        lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
                    self.block(options, &body, program)
                }
            };
            made.push_str(&done.map_err(|error| format!("{}, line {}: {error}", self.name, at + 1))?);
        }
        Ok(made)
    }

    /// Runs the commands in a line of text.
    fn line(&self, line: &str, program: &mut Program) -> Result<(), String> {
        if line.matches('`').count() % 2 == 1 {
            return Err("a span in backquotes ends in another line, where nobody looks for commands".to_owned());
        }
        for span in line.split('`').skip(1).step_by(2) {
            let words = match span.strip_prefix("airtime ") {
                Some(command) => words(command)?,
                None => continue,
            };
            match words.as_slice() {
                [name] => exists(name, program, self)?,
                words => drop(self.run(words, 0, program)?),
            }
        }
        Ok(())
    }

    fn block(&self, options: &str, body: &[&str], program: &mut Program) -> Result<String, String> {
        let block = Block::parse(options)?;
        if let Some(file) = &block.file {
            files::write(&self.work.join(file), format!("{}\n", body.join("\n")))?;
        }
        if block.language != "console" {
            return Ok(format!("```{}\n{}\n```\n", block.language, body.join("\n")));
        }
        let (mut shown, mut figures, mut heard) = (String::new(), String::new(), String::new());
        for line in body {
            let command = line.strip_prefix("$ ").ok_or_else(|| format!("`{line}` does not begin with `$ `"))?;
            shown.push_str(&format!("{line}\n"));
            let words = match command.strip_prefix("airtime").filter(|rest| rest.is_empty() || rest.starts_with(' ')) {
                Some(command) if block.unrun => {
                    let name = command.trim_start().split(' ').next().unwrap_or_default();
                    exists(name, program, self)?;
                    continue;
                }
                Some(command) => words(command)?,
                None if block.unrun => continue,
                None => return Err(format!("`{command}` is no command of airtime; `unrun` says that it is not run")),
            };
            let said = self.run(&words, block.code, program)?;
            heard.push_str(said.text());
            if !block.quiet {
                shown.push_str(&block.cut(said.text()));
            }
            for file in drawn(&words) {
                figures.push_str(&self.figure(file)?);
            }
        }
        // Lines are as long as a terminal, and words do not care where they are broken.
        let heard: Vec<&str> = heard.split_whitespace().collect();
        let heard = heard.join(" ");
        if let Some(words) = block.says.iter().find(|words| !heard.contains(words.as_str())) {
            return Err(format!("nothing here says `{words}` any more, which the text relies on"));
        }
        let unrun = if block.unrun { format!("\n{UNRUN}\n") } else { String::new() };
        Ok(format!("```console\n{shown}```\n{figures}{unrun}"))
    }

    /// Runs a command that has to end with `code`.
    fn run(&self, words: &[String], code: i32, program: &mut Program) -> Result<Said, String> {
        let said = program.run(&self.work, words)?;
        match said.code {
            Some(ended) if ended == code => Ok(said),
            Some(ended) => Err(format!("`airtime {}` ended with {ended}: {}", words.join(" "), said.err.trim())),
            None => Err(format!("`airtime {}` was ended: {}", words.join(" "), said.err.trim())),
        }
    }

    /// Takes a figure that a command drew into the book.
    fn figure(&self, file: &str) -> Result<String, String> {
        let drawn = self.work.join(file);
        let text = files::text(&drawn)?;
        files::write(&self.figures.join(file), &text)?;
        let title = attribute(&text, "aria-label").ok_or_else(|| format!("{file} has no title"))?;
        let link = format!("{}/{file}", self.figures_link);
        Ok(format!("\n<a class=\"figure\" href=\"{link}\"><img src=\"{link}\" alt=\"{title}\"></a>\n"))
    }
}

/// Looks if the program has a command of this name.
fn exists(name: &str, program: &mut Program, chapter: &Chapter<'_>) -> Result<(), String> {
    chapter.run(&[name.to_owned(), "--help".to_owned()], 0, program).map(drop)
}

impl Block {
    fn parse(options: &str) -> Result<Self, String> {
        let mut parts = options.split(',');
        let mut block = Self { language: parts.next().unwrap_or_default().to_owned(), ..Self::default() };
        for part in parts {
            let unknown = || {
                format!("`{part}`: quiet, unrun, first=N, says=WORDS, code=N and file=NAME are what a block can have")
            };
            match part.split_once('=') {
                None if part == "quiet" => block.quiet = true,
                None if part == "unrun" => block.unrun = true,
                Some(("first", lines)) => block.first = Some(lines.parse().map_err(|_| unknown())?),
                Some(("says", words)) => block.says.push(words.to_owned()),
                Some(("code", code)) => block.code = code.parse().map_err(|_| unknown())?,
                Some(("file", name)) if !name.contains(['/', '\\']) => block.file = Some(name.to_owned()),
                _ => return Err(unknown()),
            }
        }
        Ok(block)
    }

    /// As much of an output as the block shows.
    fn cut(&self, text: &str) -> String {
        let all = text.lines().count();
        let first = self.first.unwrap_or(all);
        let mut cut: String = text.lines().take(first).map(|line| format!("{}\n", line.trim_end())).collect();
        if all > first {
            cut.push_str("…\n");
        }
        cut
    }
}

impl Said {
    /// Text that a reader of the terminal would look at: what was asked for, or else what was said about it.
    fn text(&self) -> &str {
        if self.out.is_empty() { &self.err } else { &self.out }
    }
}

/// Figures that a command draws.
fn drawn(words: &[String]) -> impl Iterator<Item = &str> {
    let pairs = words.windows(2).filter(|pair| pair[0] == "-o" && pair[1].ends_with(".svg"));
    pairs.map(|pair| pair[1].as_str())
}

/// Value of an attribute of the first element that has it, as it is written.
fn attribute<'a>(markup: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = markup.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::{Block, attribute};

    /// Makes a chapter of `text` with the program at `path` in place of airtime.
    #[cfg(unix)]
    fn made(path: &str, text: &str) -> Result<String, String> {
        let root = crate::files::root()?;
        let mut program = super::Program::found(Some(path.as_ref()), &root)?;
        let work = root.join("target/book/tests");
        super::Chapter { name: "a.md", text, figures: work.clone(), work, figures_link: "f".into() }.made(&mut program)
    }

    #[cfg(unix)]
    #[test]
    fn commands_are_run_and_a_failure_is_an_error() {
        let echo = |text| made("/bin/echo", text);
        assert_eq!(
            echo("a `airtime b c`\n```console,says=run x\n$ airtime run x\n```\n").expect("a chapter"),
            "a `airtime b c`\n```console\n$ airtime run x\nrun x\n```\n"
        );
        assert_eq!(echo("```console,quiet\n$ airtime a\n```").expect("a chapter"), "```console\n$ airtime a\n```\n");
        assert!(
            echo("\n```console,says=y\n$ airtime run x\n```").expect_err("words").starts_with("a.md, line 2: nothing")
        );
        assert!(echo("```console\n$ rm x\n```").is_err() && echo("a `span\n").is_err());
        for text in ["`airtime a`", "`airtime a b`", "```console\n$ airtime a\n```"] {
            assert!(made("/bin/false", text).expect_err("a failure").contains("line 1: `airtime a"), "{text}");
        }
        assert!(made("/bin/false", "```console,code=1\n$ airtime a\n```").is_ok());
    }

    #[test]
    fn options_are_read() {
        let block = Block::parse("console,first=2,code=3").expect("options");
        assert_eq!((block.first, block.code, block.quiet), (Some(2), 3, false));
        assert_eq!(block.cut("a\nb \nc\n"), "a\nb\n…\n");
        assert_eq!(Block::parse("toml,file=a.toml").expect("options").file.as_deref(), Some("a.toml"));
        assert!(Block::parse("console,loud").is_err() && Block::parse("toml,file=../a").is_err());
    }

    #[test]
    fn a_title_is_found() {
        assert_eq!(
            attribute("<svg role=\"img\" aria-label=\"a &lt; b\"><g aria-label=\"c\"/>", "aria-label"),
            Some("a &lt; b")
        );
        assert_eq!(attribute("<svg>", "aria-label"), None);
    }
}
