//! Charts and tables as one HTML page that needs no network.

use std::fmt::Write;

use super::{Chart, escaped, svg};
use crate::{Align, Table};

/// Page of HTML that needs no network.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Heading of the page.
    pub title: String,
    /// Parts of the page, from top to bottom.
    pub parts: Vec<Part>,
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Paragraph of words.
    Text(String),
    /// Plot of figures.
    Chart(Chart),
    /// Table of cells.
    Table(Table),
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;color:#222;max-width:60em;margin:2em auto;padding:0 1em}\
    svg{max-width:100%;height:auto;margin:1em 0}\
    .wide{overflow-x:auto}table{border-collapse:collapse;font-size:13px;margin:1em 0}\
    th,td{padding:.25em .7em;border-bottom:1px solid #ddd;text-align:left;white-space:nowrap}\
    .right{text-align:right;font-variant-numeric:tabular-nums}caption{text-align:left;font-weight:600}";

impl Page {
    /// The page as HTML.
    pub fn html(&self) -> String {
        let title = escaped(&self.title);
        let mut out = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        );
        for part in &self.parts {
            match part {
                Part::Text(text) => {
                    let _ = writeln!(out, "<p>{}</p>", escaped(text));
                }
                Part::Chart(chart) => out.push_str(&svg(chart)),
                Part::Table(table) => write_table(&mut out, table),
            }
        }
        out.push_str("</body>\n</html>\n");
        out
    }
}

fn write_table(out: &mut String, table: &Table) {
    let class = |align: Align| match align {
        Align::Left => "",
        Align::Right => " class=\"right\"",
    };
    out.push_str("<div class=\"wide\"><table>\n");
    if !table.title.is_empty() {
        let _ = writeln!(out, "<caption>{}</caption>", escaped(&table.title));
    }
    let cells = |out: &mut String, tag: &str, texts: &mut dyn Iterator<Item = &str>| {
        out.push_str("<tr>");
        for (column, text) in table.columns.iter().zip(texts) {
            let _ = write!(out, "<{tag}{}>{}</{tag}>", class(column.align), escaped(text));
        }
        out.push_str("</tr>\n");
    };
    cells(out, "th", &mut table.columns.iter().map(|column| column.heading.as_str()));
    for row in &table.rows {
        cells(out, "td", &mut row.iter());
    }
    out.push_str("</table></div>\n");
    for remark in &table.remarks {
        let _ = writeln!(out, "<p>{}</p>", escaped(remark));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Look, Mark, Series};
    use super::*;

    fn page() -> Page {
        let marks = vec![Mark::new(100.0, 99.0), Mark { range: Some((150.0, 170.0)), ..Mark::new(200.0, 160.0) }];
        let chart = Chart {
            title: "Goodput <b>".to_owned(),
            subtitle: "32 & 60 octets".to_owned(),
            x: Axis::linear("offered (kbps)"),
            y: Axis::linear("goodput (kbps)"),
            series: vec![Series { name: "measured".to_owned(), look: Look::Line, marks }],
        };
        let mut table = Table::new("figures");
        table.column("load", Align::Left, ["a<b"]);
        table.column("kbps", Align::Right, ["99"]);
        Page {
            title: "A & B".to_owned(),
            parts: vec![Part::Text("1 < 2".to_owned()), Part::Chart(chart), Part::Table(table)],
        }
    }

    #[test]
    fn a_page_needs_nothing_from_elsewhere_and_escapes_what_it_is_given() {
        let html = page().html();
        for wanted in
            ["<h1>A &amp; B</h1>", "1 &lt; 2", "Goodput &lt;b&gt;", "<td>a&lt;b</td>", "<td class=\"right\">99</td>"]
        {
            assert!(html.contains(wanted), "{wanted} in {html}");
        }
        assert!(!html.contains("<script") && !html.contains("src=") && !html.contains("href="));
        assert_eq!(html.matches("http").count(), 1, "the name of SVG, which nobody fetches");
    }

    #[test]
    fn marks_are_where_the_axes_say() {
        // The axes go from 0 to 200: x from 70 to 740; y from 384 at the bottom up to 88 below one line of legend.
        let html = page().html();
        assert!(html.contains("<polyline points=\"405.0,237.5 740.0,147.2\""), "{html}");
        assert!(html.contains("M740.0 162.0V132.4"), "the range from 150 to 170: {html}");
    }
}
