//! What tshark reads of 802.11: ten seconds of beacons, probes, data and acknowledgements, heard by the co-processor and handed
//! to its host over the whole link; and the same air as another station heard it.

use std::collections::VecDeque;
use std::path::Path;

use airtime_capture::Origin;
use airtime_core::{Duration, EventLoop, Instant, Pool};
use airtime_wifi::air::{Guard, Phy, Width};
use airtime_wifi::capture::WifiCapture;
use airtime_wifi::cell::{Beacons, Cell, CellConfig, StationConfig, StationId, Traffic};
use airtime_wifi::hosted::coprocessor::{Coprocessor, CoprocessorConfig};
use airtime_wifi::hosted::host::{Host, HostConfig, HostOutput};
use airtime_wifi::hosted::raw::{Command, CommandFailure, Filter, Interface, Monitor, Second, Told, id};
use airtime_wifi::hosted::rpc::{Event, Request, Response, status};
use airtime_wifi::mac::RateConfig;
use airtime_wifi::network::{BusTiming, Chain, Control, Costs, Network, PathConfig};
use airtime_wifi::wire::{MacAddress, ProbeRequest, Sequence, Ssid};
use libtest_mimic::{Failed, Trial};

use crate::captures::{count, dissect, expect, is_clean};
use crate::peer::{Peer, beside};

/// The station that listens besides the co-processor.
const EAR: StationId = StationId(4);
/// Name that the injected frame asks for.
const INJECTED: &str = "injected by the host";

/// The tests of this file.
pub fn trials() -> Vec<Trial> {
    vec![
        beside("tshark dissects what a co-processor heard", &[Peer::Tshark], coprocessor_hears),
        beside("tshark finds the frames that a filter lets pass", &[Peer::Tshark], filters_work),
        beside("a factory image refuses raw frames", &[], factory_refuses),
    ]
}

/// An application on the host that listens to everything.
#[derive(Debug)]
struct Listener {
    monitor: Monitor,
    commands: VecDeque<Command<'static>>,
    results: Vec<Result<(), CommandFailure>>,
    capture: WifiCapture<Vec<u8>>,
}

impl Control for Listener {
    fn host_said(&mut self, now: Instant, output: HostOutput) {
        let finished = match output {
            HostOutput::Reply { response: Response::CustomRpc(reply), .. } => self.monitor.reply(&reply),
            HostOutput::Event(Event::CustomRpc(event)) => match self.monitor.event(&event) {
                Some(Told::Packet(packet)) => {
                    self.capture.packet(now, &packet);
                    None
                }
                Some(Told::Finished(finished)) => Some(finished),
                None => None,
            },
            _ => None,
        };
        self.results.extend(finished.map(|finished| finished.result));
    }

    fn act(&mut self, now: Instant, host: &mut Host, _: &mut Coprocessor) -> bool {
        let Some(command) = self.commands.front() else { return false };
        let Ok(request) = self.monitor.command(now, command) else { return false };
        self.commands.pop_front();
        host.call(now, Request::CustomRpc(request)).expect("the link is up and nobody else calls");
        true
    }
}

/// An access point with beacons, a station that asks, one that sends, and one that listens.
fn cell() -> CellConfig {
    let mut config = CellConfig { channel: 12, beacons: Some(Beacons::usual(b"airtime")), ..CellConfig::pair() };
    let data = Traffic::Poisson { to: StationId(1), mpdu: 200, every: Duration::from_millis(2) };
    for (place, traffic, phy) in [
        (2, Traffic::Probes { every: Duration::from_millis(500) }, Phy::ofdm6()),
        (3, data, Phy::ht(Width::Mhz20, Guard::Ns400, 7)),
        (4, Traffic::None, Phy::ofdm24()),
    ] {
        config.stations.push(StationConfig { traffic, rate: RateConfig::Fixed(phy), ..StationConfig::usual(place) });
    }
    config
}

/// Runs ten seconds; returns the application, and what station 4 has heard.
fn run(config: CoprocessorConfig, commands: &[Command<'static>]) -> (Listener, Vec<u8>) {
    let pool = Pool::new();
    let host = Host::booted(HostConfig::default(), pool.clone());
    let coprocessor = Coprocessor::booted(config, pool.clone());
    let chain = Chain::new(host, coprocessor, BusTiming::PUBLISHED, Costs::p4_c6(), 64, &pool);
    let listener = Listener {
        monitor: Monitor::default(),
        commands: commands.iter().copied().collect(),
        results: Vec::new(),
        capture: WifiCapture::new(Vec::new(), Origin::VIRTUAL),
    };
    let ear = WifiCapture::new(Vec::new(), Origin::VIRTUAL).of_station(EAR);
    let mut cell = Cell::new(cell(), pool.clone(), 1);
    cell.listen(EAR, true);
    let mut network = Network::controlled(&pool, PathConfig::default(), cell, Some(chain), (), (), ear, listener);
    network.start(Instant::ZERO);
    EventLoop::new(Instant::ZERO, &network).run_until(&mut network, Instant::ZERO + Duration::from_secs(10));
    (network.control, network.observer.into_sink())
}

fn raw() -> CoprocessorConfig {
    CoprocessorConfig::default().with_raw_frames(id::PROMISCUOUS_PACKET)
}

/// The frame that the host injects.
fn probe() -> &'static [u8] {
    let mut frame = Pool::new().packet();
    let ssid = Ssid::new(INJECTED.as_bytes()).expect("a name of at most 32 octets");
    ProbeRequest { transmitter: MacAddress::local(1), sequence: Sequence::new(77, 0), ssid }.emit(&mut frame);
    frame.to_vec().leak()
}

/// Writes a capture, and says how many frames of each kind are in it.
fn kinds(file: &Path, capture: &[u8]) -> Result<[usize; 6], Failed> {
    std::fs::write(file, capture)?;
    is_clean(file)?;
    let all = count(file, "frame")?;
    expect("frames of 802.11 with radiotap", count(file, "radiotap && wlan")?, all)?;
    expect("wrong checks", count(file, "wlan.fcs.status == \"Bad\"")?, 0)?;
    let channel = dissect(file, "radiotap.channel.freq != 2467", &["frame.number"])?;
    expect("frames of another channel", channel, Vec::new())?;
    // Beacons, probe requests and responses, QoS data, acknowledgements, block acknowledgements.
    let kinds = [0x08, 0x04, 0x05, 0x28, 0x1d, 0x19];
    let counts = kinds.map(|kind| count(file, &format!("wlan.fc.type_subtype == {kind}")));
    let mut found = [0; 6];
    for (slot, count) in found.iter_mut().zip(counts) {
        *slot = count?;
    }
    expect("frames of other kinds", all - found.iter().sum::<usize>(), 0)?;
    Ok(found)
}

fn coprocessor_hears() -> Result<(), Failed> {
    let transmit = Command::Transmit { interface: Interface::Station, system_sequence: true, frame: probe() };
    let everything = Filter::MANAGEMENT.with(Filter::CONTROL).with(Filter::DATA);
    let commands = [
        Command::SetChannel { primary: 12, second: Second::None },
        Command::SetFilter(everything),
        Command::SetPromiscuous(true),
        transmit,
    ];
    let (listener, ear) = run(raw(), &commands);
    expect("results of commands", listener.results, vec![Ok(()); 4])?;
    let folder = tempfile::tempdir()?;
    let (host, air) = (folder.path().join("host.pcapng"), folder.path().join("air.pcapng"));
    let heard @ [beacons, requests, responses, data, acks, block_acks] = kinds(&host, &listener.capture.into_sink())?;
    let besides = kinds(&air, &ear)?;
    println!("the co-processor: {heard:?}, another station: {besides:?}");
    // 10 s of beacons every 102.4 ms, two probes a second, 500 frames of data a second, each acknowledged.
    expect("beacons", (96..=98).contains(&beacons), true)?;
    expect("probes", (8..40).contains(&requests) && responses == requests, true)?;
    expect("data", (4_500..5_500).contains(&data), true)?;
    // Frames of an A-MPDU share a block acknowledgement, which stands for two of them at least.
    expect("acknowledgements", acks + 2 * block_acks <= data + responses + 1 && acks > 4_000, true)?;
    let injected = format!("wlan.fc.type_subtype == 4 && wlan.ssid == \"{INJECTED}\"");
    expect("the injected frame at the other station", count(&air, &injected)?, 1)?;
    expect("beacons with a name", count(&air, "wlan.fc.type_subtype == 8 && wlan.ssid == \"airtime\"")?, besides[0])?;
    let rates = dissect(&air, "wlan.fc.type_subtype == 0x28 && radiotap.mcs.index != 7", &["frame.number"])?;
    expect("data at another MCS", rates, Vec::new())
}

fn filters_work() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("host.pcapng");
    for (filter, some) in [
        (Filter::MANAGEMENT, [true, true, true, false, false, false]),
        (Filter::DATA, [false, false, false, true, false, false]),
        (Filter(0).with_control(13), [false, false, false, false, true, false]),
        (Filter::DEFAULT, [true, true, true, true, false, false]),
    ] {
        let (listener, _) = run(raw(), &[Command::SetFilter(filter), Command::SetPromiscuous(true)]);
        let found = kinds(&file, &listener.capture.into_sink())?;
        expect(&format!("{filter:?}"), found.map(|count| count > 0), some)?;
    }
    Ok(())
}

fn factory_refuses() -> Result<(), Failed> {
    let (listener, _) = run(CoprocessorConfig::default(), &[Command::SetPromiscuous(true)]);
    expect("result", listener.results, vec![Err(CommandFailure::NoHandler(status::NOT_SUPPORTED))])?;
    expect("frames", listener.capture.frames(), 0)
}
