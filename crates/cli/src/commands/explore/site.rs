//! The files of a page, read when the server starts: no request names a file of the machine, and so none leads out of the folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Page that a folder has to have.
const INDEX: &str = "index.html";
/// Most octets of all files, *assumed*: a folder that was named by mistake is not read to its end.
const OCTETS_MAX: u64 = 64 << 20;

/// Files by the path that asks for them.
pub struct Site {
    files: BTreeMap<String, File>,
}

/// File of a site.
pub struct File {
    /// Type, as HTTP names it.
    pub kind: &'static str,
    /// Octets of the file.
    pub octets: Vec<u8>,
}

/// Tells if `folder` has a page.
pub fn is_one(folder: &Path) -> bool {
    folder.join(INDEX).is_file()
}

impl Site {
    /// The files of `folder`, but not those of folders in it.
    ///
    /// # Errors
    /// When there is no page, or a file cannot be read.
    pub fn read(folder: &Path) -> Result<Self, String> {
        if !is_one(folder) {
            return Err(format!("no {INDEX} is there"));
        }
        let (mut files, mut left) = (BTreeMap::new(), OCTETS_MAX);
        for entry in fs::read_dir(folder).map_err(|error| error.to_string())? {
            let entry = entry.map_err(|error| error.to_string())?;
            let path = entry.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|_| path.is_file()) else {
                continue;
            };
            let octets = fs::metadata(&path).map_err(|error| format!("{name}: {error}"))?.len();
            left = left.checked_sub(octets).ok_or(format!("its files have more than {OCTETS_MAX} octets"))?;
            let octets = fs::read(&path).map_err(|error| format!("{name}: {error}"))?;
            files.insert(name.to_owned(), File { kind: kind(name), octets });
        }
        Ok(Self { files })
    }

    /// The file that this path asks for, as a request writes it.
    pub fn file(&self, path: &str) -> Option<&File> {
        let path = path.split(['?', '#']).next()?.strip_prefix('/')?;
        self.files.get(if path.is_empty() { INDEX } else { path })
    }
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_finds_what_is_there_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let site = folder.path().join("site");
        fs::create_dir_all(site.join("inner")).unwrap();
        fs::write(folder.path().join("secret.txt"), "secret").unwrap();
        fs::write(site.join("inner/a.js"), "a").unwrap();
        assert!(Site::read(&site).err().unwrap().contains("index.html"));
        fs::write(site.join("index.html"), "page").unwrap();
        fs::write(site.join("lab.wasm"), "\0asm").unwrap();
        let site = Site::read(&site).unwrap();
        let octets = |path: &str| site.file(path).map(|file| file.octets.as_slice());
        assert_eq!(octets("/"), Some(&b"page"[..]));
        assert_eq!(octets("/index.html?x=1"), Some(&b"page"[..]));
        assert_eq!(site.file("/lab.wasm").map(|file| file.kind), Some("application/wasm"));
        for path in
            ["", "index.html", "/../secret.txt", "/%2e%2e/secret.txt", "//index.html", "/inner/a.js", "/inner", "/."]
        {
            assert_eq!(octets(path), None, "{path}");
        }
    }
}
