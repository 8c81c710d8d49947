//! What a promiscuous station hears, and raw frames.

use airtime_core::Instant;
use airtime_core::loss::Loss;
use airtime_wifi::air::Phy;
use airtime_wifi::cell::{Beacons, CellConfig, CellOutput, Errors, StationConfig, StationId, Traffic};
use airtime_wifi::trace::{OnAir, TxFailure};
use airtime_wifi::wire::{Action, Control, Frame, MacAddress, Management, RxInfo, Sequence};

use super::support::{AP, Bench, STA, us};

/// A station that sends nothing and listens.
const EAR: StationId = StationId(2);

fn config() -> CellConfig {
    let mut config = CellConfig::pair();
    config.stations.push(StationConfig::usual(2));
    config.channel = 12;
    config
}

/// When a frame was heard, its octets, and what came with it.
type Heard = (Instant, Vec<u8>, RxInfo);

/// What the ear hears until `end`, and what was on the air.
fn listen(bench: &mut Bench, end: Instant) -> (Vec<Heard>, Vec<OnAir>) {
    bench.cell.listen(EAR, true);
    bench.cell.watched(true);
    let (mut heard, mut on_air) = (Vec::new(), Vec::new());
    bench.run(end, |at, output| match output {
        CellOutput::Heard { station, frame, info } => {
            assert_eq!(station, EAR);
            heard.push((at, frame.to_vec(), info));
        }
        CellOutput::OnAir(sent) => on_air.push(sent),
        _ => {}
    });
    (heard, on_air)
}

#[test]
fn data_and_their_block_ack_are_heard_as_they_are_on_the_air() {
    let mut bench = Bench::new(config(), 1);
    for number in 0..3 {
        let mut frame = bench.frame(number, 100);
        frame[..14].copy_from_slice(&[2, 0, 0, 0, 0, 3, 2, 0, 0, 0, 0, 1, 8, 0]);
        bench.cell.offer(Instant::ZERO, STA, AP, frame).unwrap();
    }
    let (heard, on_air) = listen(&mut bench, us(5_000));
    assert_eq!(heard.len(), 4, "three MPDUs in one PPDU and a Block Ack");
    for (number, ((at, frame, info), mpdu)) in heard.iter().zip(&on_air[0].mpdus).enumerate() {
        assert_eq!((*at, frame.len()), (on_air[0].end, usize::from(mpdu.octets)));
        assert_eq!((info.channel, info.rssi_dbm, info.aggregated), (12, -45, true));
        let Frame::Data { header, .. } = Frame::parse_checked(frame).unwrap() else { panic!("data") };
        assert_eq!(header.sequence, Sequence::new(number as u16, 0));
        assert_eq!([header.receiver, header.transmitter], [MacAddress::local(3), MacAddress::local(1)]);
        // SIFS 10 and a Block Ack of 38 µs.
        assert_eq!(header.duration_us, 48);
    }
    let (at, frame, info) = &heard[3];
    assert_eq!((*at, frame.len(), info.phy), (on_air[0].response.unwrap().1, 32, Phy::ofdm24()));
    let Ok(Frame::Control(Control::BlockAck(block_ack))) = Frame::parse_checked(frame) else { panic!("a Block Ack") };
    assert_eq!([block_ack.receiver, block_ack.transmitter], [MacAddress::local(1), MacAddress::local(3)]);
    assert_eq!((block_ack.start.number, block_ack.bitmap), (0, 0b111));
}

#[test]
fn ten_seconds_of_beacons_probes_data_and_acknowledgements() {
    let mut config = config();
    config.beacons = Some(Beacons::usual(b"airtime"));
    let seconds = |ms| airtime_core::Duration::from_millis(ms);
    for (place, traffic) in
        [(3, Traffic::Probes { every: seconds(500) }), (4, Traffic::Poisson { to: AP, mpdu: 200, every: seconds(20) })]
    {
        config.stations.push(StationConfig { traffic, ..StationConfig::usual(place) });
    }
    let mut bench = Bench::new(config, 1);
    let (heard, on_air) = listen(&mut bench, Instant::from_nanos(10_000_000_000));
    let (mut beacons, mut requests, mut answers, mut data, mut acks) = (0, 0, 0, 0, 0);
    for (at, octets, _) in &heard {
        match Frame::parse_checked(octets).expect("what is heard is whole") {
            Frame::Management { body: Management::Beacon { response, timestamp_us, .. }, .. } => {
                assert!(timestamp_us <= at.as_nanos() / 1_000);
                if response { answers += 1 } else { beacons += 1 }
            }
            Frame::Management { .. } => requests += 1,
            Frame::Data { .. } => data += 1,
            Frame::Control(_) => acks += 1,
            Frame::Extension(_) => panic!("nobody sends such frames"),
        }
    }
    assert_eq!(beacons, 97, "every 102.4 ms");
    assert!((8..40).contains(&requests) && answers == requests, "{requests} {answers}");
    assert!((400..600).contains(&data), "{data}");
    assert_eq!(acks, answers + data, "everything that was meant for somebody was acknowledged");
    assert!(on_air.windows(2).all(|pair| pair[0].end <= pair[1].start));
}

/// An action frame from the co-processor's station without FCS.
fn action(bench: &Bench, receiver: MacAddress) -> airtime_core::Packet {
    let mut frame = bench.pool.packet();
    let transmitter = MacAddress::local(1);
    Action {
        receiver,
        transmitter,
        bssid: transmitter,
        sequence: Sequence::new(5, 0),
        category: 127,
        body: &[1, 2, 3],
    }
    .emit(&mut frame);
    frame
}

#[test]
fn an_injected_frame_is_heard_by_another_station_and_frees_its_buffer() {
    // Receiver, transmissions, what becomes of it.
    let table = [
        (MacAddress::BROADCAST, 1, None),
        (MacAddress::local(4), 1, None),
        (MacAddress::local(99), 7, Some(TxFailure::Retries)),
    ];
    for (receiver, transmissions, failure) in table {
        let mut bench = Bench::new(config(), 1);
        let frame = action(&bench, receiver);
        let expected = frame.to_vec();
        bench.cell.inject(Instant::ZERO, STA, frame).unwrap();
        assert_eq!(bench.cell.queued(STA), 1);
        bench.cell.listen(EAR, true);
        let (mut heard, mut done) = (Vec::new(), Vec::new());
        bench.run(Instant::from_nanos(1_000_000_000), |_, output| match output {
            CellOutput::Heard { frame, info, .. } if frame.len() > 14 => heard.push((frame.to_vec(), info.phy)),
            CellOutput::Done { failure, buffers, .. } => done.extend((0..buffers).map(|_| failure)),
            _ => {}
        });
        assert_eq!(heard.len(), transmissions, "{receiver}");
        assert!(heard.iter().all(|(frame, phy)| frame[..frame.len() - 4] == expected && *phy == Phy::dsss1()));
        assert_eq!((done.as_slice(), bench.cell.queued(STA)), (&[failure][..], 0));
    }
}

#[test]
fn an_injected_frame_whose_acknowledgements_alone_are_lost_has_arrived() {
    // Receiver, what becomes of it: nobody has the second address, so that nobody has got that frame.
    let table = [(MacAddress::local(4), TxFailure::Unheard), (MacAddress::local(99), TxFailure::Retries)];
    for (receiver, failure) in table {
        let mut config = config();
        config.stations[0].errors = Errors { response: Loss::Shares { miss: 1.0, damage: 0.0 }, ..Errors::default() };
        let mut bench = Bench::new(config, 1);
        let frame = action(&bench, receiver);
        bench.cell.inject(Instant::ZERO, STA, frame).unwrap();
        let mut done = Vec::new();
        bench.run(Instant::from_nanos(1_000_000_000), |_, output| {
            if let CellOutput::Done { failure, buffers, .. } = output {
                done.extend((0..buffers).map(|_| failure));
            }
        });
        assert_eq!(done, [Some(failure)], "{receiver}");
        let counters = bench.cell.counters(STA);
        let unheard = u64::from(failure == TxFailure::Unheard);
        assert_eq!((counters.ppdus, counters.unheard, counters.given_up), (7, unheard, 1 - unheard));
    }
}

#[test]
fn what_is_lost_is_not_heard() {
    let mut config = config();
    config.stations[0].errors = Errors { per: vec![1.0; 8], ..Errors::default() };
    let mut bench = Bench::new(config, 1);
    let frame = bench.frame(0, 100);
    bench.cell.offer(Instant::ZERO, STA, AP, frame).unwrap();
    let (heard, on_air) = listen(&mut bench, us(100_000));
    // Seven transmissions, then a Block Ack request that no frame is waiting for any more, and its answer.
    assert_eq!(on_air.len(), 8);
    assert_eq!(heard.len(), 2);
    assert!(heard.iter().all(|(_, octets, _)| matches!(Frame::parse_checked(octets), Ok(Frame::Control(_)))));
}
