//! Tables for a page or a comment.

use std::io;

use crate::{Align, Export, Table};

/// Pipe tables (GitHub Flavored Markdown, 4.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Markdown;

impl Export for Markdown {
    fn export_table(&self, table: &Table, out: &mut dyn io::Write) -> io::Result<()> {
        if !table.title.is_empty() {
            writeln!(out, "### {}\n", escaped(&table.title))?;
        }
        line(out, table.columns.iter().map(|column| escaped(&column.heading)))?;
        line(out, table.columns.iter().map(|column| rule(column.align).to_owned()))?;
        for row in &table.rows {
            line(out, row.iter().map(escaped))?;
        }
        for remarks in table.remarks.chunk_by(|a, b| a.starts_with(BLOCK) && b.starts_with(BLOCK)) {
            match remarks {
                [remark] if !remark.starts_with(BLOCK) => writeln!(out, "\n{}", escaped(remark))?,
                lines => fenced(out, lines)?,
            }
        }
        Ok(())
    }
}

/// Beginning of remarks that are lines of a block, to be pasted as they are.
const BLOCK: &str = "  ";

/// A fenced code block (GitHub Flavored Markdown, 4.5), whose fence is longer than any in it.
fn fenced(out: &mut dyn io::Write, lines: &[String]) -> io::Result<()> {
    let fence = if lines.iter().any(|line| line.contains("```")) { "````" } else { "```" };
    writeln!(out, "\n{fence}")?;
    lines.iter().try_for_each(|line| writeln!(out, "{}", line.strip_prefix(BLOCK).unwrap_or(line)))?;
    writeln!(out, "{fence}")
}

fn rule(align: Align) -> &'static str {
    match align {
        Align::Left => "---",
        Align::Right => "---:",
    }
}

fn line(out: &mut dyn io::Write, cells: impl Iterator<Item = String>) -> io::Result<()> {
    write!(out, "|")?;
    for cell in cells {
        write!(out, " {cell} |")?;
    }
    writeln!(out)
}

/// `text` on one line, with nothing in it that would end a cell or begin emphasis.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' => escaped.push(' '),
            '|' | '*' | '\\' | '`' | '<' => escaped.extend(['\\', character]),
            other => escaped.push(other),
        }
    }
    escaped
}
