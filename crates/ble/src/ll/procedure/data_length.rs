//! Data length update. Core 6.0, Vol 6, Part B, 5.1.9.

use alloc::vec;
use alloc::vec::Vec;

use super::effect::Effect;
use crate::ll::control::Control;
use crate::ll::length::Offer;

/// Data length update of one connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DataLengthUpdate {
    /// The offer that is made.
    offer: Offer,
    /// A request of ours waits for its answer.
    asked: bool,
}

/// Input of the data length update.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Input {
    /// The turn of ours has come.
    Asked,
    /// LL_LENGTH_REQ.
    Requested(Offer),
    /// LL_LENGTH_RSP.
    Answered(Offer),
    /// The peer has refused ours.
    Refused,
}

impl DataLengthUpdate {
    /// Nothing under way; `offer` is made when there is.
    pub fn new(offer: Offer) -> Self {
        Self { offer, asked: false }
    }

    /// Changes the offer that is made next.
    pub fn set_tx_offer(&mut self, octets: u16, time: u16) {
        self.offer.max_tx_octets = octets;
        self.offer.max_tx_time = time;
    }

    /// Takes an input in.
    pub fn handle(&mut self, input: Input) -> Vec<Effect> {
        let own = self.offer;
        match input {
            Input::Asked => {
                self.asked = true;
                vec![Effect::OwnOffer(own), Effect::Send(Control::LengthReq(own))]
            }
            Input::Requested(offer) if offer.is_valid() => {
                vec![Effect::OwnOffer(own), Effect::Send(Control::LengthRsp(own)), Effect::PeerOffer(offer)]
            }
            Input::Answered(offer) if self.asked && offer.is_valid() => {
                self.asked = false;
                vec![Effect::PeerOffer(offer), Effect::Over]
            }
            Input::Refused if core::mem::take(&mut self.asked) => vec![Effect::Over],
            Input::Requested(_) | Input::Answered(_) | Input::Refused => vec![],
        }
    }
}
