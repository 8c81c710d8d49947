//! Link types of pcap and pcapng by name. <https://www.tcpdump.org/linktypes.html>

/// HCI packets with their H4 indicator.
pub const HCI_H4: u16 = 187;
/// HCI packets with their direction in front of the H4 indicator.
pub const HCI_H4_WITH_PHDR: u16 = 201;
/// Linux's monitor of HCI: adapter, opcode, packet.
pub const LINUX_MONITOR: u16 = 254;

/// Link types that people bring: number, name in the list without its prefix, words.
const NAMES: [(u16, &str); 33] = [
    (0, "BSD loopback"),
    (1, "Ethernet"),
    (101, "raw IP"),
    (105, "802.11 without radiotap"),
    (113, "Linux cooked capture"),
    (119, "802.11 with a Prism header"),
    (127, "802.11 with radiotap"),
    (147, "user 0: whatever its writer has put there"),
    (148, "user 1: whatever its writer has put there"),
    (157, "user 10: nRF Sniffer of old"),
    (161, "Bluetooth on a Linux without monitor"),
    (163, "802.11 with an AVS header"),
    (186, "USB of FreeBSD"),
    (HCI_H4, "Bluetooth HCI, H4"),
    (189, "USB of Linux"),
    (192, "per-packet information (PPI)"),
    (195, "802.15.4 with FCS"),
    (HCI_H4_WITH_PHDR, "Bluetooth HCI, H4 with direction"),
    (215, "802.15.4 with PHY header"),
    (220, "USB of Linux, mmapped"),
    (227, "SocketCAN"),
    (228, "raw IPv4"),
    (229, "raw IPv6"),
    (230, "802.15.4 without FCS"),
    (249, "USB of Windows (USBPcap)"),
    (251, "Bluetooth LE without pseudo-header"),
    (LINUX_MONITOR, "Bluetooth, Linux monitor"),
    (255, "Bluetooth BR/EDR baseband"),
    (256, "Bluetooth LE with pseudo-header"),
    (272, "nRF Sniffer for Bluetooth LE"),
    (276, "Linux cooked capture, version 2"),
    (283, "802.15.4 TAP"),
    (288, "USB 2.0"),
];

/// Words for a link type; none for one that is not known here.
pub fn name(link_type: u16) -> Option<&'static str> {
    NAMES.iter().find(|(number, _)| *number == link_type).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_order_and_has_each_once() {
        assert!(NAMES.is_sorted_by(|(before, _), (next, _)| before < next));
        assert_eq!((name(1), name(272), name(9999)), (Some("Ethernet"), Some("nRF Sniffer for Bluetooth LE"), None));
    }
}
