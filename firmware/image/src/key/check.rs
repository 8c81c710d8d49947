//! The key in an image: where it is, and where it must not be.

use std::fmt;

use super::image::Image;

/// Octets of the seed that are recognised: by chance they are in no image.
const PIECE: usize = 8;

/// Defect of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leak {
    /// Clients can read a piece of the key, at this address of theirs.
    Served(usize),
    /// Code or constants have a piece of it, at this address of the chip.
    Copied(usize),
    /// The served region has a gap at this address of the chip: whatever was there before is served.
    Gap(usize),
    /// The key is not where it belongs: the image has another one, or none, and nothing can be said of it.
    Absent,
}

impl fmt::Display for Leak {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Served(at) => write!(to, "gives its key away: `airtime rpc read {at} {PIECE}` has a piece of it"),
            Self::Copied(at) => write!(to, "a piece of the key is among code and constants, at {at:#x}"),
            Self::Gap(at) => write!(to, "serves what an earlier program has left at {at:#x}"),
            Self::Absent => write!(to, "the key is not in its page: is the image sealed, and with this seed?"),
        }
    }
}

/// Finds the key: its address, if that is its own page and no other place.
///
/// # Errors
/// When clients can read a piece of it, when there is one outside its page, or when it is not there at all.
pub fn check(image: &Image, seed: &[u8; 32]) -> Result<usize, Leak> {
    let served = |at: &usize| image.served.contains(at);
    let places = places(&image.memory, seed);
    // A piece that begins in front of the window and ends in it is served as well, if not whole.
    if let Some(at) = places.iter().find(|at| served(at) || served(&(*at + PIECE - 1))) {
        return Err(Leak::Served(at.saturating_sub(image.served.start)));
    }
    if let Some(at) = places.iter().find(|at| !image.keys.contains(at)) {
        return Err(Leak::Copied(*at));
    }
    if let Some(at) = image.served.clone().find(|at| !matches!(image.memory.get(*at), Some(Some(_)))) {
        return Err(Leak::Gap(at));
    }
    let page = image.memory.get(image.keys.clone()).unwrap_or_default();
    let whole = page.windows(seed.len()).position(|octets| octets.iter().copied().eq(seed.map(Some)));
    whole.map(|offset| image.keys.start + offset).ok_or(Leak::Absent)
}

/// Addresses at which a piece of the seed begins. One that the code puts together from parts of instructions is not found; code
/// is not served.
fn places(memory: &[Option<u8>], seed: &[u8; 32]) -> Vec<usize> {
    let pieces = seed.map(Some);
    let is_piece = |octets: &[Option<u8>]| pieces.windows(PIECE).any(|piece| piece == octets);
    let windows = memory.windows(PIECE).enumerate();
    windows.filter(|(_, octets)| is_piece(octets)).map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: [u8; 32] = *b"thirty-two octets of a test seed";

    /// Code and constants below 100, a page of keys up to 200, and what is served up to 300.
    fn image(key_at: usize) -> Image {
        let mut image = Image { memory: vec![Some(0x5a); 300], served: 200..300, keys: 100..200 };
        put(&mut image, key_at, &SEED);
        image
    }

    fn put(image: &mut Image, at: usize, octets: &[u8]) {
        image.memory[at..at + octets.len()].copy_from_slice(&octets.iter().copied().map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn a_key_in_its_page_is_kept() {
        assert_eq!(check(&image(100), &SEED), Ok(100));
        assert_eq!(check(&image(168), &SEED), Ok(168), "at the end of its page, and next to what is served");
    }

    #[test]
    fn a_key_in_what_is_served_is_given_away() {
        for at in [200, 250, 268] {
            assert_eq!(check(&image(at), &SEED), Err(Leak::Served(at - 200)));
        }
    }

    #[test]
    fn any_eight_octets_of_it_are_given_away() {
        for (piece, at) in SEED.windows(8).zip(200..) {
            let mut image = image(100);
            put(&mut image, at, piece);
            assert_eq!(check(&image, &SEED), Err(Leak::Served(at - 200)));
        }
        let mut image = image(100);
        put(&mut image, 210, &SEED[..7]);
        assert_eq!(check(&image, &SEED), Ok(100), "seven may be chance");
    }

    #[test]
    fn a_key_across_the_edge_is_given_away() {
        assert_eq!(check(&image(170), &SEED), Err(Leak::Served(0)));
    }

    #[test]
    fn a_copy_among_constants_is_found() {
        let mut image = image(100);
        put(&mut image, 40, &SEED[16..24]);
        assert_eq!(check(&image, &SEED), Err(Leak::Copied(40)));
    }

    #[test]
    fn a_gap_serves_what_was_there_before() {
        let mut image = image(100);
        image.memory[299] = None;
        assert_eq!(check(&image, &SEED), Err(Leak::Gap(299)));
        image.memory.truncate(290);
        assert_eq!(check(&image, &SEED), Err(Leak::Gap(290)));
    }

    #[test]
    fn an_image_without_the_key_says_nothing() {
        let mut image = image(100);
        put(&mut image, 100, &[0; 32]);
        assert_eq!(check(&image, &SEED), Err(Leak::Absent));
        assert_eq!(check(&Image { keys: 0..0, ..image }, &SEED), Err(Leak::Absent));
    }
}
