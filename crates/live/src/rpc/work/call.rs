//! One call with messages of the caller's own.

use airtime_core::{Duration, Instant};
use airtime_rpc::client::{Client, Terms};
use airtime_rpc::{CallError, CallId, Kind, Next};

use super::{BUFFER, JobError};

/// Octets of responses that are kept. Whoever wants more reads in pieces.
const KEPT_MAX: usize = 64 << 20;

/// Work that is one call, with its requests and responses.
#[derive(Debug)]
pub struct Calls {
    name: String,
    kind: Kind,
    requests: Vec<Vec<u8>>,
    /// The request under way, or to be asked for next.
    at: usize,
    asked: bool,
    responses: Vec<Vec<u8>>,
    /// The response that is coming in.
    coming: Vec<u8>,
    kept: usize,
    call: Option<(CallId, Instant)>,
    ended: Option<Result<(), CallError>>,
    took: Option<Duration>,
    error: Option<JobError>,
}

impl Calls {
    /// A call of `name` with these encoded requests: one, but for streams to the server.
    pub fn new(name: String, kind: Kind, requests: Vec<Vec<u8>>) -> Self {
        Self {
            name,
            kind,
            requests,
            at: 0,
            asked: false,
            responses: Vec::new(),
            coming: Vec::new(),
            kept: 0,
            call: None,
            ended: None,
            took: None,
            error: None,
        }
    }

    /// Name of the method that is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Kind of the calls: the number of messages each way.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Messages that were to be sent.
    pub fn requests(&self) -> usize {
        self.requests.len()
    }

    /// Encoded responses, in the order they came.
    pub fn responses(&self) -> &[Vec<u8>] {
        &self.responses
    }

    /// From the begin of the call to its end.
    pub fn took(&self) -> Option<Duration> {
        self.took
    }

    pub(super) fn error(&self) -> Option<&JobError> {
        self.error.as_ref()
    }

    pub(super) fn is_over(&self) -> bool {
        self.took.is_some()
    }

    pub(super) fn progress(&self) -> (u64, u64) {
        ((self.at + self.responses.len()) as u64, self.requests.len() as u64)
    }

    pub(super) fn moves(&self) -> u64 {
        (self.at + self.kept) as u64
    }

    pub(super) fn advance(&mut self, now: Instant, _: &Terms, client: &mut Client<BUFFER>) {
        let fails = |error| Some(JobError::Call { name: self.name.clone(), error });
        match (self.call, self.ended) {
            (None, _) => match client.start(now, &self.name, self.kind) {
                Ok(call) => self.call = Some((call, now)),
                Err(error) => self.error = Some(JobError::NotBegun { name: self.name.clone(), error }),
            },
            (Some((_, began)), Some(Ok(()))) => {
                self.took = Some(now - began);
                if matches!(self.kind, Kind::Unary | Kind::ClientStream) && self.responses.len() != 1 {
                    self.error = fails(CallError::Malformed);
                }
            }
            (Some(_), Some(Err(_))) => self.settle(),
            (Some(_), None) => {}
        }
    }

    /// Notes how the call ended, connection or not. Nobody but the caller knows whether it may be called twice.
    pub(super) fn settle(&mut self) {
        if let Some(Err(error)) = self.ended {
            self.error.get_or_insert(JobError::Call { name: self.name.clone(), error });
        }
    }

    pub(super) fn next(&mut self, _: CallId) -> Next {
        self.at += usize::from(std::mem::replace(&mut self.asked, true));
        match self.requests.get(self.at) {
            Some(request) => Next::Message { octets: request.len() as u32 },
            None => Next::End,
        }
    }

    pub(super) fn read(&mut self, _: CallId, offset: u32, into: &mut [u8]) {
        let request = self.requests.get(self.at).map_or(&[][..], Vec::as_slice);
        let rest = request.get(offset as usize..).unwrap_or_default();
        let octets = rest.len().min(into.len());
        into[..octets].copy_from_slice(&rest[..octets]);
    }

    pub(super) fn received(&mut self, _: CallId, octets: &[u8], last: bool) {
        self.kept += octets.len() + usize::from(last);
        if self.kept > KEPT_MAX {
            let what = format!("it is longer than the {KEPT_MAX} octets that are kept of it");
            self.error = Some(JobError::Answer { name: self.name.clone(), what });
            return;
        }
        self.coming.extend_from_slice(octets);
        if last {
            self.responses.push(std::mem::take(&mut self.coming));
        }
    }

    pub(super) fn ended(&mut self, _: CallId, result: Result<(), CallError>) {
        self.ended = Some(result);
    }
}
