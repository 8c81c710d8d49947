//! Captures of real runs, read back and compared with what was on the air and on the HCI.

use airtime_ble::air::{HEADER_OCTETS, MIC_OCTETS, Phy};
use airtime_ble::capture::{Frame, Kind, LINK_TYPE, Links, crc};
use airtime_ble::ll::pdu::DataHeader;
use airtime_ble::medium::Place;
use airtime_ble::trace::{Trace, Verdict};
use airtime_capture::pcapng::Packets;
use airtime_capture::{Origin, btsnoop};
use airtime_core::Duration;

use crate::captured::{Captured, Sent, captured};

const SPAN: Duration = Duration::from_secs(6);
const COC: &[(&str, &str)] = &[("link", "ble-coc"), ("run.duration", "9s")];

fn with<'a>(more: &[(&'a str, &'a str)]) -> Captured {
    captured(&[COC, more].concat(), SPAN)
}

/// Interface, stamp and frame of each packet.
fn frames(capture: &[u8]) -> Vec<(u32, i64, Frame<'_>)> {
    Packets::new(capture)
        .map(|packet| {
            let packet = packet.expect("our own capture is whole");
            assert_eq!(packet.link_type, LINK_TYPE);
            (packet.interface, packet.unix_ns, Frame::parse(packet.data).expect("our own frame is whole"))
        })
        .collect()
}

/// What `air` should say of a packet.
fn check(sent: &Sent, frame: &Frame<'_>, links: &mut Links) {
    let Sent { transmission, verdict } = sent;
    assert_eq!(
        (frame.channel, frame.phy, frame.access_address),
        (transmission.channel, transmission.phy, transmission.link)
    );
    assert_eq!(frame.air_octets(), transmission.packet.len() - HEADER_OCTETS as usize);
    let advertising = transmission.place == Place::Advertising;
    match transmission.place {
        Place::Event { from_central, .. } => assert_eq!(frame.kind, Kind::Data { from_central }),
        Place::Advertising => {
            assert_eq!(frame.kind, Kind::Unspecified);
            links.learn(frame.pdu);
        }
    }
    let init = links.crc_init(advertising, frame.access_address).expect("the request came first");
    let right = frame.crc == crc::crc(init, frame.pdu);
    assert_eq!((right, frame.crc_valid), (*verdict != Verdict::Corrupted, Some(*verdict != Verdict::Corrupted)));
    let sealed = transmission.encrypted && transmission.packet.len() > 2;
    assert_eq!(frame.decrypted, sealed);
    assert_eq!(frame.mic_valid, (sealed && *verdict == Verdict::New).then_some(true));
    assert_eq!(usize::from(frame.pdu[1]), frame.pdu.len() - HEADER_OCTETS as usize, "the length field is the length");
    let clear = transmission.packet.len() - if sealed { MIC_OCTETS as usize } else { 0 };
    assert_eq!(frame.pdu[2..], transmission.packet[2..clear]);
}

#[test]
fn the_air_reads_back_as_it_was() {
    let runs: [&[(&str, &str)]; 6] = [
        &[],
        &[("coc.credits", "batched"), ("ble.phy", "2M")],
        &[("ble.phy", "1M"), ("ble.encrypted", "true")],
        &[("ble.phy", "S8")],
        &[("ble.phy", "S2"), ("ble.encrypted", "true")],
        &[("ble.loss.ber", "3e-5"), ("ble.phy", "2M")],
    ];
    for keys in runs {
        let run = with(keys);
        let capture = run.air.into_sink();
        let frames: Vec<_> = frames(&capture).into_iter().filter(|(interface, ..)| *interface == 0).collect();
        assert_eq!(frames.len(), run.sent.len(), "{keys:?}");
        let mut links = Links::default();
        for (sent, (_, stamp, frame)) in run.sent.iter().zip(&frames) {
            assert_eq!(*stamp as u64, Origin::VIRTUAL.unix_nanos(sent.transmission.start));
            check(sent, frame, &mut links);
        }
        assert!(frames.len() > 300, "{keys:?} streamed: {}", frames.len());
    }
}

#[test]
fn lost_packets_and_codings_are_in_the_capture() {
    let lossy = with(&[("ble.loss.ber", "3e-5")]).air.into_sink();
    assert!(frames(&lossy).iter().any(|(.., frame)| frame.crc_valid == Some(false)));
    let coded = with(&[("ble.phy", "S8")]).air.into_sink();
    assert!(frames(&coded).iter().any(|(.., frame)| frame.phy == Phy::LeCodedS8));
}

#[test]
fn an_interface_of_a_device_holds_what_it_sent_and_got() {
    let run = with(&[("ble.loss.ber", "3e-5"), ("ble.peripherals", "2")]);
    let opened: Vec<_> = run
        .traces
        .iter()
        .filter_map(|(_, device, trace)| match trace {
            Trace::ConnectionOpened { link, role, .. } => Some((*link, *role, *device)),
            _ => None,
        })
        .collect();
    assert_eq!(opened.len(), 4, "two connections, two ends each");
    let capture = run.air.into_sink();
    let frames = frames(&capture);
    for (link, role, device) in opened {
        let central = role == airtime_ble::host::Role::Central;
        let mine: Vec<_> = run
            .sent
            .iter()
            .filter(|sent| match sent.transmission.place {
                Place::Event { from_central, .. } if sent.transmission.link == link => {
                    from_central == central || sent.verdict != Verdict::Unheard
                }
                _ => false,
            })
            .collect();
        let seen = frames.iter().filter(|(i, _, f)| *i == 1 + device as u32 && f.access_address == link);
        assert_eq!(seen.count(), mine.len());
        let spoiled = |sent: &&&Sent| sent.verdict == Verdict::Corrupted;
        let wrong = frames.iter().filter(|(i, _, f)| *i == 1 + device as u32 && f.crc_valid == Some(false));
        if !central {
            assert_eq!(wrong.count(), mine.iter().filter(spoiled).filter(|s| from_central(s)).count());
            let requests = frames.iter().filter(|(i, _, f)| *i == 1 + device as u32 && f.access_address != link);
            assert_eq!(requests.map(|(.., f)| f.pdu[0] & 0x0f).collect::<Vec<_>>(), [5], "one CONNECT_IND");
        }
    }
}

fn from_central(sent: &Sent) -> bool {
    matches!(sent.transmission.place, Place::Event { from_central: true, .. })
}

#[test]
fn every_h4_packet_is_in_its_hosts_file_once() {
    let run = with(&[]);
    for (device, host) in run.hosts.into_iter().enumerate() {
        let file = host.into_sink();
        let records: Vec<_> = btsnoop::Records::new(&file).unwrap().map(Result::unwrap).collect();
        let crossed: Vec<_> = run.crossed.iter().filter(|(_, d, ..)| *d == device).collect();
        assert_eq!(records.len(), crossed.len());
        for (record, (now, _, from_host, packet)) in records.iter().zip(crossed) {
            assert_eq!((record.from_host(), record.packet), (*from_host, &packet[..]));
            assert_eq!(record.unix_us as u64, Origin::VIRTUAL.unix_nanos(*now) / 1000);
        }
        assert!(records.len() > 100);
    }
}

#[test]
fn sequence_numbers_alternate_in_the_file() {
    let capture = with(&[]).air.into_sink();
    let mut last = [None; 2];
    for (.., frame) in frames(&capture).into_iter().filter(|(interface, ..)| *interface == 0) {
        let Kind::Data { from_central } = frame.kind else { continue };
        let (header, _) = DataHeader::parse(frame.pdu).expect("lengths agree");
        let before = last[usize::from(from_central)].replace(header.sn);
        assert_ne!(before, Some(header.sn), "without loss every packet is the next one");
    }
    assert!(last[0].is_some());
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let bytes = || {
        let run = with(&[("ble.loss.ber", "3e-5")]);
        (run.air.into_sink(), run.timeline.into_sink())
    };
    assert_eq!(bytes(), bytes());
}
