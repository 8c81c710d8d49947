//! Patterns, as far as the schemas go: letters, `.`, `\.`, classes, groups of alternatives, and `?`, `*`, `+` behind each.

/// Tells if `text` matches `pattern`, which `^` and `$` bind to both ends.
pub fn matches(pattern: &str, text: &str) -> bool {
    let (open, body) = pattern.strip_prefix('^').map_or((true, pattern), |rest| (false, rest));
    let body = body.strip_suffix('$').expect("a pattern goes to the end");
    let (pattern, text): (Vec<char>, Vec<char>) = (body.chars().collect(), text.chars().collect());
    let starts = if open { text.len() } else { 0 };
    (0..=starts).any(|start| ends(&pattern, &text[start..]).contains(&(text.len() - start)))
}

/// Lengths of `text` that a whole `pattern` can take.
fn ends(pattern: &[char], text: &[char]) -> Vec<usize> {
    let Some((atom, rest)) = atom(pattern) else { return vec![0] };
    let (least, most, rest) = match rest.first() {
        Some('?') => (0, 1, &rest[1..]),
        Some('*') => (0, text.len(), &rest[1..]),
        Some('+') => (1, text.len(), &rest[1..]),
        _ => (1, 1, rest),
    };
    let mut found = Vec::new();
    let mut at = vec![0];
    for count in 0..=most {
        if count >= least {
            found.extend(at.iter().flat_map(|from| ends(rest, &text[*from..]).into_iter().map(move |end| from + end)));
        }
        let mut next: Vec<usize> =
            at.iter().flat_map(|from| once(atom, &text[*from..]).into_iter().map(move |end| from + end)).collect();
        next.retain(|end| !at.contains(end));
        at = next;
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The first atom of a pattern, and what is behind it.
fn atom(pattern: &[char]) -> Option<(&[char], &[char])> {
    let length = match pattern.first()? {
        '\\' => 2,
        '[' => pattern.iter().position(|c| *c == ']').unwrap() + 1,
        '(' => {
            let mut depth = 0;
            let closes = |c: &char| {
                depth += i32::from(*c == '(') - i32::from(*c == ')');
                depth == 0
            };
            pattern.iter().position(closes).unwrap() + 1
        }
        _ => 1,
    };
    Some(pattern.split_at(length))
}

/// Lengths of `text` that one atom can take.
fn once(atom: &[char], text: &[char]) -> Vec<usize> {
    let one = |fits: &dyn Fn(char) -> bool| if text.first().is_some_and(|c| fits(*c)) { vec![1] } else { Vec::new() };
    match atom {
        ['(', inner @ .., ')'] => alternatives(inner).into_iter().flat_map(|inner| ends(inner, text)).collect(),
        ['[', class @ .., ']'] => one(&|c| in_class(class, c)),
        ['\\', letter] => one(&|c| c == *letter),
        ['.'] => one(&|_| true),
        [letter] => one(&|c| c == *letter),
        _ => panic!("{atom:?} is no atom that the schemas need"),
    }
}

fn in_class(class: &[char], letter: char) -> bool {
    match class {
        [from, '-', to, rest @ ..] => (*from..=*to).contains(&letter) || in_class(rest, letter),
        [one, rest @ ..] => *one == letter || in_class(rest, letter),
        [] => false,
    }
}

/// The parts between the `|` that are in no group within.
fn alternatives(pattern: &[char]) -> Vec<&[char]> {
    let mut depth = 0;
    let apart = |c: &char| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        depth == 0 && *c == '|'
    };
    pattern.split(apart).collect()
}

#[test]
fn patterns_match_as_they_do_elsewhere() {
    let quantity = "^ *(0|[0-9_]+(\\.[0-9_]*)? *(us|ms|s)) *$";
    for text in ["0", "15ms", "7.5 ms", "1_000us ", "1.s"] {
        assert!(matches(quantity, text), "{text}");
    }
    for text in ["", "15", "ms", "7..5ms", "7,5ms", "15msx", "x15ms"] {
        assert!(!matches(quantity, text), "{text}");
    }
    assert!(matches("\\.toml$", "a/b.toml") && !matches("\\.toml$", "btoml") && !matches("\\.toml$", "b.toml "));
    assert!(matches("^(a|b:.*)$", "b: what") && !matches("^(a|b:.*)$", "ab"));
}
