//! Sentences broken into lines, with a hanging indent. What somebody may want to copy stays in one piece: identifiers, what stands
//! between backquotes, options with their values, commands, lines of a configuration. A piece that is too long for a line goes past
//! its end: broken in two, nobody could paste it.

/// Blanks that the lines behind the first are indented by, beyond the first.
const HANG: usize = 2;

/// `text` in lines of at most `width` columns, as far as its pieces allow. Each line of a comment is a comment.
pub(crate) fn filled(text: &str, width: usize) -> Vec<String> {
    let body = text.trim_start();
    let indent = &text[..text.len() - body.len()];
    if let Some((line, comment)) = body.split_once("  # ").filter(|_| is_for_a_file(body) && columns(text) > width) {
        // In a file a comment stands above what it is about.
        let above = filled(&format!("{indent}# {comment}"), width);
        return above.into_iter().chain([format!("{indent}{line}")]).collect();
    }
    let (mark, body) = body.strip_prefix("# ").map_or(("", body), |comment| ("# ", comment));
    let lines = broken(body, width.saturating_sub(columns(indent) + mark.len()), HANG);
    lines.into_iter().map(|line| format!("{indent}{mark}{line}")).collect()
}

/// `text` in lines of at most `width` columns, those behind the first indented by `hang`.
pub(crate) fn broken(text: &str, width: usize, hang: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut taken = 0;
    for piece in pieces(text) {
        let length = columns(piece);
        if taken > 0 && taken + 1 + length > width && !line.trim_start().is_empty() {
            lines.push(std::mem::take(&mut line));
            line.push_str(&" ".repeat(hang));
            taken = hang;
        } else if taken > 0 {
            line.push(' ');
            taken += 1;
        }
        line.push_str(piece);
        taken += length;
    }
    lines.push(line);
    lines
}

/// Columns of a terminal that `text` takes: one a character, as in everything this house writes.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().count()
}

/// Columns of the longest piece of `text`.
pub(crate) fn longest_piece(text: &str) -> usize {
    pieces(text).into_iter().map(columns).max().unwrap_or(0)
}

/// Pieces of `text` that stay in one line each.
fn pieces(text: &str) -> Vec<&str> {
    if is_for_a_file(text) {
        return vec![text];
    }
    let words: Vec<(usize, &str)> = text
        .split([' ', '\n', '\r', '\t'])
        .scan(0, |at, word| {
            let begin = *at;
            *at += word.len() + 1;
            Some((begin, word))
        })
        .filter(|(_, word)| !word.is_empty())
        .collect();
    let mut pieces = Vec::new();
    let mut first = 0;
    for index in 0..words.len() {
        let next = words.get(index + 1).map(|(_, word)| *word);
        if next.is_none_or(|next| !holds(&words[first..=index], first == 0 || ends(words[first - 1].1), next)) {
            let (begin, (last, word)) = (words[first].0, words[index]);
            pieces.push(&text[begin..last + word.len()]);
            first = index + 1;
        }
    }
    pieces
}

/// Tells if a line is one of a configuration.
fn is_for_a_file(text: &str) -> bool {
    text.starts_with("CONFIG_") && text.split(' ').next().is_some_and(|name| name.contains('='))
}

/// Tells if `next` has to stand behind the words of a piece; `fresh` where the piece begins a text, or follows a colon.
fn holds(piece: &[(usize, &str)], fresh: bool, next: &str) -> bool {
    let word = |back: usize| piece.len().checked_sub(back).map(|index| piece[index].1);
    let last = word(1).unwrap_or_default();
    let quoted = piece.iter().flat_map(|(_, word)| word.chars()).filter(|c| *c == '`').count() % 2 == 1;
    // A command goes on with names and options; a sentence may begin with the name of the program too.
    let is_argument = |word: &str| word.contains(|c: char| "-_=./".contains(c) || c.is_ascii_digit());
    let command = fresh && piece[0].1 == "airtime" && (piece.len() == 1 || is_argument(next));
    let takes_value = |word: &str| word.starts_with("--") && word.len() > 2 && !word.contains('=');
    let goes_on = word(2).is_some_and(takes_value) && next.starts_with("--");
    quoted
        || (next == "%" && last.ends_with(|c: char| c.is_ascii_digit()))
        || (!ends(last) && (command || takes_value(last) || goes_on))
}

/// Tells if a sentence, or a command in it, ends with this word.
fn ends(word: &str) -> bool {
    word.ends_with([':', ',', ';', ')', '.'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_text_are_words_like_others() {
        assert_eq!(broken("one\ntwo\t three\r\nfour", 12, 0), ["one two", "three four"]);
        assert_eq!(longest_piece("one\nthree"), 5);
    }

    #[test]
    fn lines_behind_the_first_hang() {
        let text = "  the event ends before another exchange fits";
        assert_eq!(filled(text, 22), ["  the event ends", "    before another", "    exchange fits"]);
        assert_eq!(filled("", 40), [""]);
        assert_eq!(filled("short", 40), ["short"]);
    }

    #[test]
    fn what_can_be_copied_stays_whole() {
        for (text, piece) in [
            ("a shorter one: --set coc.sdu=495 --set ble.phy=1M: 533.1 kbps", "--set coc.sdu=495 --set ble.phy=1M:"),
            ("mended by `airtime run coc-nrf --set a=b`, at once", "`airtime run coc-nrf --set a=b`,"),
            ("shown by a plan: airtime explain coc-nrf --set acl.count=3", "airtime explain coc-nrf --set acl.count=3"),
            ("the CONFIG_LWIP_TCP_SND_BUF_DEFAULT is small", "CONFIG_LWIP_TCP_SND_BUF_DEFAULT"),
            ("some 64 % of it", "64 %"),
            ("run with --point coc/ble.phy=1M, then", "--point coc/ble.phy=1M,"),
        ] {
            assert!(pieces(text).contains(&piece), "{text}: {:?}", pieces(text));
            let lines = filled(text, 10);
            assert!(lines.iter().any(|line| line.contains(piece)), "{lines:?}");
        }
        let line = "  CONFIG_XYZ=y  # from 4 to 8";
        assert_eq!(
            (filled(line, 30), filled(line, 12)),
            (vec![line.into()], vec!["  # from 4".into(), "  #   to 8".into(), "  CONFIG_XYZ=y".to_owned()])
        );
        assert_eq!(
            filled("  # same: CONFIG_A=1, CONFIG_B=2", 20),
            ["  # same:", "  #   CONFIG_A=1,", "  #   CONFIG_B=2"]
        );
    }

    #[test]
    fn prose_is_broken_at_every_blank() {
        assert_eq!(pieces("what airtime has: a list"), ["what", "airtime", "has:", "a", "list"]);
        assert_eq!(pieces("airtime has no figure"), ["airtime has", "no", "figure"]);
    }
}
