//! Feature and version exchange. Core 6.0, Vol 6, Part B, 5.1.4 and 5.1.5.

use super::Local;
use crate::hci::{Status, event};
use crate::ll::connection::{Connection, Context};
use crate::personality;

/// Features of a controller, page 0. Core 6.0, Vol 6, Part B, 4.6.
pub fn features(personality: &personality::Controller) -> u64 {
    let encryption = 1 << 0;
    let (reject, peripheral_features, length) = (1 << 2, 1 << 3, 1 << 5);
    let (privacy, scanner_filter_policies) = (1 << 6, 1 << 7);
    let always = encryption | reject | peripheral_features | length | privacy | scanner_filter_policies;
    let optional = [
        (personality.parameter_request, 1),
        (personality.phy_2m, 8),
        (personality.phy_coded, 11),
        // Extended advertising asks for channel selection algorithm #2.
        (personality.csa2, 12),
        (personality.csa2, 14),
    ];
    optional.iter().filter(|(supported, _)| *supported).fold(always, |bits, (_, bit)| bits | 1 << bit)
}

/// Features that concern the controller's own host only: LE Ping, LL Privacy, Extended Scanner Filter Policies,
/// LE Extended Advertising, LE Periodic Advertising. Core 6.0, Vol 6, Part B, 4.6, Table 4.4.
const NOT_FOR_PEERS: u64 = 1 << 4 | 1 << 6 | 1 << 7 | 1 << 12 | 1 << 13;

/// The features a peer is told about.
pub fn features_for_peers(personality: &personality::Controller) -> u64 {
    features(personality) & !NOT_FOR_PEERS
}

impl Connection {
    pub(super) fn features_done(&mut self, ctx: &mut Context<'_>, status: Status, theirs: u64) {
        if self.procedures.active == Some(Local::Features) {
            let mut packet = event::le_event(ctx.out.pool(), event::LE_READ_REMOTE_FEATURES_COMPLETE);
            packet.put_u8(status.0);
            packet.put_u16(self.handle);
            packet.put_u64(theirs);
            ctx.out.le_event(event::finish(packet));
            self.finish(ctx);
        }
    }

    pub(super) fn version_received(&mut self, ctx: &mut Context<'_>, version: (u8, u16, u16)) {
        self.procedures.peer_version = Some(version);
        if !self.procedures.version_sent {
            self.send_version(ctx);
        }
        if self.procedures.active == Some(Local::Version) {
            self.version_done(ctx, version);
        }
    }

    pub(super) fn version_done(&mut self, ctx: &mut Context<'_>, (version, company, subversion): (u8, u16, u16)) {
        let mut packet = event::event(ctx.out.pool(), event::READ_REMOTE_VERSION_COMPLETE);
        packet.put_u8(Status::SUCCESS.0);
        packet.put_u16(self.handle);
        packet.put_u8(version);
        packet.put_u16(company);
        packet.put_u16(subversion);
        ctx.out.event(event::finish(packet));
        self.finish(ctx);
    }
}
