//! Tables of a connection event in either role: what every run of packets from the peer leads to. They are not written but driven
//! out of a connection: a row that changes is a change of behaviour.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use airtime_core::{Duration, Instant, Pool};

use super::Heard;
use crate::air::{Phy, T_IFS};
use crate::hci;
use crate::ll::address::DeviceAddress;
use crate::ll::connection::{Connection, Context, NewConnection};
use crate::ll::length::Offer;
use crate::ll::outbox::{Outbox, Output};
use crate::ll::pdu::{ConnectData, DataHeader, LLID_CONTINUATION};
use crate::ll::room::Room;
use crate::ll::subrating::SubrateRange;
use crate::personality::Controller;
use crate::trace::Trace;
use crate::words::Role;

/// Packets after which a run is not followed further.
const LONGEST: usize = 3;

/// A packet from the peer, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    More,
    NoMore,
    Damaged,
    Nothing,
}

const ALL: [(Said, &str); 4] = [
    (Said::More, "more data"),
    (Said::NoMore, "no more data"),
    (Said::Damaged, "wrong CRC"),
    (Said::Nothing, "not heard"),
];

/// One end of a connection in its first event, with or without data of its own.
struct End {
    connection: Connection,
    personality: Controller,
    out: Outbox,
    now: Instant,
}

impl End {
    fn new(role: Role, personality: Controller, packets: usize) -> Self {
        let created = Instant::from_nanos(1_000_000_000);
        let data = ConnectData {
            access_address: 0x1234_5678,
            crc_init: 0,
            win_size: 1,
            win_offset: 0,
            interval: 80,
            latency: 0,
            timeout: 400,
            channel_map: (1 << 37) - 1,
            hop: 7,
            sca: 5,
        };
        let peer = DeviceAddress::random([1, 2, 3, 4, 5, 0xc6]);
        let (window_start, phy, offer) = (created + Duration::from_micros(1_250), Phy::Le2M, Offer::INITIAL);
        let handle = 0;
        let new = NewConnection {
            handle,
            role,
            peer,
            data,
            csa2: true,
            phy,
            created,
            window_start,
            own_ppm: 50,
            offer,
            phys: (7, 7),
            subrates: SubrateRange::AFTER_RESET,
        };
        let (mut connection, pool) = (Connection::new(&new), Pool::new());
        for _ in 0..packets {
            let mut packet = hci::acl(&pool, 0, 0);
            packet.put(&[0; 20]);
            connection.queue.push_acl(hci::finish_acl(packet), 0);
        }
        let mut end = Self { connection, personality, out: Outbox::new(pool), now: window_start };
        end.step(|connection, ctx| connection.begin_event(ctx));
        end
    }

    /// Takes a step, and says what it did.
    fn step(&mut self, step: impl FnOnce(&mut Connection, &mut Context<'_>)) -> Vec<String> {
        let Self { connection, personality, out, now } = self;
        let others = Instant::FAR_FUTURE;
        step(connection, &mut Context { now: *now, personality, out, others, room: &mut Room::default() });
        let mut did = Vec::new();
        while let Some(output) = self.out.pop() {
            match output {
                Output::Transmit(sent) => {
                    self.now = sent.end;
                    let md = DataHeader::parse(&sent.packet).is_some_and(|(header, _)| header.md);
                    did.push(if md { "sends, has more" } else { "sends, has no more" }.into());
                }
                Output::Trace(Trace::EventClosed { end, .. }) => did.push(format!("ends: {end:?}")),
                Output::Listen(_) | Output::Hci(_) | Output::Trace(_) => {}
            }
        }
        did
    }

    /// Hears a packet one inter frame space after the last one, or nothing.
    fn hear(&mut self, said: Said) -> Vec<String> {
        if said == Said::Nothing {
            return self.step(|connection, ctx| connection.missed(ctx));
        }
        let (sn, nesn) = (self.connection.nesn, !self.connection.sn);
        let header = DataHeader { llid: LLID_CONTINUATION, nesn, sn, md: said == Said::More };
        let bytes = [header.octet(), 0];
        let start = self.now + T_IFS;
        let end = start + Phy::Le2M.data_pdu(0, false);
        self.now = end;
        let pdu = (said != Said::Damaged).then_some(&bytes[..]);
        let mut did = self.step(|connection, ctx| connection.receive(ctx, Heard { pdu, start, end, phy: Phy::Le2M }));
        self.now = self.now.max(end + T_IFS);
        did.extend(self.step(Connection::continue_event));
        did
    }
}

/// Every run of packets that `role` may hear, a row each, until its event ends.
fn table(role: Role, personality: Controller, packets: usize) -> String {
    let mut text = String::new();
    let mut runs: Vec<Vec<(Said, &str)>> = alloc::vec![Vec::new()];
    while let Some(run) = runs.pop() {
        let mut end = End::new(role, personality, packets);
        let mut did = Vec::new();
        for (said, _) in &run {
            did = end.hear(*said);
        }
        if !run.is_empty() {
            let names: Vec<&str> = run.iter().map(|(_, name)| *name).collect();
            text.push_str(&format!("{} -> {}\n", names.join(", "), did.join(", ")));
        }
        if end.connection.event.is_some() && run.len() < LONGEST {
            let longer = ALL.iter().rev().map(|said| run.iter().copied().chain([*said]).collect());
            runs.extend(longer);
        }
    }
    text
}

const PLANS: Controller = Controller { queue_ahead: Duration::ZERO, crc_errors_reply: false, ..Controller::ZEPHYR_LL };
const CUTS: Controller = Controller { prepare_lead: Some(Duration::from_micros(275)), crc_errors_reply: true, ..PLANS };

#[test]
fn a_central() {
    let text = [
        format!("# with data\n{}", table(Role::Central, PLANS, 10)),
        format!("# without data\n{}", table(Role::Central, PLANS, 0)),
    ];
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn a_peripheral() {
    let text = [
        format!("# with data, silent behind two wrong CRCs\n{}", table(Role::Peripheral, PLANS, 10)),
        format!("# with data, replying to both\n{}", table(Role::Peripheral, CUTS, 10)),
        format!("# without data\n{}", table(Role::Peripheral, PLANS, 0)),
    ];
    insta::assert_snapshot!(text.join("\n"));
}
