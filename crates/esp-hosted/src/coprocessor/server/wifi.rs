//! Requests about Wi-Fi.

use airtime_core::Instant;

use super::super::{Coprocessor, CoprocessorOutput};
use super::{Radio, Wifi};
use crate::rpc::proto::{
    Channel, ChannelReply, Joined, Left, ModeReply, StaConnected, StaDisconnected, WifiConfigOf, WifiEvent, WifiInit,
};
use crate::rpc::{Event, Request, Response, status};

/// `ESP_ERR_WIFI_SSID`: no SSID is set.
const WIFI_SSID: i32 = 0x300a;
/// `WIFI_MODE_STA`.
const MODE_STATION: i32 = 1;
/// `WIFI_EVENT_STA_START`, `WIFI_EVENT_STA_STOP`.
const EVENT_STA_START: i32 = 2;
const EVENT_STA_STOP: i32 = 3;
/// `WIFI_REASON_ASSOC_LEAVE`: the station left by itself; `WIFI_REASON_BEACON_TIMEOUT`: it lost its access point.
const REASON_LEFT: u32 = 8;
const REASON_LOST: u32 = 200;

impl Coprocessor {
    /// Settings of Wi-Fi.
    pub fn wifi(&self) -> &Wifi {
        &self.server.wifi
    }

    /// Tells the co-processor that the station is connected to its access point, or is not: frames go to the air only
    /// then, and the host hears of it.
    pub fn connected(&mut self, now: Instant, connected: bool) {
        let _ = now;
        if core::mem::replace(&mut self.connected, connected) == connected {
            return;
        }
        if connected {
            let channel = u32::from(self.server.wifi.channel.0);
            let joined = Joined { channel, bssid: self.config.bssid.into(), ..Joined::default() };
            self.event(Event::StaConnected(StaConnected { resp: status::OK, sta_connected: Some(joined) }));
        } else {
            self.left(REASON_LOST);
        }
    }

    fn left(&mut self, reason: u32) {
        let left = Left { reason, bssid: self.config.bssid.into(), ..Left::default() };
        self.event(Event::StaDisconnected(StaDisconnected { resp: status::OK, sta_disconnected: Some(left) }));
    }

    /// Answer to a request about Wi-Fi.
    pub(super) fn wifi_answer(&mut self, now: Instant, request: Request) -> Response {
        let _ = now;
        let id = request.id();
        let code = match request {
            Request::WifiInit(init) => self.init(&init),
            Request::WifiDeinit(_) => {
                self.server.wifi.merged = None;
                status::OK
            }
            Request::WifiStart(_) => self.start(),
            Request::WifiStop(_) => self.stop(),
            Request::WifiConnect(_) => self.connect(),
            Request::WifiDisconnect(_) => self.disconnect(),
            Request::WifiSetConfig(config) => {
                let Some(WifiConfigOf::Sta(station)) = config.cfg.and_then(|cfg| cfg.u) else {
                    return Self::plain(id, status::FAIL);
                };
                self.server.wifi.configured = station.ssid.first().is_some_and(|&octet| octet != 0);
                status::OK
            }
            Request::WifiSetChannel(channel) => self.set_channel(&channel),
            Request::WifiGetChannel(_) => return self.channel(),
            Request::SetMode(mode) => {
                self.server.wifi.mode = mode.mode;
                status::OK
            }
            Request::GetMode(_) => {
                return Response::GetMode(ModeReply { mode: self.server.wifi.mode, resp: status::OK });
            }
            Request::SetPs(_)
            | Request::SetMaxTxPower(_)
            | Request::WifiSetStorage(_)
            | Request::WifiSetProtocol(_)
            | Request::WifiSetBandwidth(_)
            | Request::WifiSetCountryCode(_)
            | Request::SetDhcpDnsStatus(_) => status::OK,
            // What nobody in this house asks for.
            _ => status::NOT_SUPPORTED,
        };
        Self::plain(id, code)
    }

    fn init(&mut self, init: &WifiInit) -> i32 {
        let Some(host) = &init.cfg else { return status::FAIL };
        self.server.wifi.merge(host);
        status::OK
    }

    fn start(&mut self) -> i32 {
        let wifi = &mut self.server.wifi;
        let Some(merged) = &wifi.merged else { return status::WIFI_NOT_INIT };
        wifi.started = true;
        let small = |value: i32| u16::try_from(value).unwrap_or(0);
        let radio =
            Radio::Start { tx_buffers: small(merged.dynamic_tx_buf_num), rx_ba_window: small(merged.rx_ba_win) };
        self.told.say(CoprocessorOutput::Radio(radio));
        if self.server.wifi.mode == MODE_STATION {
            self.event(Event::WifiEventNoArgs(WifiEvent { resp: status::OK, event_id: EVENT_STA_START }));
        }
        status::OK
    }

    fn stop(&mut self) -> i32 {
        if self.server.wifi.merged.is_none() {
            return status::WIFI_NOT_INIT;
        }
        self.server.wifi.started = false;
        self.told.say(CoprocessorOutput::Radio(Radio::Stop));
        if core::mem::take(&mut self.connected) {
            self.left(REASON_LEFT);
        }
        if self.server.wifi.mode == MODE_STATION {
            self.event(Event::WifiEventNoArgs(WifiEvent { resp: status::OK, event_id: EVENT_STA_STOP }));
        }
        status::OK
    }

    fn connect(&mut self) -> i32 {
        let wifi = &self.server.wifi;
        if wifi.merged.is_none() {
            return status::WIFI_NOT_INIT;
        }
        if !wifi.configured {
            return WIFI_SSID;
        }
        if !wifi.started {
            return status::WIFI_NOT_STARTED;
        }
        if self.connected {
            // Source: "connect recvd, ack with connected event".
            self.event(Event::StaConnected(StaConnected::default()));
        } else {
            self.told.say(CoprocessorOutput::Radio(Radio::Connect));
        }
        status::OK
    }

    fn disconnect(&mut self) -> i32 {
        if !self.server.wifi.started {
            return status::WIFI_NOT_STARTED;
        }
        self.told.say(CoprocessorOutput::Radio(Radio::Disconnect));
        if core::mem::take(&mut self.connected) {
            self.left(REASON_LEFT);
        }
        status::OK
    }

    fn set_channel(&mut self, channel: &Channel) -> i32 {
        if !self.server.wifi.started {
            return status::WIFI_NOT_STARTED;
        }
        let (Ok(primary), Ok(second @ 0..=2)) = (u8::try_from(channel.primary), u8::try_from(channel.second)) else {
            return status::INVALID_ARG;
        };
        // 2.4 GHz: `esp_wifi_set_channel` of the ESP32-C6.
        if !(1..=14).contains(&primary) {
            return status::INVALID_ARG;
        }
        self.server.wifi.channel = (primary, second);
        self.told.say(CoprocessorOutput::Radio(Radio::Channel { primary, second }));
        status::OK
    }

    fn channel(&self) -> Response {
        let (primary, second) = self.server.wifi.channel;
        let reply = ChannelReply { resp: status::OK, primary: primary.into(), second: second.into() };
        Response::WifiGetChannel(reply)
    }
}
