//! A session of the key exchange with known secrets.

use airtime_rpc::crypto::{ClientExchange, ClientSecrets, Pin, ServerExchange, ServerSecrets, Session};

/// `from`, `from + 1`, …
fn counting<const OCTETS: usize>(from: u8) -> [u8; OCTETS] {
    std::array::from_fn(|at| from + at as u8)
}

/// Both ends of a session: ephemeral secrets 00…1f and 20…3f, whose key is published with the vectors.
pub fn sessions() -> (Session, Session) {
    let client = ClientSecrets { ephemeral: counting(0), nonce: [1; 12] };
    let server = ServerSecrets { identity: counting(0x40), ephemeral: counting(0x20), nonce: [2; 12] };
    let (mut client, first) = ClientExchange::start(client, Pin::FirstUse);
    let mut server = ServerExchange::new(server);
    let second = server.receive(first.octets()).expect("step 1").send.expect("step 2");
    let third = client.receive(second.octets()).expect("step 2").send.expect("step 3");
    let fourth = server.receive(third.octets()).expect("step 3");
    let at_client = client.receive(fourth.send.expect("step 4").octets()).expect("step 4");
    (at_client.session.expect("a session"), fourth.session.expect("a session"))
}
