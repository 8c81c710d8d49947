//! The book: chapters of `book/` whose commands are run, chapters made of what the program knows, and the pages of `docs` as they are.
//!
//! What mdBook reads is laid out as the repository is, so that links between pages need no change.

mod chapter;
mod links;
mod made;
mod program;
mod screenshot;

use std::path::{Path, PathBuf};
use std::process::Command;

use chapter::Chapter;
use links::Places;
use program::Program;
use screenshot::Studio;

use crate::files;

/// Command that gets what makes pages, of the version that the book is tried with.
const INSTALL: &str = "cargo install mdbook --version 0.5.4 --locked --no-default-features --features search --debug --root target/mdbook";

/// Page at the address of the book itself. mdBook puts its first chapter there, whose links are from another folder.
const FRONT: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>airtime</title>
<meta http-equiv=\"refresh\" content=\"0; url=book/introduction.html\">
<p><a href=\"book/introduction.html\">The book of airtime</a></p>
</html>
";

/// Pages at the top of the repository that the book has as well.
const AT_THE_TOP: [&str; 3] = ["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"];

/// Options of `cargo xtask book`.
#[derive(Debug, Default, PartialEq)]
pub struct Request {
    program: Option<PathBuf>,
    sources: bool,
}

impl Request {
    /// The options in `words`; none of what is no option.
    pub fn parse(words: &[&str]) -> Option<Self> {
        let mut request = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--sources" => request.sources = true,
                "--program" => request.program = Some(words.next()?.into()),
                _ => return None,
            }
        }
        Some(request)
    }
}

/// Builds the book anew.
pub fn build(request: &Request) -> Result<(), String> {
    let root = files::root()?;
    let folder = root.join("target/book");
    let source = folder.join("src");
    for part in [&source, &folder.join("work"), &folder.join("html")] {
        files::emptied(part)?;
    }
    let mut program = Program::found(request.program.as_deref(), &root)?;
    let book = Book { root: &root, source: &source, work: folder.join("work") };
    book.write(&mut program)?;
    println!("{}: {}", source.display(), program.summary());
    for file in ["book.toml", "theme.css", "theme.js"] {
        files::copy(&root.join("book").join(file), &folder.join(file))?;
    }
    if request.sources {
        return Ok(());
    }
    render(&root, &folder)?;
    files::write(&folder.join("html/index.html"), FRONT)?;
    let count = links::check(&folder.join("html"))?;
    println!("{}: {count} links lead somewhere", folder.join("html/index.html").display());
    Ok(())
}

/// Runs mdBook, whose errors it does not always end with.
fn render(root: &Path, folder: &Path) -> Result<(), String> {
    let own = root.join("target/mdbook/bin/mdbook");
    let mdbook = if own.exists() { Some(own) } else { on_path("mdbook") };
    let mdbook = mdbook.ok_or_else(|| {
        format!("mdbook is not installed: `{INSTALL}` gets it; {} has what it would read", folder.join("src").display())
    })?;
    let output = Command::new(&mdbook).arg("build").arg(folder).output();
    let output = output.map_err(|error| files::said(&mdbook, &error))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let mut wrong = said.lines().filter(|line| line.contains("ERROR") || line.contains("WARN"));
    match (output.status.success(), wrong.next()) {
        (true, None) => Ok(()),
        (true, Some(line)) => Err(format!("mdbook: {}", line.trim())),
        (false, _) => Err(format!("mdbook ended with {}:\n{}", output.status, said.trim())),
    }
}

/// Program of this name on the path.
fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&path).map(|folder| folder.join(&name)).find(|program| program.is_file())
}

/// Folders that the pages are made from, and that they go to.
struct Book<'a> {
    root: &'a Path,
    source: &'a Path,
    work: PathBuf,
}

impl Book<'_> {
    /// Writes all that mdBook reads.
    fn write(&self, program: &mut Program) -> Result<(), String> {
        files::made(&self.work)?;
        let mut pages: Vec<(String, String)> = Vec::new();
        let groups = made::groups(self.root, &self.work, program)?;
        let summary = summary(&files::text(&self.root.join("book/SUMMARY.md"))?, &groups)?;
        for page in groups.into_iter().flat_map(|(_, pages)| pages) {
            pages.push((format!("book/{}", page.path), page.text));
        }
        let studio = Studio::new(self.root, &self.work);
        let mut wrong = Vec::new();
        for path in files::below(&self.root.join("book"), ".md")? {
            let name = path.strip_prefix(self.root).map_err(|error| files::said(&path, &error))?;
            let name = name.to_string_lossy().replace('\\', "/");
            if name != "book/SUMMARY.md" {
                match self.chapter(&name, &files::text(&path)?, &studio, program) {
                    Ok(text) => pages.push((name, text)),
                    Err(error) => wrong.push(error),
                }
            }
        }
        if !wrong.is_empty() {
            return Err(wrong.join("\n"));
        }
        for path in files::below(&self.root.join("docs"), ".md")? {
            let name = path.strip_prefix(self.root).map_err(|error| files::said(&path, &error))?;
            pages.push((name.to_string_lossy().replace('\\', "/"), files::text(&path)?));
        }
        for name in AT_THE_TOP {
            pages.push((name.to_owned(), files::text(&self.root.join(name))?));
        }
        // The index of docs is the table of contents here.
        pages.retain(|(name, _)| name != "docs/README.md");
        self.link(&summary, &pages)
    }

    /// A chapter with what its commands say, its figures and its screenshots.
    fn chapter(&self, name: &str, text: &str, studio: &Studio<'_>, program: &mut Program) -> Result<String, String> {
        let stem = name.trim_start_matches("book/").trim_end_matches(".md").replace('/', "-");
        let work = self.work.join(&stem);
        let link = format!("{}figures/{stem}", "../".repeat(name.matches('/').count()));
        let figures = self.source.join("figures").join(&stem);
        let chapter = Chapter { name, text, work: work.clone(), figures: figures.clone(), figures_link: link.clone() };
        let made = chapter.made(program)?;
        studio.shown(&made, &work.join("report.html"), (&figures, &link), program)
    }

    /// Writes the pages with their links, once all of them are there to be led to.
    fn link(&self, summary: &str, pages: &[(String, String)]) -> Result<(), String> {
        for (name, text) in pages {
            files::write(&self.source.join(name), text)?;
        }
        let address = address(self.root)?;
        let places = Places { root: self.root, source: self.source, address: &address };
        for (name, text) in pages {
            files::write(&self.source.join(name), places.adapted(name, text)?)?;
            if !summary.contains(&format!("]({name})")) {
                return Err(format!("book/SUMMARY.md does not name {name}: nobody would find it"));
            }
        }
        files::write(&self.source.join("SUMMARY.md"), summary)
    }
}

/// The table of contents, whose links are from the top of the repository and whose lines `<!-- made: NAME -->` are the pages that are made.
fn summary(text: &str, groups: &[(&str, Vec<made::Page>)]) -> Result<String, String> {
    let mut summary = String::new();
    for line in text.lines() {
        let asked = line.trim_start().strip_prefix("<!-- made: ").and_then(|line| line.strip_suffix(" -->"));
        let Some(asked) = asked else {
            summary.push_str(&format!("{}\n", from_the_top(line)?));
            continue;
        };
        let group = groups.iter().find(|(name, _)| *name == asked);
        let (_, pages) = group.ok_or_else(|| format!("book/SUMMARY.md: nothing that is called `{asked}` is made"))?;
        let indent = &line[..line.len() - line.trim_start().len()];
        for (at, page) in pages.iter().enumerate() {
            // Pages of one group that has a page of its own name are below it.
            let deeper = if asked == "personalities" && at > 0 { "  " } else { "" };
            summary.push_str(&format!("{indent}{deeper}- [{}](book/{})\n", page.title, page.path));
        }
    }
    Ok(summary)
}

/// A line of the table of contents with its link from the top of the repository, and not from `book`.
fn from_the_top(line: &str) -> Result<String, String> {
    let Some((title, rest)) = line.split_once("](") else { return Ok(line.to_owned()) };
    let target = rest.trim_end_matches(')');
    let path = links::below("book/SUMMARY.md", target);
    let path = path.ok_or_else(|| format!("book/SUMMARY.md: {target} leads out of the repository"))?;
    Ok(format!("{title}]({path})"))
}

/// Address of the repository, which its manifest names.
fn address(root: &Path) -> Result<String, String> {
    let manifest = files::text(&root.join("Cargo.toml"))?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("repository = \""));
    line.and_then(|line| line.strip_suffix('"'))
        .map(str::to_owned)
        .ok_or_else(|| "Cargo.toml has no repository".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        assert_eq!(Request::parse(&[]), Some(Request::default()));
        let request = Request::parse(&["--sources", "--program", "a"]).expect("options");
        assert_eq!((request.sources, request.program), (true, Some("a".into())));
        assert_eq!((Request::parse(&["--program"]), Request::parse(&["-v"])), (None, None));
    }

    #[test]
    fn the_table_of_contents_has_pages_that_are_made() {
        let page = |path: &str| made::Page { path: path.into(), title: path.into(), text: String::new() };
        let groups = [("keys", vec![page("made/a.md"), page("made/b.md")])];
        let text = "# S\n- [A](a.md)\n  <!-- made: keys -->\n- [D](../docs/d.md)\n";
        assert_eq!(
            summary(text, &groups).expect("a summary"),
            "# S\n- [A](book/a.md)\n  - [made/a.md](book/made/a.md)\n  - [made/b.md](book/made/b.md)\n- [D](docs/d.md)\n"
        );
        assert!(summary("<!-- made: nothing -->", &groups).is_err());
    }
}
