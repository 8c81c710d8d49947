//! Images of firmware that plans name by their files.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Reader of an image: its octets by the path of its file, or a sentence on why there are none.
pub type ReadImage = fn(&str) -> Result<Vec<u8>, String>;

/// Images that were read, each once: every point of a grid has the same octets, whatever happens to the file meanwhile.
#[derive(Clone, Default)]
pub struct Images {
    read: Option<ReadImage>,
    known: Arc<Mutex<BTreeMap<String, Arc<[u8]>>>>,
}

impl Images {
    /// Images of which none has been read yet.
    pub fn read_by(read: ReadImage) -> Self {
        Self { read: Some(read), known: Arc::default() }
    }

    /// Octets of the image at `path`.
    pub fn of(&self, path: &str) -> Result<Arc<[u8]>, String> {
        let read = self.read.ok_or("no file is read here")?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(image) = known.get(path) {
            return Ok(Arc::clone(image));
        }
        let image: Arc<[u8]> = read(path)?.into();
        known.insert(path.to_owned(), Arc::clone(&image));
        Ok(image)
    }
}

impl fmt::Debug for Images {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_struct("Images").field("read", &self.read.is_some()).field("known", &known.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_is_read_once_and_one_that_is_not_there_is_asked_for_again() {
        let images = Images::read_by(|path| if path == "there" { Ok(vec![1, 2]) } else { Err(format!("no {path}")) });
        let (first, second) = (images.of("there").unwrap(), images.clone().of("there").unwrap());
        assert!(Arc::ptr_eq(&first, &second));
        assert_eq!(images.of("elsewhere"), Err("no elsewhere".into()));
        assert_eq!(Images::default().of("there"), Err("no file is read here".into()));
    }
}
