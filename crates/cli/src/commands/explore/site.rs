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
    /// The same in the content codings that the folder has besides, in the order of [`CODINGS`].
    packed: Vec<(&'static str, Vec<u8>)>,
}

/// Content codings with the ends of the names that packed files have, the smallest first. RFC 9110, 8.4.1; RFC 7932.
const CODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

impl File {
    /// The content coding to answer with, for a request with this `Accept-Encoding`, and the octets.
    pub fn packed(&self, accepted: &str) -> Option<(&'static str, &[u8])> {
        let found = self.packed.iter().find(|(coding, _)| takes(accepted, coding))?;
        Some((found.0, &found.1))
    }

    /// Tells if the answer goes by what the request accepts.
    pub fn varies(&self) -> bool {
        !self.packed.is_empty()
    }
}

/// Tells if this `Accept-Encoding` names `coding`, and not with a weight of nothing. RFC 9110, 12.5.3.
fn takes(accepted: &str, coding: &str) -> bool {
    accepted.split(',').any(|one| {
        let (name, weight) = one.split_once(';').unwrap_or((one, ""));
        let weight = weight.split_once('=').map_or("1", |(_, weight)| weight.trim());
        name.trim().eq_ignore_ascii_case(coding) && weight.parse().is_ok_and(|weight: f32| weight > 0.0)
    })
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
            files.insert(name.to_owned(), octets);
        }
        Ok(Self::of(files))
    }

    /// These files by name; those that are others packed are these in another coding.
    pub fn of(mut files: BTreeMap<String, Vec<u8>>) -> Self {
        let names: Vec<String> = files.keys().cloned().collect();
        let mut packed: BTreeMap<String, Vec<(&'static str, Vec<u8>)>> = BTreeMap::new();
        for name in &names {
            for (coding, end) in CODINGS {
                if let Some(octets) = files.remove(&format!("{name}.{end}")) {
                    packed.entry(name.clone()).or_default().push((coding, octets));
                }
            }
        }
        let file = |(name, octets): (String, Vec<u8>)| {
            let packed = packed.remove(&name).unwrap_or_default();
            (name.clone(), File { kind: kind(&name), octets, packed })
        };
        Self { files: files.into_iter().map(file).collect() }
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
        fs::write(site.join("lab.wasm.br"), "small").unwrap();
        let site = Site::read(&site).unwrap();
        let octets = |path: &str| site.file(path).map(|file| file.octets.as_slice());
        assert_eq!(octets("/"), Some(&b"page"[..]));
        assert_eq!(octets("/index.html?x=1"), Some(&b"page"[..]));
        assert_eq!(site.file("/lab.wasm").map(|file| file.kind), Some("application/wasm"));
        for path in [
            "",
            "lab.wasm.br",
            "index.html",
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "//index.html",
            "/inner/a.js",
            "/inner",
            "/.",
        ] {
            assert_eq!(octets(path), None, "{path}");
        }
    }

    #[test]
    fn a_packed_file_is_for_those_who_take_it() {
        let files = [("a.js", "long"), ("a.js.gz", "gzip"), ("a.js.br", "br"), ("b.gz", "alone")];
        let site = Site::of(files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).into());
        let coding = |accepted: &str| site.file("/a.js").unwrap().packed(accepted).map(|(coding, _)| coding);
        for (accepted, expected) in [
            ("gzip, deflate, br, zstd", Some("br")),
            ("GZIP;q=0.5,br;q=0", Some("gzip")),
            ("identity", None),
            ("", None),
        ] {
            assert_eq!(coding(accepted), expected, "{accepted}");
        }
        assert!(site.file("/b.gz").is_some_and(|file| !file.varies()));
    }
}
