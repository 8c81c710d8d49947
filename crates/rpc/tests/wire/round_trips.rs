//! What is made is read as it was; what is read and made again is what it was.

use airtime_rpc::wire::{Capabilities, Command, Container, Content, Control, Direction};
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn containers(
        transaction: u8, sequence: u8, total: u16, code in 0_u8..16, of in 0_u8..3, payload in vec(any::<u8>(), 0..=255),
    ) {
        let payload = payload.as_slice();
        let content = match of {
            0 => Content::First { total, payload },
            1 => Content::Subsequent { payload },
            _ => Content::Control { code, payload },
        };
        let container = Container { transaction, sequence, content };
        let mut frame = [0xAA; 261];
        let len = container.emit(&mut frame);
        prop_assert_eq!(Container::parse(&frame[..len]), Ok(container));
        // Not one octet less is enough.
        prop_assert!(Container::parse(&frame[..len - 1]).is_err());
        prop_assert!(frame[len..].iter().all(|octet| *octet == 0xAA));
    }

    #[test]
    fn commands(response: bool, name in "[ -~]{1,16}", data in vec(any::<u8>(), 0..2_000)) {
        let direction = if response { Direction::Response } else { Direction::Request };
        let command = Command { direction, name: &name, data: &data };
        let mut packet = vec![0; 2_100];
        let len = command.emit(&mut packet);
        prop_assert_eq!(len, 4 + name.len() + data.len());
        prop_assert_eq!(Command::parse(&packet[..len]), Ok(command));
        prop_assert!(Command::parse(&packet[..len - 1]).is_err());
        prop_assert!(Command::parse(&packet[..=len]).is_err());
    }

    #[test]
    fn capabilities(transaction: u8, max_request: u16, max_response: u16, flags: u16) {
        let control = Control::Capabilities(Some(Capabilities { max_request, max_response, flags }));
        let mut frame = [0; 10];
        prop_assert_eq!(control.emit(transaction, &mut frame), 10);
        prop_assert_eq!(Container::parse(&frame).expect("a container").content.control(), Some(Ok(control)));
    }

    /// Whatever was read says the same when it is made again, but for reserved bits and what stood behind.
    #[test]
    fn any_octets(frame in vec(any::<u8>(), 0..300)) {
        if let Ok(container) = Container::parse(&frame) {
            let mut again = [0; 261];
            let len = container.emit(&mut again);
            prop_assert!(len <= frame.len());
            prop_assert_eq!(Container::parse(&again[..len]), Ok(container));
        }
        if let Ok(command) = Command::parse(&frame) {
            let mut again = [0; 300];
            let len = command.emit(&mut again);
            prop_assert_eq!(&again[1..len], &frame[1..]);
        }
    }
}
