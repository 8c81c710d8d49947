//! Plan of the sequence, as whoever builds an image says it.

use core::net::Ipv4Addr;

use airtime_core::Duration;
use airtime_core::units::Bitrate;

/// Port of the far end where none is given: that of iperf 3 and of `airtime hw sink`.
const PORT: u16 = 5_201;
/// Time for which datagrams are sent, and then a stream: that of the published report.
const SPAN: Duration = Duration::from_secs(30);
/// The longest such time: an update waits for the end of the sequence.
const SPAN_MAX: u64 = 600;
/// Octets of an SSID and of a password, as 802.11 and WPA have them.
const SSID_MAX: usize = 32;
const PASSWORD_MAX: usize = 64;

/// Words of an image's build, each that of an environment variable.
#[derive(Clone, Copy, Debug, Default)]
pub struct Words<'w> {
    /// `AIRTIME_SSID`: the network. Without it there is no sequence.
    pub ssid: Option<&'w str>,
    /// `AIRTIME_PASSWORD`; none for an open network.
    pub password: Option<&'w str>,
    /// `AIRTIME_SERVER`, ADDRESS or ADDRESS:PORT: the far end. Without it nothing is sent to one.
    pub server: Option<&'w str>,
    /// `AIRTIME_ADDRESS`, ADDRESS/BITS, or ADDRESS/BITS,GATEWAY: the image's own. Without it DHCP is asked.
    pub address: Option<&'w str>,
    /// `AIRTIME_SECONDS`: how long datagrams are sent, and then a stream; 30 where nothing is said.
    pub seconds: Option<&'w str>,
    /// `AIRTIME_KBPS`: rate of the datagrams. Without it they go as fast as the interface takes them.
    pub kbps: Option<&'w str>,
}

/// A word that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Variable that it is of.
    variable: &'static str,
    /// Form that it has.
    expected: &'static str,
}

impl core::fmt::Display for Wrong {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} of the build is none: {} is expected", self.variable, self.expected)
    }
}

impl core::error::Error for Wrong {}

/// An address that does not come from DHCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// The image's own.
    pub own: Ipv4Addr,
    /// Bits of the prefix.
    pub bits: u8,
    /// Router to everything else.
    pub gateway: Option<Ipv4Addr>,
}

/// The sequence of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan<'p> {
    pub(super) ssid: &'p str,
    pub(super) password: &'p str,
    pub(super) server: Option<(Ipv4Addr, u16)>,
    pub(super) address: Option<Address>,
    pub(super) span: Duration,
    pub(super) rate: Option<Bitrate>,
}

impl<'p> Plan<'p> {
    /// Plan of these words; none without a network.
    ///
    /// # Errors
    /// When one of them is not what it should be.
    pub fn of(words: &Words<'p>) -> Result<Option<Self>, Wrong> {
        let Some(ssid) = words.ssid else { return Ok(None) };
        let wrong = |variable, expected| Wrong { variable, expected };
        if !(1..=SSID_MAX).contains(&ssid.len()) {
            return Err(wrong("AIRTIME_SSID", "a name of 1 to 32 octets"));
        }
        let password = words.password.unwrap_or_default();
        if password.len() > PASSWORD_MAX {
            return Err(wrong("AIRTIME_PASSWORD", "a password of up to 64 octets"));
        }
        let server = words.server.map(|word| server(word).ok_or(wrong("AIRTIME_SERVER", "10.0.0.2 or 10.0.0.2:5201")));
        let address = "10.0.0.1/24, or with a gateway 10.0.0.1/24,10.0.0.254";
        let address = words.address.map(|word| self::address(word).ok_or(wrong("AIRTIME_ADDRESS", address)));
        let number = |word: Option<&str>, variable, most: u64| match word.map(str::parse::<u64>) {
            None => Ok(None),
            Some(Ok(number)) if (1..=most).contains(&number) => Ok(Some(number)),
            Some(_) => Err(wrong(variable, "a whole number from 1 on, of seconds up to 600, of kbps up to 1000000")),
        };
        Ok(Some(Self {
            ssid,
            password,
            server: server.transpose()?,
            address: address.transpose()?,
            span: number(words.seconds, "AIRTIME_SECONDS", SPAN_MAX)?.map_or(SPAN, Duration::from_secs),
            rate: number(words.kbps, "AIRTIME_KBPS", 1_000_000)?.map(|kbps| Bitrate(kbps * 1_000)),
        }))
    }
}

fn server(word: &str) -> Option<(Ipv4Addr, u16)> {
    let (address, port) = match word.split_once(':') {
        Some((address, port)) => (address, port.parse().ok().filter(|port| *port > 0)?),
        None => (word, PORT),
    };
    Some((host(address)?, port))
}

fn address(word: &str) -> Option<Address> {
    let (own, gateway) = match word.split_once(',') {
        Some((own, gateway)) => (own, Some(host(gateway)?)),
        None => (word, None),
    };
    let (own, bits) = own.split_once('/')?;
    Some(Address { own: host(own)?, bits: bits.parse().ok().filter(|bits| (1..=30).contains(bits))?, gateway })
}

/// Address of one host.
fn host(word: &str) -> Option<Ipv4Addr> {
    let address: Ipv4Addr = word.parse().ok()?;
    let one = !(address.is_unspecified() || address.is_broadcast() || address.is_multicast());
    one.then_some(address)
}
