//! The end: the new firmware has answered, and what was staged goes.

use super::state::State;
use super::{Boot, BootOutput, FlashRequest};
use crate::flash::BLOCK;
use crate::partition::SECTOR;
use crate::stage::USED;

impl Boot {
    /// Notes that the image was installed.
    pub(super) fn mark(&mut self) {
        self.state = State::Marking;
        self.say(BootOutput::Flash(FlashRequest::Program { at: 0, octet: USED }));
    }

    /// Everything from octet `end` on is erased: the block before it is next, the first sector last, for it says that the rest
    /// is to be erased.
    pub(super) fn erase(&mut self, end: u32) {
        if end == 0 {
            self.state = State::Over;
            return self.say(BootOutput::Restart);
        }
        let at = if end > BLOCK {
            (end - 1) / BLOCK * BLOCK
        } else if end > SECTOR {
            SECTOR
        } else {
            0
        };
        self.state = State::Erasing { at };
        self.say(BootOutput::Flash(FlashRequest::Erase { at, octets: end - at }));
    }
}
