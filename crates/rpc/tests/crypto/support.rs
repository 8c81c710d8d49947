//! Both ends with the keys of the known answers, made with blerpc-protocol 0.8.0.

use airtime_rpc::crypto::{ClientExchange, ClientSecrets, Pin, ServerExchange, ServerSecrets, Session, Step};

/// The client's secrets: X25519 000102..1f.
pub fn client_secrets() -> ClientSecrets {
    ClientSecrets { ephemeral: counting(0), nonce: [0xC1; 12] }
}

/// The server's secrets: X25519 202122..3f, Ed25519 404142..5f.
pub fn server_secrets() -> ServerSecrets {
    ServerSecrets { identity: counting(0x40), ephemeral: counting(0x20), nonce: [0xC2; 12] }
}

fn counting(first: u8) -> [u8; 32] {
    core::array::from_fn(|at| first + at as u8)
}

/// The first three steps, and both ends after the last.
pub struct Exchanged {
    pub steps: [Step; 4],
    pub client: Session,
    pub server: Session,
}

pub fn exchange(pin: Pin) -> Exchanged {
    let mut server = ServerExchange::new(server_secrets());
    let (mut client, first) = ClientExchange::start(client_secrets(), pin);
    let second = server.receive(first.octets()).expect("the client's key").send.expect("an answer");
    let third = client.receive(second.octets()).expect("the server's key").send.expect("a confirmation");
    let done = server.receive(third.octets()).expect("the client's confirmation");
    let fourth = done.send.expect("a confirmation");
    let over = client.receive(fourth.octets()).expect("the server's confirmation");
    assert!(over.send.is_none());
    let steps = [first, second, third, fourth];
    Exchanged { steps, client: over.session.expect("a session"), server: done.session.expect("a session") }
}

pub fn sessions() -> [Session; 2] {
    let Exchanged { client, server, .. } = exchange(Pin::FirstUse);
    [client, server]
}

/// A whole message, sealed in pieces of `piece` octets.
pub fn seal(session: &mut Session, message: &[u8], piece: usize) -> Vec<u8> {
    let mut seal = session.seal().expect("a counter is left");
    let mut sealed = seal.counter().to_vec();
    sealed.extend_from_slice(message);
    for piece in sealed[4..].chunks_mut(piece) {
        seal.update(piece);
    }
    sealed.extend_from_slice(&seal.finish());
    sealed
}
