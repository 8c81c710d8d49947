//! Logs packet by packet, as a host and its controller exchange them.

use alloc::vec;
use alloc::vec::Vec;

use airtime_capture::hci::{Hci, Kind};

use super::*;

/// A log that is being written.
struct Log {
    explainer: HostExplainer,
    ms: i64,
}

impl Log {
    fn new() -> Self {
        Self { explainer: HostExplainer::default(), ms: 0 }
    }

    fn put(&mut self, kind: Kind, from_host: Option<bool>, data: &[u8]) {
        let (unix_ns, octets) = (self.ms * 1_000_000, data.len());
        self.explainer.take(&Hci { unix_ns, adapter: 0, kind, from_host, drops: 0, octets, data });
    }

    fn at(&mut self, ms: i64) -> &mut Self {
        self.ms = ms;
        self
    }

    fn event(&mut self, code: u8, parameters: &[u8]) -> &mut Self {
        let data = [&[code, parameters.len() as u8], parameters].concat();
        self.put(Kind::Event, Some(false), &data);
        self
    }

    /// LE Connection Complete of a central: 30 ms, no latency, 420 ms.
    fn connected(&mut self, handle: u8) -> &mut Self {
        self.event(0x3e, &[1, 0, handle, 0, 0, 0, 1, 2, 3, 4, 5, 6, 24, 0, 0, 0, 42, 0, 5])
    }

    /// LE Read Buffer Size: this many of 251 octets.
    fn buffers(&mut self, count: u8) -> &mut Self {
        self.event(0x0e, &[1, 2, 0x20, 0, 251, 0, count])
    }

    /// Read Buffer Size: this many of 1021 octets.
    fn classic_buffers(&mut self, count: u8) -> &mut Self {
        self.event(0x0e, &[1, 5, 0x10, 0, 0xfd, 3, 64, count, 0, 8, 0])
    }

    fn completed(&mut self, handle: u8, count: u8) -> &mut Self {
        self.event(0x13, &[1, handle, 0, count, 0])
    }

    /// An L2CAP PDU on `cid` in one ACL packet.
    fn acl(&mut self, handle: u8, from_host: bool, cid: u16, payload: &[u8]) -> &mut Self {
        let [low, high] = cid.to_le_bytes();
        let boundary = if from_host { 0 } else { 0x20 };
        let octets = payload.len() as u8;
        let data = [&[handle, boundary, octets + 4, 0, octets, 0, low, high], payload].concat();
        self.put(Kind::Acl, Some(from_host), &data);
        self
    }

    /// A notification of 20 octets.
    fn notify(&mut self, handle: u8, from_host: bool) -> &mut Self {
        let value = [&[0x1b, 3, 0][..], &[7; 20]].concat();
        self.acl(handle, from_host, 4, &value)
    }

    fn ended(self) -> HostExplained {
        self.explainer.finish()
    }
}

/// Waits of a stream, in ms.
fn waits(stream: Option<&Stream>) -> Vec<(&'static str, u64)> {
    stream.expect("a stream").waits.iter().map(|share| (share.account, share.ns / 1_000_000)).collect()
}

#[test]
fn time_is_booked_to_what_a_sender_waits_for() {
    let mut log = Log::new();
    log.buffers(2).connected(0x40);
    log.at(10).notify(0x40, true).notify(0x40, true);
    // Both buffers are full for 20 ms, one for 30 ms, none for 40 ms.
    log.at(30).completed(0x40, 1);
    log.at(60).completed(0x40, 1);
    log.at(100).notify(0x40, true);
    log.at(105).completed(0x40, 1);
    let explained = log.ended();
    let link = &explained.links[0];
    assert_eq!(waits(link.sent.as_ref()), [("controller.full", 20), ("controller.some", 35), ("host", 40)]);
    assert_eq!((link.completed, link.held_most, link.held_longest_ns), (3, 2, 50_000_000));
    let sent = link.sent.as_ref().unwrap();
    assert_eq!((sent.octets, sent.packets, sent.longest, sent.span_ns), (60, 3, 27, 120_000_000));
    // 480 bits in four intervals of 30 ms.
    assert!((sent.goodput_kbps - 4.0).abs() < 1e-9 && (sent.per_interval.unwrap() - 0.75).abs() < 1e-9);
    // A PDU of 27 octets on 1M, 296 µs, with an empty one of 80 µs and two gaps of 150 µs.
    assert_eq!(sent.air_ns, 3 * (296 + 80 + 300) * 1000);
    assert_eq!((link.role, link.peer.as_deref()), (Some("central"), Some("06:05:04:03:02:01")));
}

#[test]
fn a_write_request_waits_for_its_answer() {
    let mut log = Log::new();
    log.buffers(4).connected(0x40);
    let request = [&[0x12, 3, 0][..], &[7; 20]].concat();
    for event in 0..4 {
        log.at(60 * event).acl(0x40, true, 4, &request);
        log.at(60 * event + 30).completed(0x40, 1);
        log.at(60 * event + 58).acl(0x40, false, 4, &[0x13]);
    }
    let explained = log.ended();
    assert_eq!(waits(explained.links[0].sent.as_ref()), [("answer", 58 * 3 + 30), ("host", 6)]);
}

/// LE Credit Based Connection Request and Response (Core 6.0, Vol 3, Part A, 4.22 and 4.23): channels 0x40 and 0x41, one credit.
#[test]
fn a_channel_without_credits_is_told() {
    let mut log = Log::new();
    log.buffers(4).connected(0x40);
    log.acl(0x40, true, 5, &[0x14, 7, 10, 0, 0x80, 0, 0x40, 0, 0xd0, 7, 0xf7, 0, 2, 0]);
    log.at(5).acl(0x40, false, 5, &[0x15, 7, 10, 0, 0x41, 0, 0xd0, 7, 0xf7, 0, 1, 0, 0, 0]);
    log.at(8).completed(0x40, 1);
    for grant in 0..3 {
        log.at(100 + 60 * grant).acl(0x40, true, 0x41, &[2, 0, 9, 9]);
        log.at(110 + 60 * grant).completed(0x40, 1);
        log.at(150 + 60 * grant).acl(0x40, false, 5, &[0x16, 1, 4, 0, 0x41, 0, 1, 0]);
    }
    let explained = log.ended();
    let link = &explained.links[0];
    assert_eq!((link.mtu, link.mps, link.credits), (Some(2000), Some(247), Some(1)));
    let waits = waits(link.sent.as_ref());
    let credits = waits.iter().find(|(account, _)| *account == "credits").expect("credits");
    // Twice 50 ms from the frame to the next grant, and 10 ms of the third until the controller was done with it.
    assert_eq!(credits.1, 110, "{waits:?}");
}

#[test]
fn a_connection_that_ends_gives_back_its_buffers() {
    let mut log = Log::new();
    log.buffers(2).connected(0x40).connected(0x41);
    log.at(10).notify(0x41, true);
    log.at(20).notify(0x40, true);
    // The controller is full; then one of the two connections goes with what it held.
    log.at(50).event(0x05, &[0, 0x40, 0, 0x08]);
    log.at(90).completed(0x41, 1);
    let explained = log.ended();
    let [gone, alive] = &explained.links[..] else { panic!("two connections") };
    assert_eq!(gone.ended.as_deref(), Some("0x08 connection timeout"));
    assert_eq!(waits(alive.sent.as_ref()), [("controller.full", 30), ("controller.some", 50)]);
    assert_eq!(alive.ended, None);
}

/// Core 6.0, Vol 4, Part E, 4.1.1: a controller has separate buffers for LE, or one set for both.
#[test]
fn br_edr_fills_the_buffers_of_le_only_where_they_are_shared() {
    let sent = |apart: bool| {
        let mut log = Log::new();
        if apart {
            log.buffers(2);
        }
        log.classic_buffers(2).connected(0x40).event(0x03, &[0, 0x0b, 0, 1, 2, 3, 4, 5, 6, 1, 0]);
        log.at(10).acl(0x0b, true, 0x40, &[9; 30]).acl(0x0b, true, 0x40, &[9; 30]).notify(0x40, true);
        log.at(40).completed(0x40, 1);
        let explained = log.ended();
        let link = &explained.links[0];
        let waits = waits(link.sent.as_ref());
        (link.buffers, waits)
    };
    assert_eq!(sent(true), (Some((251, 2)), vec![("controller.some", 30)]));
    assert_eq!(sent(false), (Some((1021, 2)), vec![("controller.full", 30)]));
}

#[test]
fn answers_do_not_prolong_a_stream() {
    let mut log = Log::new();
    log.buffers(4).connected(0x40);
    log.at(10).notify(0x40, true);
    log.at(20).completed(0x40, 1);
    // A read of the other side and its answer, ten seconds later.
    log.at(10_000).acl(0x40, false, 4, &[0x0a, 3, 0]).acl(0x40, true, 4, &[0x0b, 7]);
    log.at(10_010).completed(0x40, 1);
    let explained = log.ended();
    let link = &explained.links[0];
    assert_eq!((link.sent.as_ref().unwrap().span_ns, link.completed), (30_000_000, 2));
    assert_eq!(waits(link.sent.as_ref()), [("controller.some", 10)]);
}

#[test]
fn the_interval_at_the_end_counts_however_often_it_changed() {
    let mut log = Log::new();
    log.connected(0x40);
    for change in 0..50 {
        log.at(100 * change).event(0x3e, &[3, 0, 0x40, 0, 12 + change as u8, 0, 0, 0, 0x90, 1]);
    }
    log.at(5100).notify(0x40, false);
    let explained = log.ended();
    let link = &explained.links[0];
    // 61 units of 1.25 ms.
    assert_eq!((link.intervals.len(), link.intervals[31].interval_ns), (32, 76_250_000));
    assert_eq!(link.received.as_ref().unwrap().span_ns, 76_250_000);
    assert_eq!(link.says()[0], "The connection interval is 30ms, and 76.25ms at the end, after at least 31 changes.");
}

#[test]
fn connections_beyond_those_that_are_followed_are_left_out_and_not_malformed() {
    let mut log = Log::new();
    for _ in 0..257 {
        log.connected(0x40);
    }
    log.notify(0x40, false);
    log.event(0x3e, &[3, 0, 0x40]);
    let explained = log.ended();
    assert_eq!((explained.links.len(), explained.left_out, explained.malformed, explained.packets), (256, 2, 1, 259));
}

#[test]
fn changes_are_told_in_their_order() {
    let mut log = Log::new();
    log.connected(0x40);
    log.at(100).event(0x3e, &[3, 0, 0x40, 0, 12, 0, 0, 0, 0x90, 1]);
    log.at(110).event(0x3e, &[7, 0x40, 0, 251, 0, 0x48, 8, 27, 0, 0x48, 1]);
    log.at(120).event(0x3e, &[0x0c, 0, 0x40, 0, 2, 2]);
    log.at(130).acl(0x40, true, 4, &[0x02, 247, 0]).acl(0x40, false, 4, &[0x03, 185, 0]);
    log.at(140).notify(0x40, false);
    let explained = log.ended();
    let says = explained.links[0].says();
    assert_eq!(says[0], "The connection interval is 30ms, and 15ms at the end, after 1 change.");
    assert_eq!(says[1], "Data length: 251 octets in 2120 µs sent, 27 octets in 328 µs received; PHY 2M.");
    assert_eq!(says[2], "ATT MTU 185: this host takes 247, the other 185.");
}

#[test]
fn br_edr_is_counted_and_told_apart() {
    let mut log = Log::new();
    log.event(0x03, &[0, 0x0b, 0, 1, 2, 3, 4, 5, 6, 1, 0]);
    log.at(5).acl(0x0b, true, 0x40, &[9; 30]).acl(0x0b, false, 0x41, &[9; 30]);
    // One whose beginning the log does not have, by its channel of signalling.
    log.at(6).acl(0x0c, true, 1, &[0x0a, 1, 2, 0, 2, 0]).acl(0x0c, false, 0x40, &[9; 30]);
    log.put(Kind::Synchronous, Some(true), &[1, 2, 3]);
    let explained = log.ended();
    assert_eq!((explained.links.len(), explained.other, explained.malformed), (0, 5, 0));
}

#[test]
fn a_log_that_does_not_say_directions_tells_them_from_the_boundary() {
    let mut log = Log::new();
    log.connected(0x40);
    for (boundary, octets) in [(0x00, 27_u8), (0x10, 4), (0x20, 27), (0x10, 4)] {
        let mut data = vec![0x40, boundary, octets, 0];
        if boundary != 0x10 {
            // A value of 24 octets in 31 with headers.
            data.extend_from_slice(&[27, 0, 4, 0, 0x1b, 3, 0]);
        }
        data.resize(4 + usize::from(octets), 7);
        log.put(Kind::Acl, None, &data);
    }
    let explained = log.ended();
    let link = &explained.links[0];
    let octets = |stream: &Option<Stream>| stream.as_ref().map(|stream| (stream.octets, stream.packets));
    assert_eq!((octets(&link.sent), octets(&link.received)), (Some((24, 2)), Some((24, 2))));
}

#[test]
fn clocks_that_are_set_back_and_reset_controllers_are_no_mistake() {
    let mut log = Log::new();
    log.at(1000).connected(0x40).notify(0x40, true);
    log.at(400).notify(0x40, true);
    log.at(1100).put(Kind::Command, Some(true), &[3, 12, 0]);
    log.at(1200).event(0x3e, &[3, 0, 0x40]);
    let explained = log.ended();
    assert_eq!((explained.backwards, explained.malformed, explained.links.len()), (1, 1, 1));
    assert_eq!(explained.links[0].ended.as_deref(), Some("the host reset the controller"));
}
