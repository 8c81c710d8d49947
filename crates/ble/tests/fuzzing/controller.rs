//! Scripts for a controller: from above by H4 bytes, from below by PDUs.

use airtime_ble::air::Phy;
use airtime_ble::hci::opcode;
use airtime_ble::ll::address::DeviceAddress;
use airtime_ble::ll::extended::{AUX_CONNECT_RSP, AuxPtr, CONNECTABLE, EXTENDED, Extended, SCANNABLE};
use airtime_ble::ll::pdu::{Advertising, AdvertisingType, ConnectData, LLID_CONTROL};
use airtime_ble::personality::{Budget, CompletedPackets, Controller};
use airtime_core::units::Frequency;
use airtime_core::{Duration, Pool};

use super::air::{Fault, OWN, PEER, Rig};
use super::{OCTETS_MAX, Script};

/// Any H4 bytes, from power-up on.
pub fn hci(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    let mut rig = Rig::new(personality(script.octet()));
    play(&mut rig, &mut script);
}

/// Any PDUs, from the moment a connection stands.
pub fn ll_control(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    let mut rig = Rig::new(personality(script.octet()));
    let shape = script.octet();
    rig.command(opcode::SET_EVENT_MASK, &[0xff; 8]);
    rig.command(opcode::LE_SET_EVENT_MASK, &[0xff; 8]);
    if shape & 1 == 0 {
        advertise(&mut rig);
        rig.hear_advertising(&connect_ind(shape), Fault::NONE);
    } else {
        initiate(&mut rig, shape);
        rig.hear_advertising(&adv_ind(), Fault::NONE);
    }
    assert!(rig.controller.connection(0).is_some(), "a connection stands");
    play(&mut rig, &mut script);
}

fn play(rig: &mut Rig, script: &mut Script<'_>) {
    while !script.is_over() {
        let turn = script.octet();
        match turn & 0x0f {
            0 => rig.hci(script.packet()),
            1 | 2 => {
                let command = &opcode::ALL[usize::from(script.octet()) % opcode::ALL.len()];
                rig.command(command.opcode, script.packet());
            }
            3 => rig.acl(u16::from(turn >> 4 & 3) << 12 | u16::from(turn >> 6), script.packet()),
            4 | 5 => (0..=turn >> 4).for_each(|_| {
                rig.step();
            }),
            6..=8 => {
                let fault = Fault(script.octet());
                rig.hear_data(LLID_CONTROL, script.packet(), fault);
            }
            9 => {
                let fault = Fault(script.octet());
                let payload = vec![turn; usize::from(script.octet())];
                rig.hear_data(turn >> 4 & 3, &payload[..payload.len().min(251)], fault);
            }
            10 => {
                let fault = Fault(script.octet());
                rig.hear_data(1, &[], fault);
            }
            11 => {
                let fault = Fault(script.octet());
                rig.hear_advertising(script.packet(), fault);
            }
            12 if turn >> 4 & 1 == 1 => advertise_extended(rig, turn >> 5),
            12 => advertise(rig),
            13 if turn >> 7 == 1 => seek_extended(rig, turn >> 4 & 1 == 1),
            13 => initiate(rig, turn >> 4),
            14 => rig.hear_advertising(&connect_ind(turn >> 4), Fault::NONE),
            _ if turn >> 7 == 1 => rig.hear_advertising(&extended(turn >> 4 & 7), Fault::NONE),
            _ => rig.hear_advertising(&adv_ind(), Fault::NONE),
        }
    }
}

/// Every bit of `bits` turns one thing that controllers differ in.
pub fn personality(bits: u8) -> Controller {
    let has = |bit: u8| bits >> bit & 1 == 1;
    Controller {
        margin: Duration::from_micros(if has(0) { 0 } else { 150 }),
        budget: if has(1) { Budget::FullReply } else { Budget::EmptyReply },
        event_time_cap: has(2).then(|| Duration::from_micros(3_750)),
        event_overhead: Duration::from_micros(if has(0) { 0 } else { 900 }),
        event_extension: has(4),
        event_pdu_cap: has(3).then_some(2),
        queue_ahead: Duration::from_micros(if has(0) { 0 } else { 100 }),
        completed_packets: if has(4) { CompletedPackets::PerEvent } else { CompletedPackets::PerPdu },
        rx_buffers: 2,
        data_octets: if has(5) { 27 } else { 251 },
        data_time: Duration::from_micros(if has(6) { 328 } else { 17_040 }),
        suggested_octets: if has(2) { 251 } else { 27 },
        begins_data_length: has(7),
        frame_space_min: (!has(6)).then(|| Duration::from_micros(52)),
        subrating: !has(5),
        csa2: !has(7),
        parameter_request: !has(6),
        central_requests: has(3),
        controls_wait: has(2),
        link_spacing: Duration::from_millis(5),
        // Of both kinds of timer, with and without the correction that is made twice.
        prepare_lead: has(1).then(|| Duration::from_micros(275)),
        slot_reservation: (!has(2)).then(|| Duration::from_micros(846)),
        ticker_clock: Frequency(if has(0) { 32_768 } else { 1_000_000 }),
        drift_skip: has(4),
        crc_errors_reply: has(5),
        ..Controller::default()
    }
}

/// Advertises connectably.
pub fn advertise(rig: &mut Rig) {
    rig.command(opcode::LE_SET_ADV_PARAMETERS, &[0x20, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0]);
    rig.command(opcode::LE_SET_ADV_ENABLE, &[1]);
}

/// Sets up advertising sets of every kind in turn and enables them: connectable, scannable, directed, legacy.
fn advertise_extended(rig: &mut Rig, shape: u8) {
    let properties = [1, 2, 4, 0x13, 0x1d, 5, 0x40, 0x10][usize::from(shape)];
    let phys = [(1, 2), (1, 1), (3, 3), (1, 1), (1, 1), (1, 3), (3, 1), (1, 1)][usize::from(shape)];
    let mut params = vec![shape & 3, properties, 0, 0x20, 0, 0, 0x20, 0, 0, 7, 0, 0];
    params.extend_from_slice(&PEER);
    params.extend([0, 0, phys.0, 0, phys.1, shape, 1]);
    rig.command(opcode::LE_SET_EXT_ADV_PARAMETERS, &params);
    rig.command(opcode::LE_SET_EXT_SCAN_RESPONSE_DATA, &[shape & 3, 3, 0, 2, shape, shape]);
    rig.command(opcode::LE_SET_EXT_ADV_ENABLE, &[1, 1, shape & 3, shape, 0, shape]);
}

/// Scans on both PHYs, actively, or initiates on all three.
fn seek_extended(rig: &mut Rig, connect: bool) {
    if !connect {
        rig.command(opcode::LE_SET_EXT_SCAN_PARAMETERS, &[0, 0, 5, 1, 0x60, 0, 0x60, 0, 1, 0x60, 0, 0x30, 0]);
        return rig.command(opcode::LE_SET_EXT_SCAN_ENABLE, &[1, 0, 20, 0, 1, 0]);
    }
    let mut params = vec![0, 0, 0];
    params.extend_from_slice(&PEER);
    params.push(7);
    for interval in [6, 12, 24] {
        for word in [0x60u16, 0x60, interval, interval, 0, 3200, 0, 0] {
            params.extend_from_slice(&word.to_le_bytes());
        }
    }
    rig.command(opcode::LE_EXT_CREATE_CONNECTION, &params);
}

/// A PDU of extended advertising: one that points on, an auxiliary one, or the answer to a connection request.
fn extended(shape: u8) -> Vec<u8> {
    let (peer, own) = (Some(DeviceAddress::public(PEER)), Some(DeviceAddress::public(OWN)));
    let phy = [Phy::Le1M, Phy::Le2M, Phy::LeCodedS8][usize::from(shape >> 1) % 3];
    let mode = if shape & 1 == 0 { CONNECTABLE } else { SCANNABLE };
    let adi = Some(0x1001);
    let pdu = match shape {
        0..=2 => {
            let aux = Some(AuxPtr::to(Duration::from_micros(2_000), 9, phy, shape == 0));
            Extended { adi, aux, ..Extended::new(EXTENDED, mode) }
        }
        3..=5 => Extended { advertiser: peer, adi, data: &[2, 1, 6], ..Extended::new(EXTENDED, mode) },
        6 => Extended { advertiser: peer, target: own, ..Extended::new(AUX_CONNECT_RSP, 0) },
        _ => Extended { advertiser: peer, adi, data: &[7; 200], ..Extended::new(EXTENDED, 0) },
    };
    pdu.emit(&Pool::new()).to_vec()
}

/// Connection parameters of a script: interval in 1.25 ms, latency, timeout in 10 ms.
fn timing(shape: u8) -> (u16, u16, u16) {
    let interval = [6, 12, 24, 3200][usize::from(shape >> 1 & 3)];
    // The supervision timeout must outlast two intervals with latency, and 4 s allow for none.
    let latency = if shape & 8 == 0 || interval == 3200 { 0 } else { 3 };
    (interval, latency, 3200)
}

fn initiate(rig: &mut Rig, shape: u8) {
    let (interval, latency, timeout) = timing(shape);
    let mut params = vec![0x60, 0, 0x60, 0, 0, 0];
    params.extend_from_slice(&PEER);
    params.push(0);
    for word in [interval, interval, latency, timeout, 0, 0] {
        params.extend_from_slice(&word.to_le_bytes());
    }
    rig.command(opcode::LE_CREATE_CONNECTION, &params);
}

/// A good CONNECT_IND for the controller under test.
pub fn connect_ind(shape: u8) -> Vec<u8> {
    let (interval, latency, timeout) = timing(shape);
    let data = ConnectData {
        access_address: 0x5065_4e96,
        crc_init: 0x55_5555,
        win_size: 1 + (shape >> 4 & 3),
        win_offset: u16::from(shape >> 6),
        interval,
        latency,
        timeout,
        channel_map: 0x1f_ffff_ffff,
        hop: 7,
        sca: 5,
    };
    let mut bytes = Pool::new().packet();
    data.emit(&mut bytes);
    let kind = AdvertisingType::ConnectInd;
    let (sender, target) = (DeviceAddress::public(PEER), Some(DeviceAddress::public(OWN)));
    Advertising { kind, ch_sel: true, sender, target, data: &bytes }.emit(&Pool::new()).to_vec()
}

fn adv_ind() -> Vec<u8> {
    let data = [2, 1, 6];
    let kind = AdvertisingType::AdvInd;
    let sender = DeviceAddress::public(PEER);
    Advertising { kind, ch_sel: true, sender, target: None, data: &data }.emit(&Pool::new()).to_vec()
}
