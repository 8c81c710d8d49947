//! Course of the live servers of links that carry IP: the plan, the namespaces, the tables of a report.

use airtime_live::figures::Summary;
use airtime_live::ip::{Air, EndReport, Names, Namespaces, Report, Reported, Server};
use airtime_report::{Align, Table};
use airtime_system::{Crossed, SystemError};

use super::in_stretches;
use crate::arguments::live::LiveTimeArguments;
use crate::exit::{Exit, Failure};
use crate::interrupt::stop_on_signal;
use crate::output::{self, Form};
use crate::request::Manner;

/// Server of a link between two namespaces, as its command says it.
pub struct Course<'a> {
    /// Times of it.
    pub time: &'a LiveTimeArguments,
    /// Name of the namespaces, if one was asked for.
    pub netns: Option<&'a str>,
    /// Name of the server, in what it leaves behind if it is killed.
    pub server: &'a str,
    /// Name of the devices, in their namespaces.
    pub device: &'a str,
    /// MTU of the devices.
    pub mtu: u16,
    /// Sentence before the error of a server that cannot go on.
    pub failed: &'a str,
}

/// Joins the namespaces by the link that `open` makes until it is stopped, or for the time that was asked for, and reports: `rate`
/// says how much it carries, from 10³ bit/s, and `tables` all of it.
pub fn serve<L: Reported>(
    course: &Course<'_>,
    manner: Manner,
    open: impl FnOnce() -> L,
    rate: fn(f64) -> String,
    tables: impl Fn(&Report<L::EndFigures, L::Between>) -> Vec<Table>,
) -> Result<Exit, Failure> {
    let Course { time, netns, server, device, mtu, failed } = *course;
    if netns.is_some_and(str::is_empty) {
        let what = "--netns=: the name is empty; expected one, or --netns alone for one that nobody else has";
        return Err(Failure::BadInput(what.to_owned()));
    }
    let names = Names::new(netns);
    let namespaces = Namespaces::make(&names, server, device, mtu, says(manner)).map_err(refused)?;
    let mut server = Server::open(namespaces, open).map_err(refused)?;
    let stopper = server.stopper();
    stop_on_signal(stopper.clone())?;
    say_where(server.namespaces());
    let run =
        |server: &mut Server<L>, time| server.run(time).map_err(|error| Failure::Machine(format!("{failed}: {error}")));
    let mut before = (0, 0);
    let tell = |server: &Server<L>| output::say(&progress::<L>(&Report::new(server), rate, &mut before));
    let exit = in_stretches(time, &stopper, &mut server, run, tell)?;
    let report = Report::new(&server);
    // Whatever becomes of the output, the machine is as it was.
    drop(server);
    output::print(&match manner.form {
        Form::Json => output::rendered(|out| airtime_report::json(&report, out))?,
        form => output::rendered(|out| {
            let exporter = form.exporter();
            exporter.export_tables(&tables(&report), out)
        })?,
    })?;
    Ok(exit)
}

/// Speaker for the course of a server; mute where that was asked for.
pub fn says(manner: Manner) -> Box<dyn FnMut(&str)> {
    if manner.quiet { Box::new(|_| {}) } else { Box::new(output::say) }
}

/// A line on how it goes; `before` is the time and the octets of the line before.
fn progress<L: Reported>(
    report: &Report<L::EndFigures, L::Between>,
    rate: fn(f64) -> String,
    before: &mut (u64, u64),
) -> String {
    let carried = report.ends.iter().map(|end| L::crossed(&end.figures).bytes_out).sum::<u64>();
    let kbps = (carried - before.1) as f64 * 8e6 / (report.elapsed_ns - before.0).max(1) as f64;
    *before = (report.elapsed_ns, carried);
    let lag = report.lag.map_or(0.0, |lag| lag.p99_us);
    format!("{:.1} s: {} of IP packets, lag p99 {lag} us", report.elapsed_ns as f64 / 1e9, rate(kbps))
}

/// Table of the ends, with the columns that every link has; `own` come behind the addresses.
pub fn ends<L: Reported>(
    report: &Report<L::EndFigures, L::Between>,
    own: impl FnOnce(&mut Table, &[EndReport<L::EndFigures>]),
) -> Table {
    let all = &report.ends;
    let count = |of: fn(&Crossed) -> u64| all.iter().map(move |end| of(L::crossed(&end.figures)).to_string());
    let mut table = Table::new("Ends");
    table.column("end", Align::Left, all.iter().map(|end| end.end));
    table.column("namespace", Align::Left, all.iter().map(|end| end.namespace.as_str()));
    table.column("address", Align::Left, all.iter().map(|end| end.address.as_str()));
    own(&mut table, all);
    table.column("packets in", Align::Right, count(|crossed| crossed.packets_in));
    table.column("B in", Align::Right, count(|crossed| crossed.bytes_in));
    table.column("packets out", Align::Right, count(|crossed| crossed.packets_out));
    table.column("B out", Align::Right, count(|crossed| crossed.bytes_out));
    table
}

/// A line per account that any of these has booked something to, in percent of its time; each is a column by its name.
pub fn air(parts: &[(&str, &Air)]) -> Table {
    let booked = |air: &Air, name: &str| air.ledger_ns.get(name).copied().unwrap_or(0);
    let names: Vec<&str> = parts.first().map_or(vec![], |(_, first)| {
        let used = |name: &&str| parts.iter().any(|(_, air)| booked(air, name) > 0);
        first.ledger_ns.iter().map(|(name, _)| name).filter(used).collect()
    });
    let mut table = Table::new("Air, in percent");
    table.column("account", Align::Left, names.iter().copied());
    for (title, air) in parts {
        let all: u64 = air.ledger_ns.iter().map(|(_, ns)| ns).sum();
        let share = |name: &&str| format!("{:.1}", 100.0 * booked(air, name) as f64 / all.max(1) as f64);
        table.column(*title, Align::Right, names.iter().map(share));
    }
    table
}

/// Names the namespaces of the devices. Scripts wait for these lines, so they are said in any case.
fn say_where(namespaces: &Namespaces) {
    for device in namespaces.configs() {
        let namespace = device.namespace.as_deref().unwrap_or_default();
        output::say(&format!("namespace {namespace} {} {}", device.name, device.address.with_length()));
    }
}

/// Failure for an error of the machine, in the terms of this program.
pub fn refused(error: SystemError) -> Failure {
    if error.is_bad_input() { Failure::BadInput(error.to_string()) } else { Failure::Machine(error.to_string()) }
}

/// Remark on the server's lag, below a table of its ends.
pub fn lag_remark(lag: Option<&Summary>, steps: u64, elapsed_ns: u64) -> String {
    let lag = lag.map_or_else(
        || "nothing was due".to_owned(),
        |lag| format!("lag p50 {} us, p90 {} us, p99 {} us, max {} us", lag.p50_us, lag.p90_us, lag.p99_us, lag.max_us),
    );
    format!("{lag}; {steps} steps in {:.1} s", elapsed_ns as f64 / 1e9)
}
