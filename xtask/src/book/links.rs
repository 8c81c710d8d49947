//! Links of the book: between its pages they stay, to other files of the repository they become addresses, and a broken one is an error.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::files;

/// Places that links can lead to.
pub struct Places<'a> {
    /// Root of the repository.
    pub root: &'a Path,
    /// Folder that mdBook reads, with everything that was made.
    pub source: &'a Path,
    /// Address of the repository.
    pub address: &'a str,
}

impl Places<'_> {
    /// The Markdown of `page`, a path that repository and book share, with the links that it has in the book, read from `folder`.
    pub fn adapted(&self, page: &str, text: &str) -> Result<String, String> {
        let mut adapted = String::new();
        let mut fenced = false;
        for (at, line) in text.lines().enumerate() {
            fenced ^= line.trim_start().starts_with("```");
            match fenced {
                true => adapted.push_str(line),
                false => {
                    let line = self.line(page, line).map_err(|error| format!("{page}, line {}: {error}", at + 1))?;
                    adapted.push_str(&line);
                }
            }
            adapted.push('\n');
        }
        Ok(adapted)
    }

    fn line(&self, page: &str, line: &str) -> Result<String, String> {
        let mut parts = line.split("](");
        let mut adapted = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (target, rest) = part.split_once(')').unwrap_or((part, ""));
            // Within a span in backquotes there is no link.
            let target = match adapted.matches('`').count() % 2 {
                0 => self.target(page, target)?,
                _ => target.to_owned(),
            };
            adapted.push_str(&format!("]({target}"));
            if part.contains(')') {
                adapted.push_str(&format!("){rest}"));
            }
        }
        Ok(adapted)
    }

    fn target(&self, page: &str, target: &str) -> Result<String, String> {
        if target.contains("://") || target.starts_with('#') || target.starts_with("mailto:") {
            return Ok(target.to_owned());
        }
        let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
        let path = below(page, path).ok_or_else(|| format!("{target} leads out of the repository"))?;
        let fragment = if fragment.is_empty() { String::new() } else { format!("#{fragment}") };
        if self.source.join(&path).is_file() {
            return Ok(target.to_owned());
        }
        match self.root.join(&path) {
            place if place.is_file() => Ok(format!("{}/blob/main/{path}{fragment}", self.address)),
            place if place.is_dir() => Ok(format!("{}/tree/main/{path}", self.address)),
            _ => Err(format!("{target} leads nowhere")),
        }
    }
}

/// Path that `link` has, followed from the file `page`; none above the root.
pub fn below(page: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Checks every link of the built pages in `folder`: the file is there, and so is the place in it.
pub fn check(folder: &Path) -> Result<usize, String> {
    let mut pages = BTreeMap::new();
    for path in files::below(folder, ".html")? {
        let name = path.strip_prefix(folder).map_err(|error| files::said(&path, &error))?;
        let name = name.to_string_lossy().replace('\\', "/");
        pages.insert(name, files::text(&path)?);
    }
    let ids: BTreeMap<&str, BTreeSet<&str>> =
        pages.iter().map(|(name, page)| (name.as_str(), values(page, "id").collect())).collect();
    let (mut broken, mut count) = (Vec::new(), 0);
    for (name, page) in &pages {
        // It is shown for addresses that nobody knows, and its own is the root.
        if name == "404.html" {
            continue;
        }
        for link in values(page, "href").chain(values(page, "src")) {
            count += 1;
            if !leads(folder, name, link, &ids) {
                broken.push(format!("{name}: {link} leads nowhere"));
            }
        }
    }
    broken.dedup();
    match broken.is_empty() {
        true => Ok(count),
        false => Err(broken.join("\n")),
    }
}

fn leads(folder: &Path, page: &str, link: &str, ids: &BTreeMap<&str, BTreeSet<&str>>) -> bool {
    if link.contains("://") || ["data:", "mailto:", "javascript:"].iter().any(|scheme| link.starts_with(scheme)) {
        return true;
    }
    let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
    let target = match path {
        "" => Some(page.to_owned()),
        path => below(page, path),
    };
    let Some(target) = target else { return false };
    match ids.get(target.as_str()) {
        Some(ids) => fragment.is_empty() || ids.contains(fragment),
        None => folder.join(target).exists(),
    }
}

/// Values of an attribute throughout a page of HTML.
fn values<'a>(page: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let begin = format!(" {name}=\"");
    let parts: Vec<&str> = page.split(begin.as_str()).skip(1).collect();
    parts.into_iter().filter_map(|rest| rest.split('"').next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_followed() {
        assert_eq!(below("docs/a.md", "../b/c.md").as_deref(), Some("b/c.md"));
        assert_eq!(below("a.md", "./b.md").as_deref(), Some("b.md"));
        assert_eq!(below("docs/a.md", "../../b.md"), None);
    }

    #[test]
    fn links_lead_to_pages_files_or_nowhere() {
        let root = files::root().expect("a root");
        let source = root.join("docs");
        let places = Places { root: &root, source: &source, address: "https://example.org/a" };
        let adapted = |line: &str| places.adapted("plan.md", line);
        assert_eq!(adapted("[a](live.md#b), `[c](d)`").expect("links"), "[a](live.md#b), `[c](d)`\n");
        assert_eq!(
            adapted("[a](xtask/Cargo.toml)").expect("links"),
            "[a](https://example.org/a/blob/main/xtask/Cargo.toml)\n"
        );
        assert_eq!(adapted("```\n[a](nothing.md)\n```").expect("links"), "```\n[a](nothing.md)\n```\n");
        assert!(adapted("[a](nothing.md)").expect_err("a dead link").contains("plan.md, line 1: nothing.md"));
    }

    #[test]
    fn a_place_that_is_not_in_a_page_is_missed() {
        let ids = BTreeMap::from([("a.html", BTreeSet::from(["x"])), ("b/c.html", BTreeSet::new())]);
        let leads = |page, link| leads(Path::new("/nowhere"), page, link, &ids);
        assert!(leads("b/c.html", "../a.html#x") && leads("a.html", "#x") && leads("a.html", "https://example.org/"));
        assert!(!leads("b/c.html", "../a.html#y") && !leads("a.html", "c.html") && !leads("a.html", "../a.html"));
    }
}
