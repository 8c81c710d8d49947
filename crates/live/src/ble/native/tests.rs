//! Searches, streams and calls by a task that asks no system.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::mpsc::{Sender, channel};

use airtime_core::Duration;

use super::error::NativeError;
use super::host::{Native, NativeConfig};
use super::order::{Heard, Order, Report};
use crate::ble::system::{Part, SystemHost, Values, Wanted, Way, Written};

/// Answer of the fake task to an order: what it reports.
type Answer = Box<dyn Fn(&Order) -> Vec<Report>>;

/// Orders that were given, in order.
type Ordered = Rc<RefCell<Vec<Order>>>;

fn native(within: Duration, answer: Answer) -> (Native, Ordered, Sender<Report>) {
    let (report, reports) = channel();
    let ordered = Ordered::default();
    let wanted = Wanted { adapter: None, name: "board".to_owned(), within, part: Part::Stream };
    let (noted, told) = (ordered.clone(), report.clone());
    let order = move |order: Order| {
        answer(&order).into_iter().for_each(|report| told.send(report).unwrap());
        noted.borrow_mut().push(order);
    };
    (Native::over(NativeConfig { wanted, psm: None }, Box::new(order), reports).unwrap(), ordered, report)
}

fn heard(id: &str, name: Option<&str>) -> Report {
    Report::Heard(Heard { id: id.to_owned(), name: name.map(str::to_owned), rssi_dbm: Some(-40), connectable: true })
}

/// A system with another device and the board, which tells its name in its second report and goes behind three values.
fn board(order: &Order) -> Vec<Report> {
    match order {
        Order::Scan => vec![Report::Up, heard("a", Some("other")), heard("b", None), heard("b", Some("board"))],
        Order::Connect { .. } => vec![Report::Connected(247)],
        // Values come before the answer to whoever asks for them.
        Order::Subscribe => vec![
            Report::Value(vec![7; 244]),
            Report::Done(0),
            Report::Value(vec![7; 244]),
            Report::Value(vec![7; 12]),
            Report::Gone,
        ],
        Order::Read => vec![Report::Done(246)],
        Order::Write(value, _) => vec![Report::Done(value.len())],
        Order::HangUp => vec![],
    }
}

const LONG: Duration = Duration::from_secs(60);

#[test]
fn values_come_from_the_board_of_that_name() {
    let (native, ordered, _report) = native(LONG, Box::new(board));
    let mut values = Values::new(native, Way::Notified, Duration::ZERO);
    let left = values.run(LONG).unwrap_err();
    assert_eq!(left, NativeError::Left("board".to_owned()));
    assert_eq!(values.octets(), 244 + 244 + 12);
    values.hang_up();
    values.hang_up();
    let connect = Order::Connect { id: "b".to_owned(), part: Part::Stream, psm: None };
    assert_eq!(*ordered.borrow(), [Order::Scan, connect, Order::Subscribe, Order::HangUp]);
}

#[test]
fn values_are_written_as_long_as_a_request_carries() {
    let (native, ordered, _report) = native(LONG, Box::new(board));
    let stopper = native.stopper();
    let mut values = Values::new(native, Way::Written { octets: 512, long: false }, Duration::ZERO);
    // Each write is one order: it stops itself with the third.
    let written = |ordered: &Ordered| ordered.borrow().iter().filter(|order| matches!(order, Order::Write(..))).count();
    while written(&ordered) < 3 {
        values.run(Duration::from_micros(1)).unwrap();
    }
    stopper.stop();
    let Some(Order::Write(value, way)) = ordered.borrow().last().cloned() else { panic!("{ordered:?}") };
    assert_eq!((value.len(), way), (244, Written::Request));
    assert_eq!(values.octets(), 244 * written(&ordered) as u64);
}

#[test]
fn everybody_is_listed_once() {
    let (mut native, _, _report) = native(LONG, Box::new(board));
    let heard = native.scan().unwrap();
    let names: Vec<_> = heard.iter().map(|heard| (heard.id.as_str(), heard.name.as_deref())).collect();
    assert_eq!(names, [("a", Some("other")), ("b", Some("board"))]);
}

#[test]
fn each_refusal_says_what_to_do() {
    let said = |within, answer: Answer| {
        let (native, _, _report) = native(within, answer);
        Values::new(native, Way::Notified, Duration::ZERO).run(LONG).unwrap_err().to_string()
    };
    let nobody = said(Duration::ZERO, Box::new(|_| vec![Report::Up, heard("a", Some("other"))]));
    assert!(nobody.contains("nobody advertises as `board` (heard other)"), "{nobody}");
    let unnamed = said(Duration::ZERO, Box::new(|_| vec![heard("a", None)]));
    assert!(unnamed.contains("no name was heard"), "{unnamed}");
    let off = said(Duration::ZERO, Box::new(|_| vec![]));
    assert!(off.contains("switch it on"), "{off}");
    for (error, words) in [
        (NativeError::NoAdapter, "no Bluetooth LE"),
        (NativeError::Lacks("the test's stream"), "no characteristic of the test's stream"),
        (NativeError::NoPsm, "--psm 0x0080"),
        (NativeError::NoChannels, "airtime hw ble gatt"),
        (NativeError::Channel { psm: 0x80, why: "refused".to_owned() }, "PSM 0x0080 is not opened: refused"),
        (NativeError::Pairing, "pair with it"),
    ] {
        let refused = error.clone();
        let connects = move |order: &Order| match order {
            Order::Connect { .. } => vec![Report::Failed(refused.clone())],
            order => board(order),
        };
        let said = said(LONG, Box::new(connects));
        assert!(said.contains(words), "{said}");
    }
    let gone = |order: &Order| if let Order::Connect { .. } = order { vec![Report::Gone] } else { board(order) };
    let gone = said(LONG, Box::new(gone));
    assert!(gone.contains("`board` was found, and does not connect: it has gone again"), "{gone}");
}

#[test]
fn a_task_that_has_ended_is_told_of() {
    let (report, reports) = channel();
    let wanted = Wanted { adapter: None, name: "board".to_owned(), within: LONG, part: Part::Stream };
    let mut native = Native::over(NativeConfig { wanted, psm: None }, Box::new(|_| {}), reports).unwrap();
    drop(report);
    assert_eq!(native.hear(LONG), Err(NativeError::Lost));
}

#[test]
fn a_device_is_known_by_its_address_or_its_identifier() {
    let address = |id: &str| Heard { id: id.to_owned(), ..Heard::default() }.address();
    let windows = "BluetoothLE#BluetoothLE5c:f3:70:9d:00:01-c0:00:5e:00:01:02";
    assert_eq!(address(windows), [0x02, 0x01, 0x00, 0x5e, 0x00, 0xc0]);
    assert_eq!(address("1f2e3d4c-5b6a-4788-9910-aabbccddeeff"), [0x6a, 0x5b, 0x4c, 0x3d, 0x2e, 0x1f]);
    assert_eq!(address(""), [0; 6]);
}

#[test]
fn whoever_stops_it_waits_no_longer() {
    let (mut native, _, _report) = native(LONG, Box::new(|_| vec![Report::Up]));
    native.stopper().stop();
    assert_eq!(native.hear(LONG), Ok(None));
}
