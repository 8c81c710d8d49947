//! A board with its two chips, and what is beyond its antenna, as plain data. Where a value comes from is said beside it;
//! what can be said in a file is the lab's business.

use airtime_core::{Instant, Pool};

use crate::hosted::coprocessor::{Coprocessor, CoprocessorConfig};
use crate::hosted::host::{Host, HostConfig};
use crate::network::{BusTiming, Chain, Costs, PathConfig};

/// A chain of host, bus, co-processor, access point and wired hop.
#[derive(Clone, Debug, PartialEq)]
pub struct Personality {
    /// The driver of the host.
    pub host: HostConfig,
    /// The firmware of the co-processor.
    pub coprocessor: CoprocessorConfig,
    /// The bus between them.
    pub bus: BusTiming,
    /// Costs of their CPUs.
    pub costs: Costs,
    /// Wi-Fi transmit buffers of the co-processor (`ESP_WIFI_DYNAMIC_TX_BUFFER_NUM`, set by the host's `WifiInit`).
    pub wifi_tx: u16,
    /// Wi-Fi receive buffers of the co-processor (`ESP_WIFI_DYNAMIC_RX_BUFFER_NUM`, set by the host's `WifiInit`).
    pub wifi_rx: u16,
    /// Path behind the access point.
    pub path: PathConfig,
}

impl Personality {
    /// ESP32-P4 and ESP32-C6, SDIO with four lines at 40 MHz, 64 dynamic buffers each way. Source: esp-hosted-mcu
    /// `docs/performance_optimization.md`; queues of 20 are its Kconfig's, costs are derived ([`Costs::p4_c6`]), the path is
    /// *assumed*.
    pub fn espressif() -> Self {
        Self {
            host: HostConfig::default(),
            coprocessor: CoprocessorConfig::default(),
            bus: BusTiming::PUBLISHED,
            costs: Costs::p4_c6(),
            wifi_tx: 64,
            wifi_rx: 64,
            path: PathConfig::default(),
        }
    }

    /// The same chips as r4d10n/esp32p4-c6-wifi-test has set them (`sdkconfig.defaults`): host queues of 60, senders of
    /// priority 23 on the core of the SDIO tasks.
    pub fn published_test() -> Self {
        let mut personality = Self::espressif();
        (personality.host.tx_queue, personality.host.rx_queue) = (60, 60);
        personality.costs.shared_core = true;
        personality
    }

    /// Nothing but the air is a limit: no cost, and buffers for a second of it.
    pub fn ideal() -> Self {
        let mut personality = Self::espressif();
        (personality.host.tx_queue, personality.host.rx_queue) = (1_000, 1_000);
        personality.costs = Costs::NONE;
        (personality.wifi_tx, personality.wifi_rx) = (1_000, 1_000);
        personality
    }

    /// Host, bus and co-processor with the transport up, so that the start-up is skipped.
    pub fn booted(&self, pool: &Pool) -> Chain {
        let host = Host::booted(self.host.clone(), pool.clone());
        let coprocessor = Coprocessor::booted(self.coprocessor.clone(), pool.clone());
        Chain::new(host, coprocessor, self.bus, self.costs, self.wifi_rx, pool)
    }

    /// Host, bus and co-processor from reset on: [`BringUp`](crate::network::BringUp) does the rest.
    pub fn reset(&self, now: Instant, pool: &Pool) -> Chain {
        let host = Host::new(now, self.host.clone(), pool.clone());
        let coprocessor = Coprocessor::new(now, self.coprocessor.clone(), pool.clone());
        Chain::new(host, coprocessor, self.bus, self.costs, self.wifi_rx, pool)
    }
}
