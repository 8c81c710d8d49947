//! The nearest spelling of a misspelt word.

/// The candidate that `word` was probably meant to be, if one is near enough.
///
/// Near enough is an edit distance (with transpositions) of at most a third of the longer word, and
/// at least one; the first of equally near candidates wins. Where none is, a candidate of several parts may be meant by one of them:
/// `android` by `android-pixel`.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // The distance is quadratic in the length; nobody meant a word this long.
    if word.len() > 64 {
        return None;
    }
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let near = candidates
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), *candidate))
        .filter(|(distance, candidate)| *distance <= (word.len().max(candidate.len()) / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate);
    let has_part = |candidate: &&&str| word.len() >= PART_MIN && candidate.split('-').any(|part| part == word);
    near.or_else(|| candidates.iter().find(has_part).copied())
}

/// Shorter parts are in too many names.
const PART_MIN: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_found_and_a_far_one_is_not() {
        assert_eq!(nearest("sud", ["sdu", "mps", "mtu"]), Some("sdu"));
        assert_eq!(nearest("coc.in_fligth", ["coc.in_flight", "gatt.in_flight"]), Some("coc.in_flight"));
        assert_eq!(nearest("notfy", ["notify", "write-command"]), Some("notify"));
        assert_eq!(nearest("android", ["macos", "android-pixel"]), Some("android-pixel"));
        assert_eq!(nearest("pixel", ["macos", "android-pixel"]), Some("android-pixel"));
        assert_eq!(nearest("ll", ["macos", "zephyr-ll-2025-of-may"]), None);
        assert_eq!(nearest("bandwidth", ["sdu", "mps", "mtu"]), None);
        assert_eq!(nearest(&"x".repeat(1_000_000), ["sdu"]), None);
    }
}
