//! `airtime hw`: the nodes of the laboratory on real radios.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use airtime_core::Duration;
use airtime_hw::{Backlog, Daemon, DaemonError, Figures, Line, Pi, PiConfig, Published, examine, fresh_epoch};
use airtime_live::ip::ENDS;
use airtime_live::ip::nrf24::{TrafficReport, mode_name};
use airtime_nrf24::plan::{Mode as Planned, Scenario};
use airtime_nrf24::run::{legacy, station};
use airtime_nrf24::tunnel::Mode;
use airtime_nrf24::{legacy as published, station as daemon};
use airtime_report::{Align, Table};
use airtime_system::stop::Stopper;
use airtime_system::{Deed, FOLDER, Ipv4Network, Journal, Linux, Tun, TunConfig};
use serde::Serialize;

use super::bench::bench;
use super::ble::ble;
use super::live::{check_time, refused, scenario};
use super::log::log;
use super::sink::sink;
use super::vhci::vhci;
use crate::arguments::{HwCommand, HwNrf24Arguments, HwNrf24Command, HwNrf24DoctorArguments};
use crate::exit::{Exit, Failure};
use crate::interrupt::stop_on_signal;
use crate::output::{self, Form};
use crate::request::Manner;

/// The schema of the document.
const SCHEMA: &str = "airtime/hw-nrf24/1";

/// Report of a node. Fields are added, never renamed.
#[derive(Debug, Serialize)]
struct Report {
    schema: &'static str,
    airtime: &'static str,
    node: String,
    device: String,
    address: String,
    elapsed_ns: u64,
    mode: Option<&'static str>,
    ring_dropped: u64,
    backlog_max_octets: Option<u64>,
    #[serde(flatten)]
    traffic: TrafficReport,
}

/// Program of a node, as its plan has it.
enum Program {
    Ours(daemon::Config),
    Published(published::Config),
}

impl Program {
    const fn radios(&self) -> usize {
        match self {
            Self::Ours(config) => config.radios.count(),
            Self::Published(_) => 2,
        }
    }

    const fn spi_hz(&self) -> u32 {
        match self {
            Self::Ours(config) => config.cost.spi_hz,
            Self::Published(config) => config.cost.spi_hz,
        }
    }

    fn mode(&self) -> &'static str {
        match self {
            Self::Ours(config) => mode_name(config.tunnel.mode),
            Self::Published(_) => Planned::Legacy.name(),
        }
    }

    /// The program on these radios, as many as it wants.
    fn on(self, boards: Vec<Pi>, tun: Tun) -> Result<Node, Failure> {
        let waits = |error| Failure::Machine(format!("cannot wait for what is due: {error}"));
        Ok(match self {
            Self::Ours(config) => Node::Ours(Box::new(Daemon::new(config, boards, tun).map_err(waits)?)),
            Self::Published(config) => {
                let boards = boards.try_into().expect("as many as were counted");
                Node::Published(Box::new(Published::new(config, boards, tun).map_err(waits)?))
            }
        })
    }
}

/// A node with either program.
enum Node {
    Ours(Box<Daemon<Pi, Tun>>),
    Published(Box<Published<Pi, Tun>>),
}

impl Node {
    fn stopper(&self) -> Stopper {
        match self {
            Self::Ours(node) => node.stopper(),
            Self::Published(node) => node.stopper(),
        }
    }

    fn figures(&self) -> Figures {
        match self {
            Self::Ours(node) => node.figures(),
            Self::Published(node) => node.figures(),
        }
    }

    fn run(
        &self,
        time: Option<Duration>,
        every: Option<Duration>,
        tell: impl FnMut(&Figures),
    ) -> Result<(), DaemonError> {
        match self {
            Self::Ours(node) => node.run(time, every, tell),
            Self::Published(node) => node.run(time, every, tell),
        }
    }
}

/// Carries out `command` on real radios.
pub fn hw(command: &HwCommand, manner: Manner) -> Result<Exit, Failure> {
    match command {
        HwCommand::Nrf24(arguments) => match &arguments.command {
            Some(HwNrf24Command::Doctor(arguments)) => doctor(arguments),
            None => nrf24(arguments, manner),
        },
        HwCommand::Ble(command) => ble(command, manner),
        HwCommand::Sink(arguments) => sink(arguments, manner),
        HwCommand::Log(arguments) => log(arguments, manner),
        HwCommand::Bench(arguments) => bench(arguments, manner),
        HwCommand::Vhci(arguments) => vhci(arguments),
    }
}

fn nrf24(arguments: &HwNrf24Arguments, manner: Manner) -> Result<Exit, Failure> {
    check_time(&arguments.time)?;
    let scenario = scenario(&arguments.plan, &arguments.changes)?;
    let program = program(arguments, &scenario)?;
    let radios = radios(arguments, &program)?;
    let boards = radios.iter().map(Pi::open).collect::<Result<Vec<_>, _>>();
    let boards = boards.map_err(|error| Failure::BadInput(error.to_string()))?;
    let device = device(arguments, scenario.tunnel.mtu)?;
    let says: Box<dyn FnMut(&str)> = if manner.quiet { Box::new(|_| {}) } else { Box::new(output::say) };
    let mut journal = Journal::open(Path::new(FOLDER), "hw-nrf24", Box::new(Linux), says).map_err(refused)?;
    let tun = Tun::open(&device, journal.machine()).map_err(refused)?;
    if let Some(outside) = &arguments.nat {
        nat(&mut journal, &device, outside)?;
    }
    let node = program.on(boards, tun)?;
    let stopper = node.stopper();
    stop_on_signal(stopper.clone())?;
    // Scripts wait for this line, so it is said in any case.
    output::say(&format!("device {} {}", device.name, device.address.with_length()));
    let mut before = (Duration::ZERO, 0);
    let tell = |figures: &Figures| output::say(&progress(figures, &mut before));
    let ended = node.run(arguments.time.length, arguments.time.every, tell);
    let report = report(arguments, &device, &node.figures());
    drop((node, journal));
    output::print(&match manner.form {
        Form::Json => output::rendered(|out| airtime_report::json(&report, out))?,
        form => output::rendered(|out| form.exporter().export_table(&table(&report), out))?,
    })?;
    ended.map_err(|error| Failure::Machine(error.to_string()))?;
    let early = stopper.is_asked() && arguments.time.length.is_some_and(|length| length.as_nanos() > report.elapsed_ns);
    Ok(if early { Exit::Interrupted } else { Exit::Ok })
}

/// Steps to a radio that works, and what to do where one fails.
fn doctor(arguments: &HwNrf24DoctorArguments) -> Result<Exit, Failure> {
    let HwNrf24DoctorArguments { spi, ce, irq, hz } = arguments;
    let config = PiConfig { spi: spi.clone(), spi_hz: *hz, ce: line("--ce", ce)?, irq: line("--irq", irq)? };
    let board = Pi::open(&config).map_err(|error| Failure::Machine(error.to_string()))?;
    output::say(&format!("ok: {} and both lines are there", spi.display()));
    let health = examine(&board, |step| output::say(&format!("ok: {step}")));
    let health = health.map_err(|ailment| Failure::Machine(format!("{}: {ailment}", spi.display())))?;
    output::say(&carriers(&health.carriers));
    Ok(Exit::Ok)
}

/// A line on the channels that are taken.
fn carriers(heard: &[u8]) -> String {
    match (heard.first(), heard.last()) {
        (Some(first), Some(last)) => {
            let mhz = |channel: &u8| 2_400 + u32::from(*channel);
            let count = heard.len();
            format!("ok: a carrier of -64 dBm or more on {count} of 126 channels, {} to {} MHz", mhz(first), mhz(last))
        }
        _ => "ok: no carrier of -64 dBm or more on any of 126 channels".to_owned(),
    }
}

/// Index of the end that this is.
fn end(arguments: &HwNrf24Arguments) -> usize {
    ENDS.iter()
        .position(|end| Some(*end) == arguments.node.as_deref())
        .expect("the parser knows the ends, and asks for one")
}

fn program(arguments: &HwNrf24Arguments, scenario: &Scenario) -> Result<Program, Failure> {
    if scenario.is_raw() {
        return Err(Failure::BadInput("traffic.kind=raw: the daemon is a tunnel; expected udp or tcp".to_owned()));
    }
    let mode = match scenario.mode() {
        Planned::AutoAck => Mode::AutoAck,
        Planned::AckPayload => Mode::AckPayload,
        Planned::Stream => Mode::Stream,
        Planned::Legacy if arguments.key.is_some() => {
            let what = "--key: nrf24.mode=legacy encrypts nothing; expected stream, auto-ack or ack-payload";
            return Err(Failure::BadInput(what.to_owned()));
        }
        Planned::Legacy => return Ok(Program::Published(legacy(scenario, end(arguments)))),
        gateway @ Planned::Gateway => {
            let what = format!(
                "nrf24.mode={}: RF24Gateway is a program of its own, which is modelled and not shipped; expected stream, auto-ack, ack-payload or legacy",
                gateway.name()
            );
            return Err(Failure::BadInput(what));
        }
    };
    let epoch = fresh_epoch().map_err(|error| Failure::Machine(format!("no random number to be had: {error}")))?;
    let mut config = station(scenario, end(arguments), mode, epoch);
    config.tunnel.key = match &arguments.key {
        Some(path) => Some(key(path)?),
        // That of the laboratory is published.
        None if scenario.tunnel.encrypted => {
            return Err(Failure::BadInput("nrf24.encrypted=true: the key is missing: --key FILE".to_owned()));
        }
        None => None,
    };
    Ok(Program::Ours(config))
}

fn key(path: &Path) -> Result<[u8; 32], Failure> {
    let bad = |why: String| Failure::BadInput(format!("--key {}: {why}", path.display()));
    let found = fs::metadata(path).map_err(|error| bad(error.to_string()))?;
    if found.mode() & 0o077 != 0 {
        return Err(bad("others may read or write it; chmod 600 mends that".to_owned()));
    }
    let text = fs::read_to_string(path).map_err(|error| bad(error.to_string()))?;
    let text = text.trim();
    let mut key = [0; 32];
    let is_hex = text.len() == 2 * key.len() && text.bytes().all(|octet| octet.is_ascii_hexdigit());
    if !is_hex {
        return Err(bad("expected 64 hexadecimal digits, such as `openssl rand -hex 32` prints".to_owned()));
    }
    for (octet, digits) in key.iter_mut().zip(text.as_bytes().chunks(2)) {
        let digit = |digit: u8| char::from(digit).to_digit(16).unwrap_or_default() as u8;
        *octet = digit(digits[0]) << 4 | digit(digits[1]);
    }
    Ok(key)
}

fn radios(arguments: &HwNrf24Arguments, program: &Program) -> Result<Vec<PiConfig>, Failure> {
    let wanted = program.radios();
    for (option, given) in
        [("--spi", arguments.spi.len()), ("--ce", arguments.ce.len()), ("--irq", arguments.irq.len())]
    {
        if given != wanted {
            let mode = program.mode();
            let what = format!("nrf24.mode={mode} needs {option} once for each radio, {wanted} in all; given: {given}");
            return Err(Failure::BadInput(what));
        }
    }
    let pins = arguments.ce.iter().zip(&arguments.irq);
    let radio = |(spi, (ce, irq)): (&std::path::PathBuf, (&String, &String))| {
        Ok(PiConfig { spi: spi.clone(), spi_hz: program.spi_hz(), ce: line("--ce", ce)?, irq: line("--irq", irq)? })
    };
    arguments.spi.iter().zip(pins).map(radio).collect()
}

fn line(option: &str, text: &str) -> Result<Line, Failure> {
    text.parse().map_err(|error| Failure::BadInput(format!("{option} {error}")))
}

fn device(arguments: &HwNrf24Arguments, mtu: u16) -> Result<TunConfig, Failure> {
    let address = match &arguments.address {
        Some(text) => text.parse().map_err(refused)?,
        None => Ipv4Network { address: [10, 0, 0, end(arguments) as u8 + 1].into(), length: 24 },
    };
    Ok(TunConfig { name: arguments.tun.clone(), namespace: None, address, mtu })
}

/// Forwards between the tunnel and `outside`. What is set on the TUN device goes with it, but it is written down as the rest.
fn nat(journal: &mut Journal, device: &TunConfig, outside: &str) -> Result<(), Failure> {
    for forwards in [device.name.as_str(), outside] {
        let deed = Deed::forwarding(forwards, journal.machine());
        let deed = deed.map_err(|error| Failure::BadInput(format!("--nat {outside}: {error}")))?;
        journal.carry_out(deed).map_err(refused)?;
    }
    let masquerade = Deed::masquerade(&device.name, device.address, outside).map_err(refused)?;
    journal.carry_out(masquerade).map_err(refused)
}

/// A line on how it goes; `before` is the time and the octets of the line before.
fn progress(figures: &Figures, before: &mut (Duration, u64)) -> String {
    let carried = figures.traffic.crossed.bytes_in + figures.traffic.crossed.bytes_out;
    let span = figures.elapsed.saturating_sub(before.0).as_nanos().max(1);
    let kbps = (carried - before.1) as f64 * 8e6 / span as f64;
    *before = (figures.elapsed, carried);
    let mode = mode(figures).unwrap_or("no other end yet");
    let waits = figures.backlog.map_or(String::new(), |Backlog { octets, .. }| format!(", {octets} octets wait"));
    format!("{:.1} s: {mode}, {kbps:.1} kbps of IP packets both ways{waits}", figures.elapsed.as_nanos() as f64 / 1e9)
}

/// The mode that both ends agreed on. The published tunnel, which alone has a backlog, agrees on nothing.
fn mode(figures: &Figures) -> Option<&'static str> {
    match figures.backlog {
        Some(_) => Some(Planned::Legacy.name()),
        None => figures.mode.map(mode_name),
    }
}

fn report(arguments: &HwNrf24Arguments, device: &TunConfig, figures: &Figures) -> Report {
    Report {
        schema: SCHEMA,
        airtime: env!("CARGO_PKG_VERSION"),
        node: ENDS[end(arguments)].to_owned(),
        device: device.name.clone(),
        address: device.address.with_length(),
        elapsed_ns: figures.elapsed.as_nanos(),
        mode: mode(figures),
        ring_dropped: figures.ring_dropped,
        backlog_max_octets: figures.backlog.map(|backlog| backlog.most),
        traffic: (&figures.traffic).into(),
    }
}

fn table(report: &Report) -> Table {
    let mut table = Table::default();
    table.column("node", Align::Left, [report.node.as_str()]);
    table.column("device", Align::Left, [report.device.as_str()]);
    table.column("mode", Align::Left, [report.mode.unwrap_or("none agreed")]);
    table.column("packets in", Align::Right, [report.traffic.crossed.packets_in.to_string()]);
    table.column("B in", Align::Right, [report.traffic.crossed.bytes_in.to_string()]);
    table.column("packets out", Align::Right, [report.traffic.crossed.packets_out.to_string()]);
    table.column("B out", Align::Right, [report.traffic.crossed.bytes_out.to_string()]);
    let dropped = report.traffic.dropped.iter().map(|(at, count)| format!("{at}: {count}")).collect::<Vec<_>>();
    table.column_if_any("dropped", Align::Left, [dropped.join(", ")]);
    let backlog = report.backlog_max_octets.map(|most| format!("{most} B"));
    table.column_if_any("backlog at most", Align::Right, [backlog.unwrap_or_default()]);
    table.column("time", Align::Right, [format!("{:.1} s", report.elapsed_ns as f64 / 1e9)]);
    table
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use airtime_lab::Ordered;
    use airtime_system::Crossed;
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_key_is_64_digits_that_nobody_else_reads() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let written = |text: &str, mode: u32| {
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            key(&path)
        };
        let digits = "00ff10".repeat(11)[..64].to_owned();
        assert_eq!(written(&format!("{digits}\n"), 0o600).unwrap()[..4], [0, 0xff, 0x10, 0]);
        assert!(written(&digits, 0o644).unwrap_err().to_string().contains("chmod 600"));
        for bad in ["", &digits[..62], &digits.replace('f', "g"), &"é".repeat(32)] {
            assert!(written(bad, 0o600).unwrap_err().to_string().contains("64 hexadecimal digits"), "{bad}");
        }
        assert!(key(&folder.path().join("none")).is_err());
    }

    #[test]
    fn the_figures_of_the_published_tunnel_are_told() {
        let backlog = Some(Backlog { octets: 120, most: 6_000 });
        let mut figures = Figures { elapsed: Duration::from_secs(2), backlog, ..Figures::default() };
        figures.traffic.crossed.packet(true, 25_000);
        let said = progress(&figures, &mut (Duration::from_secs(1), 0));
        assert_eq!(said, "2.0 s: legacy, 200.0 kbps of IP packets both ways, 120 octets wait");
        figures.backlog = None;
        assert!(
            progress(&figures, &mut (Duration::ZERO, 0))
                .ends_with("no other end yet, 100.0 kbps of IP packets both ways")
        );
    }

    #[test]
    fn the_published_schema_has_every_field() {
        let traffic = TrafficReport { crossed: Crossed::default(), dropped: Ordered::new(), resyncs: 0 };
        let report = Report {
            schema: SCHEMA,
            airtime: "0",
            node: "a".into(),
            device: "longge".into(),
            address: "10.0.0.1/24".into(),
            elapsed_ns: 1,
            mode: None,
            ring_dropped: 0,
            backlog_max_octets: None,
            traffic,
        };
        let report = serde_json::to_value(report).unwrap();
        let schema: Value = serde_json::from_str(include_str!("../../../../schemas/hw-nrf24.schema.json")).unwrap();
        let fields = |value: &Value| {
            let mut names: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
            names.sort();
            names
        };
        assert_eq!(fields(&schema["properties"]), fields(&report));
        assert_eq!(schema["required"].as_array().unwrap().len(), fields(&report).len());
        assert_eq!(schema["properties"]["schema"]["const"], SCHEMA);
    }
}
