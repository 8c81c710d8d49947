//! Partition tables.

use airtime_ota::flash::{Nor, Storage, StorageError};
use airtime_ota::partition::{
    COPROCESSOR, HOST, Kind, OTA_0, OTADATA, ReadError, SLAVE_FW, TABLE_AT, Table, TableError, TableFault,
};

#[test]
fn the_published_table_is_shipped() {
    let table = Table::parse(HOST).unwrap();
    let found: Vec<_> = table.iter().map(|p| (p.name.as_str(), p.kind, p.subtype, p.offset, p.size)).collect();
    let expected = [
        ("nvs", Kind::DATA, 0x02, 0x9000, 0x6000),
        ("phy_init", Kind::DATA, 0x01, 0xF000, 0x1000),
        ("factory", Kind::APP, 0x00, 0x1_0000, 0x20_0000),
        (SLAVE_FW, Kind::DATA, 0x40, 0x21_0000, 0x20_0000),
    ];
    assert_eq!(found, expected);
    assert_eq!(table.flash(), 0x41_0000);
}

#[test]
fn the_coprocessors_table_fits_its_flash() {
    let table = Table::parse(COPROCESSOR).unwrap();
    assert!(table.flash() <= 4 << 20);
    assert_eq!(table.find_kind(Kind::DATA, OTADATA).map(|p| p.size), Some(0x2000));
    let slots = [OTA_0, OTA_0 + 1].map(|slot| table.find_kind(Kind::APP, slot).unwrap().size);
    assert!(slots[0] == slots[1] && slots[0] > 1_182_176);
}

#[test]
fn units_and_missing_offsets_are_filled_in() {
    let text = "nvs,data,nvs,,24K\nfactory, app, factory, , 1M, encrypted:readonly\nlast,0x40,0x07,,4096,";
    let table = Table::parse(text).unwrap();
    let places: Vec<_> = table.iter().map(|p| (p.offset, p.size)).collect();
    assert_eq!(places, [(0x9000, 0x6000), (0x1_0000, 1 << 20), (0x11_0000, 4096)]);
    let factory = table.find("factory").unwrap();
    assert!(factory.encrypted && factory.read_only);
    assert_eq!(table.find("last").map(|p| (p.kind, p.subtype)), Some((Kind(0x40), 7)));
}

/// A table that is wrong, and where: line, column, fault.
type Wrong = (&'static str, u32, u32, fn(&TableFault) -> bool);

#[test]
fn what_is_wrong_is_told_with_line_and_column() {
    let cases: [Wrong; 15] = [
        ("# x\nnvs, data, nvs, 0x9000, 0x6000\nphy, data, phy, 0xe000, 0x1000", 3, 17, |fault| {
            *fault == TableFault::Overlap { offset: 0xE000, other: "`nvs`".into(), end: 0xF000 }
        }),
        ("nvs, data, nvs, 0x8000, 0x6000", 1, 17, |f| matches!(f, TableFault::Overlap { end: 0x9000, .. })),
        ("f, app, factory, 0x9000, 0x6000", 1, 18, |f| matches!(f, TableFault::Alignment { multiple: 0x1_0000, .. })),
        ("n, data, nvs, 0x9004, 0x6000", 1, 15, |f| matches!(f, TableFault::Alignment { multiple: 0x1000, .. })),
        ("n, date, nvs, 0x9000, 0x6000", 1, 4, |f| *f == TableFault::Type("date".into())),
        ("n, data, nsv, 0x9000, 0x6000", 1, 10, |f| *f == TableFault::SubType("nsv".into())),
        ("n, app, ota_16, 0x10000, 0x6000", 1, 9, |f| *f == TableFault::SubType("ota_16".into())),
        ("n, data, nvs, 0x9000, 6 kB", 1, 23, |f| *f == TableFault::Number("6 kB".into())),
        ("n, data, nvs, 0x9000, -4", 1, 23, |f| *f == TableFault::Number("-4".into())),
        ("n, data, nvs, 0x9000,", 1, 22, |f| *f == TableFault::Missing("size")),
        ("n", 1, 2, |f| *f == TableFault::Missing("type")),
        ("n, data, nvs, 0x9000, 4K, shiny", 1, 27, |f| *f == TableFault::Flag("shiny".into())),
        ("n, data, nvs, 0x9000, 4K, , x", 1, 29, |f| *f == TableFault::Extra("x".into())),
        ("n, data, nvs, 0x9000, 4K\nn, data, phy, 0xa000, 4K", 2, 15, |f| *f == TableFault::Twice("n".into())),
        ("n, data, nvs, 0xfffff000, 8K", 1, 27, |f| *f == TableFault::Size(0x2000)),
    ];
    for (text, line, column, fault) in cases {
        let error = Table::parse(text).unwrap_err();
        assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
        assert!(fault(&error.fault), "{text}: {error}");
    }
}

#[test]
fn there_is_one_otadata_of_two_sectors() {
    let twice = "a, data, ota, 0x9000, 8K\nb, data, ota, 0xb000, 8K";
    assert_eq!(Table::parse(twice).unwrap_err().fault, TableFault::SecondOtadata);
    assert_eq!(Table::parse("a, data, ota, 0x9000, 4K").unwrap_err().fault, TableFault::OtadataSize(0x1000));
    let many: String = (0..96).map(|i| format!("p{i}, data, nvs, , 4K\n")).collect();
    let error = Table::parse(&many).unwrap_err();
    assert_eq!((error.fault, error.line), (TableFault::TooMany, 96));
}

/// Rows as `gen_esp32part.py` packs them, `<2sBBLL16sL`, and the MD5 of five of them.
#[test]
fn a_table_is_read_from_a_flash_as_the_tool_writes_it() {
    let table = Table::parse(COPROCESSOR).unwrap();
    let octets = table.octets();
    assert_eq!(octets.len(), 0xC00);
    assert_eq!(octets[..12], [0xAA, 0x50, 1, 2, 0, 0x90, 0, 0, 0, 0x40, 0, 0]);
    assert_eq!(octets[12..32], *b"nvs\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    assert_eq!(octets[160..176], [[0xEB; 2].as_slice(), &[0xFF; 14]].concat());
    let digest = octets[176..192].iter().map(|octet| format!("{octet:02x}")).collect::<String>();
    assert_eq!(digest, "cafd3efb79d8d27271dfc5b24cbb9737");
    assert!(octets[192..].iter().all(|octet| *octet == 0xFF));

    let mut flash = Nor::new(table.flash(), 1);
    assert_eq!(Table::of_flash(&mut flash), Err(ReadError::Nothing), "an erased flash");
    flash.program(TABLE_AT, &octets).unwrap();
    let read = Table::of_flash(&mut flash).unwrap();
    let places =
        |table: &Table| table.iter().map(|p| (p.name.clone(), p.kind, p.subtype, p.offset, p.size)).collect::<Vec<_>>();
    assert_eq!(places(&read), places(&table));
    flash.cut();
    assert_eq!(Table::of_flash(&mut flash), Err(ReadError::Storage(StorageError::PowerLost)));
}

#[test]
fn a_damaged_table_is_none() {
    let table = Table::parse("a, 0x40, 7, 0x9000, 4K, encrypted\nb, app, ota_1, 0x10000, 64K, readonly").unwrap();
    let octets = table.octets();
    let changed = |at: usize, octet: u8| {
        let mut octets = octets.clone();
        octets[at] = octet;
        Table::of_octets(&octets)
    };
    let read = changed(0, 0xAA).unwrap();
    let flags: Vec<_> = read.iter().map(|p| (p.kind, p.encrypted, p.read_only)).collect();
    assert_eq!(flags, [(Kind(0x40), true, false), (Kind::APP, false, true)]);
    assert_eq!(changed(0, 0xE9), Err(ReadError::Nothing), "an image");
    assert_eq!(changed(32, 0), Err(ReadError::Row { row: 2 }));
    assert_eq!(changed(5, 0xA0), Err(ReadError::Digest));
    assert_eq!(changed(80, 0), Err(ReadError::Digest));
    // Without a digest, as tables were before there was one: what contradicts itself is found all the same.
    let bare = |at: usize, octet: u8| {
        let mut octets = octets.clone();
        octets[64..].fill(0xFF);
        octets[at] = octet;
        Table::of_octets(&octets)
    };
    let at = |line, fault| Err(ReadError::Table(TableError { line, column: 1, fault }));
    assert!(bare(0, 0xAA).is_ok());
    assert_eq!(bare(12, 0x07), at(1, TableFault::Name("\\x07".into())));
    assert_eq!(bare(9, 0), at(1, TableFault::Size(0)));
    let overlap = TableFault::Overlap { offset: 0x8000, other: "the partition table".into(), end: 0x9000 };
    assert_eq!(bare(5, 0x80), at(1, overlap));
}

proptest::proptest! {
    #[test]
    fn no_octets_panic(octets in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200), rows in 0..3usize) {
        let mut table = Table::parse(HOST).unwrap().octets();
        table.splice(rows * 32..rows * 32, octets);
        let _ = Table::of_octets(&table);
    }

    #[test]
    fn no_text_panics(text in "[ -~\\n\u{e4}\u{feff}]{0,200}") {
        let _ = Table::parse(&text);
    }

    #[test]
    fn no_line_of_almost_a_table_panics(fields in proptest::collection::vec("[a-z0-9x_:KM-]{0,12}", 0..8)) {
        let _ = Table::parse(&fields.join(","));
    }
}
