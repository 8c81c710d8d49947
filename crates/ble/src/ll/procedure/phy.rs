//! PHY update. Core 6.0, Vol 6, Part B, 5.1.10.

use super::Local;
use crate::air::Phy;
use crate::hci::{Status, event};
use crate::host::Role;
use crate::ll::connection::{Connection, Context};
use crate::ll::control::{Control, PHY_1M, PHY_2M, PHY_CODED, opcode};
use crate::personality;

/// PHY bits a controller supports.
pub fn supported_phys(personality: &personality::Controller) -> u8 {
    PHY_1M | if personality.phy_2m { PHY_2M } else { 0 } | if personality.phy_coded { PHY_CODED } else { 0 }
}

/// PHY bit of a PHY.
pub fn phy_bit(phy: Phy) -> u8 {
    match phy {
        Phy::Le1M => PHY_1M,
        Phy::Le2M => PHY_2M,
        Phy::LeCodedS2 | Phy::LeCodedS8 => PHY_CODED,
    }
}

/// PHY number of HCI events: 1, 2 or 3.
pub fn phy_number(phy: Phy) -> u8 {
    match phy {
        Phy::Le1M => 1,
        Phy::Le2M => 2,
        Phy::LeCodedS2 | Phy::LeCodedS8 => 3,
    }
}

/// The fastest PHY among `bits`.
fn fastest(bits: u8) -> u8 {
    [PHY_2M, PHY_1M, PHY_CODED].into_iter().find(|bit| bits & bit != 0).unwrap_or(0)
}

impl Connection {
    pub(super) fn phy_requested(&mut self, ctx: &mut Context<'_>, tx: u8, rx: u8) {
        let (own_tx, own_rx) = self.procedures.phys;
        if self.role == Role::Peripheral {
            return self.send(ctx, Control::PhyRsp { tx: own_tx, rx: own_rx });
        }
        if self.collides(ctx, opcode::PHY_REQ) {
            return;
        }
        self.decide_phy(ctx, own_tx & rx, own_rx & tx);
    }

    pub(super) fn phy_answered(&mut self, ctx: &mut Context<'_>, tx: u8, rx: u8) {
        if let (Some(Local::Phy { tx: own_tx, rx: own_rx, .. }), Role::Central) = (self.procedures.active, self.role) {
            self.decide_phy(ctx, own_tx & rx, own_rx & tx);
        }
    }

    /// The central chooses among the PHYs that both sides allow.
    pub(super) fn decide_phy(&mut self, ctx: &mut Context<'_>, c_to_p: u8, p_to_c: u8) {
        let change = |bits: u8, now: Phy| match fastest(bits) {
            bit if bit == phy_bit(now) => 0,
            bit => bit,
        };
        let (c_to_p, p_to_c) = (change(c_to_p, self.tx_phy), change(p_to_c, self.rx_phy));
        let instant = self.instant();
        self.send(ctx, Control::PhyUpdateInd { c_to_p, p_to_c, instant });
        self.schedule_phy(ctx, c_to_p, p_to_c, instant);
    }

    pub(super) fn schedule_phy(&mut self, ctx: &mut Context<'_>, tx: u8, rx: u8, instant: u16) {
        if tx == 0 && rx == 0 {
            self.change_phy(ctx, 0, 0);
        } else if self.in_future(instant) {
            self.procedures.pending.phy = Some((tx, rx, instant));
        }
    }

    pub(super) fn change_phy(&mut self, ctx: &mut Context<'_>, tx: u8, rx: u8) {
        let asked = matches!(self.procedures.active, Some(Local::Phy { .. }));
        if tx != 0 {
            self.tx_phy = self.procedures.phy(tx);
        } else if asked && self.tx_phy.is_coded() {
            self.tx_phy = self.procedures.coded();
        }
        if rx != 0 {
            self.rx_phy = self.procedures.phy(rx);
        }
        let before = self.effective;
        self.refresh_lengths();
        if self.effective != before {
            self.report_length(ctx);
        }
        if asked || tx != 0 || rx != 0 {
            self.phy_done(ctx, Status::SUCCESS);
        }
        if asked {
            self.finish(ctx);
        }
    }

    pub(super) fn phy_done(&self, ctx: &mut Context<'_>, status: Status) {
        let mut packet = event::le_event(ctx.out.pool(), event::LE_PHY_UPDATE_COMPLETE);
        packet.put_u8(status.0);
        packet.put_u16(self.handle);
        packet.put(&[phy_number(self.tx_phy), phy_number(self.rx_phy)]);
        ctx.out.le_event(event::finish(packet));
    }
}
