//! The report of a server as tables.

use airtime_live::Report;
use airtime_live::ble::report::{EndpointReport, LinkReport, RpcReport};
use airtime_live::figures::Summary;
use airtime_report::{Align, Table};

/// Endpoints, links, and the air of each link; tables of nothing are left out.
pub fn tables(report: &Report) -> Vec<Table> {
    let mut tables = vec![endpoints(report)];
    tables.extend(report.rpc.iter().map(calls));
    if !report.links.is_empty() {
        tables.push(links(report));
        tables.push(ledger(report));
    }
    tables
}

fn endpoints(report: &Report) -> Table {
    let all = &report.endpoints;
    let count = |of: fn(&EndpointReport) -> u64| all.iter().map(move |endpoint| of(endpoint).to_string());
    let mut table = Table::new("Endpoints");
    table.column("hci", Align::Left, all.iter().map(|endpoint| endpoint.hci.as_str()));
    table.column("address", Align::Left, all.iter().map(|endpoint| endpoint.address.as_str()));
    table.column("hosts", Align::Right, count(|endpoint| endpoint.clients));
    table.column("B in", Align::Right, count(|endpoint| endpoint.bytes_in));
    table.column("B out", Align::Right, count(|endpoint| endpoint.bytes_out));
    table.column("commands", Align::Right, count(|endpoint| endpoint.commands));
    table.column("ACL in", Align::Right, count(|endpoint| endpoint.acl_in));
    table.column("ACL out", Align::Right, count(|endpoint| endpoint.acl_out));
    let malformed = |endpoint: &EndpointReport| (endpoint.malformed > 0).then(|| endpoint.malformed.to_string());
    table.column_if_any("malformed", Align::Right, all.iter().map(|endpoint| malformed(endpoint).unwrap_or_default()));
    let ends = |endpoint: &EndpointReport| {
        endpoint.disconnects.iter().map(|(reason, count)| format!("{reason}: {count}")).collect::<Vec<_>>().join(", ")
    };
    table.column_if_any("disconnections", Align::Left, all.iter().map(ends));
    let latency = |endpoint: &EndpointReport| endpoint.host_latency.map(|l| percentiles(&l)).unwrap_or_default();
    table.column_if_any("host latency", Align::Right, all.iter().map(latency));
    let lag = report.lag.map_or_else(|| "nothing was due".to_owned(), |lag| format!("lag {}", percentiles(&lag)));
    table.remarks.push(format!("{lag}; {} steps in {:.1} s", report.steps, report.elapsed_ns as f64 / 1e9));
    table
}

/// Calls of one server by method, and what it has dropped.
fn calls(served: &RpcReport) -> Table {
    let all = || served.methods.iter();
    let mut table = Table::new(format!("Calls of {}", served.name));
    table.column("method", Align::Left, all().map(|(name, _)| name));
    table.column("calls", Align::Right, all().map(|(_, method)| method.calls.to_string()));
    table.column("B in", Align::Right, all().map(|(_, method)| method.bytes_in.to_string()));
    table.column("B out", Align::Right, all().map(|(_, method)| method.bytes_out.to_string()));
    let refused = |refused: u64| if refused > 0 { refused.to_string() } else { String::new() };
    table.column_if_any("refused", Align::Right, all().map(|(_, method)| refused(method.refused)));
    let faults = served.faults.iter().filter(|(_, count)| **count > 0).map(|(cause, count)| format!("{cause} {count}"));
    let faults: Vec<String> = faults.collect();
    if !faults.is_empty() {
        table.remarks.push(format!("faults of the last connection: {}", faults.join(", ")));
    }
    table
}

fn percentiles(spans: &Summary) -> String {
    format!("p50 {} us, p90 {} us, p99 {} us, max {} us", spans.p50_us, spans.p90_us, spans.p99_us, spans.max_us)
}

fn links(report: &Report) -> Table {
    let all = &report.links;
    let device = |device: Option<usize>| device.map(|device| device.to_string()).unwrap_or_default();
    let term = |of: fn(&airtime_live::ble::report::Negotiated) -> String| {
        all.iter().map(move |link| link.negotiated.as_ref().map(of).unwrap_or_default())
    };
    let mut table = Table::new("Links");
    table.column("link", Align::Left, all.iter().map(|link| link.access_address.as_str()));
    table.column("central", Align::Right, all.iter().map(|link| device(link.central)));
    table.column("peripheral", Align::Right, all.iter().map(|link| device(link.peripheral)));
    table.column("interval", Align::Right, term(|terms| terms.conn_interval.clone()));
    table.column("PHY", Align::Left, term(|terms| either(terms.phy.c2p, terms.phy.p2c)));
    table.column("LL octets", Align::Right, term(|terms| either(terms.dle.c2p, terms.dle.p2c)));
    table.column("c2p kbps", Align::Right, all.iter().map(|link| format!("{:.1}", link.goodput_kbps.c2p)));
    table.column("p2c kbps", Align::Right, all.iter().map(|link| format!("{:.1}", link.goodput_kbps.p2c)));
    table.column("bottleneck", Align::Left, all.iter().map(|link| link.bottleneck));
    table.column_if_any("silent", Align::Right, all.iter().map(silent));
    table.column_if_any("ended", Align::Left, all.iter().map(ended));
    if report.links_before > 0 {
        table.remarks.push(format!("{} earlier links are not shown", report.links_before));
    }
    table
}

fn either<T: PartialEq + ToString>(c2p: T, p2c: T) -> String {
    if c2p == p2c { c2p.to_string() } else { format!("{}/{}", c2p.to_string(), p2c.to_string()) }
}

/// Silence since the last payload that is long enough to be one: a second.
fn silent(link: &LinkReport) -> String {
    if link.silent_ns < 1_000_000_000 { String::new() } else { format!("{:.1} s", link.silent_ns as f64 / 1e9) }
}

fn ended(link: &LinkReport) -> String {
    let ends = [("central", &link.ended.c2p), ("peripheral", &link.ended.p2c)];
    let said = |(end, how): (&str, &Option<String>)| how.as_ref().map(|how| format!("{end}: {how}"));
    ends.into_iter().filter_map(said).collect::<Vec<_>>().join(", ")
}

/// A line per account that any link has booked something to, in percent of the link's time.
fn ledger(report: &Report) -> Table {
    let names: Vec<&str> = report.links[0].ledger_ns.iter().map(|(name, _)| name).collect();
    let booked = |link: &LinkReport, name: &str| link.ledger_ns.get(name).copied().unwrap_or(0);
    let used = |name: &&str| report.links.iter().any(|link| booked(link, name) > 0);
    let names: Vec<&str> = names.into_iter().filter(used).collect();
    let mut table = Table::new("Air, in percent");
    table.column("account", Align::Left, names.iter().copied());
    for link in &report.links {
        let all: u64 = link.ledger_ns.iter().map(|(_, ns)| ns).sum();
        let share = |name: &&str| format!("{:.1}", 100.0 * booked(link, name) as f64 / all.max(1) as f64);
        table.column(link.access_address.as_str(), Align::Right, names.iter().map(share));
    }
    table
}
