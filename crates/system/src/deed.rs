//! Changes of the machine that have to be undone.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::error::SystemError;
use super::machine::Machine;
use super::network::Ipv4Network;

/// Folder in which ip(8) keeps the names of network namespaces.
const NAMESPACES: &str = "/run/netns";

/// A change of the machine that has to be undone. Undoing what was never done, or was undone already, is no error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "deed", rename_all = "kebab-case")]
pub enum Deed {
    /// A network namespace of this name was made.
    Namespace {
        /// Name of the namespace.
        name: String,
    },
    /// Packets that come in by a device are forwarded.
    Forwarding {
        /// Name of the network device.
        device: String,
        /// Value before the deed.
        was: bool,
    },
    /// Packets from a network leave by a device under its own address: a table of nftables, all of it ours.
    Masquerade {
        /// Name of the table of nftables.
        table: String,
        /// Network that packets come from, such as `10.0.0.0/24`.
        network: String,
        /// Device by which they leave.
        outside: String,
    },
}

impl Deed {
    /// Deed that packets which come in by `device` are forwarded, with the present setting.
    ///
    /// # Errors
    /// When there is no such device.
    pub fn forwarding(device: &str, machine: &mut dyn Machine) -> Result<Self, SystemError> {
        let device = device_name(device)?;
        let was = machine.read(&forwarding(device))?.trim() == "1";
        Ok(Self::Forwarding { device: device.to_owned(), was })
    }

    /// Deed that packets of `inside`, whose addresses are those of `network`, leave by `outside` under its address.
    ///
    /// # Errors
    /// When one of them is no name of a device.
    pub fn masquerade(inside: &str, network: Ipv4Network, outside: &str) -> Result<Self, SystemError> {
        let (inside, outside) = (device_name(inside)?, device_name(outside)?);
        // A name in nftables may have no `-`; a device may.
        let table = format!("airtime_{}", inside.replace('-', "_"));
        Ok(Self::Masquerade { table, network: network.to_string(), outside: outside.to_owned() })
    }

    /// Deed that there is a namespace `name`.
    ///
    /// # Errors
    /// When that is no name.
    pub fn namespace(text: &str) -> Result<Self, SystemError> {
        Ok(Self::Namespace { name: device_name(text)?.to_owned() })
    }

    /// Checks that it may be done: nothing that it would make, and later take away, is there already.
    ///
    /// # Errors
    /// What is there already.
    pub fn check(&self, machine: &mut dyn Machine) -> Result<(), SystemError> {
        match self {
            Self::Namespace { name } if machine.exists(&PathBuf::from(NAMESPACES).join(name)) => {
                Err(SystemError::Taken { what: "a network namespace", name: name.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Carries the deed out.
    ///
    /// # Errors
    /// What the machine refused.
    pub fn carry_out(&self, machine: &mut dyn Machine) -> Result<(), SystemError> {
        match self {
            Self::Namespace { name } => machine.run("ip", &["netns", "add", name]),
            Self::Forwarding { device, .. } => machine.write(&forwarding(device), "1\n"),
            Self::Masquerade { table, network, outside } => machine.run("nft", &[&rules(table, network, outside)]),
        }
    }

    /// Undoes it.
    ///
    /// # Errors
    /// What the machine refused.
    pub fn undo(&self, machine: &mut dyn Machine) -> Result<(), SystemError> {
        match self {
            Self::Namespace { name } => {
                if !machine.exists(&PathBuf::from(NAMESPACES).join(name)) {
                    return Ok(());
                }
                machine.run("ip", &["netns", "del", name])
            }
            Self::Forwarding { device, was } => {
                let path = forwarding(device);
                // A device that was unplugged meanwhile has taken its settings along.
                if *was || !machine.exists(&path) {
                    return Ok(());
                }
                machine.write(&path, "0\n")
            }
            // Adding a table that is there is no error, and one that is not there cannot be deleted.
            Self::Masquerade { table, .. } => {
                machine.run("nft", &[&format!("add table ip {table}; delete table ip {table}")])
            }
        }
    }

    /// Tells if both are about the same setting, so that the one who ends first must leave it to the other.
    pub fn shares(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Forwarding { device: one, .. }, Self::Forwarding { device: two, .. }) => one == two,
            _ => false,
        }
    }
}

/// `text`, if the kernel takes it as the name of a device; namespaces keep to the same.
pub(super) fn device_name(text: &str) -> Result<&str, SystemError> {
    let fits = |octet: u8| octet.is_ascii_alphanumeric() || b"-_.".contains(&octet);
    // IFNAMSIZ is 16 with the zero behind it. netdevice(7).
    let is_name = (1..16).contains(&text.len()) && text.bytes().all(fits) && !text.starts_with(['-', '.']);
    if is_name { Ok(text) } else { Err(SystemError::Name(text.to_owned())) }
}

/// Forwarding by device: the kernel looks at the setting of the one by which a packet comes in, so the machine's own
/// `ip_forward` stays as it is.
fn forwarding(device: &str) -> PathBuf {
    PathBuf::from("/proc/sys/net/ipv4/conf").join(device).join("forwarding")
}

/// One transaction of nftables; 100 is its priority of source NAT. nft(8).
fn rules(table: &str, network: &str, outside: &str) -> String {
    format!(
        "add table ip {table}; \
         add chain ip {table} postrouting {{ type nat hook postrouting priority 100 ; }}; \
         add rule ip {table} postrouting ip saddr {network} oifname \"{outside}\" masquerade"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Recorder;

    #[test]
    fn a_namespace_is_made_once_and_taken_away_once() {
        let mut machine = Recorder::default();
        let deed = Deed::namespace("airtime-7-a").unwrap();
        deed.check(&mut machine).unwrap();
        deed.undo(&mut machine).unwrap();
        assert_eq!(machine.said, [""; 0], "what is not there is not taken away");
        deed.carry_out(&mut machine).unwrap();
        machine.files.insert("/run/netns/airtime-7-a".into(), String::new());
        assert!(matches!(deed.check(&mut machine), Err(SystemError::Taken { .. })));
        deed.undo(&mut machine).unwrap();
        assert_eq!(machine.said, ["ip netns add airtime-7-a", "ip netns del airtime-7-a"]);
    }

    #[test]
    fn forwarding_goes_back_to_what_it_was() {
        for (was, after) in [("0\n", "0\n"), ("1\n", "1\n")] {
            let mut machine = Recorder::default();
            let path = PathBuf::from("/proc/sys/net/ipv4/conf/eth0/forwarding");
            machine.files.insert(path.clone(), was.into());
            let deed = Deed::forwarding("eth0", &mut machine).unwrap();
            deed.carry_out(&mut machine).unwrap();
            assert_eq!(machine.files[&path], "1\n");
            deed.undo(&mut machine).unwrap();
            assert_eq!(machine.files[&path], after);
            machine.files.clear();
            deed.undo(&mut machine).unwrap();
            assert!(machine.files.is_empty(), "the device has gone and its setting with it");
        }
    }

    #[test]
    fn a_masquerade_is_a_table_of_its_own() {
        let mut machine = Recorder::default();
        let deed = Deed::masquerade("longge-0", "10.0.0.1/24".parse().unwrap(), "wlan0").unwrap();
        deed.carry_out(&mut machine).unwrap();
        deed.undo(&mut machine).unwrap();
        let [done, undone] = &machine.said[..] else { panic!("{:?}", machine.said) };
        assert!(done.starts_with("nft add table ip airtime_longge_0; add chain ip airtime_longge_0 postrouting {"));
        assert!(done.ends_with("ip saddr 10.0.0.0/24 oifname \"wlan0\" masquerade"), "{done}");
        assert_eq!(undone, "nft add table ip airtime_longge_0; delete table ip airtime_longge_0");
    }

    #[test]
    fn names_are_checked_before_a_program_sees_them() {
        for bad in ["", "a b", "a;b", "../x", "-rf", "0123456789abcdef", "a\"b", "\u{fc}"] {
            assert!(matches!(device_name(bad), Err(SystemError::Name(_))), "{bad}");
            assert!(Deed::masquerade("tun0", "10.0.0.1/24".parse().unwrap(), bad).is_err());
        }
        assert_eq!(device_name("wlx00c0ca.7_-x").unwrap(), "wlx00c0ca.7_-x");
    }
}
