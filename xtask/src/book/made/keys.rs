//! Keys by link, and the options of build configurations that they are.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Page, cell, text, texts};

/// A page for the keys of each kind of link, and one for those of several.
pub fn pages(keys: &[Value]) -> Result<Vec<Page>, String> {
    let mut groups: Vec<(String, Vec<&Value>)> = Vec::new();
    for key in keys {
        let name = group(key);
        match groups.iter_mut().find(|(group, _)| *group == name) {
            Some((_, keys)) => keys.push(key),
            None => groups.push((name, vec![key])),
        }
    }
    groups.into_iter().map(|(name, keys)| page(&name, &keys)).collect()
}

/// Kind of link that a key is of, or that it is of several: those of Bluetooth LE are one.
fn group(key: &Value) -> String {
    let links = texts(key, "links");
    match links.as_slice() {
        [link] if *link != "all" && !link.starts_with("ble-") => (*link).to_owned(),
        links if links.iter().all(|link| link.starts_with("ble-")) => "ble".to_owned(),
        _ => "several".to_owned(),
    }
}

fn page(group: &str, keys: &[&Value]) -> Result<Page, String> {
    let title = match group {
        "ble" => "Keys of Bluetooth LE".to_owned(),
        "several" => "Keys of several links".to_owned(),
        link => format!("Keys of {link}"),
    };
    let mut made = format!(
        "# {title}\n\nMade from the schema of this version: `airtime keys NAME` prints one of them. *Who* is who can turn it: \
         *sender* and *receiver* are whoever that is in the plan, and nobody means that it is a condition, not a choice. *Eases* \
         is its [mechanism](../mechanisms.md).\n"
    );
    let mut table = String::new();
    for key in keys {
        let name = text(key, "key")?;
        let of = name.split_once('.').map_or("the plan", |(table, _)| table);
        if of != table {
            of.clone_into(&mut table);
            made.push_str(&if of == "the plan" { "\n## The plan\n".to_owned() } else { format!("\n## `[{of}]`\n") });
        }
        made.push_str(&entry(key)?);
    }
    Ok(Page { path: format!("made/keys/{group}.md"), title, text: made })
}

fn entry(key: &Value) -> Result<String, String> {
    let name = text(key, "key")?;
    let mut made = format!("\n### `{name}` {{ #{name} }}\n\n{}\n\n", cell(text(key, "meaning")?));
    made.push_str(&format!("- *values:* {}\n", cell(text(key, "values")?)));
    made.push_str(&format!("- *default:* {}\n", key["default"].as_str().map_or("none".to_owned(), cell)));
    made.push_str(&format!("- *who:* {}\n", cell(text(key, "whose")?)));
    if let Some(mechanism) = key["mechanism"].as_str() {
        made.push_str(&format!("- *eases:* [{mechanism}](../mechanisms.md#{mechanism})\n"));
    }
    let links = texts(key, "links");
    if links != ["all"] && links.len() > 1 {
        made.push_str(&format!("- *links:* {}\n", links.join(", ")));
    }
    let lines: Result<Vec<String>, String> =
        configuration(key).map(|line| Ok(format!("`{}` ({})", text(line, "option")?, text(line, "image")?))).collect();
    let lines = lines?;
    if !lines.is_empty() {
        made.push_str(&format!("- *built with:* {}\n", lines.join(", ")));
    }
    Ok(made)
}

fn configuration(key: &Value) -> impl Iterator<Item = &Value> {
    key["configuration"].as_array().into_iter().flatten()
}

/// Every option of a build configuration, with the keys that it sets.
pub fn options(keys: &[Value]) -> Result<Page, String> {
    let mut options: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for key in keys {
        for line in configuration(key) {
            options.entry((text(line, "image")?, text(line, "option")?)).or_default().push(link(key)?);
        }
    }
    let mut made = "# Options of build configurations\n\nLines of a `prj.conf`, an `sdkconfig`, an `sdk_config.h` or a `syscfg.yml` \
                    that are keys of a plan. `airtime check` reads a whole file.\n"
        .to_owned();
    let mut of = "";
    for ((image, option), keys) in &options {
        if *image != of {
            of = image;
            made.push_str(&format!("\n## {image}\n\n| option | key |\n|---|---|\n"));
        }
        made.push_str(&format!("| `{option}` | {} |\n", keys.join(", ")));
    }
    Ok(Page { path: "made/options.md".to_owned(), title: "Options of build configurations".to_owned(), text: made })
}

/// Link to a key, from a page beside the folder of the keys.
pub fn link(key: &Value) -> Result<String, String> {
    let name = text(key, "key")?;
    Ok(format!("[`{name}`](keys/{}.md#{name})", group(key)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_are_grouped_by_kind_of_link() {
        let of = |links: &[&str]| group(&json!({ "links": links }));
        assert_eq!([of(&["ble-coc", "ble-rpc"]), of(&["all"]), of(&["a-b", "ble-coc"])], ["ble", "several", "several"]);
        assert_eq!(of(&["nrf24-ip"]), "nrf24-ip");
    }
}
