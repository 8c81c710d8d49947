//! What is handed over. Masks are those of `esp_wifi_types_generic.h`.

use airtime_esp_hosted::raw::Filter;
use airtime_ieee80211::wire::{FrameControl, FrameType, subtype};

const BEACON: FrameControl = FrameControl::new(FrameType::Management, subtype::BEACON, 0);
const ACK: FrameControl = FrameControl::new(FrameType::Control, subtype::ACK, 0);
const BLOCK_ACK: FrameControl = FrameControl::new(FrameType::Control, subtype::BLOCK_ACK, 0);
const DATA: FrameControl = FrameControl::new(FrameType::Data, subtype::QOS, 0);
const EXTENSION: FrameControl = FrameControl::new(FrameType::Extension, 0, 0);

/// Whether a beacon, an acknowledgement, a block acknowledgement, data alone, data of an A-MPDU and an extension pass.
fn passes(filter: Filter) -> [bool; 6] {
    let alone = [BEACON, ACK, BLOCK_ACK, DATA].map(|control| filter.passes(control, false, true));
    let [beacon, ack, block_ack, data] = alone;
    [beacon, ack, block_ack, data, filter.passes(DATA, true, true), filter.passes(EXTENSION, false, true)]
}

#[test]
fn kinds() {
    let table = [
        (0x01, [true, false, false, false, false, false]),
        (0x02, [false, true, true, false, false, false]),
        (0x04, [false, false, false, true, true, false]),
        (0x08, [false, false, false, false, false, true]),
        (0x10, [false, false, false, true, false, false]),
        (0x20, [false, false, false, false, true, false]),
        (0x40, [false; 6]),
        (0x00, [false; 6]),
        (0x05, [true, false, false, true, true, false]),
        (0xFFFF_FFFF, [true; 6]),
        // Acknowledgements only: bit 29 is theirs. Without the kind no control frame passes.
        (0x2000_0002, [false, true, false, false, false, false]),
        (0x2000_0000, [false; 6]),
    ];
    for (mask, expected) in table {
        assert_eq!(passes(Filter(mask)), expected, "{mask:#010x}");
    }
}

#[test]
fn until_one_is_set_management_and_data_pass() {
    assert_eq!(passes(Filter::DEFAULT), [true, false, false, true, true, false]);
}

#[test]
fn control_frames_have_their_bits() {
    assert_eq!(Filter(0).with_control(subtype::BLOCK_ACK_REQUEST), Filter(0x0100_0002));
    assert_eq!(Filter(0).with_control(subtype::ACK).with_control(15), Filter(0xA000_0002));
    assert_eq!(Filter(0).with_control(6).with_control(16), Filter(0));
}

#[test]
fn wrong_frames_pass_when_asked_for() {
    assert!(!Filter::DEFAULT.passes(BEACON, false, false));
    assert!(Filter::DEFAULT.with(Filter::FCS_FAIL).passes(BEACON, false, false));
    assert!(!Filter::FCS_FAIL.passes(BEACON, false, false), "their kind has to pass as well");
}
