//! Remote procedure calls: what the server does, and what happens to calls when it does nothing.

use airtime_core::Duration;
use airtime_esp_hosted::coprocessor::{CoprocessorConfig, Overridden, Radio};
use airtime_esp_hosted::host::{CallError, HostConfig, HostDrop, HostOutput};
use airtime_esp_hosted::rpc::proto::{
    Channel, CustomRequest, Empty, FirmwareVersion, HeartbeatConfig, Mode, StaConfig, WifiConfig, WifiConfigOf,
    WifiInit, WifiInitConfig, WifiSetConfig,
};
use airtime_esp_hosted::rpc::{Event, RegisterError, Request, Response, status};
use airtime_esp_hosted::sdio::{BusError, Transaction};

use super::rig::{Bus, Rig, Times};

fn rig(slave: CoprocessorConfig) -> Rig {
    let mut rig = Rig::cold(HostConfig::default(), slave);
    rig.run(Duration::from_secs(2));
    rig.said.clear();
    rig
}

fn status_of(rig: &mut Rig, request: Request) -> i32 {
    rig.ask(request).expect("an answer").status()
}

fn host_wifi() -> WifiInitConfig {
    WifiInitConfig {
        static_rx_buf_num: 32,
        dynamic_rx_buf_num: 64,
        dynamic_tx_buf_num: 64,
        rx_ba_win: 32,
        ..CoprocessorConfig::default().wifi
    }
}

#[test]
fn the_version_is_the_firmwares() {
    let mut rig = rig(CoprocessorConfig::default());
    let version = rig.ask(Request::GetCoprocessorFwVersion(Empty {}));
    let expected = FirmwareVersion { resp: status::OK, major1: 2, minor1: 11, patch1: 7 };
    assert_eq!(version, Some(Response::GetCoprocessorFwVersion(expected)));
}

/// What the host sets counts, whatever the firmware was compiled with.
#[test]
fn the_hosts_wifi_init_overrides_what_was_compiled() {
    let mut rig = rig(CoprocessorConfig::default());
    assert_eq!(status_of(&mut rig, Request::WifiStart(Empty {})), status::WIFI_NOT_INIT);
    assert_eq!(status_of(&mut rig, Request::WifiInit(WifiInit { cfg: Some(host_wifi()) })), status::OK);
    let overridden = |field, compiled, host| Overridden { field, compiled, host };
    assert_eq!(
        rig.slave.wifi().overridden,
        [
            overridden("static_rx_buf_num", 10, 32),
            overridden("dynamic_rx_buf_num", 32, 64),
            overridden("dynamic_tx_buf_num", 32, 64),
            overridden("rx_ba_win", 6, 32),
        ]
    );
    assert_eq!(status_of(&mut rig, Request::WifiStart(Empty {})), status::OK);
    assert_eq!(rig.radio, [Radio::Start { tx_buffers: 64, rx_ba_window: 32 }]);
    // Features of the host's are not taken when they differ and the firmware caches nothing.
    let cfg = Some(WifiInitConfig { feature_caps: 2, cache_tx_buf_num: 16, ..host_wifi() });
    assert_eq!(status_of(&mut rig, Request::WifiInit(WifiInit { cfg })), status::OK);
    let merged = rig.slave.wifi().merged.clone().unwrap();
    assert_eq!((merged.feature_caps, merged.cache_tx_buf_num, merged.rx_ba_win), (0, 0, 32));
}

#[test]
fn the_station_joins_when_it_is_told_where() {
    let mut rig = rig(CoprocessorConfig::default());
    assert_eq!(status_of(&mut rig, Request::SetMode(Mode { mode: 1 })), status::OK);
    assert_eq!(status_of(&mut rig, Request::WifiInit(WifiInit { cfg: Some(host_wifi()) })), status::OK);
    assert_eq!(status_of(&mut rig, Request::WifiStart(Empty {})), status::OK);
    let started =
        |said: &HostOutput| matches!(said, HostOutput::Event(Event::WifiEventNoArgs(event)) if event.event_id == 2);
    assert!(rig.said.iter().any(started));
    assert_eq!(status_of(&mut rig, Request::WifiConnect(Empty {})), 0x300a, "no SSID");
    let station = StaConfig { ssid: b"lab".into(), ..StaConfig::default() };
    let cfg = Some(WifiConfig { u: Some(WifiConfigOf::Sta(station)) });
    assert_eq!(status_of(&mut rig, Request::WifiSetConfig(WifiSetConfig { iface: 0, cfg })), status::OK);
    assert_eq!(status_of(&mut rig, Request::WifiSetChannel(Channel { primary: 12, second: 0 })), status::OK);
    assert_eq!(status_of(&mut rig, Request::WifiSetChannel(Channel { primary: 15, second: 0 })), status::INVALID_ARG);
    assert_eq!(status_of(&mut rig, Request::WifiConnect(Empty {})), status::OK);
    assert_eq!(rig.radio[1..], [Radio::Channel { primary: 12, second: 0 }, Radio::Connect]);
    rig.slave.connected(rig.now, true);
    rig.run(Duration::from_millis(1));
    let joined = |said: &HostOutput| matches!(said, HostOutput::Event(Event::StaConnected(event)) if event.sta_connected.as_ref().unwrap().channel == 12);
    assert!(rig.said.iter().any(joined));
    rig.transmit(1, 1400).unwrap();
    assert_eq!(rig.aired, [1]);
    assert_eq!(status_of(&mut rig, Request::WifiDisconnect(Empty {})), status::OK);
    rig.transmit(2, 1400).unwrap();
    assert_eq!((rig.aired.len(), rig.all_drops()), (1, 1));
}

/// Asked for every second, it beats every ten.
#[test]
fn the_heartbeat_has_its_bounds() {
    let mut rig = rig(CoprocessorConfig::default());
    let config = HeartbeatConfig { enable: true, duration: 1 };
    assert_eq!(status_of(&mut rig, Request::ConfigHeartbeat(config)), status::OK);
    rig.said.clear();
    rig.run(Duration::from_secs(31));
    let beats: Vec<i32> = rig
        .said
        .iter()
        .map(|said| if let HostOutput::Event(Event::Heartbeat(beat)) = said { beat.hb_num } else { -1 })
        .collect();
    assert_eq!(beats, [0, 1, 2]);
    let config = HeartbeatConfig { enable: false, duration: 0 };
    assert_eq!(status_of(&mut rig, Request::ConfigHeartbeat(config)), status::OK);
    rig.said.clear();
    rig.run(Duration::from_secs(31));
    assert!(rig.said.is_empty());
}

#[test]
fn custom_messages_need_a_firmware_that_knows_them() {
    let custom = |id, octets| Request::CustomRpc(CustomRequest { custom_msg_id: id, data: vec![7; octets] });
    let mut factory = rig(CoprocessorConfig::default());
    assert_eq!(status_of(&mut factory, custom(0x0100, 1)), status::NOT_SUPPORTED);
    assert_eq!(factory.slave.register(0x0100), Err(RegisterError::Full(0)));

    let mut rig = rig(CoprocessorConfig { handlers: 3, ..CoprocessorConfig::default() });
    rig.slave.register(0x0100).unwrap();
    assert_eq!(rig.slave.register(0x0100), Err(RegisterError::Taken(0x0100)));
    assert_eq!(status_of(&mut rig, custom(0x0101, 1)), status::NOT_FOUND);
    // Six fragments each way.
    assert_eq!(status_of(&mut rig, custom(0x0100, 8_100)), status::OK);
    rig.run(Duration::from_millis(1));
    let echoed = |said: &HostOutput| matches!(said, HostOutput::Event(Event::CustomRpc(event)) if event.custom_event_id == 0x0101 && event.data == [7; 8_100]);
    assert_eq!(rig.said.iter().filter(|said| echoed(said)).count(), 1);
    assert_eq!(rig.custom, 1);
    // One that is too long is not sent.
    assert!(matches!(rig.host.call(rig.now, custom(0x0100, 8_192)), Err(CallError::TooLong(_))));
    assert_eq!(rig.host.outstanding(), 0);
}

/// A host of long messages on a bus of short queues: frames of calls wait for room, and none is lost.
#[test]
fn calls_wait_for_room_in_short_queues() {
    let host = HostConfig { tx_queue: 2, rx_queue: 2, ..HostConfig::default() };
    let slave = CoprocessorConfig { tx_buffers: 2, rx_buffers: 2, handlers: 3, ..CoprocessorConfig::default() };
    let mut rig = Rig::cold(host, slave);
    rig.run(Duration::from_secs(2));
    rig.times = Times {
        register: Duration::from_micros(10),
        block: Duration::from_micros(27),
        tasks: [Duration::from_micros(5); 3],
        process: Duration::from_micros(50),
        ..Times::default()
    };
    rig.slave.register(1).unwrap();
    rig.said.clear();
    for _ in 0..5 {
        let request = Request::CustomRpc(CustomRequest { custom_msg_id: 1, data: vec![9; 8_000] });
        rig.host.call(rig.now, request).unwrap();
    }
    let sixth = rig.host.call(rig.now, Request::GetMode(Empty {}));
    assert_eq!(sixth, Err(CallError::TooMany));
    rig.run(Duration::from_secs(1));
    let replies = rig.said.iter().filter(|said| matches!(said, HostOutput::Reply { .. })).count();
    let events = rig.said.iter().filter(|said| matches!(said, HostOutput::Event(_))).count();
    assert_eq!((replies, events, rig.all_drops(), rig.host.outstanding()), (5, 5, 0, 0));
}

#[test]
fn a_call_without_an_answer_runs_out_of_time() {
    let mut rig = rig(CoprocessorConfig::default());
    // Whatever the co-processor says gets lost on the bus.
    rig.bus = Box::new(|transaction| match transaction {
        Transaction::ReadData { .. } => Bus::Unheard(BusError::Crc),
        _ => Bus::Works,
    });
    let uid = rig.host.call(rig.now, Request::GetMode(Empty {})).unwrap();
    rig.run(Duration::from_nanos(4_999_999_999));
    assert!(rig.said.is_empty());
    rig.run(Duration::from_nanos(1));
    assert!(matches!(rig.said.as_slice(), [HostOutput::Expired(expired)] if expired.uid == uid && expired.id == 259));
    assert_eq!((rig.host_drops(HostDrop::RxFailed), rig.host.call_faults().timeouts), (1, 1));
    rig.bus = Box::new(|_| Bus::Works);
    assert_eq!(status_of(&mut rig, Request::GetMode(Empty {})), status::OK);
}
