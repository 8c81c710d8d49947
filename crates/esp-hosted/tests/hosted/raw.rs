//! Raw frames over the whole bus: commands down, answers and heard frames up.

use airtime_core::Duration;
use airtime_esp_hosted::coprocessor::{CoprocessorConfig, Radio};
use airtime_esp_hosted::host::{HostConfig, HostOutput};
use airtime_esp_hosted::raw::{Command, CommandFailure, Filter, Interface, Monitor, RadioRequest, Second, Told, id};
use airtime_esp_hosted::rpc::{Event, Request, Response, status};
use airtime_ieee80211::air::{Guard, Phy, Width};
use airtime_ieee80211::wire::{RxInfo, fcs};

use super::rig::{Rig, Times};

const INFO: RxInfo =
    RxInfo { rssi_dbm: -40, channel: 6, phy: Phy::ht(Width::Mhz20, Guard::Ns400, 7), aggregated: false };

fn rig(slave: CoprocessorConfig) -> Rig {
    let mut rig = Rig::cold(HostConfig::default(), slave);
    rig.run(Duration::from_secs(2));
    rig.said.clear();
    rig
}

/// Sends a command and lets the radio say yes: how it ended, as the monitor sees it.
fn command(rig: &mut Rig, monitor: &mut Monitor, command: Command<'_>) -> Result<(), CommandFailure> {
    rig.said.clear();
    let request = monitor.command(rig.now, &command).expect("no other command is under way");
    rig.host.call(rig.now, Request::CustomRpc(request)).unwrap();
    rig.run(Duration::from_millis(1));
    if matches!(rig.radio.last(), Some(Radio::Raw(_))) {
        rig.slave.raw_done(rig.now, status::OK);
    }
    rig.run(Duration::from_millis(1));
    let mut finished = None;
    for said in &rig.said {
        match said {
            HostOutput::Reply { response: Response::CustomRpc(reply), .. } => {
                finished = finished.or(monitor.reply(reply))
            }
            HostOutput::Event(Event::CustomRpc(event)) => {
                if let Some(Told::Finished(end)) = monitor.event(event) {
                    finished = Some(end);
                }
            }
            other => panic!("{other:?}"),
        }
    }
    finished.expect("an end").result
}

fn packets(rig: &Rig, monitor: &mut Monitor) -> usize {
    let events = rig.said.iter().filter_map(|said| match said {
        HostOutput::Event(Event::CustomRpc(event)) => Some(event),
        _ => None,
    });
    events
        .filter(|event| matches!(monitor.event(event), Some(Told::Packet(packet)) if packet.frame.len() == 104))
        .count()
}

/// A data frame of 100 octets and its FCS.
fn heard(rig: &mut Rig) {
    let mut frame = rig.pool.packet();
    frame.put_u16(0x0008);
    frame.resize(100);
    fcs::append(&mut frame, 0);
    rig.slave.heard(rig.now, &frame, &INFO);
    rig.settle();
}

#[test]
fn a_factory_image_refuses_every_command() {
    let mut rig = rig(CoprocessorConfig::default());
    let mut monitor = Monitor::new(id::PROMISCUOUS_PACKET);
    let refused = command(&mut rig, &mut monitor, Command::SetPromiscuous(true));
    assert_eq!(refused, Err(CommandFailure::NoHandler(status::NOT_SUPPORTED)));
    assert!(rig.radio.is_empty());
    // Three places, as a table is built by default, are one too few.
    let config =
        CoprocessorConfig { handlers: 3, ..CoprocessorConfig::default().with_raw_frames(id::PROMISCUOUS_PACKET) };
    let mut rig = self::rig(config);
    let transmit = Command::Transmit { interface: Interface::Station, system_sequence: true, frame: &[0x40; 24] };
    assert!(matches!(command(&mut rig, &mut monitor, transmit), Err(CommandFailure::NoHandler(_))));
}

#[test]
fn what_is_heard_comes_up_while_the_host_listens() {
    for packet_id in [id::PROMISCUOUS_PACKET, id::PROMISCUOUS_PACKET_OF_CODE] {
        let mut rig = rig(CoprocessorConfig::default().with_raw_frames(packet_id));
        let mut monitor = Monitor::new(packet_id);
        heard(&mut rig);
        assert_eq!(packets(&rig, &mut monitor), 0);
        command(&mut rig, &mut monitor, Command::SetPromiscuous(true)).unwrap();
        command(&mut rig, &mut monitor, Command::SetChannel { primary: 6, second: Second::None }).unwrap();
        rig.said.clear();
        for _ in 0..10 {
            heard(&mut rig);
        }
        assert_eq!(packets(&rig, &mut monitor), 10);
        command(&mut rig, &mut monitor, Command::SetFilter(Filter::MANAGEMENT)).unwrap();
        rig.said.clear();
        heard(&mut rig);
        assert_eq!((packets(&rig, &mut monitor), rig.slave.raw_counts().filtered), (0, 1));
        command(&mut rig, &mut monitor, Command::SetPromiscuous(false)).unwrap();
        assert!(!rig.slave.promiscuous());
    }
}

#[test]
fn an_injected_frame_goes_to_the_radio_as_it_is() {
    let mut rig = rig(CoprocessorConfig::default().with_raw_frames(id::PROMISCUOUS_PACKET));
    let mut monitor = Monitor::new(id::PROMISCUOUS_PACKET);
    let frame = [0x40; 1_400];
    let transmit = Command::Transmit { interface: Interface::Station, system_sequence: true, frame: &frame };
    command(&mut rig, &mut monitor, transmit).unwrap();
    let request = RadioRequest::Inject { frame: frame.into(), system_sequence: true };
    assert_eq!(rig.radio, [Radio::Raw(request)]);
}

/// More is heard than the bus carries: what waits has its bound, and the rest is counted.
#[test]
fn a_slow_host_loses_heard_frames_and_nothing_else() {
    let mut rig = rig(CoprocessorConfig::default().with_raw_frames(id::PROMISCUOUS_PACKET));
    let mut monitor = Monitor::new(id::PROMISCUOUS_PACKET);
    command(&mut rig, &mut monitor, Command::SetPromiscuous(true)).unwrap();
    rig.said.clear();
    rig.times = Times { register: Duration::from_millis(1), ..Times::default() };
    for _ in 0..200 {
        heard(&mut rig);
    }
    let counts = rig.slave.raw_counts();
    // 20 slots, one frame that waits for one, 32 events behind it.
    assert_eq!((counts.packets, counts.dropped), (20 + 1 + 32, 200 - 53));
    rig.run(Duration::from_secs(1));
    assert_eq!(packets(&rig, &mut monitor), 53);
    rig.times = Times::default();
    command(&mut rig, &mut monitor, Command::SetPromiscuous(false)).unwrap();
}
