//! Remote calls through a virtual link, in virtual time: what a command line has a client do, with links that are lost on the way.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use airtime_ble_link::plan::Scenario;
use airtime_core::Duration;
use airtime_lab::{Library, Plan};
use airtime_live::ble::Virtual;
use airtime_live::rpc::work::{Calls, Peer, Read, Write};
use airtime_live::rpc::{CallingConfig, Job, JobError, ServedConfig, Trust, Work};
use airtime_rpc::client::{Encryption, Mode, SetupError};
use airtime_rpc::crypto::Pin;
use airtime_rpc::service::pattern;
use airtime_rpc::{CallError, Kind, Status};

/// Bursts in which nothing is heard, each longer than the supervision timeout: the link is lost every few seconds.
const LOST: (&str, &str) = ("ble.loss", "{ good = 0.0, bad = 1.0, every = \"3s\", burst = \"2500ms\" }");

/// The published supervision timeout.
const SUPERVISION: (&str, &str) = ("ble.supervision_timeout", "1s");

/// Seed whose bursts end a link in mid-read, and none of which outlasts the client's patience.
const SEED: (&str, &str) = ("run.seed", "4");

const EXTENDED: (&str, &str) = ("rpc.mode", "extended");

fn scenario(set: &[(&str, &str)]) -> Scenario {
    let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let plan = Plan::parse("calls", "link = \"ble-rpc\"\n", &Library::builtin(), &set).unwrap();
    plan.point(0).unwrap().scenario.of::<airtime_ble_link::plan::Scenario>().cloned().unwrap()
}

/// Both ends, and how the client seals.
struct Ends {
    set: Vec<(&'static str, &'static str)>,
    encryption: Encryption,
    sealed: bool,
    extended: bool,
}

impl Ends {
    fn of(set: &[(&'static str, &'static str)]) -> Self {
        Self { set: set.to_vec(), encryption: Encryption::Off, sealed: false, extended: true }
    }

    /// Does `work` and gives the whole run.
    fn run(&self, work: Work) -> Virtual {
        let scenario = scenario(&self.set);
        let patience = Duration::from_secs(10);
        let calling = CallingConfig { scenario: scenario.clone(), encryption: self.encryption, patience };
        let served = ServedConfig {
            scenario,
            address: [1, 0, 0, 0x5e, 0, 0xc0],
            identity: self.sealed.then_some([0; 32]),
            extended: self.extended,
            memory: 1 << 20,
        };
        let mut run = Virtual::new(&calling, &served, Job::new(work, Trust::Any, Peer::default(), patience));
        while run.run() {}
        run
    }
}

/// A sink that others look into.
#[derive(Clone, Default)]
struct Sink(Rc<RefCell<Vec<u8>>>);

impl io::Write for Sink {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(octets);
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn job(run: &Virtual) -> &Job {
    run.calling().application().script()
}

fn read(run: &Virtual) -> &Read {
    match job(run).work() {
        Work::Read(read) => read,
        other => panic!("{other:?}"),
    }
}

fn write(run: &Virtual) -> &Write {
    match job(run).work() {
        Work::Write(write) => write,
        other => panic!("{other:?}"),
    }
}

fn call(name: &str, kind: Kind, requests: &[&[u8]]) -> Work {
    Work::Calls(Calls::new(name.into(), kind, requests.iter().map(|octets| octets.to_vec()).collect()))
}

#[test]
fn a_read_goes_on_where_the_link_was_lost() {
    for mode in [EXTENDED, ("rpc.mode", "compatible")] {
        let sink = Sink::default();
        let run = Ends::of(&[mode, LOST, SUPERVISION, SEED]).run(Work::Read(Read::new(
            0x100,
            1_000_000,
            Box::new(sink.clone()),
        )));
        assert!(job(&run).error().is_none(), "{:?}", job(&run).error());
        let (read, octets) = (read(&run), sink.0.borrow());
        assert!(read.course().resumed() >= 1 && job(&run).connections() >= 2, "{read:?}");
        assert_eq!(octets.len(), 1_000_000, "nothing comes twice");
        assert!(octets.iter().zip(0x100..).all(|(octet, address)| *octet == pattern(address)));
        assert!(read.course().took().is_some());
    }
}

#[test]
fn a_write_goes_on_where_the_link_was_lost() {
    let octets: Vec<u8> = (0..1_000_000_u32).map(|at| (at ^ at >> 9) as u8).collect();
    let run = Ends::of(&[EXTENDED, LOST, SUPERVISION]).run(Work::Write(Write::new(Some(0x2000), octets.clone())));
    assert!(job(&run).error().is_none(), "{:?}", job(&run).error());
    let write = write(&run);
    assert!(write.course().resumed() >= 1 && job(&run).connections() >= 2, "{write:?}");
    assert_eq!(write.have(), octets.len(), "the server's checksum of the whole was right, or there would be an error");
}

#[test]
fn what_is_lost_in_compatible_mode_is_not_sent_twice() {
    let octets = vec![7; 1_000_000];
    let run = Ends::of(&[LOST, SUPERVISION]).run(Work::Write(Write::new(None, octets)));
    assert!(matches!(job(&run).error(), Some(JobError::Unsupported(_))), "{:?}", job(&run).error());
    assert!(write(&run).have() > 0);
}

#[test]
fn a_server_without_the_extension_is_called_without_it() {
    let run = Ends { extended: false, ..Ends::of(&[EXTENDED]) }.run(call("echo", Kind::Unary, &[b"\x0a\x02hi"]));
    let Work::Calls(calls) = job(&run).work() else { panic!() };
    assert_eq!(calls.responses(), [b"\x0a\x02hi"]);
    assert_eq!(job(&run).terms().unwrap().mode, Mode::Compatible);
}

#[test]
fn a_sealed_server_is_known_by_its_key() {
    let sealed = |encryption| Ends { encryption, sealed: true, ..Ends::of(&[EXTENDED]) };
    let echo = || call("echo", Kind::Unary, &[b"\x0a\x02hi"]);
    let first = sealed(Encryption::Required(Pin::FirstUse)).run(echo());
    let key = job(&first).terms().unwrap().identity.unwrap();
    let known = sealed(Encryption::Required(Pin::Known(key))).run(echo());
    assert!(job(&known).error().is_none());
    let other = sealed(Encryption::Required(Pin::Known([1; 32]))).run(echo());
    assert!(
        matches!(job(&other).error(), Some(JobError::Setup(SetupError::WrongIdentity))),
        "{:?}",
        job(&other).error()
    );
    let open = Ends { encryption: Encryption::Required(Pin::FirstUse), ..Ends::of(&[EXTENDED]) }.run(echo());
    assert!(matches!(job(&open).error(), Some(JobError::Setup(SetupError::NotOffered))), "{:?}", job(&open).error());
}

#[test]
fn a_method_that_does_not_exist_says_so_where_the_mode_can() {
    let fails = |set: &[(&'static str, &'static str)]| {
        let run = Ends::of(set).run(call("nothing", Kind::Unary, &[b""]));
        match job(&run).error() {
            Some(JobError::Call { error, .. }) => *error,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(fails(&[EXTENDED]), CallError::Refused(Status::UnknownCommand));
    assert_eq!(fails(&[]), CallError::Timeout, "the published server says nothing");
}

#[test]
fn octets_that_nobody_takes_end_a_read() {
    struct Full;
    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let run = Ends::of(&[EXTENDED]).run(Work::Read(Read::new(0, 100_000, Box::new(Full))));
    assert!(matches!(job(&run).error(), Some(JobError::Output(_))), "{:?}", job(&run).error());
    assert_eq!(read(&run).have(), 0);
}

#[test]
fn a_read_beyond_the_memory_is_refused() {
    let run = Ends::of(&[EXTENDED]).run(Work::Read(Read::new(1 << 20, 1, Box::new(io::sink()))));
    let refused = CallError::Refused(Status::BadArgument);
    assert!(
        matches!(job(&run).error(), Some(JobError::Call { error, .. }) if *error == refused),
        "{:?}",
        job(&run).error()
    );
}

#[test]
fn messages_of_a_stream_go_both_ways() {
    let run = Ends::of(&[EXTENDED]).run(call("chat", Kind::Bidirectional, &[b"\x0a\x01a", b"\x0a\x01b", b"\x0a\x01c"]));
    let Work::Calls(calls) = job(&run).work() else { panic!() };
    assert_eq!(calls.responses(), [b"\x0a\x01a", b"\x0a\x01b", b"\x0a\x01c"]);
}

#[test]
fn a_server_that_seals_and_does_not_answer_is_known_for_what_it_is() {
    for mode in [EXTENDED, ("rpc.mode", "compatible")] {
        let open = Ends { sealed: true, ..Ends::of(&[mode]) }.run(call("echo", Kind::Unary, &[b""]));
        assert!(matches!(job(&open).error(), Some(error) if error.is_silence()), "{:?}", job(&open).error());
        assert!(job(&open).remedy().is_some_and(|remedy| remedy.contains("leave out --open")));
        let other = Ends::of(&[mode]).run(call("nothing", Kind::Unary, &[b""]));
        assert!(job(&other).error().is_some() && job(&other).remedy().is_none(), "{:?}", job(&other).error());
    }
}
