//! Messages and calls.

use airtime_core::{Duration, Instant, Pool};
use airtime_esp_hosted::rpc::{
    Body, Calls, Endpoint, Envelope, Message, OUTSTANDING_MAX, Port, Request, Response, RpcError,
};
use airtime_esp_hosted::wire::{Flags, Frame, Header, Interface, Layout};

use super::{OCTETS_MAX, Script};

/// Runs one script: messages, frames of messages, and the host's list of calls.
pub fn rpc(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    let mut ports = [Port::host(&Layout::SDIO), Port::coprocessor(&Layout::SDIO)];
    let mut calls = Calls::new();
    let mut now = Instant::ZERO;
    while !script.is_over() {
        match script.octet() % 6 {
            0 => parse(script.octets(8_192)),
            1 => {
                // The protobuf alone: a fuzzer need not find the envelope.
                let mut message = Vec::new();
                let data = script.octets(8_000);
                Envelope::emit(Endpoint::Calls, &mut message, |out| out.extend_from_slice(data));
                parse(&message);
            }
            2 => {
                let port = &mut ports[usize::from(script.octet() & 1)];
                let flags = Flags::of(script.octet());
                let header = Header { flags, sequence: script.octet().into(), ..Header::new(Interface::Serial) };
                let payload = script.octets(1_524);
                receive(port, &header, payload);
            }
            3 => {
                let at = usize::from(script.octet()) % Request::IDS.len();
                let request = Request::of(Request::IDS[at]).expect("a number of the list");
                let full = calls.outstanding() == OUTSTANDING_MAX;
                assert_eq!(calls.begin(now, &request).is_err(), full);
            }
            4 => {
                let at = usize::from(script.octet()) % Response::IDS.len();
                let response = Response::of(Response::IDS[at], 0).expect("a number of the list");
                let _ = calls.settle(script.octet().into(), &response);
            }
            _ => {
                now += Duration::from_millis(script.word().into());
                while let Some(expired) = calls.expire(now) {
                    assert!(expired.uid > 0);
                }
                assert!(calls.deadline().is_none_or(|deadline| deadline > now));
            }
        }
        assert!(calls.outstanding() <= OUTSTANDING_MAX);
    }
    for port in &mut ports {
        port.reset();
        let message = Message::request(1, Request::of(280).expect("WifiStart"));
        let mut octets = Vec::new();
        message.emit(&mut octets);
        assert!(receive(port, &Header::new(Interface::Serial), &octets), "whatever came, a message comes through");
    }
}

/// A message that was read is made again of what was read.
fn parse(octets: &[u8]) {
    let message = match Message::parse(octets) {
        Ok(message) => message,
        Err(RpcError::Mismatch { id, payload }) => return assert_ne!(id, payload),
        Err(_) => return,
    };
    let mut again = Vec::new();
    message.emit(&mut again);
    assert_eq!(Message::parse(&again), Ok(message));
}

/// Whether the payload of this frame completes a message.
fn receive(port: &mut Port, header: &Header, payload: &[u8]) -> bool {
    if payload.is_empty() {
        return false;
    }
    let mut frame = Pool::new().packet();
    header.emit(&Layout::SDIO, payload, &mut frame);
    let frame = Frame::new_checked(&frame, &Layout::SDIO).expect("what is made is read");
    let before = port.faults().total() + port.fragment_faults().too_long + port.fragment_faults().rest;
    match port.receive(&frame) {
        Ok(message) => message.is_some_and(|message| !matches!(message.body, Body::Event(_))),
        Err(_) => {
            let after = port.faults().total() + port.fragment_faults().too_long + port.fragment_faults().rest;
            assert_eq!(after, before + 1, "every error is counted once");
            false
        }
    }
}
