//! Paper to draw on: text that is escaped, broken into lines and told to screen readers.

use std::fmt::Write;

/// Width of a figure, in its own units, where nobody asks for another.
pub const WIDTH: f64 = 760.0;
/// Width below which columns are left out that say nothing new, *assumed*: a phone held upright has some 360.
pub const NARROW: f64 = 520.0;
/// Least width of a figure: below it no column has room for a word.
pub const WIDTH_MIN: f64 = 280.0;
/// Margin at either side.
pub const MARGIN: f64 = 20.0;
/// Width of a letter of 13 units in a wide typeface such as DejaVu Sans, rounded up: nobody knows which one there is.
pub const LETTER: f64 = 7.8;
/// Height of a line of 13 units.
pub const LINE: f64 = 17.0;

/// Rules for light paper, and where `dark` is before them, for dark. Colours are those of M. Okabe and K. Ito, Color Universal Design,
/// 2008, which people with any kind of colour vision tell apart; a pattern or a word tells the same without any.
pub const STYLE: &str = ".figure text{font:13px system-ui,sans-serif;fill:#222}.figure .title{font-size:16px;font-weight:600}\
    .figure .small{font-size:12px;fill:#555}.figure .on-dark{fill:#fff}.figure .on-light{fill:#222}.figure .within{fill:#fff}.figure .before+.within{fill:#222}.figure .strong{font-weight:600}.figure .end{text-anchor:end}\
    .figure .middle{text-anchor:middle}.figure .grid{stroke:#ddd}.figure .axis{stroke:#555}.figure .paper{fill:#fff}\
    .figure .link{stroke:#888;stroke-dasharray:2 3}.figure .whole{fill:#0072b2}.figure .loss{fill:#d55e00}\
    .figure .kept{fill:#009e73}.figure .before{fill:#b8b8b8}.figure .nobody{fill:none;stroke:#555;stroke-dasharray:4 3}";

/// Rules that make the same figures dark; for the inside of a media query.
pub const DARK: &str = ".figure text{fill:#e8e8e8}.figure .small{fill:#b0b0b0}.figure .on-light{fill:#222}.figure .within{fill:#111}.figure .before+.within{fill:#fff}.figure .grid{stroke:#3a3a3a}.figure .axis{stroke:#aaa}\
    .figure .paper{fill:#181818}.figure .link{stroke:#888}.figure .whole{fill:#56b4e9}.figure .loss{fill:#e69f00}\
    .figure .before{fill:#666}.figure .nobody{stroke:#aaa}";

/// `text` as it may stand between tags and in attributes of XML and HTML; what XML cannot hold is shown as a replacement character.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            // XML 1.0, 2.2: characters that no document may have, not even escaped. The right-to-left overrides turn lines around.
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' | '\u{202a}'..='\u{202e}' => {
                out.push('\u{fffd}');
            }
            other => out.push(other),
        }
    }
    out
}

/// Lines of `text` of at most `width` units, `lines_max` of them; a word that is longer is cut, and what is left out is an ellipsis.
pub fn lines(text: &str, width: f64, letter: f64, lines_max: usize) -> Vec<String> {
    // What a width was made of letters for has room for all of them.
    let room = ((width / letter + 1e-6) as usize).max(4);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        loop {
            let used = lines.last().map_or(room, |line| line.chars().count() + 1);
            if used + word.len() <= room
                && let Some(line) = lines.last_mut()
            {
                line.push(' ');
                line.extend(&word);
                break;
            }
            let rest = word.split_off(word.len().min(room));
            lines.push(word.into_iter().collect());
            if rest.is_empty() {
                break;
            }
            word = rest;
        }
    }
    if lines.len() > lines_max {
        lines.truncate(lines_max);
        if let Some(last) = lines.last_mut() {
            let kept: String = last.chars().take(room - 1).collect();
            *last = format!("{kept}…");
        }
    }
    lines
}

/// Sheet that is drawn from its top to its bottom.
pub struct Paper {
    out: String,
    /// Width of the sheet.
    pub width: f64,
    /// Place of the next thing, in units from the top.
    pub y: f64,
    name: String,
}

impl Paper {
    /// A sheet of this width with its title and a line below it.
    pub fn titled(width: f64, title: &str, subtitle: &str) -> Self {
        let mut paper = Self { out: String::new(), width, y: 26.0, name: title.to_owned() };
        for line in
            lines(title, width - 2.0 * MARGIN, LETTER * 16.0 / 13.0 + 0.5, if paper.is_narrow() { 8 } else { 4 })
        {
            paper.text(MARGIN, paper.y, "title", &line);
            paper.y += 21.0;
        }
        for line in lines(subtitle, width - 2.0 * MARGIN, LETTER * 12.0 / 13.0, 4) {
            paper.text(MARGIN, paper.y, "small", &line);
            paper.y += 16.0;
        }
        paper
    }

    /// Tells if there is room for what has to be said, and for nothing else.
    pub fn is_narrow(&self) -> bool {
        self.width < NARROW
    }

    /// Words whose first line stands on `y`.
    pub fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        let _ = writeln!(self.out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(text));
    }

    /// A bar from `left` to `right`, at least a unit wide, with what a screen reader says of it.
    pub fn bar(&mut self, (left, right): (f64, f64), (top, height): (f64, f64), class: &str, says: &str) {
        let (left, width) = (left.min(right), (right - left).abs().max(1.0));
        let _ = writeln!(
            self.out,
            "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\">\
             <title>{}</title></rect>",
            escaped(says)
        );
    }

    /// A line from place to place.
    pub fn line(&mut self, class: &str, path: &str) {
        let _ = writeln!(self.out, "<path class=\"{class}\" fill=\"none\" d=\"{path}\"/>");
    }

    /// Adds markup that is escaped already.
    pub fn raw(&mut self, markup: &str) {
        self.out.push_str(markup);
    }

    /// Drawing with its name and the height that it takes.
    pub fn finish(self) -> Drawn {
        Drawn { markup: self.out, name: self.name, width: self.width, height: self.y.ceil() }
    }
}

/// Drawing with its height and its name for screen readers.
pub struct Drawn {
    /// Elements of SVG.
    pub markup: String,
    /// Name of the figure.
    pub name: String,
    /// Width in units.
    pub width: f64,
    /// Height in units.
    pub height: f64,
}

/// `1285.3`.
pub fn figure(value: f64) -> String {
    format!("{value:.1}")
}
