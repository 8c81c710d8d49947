//! Test of the example in the documentation: what it shows is what the derive writes.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::keys;

/// Text that the example shortens or leaves out, in this order.
const SHORTENED: [(&str, &str); 11] = [
    ("#[automatically_derived]", ""),
    ("#[allow(dead_code)]", ""),
    ("#[allow(unused_variables)]", ""),
    ("{#[allow(unused_imports)]use::airtime_keys::Step::*;&[]}", "&[]"),
    ("{#[allow(unused_imports)]use::airtime_keys::config::*;const{&[]}}", "&[]"),
    ("::airtime_keys::derived::", ""),
    ("::airtime_keys::", ""),
    ("::core::option::Option::", ""),
    ("::core::result::Result::", ""),
    ("::core::result::", ""),
    ("::core::ops::", ""),
];

#[test]
fn the_example_is_what_is_written() {
    let (input, output) = documented();
    let written = keys::expand(&syn::parse2(input).expect("a struct")).expect("keys");
    let mut written = text(written);
    for (long, short) in SHORTENED {
        assert!(written.contains(long), "{long} is not written any more");
        written = written.replace(long, short);
    }
    assert_eq!(without_last_commas(&written), without_last_commas(&text(output)), "written, and shown");
}

/// Struct of the example, and the code that comes of it.
fn documented() -> (TokenStream, TokenStream) {
    let docs: Vec<&str> = include_str!("lib.rs").lines().map_while(|line| line.strip_prefix("//!")).collect();
    let docs = docs.join("\n");
    let parts: Vec<&str> = docs.split("```").collect();
    let [_, input, _, output, _] = parts[..] else { panic!("a fence with a struct, and one with what comes of it") };
    let tokens = |fence: &str| fence.trim_start_matches("rust,ignore").parse().expect("Rust");
    (tokens(input), tokens(output))
}

/// Text of tokens without any space, and of numbers without their suffix.
fn text(tokens: TokenStream) -> String {
    let of = |token| match token {
        TokenTree::Group(group) => {
            let (open, close) = match group.delimiter() {
                Delimiter::Parenthesis => ("(", ")"),
                Delimiter::Brace => ("{", "}"),
                Delimiter::Bracket => ("[", "]"),
                Delimiter::None => ("", ""),
            };
            format!("{open}{}{close}", text(group.stream()))
        }
        TokenTree::Literal(literal) => {
            let literal = literal.to_string().replace(' ', "");
            literal.trim_end_matches("u64").trim_end_matches("usize").to_owned()
        }
        other => other.to_string(),
    };
    tokens.into_iter().map(of).collect()
}

/// The text without commas before a closing bracket, which are a formatter's.
fn without_last_commas(text: &str) -> String {
    text.replace(",}", "}").replace(",]", "]").replace(",)", ")")
}
