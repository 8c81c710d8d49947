//! The laboratory knows links by its registry: no other file of it names a link's crate.

use std::collections::{BTreeMap, BTreeSet};

use crate::{map, repository};

/// File of the laboratory that may.
const REGISTRY: &str = "crates/lab/src/links.rs";

/// Crate that every kind of link depends on.
const DECLARATION: &str = "link";

#[test]
fn the_laboratory_names_links_in_its_registry_alone() {
    let registry = repository::text(REGISTRY).expect("a registry of links");
    let crates = links_crates(&registry, &manifests());
    for name in ["ble", "ble-link", "wifi", "nrf24", "ieee802154"] {
        assert!(crates.contains(name), "`{name}` is a link's: {crates:?}");
    }
    let files =
        repository::files().into_iter().filter(|path| path.starts_with("crates/lab/src/") && path.ends_with(".rs"));
    let product = files.filter(|path| path != REGISTRY && !is_of_tests(path));
    let wrong: Vec<String> = product
        .flat_map(|path| {
            let text = repository::text(&path).unwrap_or_default();
            named(&text, &crates).into_iter().map(|name| format!("{path}: {name}")).collect::<Vec<_>>()
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "a method of `Link` or `Scenario` tells it, whichever link there is:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn crates_of_a_link_are_read_from_manifests() {
    let of = |uses: &[&str]| uses.iter().map(|&name| name.to_owned()).collect();
    let manifests: BTreeMap<String, BTreeSet<String>> = [
        ("radio", of(&["link", "core", "air"])),
        ("air", of(&["core"])),
        ("wire", of(&["link", "core"])),
        ("link", of(&["core"])),
        ("core", of(&[])),
        ("report", of(&["core"])),
    ]
    .map(|(name, uses): (&str, BTreeSet<String>)| (name.to_owned(), uses))
    .into();
    let registry = "use airtime_radio::Radio;\nuse airtime_wire::Wire;\npub use airtime_link::Link;\n";
    let crates = links_crates(registry, &manifests);
    assert_eq!(
        crates,
        of(&["air", "radio", "wire"]),
        "what both links use is shared, and what neither uses is no link's"
    );

    let text = "use airtime_radio::plan;\nuse airtime_core::Duration;\n#[cfg(test)]\nmod tests {\n    use airtime_air::Phy;\n}\n";
    assert_eq!(named(text, &crates), ["radio"]);
    assert!(named("use airtime_radiology::X;\n", &crates).is_empty());
}

/// Crates of the workspace that each of them uses, by its manifest.
fn manifests() -> BTreeMap<String, BTreeSet<String>> {
    let files = repository::files().into_iter().filter(|path| map::is_member(path));
    files
        .map(|path| {
            let text = repository::text(&path).expect("a manifest");
            let uses = map::dependencies(&text).into_iter().map(str::to_owned).collect();
            (map::name(path.trim_end_matches("/Cargo.toml")).to_owned(), uses)
        })
        .collect()
}

/// Crates that are a link's: those that the registry names and that declare a link, with what one of them alone uses.
fn links_crates(registry: &str, manifests: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let declares = |name: &&String| {
        let in_code = format!("airtime_{}::", name.replace('-', "_"));
        registry.contains(&in_code) && manifests[*name].contains(DECLARATION)
    };
    let links: BTreeSet<&String> = manifests.keys().filter(declares).collect();
    let mut users: BTreeMap<&String, BTreeSet<&String>> = BTreeMap::new();
    for link in &links {
        let mut found: Vec<&String> = vec![link];
        let mut next = 0;
        while let Some(name) = found.get(next).copied() {
            // Another link has its own.
            let uses = manifests[name].iter().filter(|name| !links.contains(name) && manifests.contains_key(*name));
            let new: Vec<&String> = uses.filter(|name| !found.contains(name)).collect();
            found.extend(new);
            next += 1;
        }
        found.into_iter().for_each(|name| {
            users.entry(name).or_default().insert(link);
        });
    }
    users.into_iter().filter(|(_, links)| links.len() == 1).map(|(name, _)| name.clone()).collect()
}

/// Crates among these that the code of a file names, up to its tests.
fn named<'a>(text: &str, crates: &'a BTreeSet<String>) -> Vec<&'a str> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let names = |name: &&String| {
        let word = format!("airtime_{}", name.replace('-', "_"));
        let ends = |rest: &str| !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_');
        code.match_indices(&word).any(|(at, _)| ends(&code[at + word.len()..]))
    };
    crates.iter().filter(names).map(String::as_str).collect()
}

/// Tells if a file is of tests alone.
fn is_of_tests(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}
