//! Changes that were tried and not granted.

use airtime_lab::record::Asked;

use super::search::Tried;

/// A line for each key with changes among `tried` that somebody did not grant: what was asked for, and what came of it.
pub fn refused(tried: &[Tried]) -> Vec<String> {
    let mut groups: Vec<Vec<&Asked>> = Vec::new();
    for asked in tried.iter().filter_map(|one| one.refused.as_ref()) {
        let is_alike = |group: &&mut Vec<&Asked>| (&group[0].key, &group[0].by) == (&asked.key, &asked.by);
        match groups.iter_mut().find(is_alike) {
            Some(group) => group.push(asked),
            None => groups.push(vec![asked]),
        }
    }
    groups.into_iter().map(|group| format!("asked for, not granted: {}", line(&group))).collect()
}

/// Line about one key; several values for which the same is granted share it.
fn line(group: &[&Asked]) -> String {
    let first = group[0];
    let parts = group.chunk_by(|a, b| a.granted == b.granted).map(|alike| {
        let values: Vec<String> = alike.iter().map(|asked| text(&asked.asked)).collect();
        let granted = &alike[0].granted;
        let granted = if granted.is_null() { "nothing".to_owned() } else { text(granted) };
        format!("{} ({granted})", values.join(", "))
    });
    let parts = parts.collect::<Vec<_>>().join(", ");
    let by = if first.by.is_empty() { String::new() } else { format!(" by {}", first.by) };
    format!("{} {parts}{by}", first.key)
}

fn text(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_with_the_same_answer_share_a_line() {
        let of = |asked: &str, granted: &str| Asked {
            key: "ble.conn_interval".into(),
            asked: asked.into(),
            granted: granted.into(),
            by: "iphone".into(),
        };
        let [a, b, c] = [of("7.5ms", "30ms"), of("20ms", "30ms"), of("4s", "2s")];
        assert_eq!(line(&[&a, &b, &c]), "ble.conn_interval 7.5ms, 20ms (30ms), 4s (2s) by iphone");
    }
}
