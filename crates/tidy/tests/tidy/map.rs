//! The map of ARCHITECTURE.md can be read as text, and says of every crate what its manifest says.

use std::collections::BTreeSet;

use crate::repository;

/// Characters that a cell of a table may have: more is a paragraph, which no reader finds his way in beside others.
const CELL_MAX: usize = 200;

/// Item of the map: a crate, or a package outside of `crates`.
#[derive(Debug, PartialEq)]
struct Item {
    folder: String,
    /// Names in the sentence that begins with "Uses".
    uses: Vec<String>,
}

#[test]
fn no_cell_is_a_paragraph() {
    let long = long_cells(&page());
    assert!(long.is_empty(), "above {CELL_MAX} characters; make it items or paragraphs:\n{}", long.join("\n"));
}

#[test]
fn every_crate_has_its_item_and_uses_those_above_it() {
    let page = page();
    let items = items(&page);
    let manifests: Vec<String> = repository::files().into_iter().filter(|path| is_member(path)).collect();
    for manifest in &manifests {
        let folder = manifest.trim_end_matches("/Cargo.toml");
        let place = items.iter().position(|item| item.folder == folder);
        let place = place.unwrap_or_else(|| panic!("ARCHITECTURE.md has no item `{folder}` on its map"));
        let above: BTreeSet<&str> = items[..place].iter().map(|item| name(&item.folder)).collect();
        let all: BTreeSet<&str> = manifests.iter().map(|path| name(path.trim_end_matches("/Cargo.toml"))).collect();
        let said: BTreeSet<&str> =
            items[place].uses.iter().map(String::as_str).filter(|used| all.contains(used)).collect();

        let text = repository::text(manifest).expect("a manifest");
        let used = dependencies(&text);
        assert_eq!(said, used, "what ARCHITECTURE.md says that `{folder}` uses, and what its manifest says");
        let below: Vec<&&str> = used.difference(&above).collect();
        assert!(below.is_empty(), "`{folder}` uses {below:?}, which stand below it on the map");
    }
}

#[test]
fn every_path_leads_somewhere() {
    let files = repository::files();
    let page = page();
    let dead: Vec<&str> = repository::quoted(&page)
        .filter(|path| in_a_crate(path, &files) && repository::place(&files, path).is_none())
        .collect();
    assert!(dead.is_empty(), "ARCHITECTURE.md names files that are not there: {}", dead.join(", "));
}

#[test]
fn a_long_cell_is_found() {
    let page =
        format!("| {} | short |\n|---|---|\n| `a\\|b` | {} |\n{}", "a".repeat(200), "b".repeat(201), "c".repeat(300));
    let long = long_cells(&page);
    assert_eq!(long.len(), 1);
    assert!(long[0].starts_with("3: 201 characters: bbb"), "{long:?}");
}

#[test]
fn items_and_manifests_are_read() {
    let page = "- **`crates/a`**: alpha, `x`. Uses no other crate.\n- **`crates/b`**: beta. It has no clock.\n  Uses `a`; \
                in feature `plan` also\n  `c`. Who lives there:\n  - `d` (delta)\n\nUses `e` outside.\n- **`plans/`**: text.\n";
    let item = |folder: &str, uses: &[&str]| Item {
        folder: folder.into(),
        uses: uses.iter().map(|&name| name.into()).collect(),
    };
    assert_eq!(items(page), [item("crates/a", &[]), item("crates/b", &["a", "plan", "c"]), item("plans", &[])]);

    let manifest = "[package]\nname = \"airtime-x\"\n[dependencies]\nairtime-a.workspace = true\nserde = \"1\"\n\
                    airtime-b = { workspace = true, optional = true }\n[dev-dependencies]\nairtime-c = { path = \"../c\" }\n\
                    [target.'cfg(unix)'.dependencies]\nairtime-d.workspace = true\n[target.'cfg(unix)'.dev-dependencies]\n\
                    airtime-e.workspace = true\n";
    assert_eq!(dependencies(manifest), BTreeSet::from(["a", "b", "d"]));
}

fn page() -> String {
    repository::text("ARCHITECTURE.md").expect("a page on the architecture")
}

/// Tells if a manifest is one of a member of the workspace.
pub fn is_member(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    matches!(parts[..], ["crates", _, "Cargo.toml"] | ["plans" | "personalities", "Cargo.toml"])
}

/// Tells if a path begins with the folder of a crate, as paths of this page do.
fn in_a_crate(path: &str, files: &[String]) -> bool {
    path.split_once('/').is_some_and(|(first, _)| files.contains(&format!("crates/{first}/Cargo.toml")))
}

/// Name of the package in a folder.
pub fn name(folder: &str) -> &str {
    folder.rsplit('/').next().unwrap_or(folder)
}

/// Cells that are too long, each with its line number.
fn long_cells(page: &str) -> Vec<String> {
    let rows = page.lines().enumerate().filter(|(_, line)| line.starts_with('|'));
    let cells = rows.flat_map(|(number, line)| line.split('|').map(move |cell| (number + 1, cell.trim())));
    cells
        .filter(|(_, cell)| cell.chars().count() > CELL_MAX)
        .map(|(number, cell)| {
            let beginning: String = cell.chars().take(60).collect();
            format!("{number}: {} characters: {beginning}", cell.chars().count())
        })
        .collect()
}

fn items(page: &str) -> Vec<Item> {
    format!("\n{page}").split("\n- **`").skip(1).filter_map(item).collect()
}

/// Item whose text begins with its folder.
fn item(text: &str) -> Option<Item> {
    let (folder, text) = text.split_once("`**")?;
    let sentence = text.split_once("Uses ").map_or("", |(_, rest)| rest.split('.').next().unwrap_or(rest));
    let uses = repository::quoted(sentence).map(str::to_owned).collect();
    Some(Item { folder: folder.trim_end_matches('/').to_owned(), uses })
}

/// Crates of ours that a manifest depends on, in whatever feature and on whatever system, but not in its tests alone.
pub fn dependencies(manifest: &str) -> BTreeSet<&str> {
    let mut counts = false;
    let mut found = BTreeSet::new();
    for line in manifest.lines() {
        if let Some(table) = line.strip_prefix('[') {
            counts = table.ends_with("dependencies]") && !table.ends_with("dev-dependencies]");
        } else if let Some(rest) = line.strip_prefix("airtime-").filter(|_| counts) {
            found.extend(rest.split(['.', ' ', '=']).next());
        }
    }
    found
}
