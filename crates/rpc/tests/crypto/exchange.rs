//! The key exchange: known answers, and every wrong turn.

use std::collections::BTreeMap;
use std::convert::Infallible;

use airtime_rpc::crypto::{ClientExchange, ExchangeError, KeyStore, Pin, ServerExchange, identity};

use super::hex::hex;
use super::support::{client_secrets, exchange, server_secrets};

const CLIENT_PUBLIC: &str = "8f40c5adb68f25624ae5b214ea767a6ec94d829d3d7b5e1ad1ba6f3e2138285f";
const SERVER_PUBLIC: &str = "358072d6365880d1aeea329adf9121383851ed21a28e3b75e965d0d2cd166254";
const IDENTITY: &str = "2543b92ff1095511476adc8369db6ddc933665a11978dda1404ee1066ca9559d";
const SIGNATURE: &str = "8dc39051e6ec10b78e02a174074197e4f84acdbe191695c18da63c9d31e4928240da230d4378113764acb98f4caee7e2f423191f03cb0b3062dd20d050f82304";

fn known() -> [u8; 32] {
    hex(IDENTITY).try_into().expect("32 octets")
}

#[test]
fn steps_are_those_of_the_published_implementation() {
    let [first, second, third, fourth] = exchange(Pin::Known(known())).steps;
    assert_eq!(first.octets(), hex(&format!("01{CLIENT_PUBLIC}")));
    assert_eq!(second.octets(), hex(&format!("02{SERVER_PUBLIC}{SIGNATURE}{IDENTITY}")));
    for (step, number, nonce) in [(third, 3, 0xC1), (fourth, 4, 0xC2)] {
        assert_eq!(step.octets().len(), 45);
        assert_eq!(step.octets()[0], number);
        assert_eq!(step.octets()[1..13], [nonce; 12]);
    }
    assert_eq!(identity(&server_secrets().identity), known());
}

#[test]
fn a_client_takes_the_pinned_server_only() {
    let mut server = ServerExchange::new(server_secrets());
    let (mut client, first) = ClientExchange::start(client_secrets(), Pin::Known([7; 32]));
    let second = server.receive(first.octets()).expect("a key").send.expect("an answer");
    assert_eq!(client.receive(second.octets()).unwrap_err(), ExchangeError::WrongIdentity);
    assert_eq!(client.identity(), None);
    assert_eq!(client.receive(second.octets()).unwrap_err(), ExchangeError::Over);
}

#[test]
fn any_octet_of_the_second_step_counts() {
    let second = exchange(Pin::FirstUse).steps[1];
    for at in 0..second.octets().len() {
        let (mut client, _) = ClientExchange::start(client_secrets(), Pin::FirstUse);
        let mut wrong = second.octets().to_vec();
        wrong[at] ^= 0x10;
        let expected = if at == 0 { ExchangeError::Malformed } else { ExchangeError::NotGenuine };
        assert_eq!(client.receive(&wrong).unwrap_err(), expected, "octet {at}");
    }
}

#[test]
fn any_octet_of_a_confirmation_counts() {
    let [first, second, third, fourth] = exchange(Pin::FirstUse).steps;
    for at in 1..third.octets().len() {
        let mut server = ServerExchange::new(server_secrets());
        server.receive(first.octets()).expect("a key");
        let mut wrong = third.octets().to_vec();
        wrong[at] ^= 1;
        assert_eq!(server.receive(&wrong).unwrap_err(), ExchangeError::NotGenuine, "octet {at}");
        // It does not get another guess.
        assert_eq!(server.receive(third.octets()).unwrap_err(), ExchangeError::Over);

        let (mut client, _) = ClientExchange::start(client_secrets(), Pin::FirstUse);
        client.receive(second.octets()).expect("a key");
        let mut wrong = fourth.octets().to_vec();
        wrong[at] ^= 1;
        assert_eq!(client.receive(&wrong).unwrap_err(), ExchangeError::NotGenuine, "octet {at}");
        assert_eq!(client.receive(fourth.octets()).unwrap_err(), ExchangeError::Over);
    }
}

/// The words of both ends differ, so that neither confirmation can be sent back.
#[test]
fn a_confirmation_is_not_taken_from_a_mirror() {
    let [_, second, third, _] = exchange(Pin::FirstUse).steps;
    let (mut client, _) = ClientExchange::start(client_secrets(), Pin::FirstUse);
    client.receive(second.octets()).expect("a key");
    let mut mirrored = third.octets().to_vec();
    mirrored[0] = 4;
    assert_eq!(client.receive(&mirrored).unwrap_err(), ExchangeError::NotGenuine);
}

#[test]
fn a_server_takes_steps_in_turn_and_once() {
    use ExchangeError::{Malformed, OutOfTurn, Over};
    let [first, second, third, fourth] = exchange(Pin::FirstUse).steps.map(|step| step.octets().to_vec());
    let mut server = ServerExchange::new(server_secrets());
    // What makes no sense now changes nothing.
    let early: [(&[u8], _); 8] = [
        (&[], Malformed),
        (&[0], Malformed),
        (&first[..32], Malformed),
        (&[first.as_slice(), &[0]].concat(), Malformed),
        (&second, Malformed),
        (&fourth, Malformed),
        (&third, OutOfTurn),
        (&[5; 45], Malformed),
    ];
    for (step, error) in early {
        assert_eq!(server.receive(step).unwrap_err(), error, "{step:?}");
    }
    assert_eq!(server.receive(&first).expect("a key").send.expect("an answer").octets(), second);
    assert_eq!(server.receive(&first).unwrap_err(), OutOfTurn);
    assert_eq!(server.receive(&third[..44]).unwrap_err(), Malformed);
    assert!(server.receive(&third).expect("a confirmation").session.is_some());
    assert_eq!(server.receive(&first).unwrap_err(), Over);
    assert_eq!(server.receive(&third).unwrap_err(), Over);
}

/// RFC 7748, 6.1: with a key of low order the secret is zero whoever the other end is.
#[test]
fn keys_of_low_order_are_refused() {
    let one: [u8; 32] = core::array::from_fn(|at| u8::from(at == 0));
    for weak in [[0; 32], one] {
        let mut server = ServerExchange::new(server_secrets());
        let step = [&[1], weak.as_slice()].concat();
        assert_eq!(server.receive(&step).unwrap_err(), ExchangeError::WeakKey);
    }
}

#[derive(Default)]
struct Remembered(BTreeMap<Vec<u8>, [u8; 32]>);

impl KeyStore for Remembered {
    type Error = Infallible;

    fn known(&self, device: &[u8]) -> Option<[u8; 32]> {
        self.0.get(device).copied()
    }

    fn remember(&mut self, device: &[u8], identity: [u8; 32]) -> Result<(), Infallible> {
        self.0.insert(device.to_vec(), identity);
        Ok(())
    }
}

#[test]
fn the_first_identity_of_a_device_is_pinned() {
    let mut store = Remembered::default();
    let device = [1, 2, 3, 4, 5, 6];
    assert_eq!(store.pin(&device), Pin::FirstUse);
    let (mut client, _) = ClientExchange::start(client_secrets(), store.pin(&device));
    client.receive(exchange(Pin::FirstUse).steps[1].octets()).expect("a key");
    let Ok(()) = store.remember(&device, client.identity().expect("proven"));
    assert_eq!(store.pin(&device), Pin::Known(known()));
    assert!(store.pin(&device).takes(&known()) && !store.pin(&device).takes(&[0; 32]));
    assert_eq!(store.pin(&[9]), Pin::FirstUse);
}
