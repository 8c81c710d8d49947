//! `head,key=value,key=value`, and the plan's keys behind the words.

use airtime_ble::host::Address;
use airtime_ble_link::plan::Personality;
use airtime_keys::Keys;
use airtime_lab::spelling;

/// `key=value` pairs in the order given.
pub type Pairs<'a> = Vec<(&'a str, &'a str)>;

/// Tells if `word` says something of the bus between a host and its controller.
pub fn is_of_bus(word: &str) -> bool {
    word == "hci" || word.starts_with("hci_")
}

/// The head of an option and the pairs behind it.
pub fn split(text: &str) -> Result<(&str, Pairs<'_>), String> {
    let mut parts = text.split(',').map(str::trim);
    let head = parts.next().unwrap_or_default();
    let pair = |part| match str::split_once(part, '=') {
        Some((key, value)) if !key.trim().is_empty() && !value.trim().is_empty() => Ok((key.trim(), value.trim())),
        _ => Err(format!("`{part}`: expected KEY=VALUE")),
    };
    Ok((head, parts.map(pair).collect::<Result<_, _>>()?))
}

/// The personalities of an option that look like paths: the files to add to the library before.
pub fn personality_files(text: &str) -> Vec<String> {
    let (_, pairs) = split(text).unwrap_or_default();
    let named = pairs.into_iter().filter(|(key, value)| *key == "personality" && value.ends_with(".toml"));
    named.map(|(_, value)| value.to_owned()).collect()
}

/// An address with the most significant octet first.
pub fn address(text: &str) -> Result<Address, String> {
    let octets: Option<Vec<u8>> = text
        .split(':')
        .map(|part| (part.len() == 2).then(|| u8::from_str_radix(part, 16).ok()).flatten())
        .rev()
        .collect();
    octets
        .and_then(|octets| octets.try_into().ok())
        .ok_or_else(|| format!("`{text}` is no address: expected six octets such as C0:00:5E:00:01:00"))
}

/// Sentence on `key`, which is none of `known` and no key of a personality below `tables`.
pub fn unknown(key: &str, known: &[&str], tables: &[&str]) -> String {
    let of_personality = Personality::KEYS.iter().map(|key| key.name).filter(|name| in_tables(name, tables));
    let nearest = spelling::nearest(key, known.iter().copied().chain(of_personality));
    let hint = nearest.map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default();
    let rest: String = tables.iter().map(|table| format!(", {table}.…")).collect();
    format!("unknown key `{key}`{hint} allowed here: {}{rest}", known.join(", "))
}

/// Tells if `name` is a key below one of `tables`.
pub fn in_tables(name: &str, tables: &[&str]) -> bool {
    tables.iter().any(|table| name.strip_prefix(table).is_some_and(|rest| rest.starts_with('.')))
}
