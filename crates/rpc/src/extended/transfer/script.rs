//! Script of a transfer: the instants at which it calls.

use airtime_core::Instant;

use super::{Direction, Object, Step, Transfer, TransferError};
use crate::client::Client;
use crate::suite::{Report, Script};
use crate::{CallError, Kind};

impl<O: Object> Transfer<O> {
    fn method(&self) -> &'static str {
        match (self.step, self.config.direction) {
            (Step::Asking, _) => "bulk_status",
            (Step::Moving, Direction::Download) => "bulk_read",
            (Step::Moving, Direction::Upload) => "bulk_write",
        }
    }

    fn begin<const BUFFER: usize>(&mut self, now: Instant, client: &mut Client<BUFFER>) {
        self.prepare();
        // How long it takes is not known; that octets move is watched instead.
        if let Ok(call) = client.start_within(now, self.method(), Kind::Unary, None) {
            self.call = Some(call);
            self.calls += 1;
            self.moved = now;
            self.began.get_or_insert(now);
        }
    }
}

impl<O: Object, const BUFFER: usize> Script<BUFFER> for Transfer<O> {
    fn advance(&mut self, now: Instant, client: &mut Client<BUFFER>) {
        if core::mem::take(&mut self.moving) {
            self.moved = now;
        }
        if let Some(call) = self.call
            && self.moved + self.config.patience <= now
        {
            client.cancel(now, call, self);
        }
        if self.result.is_some() {
            self.over.get_or_insert(now);
        }
        if self.call.is_none() && self.result.is_none() && client.room() > 0 {
            self.begin(now, client);
        }
    }

    fn poll(&mut self) -> Option<Report> {
        let result = self.result.filter(|_| !self.reported)?;
        let took = self.over?.saturating_since(self.began?);
        self.reported = true;
        let result = result.map_err(|error| match error {
            TransferError::Call(error) => error,
            TransferError::Checksum => CallError::Malformed,
        });
        let name = match self.config.direction {
            Direction::Download => "bulk_read",
            Direction::Upload => "bulk_write",
        };
        Some(Report::Call { name, took, items: 1, octets: self.config.length, warmup: false, result })
    }

    fn deadline(&self) -> Option<Instant> {
        self.call.map(|_| self.moved + self.config.patience)
    }

    fn is_over(&self) -> bool {
        self.result.is_some()
    }
}
