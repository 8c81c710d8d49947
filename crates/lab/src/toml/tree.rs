//! TOML text as a tree of names and values, each with its place.

use serde_json::Value;
use toml_edit::{Document, Item, TableLike};

use super::error::{At, Fault, Place, PlanError};

/// A named thing of a table.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Name of the entry.
    pub name: String,
    /// Place of the name.
    pub place: Place,
    /// Node that it names.
    pub node: Node,
}

/// A value, a list or a table, and where it stands.
#[derive(Clone, Debug)]
pub struct Node {
    /// Place of the node.
    pub place: Place,
    /// Data of the node.
    pub data: Data,
}

/// The content of a node.
#[derive(Clone, Debug)]
pub enum Data {
    /// A text, number or boolean.
    Value(Value),
    /// A list.
    List(Vec<Node>),
    /// A table, inline or not, in the order of the file.
    Table(Vec<Entry>),
}

impl Node {
    /// The table's entries, or a fault that names it.
    ///
    /// # Errors
    /// When it is a value or a list.
    pub fn table(&self, name: &str) -> Result<&[Entry], Fault> {
        match &self.data {
            Data::Table(entries) => Ok(entries),
            _ => Err(Fault::new(format!("`{name}` is a table, not a value"))),
        }
    }

    /// The node as one JSON value.
    pub fn json(&self) -> Value {
        match &self.data {
            Data::Value(value) => value.clone(),
            Data::List(list) => list.iter().map(Self::json).collect(),
            Data::Table(entries) => entries.iter().map(|e| (e.name.clone(), e.node.json())).collect(),
        }
    }
}

/// A text and where each of its lines begins, so that a place is found without counting from the start.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let behind = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(0).chain(behind).collect() }
    }

    /// Place of byte `offset`; of one that is within a character, the end of the text.
    fn place(&self, offset: usize) -> Place {
        let offset = if self.text.is_char_boundary(offset) { offset } else { self.text.len() };
        // The first line begins at 0, so at least one is not behind any offset.
        let line = self.starts.partition_point(|start| *start <= offset);
        let column = self.text[self.starts[line - 1]..offset].chars().count() + 1;
        Place::Line { line: line as u32, column: column as u32 }
    }
}

/// The tree of `text`, which came from `file`.
///
/// # Errors
/// When it is no TOML, or has a value that no key takes: a date, a number that is not finite.
pub fn parse(file: &str, text: &str) -> Result<Vec<Entry>, PlanError> {
    let lines = Lines::of(text);
    let document = Document::parse(text).map_err(|error| {
        let place = error.span().map_or(Place::File, |span| lines.place(span.start));
        let what = error.message().trim().replace('\n', ", ");
        // Of others the words around it say enough.
        let named = error.span().and_then(|span| text.get(span)).filter(|_| what == "duplicate key");
        Fault::new(named.map_or(what.clone(), |name| format!("{what} `{}`", name.trim()))).at(file, place)
    })?;
    let reader = Reader { file, places: &|offset| lines.place(offset) };
    reader.table(document.as_table())
}

/// The node a `--set` option's right side stands for: TOML if it is, else the text itself, so that
/// `15ms` and `2M` need no quotes.
///
/// # Errors
/// When it is TOML with a value that no key takes.
pub fn parse_value(file: &str, text: &str, flag: &Place) -> Result<Node, PlanError> {
    let text = text.trim();
    let Ok(value) = text.parse::<toml_edit::Value>() else {
        return Ok(Node { place: flag.clone(), data: Data::Value(Value::String(text.to_owned())) });
    };
    let reader = Reader { file, places: &|_| flag.clone() };
    reader.value(&value)
}

/// One file, or one flag, and how to say where in it something is.
struct Reader<'a> {
    file: &'a str,
    places: &'a dyn Fn(usize) -> Place,
}

impl Reader<'_> {
    fn table(&self, table: &dyn TableLike) -> Result<Vec<Entry>, PlanError> {
        let mut entries = Vec::with_capacity(table.len());
        for (name, item) in table.iter() {
            let node = self.item(item)?;
            let at = table.key(name).and_then(toml_edit::Key::span);
            let place = at.map_or_else(|| node.place.clone(), |span| (self.places)(span.start));
            entries.push(Entry { name: name.to_owned(), place, node });
        }
        Ok(entries)
    }

    fn item(&self, item: &Item) -> Result<Node, PlanError> {
        let place = item.span().map_or_else(|| (self.places)(0), |span| (self.places)(span.start));
        let data = match item {
            Item::None => Data::Table(Vec::new()),
            Item::Value(value) => return self.value(value),
            Item::Table(table) => Data::Table(self.table(table)?),
            Item::ArrayOfTables(tables) => {
                let mut list = Vec::with_capacity(tables.len());
                for table in tables {
                    let place = table.span().map_or_else(|| place.clone(), |span| (self.places)(span.start));
                    list.push(Node { place, data: Data::Table(self.table(table)?) });
                }
                Data::List(list)
            }
        };
        Ok(Node { place, data })
    }

    fn value(&self, value: &toml_edit::Value) -> Result<Node, PlanError> {
        use toml_edit::Value as Toml;
        let place = value.span().map_or_else(|| (self.places)(0), |span| (self.places)(span.start));
        let refuse = |what: &str| Err(Fault::new(what).at(self.file, place.clone()));
        let data = match value {
            Toml::String(text) => Data::Value(text.value().clone().into()),
            Toml::Integer(number) => Data::Value((*number.value()).into()),
            Toml::Float(number) if number.value().is_finite() => Data::Value((*number.value()).into()),
            Toml::Float(_) => return refuse("a number must be finite"),
            Toml::Boolean(flag) => Data::Value((*flag.value()).into()),
            Toml::Datetime(_) => return refuse("a date is no value of any key"),
            Toml::Array(array) => Data::List(array.iter().map(|v| self.value(v)).collect::<Result<_, _>>()?),
            Toml::InlineTable(table) => Data::Table(self.table(table)?),
        };
        Ok(Node { place, data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Line and column, counted from the start.
    fn counted(text: &str, offset: usize) -> Place {
        let before = &text[..offset];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        Place::Line { line: line as u32, column: column as u32 }
    }

    #[test]
    fn every_place_is_found() {
        for text in ["", "a", "\n", "a = 1\n\n[b]\nname = \"µs\"\n", "no end\nof = \"line\"", "\n\n\n"] {
            let lines = Lines::of(text);
            for offset in (0..=text.len()).filter(|offset| text.is_char_boundary(*offset)) {
                assert_eq!(lines.place(offset), counted(text, offset), "{offset} of {text:?}");
            }
            assert_eq!(lines.place(text.len() + 1), counted(text, text.len()));
        }
        let within = Lines::of("µ").place(1);
        assert_eq!(within, Place::Line { line: 1, column: 2 });
    }
}
