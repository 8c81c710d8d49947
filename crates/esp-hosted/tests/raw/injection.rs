//! What the chip sends of what it is given.

use airtime_core::Pool;
use airtime_esp_hosted::raw::{InjectionError, check};
use airtime_ieee80211::wire::{Control, FrameControl, FrameType, MacAddress, ProbeRequest, Sequence, Ssid};

/// A frame of this kind and length.
fn frame(kind: FrameType, subtype: u8, octets: usize) -> Vec<u8> {
    let mut frame = vec![0; octets];
    frame[..2].copy_from_slice(&FrameControl::new(kind, subtype, 0).0.to_le_bytes());
    frame
}

#[test]
fn lengths_have_limits() {
    for (octets, expected) in
        [(23, Err(InjectionError::Length(23))), (24, Ok(())), (1500, Ok(())), (1501, Err(InjectionError::Length(1501)))]
    {
        assert_eq!(check(&frame(FrameType::Data, 0, octets), true, true), expected);
    }
    assert_eq!(check(&[], true, true), Err(InjectionError::Length(0)));
}

#[test]
fn kinds_that_are_sent() {
    let sent = |kind| -> Vec<u8> {
        (0..16).filter(|&subtype| check(&frame(kind, subtype, 100), true, true).is_ok()).collect()
    };
    // Probe request and response, beacon, action; data without QoS. None of control.
    assert_eq!(sent(FrameType::Management), [4, 5, 8, 13]);
    assert_eq!(sent(FrameType::Data), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert!(sent(FrameType::Control).is_empty());
    assert!(sent(FrameType::Extension).is_empty());
    let kind = |kind, subtype| check(&frame(kind, subtype, 100), true, true);
    assert_eq!(kind(FrameType::Management, 12), Err(InjectionError::Kind), "deauthentication");
    assert_eq!(kind(FrameType::Data, 8), Err(InjectionError::Kind), "QoS data");
}

#[test]
fn while_connected_the_driver_numbers() {
    let beacon = frame(FrameType::Management, 8, 100);
    assert_eq!(check(&beacon, false, true), Err(InjectionError::Sequence));
    assert_eq!(check(&beacon, false, false), Ok(()));
    assert_eq!(check(&beacon, true, false), Ok(()));
}

#[test]
fn frames_that_we_make_are_sent() {
    let mut probe = Pool::new().packet();
    let (transmitter, sequence) = (MacAddress::local(1), Sequence::default());
    ProbeRequest { transmitter, sequence, ssid: Ssid::WILDCARD }.emit(&mut probe);
    assert_eq!(check(&probe, true, true), Ok(()));
    let mut ack = Pool::new().packet();
    Control::Ack { receiver: transmitter }.emit(&mut ack);
    assert_eq!(check(&ack, true, true), Err(InjectionError::Length(10)));
    let mut other = vec![0x81; 30];
    assert_eq!(check(&other, true, true), Err(InjectionError::NoFrame));
    other[0] = 0x80;
    assert_eq!(check(&other, true, true), Err(InjectionError::NoFrame), "a beacon without its fixed fields");
}
