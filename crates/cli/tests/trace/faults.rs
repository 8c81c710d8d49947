//! Files that are no captures: what is wrong and where, and an exit code of 2.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::program::{airtime, airtime_with, json, stderr, text};

/// Reads these bytes as a capture; gives back the exit code, and what was printed on either side.
fn read(bytes: &[u8]) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pcapng");
    fs::write(&path, bytes).unwrap();
    let output = airtime(&["trace", "read", text(&path)]);
    let said = stderr(&output).to_owned();
    (output.status.code(), String::from_utf8(output.stdout).unwrap(), said)
}

/// The capture of two seconds.
fn capture() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pcapng");
    let set = ["run.duration=2s", "run.warmup=0s"];
    json(&airtime_with(&["trace", "coc-nrf", "-o", text(&path), "--json"], &set));
    (folder, path)
}

/// A block of pcapng, little endian.
fn block(kind: u32, body: &[u8]) -> Vec<u8> {
    let octets = (body.len() as u32 + 12).to_le_bytes();
    [&kind.to_le_bytes()[..], &octets, body, &octets].concat()
}

/// A section with one interface of this link type, without packets.
fn section(link_type: u8) -> Vec<u8> {
    let header = block(0x0a0d_0d0a, &[0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255]);
    // 256 is Bluetooth LE with a pseudo-header; only the upper octet tells it from 0.
    let interface = block(1, &[link_type, u8::from(link_type == 0), 0, 0, 0, 0, 0, 0]);
    [header, interface].concat()
}

/// A packet of four octets on the first interface.
fn packet() -> Vec<u8> {
    block(6, &[&[0; 12][..], &[4, 0, 0, 0, 4, 0, 0, 0], b"abcd"].concat())
}

#[test]
fn what_is_no_capture_is_named_with_its_place() {
    let (ethernet, strange) = ([section(1), packet()].concat(), [section(0), vec![7; 32]].concat());
    for (bytes, expected) in [
        (&b""[..], &["x.pcapng`: at octet 0", "0 octets of at least 4"][..]),
        (b"\n\r", &["x.pcapng`: at octet 0", "2 octets of at least 4"]),
        (
            b"[run]\nduration = \"2s\"\n",
            &["x.pcapng`: at octet 0", "this begins text (\"[run]\"), no capture; pcapng, pcap and btsnoop are read"],
        ),
        (
            &ethernet,
            &[
                "x.pcapng`: link type 1 (Ethernet) is not read; Bluetooth LE (256, 251, 272), HCI (187, 201, 254, and btsnoop)",
            ],
        ),
        (&[section(1), section(9)].concat(), &["link type 1 (Ethernet), link type 9 are not read; "]),
        (b"\x1f\x8b\x08\0\0\0", &["at octet 0: this begins a gzip file, no capture; unpack it"]),
        (b"btsnoop\0\0\0\0\x01\0\0\x03\xec", &["at octet 12: data link 1004 (H5) is not read; 1001"]),
        (b"btsnoop\0\0\0\0\x01", &["at octet 0: the capture ends in the middle of a record: 12 octets of at least 16"]),
        (&section(0)[..40], &["x.pcapng`: at octet 28", "12 octets of at least 20"]),
        (&strange, &["x.pcapng`: at octet 48", "cannot be the length of this block"]),
    ] {
        let (code, printed, said) = read(bytes);
        assert_eq!((code, &*printed), (Some(2), ""), "{said}");
        assert!(expected.iter().all(|expected| said.contains(expected)), "{said} {expected:?}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

/// Wherever a capture is cut, the message says where its last block begins and what is missing of it; what is in front of that is
/// read, as far as there is a packet.
#[test]
fn a_capture_that_is_cut_is_read_up_to_there() {
    let (_folder, path) = capture();
    let whole = fs::read(path).unwrap();
    let octets = |at: usize| u32::from_le_bytes(whole[at + 4..at + 8].try_into().unwrap()) as usize;
    // Past the header, in the middle, and behind what is read at once.
    for beyond in [0, whole.len() / 2, 300_000.min(whole.len() - 200)] {
        let mut start = 0;
        while start + octets(start) <= beyond {
            start += octets(start);
        }
        let (needs, cut) = (octets(start), octets(start) - 3);
        let (code, printed, said) = read(&whole[..start + cut]);
        let expected = if beyond == 0 { Some(2) } else { Some(0) };
        assert_eq!((code, printed.contains("1 connection")), (expected, beyond > 0), "{said}");
        let place =
            format!("at octet {start}: the capture ends in the middle of a block: {cut} octets of at least {needs}");
        assert!(said.contains(&place), "{said} {place}");
    }
}

#[test]
fn what_cannot_be_read_is_a_wrong_argument_as_for_plans() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.pcapng");
    for path in [folder.path(), &missing] {
        let output = airtime(&["trace", "read", text(path)]);
        let expected = format!("cannot read `{}`: ", path.display());
        assert!(output.status.code() == Some(2) && stderr(&output).contains(&expected), "{}", stderr(&output));
    }
}

#[test]
fn an_interface_without_packets_is_no_mistake() {
    let (code, printed, said) = read(&section(0));
    assert_eq!((code, &*said), (Some(0), ""));
    assert!(printed.contains("0 packets, 0 connections"), "{printed}");
}

#[test]
fn packets_that_are_none_of_the_link_layer_are_counted() {
    let (code, printed, said) = read(&[section(0), packet()].concat());
    assert_eq!((code, &*said), (Some(0), ""));
    assert!(printed.contains("1 that are no packets of the link layer"), "{printed}");
}
