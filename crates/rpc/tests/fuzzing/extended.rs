//! Frames of the extension into both ends, in any state: made of records, changed on their way, or as they come; and records that
//! are read, written and read again.

// The fuzz target takes this file alone, so it brings what it needs.
#[allow(clippy::duplicate_mod)]
#[path = "../extended/support/mod.rs"]
#[allow(dead_code, unused_imports, reason = "other tests need the rest")]
mod support;

use airtime_core::Duration;
use airtime_rpc::extended::{Record, Records, Writer};
use airtime_rpc::{CALLS_MAX, CallId, Kind};

use super::{LANE, OCTETS_MAX, Script, disturb};
use support::{Pair, Talk, frame, request};

/// Methods of the service of these tests with their kinds, and one that it does not have.
const METHODS: [(&str, Kind); 7] = [
    ("echo", Kind::Unary),
    ("read", Kind::Unary),
    ("count", Kind::ServerStream),
    ("sum", Kind::ClientStream),
    ("chat", Kind::Bidirectional),
    ("slow", Kind::Unary),
    ("none", Kind::Unary),
];

/// Runs one script.
pub fn extended(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    let mut ends = Ends::new(script.octet());
    while !script.is_over() {
        ends.step(&mut script);
        ends.pump();
        assert!(ends.pair.works.standing.len() <= CALLS_MAX);
    }
    ends.hang_up();
}

struct Ends {
    pair: Pair,
    /// Numbers of the frames that the server and the client expect next, as far as one can tell from outside.
    expected: [u16; 2],
    /// Calls begun.
    begun: u32,
}

/// An end.
#[derive(Clone, Copy)]
enum End {
    Server,
    Client,
}

impl Ends {
    fn new(kind: u8) -> Self {
        let mut pair = if kind & 1 == 0 { Pair::ready() } else { Pair::sealed() };
        pair.works.released = kind & 2 != 0;
        // The server's first frame has come.
        Self { pair, expected: [0, 1], begun: 0 }
    }

    fn step(&mut self, script: &mut Script<'_>) {
        match script.octet() % 10 {
            0 => self.start(script),
            1 => self.deliver(End::Server),
            2 => self.deliver(End::Client),
            3 => self.forge(End::Server, script),
            4 => self.forge(End::Client, script),
            5 => {
                let octets = script.octets(300);
                again(octets);
                self.receive(End::Server, octets);
                self.receive(End::Client, octets);
            }
            6 => disturb(&mut self.pair.to_server, script),
            7 => disturb(&mut self.pair.to_client, script),
            8 => self.wait(script.word()),
            _ => {
                let call = self.pair.person.calls.keys().nth(usize::from(script.octet())).copied();
                if let Some(call) = call {
                    self.pair.client.cancel(self.pair.now, CallId(call), &mut self.pair.person);
                }
            }
        }
    }

    fn start(&mut self, script: &mut Script<'_>) {
        let what = script.octet();
        let (name, kind) = METHODS[usize::from(what) % METHODS.len()];
        let wanted = u32::from(script.octet()) * 8;
        if self.pair.client.room() == 0 {
            return;
        }
        self.pair.person.calls.retain(|_, talk| talk.result().is_none());
        self.begun += 1;
        let requests = (0..=what >> 5).map(|_| request(self.begun, wanted));
        let talk = Talk { holds: what & 16 != 0, room: (what & 8 != 0).then_some(wanted), ..Talk::of(requests) };
        self.pair.start(name, kind, talk);
    }

    /// All that is under way arrives.
    fn deliver(&mut self, at: End) {
        let lane = match at {
            End::Server => &mut self.pair.to_server,
            End::Client => &mut self.pair.to_client,
        };
        for frame in std::mem::take(lane) {
            self.receive(at, &frame);
        }
    }

    /// A frame of records that nobody has sent.
    fn forge(&mut self, at: End, script: &mut Script<'_>) {
        let mut records = Vec::new();
        let skew = script.octet();
        for _ in 0..=skew & 3 {
            record(script, &mut records);
        }
        again(&records);
        // Mostly the number that is due, so that a fuzzer need not find it.
        let missed = if skew & 0x1c == 0 { u16::from(skew >> 5) } else { 0 };
        self.receive(at, &frame(self.expected[at as usize].wrapping_add(missed), &records));
    }

    fn receive(&mut self, at: End, octets: &[u8]) {
        if let Some(&head) = octets.first_chunk::<2>() {
            self.expected[at as usize] = u16::from_le_bytes(head).wrapping_add(1) % 4096;
        }
        let Pair { now, client, server, person, works, .. } = &mut self.pair;
        let mut room = [0; 512];
        match at {
            End::Server => server.receive(*now, octets, &mut room, works),
            End::Client => client.receive(*now, octets, &mut room, person),
        }
    }

    fn wait(&mut self, milliseconds: u16) {
        let Pair { now, client, server, person, works, .. } = &mut self.pair;
        *now += Duration::from_millis(milliseconds.into());
        client.wake(*now, person);
        server.wake(*now, works);
        for deadline in [client.deadline(), server.deadline()] {
            assert!(deadline.is_none_or(|deadline| deadline > *now), "it stands still");
        }
    }

    /// Lanes take what there is room for.
    fn pump(&mut self) {
        self.pair.resume();
        let Pair { now, client, server, person, works, to_server, to_client, .. } = &mut self.pair;
        let mut frame = [0; 512];
        while to_server.len() < LANE
            && let Some(len) = client.transmit(*now, &mut frame, person)
        {
            to_server.push_back(frame[..len].to_vec());
        }
        while to_client.len() < LANE
            && let Some(len) = server.transmit(*now, &mut frame, works)
        {
            to_client.push_back(frame[..len].to_vec());
        }
    }

    /// Whatever came before, every call is over then, once at each end.
    fn hang_up(mut self) {
        self.pair.server.disconnected(&mut self.pair.works);
        self.pair.client.disconnected(&mut self.pair.person);
        assert_eq!(self.pair.works.opened, self.pair.works.closed);
        assert!(self.pair.person.calls.values().all(|talk| talk.result().is_some()));
    }
}

/// A record whose length is right; kind, flags, call and body may or may not go together.
fn record(script: &mut Script<'_>, into: &mut Vec<u8>) {
    /// The kind of a record that begins a call, and the flags that say how its length is written.
    const OPEN: u8 = 1;
    const LENGTH_FLAGS: u8 = 3;
    let (head, call) = (script.octet() & !LENGTH_FLAGS, script.octet());
    let body = if head >> 4 == OPEN {
        let (name, _) = METHODS[usize::from(script.octet()) % METHODS.len()];
        let (window, deadline_ms) = (u32::from(script.word()), script.word());
        [&window.to_le_bytes()[..], &deadline_ms.to_le_bytes(), &[name.len() as u8], name.as_bytes()].concat()
    } else {
        script.octets(60).to_vec()
    };
    into.extend([head, call % 16, 0, body.len() as u8]);
    into.extend(body);
}

/// Records that were read are the same when they are written and read again.
fn again(octets: &[u8]) {
    let Ok(records) = Records::new_checked(octets) else { return };
    let known = |record: &Record<'_>| !matches!(record, Record::Unknown { .. } | Record::Malformed { .. });
    let records: Vec<Record<'_>> = records.filter(known).collect();
    // A record may take two octets more: the length that the last one went without.
    let mut written = vec![0; octets.len() + 2];
    let mut writer = Writer::new(&mut written);
    for record in &records {
        let fits = match *record {
            Record::Open { call, window, deadline_ms, name } => writer.open(call, window, deadline_ms, name),
            Record::Data { call, end_of_message, end_of_stream, octets } => {
                writer.data(call, end_of_message, end_of_stream, octets)
            }
            Record::Credit { call, limit } => writer.credit(call, limit),
            Record::Status { call, code } => writer.status(call, code),
            Record::Cancel { call } => writer.cancel(call),
            Record::Limits(limits) => writer.limits(limits),
            Record::Lost { first } => writer.lost(first),
            _ => true,
        };
        assert!(fits, "{record:?}");
    }
    let length = writer.finish();
    let back: Vec<Record<'_>> = Records::new_checked(&written[..length]).expect("what is made is read").collect();
    assert_eq!(back, records);
}
