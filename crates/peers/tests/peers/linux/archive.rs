//! A cpio archive as the kernel unpacks it: Linux `Documentation/driver-api/early-userspace/buffer-format.rst`, newc.

/// File type and permissions of a folder, of a program, and of a symbolic link.
const FOLDER: u32 = 0o040_755;
const PROGRAM: u32 = 0o100_755;
const LINK: u32 = 0o120_777;

/// Archive that grows.
#[derive(Debug, Default)]
pub struct Archive {
    bytes: Vec<u8>,
    inodes: u32,
}

impl Archive {
    /// Adds a folder; those it is in come first.
    pub fn folder(&mut self, path: &str) {
        self.entry(path, FOLDER, &[]);
    }

    /// Adds a file that can be run.
    pub fn file(&mut self, path: &str, content: &[u8]) {
        self.entry(path, PROGRAM, content);
    }

    /// Adds a symbolic link to `target`.
    pub fn link(&mut self, path: &str, target: &str) {
        self.entry(path, LINK, target.as_bytes());
    }

    /// Octets of the archive, with its end.
    pub fn finished(mut self) -> Vec<u8> {
        self.entry("TRAILER!!!", 0, &[]);
        self.bytes
    }

    fn entry(&mut self, path: &str, mode: u32, content: &[u8]) {
        self.inodes += 1;
        let (size, name) = (content.len() as u32, path.len() as u32 + 1);
        // Inode, mode, owner and group, links, time, size, device of the file and of what it is, length of the name, checksum.
        let fields = [self.inodes, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, name, 0];
        self.bytes.extend_from_slice(b"070701");
        for field in fields {
            self.bytes.extend_from_slice(format!("{field:08x}").as_bytes());
        }
        self.bytes.extend_from_slice(path.as_bytes());
        self.bytes.push(0);
        self.align();
        self.bytes.extend_from_slice(content);
        self.align();
    }

    fn align(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}
