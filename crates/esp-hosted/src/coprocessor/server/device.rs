//! Requests that are not about Wi-Fi: firmware, heartbeat, custom messages.

use airtime_core::{Duration, Instant};

use super::super::flash::Flashed;
use super::{Coprocessor, CoprocessorOutput, Heartbeat, RESTART_DELAY};
use crate::rpc::proto::{AppDescriptionReply, CustomReply, FirmwareVersion, HeartbeatConfig, MacAddress};
use crate::rpc::{Request, Response, status};

/// Bounds of the heartbeat in seconds. Source: `MIN_HEARTBEAT_INTERVAL`, `MAX_HEARTBEAT_INTERVAL`.
const HEARTBEAT_SECS: (u64, u64) = (10, 3_600);

impl Coprocessor {
    /// The answer to `request`, and how long it takes.
    pub(super) fn answer(&mut self, now: Instant, request: Request) -> (Response, Duration) {
        let id = request.id();
        let (response, took) = match request {
            Request::OtaBegin(_) => return self.flash(id, |flash| flash.begin()),
            Request::OtaWrite(write) => return self.flash(id, |flash| flash.write(&write.ota_data)),
            Request::OtaEnd(_) => return self.flash(id, |flash| flash.end()),
            Request::OtaActivate(_) => {
                let (response, took) = self.flash(id, |flash| flash.activate());
                if response.status() == status::OK {
                    self.server.restart = Some(now + RESTART_DELAY);
                }
                return (response, took);
            }
            Request::GetCoprocessorFwVersion(_) => (self.version(), Duration::ZERO),
            Request::AppGetDesc(_) => (self.description(), Duration::ZERO),
            Request::ConfigHeartbeat(config) => {
                self.heartbeat(now, &config);
                (Self::plain(id, status::OK), Duration::ZERO)
            }
            Request::CustomRpc(custom) => {
                let answer = self.custom(custom.custom_msg_id, &custom.data);
                (Response::CustomRpc(answer), Duration::ZERO)
            }
            Request::GetMacAddress(_) => {
                let reply = MacAddress { mac: self.config.mac.into(), resp: status::OK };
                (Response::GetMacAddress(reply), Duration::ZERO)
            }
            request => (self.wifi_answer(now, request), Duration::ZERO),
        };
        (response, took)
    }

    fn version(&self) -> Response {
        let [major1, minor1, patch1] = self.server.firmware.version;
        Response::GetCoprocessorFwVersion(FirmwareVersion { resp: status::OK, major1, minor1, patch1 })
    }

    fn description(&self) -> Response {
        let app_desc = Some(self.server.firmware.description.clone());
        Response::AppGetDesc(AppDescriptionReply { resp: status::OK, app_desc })
    }

    /// Without a second slot there is no update: `esp_ota_get_next_update_partition` finds none.
    fn flash(&mut self, id: u32, act: impl FnOnce(&mut dyn super::Flash) -> Flashed) -> (Response, Duration) {
        let Some(flash) = self.server.flash.as_deref_mut() else {
            return (Self::plain(id, status::FAIL), Duration::ZERO);
        };
        let Flashed { result, took } = act(flash);
        (Self::plain(id, result.err().unwrap_or(status::OK)), took)
    }

    fn heartbeat(&mut self, now: Instant, config: &HeartbeatConfig) {
        let (least, most) = HEARTBEAT_SECS;
        let every = Duration::from_secs(u64::try_from(config.duration).unwrap_or(0).clamp(least, most));
        self.server.heartbeat = config.enable.then_some(Heartbeat { every, next: now + every, number: 0 });
    }

    /// A message of the application. One that nobody handles is refused: a factory image has no handler at all.
    fn custom(&mut self, id: u32, data: &[u8]) -> CustomReply {
        let resp = if self.config.handlers == 0 {
            status::NOT_SUPPORTED
        } else if self.server.handlers.find(id).is_none() {
            status::NOT_FOUND
        } else {
            self.told.say(CoprocessorOutput::Custom { id, data: self.pool.copy(data) });
            status::OK
        };
        CustomReply { resp, custom_msg_id: id, ..CustomReply::default() }
    }
}
