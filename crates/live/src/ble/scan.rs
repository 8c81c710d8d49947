//! Everybody who advertises, as one of our hosts hears them on a controller of somebody else's.

use std::fmt;

use airtime_ble::hci::{H4, event};
use airtime_ble::host::{Address, ConnHandle, Host, HostConfig, HostEvent, HostInput, HostOutput, Request, Starved};
use airtime_ble::network::{Station, StationOutput as Carried};
use airtime_ble_link::station::StationOutput;
use airtime_core::bytes::Reader;
use airtime_core::{Duration, Instant, Pool};

use super::host::Restart;

/// Most advertisers that are kept: devices with addresses that change are without end.
const ADVERTISERS_MAX: usize = 1_024;

/// Name that the host looks for: advertising data has no room for it, so the scan lasts for its whole time. Core 6.0, Vol 6, Part B, 2.3.1.
const NOBODY: &str = "a name that no advertising data has room for";

/// AD types: shortened and complete local name. Core Specification Supplement, Part A, 1.2.
const SHORTENED_NAME: u8 = 0x08;
const COMPLETE_NAME: u8 = 0x09;

/// Event types of connectable advertising: ADV_IND and ADV_DIRECT_IND. Core 6.0, Vol 4, Part E, 7.7.65.2.
const CONNECTABLE: [u8; 2] = [0x00, 0x01];

/// Signal strength of a report that has none. Core 6.0, Vol 4, Part E, 7.7.65.2.
const NO_RSSI: i8 = 127;

/// Device that advertises.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Advertiser {
    /// Its address.
    pub address: Address,
    /// Set if the address is a random one.
    pub random: bool,
    /// Name that it has told; control characters are replaced.
    pub name: Option<String>,
    /// Strength of the last report, in dBm.
    pub rssi_dbm: Option<i8>,
    /// Set if it takes connections; none where nobody says so.
    pub connectable: Option<bool>,
}

/// Address as `--address` takes it.
impl fmt::Display for Advertiser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g] = self.address;
        f.write_str(if self.random { "random:" } else { "" })?;
        write!(f, "{g:02X}:{e:02X}:{d:02X}:{c:02X}:{b:02X}:{a:02X}")
    }
}

/// Name of a stranger, in characters that a terminal does nothing but show.
pub fn shown(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// Host that listens to everybody for some time, or until a name is heard.
#[derive(Debug)]
pub struct Scanning {
    host: Host,
    time: Duration,
    name: Option<String>,
    heard: Vec<Advertiser>,
    over: bool,
}

impl Scanning {
    /// Host of `config` that scans for `time`, or until it hears `name`.
    pub fn new(config: HostConfig, name: Option<String>, time: Duration, pool: &Pool) -> Self {
        Self { host: Host::new(config, pool.clone()), time, name, heard: Vec::new(), over: false }
    }

    /// Everybody who was heard, in the order of their first words.
    pub fn heard(&self) -> &[Advertiser] {
        &self.heard
    }

    /// True once the time is up, or the name was heard.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Takes in an LE Advertising Report, if `packet` is one. Core 6.0, Vol 4, Part E, 7.7.65.2.
    fn listen(&mut self, packet: &[u8]) -> Option<()> {
        let Ok(H4::Event { code: event::LE_META, params }) = H4::parse(packet) else { return None };
        let mut r = Reader::new(params);
        if r.u8()? != event::LE_ADVERTISING_REPORT {
            return None;
        }
        for _ in 0..r.u8()? {
            let (kind, address_type, address): (u8, u8, Address) = (r.u8()?, r.u8()?, r.array()?);
            let octets = r.u8()?;
            let data = r.take(octets.into())?;
            let rssi = r.u8()? as i8;
            // Types 2 and 3 are of identities: public, and random.
            let random = address_type & 1 == 1;
            let known = self.heard.iter().position(|heard| heard.address == address && heard.random == random);
            let index = match known {
                Some(index) => index,
                None if self.heard.len() < ADVERTISERS_MAX => {
                    self.heard.push(Advertiser { address, random, connectable: Some(false), ..Advertiser::default() });
                    self.heard.len() - 1
                }
                None => continue,
            };
            let heard = &mut self.heard[index];
            heard.rssi_dbm = (rssi != NO_RSSI).then_some(rssi).or(heard.rssi_dbm);
            heard.connectable = Some(heard.connectable == Some(true) || CONNECTABLE.contains(&kind));
            heard.name = local_name(data).or(heard.name.take());
            self.over |= self.name.is_some() && heard.name == self.name;
        }
        Some(())
    }
}

/// Local name in advertising data or a scan response.
fn local_name(data: &[u8]) -> Option<String> {
    let mut r = Reader::new(data);
    loop {
        let length = r.u8().filter(|length| *length > 0)?;
        if let [SHORTENED_NAME | COMPLETE_NAME, name @ ..] = r.take(length.into())? {
            return Some(shown(&String::from_utf8_lossy(name)));
        }
    }
}

impl Restart for Scanning {}

impl Station for Scanning {
    type Event = StationOutput;

    fn wake(&mut self, now: Instant) {
        self.host.handle(now, HostInput::Wake);
    }

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        self.listen(packet);
        self.host.handle(now, HostInput::Hci(packet));
    }

    fn poll(&mut self, now: Instant) -> Option<Carried<StationOutput>> {
        loop {
            let event = match self.host.poll(now)? {
                HostOutput::Hci(packet) => return Some(Carried::Hci(packet)),
                HostOutput::Octets { .. } => continue,
                HostOutput::Event(event) => event,
            };
            match event {
                HostEvent::Ready => {
                    let scan = Request::Scan { name: NOBODY, timeout: self.time, except: &[] };
                    self.host.request(now, scan).expect("the only scan of this host");
                }
                HostEvent::ScanTimeout => self.over = true,
                _ => {}
            }
            return Some(Carried::Event(StationOutput::Host(event)));
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.host.deadline()
    }

    fn starved(&self, handle: ConnHandle) -> Starved {
        self.host.starved(handle)
    }
}

#[cfg(test)]
mod tests {
    use airtime_ble::host::Profile;
    use airtime_ble_link::run::host_config;
    use airtime_lab::Library;

    use super::*;
    use crate::ble::options;

    fn scanning(name: Option<&str>) -> Scanning {
        let config = options::host("coc-sink", Some("central"), &Library::builtin()).unwrap();
        let config = host_config(&config.scenario.central, Profile::Test);
        Scanning::new(config, name.map(str::to_owned), Duration::from_secs(15), &Pool::new())
    }

    /// LE Advertising Report of one report: its kind, the last octet of a random address, its data, its strength.
    fn report(kind: u8, last: u8, data: &[u8], rssi: i8) -> Vec<u8> {
        let head = [0x02, 1, kind, 1, last, 0, 0, 0, 0, 0xc0, data.len() as u8];
        let params = [&head[..], data, &[rssi as u8]].concat();
        [&[0x04, 0x3e, params.len() as u8][..], &params].concat()
    }

    #[test]
    fn who_advertises_is_told_once_with_what_was_heard_last() {
        let mut scanning = scanning(None);
        let flags = &[2, 0x01, 0x06][..];
        let name = [4, COMPLETE_NAME, b'a', 0x1b, b'b'];
        for (kind, last, data, rssi) in
            [(0x00, 1, flags, -40), (0x04, 1, &name, -50), (0x03, 2, &[][..], NO_RSSI), (0x00, 1, flags, NO_RSSI)]
        {
            scanning.listen(&report(kind, last, data, rssi)).unwrap();
        }
        let [board, beacon] = scanning.heard() else { panic!("{:?}", scanning.heard()) };
        assert_eq!(board.to_string(), "random:C0:00:00:00:00:01");
        assert_eq!((board.name.as_deref(), board.rssi_dbm), (Some("a\u{fffd}b"), Some(-50)));
        assert_eq!((board.connectable, beacon.connectable), (Some(true), Some(false)));
        assert_eq!((&beacon.name, beacon.rssi_dbm), (&None, None));
        assert!(!scanning.is_over());
    }

    #[test]
    fn a_name_that_is_heard_ends_it() {
        let mut scanning = scanning(Some("ab"));
        scanning.listen(&report(0x00, 1, &[3, COMPLETE_NAME, b'a', b'c'], -40));
        assert!(!scanning.is_over());
        scanning.listen(&report(0x04, 2, &[3, SHORTENED_NAME, b'a', b'b'], -40));
        assert!(scanning.is_over());
    }

    #[test]
    fn strangers_without_end_and_reports_that_are_cut_do_no_harm() {
        let mut scanning = scanning(None);
        for number in 0..2 * ADVERTISERS_MAX as u32 {
            let mut packet = report(0x00, 1, &[], -40);
            packet[7..11].copy_from_slice(&number.to_le_bytes());
            scanning.listen(&packet);
        }
        assert_eq!(scanning.heard().len(), ADVERTISERS_MAX);
        let whole = report(0x00, 1, &[3, COMPLETE_NAME, b'a', b'c'], -40);
        for octets in 0..whole.len() {
            assert_eq!(scanning.listen(&whole[..octets]), None);
        }
        assert_eq!(scanning.heard().len(), ADVERTISERS_MAX);
    }
}
