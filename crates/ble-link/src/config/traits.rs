//! Devices as they are built: a personality that differs from the one the plan names.

use std::collections::BTreeMap;
use std::fmt::Write;

use airtime_ble::personality::{Controller, CreditPolicy, Host};
use airtime_keys::config::Side;
use airtime_keys::{Key, Value, Words};
use airtime_link::config::{Fate, Line, toml_text, value_of};

use super::keys::{DEVICE, is_option};
use super::zephyr::build::{Build, EXTENDED_ADVERTISING, FLOW_CONTROL};
use crate::plan::{Connection, Image, Initiator, Personality};

/// Octets of a K-frame's or an attribute packet's own header in an ACL packet. Core 6.0, Vol 3, Part A, 3.1.
const HEADER: u64 = 4;

/// A value of the device with the line it is from.
pub type Trait = (&'static Key, Value, String);

/// Octets of an SDU's length in its first K-frame. Core 6.0, Vol 3, Part A, 3.4.3.
const SDU_LENGTH: u64 = 2;

/// Text of the personality that `base`, of which `own` is known, is with `build`, which came from `file`; `lines` are told what they set.
pub fn device(base: &str, own: Option<&Personality>, build: &Build<'_>, file: &str, lines: &mut [Line]) -> String {
    let mut found: Vec<Trait> = Vec::new();
    // What was refused, or is another device's, is no value of this one.
    for line in
        lines.iter_mut().filter(|line| line.fate == Fate::Default || !line.sets.is_empty() || line.why.is_empty())
    {
        let option = line.option.clone();
        for key in DEVICE.iter().filter(|key| is_option(key, &option) && !is_asked_for(key)) {
            let value = value_of(key, Side::Zephyr, &option, &line.value).and_then(|value| within(key, build, value));
            let Some(value) = value.filter(|value| key.kind.check(key.name, value).is_ok()) else { continue };
            take(&mut found, line, key, value);
        }
        for (key, value) in derived(build, own, &option) {
            take(&mut found, line, key, value);
        }
    }
    text(base, None, file, &found)
}

/// Text of the personality that `base` is with what was `found` in `file`, of another image where one is said.
pub fn text(base: &str, image: Option<Image>, file: &str, found: &[Trait]) -> String {
    let mut text = format!(
        "description = {}\nbased_on = {}\nstack = \"firmware\"\n",
        Value::from(format!("{base}, built with {file}")),
        Value::from(base)
    );
    if let Some(image) = image {
        let _ = writeln!(text, "image = {}", Value::from(image.word()));
    }
    let mut tables: BTreeMap<&str, Vec<&Trait>> = BTreeMap::new();
    found.iter().for_each(|own| tables.entry(own.0.table()).or_default().push(own));
    for (table, traits) in tables {
        let _ = writeln!(text, "[{table}]");
        for (key, value, source) in traits {
            let value = if value.is_object() { toml_text(value) } else { value.to_string() };
            let source = Value::from(source.as_str());
            let _ = writeln!(text, "{} = {{ value = {value}, status = \"specified\", source = {source} }}", key.last());
        }
    }
    text
}

/// Adds a value that `line` says to those `found`.
pub fn take(found: &mut Vec<Trait>, line: &mut Line, key: &'static Key, value: Value) {
    let place = if line.line == 0 { line.why.clone() } else { format!("{}:{}", line.file, line.line) };
    found.retain(|(known, ..)| known.name != key.name);
    found.push((key, value.clone(), format!("{} of {place}", line.text())));
    // A value of the plan that is the same says it already.
    if !line.sets.iter().any(|set| set.ends_with(&format!("={}", toml_text(&value)))) {
        line.sets(format!("{}={}", key.name, toml_text(&value)));
    }
}

/// Tells if a key of the plan says all of it: what both ends ask for is the data length, and a change of that is one of the build.
pub fn is_asked_for(key: &Key) -> bool {
    key.name == Controller::DATA_OCTETS.name
}

/// `value` as far as other options of the build let it be.
pub fn within(key: &Key, build: &Build<'_>, value: Value) -> Option<Value> {
    let room = build.number("CONFIG_BT_BUF_ACL_RX_SIZE");
    match key.name {
        // The ATT MTU is what fits both ways.
        name if name == Host::ATT_MTU.name => {
            let most = room.map_or(u64::MAX, |room| room.saturating_sub(HEADER));
            Some(value.as_u64()?.min(most).into())
        }
        // Kconfig's range of the data length ends at what the host can take.
        // Zero leaves it to the controller.
        name if name == Initiator::LINK_SPACING.name && value == "0ns" => None,
        name if name == Connection::DATA_LENGTH.name => Some(value.as_u64()?.min(room.unwrap_or(u64::MAX)).into()),
        // Zephyr v3.2.0, ull.c and lll_conn.c: there are three more, and isr_rx_pdu takes a PDU as long as three are free.
        name if name == Controller::RX_BUFFERS.name && !build.softdevice => Some((value.as_u64()? + 1).into()),
        _ => Some(value),
    }
}

/// Values of the device that follow from an option without being it.
fn derived(build: &Build<'_>, own: Option<&Personality>, option: &str) -> Vec<(&'static Key, Value)> {
    let credits = own.map(|own| own.host.credits);
    // An application without `alloc_buf`, above a host that has one K-frame for each SDU then.
    let unsegmented = matches!(credits, Some(CreditPolicy::ZephyrNoAllocBuf { .. }));
    match option {
        // One K-frame comes in one ACL packet.
        "CONFIG_BT_BUF_ACL_RX_SIZE" => {
            let room = build.number(option).map(|room| room.saturating_sub(HEADER)).filter(|room| *room >= 23);
            let mps = room.map(|room| (Host::COC_MPS, room.into()));
            let mtu = room.filter(|_| unsegmented).map(|room| (Host::COC_MTU, (room - SDU_LENGTH).max(23).into()));
            mps.into_iter().chain(mtu).collect()
        }
        "CONFIG_BT_BUF_ACL_RX_COUNT" => {
            let Some(count) = build.number(option) else { return Vec::new() };
            // In one image hci_driver.c keeps what it has received until there is a buffer of the host's for it.
            let held = build.flow_control() || (!build.host_only() && !build.softdevice);
            let flow = held.then(|| (Host::FLOW_CONTROL, count.into()));
            let initial = unsegmented.then(|| (Host::CREDITS, Value::from_iter([("acl_rx_count", count)])));
            flow.into_iter().chain(initial).collect()
        }
        FLOW_CONTROL if build.host_only() && !build.flow_control() => vec![(Host::FLOW_CONTROL, "none".into())],
        FLOW_CONTROL if build.flow_control() => {
            let count = build.number("CONFIG_BT_BUF_ACL_RX_COUNT");
            count.map(|count| (Host::FLOW_CONTROL, count.into())).into_iter().collect()
        }
        // Builds before those that correct their timer once have one lead, whatever else they have.
        EXTENDED_ADVERTISING
            if own.is_some_and(|own| own.controller.prepare_lead.is_some() && own.controller.drift_skip) =>
        {
            vec![(Controller::PREPARE_LEAD, format!("{}us", build.lead_us()).into())]
        }
        _ => Vec::new(),
    }
}
