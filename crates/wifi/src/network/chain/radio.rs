//! Radio of the co-processor's firmware: its uses besides sending Ethernet frames.

use airtime_core::Instant;

use super::super::STATION;
use super::Chain;
use crate::cell::Cell;
use crate::hosted::coprocessor::Radio;
use crate::hosted::raw::RadioRequest;
use crate::hosted::rpc::status;

impl Chain {
    /// The co-processor's firmware does something with its radio. Authentication and association are not played: they
    /// take milliseconds of a start-up of seconds.
    pub(super) fn radio(&mut self, now: Instant, radio: &Radio, cell: &mut Cell) {
        match radio {
            Radio::Connect => self.coprocessor.connected(now, true),
            Radio::Disconnect | Radio::Stop => self.coprocessor.connected(now, false),
            Radio::Channel { primary, .. } => self.tune(*primary, cell),
            Radio::Raw(request) => {
                let status = self.raw(now, request, cell);
                self.coprocessor.raw_done(now, status);
            }
            Radio::Start { .. } => {}
        }
    }

    /// Raw frames: listens, goes to a channel, sends. Its status.
    fn raw(&mut self, now: Instant, request: &RadioRequest, cell: &mut Cell) -> i32 {
        match request {
            RadioRequest::Listen(on) => {
                self.listens = *on;
                self.listen(cell);
            }
            RadioRequest::Channel { primary, .. } => self.tune(*primary, cell),
            RadioRequest::Inject { frame, .. } => {
                self.offered = true;
                if cell.inject(now, STATION, self.pool.copy(frame)).is_err() {
                    return status::NO_MEM;
                }
            }
        }
        status::OK
    }

    /// It goes to a channel: on another one than the cell's it hears nothing.
    fn tune(&mut self, channel: u8, cell: &mut Cell) {
        self.channel = Some(channel);
        self.listen(cell);
    }

    fn listen(&self, cell: &mut Cell) {
        let here = self.channel.is_none_or(|channel| channel == cell.channel());
        cell.listen(STATION, self.listens && here);
    }
}
