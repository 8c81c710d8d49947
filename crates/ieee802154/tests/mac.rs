//! One station by itself: time in, octets in, octets out.

use airtime_core::random::stream;
use airtime_core::{Duration, Instant, Packet, Pool};
use airtime_ieee802154::mac::{Backoff, Input, Mac, MacConfig, Output, Reception};
use airtime_ieee802154::trace::{DropPoint, Phase, Sent};
use airtime_ieee802154::wire::{Address, Frame, Header, ack, compose};

fn us(us: u64) -> Instant {
    Instant::from_nanos(us * 1_000)
}

fn station(config: MacConfig) -> Mac {
    Mac::new(MacConfig { backoff: Backoff::Mean, ..config }, Pool::new(), stream(1, "station"))
}

/// Data for a station of PAN `pan`, with this sequence number.
fn data(pan: u16, destination: Address, source: Address, sequence: u8) -> Packet {
    let config = MacConfig { source, destination, ..MacConfig::default() };
    let named = |address: Address| (address != Address::None).then_some(pan);
    let header = Header {
        control: config.control(),
        sequence,
        destination_pan: named(destination),
        destination,
        source_pan: named(source),
        source,
        auxiliary: None,
    };
    let mut psdu = Pool::new().packet();
    compose(&header, &[1, 2, 3], &mut psdu);
    psdu
}

fn verdict(mac: &mut Mac, now: Instant, psdu: &[u8]) -> (Reception, Option<Packet>) {
    mac.handle(now, Input::Received(psdu));
    let Some(Output::Received(reception)) = mac.poll(now) else { panic!("a verdict comes first") };
    let payload = match mac.poll(now) {
        Some(Output::Indication(payload)) => Some(payload),
        None => None,
        Some(other) => panic!("{other:?}"),
    };
    (reception, payload)
}

const PAN: u16 = 0x1A17;

#[test]
fn a_filter_passes_what_is_for_the_station() {
    let own = MacConfig { source: Address::Short(1), ..MacConfig::default() };
    let coordinator = MacConfig { coordinator: true, ..own };
    let extended = MacConfig { source: Address::Extended(9), ..own };
    let table = [
        (own, PAN, Address::Short(1), Reception::New),
        (own, PAN, Address::Short(2), Reception::Refused),
        (own, PAN + 1, Address::Short(1), Reception::Refused),
        (own, 0xFFFF, Address::Short(1), Reception::New),
        (own, PAN, Address::Short(0xFFFF), Reception::New),
        (own, PAN + 1, Address::Short(0xFFFF), Reception::Refused),
        (own, PAN, Address::None, Reception::Refused),
        (coordinator, PAN, Address::None, Reception::New),
        (coordinator, PAN + 1, Address::None, Reception::Refused),
        (extended, PAN, Address::Extended(9), Reception::New),
        (extended, PAN, Address::Extended(8), Reception::Refused),
    ];
    for (config, pan, destination, expected) in table {
        let psdu = data(pan, destination, Address::Short(7), 0);
        let (reception, payload) = verdict(&mut station(config), us(0), &psdu);
        assert_eq!(reception, expected, "{config:?} {pan:x} {destination:?}");
        assert_eq!(payload.as_deref(), (expected == Reception::New).then_some(&[1, 2, 3][..]));
    }
}

#[test]
fn duplicates_are_known_by_source_and_sequence_number() {
    let mut mac = station(MacConfig { source: Address::Short(1), ..MacConfig::default() });
    let steps = [
        (7, 0, Reception::New),
        (7, 0, Reception::Duplicate),
        (8, 0, Reception::New),
        (7, 1, Reception::New),
        (8, 0, Reception::Duplicate),
        (7, 0, Reception::New),
    ];
    for (step, (source, sequence, expected)) in (1..).zip(steps) {
        let psdu = data(PAN, Address::Short(1), Address::Short(source), sequence);
        let now = us(step * 10_000);
        assert_eq!(verdict(&mut mac, now, &psdu).0, expected, "{source} {sequence}");
        // Either is acknowledged a turnaround later.
        assert!(!mac.listens(now));
        let at = mac.deadline().expect("an acknowledgement is due");
        assert_eq!(at, now + Duration::from_micros(192));
        mac.handle(at, Input::Wake);
        let Some(Output::Transmit { until, sent: Sent::Ack }) = mac.poll(at) else { panic!("no acknowledgement") };
        assert_eq!(until, at + Duration::from_micros(352));
        assert_eq!(Frame::parse(mac.on_air()).map(|frame| frame.acknowledges()), Ok(Some(sequence)));
        mac.handle(until, Input::Wake);
        assert!(mac.on_air().is_empty() && !mac.listens(until));
        assert!(mac.listens(until + Duration::from_micros(192)), "it has turned back");
    }
    let mut damaged = data(PAN, Address::Short(1), Address::Short(7), 9);
    damaged[3] ^= 1;
    assert_eq!(verdict(&mut mac, us(100_000), &damaged).0, Reception::Damaged);
}

/// Frames to a station that backs off are acknowledged first; its assessment waits until the radio listens again.
#[test]
fn an_acknowledgement_goes_before_an_own_frame() {
    for (received, resumed) in [(0, 1_120), (500, 1_236), (1_150, 1_886)] {
        let mut mac = station(MacConfig::default());
        mac.handle(us(0), Input::Send(&[0; 20]));
        assert_eq!(mac.phase(), Some(Phase::Backoff { attempt: 0 }));
        if received > 1_120 {
            mac.handle(us(1_120), Input::Wake);
            assert_eq!(mac.phase(), Some(Phase::Cca { attempt: 0 }));
        }
        assert!(mac.listens(us(received)));
        let psdu = data(PAN, Address::Short(1), Address::Short(7), 0);
        assert_eq!(verdict(&mut mac, us(received), &psdu).0, Reception::New);
        while mac.phase() != Some(Phase::Cca { attempt: 0 }) {
            let due = mac.deadline().expect("something is due");
            mac.handle(due, Input::Wake);
            while mac.poll(due).is_some() {}
            if mac.phase() == Some(Phase::Cca { attempt: 0 }) {
                assert_eq!(due, us(resumed));
            }
        }
    }
}

#[test]
fn only_the_acknowledgement_of_the_frame_counts() {
    let mut mac = station(MacConfig { csma: false, ..MacConfig::default() });
    mac.handle(us(0), Input::Send(&[0; 20]));
    for at in [192, 192 + 37 * 32] {
        mac.handle(us(at), Input::Wake);
        while mac.poll(us(at)).is_some() {}
    }
    assert!(mac.awaits_ack());
    let mut psdu = Pool::new().packet();
    ack(1, &mut psdu);
    assert_eq!(verdict(&mut mac, us(1_900), &psdu).0, Reception::Refused);
    let mut psdu = Pool::new().packet();
    ack(0, &mut psdu);
    mac.handle(us(1_920), Input::Received(&psdu));
    assert!(matches!(mac.poll(us(1_920)), Some(Output::Confirm(Ok(())))));
    assert!(matches!(mac.poll(us(1_920)), Some(Output::Received(Reception::Ack))));
    assert!(mac.is_free() && mac.phase() == Some(Phase::Spacing));
}

/// A frame that found no free channel is sent for the first time when it finds one, whatever the attempts at it.
#[test]
fn an_attempt_that_was_never_on_the_air_is_no_retransmission() {
    let config = MacConfig { retry_access: true, retries: 3, ..MacConfig::default() };
    let mut mac = station(config);
    mac.handle(us(0), Input::Send(&[0; 20]));
    let mut assessments = 0;
    let sent = loop {
        let due = mac.deadline().expect("something is due");
        mac.handle(due, Input::Wake);
        match mac.poll(due) {
            Some(Output::Sense { .. }) => {
                // Two accesses of five assessments each fail, the third finds the channel free.
                mac.handle(due, Input::Sensed { busy: assessments < 10 });
                assessments += 1;
                assert!(!matches!(
                    mac.phase(),
                    Some(Phase::Backoff { attempt: 1.. } | Phase::Turnaround { attempt: 1.. })
                ));
            }
            Some(Output::Transmit { sent: Sent::Data { attempt, .. }, .. }) => break attempt,
            Some(other) => panic!("{other:?}"),
            None => {}
        }
    };
    assert_eq!((assessments, sent), (11, 0));
    // Of three retries one is left.
    let mut sent = Vec::new();
    let failed = loop {
        let due = mac.deadline().expect("something is due");
        mac.handle(due, Input::Wake);
        match mac.poll(due) {
            Some(Output::Sense { .. }) => mac.handle(due, Input::Sensed { busy: false }),
            Some(Output::Transmit { sent: Sent::Data { attempt, .. }, .. }) => sent.push(attempt),
            Some(Output::Confirm(result)) => break result,
            Some(other) => panic!("{other:?}"),
            None => {}
        }
    };
    assert_eq!((sent, failed), (vec![1], Err(DropPoint::NoAck)));
}
