//! Octets of whole conversations. Those of single containers are the published library's (`blerpc-protocol` 0.8.0).

use airtime_rpc::Kind;
use airtime_rpc::client::{ClientConfig, Encryption, Mode, State};
use airtime_rpc::crypto::{Pin, identity};
use airtime_rpc::server::ServerConfig;
use airtime_rpc::service::pattern;

use super::pipe::{Pipe, SERVER_SECRETS, client_config, octets, server_config};

/// `flash_read` of 8192 octets at address 0.
fn flash_read_8192() -> Vec<u8> {
    octets("108040")
}

fn sealed() -> (ClientConfig, ServerConfig) {
    let client = ClientConfig { encryption: Encryption::Required(Pin::FirstUse), ..client_config() };
    (client, ServerConfig { encrypted: true, ..server_config() })
}

#[test]
fn a_set_up_and_an_echo() {
    let mut pipe = Pipe::connected(client_config(), server_config());
    let client = ["0000c400", "0100d006000000000000"];
    let server = ["0000c4026400", "0100d0060030ffff0000"];
    pipe.run();
    assert_eq!(pipe.sent(), client);
    assert_eq!(pipe.answered(), server);
    pipe.log.clear();
    assert_eq!(pipe.call("echo", Kind::Unary, &[octets("0a0568656c6c6f")]), [octets("0a0568656c6c6f")]);
    assert_eq!(pipe.sent(), ["0200000f000f00046563686f07000a0568656c6c6f"]);
    assert_eq!(pipe.answered(), ["0200000f000f80046563686f07000a0568656c6c6f"]);
}

#[test]
fn a_flash_read_takes_35_containers() {
    let mut pipe = Pipe::plain();
    let response = pipe.call("flash_read", Kind::Unary, &[flash_read_8192()]);
    assert_eq!(pipe.sent(), ["020000110011000a666c6173685f726561640300108040"]);
    let containers = pipe.answered();
    assert_eq!(containers.len(), 35);
    assert_eq!(containers.iter().map(|frame| frame.len() / 2).sum::<usize>(), 8351);
    // The command of 8209 octets: header of 14, message of 3 and 8192.
    assert!(containers[0].starts_with("0200001120ee800a666c6173685f726561640320128040"), "{}", containers[0]);
    assert!(containers[34].starts_with("02224033"), "{}", containers[34]);
    let flash: Vec<u8> = (0..8192).map(pattern).collect();
    assert_eq!(response, [[octets("128040"), flash].concat()]);
}

#[test]
fn a_sealed_flash_read_takes_20_octets_more() {
    let (client, server) = sealed();
    let mut pipe = Pipe::connected(client, server);
    pipe.run();
    let State::Ready(terms) = pipe.client.state() else { panic!("{:?}", pipe.client.state()) };
    assert_eq!(terms.identity, Some(identity(&SERVER_SECRETS.identity)));
    assert_eq!(terms.mode, Mode::Compatible);
    let lengths: Vec<_> = pipe.log.iter().map(|(_, frame)| frame.len()).collect();
    assert_eq!(lengths, [4, 6, 10, 10, 4 + 33, 4 + 129, 4 + 45, 4 + 45]);
    pipe.log.clear();

    let response = pipe.call("flash_read", Kind::Unary, &[flash_read_8192()]);
    let containers = pipe.answered();
    assert_eq!(containers.len(), 35);
    assert_eq!(containers.iter().map(|frame| frame.len() / 2).sum::<usize>(), 8371);
    let flash: Vec<u8> = (0..8192).map(pattern).collect();
    assert_eq!(response, [[octets("128040"), flash].concat()]);
}

#[test]
fn a_stream_from_the_server() {
    let mut pipe = Pipe::plain();
    let items = pipe.call("counter_stream", Kind::ServerStream, &[octets("0805")]);
    assert_eq!(items, ["", "0801100a", "08021014", "0803101e", "08041028"].map(octets));
    assert_eq!(pipe.sent(), ["020000140014000e636f756e7465725f73747265616d02000805"]);
    let expected = [
        "000000120012800e636f756e7465725f73747265616d0000",
        "010000160016800e636f756e7465725f73747265616d04000801100a",
        "020000160016800e636f756e7465725f73747265616d040008021014",
        "030000160016800e636f756e7465725f73747265616d04000803101e",
        "040000160016800e636f756e7465725f73747265616d040008041028",
        "0500cc00",
    ];
    assert_eq!(pipe.answered(), expected);
}

#[test]
fn a_stream_to_the_server() {
    let mut pipe = Pipe::plain();
    let items = ["", "0801100a", "08021014", "0803101e", "08041028"].map(octets);
    assert_eq!(pipe.call("counter_upload", Kind::ClientStream, &items), [octets("0805")]);
    let sent = pipe.sent();
    assert_eq!(sent.len(), 6);
    assert_eq!(sent[0], "020000120012000e636f756e7465725f75706c6f61640000");
    assert_eq!(sent[5], "0700c800");
    assert_eq!(pipe.answered(), ["000000140014800e636f756e7465725f75706c6f616402000805"]);
}

#[test]
fn a_request_that_spans_several_containers() {
    let mut pipe = Pipe::plain();
    let text = "x".repeat(256);
    let request = [octets("0a8002"), text.into_bytes()].concat();
    let answer = pipe.call("echo", Kind::Unary, std::slice::from_ref(&request));
    assert_eq!(answer, [request]);
    assert_eq!(pipe.sent().len(), 2);
    let data = [octets("0a8040"), vec![0xa5; 8192]].concat();
    assert_eq!(pipe.call("data_write", Kind::Unary, &[data]), [octets("088040")]);
}
