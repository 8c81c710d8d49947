//! `airtime hw log`: logs of real boards and programs as records.

use airtime_lab::record::Environment;
use airtime_lab::{Document, Record, Records};
use airtime_report::{Align, Table};
use airtime_study::log::{CountingEnd, Options, read};

use crate::arguments::HwLogArguments;
use crate::exit::{Exit, Failure};
use crate::output::{self, Form};
use crate::place;
use crate::request::{Manner, kind_of_link};

/// Most octets of a log: a day of lines each second is a tenth of it.
const OCTETS_MAX: u64 = 64 << 20;

/// Reads a log and prints its records.
pub fn log(arguments: &HwLogArguments, manner: Manner) -> Result<Exit, Failure> {
    let options = options(arguments)?;
    // Octets that are no text are a garbled line's, which says so itself if it matters.
    let octets = place::read(&arguments.file, OCTETS_MAX)?;
    let text = String::from_utf8_lossy(&octets);
    let wrong = |error| Failure::BadInput(format!("{}: {error}", arguments.file.display()));
    let records = read(&text, &options).map_err(wrong)?;
    let name = options.name.unwrap_or_else(|| "log".to_owned());
    output::print(&match manner.form {
        Form::Json => {
            let document = Document { records: records.into_iter().collect::<Records>(), ..Document::new(name) };
            output::rendered(|out| airtime_report::json(&document, out))?
        }
        form => output::rendered(|out| form.exporter().export_table(&table(&records), out))?,
    })?;
    Ok(Exit::Ok)
}

fn options(arguments: &HwLogArguments) -> Result<Options, Failure> {
    let end =
        arguments.end.as_deref().map(|end| if end == "sender" { CountingEnd::Sender } else { CountingEnd::Receiver });
    let file = arguments.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let source = arguments
        .source
        .clone()
        .unwrap_or_else(|| if file == "-" { "a log on standard input".to_owned() } else { format!("log {file}") });
    let environment = Environment {
        board: arguments.board.clone(),
        serial: arguments.serial.clone(),
        firmware: arguments.firmware.clone(),
        os: arguments.os.clone(),
        controller: arguments.controller.clone(),
        date: arguments.date.clone(),
        distance: arguments.distance.clone(),
        conditions: arguments.conditions.clone(),
    };
    let (name, link) = (arguments.name.clone(), arguments.link.clone().map(kind_of_link).transpose()?);
    Ok(Options { name, link, end, warmup: arguments.warmup, source, environment })
}

/// Table of `records` of logs.
pub(super) fn table(records: &[Record]) -> Table {
    let of = |text: fn(&Record) -> String| records.iter().map(text);
    let tenth = |kbps: f64| format!("{kbps:.1}");
    let mut table = Table::default();
    table.column("log", Align::Left, of(|record| record.id.clone()));
    table.column_if_any("of", Align::Left, of(|record| record.label.clone()));
    table.column("link", Align::Left, of(|record| record.link.clone()));
    let arrived = |record: &Record| if record.goodput_kbps.runs > 0 { Some(record.goodput_kbps.median) } else { None };
    table.column(
        "arrived kbps",
        Align::Right,
        records.iter().map(|record| arrived(record).map(tenth).unwrap_or_default()),
    );
    let accepted = |record: &Record| record.accepted_kbps.map(tenth).unwrap_or_default();
    table.column_if_any("accepted kbps", Align::Right, records.iter().map(accepted));
    table.column("s", Align::Right, of(|record| format!("{:.1}", record.steady_ns as f64 / 1e9)));
    let each =
        |record: &Record| record.series_kbps.iter().map(|kbps| format!("{kbps:.0}")).collect::<Vec<_>>().join(" ");
    table.column_if_any("each kbps", Align::Left, records.iter().map(each));
    let told = |record: &Record| {
        let keys = record.params.iter().map(|(key, value)| match value.as_str() {
            Some(text) => format!("{key}={text}"),
            None => format!("{key}={value}"),
        });
        keys.collect::<Vec<_>>().join(" ")
    };
    table.column_if_any("told", Align::Left, records.iter().map(told));
    for record in records {
        table.remarks.extend(record.note.iter().map(|note| format!("{}: {note}", record.id)));
    }
    table
}
