//! A shelf for the records of large grids: a file without a name, which is gone when the program ends, however it does.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, PoisonError};

use airtime_lab::record::{Records, Shelf};

/// Records of which few are held in memory, however many there are.
pub fn records() -> Records {
    Records::on(Arc::new(Temporary::default()))
}

/// File among the temporary ones of the system, made when the first octets come.
#[derive(Debug, Default)]
struct Temporary(Mutex<Option<File>>);

impl Temporary {
    fn with<T>(&self, act: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if file.is_none() {
            *file = Some(tempfile::tempfile()?);
        }
        file.as_mut().map_or_else(|| Err(io::ErrorKind::NotFound.into()), act)
    }
}

impl Shelf for Temporary {
    fn put(&self, octets: &[u8]) -> io::Result<u64> {
        self.with(|file| {
            // What a full disk has cut short stays behind, and nobody asks for it.
            let place = file.seek(SeekFrom::End(0))?;
            file.write_all(octets)?;
            Ok(place)
        })
    }

    fn take(&self, place: u64, length: usize) -> io::Result<Vec<u8>> {
        self.with(|file| {
            let mut octets = vec![0; length];
            file.seek(SeekFrom::Start(place))?;
            file.read_exact(&mut octets)?;
            Ok(octets)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octets_come_back_from_where_they_were_put() {
        let shelf = Temporary::default();
        let pieces: [&[u8]; 3] = [b"first", b"", b"third and last"];
        let places = pieces.map(|piece| shelf.put(piece).unwrap());
        assert_eq!(places, [0, 5, 5]);
        for (piece, place) in pieces.iter().zip(places).rev() {
            assert_eq!(shelf.take(place, piece.len()).unwrap(), *piece);
        }
        assert!(shelf.take(6, 14).is_err());
    }
}
