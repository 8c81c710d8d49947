//! Golden octets of records, and what others do to them.

use airtime_rpc::CallId;
use airtime_rpc::extended::{Limits, Record, Records, Truncated, Writer};

fn written(write: impl FnOnce(&mut Writer<'_>)) -> Vec<u8> {
    let mut octets = [0; 64];
    let mut writer = Writer::new(&mut octets);
    write(&mut writer);
    let length = writer.finish();
    octets[..length].to_vec()
}

#[test]
fn a_call_and_its_request_share_a_frame() {
    let octets = written(|writer| {
        assert!(writer.open(CallId(0x0102), 0x4000, 2000, "echo"));
        assert!(writer.data(CallId(0x0102), true, true, b"hello"));
    });
    // OPEN: length 11, window, deadline, name. DATA: to the end of the frame, last of message and stream.
    let expected =
        [&[0x10, 0x02, 0x01, 11, 0x00, 0x40, 0, 0, 0xd0, 0x07, 4][..], b"echo", &[0x2d, 0x02, 0x01], b"hello"];
    assert_eq!(octets, expected.concat());
    let records: Vec<_> = Records::new_checked(&octets).expect("whole").collect();
    let call = CallId(0x0102);
    let open = Record::Open { call, window: 0x4000, deadline_ms: 2000, name: "echo" };
    let data = Record::Data { call, end_of_message: true, end_of_stream: true, octets: b"hello" };
    assert_eq!(records, [open, data]);
}

#[test]
fn short_records() {
    let call = CallId(7);
    let limits = Limits { version: 1, calls: 8, window: 512 };
    let octets = written(|writer| {
        assert!(writer.limits(limits));
        assert!(writer.credit(call, 0x0102_0304));
        assert!(writer.status(call, 3));
        assert!(writer.cancel(call));
        assert!(writer.lost(9));
    });
    let expected: [&[u8]; 5] = [
        &[0x60, 0, 0, 6, 1, 8, 0, 2, 0, 0],
        &[0x30, 7, 0, 4, 4, 3, 2, 1],
        &[0x40, 7, 0, 1, 3],
        &[0x50, 7, 0, 0],
        &[0x71, 0, 0, 9, 0, 0, 0],
    ];
    assert_eq!(octets, expected.concat());
    let records: Vec<_> = Records::new_checked(&octets).expect("whole").collect();
    let expected = [
        Record::Limits(limits),
        Record::Credit { call, limit: 0x0102_0304 },
        Record::Status { call, code: 3 },
        Record::Cancel { call },
        Record::Lost { first: 9 },
    ];
    assert_eq!(records, expected);
}

#[test]
fn lengths_of_one_and_two_octets_and_none() {
    for length in [0_usize, 1, 254, 255, 256, 300] {
        let mut octets = [0; 700];
        let mut writer = Writer::new(&mut octets);
        assert!(writer.data(CallId(1), true, false, &vec![5; length]));
        assert!(writer.cancel(CallId(2)));
        let used = writer.finish();
        let width = if length > 255 { 2 } else { 1 };
        assert_eq!(used, 3 + width + length + 3, "the last record has no length");
        let records: Vec<_> = Records::new_checked(&octets[..used]).expect("whole").collect();
        assert_eq!(records[1], Record::Cancel { call: CallId(2) });
        assert!(matches!(records[0], Record::Data { octets, .. } if octets.len() == length));
    }
}

/// A record that nearly fills a frame must not grow a length that makes it too long.
#[test]
fn every_length_fits_where_it_is_said_to() {
    for room in 0..600_usize {
        for length in room.saturating_sub(8)..room + 2 {
            let mut octets = vec![0; room];
            let mut writer = Writer::new(&mut octets);
            let fits = writer.data(CallId(1), false, false, &vec![1; length]);
            assert_eq!(fits, length + 3 <= room, "{length} octets in {room}");
            if fits {
                let used = writer.finish();
                assert_eq!(used, length + 3);
                let mut records = Records::new_checked(&octets[..used]).expect("whole");
                assert!(matches!(records.next(), Some(Record::Data { octets, .. }) if octets.len() == length));
            }
        }
    }
}

#[test]
fn a_record_beyond_its_frame_is_no_record() {
    let whole = written(|writer| {
        assert!(writer.open(CallId(1), 1, 0, "echo"));
        assert!(writer.data(CallId(1), true, true, b"hello"));
    });
    let opening = 4 + 11;
    for cut in 0..whole.len() {
        let records = Records::new_checked(&whole[..cut]);
        // Cut at a border, or within the record that reaches to the end, it is a shorter frame.
        let stands = cut == 0 || cut == opening || cut >= opening + 3;
        assert_eq!(records.is_ok(), stands, "{cut}");
    }
    assert_eq!(Records::new_checked(&[0x22, 0, 0, 1]).err(), Some(Truncated));
    assert_eq!(Records::new_checked(&[0x22, 0, 0, 1, 1]).err(), Some(Truncated));
}

#[test]
fn bodies_that_make_no_sense() {
    let malformed: [&[u8]; 9] = [
        &[0x11, 1, 0],                            // OPEN of nothing
        &[0x11, 1, 0, 0, 0, 0, 0, 0, 0, 0],       // without a name
        &[0x11, 1, 0, 0, 0, 0, 0, 0, 0, 2, b'x'], // a name that is longer than the record
        &[0x11, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0xff], // not ASCII
        &[0x11, 1, 0, 0, 0, 0, 0, 0, 0, 17, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97],
        &[0x31, 1, 0, 1, 2, 3], // CREDIT of three octets
        &[0x41, 1, 0],          // STATUS of none
        &[0x61, 0, 0, 1, 8, 0], // LIMITS cut short
        &[0x71, 0, 0, 1],       // LOST cut short
    ];
    for octets in malformed {
        let record = Records::new_checked(octets).expect("whole").next();
        assert!(matches!(record, Some(Record::Malformed { .. })), "{octets:02x?}: {record:?}");
    }
}

#[test]
fn what_later_versions_add_is_passed_over() {
    // A kind 15, and a CREDIT with an octet more.
    let octets = [0xf0, 9, 9, 2, 1, 2, 0x31, 1, 0, 5, 0, 0, 0, 0xee];
    let records: Vec<_> = Records::new_checked(&octets).expect("whole").collect();
    assert_eq!(records, [Record::Unknown { kind: 15 }, Record::Credit { call: CallId(1), limit: 5 }]);
}
