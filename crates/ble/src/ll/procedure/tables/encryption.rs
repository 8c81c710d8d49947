//! Tables of the encryption start.

use alloc::string::String;

use super::{ABLE, facts, table};
use crate::hci::Status;
use crate::ll::procedure::encryption_start::{EncryptionStart, Input, Key};
use crate::words::Role;

const KEY: [u8; 16] = [7; 16];

fn encryption_table(heading: &str, role: Role) -> String {
    let inputs = [
        ("asked", Input::Asked(Key { rand: 1, ediv: 2, key: KEY })),
        ("requested", Input::Requested { rand: 1, ediv: 2, skd: 3 }),
        ("key from the host", Input::Decided(Some(KEY))),
        ("no key from the host", Input::Decided(None)),
        ("answered", Input::Answered(4)),
        ("start requested", Input::StartRequested),
        ("start answered", Input::StartAnswered),
        ("acknowledged", Input::Acknowledged),
        ("pause requested", Input::PauseRequested),
        ("pause answered", Input::PauseAnswered),
        ("refused", Input::Refused(Status::PIN_OR_KEY_MISSING)),
    ];
    // Only a central asks.
    let inputs = if role == Role::Central { &inputs[..] } else { &inputs[1..] };
    let text = table(heading, (EncryptionStart::default(), facts(role, &ABLE)), inputs, EncryptionStart::handle);
    // A key is one word in a table.
    text.replace(&alloc::format!("{KEY:?}"), "KEY")
}

#[test]
fn encryption_start_of_a_central() {
    insta::assert_snapshot!(encryption_table("central", Role::Central));
}

#[test]
fn encryption_start_of_a_peripheral() {
    insta::assert_snapshot!(encryption_table("peripheral", Role::Peripheral));
}
