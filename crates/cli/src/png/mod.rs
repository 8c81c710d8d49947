//! Figures as pixels: the same SVG, rendered with letters that the program carries, so that a picture is the same on every machine.

use std::io;
use std::sync::Arc;

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

/// DejaVu Sans 2.37, the letters of Latin, Greek and Cyrillic and the signs that reports use. `LICENSE-DejaVu.txt`.
const LETTERS: [&[u8]; 2] = [include_bytes!("DejaVuSans.ttf"), include_bytes!("DejaVuSans-Bold.ttf")];
/// Family of both.
const FAMILY: &str = "DejaVu Sans";

/// Pixels for a unit of SVG: a page prints 150 to the inch where 96 units are one, and screens have two for each.
const SCALE: f32 = 2.0;
/// Most pixels along a side, *assumed*: 64 MB of them are a figure that nobody looks at.
const SIDE_MAX: u32 = 16_384;

/// Beginning of every file. PNG, third edition, 5.2.
const BEGINS: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Octets of the beginning with the header chunk. 11.2.1.
const HEADER: usize = 8 + 4 + 4 + 13 + 4;
/// Keyword of our text, uncompressed, without language and translation; what comes behind is the command.
const SOFTWARE: &[u8] = b"Software\0\0\0\0\0airtime figures; ";

/// `svg` as the octets of a PNG file.
///
/// # Errors
/// When it is larger than a picture may be. That it is SVG is its maker's business.
pub fn png(svg: &str) -> io::Result<Vec<u8>> {
    let mut fonts = Database::new();
    LETTERS.iter().for_each(|letters| fonts.load_font_data(letters.to_vec()));
    fonts.set_sans_serif_family(FAMILY);
    let options = Options { font_family: FAMILY.to_owned(), fontdb: Arc::new(fonts), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(io::Error::other)?;
    let size = tree.size().to_int_size().scale_by(SCALE).filter(|size| size.height().max(size.width()) <= SIDE_MAX);
    let large =
        || io::Error::other(format!("the picture would be larger than {SIDE_MAX} pixels; an .svg has no such bounds"));
    let size = size.ok_or_else(large)?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or_else(large)?;
    pixels.fill(Color::WHITE);
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    let picture = pixels.encode_png().map_err(io::Error::other)?;
    Ok(marked(&picture, svg))
}

/// `picture` with a text behind its header that says who wrote it, and the command in the description of `svg`. PNG, third edition,
/// 11.3.3.2: a compressed or Latin-1 text would not hold every name, an `iTXt` does.
fn marked(picture: &[u8], svg: &str) -> Vec<u8> {
    let description =
        svg.split_once("<desc>").and_then(|(_, rest)| rest.split_once("</desc>")).map_or("", |(text, _)| text);
    let mut chunk = b"iTXt".to_vec();
    chunk.extend_from_slice(SOFTWARE);
    chunk.extend_from_slice(description.as_bytes());
    let (head, rest) = picture.split_at(HEADER.min(picture.len()));
    let length = (chunk.len() - 4) as u32;
    [head, &length.to_be_bytes(), &chunk, &crc32fast::hash(&chunk).to_be_bytes(), rest].concat()
}

/// Tells if a file that begins so is one of ours.
pub fn is_own(head: &[u8]) -> bool {
    head.starts_with(BEGINS) && head.windows(SOFTWARE.len()).any(|part| part == SOFTWARE)
}

#[cfg(test)]
mod tests {
    use airtime_figures::{Figure, Step, Waterfall, document};

    use super::*;

    fn dark(octets: &[u8]) -> usize {
        let pixels = Pixmap::decode_png(octets).unwrap();
        assert_eq!(pixels.width(), 1520);
        pixels.pixels().iter().filter(|pixel| u16::from(pixel.red()) + u16::from(pixel.blue()) < 160).count()
    }

    fn titled(title: &str) -> String {
        let step = Step { account: "idle".to_owned(), kbps: 500.0, share: 0.5 };
        let falls = Waterfall { title: title.to_owned(), phy_kbps: 1000.0, steps: vec![step], ..Waterfall::default() };
        document(&[Figure::Waterfall(falls)], "")
    }

    #[test]
    fn letters_are_drawn_whatever_fonts_the_machine_has() {
        let (bare, titled) =
            (png(&titled("")).unwrap(), png(&titled("Half of the air is silence: −500 kbps → µs")).unwrap());
        assert!(is_own(&titled) && !is_own(BEGINS));
        assert!(dark(&titled) > dark(&bare) + 1_000, "{} and {} dark pixels", dark(&titled), dark(&bare));
    }

    #[test]
    fn a_picture_without_end_is_refused() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"1000000\"/>";
        assert!(png(svg).unwrap_err().to_string().contains("larger than"));
        assert!(png("<svg").is_err());
    }
}
