//! Channel map update. Core 6.0, Vol 6, Part B, 5.1.2.

use alloc::vec;
use alloc::vec::Vec;

use super::effect::Effect;
use super::facts::Facts;
use crate::hci::Status;
use crate::ll::control::Control;
use crate::ll::hopping::ChannelMap;
use crate::words::Role;

/// Channel map update of one connection.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChannelMapUpdate {
    /// The update under way is ours.
    asked: bool,
    /// Map, one bit for each channel, that waits for its instant.
    pending: Option<(u64, u16)>,
}

/// Input of the channel map update.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Input {
    /// The turn of ours has come: this map.
    Asked(u64),
    /// LL_CHANNEL_MAP_IND.
    Indicated {
        /// Channels in use, one bit each.
        map: u64,
        /// Event counter at which it takes effect.
        instant: u16,
    },
    /// The instant of what is pending has come.
    Instant,
    /// The peer has refused ours.
    Refused,
}

impl ChannelMapUpdate {
    /// Takes an input in.
    pub fn handle(&mut self, facts: &Facts<'_>, input: Input) -> Vec<Effect> {
        match input {
            Input::Asked(map) => {
                self.asked = true;
                let instant = facts.instant();
                self.pending = Some((map, instant));
                vec![Effect::Send(Control::ChannelMapInd { map, instant })]
            }
            Input::Indicated { instant, .. } if facts.role == Role::Peripheral && !facts.is_ahead(instant) => {
                vec![Effect::End(Status::INSTANT_PASSED)]
            }
            Input::Indicated { map, instant } if facts.role == Role::Peripheral => {
                self.pending = Some((map, instant));
                vec![]
            }
            Input::Indicated { .. } => vec![],
            Input::Instant => {
                let Some((map, _)) = self.pending.take() else { return vec![] };
                let map = ChannelMap::new(map).map(Effect::Map);
                let over = core::mem::take(&mut self.asked).then_some(Effect::Over);
                map.into_iter().chain(over).collect()
            }
            Input::Refused if core::mem::take(&mut self.asked) => vec![Effect::Over],
            Input::Refused => vec![],
        }
    }

    /// Event counter at which what is pending takes effect.
    pub fn instant(&self) -> Option<u16> {
        self.pending.map(|(_, instant)| instant)
    }
}
