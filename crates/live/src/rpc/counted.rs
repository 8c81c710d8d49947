//! A service whose calls are counted.

use std::collections::BTreeMap;

use airtime_rpc::{CALLS_MAX, CallId, Kind, Next, Service, Status};

/// Calls of one method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Calls that began.
    pub calls: u64,
    /// Calls that the service refused, or ended with a status.
    pub refused: u64,
    /// Octets of request messages.
    pub octets_in: u64,
    /// Octets of response messages.
    pub octets_out: u64,
}

/// A service whose calls are counted by method.
#[derive(Clone, Debug)]
pub struct Counted<V> {
    service: V,
    methods: BTreeMap<String, Counts>,
    /// Calls of methods that do not exist. Their names are a stranger's, and would have no bound.
    unknown: u64,
    under_way: Vec<(CallId, String)>,
}

impl<V> Counted<V> {
    /// Counter around `service`, which is not called yet.
    pub fn new(service: V) -> Self {
        Self { service, methods: BTreeMap::new(), unknown: 0, under_way: Vec::with_capacity(CALLS_MAX) }
    }

    /// Calls by method, those of methods that exist.
    pub fn methods(&self) -> &BTreeMap<String, Counts> {
        &self.methods
    }

    /// Calls of methods that do not exist.
    pub fn unknown(&self) -> u64 {
        self.unknown
    }

    /// Number of all calls.
    pub fn calls(&self) -> u64 {
        self.methods.values().map(|counts| counts.calls).sum()
    }

    fn note(&mut self, call: CallId, note: impl FnOnce(&mut Counts)) {
        let name = self.under_way.iter().find(|(id, _)| *id == call).map(|(_, name)| name);
        if let Some(counts) = name.and_then(|name| self.methods.get_mut(name)) {
            note(counts);
        }
    }
}

impl<V: Service> Service for Counted<V> {
    fn open(&mut self, call: CallId, name: &str) -> Result<Kind, Status> {
        let opened = self.service.open(call, name);
        match opened {
            Ok(_) => {
                self.methods.entry(name.to_owned()).or_default().calls += 1;
                self.under_way.push((call, name.to_owned()));
            }
            Err(Status::UnknownCommand) => self.unknown += 1,
            Err(_) => self.methods.entry(name.to_owned()).or_default().refused += 1,
        }
        opened
    }

    fn received(&mut self, call: CallId, octets: &[u8], last: bool) -> Result<(), Status> {
        let result = self.service.received(call, octets, last);
        self.note(call, |counts| {
            counts.octets_in += octets.len() as u64;
            counts.refused += u64::from(result.is_err());
        });
        result
    }

    fn finished(&mut self, call: CallId) -> Result<(), Status> {
        let result = self.service.finished(call);
        self.note(call, |counts| counts.refused += u64::from(result.is_err()));
        result
    }

    fn next(&mut self, call: CallId) -> Next {
        let next = self.service.next(call);
        match next {
            Next::Message { octets } => self.note(call, |counts| counts.octets_out += u64::from(octets)),
            Next::Failed(_) => self.note(call, |counts| counts.refused += 1),
            Next::Later | Next::End => {}
        }
        next
    }

    fn read(&mut self, call: CallId, offset: u32, into: &mut [u8]) {
        self.service.read(call, offset, into);
    }

    fn room(&self, call: CallId) -> u32 {
        self.service.room(call)
    }

    fn closed(&mut self, call: CallId) {
        self.under_way.retain(|(id, _)| *id != call);
        self.service.closed(call);
    }
}
