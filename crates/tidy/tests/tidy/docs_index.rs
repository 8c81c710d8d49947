//! Every page of `docs` can be found from the front page or the index, and every entry of the index leads somewhere.

use crate::repository;

#[test]
fn every_page_is_linked() {
    let files = repository::files();
    let pages: Vec<&str> = files.iter().filter_map(|path| path.strip_prefix("docs/")).collect();
    let front = repository::text("README.md").expect("a front page");
    let index = repository::text("docs/README.md").expect("an index of docs");
    let mut linked: Vec<&str> = links(&front).filter_map(|link| link.strip_prefix("docs/")).collect();
    linked.extend(links(&index));
    let lost = missing(&pages, &linked);
    assert!(lost.is_empty(), "no link in README.md or docs/README.md to docs/{}", lost.join(", docs/"));

    let inside: Vec<&str> = links(&index).filter(|link| !link.starts_with("../") && !link.contains("://")).collect();
    let dead = missing(&inside, &pages);
    assert!(dead.is_empty(), "docs/README.md links to nothing with {}", dead.join(", "));
}

#[test]
fn a_page_without_a_link_is_found() {
    let index = "[a](a.md) and [b](b.md#part), and no link (c.md)";
    let linked: Vec<&str> = links(index).collect();
    assert_eq!(linked, ["a.md", "b.md"]);
    assert_eq!(missing(&["README.md", "a.md", "b.md", "c.md"], &linked), ["c.md"]);
}

/// Targets of the links in a page, without the part after `#`.
fn links(page: &str) -> impl Iterator<Item = &str> {
    page.split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(link, _)| link.split('#').next().unwrap_or(link))
}

/// Pages that are not among `linked`; the index itself needs no link.
fn missing<'a>(pages: &[&'a str], linked: &[&str]) -> Vec<&'a str> {
    pages.iter().copied().filter(|page| *page != "README.md" && !linked.contains(page)).collect()
}
