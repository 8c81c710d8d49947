//! Messages: golden octets, round trips, and what is no message.

use airtime_esp_hosted::rpc::proto::{
    ApRecord, ApRecords, CustomEvent, CustomReply, CustomRequest, Joined, OtaWrite, StaConfig, StaConnected, Status,
    WifiConfig, WifiConfigOf, WifiInit, WifiInitConfig, WifiSetConfig,
};
use airtime_esp_hosted::rpc::{
    Body, Endpoint, Envelope, EnvelopeError, Event, Message, Request, Response, RpcError, RpcFaults,
};

use super::frames::DOCUMENTED;

fn emit(message: &Message) -> Vec<u8> {
    let mut out = Vec::new();
    message.emit(&mut out);
    out
}

/// A message made of this protobuf.
fn enveloped(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    Envelope::emit(Endpoint::Calls, &mut out, |out| out.extend_from_slice(data));
    out
}

#[test]
fn the_documented_call() {
    let request = CustomRequest { custom_msg_id: 0x0101, data: vec![6, 0] };
    let message = Message::request(1, Request::CustomRpc(request));
    assert_eq!(emit(&message), DOCUMENTED[12..]);
    assert_eq!(Message::parse(&DOCUMENTED[12..]), Ok(message));
}

#[test]
fn events_go_to_their_own_endpoint() {
    let event = CustomEvent { resp: 0, custom_event_id: 0x0181, data: vec![1, 2, 3] };
    let octets = emit(&Message::event(Event::CustomRpc(event)));
    // msg_type 3, msg_id 788, no uid, field 788 of 8 octets: custom_event_id 0x181, data.
    let protobuf = [8, 3, 0x10, 0x94, 6, 0xa2, 0x31, 8, 0x10, 0x81, 3, 0x1a, 3, 1, 2, 3];
    let envelope = Envelope::parse(&octets).unwrap();
    assert_eq!((envelope.endpoint, envelope.data), (Endpoint::Events, &protobuf[..]));
}

#[test]
fn a_refusal_octet_for_octet() {
    // A negative int32 has ten octets.
    let message = Message::response(7, Response::OtaBegin(Status { resp: -1 }));
    let data = [8, 2, 0x10, 0x90, 4, 0x18, 7, 0x82, 0x21, 11, 8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1];
    assert_eq!(emit(&message), enveloped(&data));
    assert_eq!(Message::parse(&enveloped(&data)), Ok(message));
}

#[test]
fn every_message_comes_back() {
    let requests = Request::IDS.iter().map(|&id| Message::request(id, Request::of(id).unwrap()));
    let responses = Response::IDS.iter().map(|&id| Message::response(id, Response::of(id, -id.cast_signed()).unwrap()));
    let events = Event::IDS.iter().map(|&id| Message::event(Event::of(id).unwrap()));
    let mut count = 0;
    for message in requests.chain(responses).chain(events) {
        assert_eq!(Message::parse(&emit(&message)), Ok(message));
        count += 1;
    }
    assert_eq!(count, Request::IDS.len() * 2 + Event::IDS.len());
}

#[test]
fn fields_come_back() {
    let init = WifiInitConfig {
        static_rx_buf_num: 32,
        dynamic_rx_buf_num: 64,
        dynamic_tx_buf_num: 64,
        tx_buf_type: 1,
        rx_ba_win: 32,
        feature_caps: u64::MAX,
        sta_disconnected_pm: true,
        magic: 0x1F2F_3F4F,
        ..WifiInitConfig::default()
    };
    let sta = StaConfig { ssid: b"lab".to_vec(), channel: 12, ..StaConfig::default() };
    let config = WifiConfig { u: Some(WifiConfigOf::Sta(sta)) };
    let found = ApRecord { bssid: vec![2, 0, 0, 0, 0, 3], primary: 12, rssi: -48, ..ApRecord::default() };
    let joined = Joined { channel: 12, aid: 1, ..Joined::default() };
    let messages = [
        Message::request(1, Request::WifiInit(WifiInit { cfg: Some(init) })),
        Message::request(2, Request::WifiSetConfig(WifiSetConfig { iface: 0, cfg: Some(config) })),
        Message::request(u32::MAX, Request::OtaWrite(OtaWrite { ota_data: vec![0xa5; 1400] })),
        Message::response(
            4,
            Response::WifiScanGetApRecords(ApRecords { resp: 0, number: 2, ap_records: vec![found; 2] }),
        ),
        Message::response(5, Response::CustomRpc(CustomReply { resp: 0x106, custom_msg_id: 0x100, data: vec![] })),
        Message::event(Event::StaConnected(StaConnected { resp: 0, sta_connected: Some(joined) })),
    ];
    for message in messages {
        assert_eq!(Message::parse(&emit(&message)), Ok(message));
    }
}

#[test]
fn unknown_fields_are_skipped() {
    // Field 4000, varint; field 9 of the payload, 2 octets.
    let data = [8, 1, 0x10, 0x98, 2, 0x18, 3, 0x80, 0xfa, 1, 5, 0xc2, 0x11, 4, 0x4a, 2, 9, 9];
    assert_eq!(Message::parse(&enveloped(&data)), Ok(Message::request(3, Request::of(280).unwrap())));
}

#[test]
fn hosts_leave_empty_payloads_out() {
    // `compose_rpc_req` falls through for requests without arguments: type, number and identity are all there is.
    let data = [8, 1, 0x10, 0x90, 2, 0x18, 9];
    assert_eq!(Message::parse(&enveloped(&data)), Ok(Message::request(9, Request::of(272).unwrap())));
    let reply = [8, 2, 0x10, 0x90, 4, 0x18, 9];
    let message = Message::parse(&enveloped(&reply)).unwrap();
    assert!(matches!(message.body, Body::Response(Response::OtaBegin(Status { resp: 0 }))));
}

#[test]
fn what_is_no_message() {
    let cases: [(&[u8], RpcError); 7] = [
        (&[8, 4, 0x10, 0x90, 2], RpcError::Kind(4)),
        (&[], RpcError::Kind(0)),
        // Promiscuous mode is declared and implemented nowhere.
        (&[8, 1, 0x10, 0xb1, 2], RpcError::Unknown(305)),
        // The number of a request in a reply.
        (&[8, 2, 0x10, 0x90, 2], RpcError::Unknown(272)),
        (&[8, 1, 0x10, 0x90, 2, 0xc2, 0x11, 0], RpcError::Mismatch { id: 272, payload: 280 }),
        (&[8, 1, 0x10, 0x90, 2, 0xc2, 0x11, 9], RpcError::Protobuf),
        (&[0xff; 20], RpcError::Protobuf),
    ];
    let mut faults = RpcFaults::default();
    for (data, error) in cases {
        assert_eq!(Message::parse(&enveloped(data)), Err(error), "{data:?}");
        faults.count(error);
    }
    faults.count(RpcError::Envelope(EnvelopeError::Cut));
    assert_eq!(faults, RpcFaults { envelope: 1, protobuf: 2, kind: 2, unknown: 2, mismatch: 1 });
    assert_eq!(faults.total(), 8);
}

#[test]
fn envelopes_are_exact() {
    let whole = &DOCUMENTED[12..];
    for len in 0..whole.len() {
        assert_eq!(Envelope::parse(&whole[..len]), Err(EnvelopeError::Cut), "{len}");
    }
    let changed = |at: usize, to: u8| {
        let mut octets = whole.to_vec();
        octets[at] = to;
        Envelope::parse(&octets).map(|envelope| envelope.endpoint)
    };
    assert_eq!(changed(0, 2), Err(EnvelopeError::Type(2)));
    assert_eq!(changed(9, 1), Err(EnvelopeError::Type(1)));
    assert_eq!(changed(3, b'X'), Err(EnvelopeError::Endpoint));
    assert_eq!(changed(10, 0x10), Err(EnvelopeError::Trailing(1)));
    assert_eq!(Envelope::parse(&whole.repeat(2)), Err(EnvelopeError::Trailing(29)));
}
