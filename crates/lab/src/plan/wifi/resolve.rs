//! From settings and a personality to a scenario of IP over Wi-Fi.

use airtime_core::Duration;
use airtime_core::units::{Bitrate, Frequency, Size};
use airtime_keys::Keys;
use airtime_net::traffic::{Kind, Missing, Traffic};
use airtime_wifi::air::{Guard, Phy, Preamble, Standard, Width};
use serde_json::Value;

use super::check;
use super::scenario::{
    Air, Band, ControlRate, Firmware, Hosted, Lwip, Mode, OnError, Path, Scenario, StackCost, Test, Version,
};
use crate::personality::Chain;
use crate::plan::resolve::Resolver;
use crate::toml::error::{Fault, PlanError};

/// Octets of a datagram of the published test.
const PAYLOAD: u16 = 1_400;

/// Octets of a frame of the raw test. esp-hosted-mcu Kconfig, `ESP_HOSTED_RAW_TP_HOST_TO_ESP_PKT_LEN`.
const RAW_FRAME: u16 = 1_460;

impl Resolver<'_> {
    /// The scenario of a plan with this link, checked.
    pub(in crate::plan) fn wifi(&self) -> Result<Scenario, PlanError> {
        let chain = self.chain()?;
        let lwip = self.lwip(&chain);
        let mut traffic = Traffic::read(self.set).map_err(|fault| self.placed(fault))?;
        let payload = if traffic.kind == Kind::Raw { RAW_FRAME } else { PAYLOAD };
        traffic.fill(Missing { payload, window: lwip.wnd });
        let scenario = Scenario {
            personality: self.set.text("wifi.personality").unwrap_or_default().to_owned(),
            test: match traffic.kind {
                Kind::Raw => Test::Raw,
                Kind::Capture => Test::Capture,
                Kind::Ota => Test::Ota,
                Kind::Udp | Kind::Tcp => Test::Traffic,
            },
            air: self.air()?,
            hosted: (self.set.text("hosted.bus") != Some("none")).then(|| self.hosted()),
            lwip,
            path: self.path(),
            traffic,
            run: self.run()?,
            chain,
        };
        check::check(self, &scenario)?;
        Ok(scenario)
    }

    /// The chain that the plan names.
    fn chain(&self) -> Result<Chain, PlanError> {
        const KEY: &str = "wifi.personality";
        let name = self.set.text(KEY).unwrap_or_default();
        let known: Vec<&str> = self.library.iter().filter(|p| p.chain().is_some()).map(|p| p.name.as_str()).collect();
        let Some(personality) = self.library.get(name) else {
            let fault = Fault::new(format!("there is no personality `{name}`"));
            return Err(self.error(&[KEY], fault.one_of(name, known)));
        };
        let Some(mut chain) = personality.chain().cloned() else {
            let what = format!("`{KEY}`: `{name}` is a Bluetooth LE device, not a chain of host and co-processor");
            return Err(self.error(&[KEY], Fault::new(what).allowing(known.join(", "))));
        };
        let costs = &mut chain.costs;
        costs.write_frame = self.set.span("hosted.write_frame").unwrap_or(costs.write_frame);
        costs.read_frame = self.set.span("hosted.read_frame").unwrap_or(costs.read_frame);
        Ok(chain)
    }

    fn air(&self) -> Result<Air, PlanError> {
        let set = self.set;
        let phy = self.wifi_phy();
        let dsss = phy.standard == Standard::B;
        let band = if set.text("wifi.band") == Some("5GHz") { Band::Ghz5 } else { Band::Ghz2 };
        Ok(Air {
            band,
            channel: self.count("wifi.channel", if band == Band::Ghz5 { 36 } else { 6 }),
            phy,
            minstrel: set.text("wifi.rate") == Some("minstrel"),
            encrypted: set.flag("wifi.encrypted"),
            ampdu_max: self.count("wifi.ampdu_max", 32),
            whole_symbols: set.flag("wifi.whole_symbols"),
            ppdu_max: set.span("wifi.ppdu_max").unwrap_or_default(),
            mean_backoff: set.text("wifi.backoff") == Some("mean"),
            cw_min: self.count("wifi.cw_min", if dsss { 31 } else { 15 }),
            cw_max: self.count("wifi.cw_max", 1_023),
            edca: set.text("wifi.access") != Some("dcf"),
            aifsn: self.count("wifi.aifsn", if set.text("wifi.access") == Some("dcf") { 2 } else { 3 }),
            slot: Duration::from_micros(match set.text("wifi.slot") {
                Some("20us") => 20,
                None if dsss => 20,
                _ => 9,
            }),
            ba_rate: self.control_rate(phy),
            rts_threshold: set.count("wifi.rts_threshold").and_then(|n| u32::try_from(n).ok()),
            retry_limit: set.count("wifi.retry_limit").and_then(|n| u8::try_from(n).ok()),
            eifs: set.flag("wifi.eifs"),
            stations: self.count("wifi.stations", 1),
            others_rate: set.text("wifi.others_rate").and_then(|text| text.parse::<Bitrate>().ok()),
            neighbour_load: set.set("wifi.neighbour_load").and_then(Value::as_f64).unwrap_or_default(),
            neighbour_burst: set.span("wifi.neighbour_burst").unwrap_or_default(),
            defer: set.text("wifi.secondary_busy") == Some("defer"),
            beacons: set.flag("wifi.beacons"),
            loss: self.loss("wifi.loss")?,
        })
    }

    /// The rate of responses to what is sent with `phy`.
    fn control_rate(&self, phy: Phy) -> ControlRate {
        let dsss = |mcs| ControlRate::Fixed(Phy::dsss(phy.preamble, mcs));
        match self.set.text("wifi.ba_rate") {
            Some("1M") => dsss(0),
            Some("2M") => dsss(1),
            Some("5.5M") => dsss(2),
            Some("11M") => dsss(3),
            Some("6M") => ControlRate::Fixed(Phy::ofdm6()),
            Some("12M") => ControlRate::Fixed(Phy { mcs: 2, ..Phy::ofdm6() }),
            Some("24M") => ControlRate::Fixed(Phy::ofdm24()),
            None if phy.standard != Standard::B => ControlRate::Fixed(Phy::ofdm24()),
            _ => ControlRate::Mandatory,
        }
    }

    fn wifi_phy(&self) -> Phy {
        let set = self.set;
        let standard = match set.text("wifi.standard") {
            Some("b") => Standard::B,
            Some("g") => Standard::G,
            Some("ax") => Standard::Ax,
            _ => Standard::N,
        };
        let own = if standard == Standard::N { Guard::Ns400 } else { Guard::Ns800 };
        Phy {
            standard,
            width: if set.text("wifi.width") == Some("40MHz") { Width::Mhz40 } else { Width::Mhz20 },
            guard: match set.text("wifi.guard_interval") {
                Some("400ns") => Guard::Ns400,
                Some("800ns") => Guard::Ns800,
                Some("1600ns") => Guard::Ns1600,
                Some("3200ns") => Guard::Ns3200,
                _ => own,
            },
            mcs: self.count("wifi.mcs", if standard == Standard::B { 3 } else { 7 }),
            preamble: if set.text("wifi.preamble") == Some("short") { Preamble::Short } else { Preamble::Long },
        }
    }

    fn hosted(&self) -> Hosted {
        let set = self.set;
        let clock = set.text("hosted.sdio_clock").and_then(|text| text.parse::<Frequency>().ok());
        let image = set.text("hosted.image").and_then(|text| text.parse::<Size>().ok());
        Hosted {
            clock: clock.unwrap_or(Frequency(40_000_000)),
            lines: if set.text("hosted.sdio_lines") == Some("1") { 1 } else { 4 },
            mode: if set.text("hosted.mode") == Some("packet") { Mode::Packet } else { Mode::Streaming },
            version: if set.text("hosted.version") == Some("2.12") { Version::V2_12 } else { Version::V2_11 },
            firmware: if set.text("hosted.firmware") == Some("custom") { Firmware::Custom } else { Firmware::Factory },
            checksum: set.flag("hosted.checksum"),
            shared_core: set.flag("hosted.shared_core"),
            tx_queue: self.count("hosted.tx_queue", 20),
            rx_queue: self.count("hosted.rx_queue", 20),
            tx_buffers: self.count("hosted.tx_buffers", 20),
            rx_buffers: self.count("hosted.rx_buffers", 20),
            throttle: (self.count("hosted.throttle_high", 80), self.count("hosted.throttle_low", 60)),
            wifi_tx_buffers: self.count("hosted.wifi_tx_buffers", 64),
            wifi_tx_retry: set.flag("hosted.wifi_tx_retry"),
            wifi_static_rx: self.count("hosted.wifi_static_rx", 16),
            wifi_dynamic_rx: self.count("hosted.wifi_dynamic_rx", 64),
            rx_ba_window: self.count("hosted.rx_ba_window", 32),
            handlers: self.count("hosted.handlers", 3),
            peer_data: set.flag("hosted.peer_data"),
            start_up: set.span("hosted.start_up").unwrap_or_default(),
            image: image.map_or(0, |size| size.0 as u32),
        }
    }

    fn lwip(&self, chain: &Chain) -> Lwip {
        let set = self.set;
        let cost = |name: &str, own: Duration| set.span(name).unwrap_or(own);
        Lwip {
            snd_buf: self.count("lwip.snd_buf", 65_534),
            wnd: self.count("lwip.wnd", 65_534),
            mss: self.count("lwip.mss", 1_440),
            rto_time: set.span("lwip.rto_time").unwrap_or_default(),
            nodelay: set.flag("lwip.nodelay"),
            sack_out: set.flag("lwip.sack_out"),
            ooseq_max_pbufs: self.count("lwip.ooseq_max_pbufs", 8),
            core_locking: set.flag("lwip.core_locking"),
            shared_core: set.flag("lwip.shared_core"),
            tcp_recvmbox: self.count("lwip.tcp_recvmbox", 64),
            udp_recvmbox: self.count("lwip.udp_recvmbox", 64),
            tcpip_recvmbox: self.count("lwip.tcpip_recvmbox", 64),
            on_error: match set.text("lwip.on_error") {
                Some("yield") => OnError::Yield,
                Some("sleep") => OnError::Sleep,
                _ => OnError::Spin,
            },
            cost: StackCost {
                call: cost("lwip_host.call", chain.stack.call),
                kilooctet: cost("lwip_host.kilooctet", chain.stack.kilooctet),
                segment: cost("lwip_host.segment", chain.stack.segment),
                input: cost("lwip_host.input", chain.stack.input),
                switch: cost("lwip_host.switch", chain.stack.switch),
            },
        }
    }

    fn path(&self) -> Path {
        let rate = self.set.text("path.rate").and_then(|text| text.parse().ok());
        Path {
            rtt: self.set.span("path.rtt").unwrap_or_default(),
            queue: self.count("path.queue", 64),
            rate: rate.unwrap_or(Bitrate(1_000_000_000)),
            ap_queue: self.count("path.ap_queue", 256),
        }
    }
}
