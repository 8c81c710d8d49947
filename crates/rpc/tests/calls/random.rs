//! Properties: whatever happens to frames, every call ends once, and one that ends well has the right answer.

use airtime_rpc::Kind;
use airtime_rpc::client::{ClientConfig, Encryption, State};
use airtime_rpc::crypto::Pin;
use airtime_rpc::server::ServerConfig;
use airtime_rpc::service::pattern;
use proptest::collection::vec;
use proptest::prelude::*;

use super::pipe::{Pipe, client_config, server_config};

/// What happens to a frame on its way.
#[derive(Clone, Debug)]
enum Fate {
    Arrives,
    IsLost,
    ComesTwice,
    /// Goes behind the next one.
    Swaps,
    IsCut(usize),
    /// One bit is another.
    Flips(usize),
    /// Something else comes before it.
    Follows(Vec<u8>),
}

fn fate(flips: bool) -> impl Strategy<Value = Fate> {
    let flip = any::<usize>().prop_map(Fate::Flips);
    let cut = any::<usize>().prop_map(Fate::IsCut);
    let foreign = vec(any::<u8>(), 0..40).prop_map(Fate::Follows);
    prop_oneof![
        20 => Just(Fate::Arrives),
        1 => Just(Fate::IsLost),
        1 => Just(Fate::ComesTwice),
        1 => Just(Fate::Swaps),
        1 => cut,
        1 => foreign,
        u32::from(flips) => flip,
    ]
}

/// Carries out the fates of the frames in one direction.
fn carry(frames: &mut std::collections::VecDeque<Vec<u8>>, fates: &mut impl Iterator<Item = Fate>) -> Vec<Vec<u8>> {
    let mut arrived: Vec<Vec<u8>> = Vec::new();
    let mut late = None;
    for mut frame in std::mem::take(frames) {
        let behind = late.take();
        match fates.next().unwrap_or(Fate::Arrives) {
            Fate::Arrives => arrived.push(frame),
            Fate::IsLost => {}
            Fate::ComesTwice => arrived.extend([frame.clone(), frame]),
            Fate::Swaps => late = Some(frame),
            Fate::IsCut(at) => arrived.push(frame[..at % frame.len()].to_vec()),
            Fate::Flips(at) => {
                let bit = at % (frame.len() * 8);
                frame[bit / 8] ^= 1 << (bit % 8);
                arrived.push(frame);
            }
            Fate::Follows(foreign) => arrived.extend([foreign, frame]),
        }
        arrived.extend(behind);
    }
    arrived.extend(late);
    arrived
}

/// The request and the only right answer of one of three calls.
fn a_call(at: usize) -> (&'static str, Vec<u8>, Vec<u8>) {
    let number = at as u8 % 100;
    match at % 3 {
        0 => ("echo", vec![0x0a, 2, b'a' + number % 26, b'0'], vec![0x0a, 2, b'a' + number % 26, b'0']),
        1 => {
            let flash = (u32::from(number)..).map(pattern).take(1000);
            (
                "flash_read",
                vec![0x08, number, 0x10, 0xe8, 0x07],
                [vec![0x08, number, 0x12, 0xe8, 0x07], flash.collect()].concat(),
            )
        }
        _ => {
            let octets = 300 + usize::from(number);
            let length = [octets as u8 & 0x7f | 0x80, (octets >> 7) as u8];
            (
                "data_write",
                [vec![0x0a], length.to_vec(), vec![number; octets]].concat(),
                [vec![0x08], length.to_vec()].concat(),
            )
        }
    }
}

/// Makes calls while things happen to their frames.
fn calls(mut pipe: Pipe, fates: Vec<Fate>, sealed: bool) {
    let mut fates = fates.into_iter();
    for at in 1..12 {
        let (name, request, right) = a_call(at);
        if pipe.client.room() == 0 {
            pipe.wait();
        }
        let call = pipe.start(name, Kind::Unary, &[request]);
        while !pipe.book.is_over(call) {
            pipe.pull_client();
            for frame in carry(&mut pipe.up, &mut fates) {
                pipe.give_server(&frame);
            }
            pipe.pull_server();
            for frame in carry(&mut pipe.down, &mut fates) {
                pipe.give_client(&frame);
            }
            if pipe.up.is_empty() && pipe.down.is_empty() && !pipe.book.is_over(call) {
                pipe.pull_client();
                if pipe.up.is_empty() {
                    pipe.wait();
                }
            }
        }
        if let Ok(responses) = pipe.book.result(call) {
            assert_eq!(responses, [right], "{name}, sealed: {sealed}");
        }
    }
    // Whatever was, the next call passes.
    let (name, request, right) = a_call(0);
    assert_eq!(pipe.call(name, Kind::Unary, &[request]), [right]);
    assert_eq!(pipe.service.under_way(), 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn calls_in_the_open(fates in vec(fate(false), 0..150)) {
        calls(Pipe::plain(), fates, false);
    }

    #[test]
    fn sealed_calls(fates in vec(fate(true), 0..150)) {
        let client = ClientConfig { encryption: Encryption::Required(Pin::FirstUse), ..client_config() };
        calls(Pipe::ready(client, ServerConfig { encrypted: true, ..server_config() }), fates, true);
    }

    #[test]
    fn any_set_up_ends(fates in vec(fate(true), 0..20)) {
        let client = ClientConfig { encryption: Encryption::Required(Pin::FirstUse), ..client_config() };
        let mut pipe = Pipe::connected(client, ServerConfig { encrypted: true, ..server_config() });
        let mut fates = fates.into_iter();
        for _ in 0..20 {
            pipe.pull_client();
            for frame in carry(&mut pipe.up, &mut fates) {
                pipe.give_server(&frame);
            }
            pipe.pull_server();
            for frame in carry(&mut pipe.down, &mut fates) {
                pipe.give_client(&frame);
            }
            if pipe.client.deadline().is_some() && pipe.down.is_empty() {
                pipe.pull_client();
                if pipe.up.is_empty() {
                    pipe.wait();
                }
            }
        }
        prop_assert!(matches!(pipe.client.state(), State::Ready(_) | State::Failed(_)), "{:?}", pipe.client.state());
    }
}
