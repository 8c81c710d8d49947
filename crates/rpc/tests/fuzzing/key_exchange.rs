//! Key exchanges of which any step may be changed, left out, repeated or made up, and what is sealed afterwards.

use airtime_rpc::crypto::{
    ClientExchange, ClientSecrets, ExchangeError, Pin, Progress, ServerExchange, ServerSecrets, Session,
};

use super::{OCTETS_MAX, Script};

const CLIENT: ClientSecrets = ClientSecrets { ephemeral: [11; 32], nonce: [12; 12] };
const SERVER: ServerSecrets = ServerSecrets { identity: [21; 32], ephemeral: [22; 32], nonce: [23; 12] };

/// More exchanges than this add time and no new states: each takes four multiplications on the curve.
const STEPS_MAX: usize = 24;

/// Runs one script: steps in any order, then sealed octets in any state.
pub fn key_exchange(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    let (mut client, first) = ClientExchange::start(CLIENT, Pin::FirstUse);
    let mut server = ServerExchange::new(SERVER);
    let (mut to_server, mut to_client) = (first.octets().to_vec(), Vec::new());
    let (mut client_session, mut server_session) = (None, None);
    let mut changed = false;
    for _ in 0..STEPS_MAX {
        if script.is_over() {
            break;
        }
        match script.octet() % 6 {
            0 => {
                let result = server.receive(&to_server);
                take(result, &mut to_client, &mut server_session);
            }
            1 => {
                let result = client.receive(&to_client);
                take(result, &mut to_server, &mut client_session);
            }
            2 => changed |= change(&mut to_server, &mut script),
            3 => changed |= change(&mut to_client, &mut script),
            4 => take(server.receive(script.octets(140)), &mut to_client, &mut server_session),
            _ => take(client.receive(script.octets(140)), &mut to_server, &mut client_session),
        }
    }
    if let (Some(client), Some(server)) = (&mut client_session, &mut server_session) {
        talk(client, server, &mut script);
    } else if !changed && client_session.is_some() {
        unreachable!("a client has a session only when the server has one");
    }
}

fn take(result: Result<Progress, ExchangeError>, answer: &mut Vec<u8>, session: &mut Option<Session>) {
    if let Ok(progress) = result {
        if let Some(step) = progress.send {
            *answer = step.octets().to_vec();
        }
        if progress.session.is_some() {
            assert!(session.is_none(), "one session for each exchange");
            *session = progress.session;
        }
    }
}

/// Changes a step on its way; says whether it is another then.
fn change(step: &mut Vec<u8>, script: &mut Script<'_>) -> bool {
    let before = step.clone();
    let at = usize::from(script.octet());
    match script.octet() % 3 {
        0 => step.truncate(at),
        1 => step.push(at as u8),
        _ => {
            if let Some(octet) = step.get_mut(at) {
                *octet ^= script.octet();
            }
        }
    }
    *step != before
}

/// Messages both ends seal, and octets that neither did. Whatever came before, what was sealed now is opened once.
fn talk(client: &mut Session, server: &mut Session, script: &mut Script<'_>) {
    while !script.is_over() {
        let message = script.octets(300);
        let mut foreign = message.to_vec();
        assert!(server.open(&mut foreign).is_err() && client.open_frame(&mut foreign).is_err());
        assert_eq!(foreign, message, "what is refused stays as it was");
        let mut frame = [&[0; 4], message, &[0; 16]].concat();
        client.seal_frame(&mut frame, message.len()).expect("counters are left");
        let mut wrong = frame.clone();
        let at = usize::from(script.octet()) % wrong.len();
        wrong[at] ^= 1 << (script.octet() % 8);
        assert!(server.open_frame(&mut wrong).is_err());
        assert_eq!(server.open_frame(&mut frame.clone()).expect("genuine").octets, message);
        assert!(server.open_frame(&mut frame).is_err(), "a replay");

        let mut seal = server.seal().expect("counters are left");
        let mut sealed = seal.counter().to_vec();
        sealed.extend_from_slice(message);
        let piece = 1 + usize::from(script.octet() % 40);
        sealed[4..].chunks_mut(piece).for_each(|piece| seal.update(piece));
        sealed.extend_from_slice(&seal.finish());
        assert_eq!(client.open(&mut sealed).expect("genuine").octets, message);
    }
}
