//! Messages, and their fields in pieces.

use airtime_rpc::Kind;
use airtime_rpc::message::{
    BlerpcMethod, BulkWriteRequest, Call, Chat, CounterStream, Echo, EchoRequest, Field, FieldReader, FlashReadRequest,
    FlashReadResponse, NoMessage, Octets, decode, encode, size,
};
use proptest::collection::vec;
use proptest::prelude::*;

#[test]
fn methods_have_names_and_kinds() {
    let published = [
        ("echo", Kind::Unary),
        ("flash_read", Kind::Unary),
        ("data_write", Kind::Unary),
        ("counter_stream", Kind::ServerStream),
        ("counter_upload", Kind::ClientStream),
    ];
    for (method, expected) in BlerpcMethod::ALL.into_iter().zip(published) {
        assert_eq!((method.name(), method.kind()), expected);
        assert_eq!(BlerpcMethod::named(expected.0), Some(method));
    }
    assert_eq!(BlerpcMethod::named("Echo"), None);
    assert_eq!((Echo::NAME, CounterStream::KIND, Chat::KIND), ("echo", Kind::ServerStream, Kind::Bidirectional));
}

#[test]
fn messages_are_encoded_as_protobuf_has_it() {
    let mut into = [0; 32];
    let hello = EchoRequest { message: "hello".try_into().expect("short") };
    let len = encode(&hello, &mut into);
    assert_eq!(into[..len], *b"\x0a\x05hello");
    assert_eq!(decode(&into[..len]), Ok(hello));
    let len = encode(&FlashReadRequest { address: 0, length: 8192 }, &mut into);
    assert_eq!(into[..len], [0x10, 0x80, 0x40]);
}

#[test]
fn octets_stay_on_the_wire() {
    let mut into = [0; 32];
    let response = FlashReadResponse { address: 5, data: Octets::new(2, 8192) };
    let head = encode(&response, &mut into);
    assert_eq!(into[..head], [0x08, 5, 0x12, 0x80, 0x40]);
    assert_eq!(size(&response), head as u32 + 8192);
    let whole = [into[..head].to_vec(), vec![1; 8192]].concat();
    assert_eq!(decode(&whole), Ok(response));
    assert_eq!(decode::<FlashReadResponse>(&whole[..100]), Err(NoMessage));
}

#[test]
fn what_is_no_message_is_refused() {
    // Cut short; text that is no UTF-8; a length beyond the end; the wrong wire type; field 0.
    for octets in [&b"\x0a"[..], b"\x0a\x02\xc3\x28", b"\x0a\x05hell", b"\x08\x05", b"\x02\x00"] {
        assert_eq!(decode::<EchoRequest>(octets), Err(NoMessage), "{octets:?}");
    }
    let long = [vec![0x0a, 0x81, 0x02], vec![b'x'; 257]].concat();
    assert_eq!(decode::<EchoRequest>(&long), Err(NoMessage));
    assert!(decode::<EchoRequest>(&[vec![0x0a, 0x80, 0x02], vec![b'x'; 256]].concat()).is_ok());
    // Fields that nobody knows are skipped.
    assert_eq!(decode(b"\x7a\x01\x00\x0a\x02hi").map(|request: EchoRequest| request.message.len()), Ok(2));
}

/// Fields with their octets joined.
fn read(octets: &[u8], piece: usize) -> Result<Vec<(u32, u64, Vec<u8>)>, NoMessage> {
    let mut reader = FieldReader::default();
    let mut fields = Vec::new();
    for piece in octets.chunks(piece) {
        reader.push(piece, |field| match field {
            Field::Integer { field, value } => fields.push((field, u64::from(value), Vec::new())),
            Field::Begin { field, len } => fields.push((field, u64::from(len), Vec::new())),
            Field::Octets(octets) => fields.last_mut().expect("a field began").2.extend(octets),
        })?;
    }
    if reader.may_end() { Ok(fields) } else { Err(NoMessage) }
}

#[test]
fn fields_come_in_pieces_of_any_size() {
    let mut head = [0; 32];
    let request = BulkWriteRequest { address: 7, length: 300_000, offset: 128, data: Octets::new(4, 500) };
    let len = encode(&request, &mut head);
    let data: Vec<u8> = (0..500).map(|at| at as u8).collect();
    let whole = [&head[..len], &data, b"\x2d\x01\x02\x03\x04"].concat();
    let expected =
        vec![(1, 7, vec![]), (2, 300_000, vec![]), (3, 128, vec![]), (4, 500, data.clone()), (5, 0x0403_0201, vec![])];
    for piece in [1, 2, 3, 7, 100, 1000] {
        assert_eq!(read(&whole, piece), Ok(expected.clone()), "in pieces of {piece}");
    }
    for end in [len - 1, len + 499] {
        assert_eq!(read(&whole[..end], 64), Err(NoMessage), "cut at {end}");
    }
    // Eleven octets of a number; a group; field 0.
    for octets in [&[8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1][..], &[0x0b], &[0x00]] {
        assert_eq!(read(octets, 1), Err(NoMessage), "{octets:?}");
    }
}

proptest! {
    #[test]
    fn any_octets_are_read_or_refused(octets in vec(any::<u8>(), 0..200), piece in 1_usize..50) {
        prop_assert_eq!(read(&octets, piece), read(&octets, 200));
        let _ = decode::<EchoRequest>(&octets);
        let _ = decode::<BulkWriteRequest>(&octets);
    }
}
