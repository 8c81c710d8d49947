//! A list that packs itself: of the hundred thousand records of a large grid only the newest few are held as they are.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};
use std::marker::PhantomData;
use std::panic::RefUnwindSafe;
use std::sync::Arc;
use std::{slice, vec};

use flate2::Compression;
use flate2::write::{DeflateDecoder, DeflateEncoder};
use serde::de::{DeserializeOwned, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Entries of a block. A list of fewer holds them as they are, and whoever goes over a longer one unpacks no more than these at a time.
pub const BLOCK: usize = 256;

/// Entries of a list that was read, from which on it is packed: those of records take some 230 MB. *Assumed.*
pub const HELD: usize = 64 * BLOCK;

/// Packed blocks that a list with a shelf holds in memory: with a hundred octets to a kilobyte for each record they are some 10 to 60 MB. *Assumed.*
pub const BLOCKS_HELD: usize = 256;

/// Set where blocks are packed. A page holds few runs, and what reads packed ones would be a tenth of the module that it fetches.
const PACKS: bool = !cfg!(target_arch = "wasm32");

/// Entries in their order, in blocks of [`BLOCK`] that are deflated JSON; those behind the last full block are as they were pushed, and a list of fewer
/// than 16,384 that was read, as it was read.
///
/// A record takes some 14 kB in memory. Its neighbours repeat most of it, so that packed it takes a few hundred octets.
///
/// With a [`Shelf`], packed blocks beyond the first [`BLOCKS_HELD`] go there, and the list takes no more memory however long it gets.
#[derive(Clone)]
pub struct Packed<T> {
    blocks: Vec<Block<T>>,
    last: Vec<T>,
    shelf: Option<Arc<dyn Shelf>>,
}

/// Place outside of memory for blocks of a list, such as a file.
pub trait Shelf: Send + Sync + RefUnwindSafe {
    /// Puts `octets` there; returns their place.
    ///
    /// # Errors
    /// When they cannot be written. The list holds them in memory then.
    fn put(&self, octets: &[u8]) -> io::Result<u64>;

    /// Octets at `place`, as many as were put there.
    ///
    /// # Errors
    /// When they cannot be read back. Whoever goes over the list panics then, for it has no other copy.
    fn take(&self, place: u64, length: usize) -> io::Result<Vec<u8>>;
}

/// A full block of entries.
#[derive(Clone)]
enum Block<T> {
    /// JSON of the entries, deflated.
    Deflated(Box<[u8]>),
    /// The same on a shelf.
    Shelved { shelf: Arc<dyn Shelf>, place: u64, length: usize },
    /// Entries that JSON has no words for, as what is not a number comes back as nothing; and all where nothing is packed.
    Plain(Vec<T>),
}

impl<T> Packed<T> {
    /// A list without entries.
    pub const fn new() -> Self {
        Self { blocks: Vec::new(), last: Vec::new(), shelf: None }
    }

    /// A list without entries, most of whose packed blocks go to `shelf`.
    pub const fn on(shelf: Arc<dyn Shelf>) -> Self {
        Self { blocks: Vec::new(), last: Vec::new(), shelf: Some(shelf) }
    }

    /// Number of entries, packed or not.
    pub fn len(&self) -> usize {
        self.blocks.len() * BLOCK + self.last.len()
    }

    /// True if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries in their order; those of a packed block are unpacked when the first of them is asked for.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { blocks: self.blocks.iter(), here: Here::Plain([].iter()), last: self.last.iter(), left: self.len() }
    }
}

impl<T: Clone + DeserializeOwned> Packed<T> {
    /// The entries from the one at `position` on; no block before it is unpacked.
    pub fn iter_from(&self, position: usize) -> impl Iterator<Item = Cow<'_, T>> {
        let before = (position / BLOCK).min(self.blocks.len());
        let (blocks, left) = (self.blocks[before..].iter(), self.len() - before * BLOCK);
        Iter { blocks, here: Here::Plain([].iter()), last: self.last.iter(), left }.skip(position - before * BLOCK)
    }
}

impl<T: Serialize + DeserializeOwned + PartialEq> Packed<T> {
    /// Adds an entry at the end; the one that fills a block packs it, and the one for which a list that was read is too long to be held
    /// packs all of it.
    pub fn push(&mut self, entry: T) {
        self.last.push(entry);
        if self.last.len() == BLOCK || self.last.len() == HELD {
            let mut full = std::mem::take(&mut self.last).into_iter();
            while full.len() > 0 {
                let block = Block::of(full.by_ref().take(BLOCK).collect());
                let shelf = self.shelf.as_ref().filter(|_| self.blocks.len() >= BLOCKS_HELD);
                self.blocks.push(match shelf {
                    Some(shelf) => block.shelved(shelf),
                    None => block,
                });
            }
        }
    }

    /// List of entries that come from a file. Fewer than 16,384 are held as they are: what shows them goes over them a dozen times,
    /// and would unpack all of them each time.
    pub fn read(entries: Vec<T>) -> Self {
        if entries.len() < HELD { Self { last: entries, ..Self::new() } } else { entries.into() }
    }
}

impl<T: Serialize + DeserializeOwned + PartialEq> Block<T> {
    fn of(entries: Vec<T>) -> Self {
        if !PACKS {
            return Self::Plain(entries);
        }
        // Compression is trusted; that everything in an entry survives JSON is seen.
        match serde_json::to_vec(&entries) {
            Ok(json) if serde_json::from_slice::<Vec<T>>(&json).is_ok_and(|read| read == entries) => {
                Self::Deflated(deflated(&json).into())
            }
            _ => Self::Plain(entries),
        }
    }

    /// The same block on `shelf`, if it is packed and can be put there.
    fn shelved(self, shelf: &Arc<dyn Shelf>) -> Self {
        let Self::Deflated(octets) = &self else { return self };
        match shelf.put(octets) {
            Ok(place) => Self::Shelved { shelf: Arc::clone(shelf), place, length: octets.len() },
            Err(_) => self,
        }
    }
}

fn deflated(octets: &[u8]) -> Vec<u8> {
    // Nearly all of a block repeats what is a few records back: the quickest level finds that too.
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(octets).and_then(|()| encoder.finish()).expect("memory takes everything")
}

fn unpacked<T: DeserializeOwned>(octets: &[u8]) -> Vec<T> {
    if !PACKS {
        unreachable!("no block is packed here");
    }
    let mut decoder = DeflateDecoder::new(Vec::new());
    let json = decoder.write_all(octets).and_then(|()| decoder.finish()).expect("memory takes everything");
    serde_json::from_slice(&json).expect("a block is packed only if it can be read")
}

/// Iterator over the entries of a [`Packed`].
pub struct Iter<'a, T> {
    blocks: slice::Iter<'a, Block<T>>,
    here: Here<'a, T>,
    last: slice::Iter<'a, T>,
    left: usize,
}

/// Rest of the block that is being read.
enum Here<'a, T> {
    Unpacked(vec::IntoIter<T>),
    Plain(slice::Iter<'a, T>),
}

impl<'a, T: Clone + DeserializeOwned> Iterator for Iter<'a, T> {
    type Item = Cow<'a, T>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let entry = match &mut self.here {
                Here::Unpacked(entries) => entries.next().map(Cow::Owned),
                Here::Plain(entries) => entries.next().map(Cow::Borrowed),
            };
            if entry.is_some() {
                self.left -= 1;
                return entry;
            }
            self.here = match self.blocks.next() {
                Some(Block::Plain(entries)) => Here::Plain(entries.iter()),
                Some(Block::Deflated(octets)) => {
                    // What was read goes before the next block is unpacked.
                    self.here = Here::Plain([].iter());
                    Here::Unpacked(unpacked(octets).into_iter())
                }
                Some(Block::Shelved { shelf, place, length }) => {
                    self.here = Here::Plain([].iter());
                    let octets = shelf.take(*place, *length);
                    let octets = octets.unwrap_or_else(|error| panic!("records that were put aside are lost: {error}"));
                    Here::Unpacked(unpacked(&octets).into_iter())
                }
                None if self.last.len() == 0 => return None,
                None => Here::Plain(std::mem::take(&mut self.last)),
            };
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<T: Clone + DeserializeOwned> ExactSizeIterator for Iter<'_, T> {}

impl<'a, T: Clone + DeserializeOwned> IntoIterator for &'a Packed<T> {
    type Item = Cow<'a, T>;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T> Default for Packed<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Serialize + DeserializeOwned + PartialEq> Extend<T> for Packed<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, entries: I) {
        entries.into_iter().for_each(|entry| self.push(entry));
    }
}

impl<T: Serialize + DeserializeOwned + PartialEq> FromIterator<T> for Packed<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        let mut packed = Self::new();
        packed.extend(entries);
        packed
    }
}

impl<T: Serialize + DeserializeOwned + PartialEq> From<Vec<T>> for Packed<T> {
    fn from(entries: Vec<T>) -> Self {
        entries.into_iter().collect()
    }
}

impl<T: Clone + DeserializeOwned + PartialEq> PartialEq for Packed<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: Clone + DeserializeOwned + fmt::Debug> fmt::Debug for Packed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A sequence, like that of a `Vec`.
impl<T: Clone + DeserializeOwned + Serialize> Serialize for Packed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: Serialize + DeserializeOwned + PartialEq> Deserialize<'de> for Packed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);

        impl<'de, T: Serialize + DeserializeOwned + PartialEq> Visitor<'de> for Entries<T> {
            type Value = Packed<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a sequence")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Packed<T>, A::Error> {
                let mut first = Vec::new();
                while first.len() < HELD {
                    match access.next_element()? {
                        Some(entry) => first.push(entry),
                        None => return Ok(Packed::read(first)),
                    }
                }
                let mut packed = Packed::read(first);
                while let Some(entry) = access.next_element()? {
                    packed.push(entry);
                }
                Ok(packed)
            }
        }

        deserializer.deserialize_seq(Entries(PhantomData))
    }
}

#[cfg(test)]
mod tests;
