//! The table of commands against the controller that answers them, and against the page made of it.

use std::path::Path;

use airtime_ble::controller::outbox::Output;
use airtime_ble::controller::{Controller, Input};
use airtime_ble::hci::commands::{COMMANDS, Needs};
use airtime_ble::hci::{H4, Opcode, Status, event, markdown, opcode};
use airtime_ble::personality;
use airtime_core::{Instant, Pool};

use crate::support::PLAIN;

/// What is answered to a command with these parameters: the opcode, the status and the return parameters.
fn answer(controller: &mut Controller, opcode: Opcode, params: &[u8]) -> Option<(u8, Status, Vec<u8>)> {
    let [low, high] = opcode.0.to_le_bytes();
    let bytes = [&[1, low, high, params.len() as u8], params].concat();
    controller.handle(Instant::ZERO, Input::Hci(&bytes));
    let mut found = None;
    while let Some(output) = controller.poll(Instant::ZERO) {
        let Output::Hci(packet) = output else { continue };
        let Ok(H4::Event { code, params }) = H4::parse(&packet) else { continue };
        match code {
            event::COMMAND_COMPLETE => {
                assert_eq!(params[1..3], opcode.0.to_le_bytes());
                found = Some((code, Status(params[3]), params[4..].to_vec()));
            }
            event::COMMAND_STATUS => {
                assert_eq!(params[2..4], opcode.0.to_le_bytes());
                found = Some((code, Status(params[0]), Vec::new()));
            }
            _ => {}
        }
    }
    found
}

fn controller(personality: personality::Controller) -> Controller {
    Controller::new(personality, [1; 6], Pool::new())
}

const BARE: personality::Controller =
    personality::Controller { frame_space_min: None, csa2: false, parameter_request: false, ..PLAIN };

fn supported(controller: &mut Controller) -> Vec<u8> {
    let (_, status, bits) = answer(controller, opcode::READ_LOCAL_COMMANDS, &[]).expect("an answer");
    assert!(status.is_success());
    bits
}

#[test]
fn a_command_is_known_exactly_when_its_bit_is_set() {
    for personality in [PLAIN, BARE] {
        let mut controller = controller(personality);
        let bits = supported(&mut controller);
        assert_eq!(bits.len(), 64);
        let mut known = 0;
        for value in 0..=u16::MAX {
            let row = Opcode(value).command();
            // Wrong parameters are answered by every command that is known, and have no effect.
            let answered = answer(&mut controller, Opcode(value), &[0xff; 255]);
            let (_, status, _) = answered.expect("every command is answered");
            let is_known = status != Status::UNKNOWN_COMMAND;
            let claimed = row.is_some_and(|row| row.bit.is_none_or(|(octet, bit)| bits[octet] >> bit & 1 == 1));
            assert_eq!(is_known, claimed, "0x{value:04X}");
            known += u32::from(is_known && row.is_some_and(|row| row.bit.is_some()));
        }
        assert_eq!(bits.iter().map(|octet| octet.count_ones()).sum::<u32>(), known, "no bit is set for nothing");
    }
}

#[test]
fn a_personality_without_a_procedure_does_not_know_its_commands() {
    let mut bare = controller(BARE);
    for command in COMMANDS.iter().filter(|command| command.needs != Needs::Nothing) {
        let (_, status, _) = answer(&mut bare, command.opcode, &[]).expect("an answer");
        assert_eq!(status, Status::UNKNOWN_COMMAND, "{}", command.name);
    }
}

#[test]
fn what_the_page_calls_unsupported_is_unknown() {
    let mut controller = controller(PLAIN);
    for (opcode, name, _) in markdown::UNSUPPORTED {
        let (_, status, _) = answer(&mut controller, *opcode, &[]).expect("an answer");
        assert_eq!(status, Status::UNKNOWN_COMMAND, "{name}");
    }
}

#[test]
fn octets_and_bits_belong_to_one_command_each() {
    for (i, one) in COMMANDS.iter().enumerate() {
        for other in &COMMANDS[..i] {
            assert_ne!(one.opcode, other.opcode);
            assert!(one.bit.is_none() || one.bit != other.bit, "{} and {}", one.name, other.name);
        }
    }
}

#[test]
fn what_hosts_read_at_start_up() {
    let mut controller = controller(PLAIN);
    let mut read = |opcode| match answer(&mut controller, opcode, &[]) {
        Some((event::COMMAND_COMPLETE, Status::SUCCESS, values)) => values,
        other => panic!("{opcode:?}: {other:?}"),
    };
    assert_eq!(read(opcode::LE_READ_BUFFER_SIZE), [251, 0, 20]);
    assert_eq!(read(opcode::LE_READ_BUFFER_SIZE_V2), [251, 0, 20, 0, 0, 0]);
    assert_eq!(read(opcode::READ_BD_ADDR), [1; 6]);
    assert_eq!(read(opcode::READ_LOCAL_VERSION), [14, 1, 0, 14, 0xff, 0xff, 1, 0]);
    assert_eq!(read(opcode::READ_LOCAL_FEATURES), (0b11u64 << 37).to_le_bytes());
    assert_eq!(read(opcode::LE_READ_FILTER_ACCEPT_LIST_SIZE), [16]);
    assert_eq!(read(opcode::LE_READ_RESOLVING_LIST_SIZE), [16]);
    assert_eq!(read(opcode::LE_READ_TRANSMIT_POWER), [0, 0]);
    assert_eq!(read(opcode::LE_READ_ADV_TX_POWER), [0]);
    assert_eq!(read(opcode::LE_READ_SUPPORTED_STATES), 0x3ff_ffff_ffffu64.to_le_bytes());
    assert_eq!(read(opcode::LE_READ_MAXIMUM_DATA_LENGTH), [251, 0, 0x90, 0x42, 251, 0, 0x90, 0x42]);
    assert_ne!(read(opcode::LE_RAND), read(opcode::LE_RAND));
}

#[test]
fn the_features_are_what_the_commands_are_for() {
    // Encryption, reject, peripheral features, data length, privacy, scanner filter policies.
    let always = 1 << 0 | 1 << 2 | 1 << 3 | 1 << 5 | 1 << 6 | 1 << 7;
    // Parameter request, 2M, coded, extended advertising, channel selection algorithm #2.
    let plain = always | 1 << 1 | 1 << 8 | 1 << 11 | 1 << 12 | 1 << 14;
    let bare = always | 1 << 8 | 1 << 11;
    for (personality, features) in [(PLAIN, plain), (BARE, bare)] {
        let mut controller = controller(personality);
        let (_, _, mask) = answer(&mut controller, opcode::LE_READ_LOCAL_FEATURES, &[]).expect("an answer");
        assert_eq!(mask, u64::to_le_bytes(features));
    }
}

#[test]
fn encrypt_is_aes_128_with_the_first_octet_last() {
    // FIPS 197, appendix C.1, reversed as HCI has it: Core 6.0, Vol 4, Part E, 7.8.22.
    let key: Vec<u8> = (0..16).rev().collect();
    let plain: Vec<u8> = (0..16).rev().map(|i| i * 0x11).collect();
    let mut controller = controller(PLAIN);
    let (_, status, cipher) = answer(&mut controller, opcode::LE_ENCRYPT, &[key, plain].concat()).expect("an answer");
    assert!(status.is_success());
    assert_eq!(cipher[..4], [0x5a, 0xc5, 0xb4, 0x70]);
    assert_eq!(cipher[12..], [0xd8, 0xe0, 0xc4, 0x69]);
}

#[test]
fn the_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/hci.md");
    let page = markdown::markdown();
    if std::env::var_os("AIRTIME_BLESS").is_some() {
        std::fs::write(&path, &page).expect("docs/hci.md is writable");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/hci.md is out of date: AIRTIME_BLESS=1 cargo test -p airtime-ble");
}
