//! Files that are no capture, by how they begin.

use core::fmt;

/// The octets that a file begins with, which are those of no capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Magic {
    octets: [u8; Self::OCTETS],
    len: u8,
}

/// Beginnings of files that people take for captures, or find captures in: octets, name, remedy.
const KNOWN: [(&[u8], &str, &str); 9] = [
    (b"\x1f\x8b", "a gzip file", "unpack it and read what is inside"),
    (b"BZh", "a bzip2 file", "unpack it and read what is inside"),
    (b"\xfd7zXZ", "an xz file", "unpack it and read what is inside"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file", "unpack it and read what is inside"),
    (
        b"PK\x03\x04",
        "a ZIP archive",
        "unpack it (in an Android bug report the log is FS/data/misc/bluetooth/logs/btsnoop_hci.log)",
    ),
    // Classic pcap as modified by Alexey Kuznetzov: other records behind the same header (libpcap, `sf-pcap.c`).
    (b"\x34\xcd\xb2\xa1", "a pcap of Kuznetzov's kind", "`editcap -F pcapng` makes a pcapng of it"),
    (b"\xa1\xb2\xcd\x34", "a pcap of Kuznetzov's kind", "`editcap -F pcapng` makes a pcapng of it"),
    (b"snoop\0\0\0", "a snoop file of Solaris", "`editcap -F pcapng` makes a pcapng of it"),
    (b"\x7fELF", "a program (ELF)", "pcapng, pcap and btsnoop are read"),
];

impl Magic {
    /// Octets that are kept.
    pub(super) const OCTETS: usize = 16;

    /// Keeps the beginning of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        let mut octets = [0; Self::OCTETS];
        let len = bytes.len().min(octets.len());
        octets[..len].copy_from_slice(&bytes[..len]);
        Self { octets, len: len as u8 }
    }

    fn octets(&self) -> &[u8] {
        &self.octets[..self.len.into()]
    }

    /// The first line, if it is text.
    fn line(&self) -> Option<&str> {
        let end = self.octets().iter().position(|octet| matches!(octet, b'\n' | b'\r'));
        let line = &self.octets()[..end.unwrap_or(self.octets().len())];
        let text = line.iter().all(|octet| matches!(octet, b' '..=b'~' | b'\t')) && !line.is_empty();
        core::str::from_utf8(line).ok().filter(|_| text)
    }
}

impl fmt::Display for Magic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const READ: &str = "pcapng, pcap and btsnoop are read";
        let known = KNOWN.iter().find(|(begins, ..)| self.octets().starts_with(begins));
        if let Some((_, name, remedy)) = known {
            return write!(f, "this begins {name}, no capture; {remedy}");
        }
        if let Some(line) = self.line() {
            return write!(f, "this begins text (\"{}\"), no capture; {READ}", line.trim_end());
        }
        f.write_str("this begins no capture that is known (octets")?;
        for octet in self.octets().iter().take(4) {
            write!(f, " {octet:02x}")?;
        }
        write!(f, "); {READ}")
    }
}
