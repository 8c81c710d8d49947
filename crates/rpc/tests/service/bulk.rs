//! Large objects, and how they go on.

use airtime_rpc::message::{
    BulkReadRequest, BulkStatusRequest, BulkStatusResponse, BulkWriteRequest, BulkWriteResponse, Octets, decode, encode,
};
use airtime_rpc::service::{Crc32, Flash, PatternFlash, RamFlash, TestService, pattern};
use airtime_rpc::{CallId, Next, Service, Status};

const ID: CallId = CallId(4);

fn encoded(message: &impl micropb::MessageEncode) -> Vec<u8> {
    let mut octets = [0; 300];
    let len = encode(message, &mut octets);
    octets[..len].to_vec()
}

fn ask<F: Flash>(service: &mut TestService<F>, name: &str, request: &[u8]) -> Result<Vec<u8>, Status> {
    service.open(ID, name)?;
    let result = service.received(ID, request, true).map(|()| {
        let Next::Message { octets } = service.next(ID) else { panic!("an answer is due") };
        let mut response = vec![0; octets as usize];
        for at in (0..response.len()).step_by(237) {
            let end = response.len().min(at + 237);
            service.read(ID, at as u32, &mut response[at..end]);
        }
        response
    });
    service.closed(ID);
    result
}

fn write(address: u32, length: u32, offset: u32, octets: &[u8]) -> Vec<u8> {
    let head = BulkWriteRequest { address, length, offset, data: Octets::new(4, octets.len() as u32) };
    [encoded(&head), octets.to_vec()].concat()
}

fn status<F: Flash>(service: &mut TestService<F>, address: u32, length: u32) -> (u32, u32) {
    let response = ask(service, "bulk_status", &encoded(&BulkStatusRequest { address, length })).expect("an answer");
    let BulkStatusResponse { offset, crc32 } = decode(&response).expect("a status");
    (offset, crc32)
}

fn crc(octets: &[u8]) -> u32 {
    let mut crc = Crc32::new();
    crc.update(octets);
    crc.value()
}

#[test]
fn the_check_is_that_of_the_catalogue() {
    // CRC-32/ISO-HDLC of "123456789" in the catalogue of parametrised CRC algorithms.
    assert_eq!(crc(b"123456789"), 0xcbf4_3926);
}

#[test]
fn a_read_has_the_check_of_the_whole_object() {
    let object: Vec<u8> = (50..3050).map(pattern).collect();
    let check = [vec![0x15], crc(&object).to_le_bytes().to_vec()].concat();
    for offset in [0, 1, 64, 2999, 3000] {
        let request = encoded(&BulkReadRequest { address: 50, length: 3000, offset });
        let response = ask(&mut TestService::new(PatternFlash::new(4096)), "bulk_read", &request).expect("an answer");
        let rest = &object[offset as usize..];
        let (octets, end) = response.split_at(response.len() - 5);
        assert_eq!(end, check, "from {offset} on");
        assert!(octets.ends_with(rest));
        assert!(octets.len() - rest.len() <= 3);
    }
    let beyond = encoded(&BulkReadRequest { address: 4000, length: 97, offset: 0 });
    assert_eq!(ask(&mut TestService::new(PatternFlash::new(4096)), "bulk_read", &beyond), Err(Status::BadArgument));
}

#[test]
fn a_write_that_was_cut_goes_on() {
    let object: Vec<u8> = (0..2000_u32).map(|at| (at * 7) as u8).collect();
    let mut service = TestService::new(RamFlash::<4096>::new());
    assert_eq!(status(&mut service, 100, 2000), (0, crc(b"")));

    // The connection goes after 1000 octets of the request.
    let request = write(100, 2000, 0, &object);
    let head = request.len() - object.len();
    service.open(ID, "bulk_write").expect("there is room");
    for piece in request[..head + 1000].chunks(240) {
        assert_eq!(service.received(ID, piece, false), Ok(()));
    }
    service.closed(ID);
    assert_eq!(status(&mut service, 100, 2000), (1000, crc(&object[..1000])));
    assert_eq!(status(&mut service, 100, 1999), (0, crc(b"")), "another object");

    assert_eq!(ask(&mut service, "bulk_write", &write(100, 2000, 999, &object[999..])), Err(Status::BadArgument));
    assert_eq!(ask(&mut service, "bulk_write", &write(100, 2000, 1001, &object[1001..])), Err(Status::BadArgument));
    let response = ask(&mut service, "bulk_write", &write(100, 2000, 1000, &object[1000..])).expect("an answer");
    assert_eq!(decode(&response), Ok(BulkWriteResponse { offset: 2000, crc32: crc(&object) }));
    assert_eq!(service.flash().octets()[100..2100], object);
    assert_eq!(service.flash().octets()[2100], pattern(2100), "nothing beyond");
}

#[test]
fn writes_stay_within_their_object() {
    let mut service = TestService::new(RamFlash::<4096>::new());
    let octets = [1; 200];
    for request in [
        write(4000, 200, 0, &octets),
        write(0, 199, 0, &octets),
        write(u32::MAX, 200, 0, &octets),
        // What comes before the octets cannot be taken back behind them.
        [write(0, 200, 0, &octets), vec![0x08, 1]].concat(),
        write(0, 200, 0, &octets)[..150].to_vec(),
    ] {
        assert_eq!(ask(&mut service, "bulk_write", &request), Err(Status::BadArgument));
    }
}

#[test]
fn one_writes_at_a_time() {
    let mut service = TestService::new(PatternFlash::new(1 << 20));
    let request = write(0, 100_000, 0, &[0; 100]);
    service.open(CallId(1), "bulk_write").expect("there is room");
    assert_eq!(service.received(CallId(1), &request[..50], false), Ok(()));
    assert_eq!(ask(&mut service, "bulk_write", &request), Err(Status::Busy));
    service.closed(CallId(1));
    assert!(ask(&mut service, "bulk_write", &request).is_ok());
    assert!(service.flash().written() > 100);
    assert!(service.flash().differing() > 0, "zeros are not the pattern");
}
