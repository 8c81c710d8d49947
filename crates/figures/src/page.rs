//! Figures, words and tables as one HTML page that needs no network.

use std::fmt::Write;

use crate::Figure;
use crate::paper::{DARK, STYLE, escaped};

/// Line in the head of every page: what tells a page of ours from somebody else's.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"airtime figures\">";

/// Nothing is fetched and nothing is run, whatever a name in the page may hold.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

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
    /// Heading of what follows.
    Heading(String),
    /// Answer to what the part is about, in one sentence.
    Answer(String),
    /// Paragraph of words.
    Text(String),
    /// Picture.
    Figure(Figure),
    /// Table of cells.
    Grid(Grid),
    /// Table that is folded up until somebody asks for it, with the words that it is asked for by.
    Folded(String, Grid),
    /// Command, to copy.
    Command(String),
    /// Data for programs, which nobody is shown: name of the block, and text of letters, digits, `+`, `/` and `=`.
    Data(String, String),
}

/// Table of a page.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Grid {
    /// Caption of the table; may be empty.
    pub title: String,
    /// Columns with their heading, and set if their cells are aligned to the right.
    pub columns: Vec<(String, bool)>,
    /// Cells by row.
    pub rows: Vec<Vec<String>>,
    /// Sentences below the table.
    pub remarks: Vec<String>,
}

const PAGE_STYLE: &str = ":root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;color:#222;background:#fff;\
    max-width:60em;margin:2em auto;padding:0 1em}svg{max-width:100%;height:auto;margin:1em 0}\
    .wide{overflow-x:auto}table{border-collapse:collapse;font-size:13px;margin:1em 0}\
    th,td{padding:.25em .7em;border-bottom:1px solid #ddd;text-align:left;vertical-align:top;max-width:34em}th,.right{white-space:nowrap}\
    .right{text-align:right;font-variant-numeric:tabular-nums}caption{text-align:left;font-weight:600}\
    pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f4f4f4;padding:.5em .8em}p,h1,h2{overflow-wrap:anywhere}\
    h2{margin:2em 0 0;border-top:1px solid #ddd;padding-top:.6em}.answer{font-size:1.15em;font-weight:600}\
    summary{cursor:pointer;padding:.3em 0}summary:focus-visible,.wide:focus-visible{outline:2px solid #0072b2}";
const PAGE_DARK: &str = "body{color:#e8e8e8;background:#181818}th,td,h2{border-color:#3a3a3a}pre{background:#242424}";
/// Letters stay readable on a phone: what is wider than the page is pushed within its own frame.
const PAGE_NARROW: &str =
    "@media screen and (max-width:600px){body{margin:1em auto}.wide>svg{max-width:none;width:38em}}";
/// Pictures and rows stay whole on paper, and what is folded up stays so.
const PAGE_PRINT: &str = "@media print{body{max-width:none;margin:0}.wide{overflow:visible}svg,tr,pre{break-inside:avoid}\
    h2,caption{break-after:avoid}th,td{white-space:normal;padding:.2em .4em}}";

impl Page {
    /// The page as HTML.
    pub fn html(&self) -> String {
        let title = escaped(&self.title);
        let mut out = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
             {GENERATOR}\n<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <title>{title}</title>\n<style>{PAGE_STYLE}{STYLE}\n{PAGE_NARROW}\n{PAGE_PRINT}\n@media screen and (prefers-color-scheme:dark){{{PAGE_DARK}{DARK}}}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        );
        for part in &self.parts {
            write_part(&mut out, part);
        }
        out.push_str("</body>\n</html>\n");
        out
    }
}

/// Parts as one element for a page of somebody else's, such as a notebook's cell: with the rules that they need, which reach nothing
/// beside it.
pub fn fragment(parts: &[Part]) -> String {
    let mut out = format!("<div class=\"airtime\">\n<style>{STYLE}{FRAGMENT_STYLE}</style>\n");
    parts.iter().for_each(|part| write_part(&mut out, part));
    out.push_str("</div>\n");
    out
}

const FRAGMENT_STYLE: &str = ".airtime svg{max-width:100%;height:auto}.airtime .right{text-align:right}.airtime .wide{overflow-x:auto}\
    .airtime caption{text-align:left;font-weight:600}.airtime .answer{font-weight:600}";

fn write_part(out: &mut String, part: &Part) {
    let _ = match part {
        Part::Heading(text) => writeln!(out, "<h2>{}</h2>", escaped(text)),
        Part::Answer(text) => writeln!(out, "<p class=\"answer\">{}</p>", escaped(text)),
        Part::Text(text) => writeln!(out, "<p>{}</p>", escaped(text)),
        Part::Figure(figure) => writeln!(out, "{WIDE}{}</div>", figure.element()),
        Part::Command(command) => writeln!(out, "<pre>{}</pre>", escaped(command)),
        Part::Data(name, text) => {
            let harmless: String = text.chars().filter(|letter| is_of_base64(*letter)).collect();
            writeln!(out, "{}{harmless}{DATA_ENDS}", data_begins(name))
        }
        Part::Grid(grid) => {
            write_grid(out, grid);
            Ok(())
        }
        Part::Folded(summary, grid) => {
            let _ = writeln!(out, "<details><summary>{}</summary>", escaped(summary));
            write_grid(out, grid);
            writeln!(out, "</details>")
        }
    };
}

/// Frame in which what is wider than the page is pushed aside; it takes the keyboard for that.
const WIDE: &str = "<div class=\"wide\" tabindex=\"0\">";

const DATA_ENDS: &str = "</script>";

/// A block of this type is never run, whatever it holds.
fn data_begins(name: &str) -> String {
    format!("<script type=\"application/octet-stream\" id=\"{}\">", escaped(name))
}

const fn is_of_base64(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '+' | '/' | '=')
}

/// Text of the block of data called `name` in a page, if it has one.
pub fn data_of<'a>(html: &'a str, name: &str) -> Option<&'a str> {
    let (_, block) = html.split_once(&data_begins(name))?;
    block.split_once(DATA_ENDS).map(|(text, _)| text)
}

fn write_grid(out: &mut String, grid: &Grid) {
    let class = |right: bool| if right { " class=\"right\"" } else { "" };
    let _ = writeln!(out, "{WIDE}<table>");
    if !grid.title.is_empty() {
        let _ = writeln!(out, "<caption>{}</caption>", escaped(&grid.title));
    }
    out.push_str("<tr>");
    for (heading, right) in &grid.columns {
        let _ = write!(out, "<th{}>{}</th>", class(*right), escaped(heading));
    }
    out.push_str("</tr>\n");
    for row in &grid.rows {
        out.push_str("<tr>");
        for ((_, right), text) in grid.columns.iter().zip(row) {
            let _ = write!(out, "<td{}>{}</td>", class(*right), escaped(text));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table></div>\n");
    for remark in &grid.remarks {
        let _ = writeln!(out, "<p>{}</p>", escaped(remark));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Chart, Look, Mark, Series};

    fn page() -> Page {
        let marks = vec![Mark::new(100.0, 99.0), Mark { range: Some((150.0, 170.0)), ..Mark::new(200.0, 160.0) }];
        let chart = Chart {
            title: "Goodput <b>".to_owned(),
            subtitle: "32 & 60 octets".to_owned(),
            x: Axis::linear("offered (kbps)"),
            y: Axis::linear("goodput (kbps)"),
            series: vec![Series { name: "measured".to_owned(), look: Look::Line, marks }],
        };
        let grid = Grid {
            title: "figures".to_owned(),
            columns: vec![("load".to_owned(), false), ("kbps".to_owned(), true)],
            rows: vec![vec!["a<b".to_owned(), "99".to_owned()]],
            remarks: Vec::new(),
        };
        Page {
            title: "A & B".to_owned(),
            parts: vec![Part::Text("1 < 2".to_owned()), Part::Figure(Figure::Chart(chart)), Part::Grid(grid)],
        }
    }

    #[test]
    fn data_are_read_back_and_hold_no_markup() {
        let data = Part::Data("records".to_owned(), "aGk+/w==</script><script>alert(1)".to_owned());
        let html = Page { title: String::new(), parts: vec![data] }.html();
        assert_eq!(data_of(&html, "records"), Some("aGk+/w==/scriptscriptalert1"));
        assert_eq!(data_of(&html, "others"), None);
        assert_eq!(html.matches("<script").count(), 1);
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
        assert_eq!(html.matches("http:").count(), 0);
        assert!(html.contains("default-src 'none'") && html.contains("prefers-color-scheme:dark"));
    }

    #[test]
    fn a_fragment_has_its_own_rules_and_no_page_around_it() {
        let html = fragment(&page().parts);
        assert!(html.starts_with("<div class=\"airtime\">") && html.ends_with("</div>\n"), "{html}");
        assert!(html.contains("<svg class=\"figure\"") && html.contains("Goodput &lt;b&gt;"), "{html}");
        assert!(!html.contains("<body") && !html.contains("<script"), "{html}");
        let rules = html.split_once("<style>").and_then(|(_, rest)| rest.split_once("</style>")).expect("rules").0;
        let own = |rule: &str| rule.starts_with(".figure") || rule.starts_with(".airtime");
        assert!(rules.split('}').filter(|rule| !rule.is_empty()).all(own), "{rules}");
    }

    #[test]
    fn marks_are_where_the_axes_say() {
        // The axes go from 0 to 200: x from 84 to 740; y from 389 at the bottom up to 93 below one line of legend.
        let html = page().html();
        assert!(html.contains("<polyline points=\"412.0,242.5 740.0,152.2\""), "{html}");
        assert!(html.contains("M740.0 167.0V137.4"), "the range from 150 to 170: {html}");
    }
}
