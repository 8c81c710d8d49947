//! Scripts for a controller: from above by H4 bytes, from below by PDUs.

use airtime_ble::hci::opcode;
use airtime_ble::ll::address::DeviceAddress;
use airtime_ble::ll::pdu::{Advertising, AdvertisingType, ConnectData, LLID_CONTROL};
use airtime_ble::personality::{Budget, CompletedPackets, Controller};
use airtime_core::{Duration, Pool};

use super::Script;
use super::air::{Fault, OWN, PEER, Rig};

/// Any H4 bytes, from power-up on.
pub fn hci(bytes: &[u8]) {
    let mut script = Script::new(bytes);
    let mut rig = Rig::new(personality(script.octet()));
    play(&mut rig, &mut script);
}

/// Any PDUs, from the moment a connection stands.
pub fn ll_control(bytes: &[u8]) {
    let mut script = Script::new(bytes);
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
    while !script.is_done() {
        let turn = script.octet();
        match turn & 0x0f {
            0 => rig.hci(script.bytes()),
            1 | 2 => {
                let command = &opcode::ALL[usize::from(script.octet()) % opcode::ALL.len()];
                rig.command(command.opcode, script.bytes());
            }
            3 => rig.acl(u16::from(turn >> 4 & 3) << 12 | u16::from(turn >> 6), script.bytes()),
            4 | 5 => (0..=turn >> 4).for_each(|_| {
                rig.step();
            }),
            6..=8 => {
                let fault = Fault(script.octet());
                rig.hear_data(LLID_CONTROL, script.bytes(), fault);
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
                rig.hear_advertising(script.bytes(), fault);
            }
            12 => advertise(rig),
            13 => initiate(rig, turn >> 4),
            14 => rig.hear_advertising(&connect_ind(turn >> 4), Fault::NONE),
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
        event_pdu_cap: has(3).then_some(2),
        crc_errors_close: 2,
        queue_ahead: Duration::from_micros(if has(0) { 0 } else { 100 }),
        completed_packets: if has(4) { CompletedPackets::PerEvent } else { CompletedPackets::PerPdu },
        acl_count: 3,
        acl_size: 251,
        rx_buffers: 2,
        data_octets: if has(5) { 27 } else { 251 },
        frame_space_min: (!has(6)).then(|| Duration::from_micros(52)),
        phy_2m: true,
        phy_coded: true,
        csa2: !has(7),
        parameter_request: !has(6),
        link_spacing: Duration::from_millis(5),
        clock_ppm: 50,
        interval_min: Duration::from_micros(7_500),
    }
}

/// Advertises connectably.
pub fn advertise(rig: &mut Rig) {
    rig.command(opcode::LE_SET_ADV_PARAMETERS, &[0x20, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0]);
    rig.command(opcode::LE_SET_ADV_ENABLE, &[1]);
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
