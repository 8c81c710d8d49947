//! Keys of an upload: write commands that make up requests, each of which the peripheral answers.

use airtime_app::Requests;
use airtime_core::Duration;
use airtime_keys::Keys;

/// Keys of an upload.
// SMP over Bluetooth: the client writes a request in as many packets as it takes, the server puts them together in a buffer of 384 octets
// (Zephyr's CONFIG_MCUMGR_TRANSPORT_NETBUF_SIZE) and notifies a response. One of an upload is a header of 8 octets and a CBOR map with `rc`
// and `off`, 19 in all from an offset of 64 KiB on. Nordic's older DFU notifies 5 octets after every so many packets of 20.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "upload", context = Option<u16>)]
pub struct Upload {
    /// Octets of a request with the headers of its protocol, in write commands of which the last may be shorter; all of them count as
    /// payload. The peripheral answers each with a notification, as SMP's server does, or Nordic's older DFU after so many packets. Absent:
    /// nothing is answered.
    #[key(range = 1..=16_384, whose = Firmware, steps = [Double], mechanism = Answers)]
    pub request: Option<u16>,
    /// Requests without an answer at a time.
    #[key(
        range = 1..=255, default = 1, whose = CentralApplication, steps = [To(1), More(1), Double],
        mechanism = Underway, way = More, when = Option::is_some
    )]
    pub outstanding: u8,
    /// Time that the peripheral takes for 1024 octets of a request before it answers, such as for writing them to its flash.
    // An nRF52840 writes a word of 4 octets in 41 us, so that 1024 take 10.5 ms. Its product specification, NVMC, t_WRITE.
    #[key(range = "0us"..="10s", default = "0us", when = Option::is_some)]
    pub flash_time: Duration,
    /// Octets of an answer.
    #[key(range = 1..=512, default = 19, when = Option::is_some)]
    pub answer: u16,
}

/// Octets that the time of a flash is said for.
const FLASH_OCTETS: u64 = 1_024;

impl Upload {
    /// Time that the peripheral takes for a request of `octets`.
    pub(crate) fn busy(&self, octets: u16) -> Duration {
        self.flash_time * u64::from(octets) / FLASH_OCTETS
    }

    /// The requests, if there are any.
    pub(crate) fn requests(&self) -> Option<Requests> {
        let Self { request, outstanding, answer, .. } = *self;
        request.map(|octets| Requests { octets, outstanding, busy: self.busy(octets), answer })
    }
}
