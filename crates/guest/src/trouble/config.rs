//! Configuration of a TrouBLE host, besides the application.

use airtime_app::Transport;
use airtime_ble::personality::{self, CreditPolicy};
use airtime_trouble::{Grant, Terms};

/// The packets of TrouBLE's own pool, when nothing else is said.
pub const PACKETS_DEFAULT: usize = 16;

/// The parameters of one host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TroubleConfig {
    /// The terms of its channels.
    pub terms: Terms,
    /// Packets of its pool; [`PACKETS_DEFAULT`] unless something is to be shown.
    pub packets: usize,
}

impl TroubleConfig {
    /// The channels of `host` on `psm`, as far as TrouBLE has words for them.
    ///
    /// MTU and MPS are the personality's, within the pool's packets. TrouBLE has one indication, of
    /// as many credits as K-frames were taken, once per SDU: of a credit policy it keeps how many
    /// there are at first, those granted on connecting among them, and when more are granted. The rest
    /// of an SDU that [`CreditPolicy::ZephyrRecv`] grants after its first K-frame it never grants.
    /// What a personality says of a CPU is not TrouBLE's: this host takes no time.
    pub fn of(host: &personality::Host, psm: u16) -> Self {
        let (initial, grant) = match host.credits {
            CreditPolicy::ZephyrRecv => (1, Grant::Every(1)),
            CreditPolicy::PerFrames { initial, on_connect, every, .. } => {
                (initial.saturating_add(on_connect), Grant::Every(every))
            }
            CreditPolicy::RefillAtHalf { max } => (max, Grant::Below((max / 2).saturating_add(1))),
            CreditPolicy::RefillBelow { initial, below } => (initial, Grant::Below(below)),
            CreditPolicy::SocketBuffer { octets } => {
                let frames = octets / u32::from(host.coc_mps.max(1));
                (u16::try_from(frames).unwrap_or(u16::MAX).max(1), Grant::Every(1))
            }
            // Those of the handshake: TrouBLE has no second number.
            CreditPolicy::LinuxSocket { .. } => {
                ((host.coc_mtu / host.coc_mps.max(1)).saturating_add(1), Grant::Every(1))
            }
            CreditPolicy::ZephyrAllocBuf { init_credits: 0 } => {
                (host.coc_mtu.div_ceil(host.coc_mps.max(1)), Grant::Every(1))
            }
            CreditPolicy::ZephyrAllocBuf { init_credits } => (init_credits, Grant::Every(1)),
            CreditPolicy::ZephyrNoAllocBuf { acl_rx_count } => (acl_rx_count.saturating_sub(1), Grant::Every(1)),
        };
        let (mtu, mps) = (Some(host.coc_mtu), Some(host.coc_mps));
        let terms = Terms { mtu, mps, initial_credits: Some(initial), grant, ..Terms::new(psm) };
        Self { terms, packets: PACKETS_DEFAULT }
    }

    /// The same host with its stream in values.
    pub const fn in_values(self) -> Self {
        Self { terms: Terms { transport: Transport::Gatt, ..self.terms }, ..self }
    }
}
