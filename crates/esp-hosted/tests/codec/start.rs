//! Start-up events.

use airtime_core::Pool;
use airtime_esp_hosted::wire::start::{
    CoprocessorStart, HostStart, SdioMode, StartError, Version, capability, chip, raw_throughput,
};
use airtime_esp_hosted::wire::{Frame, Header, Interface, Layout};

const COPROCESSOR: CoprocessorStart = CoprocessorStart {
    chip: Some(chip::ESP32_C6),
    capabilities: Some(capability::WLAN_SDIO | capability::BLUETOOTH_SDIO | capability::BLE_ONLY),
    raw_throughput: Some(raw_throughput::NONE),
    tx_queue: Some(20),
    rx_queue: Some(20),
    firmware: Some(Version { major: 2, minor: 11, patch: 7 }),
    sdio_mode: None,
    extended: None,
    unknown: 0,
};

const HOST: HostStart = HostStart {
    capabilities: Some(0),
    chip: Some(chip::ESP32_C6),
    raw_throughput: Some(raw_throughput::NONE),
    throttle_high_percent: Some(80),
    throttle_low_percent: Some(60),
    unknown: 0,
};

fn payload(emit: impl FnOnce(&Layout, &mut airtime_core::Packet)) -> Vec<u8> {
    let mut out = Pool::new().packet();
    emit(&Layout::SDIO, &mut out);
    let frame = Frame::new_checked(&out, &Layout::SDIO).unwrap();
    assert_eq!((frame.header.interface, frame.header.kind), (Interface::Private, Header::PRIVATE_EVENT));
    frame.payload.to_vec()
}

#[test]
fn the_coprocessors_event_octet_for_octet() {
    let octets = payload(|layout, out| COPROCESSOR.emit(layout, out));
    let expected = [0x22, 21, 0x12, 1, 0x0d, 0x11, 1, 0x0d, 0x13, 1, 0, 0x15, 1, 20, 0x14, 1, 20, 0x17, 4, 7, 11, 2, 0];
    assert_eq!(octets, expected);
    assert_eq!(CoprocessorStart::parse(&octets), Ok(COPROCESSOR));
}

#[test]
fn the_hosts_answer_octet_for_octet() {
    let octets = payload(|layout, out| HOST.emit(layout, out));
    assert_eq!(octets, [0x22, 15, 0x44, 1, 0, 0x45, 1, 0x0d, 0x46, 1, 0, 0x47, 1, 80, 0x48, 1, 60]);
    assert_eq!(HostStart::parse(&octets), Ok(HOST));
}

#[test]
fn newer_firmware_says_how_it_sends() {
    for mode in [SdioMode::Packet, SdioMode::Streaming] {
        let start = CoprocessorStart { sdio_mode: Some(mode), extended: Some(0x1234_5678), ..COPROCESSOR };
        assert_eq!(CoprocessorStart::parse(&payload(|layout, out| start.emit(layout, out))), Ok(start));
    }
}

#[test]
fn unknown_tlvs_are_skipped() {
    let octets = [0x22, 10, 0x77, 2, 1, 2, 0x12, 1, 0x0d, 0x19, 1, 9, 0xff];
    let start = CoprocessorStart { chip: Some(chip::ESP32_C6), unknown: 2, ..CoprocessorStart::default() };
    assert_eq!(CoprocessorStart::parse(&octets), Ok(start), "an octet behind the event is nobody's");
    assert_eq!(HostStart::parse(&octets).map(|start| start.unknown), Ok(3));
}

#[test]
fn malformed_events() {
    assert_eq!(CoprocessorStart::parse(&[]), Err(StartError::Kind));
    assert_eq!(CoprocessorStart::parse(&[0x23, 0]), Err(StartError::Kind));
    assert_eq!(CoprocessorStart::parse(&[0x22]), Err(StartError::Cut));
    assert_eq!(CoprocessorStart::parse(&[0x22, 3, 0x12, 1]), Err(StartError::Cut));
    assert_eq!(CoprocessorStart::parse(&[0x22, 2, 0x12, 1]), Err(StartError::Cut));
    assert_eq!(CoprocessorStart::parse(&[0x22, 2, 0x12, 0]), Err(StartError::Tlv { tag: 0x12, len: 0 }));
    assert_eq!(CoprocessorStart::parse(&[0x22, 3, 0x17, 1, 2]), Err(StartError::Tlv { tag: 0x17, len: 1 }));
    assert_eq!(HostStart::parse(&[0x22, 4, 0x47, 2, 1, 2]), Err(StartError::Tlv { tag: 0x47, len: 2 }));
}

#[test]
fn every_cut_is_an_error_or_another_event() {
    let octets = payload(|layout, out| COPROCESSOR.emit(layout, out));
    for len in 0..octets.len() {
        assert!(CoprocessorStart::parse(&octets[..len]).is_err(), "{len}");
    }
}

#[test]
fn versions_are_one_number() {
    let version = Version { major: 2, minor: 11, patch: 7 };
    assert_eq!((version.packed(), Version::of(0x0002_0b07)), (0x0002_0b07, version));
    assert!(version < Version { minor: 12, patch: 0, ..version });
}
