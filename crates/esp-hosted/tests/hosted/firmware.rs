//! New firmware over the bus: a flash that takes its time, the restart, and a host that finds its card gone.

use airtime_core::{Duration, Instant, Pool};
use airtime_esp_hosted::coprocessor::{Coprocessor, CoprocessorConfig, CoprocessorState, Firmware, Flash, Flashed};
use airtime_esp_hosted::host::{Failure, Host, HostConfig, HostOutput, HostState};
use airtime_esp_hosted::rpc::proto::{Empty, OtaWrite};
use airtime_esp_hosted::rpc::{Request, Response, status};

use super::rig::Rig;

/// A flash of two versions: an image is its version's patch level in every octet, and whole with 1000 octets.
#[derive(Debug)]
struct TwoVersions {
    runs: u32,
    next: Option<u32>,
    image: Vec<u8>,
    confirmed: bool,
    empty: bool,
}

impl TwoVersions {
    fn new() -> Self {
        Self { runs: 7, next: None, image: Vec::new(), confirmed: false, empty: false }
    }
}

fn took(ms: u64, result: Result<(), i32>) -> Flashed {
    Flashed { result, took: Duration::from_millis(ms) }
}

impl Flash for TwoVersions {
    fn boot(&mut self) -> Option<Firmware> {
        self.runs = self.next.take().unwrap_or(self.runs);
        self.confirmed = false;
        (!self.empty).then(|| Firmware { version: [2, 11, self.runs], ..Firmware::default() })
    }
    fn confirm(&mut self) -> Flashed {
        self.confirmed = true;
        took(0, Ok(()))
    }
    fn begin(&mut self) -> Flashed {
        self.image.clear();
        took(4_000, Ok(()))
    }
    fn write(&mut self, octets: &[u8]) -> Flashed {
        self.image.extend(octets);
        took(2, Ok(()))
    }
    fn end(&mut self) -> Flashed {
        took(10, if self.image.len() == 1_000 { Ok(()) } else { Err(0x1503) })
    }
    fn activate(&mut self) -> Flashed {
        self.next = self.image.first().map(|&patch| patch.into());
        took(50, Ok(()))
    }
}

fn rig(flash: TwoVersions) -> Rig {
    let pool = Pool::new();
    let now = Instant::from_nanos(0);
    let slave = Coprocessor::with_flash(now, CoprocessorConfig::default(), pool.clone(), Box::new(flash));
    let mut rig = Rig::of(Host::new(now, HostConfig::default(), pool.clone()), slave, pool);
    rig.run(Duration::from_secs(2));
    rig
}

fn version(rig: &mut Rig) -> u32 {
    match rig.ask(Request::GetCoprocessorFwVersion(Empty {})) {
        Some(Response::GetCoprocessorFwVersion(version)) => version.patch1,
        other => panic!("{other:?}"),
    }
}

fn status_of(rig: &mut Rig, request: Request) -> i32 {
    rig.ask(request).expect("an answer").status()
}

#[test]
fn new_firmware_runs_two_seconds_after_it_was_activated() {
    let mut rig = rig(TwoVersions::new());
    assert_eq!(version(&mut rig), 7);
    let before = rig.now;
    assert_eq!(status_of(&mut rig, Request::OtaBegin(Empty {})), status::OK);
    assert!(rig.now >= before + Duration::from_secs(4), "the answer waits for the flash");
    for _ in 0..2 {
        let write = OtaWrite { ota_data: vec![9; 500] };
        assert_eq!(status_of(&mut rig, Request::OtaWrite(write)), status::OK);
    }
    assert_eq!(status_of(&mut rig, Request::OtaEnd(Empty {})), status::OK);
    let before = rig.now;
    assert_eq!(status_of(&mut rig, Request::OtaActivate(Empty {})), status::OK);
    assert_eq!(version(&mut rig), 7, "it runs for two seconds yet");
    rig.run(before + Duration::from_millis(1_999) - rig.now);
    assert_eq!(rig.slave.state(), CoprocessorState::Idle);
    rig.run(Duration::from_millis(1));
    assert_eq!(rig.slave.state(), CoprocessorState::Down);
    rig.run(Duration::from_secs(1));
    // The card is there again and was not initialised: the next write fails, twice.
    rig.said.clear();
    rig.host.call(rig.now, Request::GetMode(Empty {})).unwrap();
    rig.settle();
    assert!(matches!(rig.said.as_slice(), [HostOutput::Expired(_), HostOutput::Failed(Failure::Write)]));
    assert_eq!(rig.host.state(), HostState::Down);
    rig.host.restart(rig.now);
    rig.run(Duration::from_secs(2));
    assert_eq!(version(&mut rig), 9);
}

#[test]
fn a_bad_image_is_refused_and_the_old_firmware_stays() {
    let mut rig = rig(TwoVersions::new());
    assert_eq!(status_of(&mut rig, Request::OtaBegin(Empty {})), status::OK);
    let write = OtaWrite { ota_data: vec![9; 999] };
    assert_eq!(status_of(&mut rig, Request::OtaWrite(write)), status::OK);
    assert_eq!(status_of(&mut rig, Request::OtaEnd(Empty {})), 0x1503);
    rig.run(Duration::from_secs(5));
    assert_eq!(version(&mut rig), 7);
}

#[test]
fn a_co_processor_with_nothing_to_boot_stays_silent() {
    let mut rig = rig(TwoVersions { empty: true, ..TwoVersions::new() });
    rig.run(Duration::from_secs(10));
    assert!(matches!(rig.said.as_slice(), [HostOutput::Failed(Failure::NoCard)]));
}

#[test]
fn without_a_flash_there_is_no_update() {
    let mut rig = Rig::cold(HostConfig::default(), CoprocessorConfig::default());
    rig.run(Duration::from_secs(2));
    assert_eq!(status_of(&mut rig, Request::OtaBegin(Empty {})), status::FAIL);
    assert_eq!(status_of(&mut rig, Request::OtaActivate(Empty {})), status::FAIL);
    rig.run(Duration::from_secs(5));
    assert_eq!(version(&mut rig), 7, "and no restart either");
}
