//! Key exchanges with fixed keys, and sealed messages.

use airtime_rpc::crypto::{
    ClientExchange, ClientSecrets, ExchangeError, OpenError, Pin, ServerExchange, ServerSecrets, Session, Step,
    identity,
};
use libtest_mimic::Failed;
use serde_json::json;

use super::library::{Library, hex, octets, pattern};

const CLIENT: ClientSecrets = ClientSecrets { ephemeral: counting(0), nonce: [0xC1; 12] };
const SERVER: ServerSecrets = ServerSecrets { identity: counting(0x40), ephemeral: counting(0x20), nonce: [0xC2; 12] };

const fn counting(first: u8) -> [u8; 32] {
    let mut octets = [0; 32];
    let mut at = 0;
    while at < 32 {
        octets[at] = first + at as u8;
        at += 1;
    }
    octets
}

/// The four steps and the sessions as both ends of ours make them.
fn ours() -> Result<([Step; 4], [Session; 2]), Failed> {
    let (mut client, first) = ClientExchange::start(CLIENT, Pin::Known(identity(&SERVER.identity)));
    let mut server = ServerExchange::new(SERVER);
    let second = server.receive(first.octets())?.send.ok_or("no second step")?;
    let third = client.receive(second.octets())?.send.ok_or("no third step")?;
    let done = server.receive(third.octets())?;
    let fourth = done.send.ok_or("no fourth step")?;
    let over = client.receive(fourth.octets())?;
    let sessions = [over.session.ok_or("no session")?, done.session.ok_or("no session")?];
    Ok(([first, second, third, fourth], sessions))
}

/// Our client with the library's peripheral: every step is, octet by octet, what our own server sends.
pub fn with_a_peripheral() -> Result<(), Failed> {
    let mut library = Library::start()?;
    let steps = ours()?.0;
    let secrets = [hex(&SERVER.identity), hex(&SERVER.ephemeral), hex(&SERVER.nonce)];
    library.answer("peripheral", &secrets)?;
    let (mut client, first) = ClientExchange::start(CLIENT, Pin::FirstUse);
    let second = library.octets("peripheral_step", &[hex(first.octets())])?;
    assert_eq!(second, steps[1].octets());
    let third = client.receive(&second)?.send.ok_or("no third step")?;
    assert_eq!(third, steps[2]);
    // It takes no confirmation that is not genuine.
    let mut wrong = third.octets().to_vec();
    wrong[20] ^= 1;
    assert_eq!(library.ask("peripheral_step", &[hex(&wrong)])?, Err("InvalidTag".to_owned()));
    let fourth = library.octets("peripheral_step", &[hex(third.octets())])?;
    assert_eq!(fourth, steps[3].octets());
    let session = client.receive(&fourth)?.session.ok_or("no session")?;
    assert_eq!(client.identity(), Some(identity(&SERVER.identity)));
    talk(&mut library, session, "peripheral")?;
    // Whoever pinned another identity does not talk to it.
    library.answer("peripheral", &secrets)?;
    let (mut client, first) = ClientExchange::start(CLIENT, Pin::Known([9; 32]));
    let second = library.octets("peripheral_step", &[hex(first.octets())])?;
    assert_eq!(client.receive(&second).map(|_| ()), Err(ExchangeError::WrongIdentity));
    Ok(())
}

/// The library's central with our server.
pub fn with_a_central() -> Result<(), Failed> {
    let mut library = Library::start()?;
    let steps = ours()?.0;
    let first = library.octets("central", &[hex(&CLIENT.ephemeral), hex(&CLIENT.nonce)])?;
    assert_eq!(first, steps[0].octets());
    let mut server = ServerExchange::new(SERVER);
    let second = server.receive(&first)?.send.ok_or("no second step")?;
    let third = library.octets("central_step", &[hex(second.octets())])?;
    assert_eq!(third, steps[2].octets());
    let done = server.receive(&third)?;
    let fourth = done.send.ok_or("no fourth step")?;
    library.answer("central_finish", &[hex(fourth.octets())])?;
    // A second exchange on the connection is refused, as published.
    assert_eq!(server.receive(&first).map(|_| ()), Err(ExchangeError::Over));
    talk(&mut library, done.session.ok_or("no session")?, "central")
}

/// Messages both ways between `session` and the library's end.
fn talk(library: &mut Library, mut session: Session, role: &str) -> Result<(), Failed> {
    for len in [0, 1, 15, 16, 17, 244, 8_209] {
        let message = pattern(len);
        let sealed = seal(&mut session, &message, 100)?;
        assert!(library.octets("decrypt", &[json!(role), hex(&sealed)])? == message, "{len} octets");
        let mut sealed = library.octets("encrypt", &[json!(role), hex(&message)])?;
        assert!(session.open(&mut sealed)?.octets == message, "{len} octets");
    }
    Ok(())
}

fn seal(session: &mut Session, message: &[u8], piece: usize) -> Result<Vec<u8>, Failed> {
    let mut seal = session.seal()?;
    let mut ciphertext = message.to_vec();
    ciphertext.chunks_mut(piece).for_each(|piece| seal.update(piece));
    Ok([&seal.counter(), ciphertext.as_slice(), &seal.finish()].concat())
}

/// The same octets under the same key, counter and direction; a replay is refused by both.
pub fn both_ways() -> Result<(), Failed> {
    let mut library = Library::start()?;
    let [mut client, mut server] = ours()?.1;
    // What reference/rpc.md says that these secrets come to.
    let key = json!("59188316c47d2d7b25253662fa227f3b");
    for role in ["central", "peripheral"] {
        library.answer("session", &[json!(role), key.clone()])?;
    }
    for len in (0..=66).chain([243, 244, 255, 256, 1_000, 8_209, 61_178]) {
        let message = pattern(len);
        for (role, session, other) in [("central", &mut client, "peripheral"), ("peripheral", &mut server, "central")] {
            let sealed = seal(session, &message, 1 + len % 37)?;
            assert!(library.octets("encrypt", &[json!(role), hex(&message)])? == sealed, "{len} octets of the {role}");
            assert!(octets(&library.answer("decrypt", &[json!(other), hex(&sealed)])?)? == message);
            let replayed = library.ask("decrypt", &[json!(other), hex(&sealed)])?;
            assert_eq!(replayed, Err("RuntimeError".to_owned()));
        }
    }
    replays(&mut library, &mut server)
}

/// Messages of the library's central for our server, once and twice and changed.
fn replays(library: &mut Library, server: &mut Session) -> Result<(), Failed> {
    let sealed = library.octets("encrypt", &[json!("central"), hex(b"once")])?;
    let mut changed = sealed.clone();
    changed[5] ^= 0x40;
    assert_eq!(server.open(&mut changed), Err(OpenError::NotGenuine));
    let mut once = sealed.clone();
    let opened = server.open(&mut once)?;
    assert_eq!(opened.octets, b"once");
    let counter = opened.counter;
    assert_eq!(server.open(&mut sealed.clone()), Err(OpenError::Replayed { counter }));
    Ok(())
}
