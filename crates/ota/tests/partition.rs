//! Partition tables.

use airtime_ota::partition::{COPROCESSOR, HOST, Kind, OTA_0, OTADATA, SLAVE_FW, Table, TableFault};

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

proptest::proptest! {
    #[test]
    fn no_text_panics(text in "[ -~\\n\u{e4}\u{feff}]{0,200}") {
        let _ = Table::parse(&text);
    }

    #[test]
    fn no_line_of_almost_a_table_panics(fields in proptest::collection::vec("[a-z0-9x_:KM-]{0,12}", 0..8)) {
        let _ = Table::parse(&fields.join(","));
    }
}
