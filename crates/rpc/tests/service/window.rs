//! The window of memory that clients read, at its edges and beyond them.

use airtime_rpc::message::{BulkReadRequest, BulkWriteRequest, FlashReadRequest, Octets, encode};
use airtime_rpc::service::{Flash, RomFlash, TestService, pattern};
use airtime_rpc::{CallId, Next, Service, Status};

const ID: CallId = CallId(7);

/// Octets of the window.
const WINDOW: u32 = 0x3000;

/// What stands on either side of the window and is nobody's business.
const SECRET: [u8; 32] = *b"a seed that no client ever reads";

/// A chip: a page with the secret, the window with the documented content, and the secret again.
fn chip() -> Vec<u8> {
    [SECRET.to_vec(), (0..WINDOW).map(pattern).collect(), SECRET.to_vec()].concat()
}

fn window(chip: &[u8]) -> TestService<RomFlash<'_>> {
    TestService::new(RomFlash::new(&chip[SECRET.len()..][..WINDOW as usize]))
}

fn encoded(message: &impl micropb::MessageEncode) -> Vec<u8> {
    let mut octets = [0; 64];
    let len = encode(message, &mut octets);
    octets[..len].to_vec()
}

/// All octets of the response, tags and checks included.
fn ask(service: &mut TestService<RomFlash<'_>>, name: &str, request: &[u8]) -> Result<Vec<u8>, Status> {
    service.open(ID, name)?;
    let result = service.received(ID, request, true).map(|()| {
        let Next::Message { octets } = service.next(ID) else { panic!("an answer is due") };
        let mut response = vec![0; octets as usize];
        service.read(ID, 0, &mut response);
        response
    });
    service.closed(ID);
    result
}

/// The octets of flash that either method of reading answers: the same.
fn read(address: u32, length: u32) -> Result<Vec<u8>, Status> {
    let chip = chip();
    let published = ask(&mut window(&chip), "flash_read", &encoded(&FlashReadRequest { address, length }));
    let large = ask(&mut window(&chip), "bulk_read", &encoded(&BulkReadRequest { address, length, offset: 0 }));
    let published = published.map(|response| response[response.len() - length as usize..].to_vec());
    // Behind the octets stands a check of five.
    let large = large.map(|response| response[response.len() - 5 - length as usize..response.len() - 5].to_vec());
    assert_eq!(published, large, "{length} octets at {address}");
    published
}

#[test]
fn address_zero_is_the_beginning_of_the_window() {
    assert_eq!(read(0, 1), Ok(vec![pattern(0)]));
    assert_eq!(read(0, 64), Ok((0..64).map(pattern).collect()));
    assert_eq!(read(0, 8_192), Ok((0..8_192).map(pattern).collect()));
}

#[test]
fn the_last_octet_is_read_and_none_behind_it() {
    assert_eq!(read(WINDOW - 1, 1), Ok(vec![pattern(WINDOW - 1)]));
    assert_eq!(read(WINDOW - 8_192, 8_192), Ok((WINDOW - 8_192..WINDOW).map(pattern).collect()));
    assert_eq!(read(WINDOW, 0), Ok(vec![]));
    for (address, length) in [(WINDOW - 1, 2), (WINDOW, 1), (WINDOW - 8_191, 8_192), (WINDOW + 1, 0), (WINDOW + 1, 1)] {
        assert_eq!(read(address, length), Err(Status::BadArgument), "{length} octets at {address}");
    }
}

#[test]
fn no_sum_wraps_into_the_window_or_in_front_of_it() {
    for (address, length) in [
        (u32::MAX, 0),
        (u32::MAX, 1),
        (u32::MAX, 2),
        (u32::MAX, 8_192),
        (u32::MAX - 31, 32),
        (u32::MAX - 31, 64),
        (0, u32::MAX),
        (1, u32::MAX),
        (WINDOW, u32::MAX),
        (u32::MAX, u32::MAX),
        (0x8000_0000, 0x8000_0000),
        (0x8000_0000, 1),
    ] {
        assert_eq!(read(address, length), Err(Status::BadArgument), "{length} octets at {address}");
    }
}

#[test]
fn what_goes_on_stays_within_the_window() {
    let chip = chip();
    for (address, length, offset) in [(0, 16, 17), (0, 16, u32::MAX), (WINDOW - 16, 16, 17), (WINDOW, 1, 1)] {
        let request = encoded(&BulkReadRequest { address, length, offset });
        assert_eq!(ask(&mut window(&chip), "bulk_read", &request), Err(Status::BadArgument), "from {offset} on");
    }
}

#[test]
fn what_is_written_is_taken_and_forgotten() {
    let chip = chip();
    let mut service = window(&chip);
    let write = |address, length| {
        let head = encoded(&BulkWriteRequest { address, length, offset: 0, data: Octets::new(4, length) });
        [head, vec![0; length as usize]].concat()
    };
    assert!(ask(&mut service, "bulk_write", &write(0, 64)).is_ok());
    assert_eq!(ask(&mut service, "bulk_write", &write(WINDOW - 1, 2)), Err(Status::BadArgument));
    let response = ask(&mut service, "flash_read", &encoded(&FlashReadRequest { address: 0, length: 64 }));
    assert!(response.expect("an answer").ends_with(&(0..64).map(pattern).collect::<Vec<_>>()));
}

#[test]
#[should_panic(expected = "out of range")]
fn whoever_checks_nothing_still_reads_nothing_else() {
    let chip = chip();
    RomFlash::new(&chip[SECRET.len()..][..WINDOW as usize]).read(WINDOW - 1, &mut [0; 2]);
}
