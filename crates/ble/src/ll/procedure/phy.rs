//! PHY update. Core 6.0, Vol 6, Part B, 5.1.10.

use alloc::vec;
use alloc::vec::Vec;

use super::effect::{Effect, Told};
use super::facts::Facts;
use crate::air::Phy;
use crate::hci::Status;
use crate::ll::control::{Control, PHY_1M, PHY_2M, PHY_CODED, opcode};
use crate::personality;
use crate::words::Role;

/// PHY update of one connection. PHYs are bits, those to send on first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PhyUpdate {
    /// PHYs this side allows when the peer asks.
    allowed: (u8, u8),
    /// PHYs the host has asked for, while that is under way.
    asked: Option<(u8, u8)>,
    /// LE Coded is sent as S=8.
    s8: bool,
    /// Change that waits for its instant; zero is as it is.
    pending: Option<(u8, u8, u16)>,
}

/// Input of the PHY update.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Input {
    /// The turn of ours has come.
    Asked {
        /// PHYs to send on.
        tx: u8,
        /// PHYs to receive on.
        rx: u8,
        /// Send LE Coded as S=8.
        s8: bool,
    },
    /// LL_PHY_REQ.
    Requested {
        /// PHYs the peer wants to send on.
        tx: u8,
        /// PHYs the peer wants to receive on.
        rx: u8,
        /// Reason why a central is to refuse that now.
        collision: Option<Status>,
    },
    /// LL_PHY_RSP.
    Answered {
        /// PHYs the peer wants to send on.
        tx: u8,
        /// PHYs the peer wants to receive on.
        rx: u8,
    },
    /// LL_PHY_UPDATE_IND.
    Indicated {
        /// Central to peripheral.
        c_to_p: u8,
        /// Peripheral to central.
        p_to_c: u8,
        /// Event counter at which it takes effect.
        instant: u16,
    },
    /// The instant of what is pending has come.
    Instant,
    /// The peer has refused ours.
    Refused(Status),
}

impl PhyUpdate {
    /// Nothing under way; `allowed` are the PHYs to send and to receive on when the peer asks for others.
    pub fn new(allowed: (u8, u8)) -> Self {
        Self { allowed, asked: None, s8: true, pending: None }
    }

    /// Takes an input in.
    pub fn handle(&mut self, facts: &Facts<'_>, input: Input) -> Vec<Effect> {
        match (input, facts.role) {
            (Input::Asked { tx, rx, s8 }, _) => {
                (self.asked, self.s8) = (Some((tx, rx)), s8);
                vec![Effect::Send(Control::PhyReq { tx, rx })]
            }
            (Input::Requested { .. }, Role::Peripheral) => {
                let (tx, rx) = self.allowed;
                vec![Effect::Send(Control::PhyRsp { tx, rx })]
            }
            (Input::Requested { collision: Some(reason), .. }, Role::Central) => {
                vec![Effect::Send(Control::RejectExtInd { opcode: opcode::PHY_REQ, reason })]
            }
            (Input::Requested { tx, rx, .. }, Role::Central) => self.decide(facts, self.allowed, tx, rx),
            (Input::Answered { tx, rx }, Role::Central) => match self.asked {
                Some(own) => self.decide(facts, own, tx, rx),
                None => vec![],
            },
            (Input::Indicated { c_to_p, p_to_c, instant }, Role::Peripheral) => {
                self.schedule(facts, p_to_c, c_to_p, instant)
            }
            (Input::Answered { .. }, Role::Peripheral) | (Input::Indicated { .. }, Role::Central) => vec![],
            (Input::Instant, _) => match self.pending.take() {
                Some((tx, rx, _)) => self.change(facts, tx, rx),
                None => vec![],
            },
            (Input::Refused(reason), _) => match self.asked.take() {
                Some(_) => vec![Effect::Tell(Told::Phys(reason)), Effect::Over],
                None => vec![],
            },
        }
    }

    /// Event counter at which what is pending takes effect.
    pub fn instant(&self) -> Option<u16> {
        self.pending.map(|(_, _, instant)| instant)
    }

    /// The central chooses among the PHYs that both sides allow.
    fn decide(&mut self, facts: &Facts<'_>, own: (u8, u8), peer_tx: u8, peer_rx: u8) -> Vec<Effect> {
        let change = |bits: u8, now: Phy| match fastest(bits) {
            bit if bit == phy_bit(now) => 0,
            bit => bit,
        };
        let (c_to_p, p_to_c) = (change(own.0 & peer_rx, facts.phys.0), change(own.1 & peer_tx, facts.phys.1));
        let instant = facts.instant();
        let mut effects = vec![Effect::Send(Control::PhyUpdateInd { c_to_p, p_to_c, instant })];
        effects.append(&mut self.schedule(facts, c_to_p, p_to_c, instant));
        effects
    }

    fn schedule(&mut self, facts: &Facts<'_>, tx: u8, rx: u8, instant: u16) -> Vec<Effect> {
        if tx == 0 && rx == 0 {
            return self.change(facts, 0, 0);
        }
        if !facts.is_ahead(instant) {
            return vec![Effect::End(Status::INSTANT_PASSED)];
        }
        self.pending = Some((tx, rx, instant));
        vec![]
    }

    fn change(&mut self, facts: &Facts<'_>, tx: u8, rx: u8) -> Vec<Effect> {
        let asked = self.asked.take().is_some();
        let phys = Effect::Phys {
            tx: match tx {
                0 if asked && facts.phys.0.is_coded() => self.coded(),
                0 => facts.phys.0,
                bits => self.phy(bits),
            },
            rx: if rx == 0 { facts.phys.1 } else { self.phy(rx) },
        };
        let told = (asked || tx != 0 || rx != 0).then_some(Effect::Tell(Told::Phys(Status::SUCCESS)));
        [phys].into_iter().chain(told).chain(asked.then_some(Effect::Over)).collect()
    }

    /// PHY coding wanted on LE Coded.
    fn coded(&self) -> Phy {
        if self.s8 { Phy::LeCodedS8 } else { Phy::LeCodedS2 }
    }

    fn phy(&self, bits: u8) -> Phy {
        match bits {
            PHY_2M => Phy::Le2M,
            PHY_CODED => self.coded(),
            _ => Phy::Le1M,
        }
    }
}

/// PHY bits a controller supports.
pub fn supported_phys(personality: &personality::Controller) -> u8 {
    PHY_1M | if personality.phy_2m { PHY_2M } else { 0 } | if personality.phy_coded { PHY_CODED } else { 0 }
}

/// PHY number of HCI events: 1, 2 or 3.
pub fn phy_number(phy: Phy) -> u8 {
    match phy {
        Phy::Le1M => 1,
        Phy::Le2M => 2,
        Phy::LeCodedS2 | Phy::LeCodedS8 => 3,
    }
}

/// PHY bit of a PHY.
fn phy_bit(phy: Phy) -> u8 {
    match phy {
        Phy::Le1M => PHY_1M,
        Phy::Le2M => PHY_2M,
        Phy::LeCodedS2 | Phy::LeCodedS8 => PHY_CODED,
    }
}

/// The fastest PHY among `bits`.
fn fastest(bits: u8) -> u8 {
    [PHY_2M, PHY_1M, PHY_CODED].into_iter().find(|bit| bits & bit != 0).unwrap_or(0)
}
