//! The radio: promiscuous reception, channels, and raw frames, through esp-radio.

use core::cell::RefCell;

use airtime_esp_hosted::raw::{RadioRequest, Rate, Second, SigMode};
use airtime_esp_hosted::rpc::status;
use airtime_hosted_ends::coprocessor::{Heard, Radio};
use airtime_ieee80211::air::{Phy, Standard};
use airtime_ieee80211::wire::RxInfo;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use esp_hal::peripherals::WIFI;
use esp_radio::wifi::sniffer::{PromiscuousPkt, Sniffer};
use esp_radio::wifi::{ControllerConfig, SecondaryChannel, WifiController, WifiError};

/// Frames that wait for the link; further ones are lost, as on any bus slower than the air.
const HEARD_MAX: usize = 8;

static HEARD: Channel<CriticalSectionRawMutex, Heard, HEARD_MAX> = Channel::new();

/// Called by the Wi-Fi task: it must not wait.
fn take(packet: PromiscuousPkt<'_>) {
    let _ = HEARD.try_send(Heard::new(packet.data, info(&packet)));
}

/// Formats of `cur_bb_format` (ESP-IDF, `esp_wifi_he_types.h`): 0 is 802.11b, 1 is 802.11g, 2 HT, 3 VHT, 4 and above HE. The
/// driver says no MCS of HT and HE frames, nor whether one came in an A-MPDU: the lowest rate stands for them.
fn info(packet: &PromiscuousPkt<'_>) -> RxInfo {
    let control = &packet.rx_cntl;
    let legacy = Rate { code: control.rate as u8, mode: SigMode::Legacy }.phy().unwrap_or(Phy::ofdm6());
    let standard = match control.cur_bb_format {
        0 | 1 => legacy.standard,
        2 | 3 => Standard::N,
        _ => Standard::Ax,
    };
    let phy = if standard == legacy.standard { legacy } else { Phy { standard, mcs: 0, ..legacy } };
    RxInfo { rssi_dbm: control.rssi.clamp(-128, 0) as i8, channel: control.channel as u8, phy, aggregated: false }
}

/// The radio.
pub struct Esp {
    controller: RefCell<WifiController<'static>>,
    sniffer: RefCell<Sniffer>,
}

impl Esp {
    /// Starts it as a station that joins nothing.
    pub fn new(wifi: WIFI<'static>) -> Result<Self, WifiError> {
        let controller = WifiController::new(wifi, ControllerConfig::default())?;
        let mut sniffer = controller.sniffer();
        sniffer.set_receive_cb(take);
        Ok(Self { controller: RefCell::new(controller), sniffer: RefCell::new(sniffer) })
    }
}

impl Radio for Esp {
    fn carry_out(&self, request: &RadioRequest) -> i32 {
        let mut sniffer = self.sniffer.borrow_mut();
        let done = match request {
            RadioRequest::Listen(on) => sniffer.set_promiscuous_mode(*on),
            RadioRequest::Channel { primary, second } => {
                self.controller.borrow_mut().set_channel(*primary, secondary(*second))
            }
            RadioRequest::Inject { frame, system_sequence } => sniffer.send_raw_frame(true, frame, *system_sequence),
        };
        match done {
            Ok(()) => status::OK,
            Err(error) => {
                log::warn!("radio: {error:?}");
                status::FAIL
            }
        }
    }

    async fn heard(&self) -> Heard {
        HEARD.receive().await
    }
}

fn secondary(second: Second) -> SecondaryChannel {
    match second {
        Second::None => SecondaryChannel::None,
        Second::Above => SecondaryChannel::Above,
        Second::Below => SecondaryChannel::Below,
    }
}
