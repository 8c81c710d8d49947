//! `airtime accounts`: the words of tables, and what each says: accounts of every link's books, headings of columns, verdicts.

use airtime_lab::links;
use airtime_lab::{schema, spelling};
use airtime_report::{Align, List, Table, json, legend};
use serde::Serialize;

use crate::exit::{Exit, Failure};
use crate::output::{self, Form};
use crate::request::Manner;

/// The schema of the document.
const SCHEMA: &str = "airtime/accounts/1";

/// Word of a table. Fields are added, never renamed.
#[derive(Clone, Debug, Serialize)]
struct Word {
    word: &'static str,
    /// Links whose books it is an account of, or what else it is.
    of: String,
    meaning: &'static str,
}

/// Lists every word, or those that `asked` names: by their whole name, or by its first part.
pub fn accounts(asked: Option<&str>, manner: Manner) -> Result<Exit, Failure> {
    let found = match asked {
        None => all(),
        Some(asked) => named(asked)?,
    };
    let mut table = Table::default();
    table.column("word", Align::Left, found.iter().map(|word| word.word));
    table.column("of", Align::Left, found.iter().map(|word| word.of.as_str()));
    table.column("what it says", Align::Left, found.iter().map(|word| word.meaning));
    output::print(&output::rendered(|out| match manner.form {
        Form::Json => json(&List { schema: SCHEMA, name: "accounts", entries: &found }, out),
        form => form.exporter().export_table(&table, out),
    })?)?;
    Ok(Exit::Ok)
}

/// Every word that can be asked for.
pub fn words() -> impl Iterator<Item = &'static str> {
    all().into_iter().map(|word| word.word)
}

fn all() -> Vec<Word> {
    let of_link = |link: &&'static dyn links::Link| {
        let of = link.names().join(", ");
        link.accounts().iter().map(move |(word, meaning)| Word { word, of: of.clone(), meaning })
    };
    let of = |of: &'static str| {
        move |(word, meaning): &(&'static str, &'static str)| Word { word, of: of.to_owned(), meaning }
    };
    let columns = legend::COLUMNS.iter().map(of("a column"));
    let others = legend::WORDS.iter().map(of("a row or mark"));
    let verdicts = legend::VERDICTS.iter().map(of("a verdict"));
    links::ALL.iter().flat_map(of_link).chain(columns).chain(others).chain(verdicts).collect()
}

fn named(asked: &str) -> Result<Vec<Word>, Failure> {
    let asked = asked.trim().to_lowercase();
    let is_asked = |word: &str| word.to_lowercase() == asked;
    let begins = |word: &str| word.to_lowercase().strip_prefix(&asked).is_some_and(|rest| rest.starts_with(['.', ' ']));
    for is_meant in [&is_asked as &dyn Fn(&str) -> bool, &begins] {
        let found: Vec<Word> = all().into_iter().filter(|word| is_meant(word.word)).collect();
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let hint = if schema::find(&asked).is_some() || schema::is_table(&asked) {
        format!("; it is a key: airtime keys {asked}")
    } else {
        let nearest = spelling::nearest(&asked, words());
        nearest.map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"))
    };
    Err(Failure::BadInput(format!(
        "no account, column or verdict is called `{asked}`{hint} (airtime accounts lists them)"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(asked: &str) -> Vec<&'static str> {
        named(asked).unwrap().into_iter().map(|word| word.word).collect()
    }

    #[test]
    fn a_word_is_found_by_its_name_or_its_first_part() {
        assert_eq!(found("cap"), ["cap"]);
        assert_eq!(found("Goodput kbps"), ["goodput kbps"]);
        assert!(found("idle").len() > 4 && found("idle").iter().all(|word| word.starts_with("idle.")));
        assert!(named("loss").unwrap().len() > 1, "an account of several links has a line for each");
    }

    #[test]
    fn another_word_is_told_the_nearest() {
        let said = |asked: &str| named(asked).unwrap_err().to_string();
        assert!(said("headrom").contains("did you mean `headroom`"), "{}", said("headrom"));
        assert!(said("coc.sdu").contains("airtime keys coc.sdu"));
        assert!(!said("zzzzzzzzzzzz").contains("did you mean"));
    }
}
