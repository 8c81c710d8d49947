//! The server of remote calls without a transport: frames in, frames out, no allocation.
//!
//! `cargo run -p airtime-rpc --example server`

use airtime_core::Instant;
use airtime_rpc::crypto::ServerSecrets;
use airtime_rpc::server::{Server, ServerConfig};
use airtime_rpc::service::{RamFlash, TestService};

/// Octets of an ATT value at an MTU of 247.
const FRAME: u16 = 244;

/// A call of `echo` with "hello" in the published protocol: container, command, message.
const ECHO: &[u8] = b"\x02\x00\x00\x0f\x00\x0f\x00\x04echo\x07\x00\x0a\x05hello";

fn main() {
    let mut server: Server<16_384> = Server::new(ServerConfig::default());
    let mut service = TestService::new(RamFlash::<65_536>::default());
    let now = Instant::ZERO;

    // The secrets of a key exchange, which an open connection has no use for.
    let secrets = ServerSecrets { identity: [5; 32], ephemeral: [6; 32], nonce: [7; 12] };
    server.connected(now, FRAME, secrets);
    server.receive(now, ECHO, &mut service);

    // Frames are pulled when the transport has room for one.
    let mut frame = [0; FRAME as usize];
    let octets = server.transmit(now, &mut frame, &mut service).expect("it answers");
    assert!(frame[..octets].ends_with(b"\x0a\x05hello"));
    println!("{octets} octets of answer: {:02x?}", &frame[..octets]);
    server.disconnected(now, &mut service);
}
