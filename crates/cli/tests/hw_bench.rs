//! `airtime hw bench` as scripts see it: the commands of its boards are programs of the test's own, which write logs as boards do.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::Value;
use tempfile::TempDir;

use crate::hw_ble::Server;
use crate::schema::fields;

/// Log of a central of `firmware/nrf54l15-coc`, from its start to its result.
const CENTRAL: &str = "INFO  airtime central of plan coc-nrf, point 0
INFO  conn 0 connected, interval 15000 us
INFO  conn 0 data length out 251 in 251
INFO  conn 0 PHY out Le2M
INFO  conn 0 channel 0x0040 open, peer's MTU 2048 MPS 247
INFO  link 0 second 0: 900.0 kbps delivered
INFO  link 0 second 1: 1180.4 kbps delivered
INFO  link 0 RESULT goodput_kbps 1181.2 delivered_bytes 1476480 sdus 3000 lost 0 duplicated 0 reordered 0
";

/// The same of the board that streams: it has no figure that is known.
const PERIPHERAL: &str =
    "INFO  airtime peripheral of plan coc-nrf, point 0\nINFO  link 0 this second: 1180.8 kbps accepted\n";

/// A bench of two boards. Each command notes itself in `calls`, and does what a file of its name says.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        let bench = Self { folder: tempfile::tempdir().unwrap() };
        bench.write("central.elf", "first");
        bench.write("peripheral.elf", "first");
        bench.write("central.txt", CENTRAL);
        bench.write("peripheral.txt", PERIPHERAL);
        // Whatever `do-STEP-SERIAL` has is done then.
        let script = "echo \"$*\" >> calls; if [ -e \"do-$1-$2\" ]; then . \"./do-$1-$2\"; fi";
        bench.write("step.sh", script);
        let board = |role: &str, serial: u32| {
            let step =
                |name: &str, more: &str| format!("{name} = [\"sh\", \"step.sh\", \"{name}\", \"{{serial}}\"{more}]\n");
            let log = format!("log = [\"sh\", \"-c\", \"sh step.sh log {{serial}}; cat {role}.txt\"]\n");
            format!(
                "[[board]]\nrole = \"{role}\"\nboard = \"nrf54l15dk\"\nserial = \"{serial}\"\nimage = \"{role}.elf\"\n{}{}{log}\n",
                step("flash", ", \"{image}\""),
                step("reset", ""),
            )
        };
        bench.write("bench.toml", &format!("{}{}", board("central", 1), board("peripheral", 2)));
        bench
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// Changes the text of the bench.
    fn replace(&self, from: &str, to: &str) {
        let text = self.read("bench.toml");
        assert!(text.contains(from), "{text}");
        self.write("bench.toml", &text.replacen(from, to, 1));
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_airtime"));
        command
            .args(["hw", "bench"])
            .args(arguments)
            .current_dir(self.folder.path())
            .env("XDG_STATE_HOME", self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn done(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Document of a call that ends well, and the calls that it has made.
    fn measured(&self, arguments: &[&str]) -> (Value, Vec<String>) {
        self.write("calls", "");
        let output = self.done(&[arguments, &["--json"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        (serde_json::from_slice(&output.stdout).unwrap(), self.calls())
    }

    /// Message of a call that is refused with this code.
    fn refused(&self, arguments: &[&str], code: i32) -> String {
        let output = self.done(arguments);
        assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(code), true), "{}", said(&output));
        said(&output)
    }

    /// Steps that were called, with the serial of the board; not the logs, which nobody waits for.
    fn calls(&self) -> Vec<String> {
        let calls = self.read("calls");
        let waited = calls.lines().filter(|line| !line.starts_with("log "));
        waited.map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect()
    }

    /// Starts a call, waits until a step has written `begun`, stops it, and gives the number that the step wrote there.
    fn stopped(&self, arguments: &[&str]) -> (u32, Output) {
        let mut child = self.command(arguments).spawn().unwrap();
        while !self.read("begun").ends_with('\n') {
            assert_eq!(child.try_wait().unwrap(), None, "it has ended by itself");
            std::thread::yield_now();
        }
        assert!(kill("-INT", &child));
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", said(&output));
        let number = self.read("begun").trim().parse().unwrap();
        fs::remove_file(self.path("begun")).unwrap();
        (number, output)
    }
}

fn kill(signal: &str, child: &Child) -> bool {
    Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Tells if the process of this number goes on: one that has ended may wait for whoever asks for its status. proc_pid_stat(5).
fn is_alive(number: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
}

/// Step that says its number, and goes on for ever.
const HANGS: &str = "echo $$ > begun; exec sleep 3600";

#[test]
fn two_boards_are_measured_by_their_logs_and_a_second_call_does_nothing_again() {
    let bench = Bench::new();
    let (document, calls) = bench.measured(&["coc-nrf"]);
    // The central, which looks for the peripheral, is the last of each.
    assert_eq!(calls, ["flash 2", "flash 1", "reset 2", "reset 1"]);
    let records = document["records"].as_array().unwrap();
    assert_eq!(records.len(), 1, "{document}");
    let record = &records[0];
    fields(record, "record");
    assert_eq!((&record["id"], &record["radio"]), (&"coc-nrf/central".into(), &"real".into()));
    assert_eq!(record["goodput_kbps"]["median"], 1181.2);
    let environment = &record["environment"];
    assert_eq!((&environment["board"], &environment["serial"]), (&"nrf54l15dk".into(), &"1".into()));
    assert_eq!(environment["firmware"], "airtime central, plan coc-nrf");
    assert_eq!(record["replay"], "airtime hw bench coc-nrf --bench bench.toml");
    assert!(!record["note"].as_str().unwrap().contains("built with plan"), "{record}");
    assert_eq!(bench.read("bench/coc-nrf/central-log.log"), CENTRAL);
    assert_eq!(bench.read("bench/coc-nrf/peripheral-log.log"), PERIPHERAL);
    let kept: Value = serde_json::from_str(&bench.read("bench/coc-nrf/records.json")).unwrap();
    assert_eq!(kept, document);

    let (again, calls) = bench.measured(&["coc-nrf"]);
    assert_eq!((again, calls.len()), (document, 0));
    // Another plan has logs of its own, and the image says that it is not its.
    let (other, calls) = bench.measured(&["coc-sdc"]);
    assert_eq!(calls, ["reset 2", "reset 1"]);
    assert!(
        other["records"][0]["note"].as_str().unwrap().ends_with("built with plan coc-nrf, not coc-sdc."),
        "{other}"
    );
    assert!(bench.path("bench/coc-sdc/records.json").is_file() && bench.path("bench/coc-nrf/records.json").is_file());
    let (_, calls) = bench.measured(&["coc-nrf", "--from", "measure"]);
    assert_eq!(calls, ["reset 2", "reset 1"]);
    assert!(bench.path("bench/coc-nrf.1/records.json").is_file(), "what was measured before is kept");
    let (_, calls) = bench.measured(&["coc-nrf", "--from", "central-flash"]);
    assert_eq!(calls[0..2], ["flash 1", "reset 2"]);
    let (_, calls) = bench.measured(&["coc-nrf", "--again"]);
    assert_eq!(calls.len(), 4);
}

#[test]
fn an_image_that_has_changed_is_flashed_again() {
    let bench = Bench::new();
    bench.measured(&["coc-nrf"]);
    bench.write("central.elf", "second");
    let (_, calls) = bench.measured(&["coc-nrf"]);
    assert_eq!(calls, ["flash 1", "reset 2", "reset 1"]);
    // A flash that fails leaves nothing that is known to be there: the first image is flashed again as well.
    bench.write("central.elf", "third");
    bench.write("do-flash-1", "exit 1");
    bench.refused(&["coc-nrf"], 1);
    bench.write("central.elf", "second");
    bench.write("do-flash-1", "");
    let (_, calls) = bench.measured(&["coc-nrf"]);
    assert_eq!(calls, ["flash 1"], "and what was measured with it still holds");
    // Another board in the same role.
    bench.replace("serial = \"1\"", "serial = \"3\"");
    let (_, calls) = bench.measured(&["coc-nrf"]);
    assert_eq!(calls[0], "flash 3");
}

#[test]
fn a_bench_that_was_stopped_goes_on_and_leaves_no_program_behind() {
    let bench = Bench::new();
    for (step, done, calls) in [
        ("flash", "central-flash is not done", &["flash 2", "flash 1", "flash 1", "reset 2"][..]),
        ("reset", "the measurement is not done", &["reset 2", "reset 1", "reset 2"]),
        ("log", "the measurement is not done", &["reset 2", "reset 1", "reset 2"]),
    ] {
        fs::remove_dir_all(bench.path("bench/coc-nrf")).ok();
        bench.write(&format!("do-{step}-1"), HANGS);
        bench.write("calls", "");
        let (number, output) = bench.stopped(&["coc-nrf"]);
        assert!(said(&output).contains(done), "{}", said(&output));
        while is_alive(number) {
            std::thread::yield_now();
        }
        bench.write(&format!("do-{step}-1"), "");
        let before = bench.calls();
        let (document, after) = bench.measured(&["coc-nrf"]);
        assert_eq!([before, after].concat()[..calls.len()], *calls);
        assert_eq!(document["records"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn a_command_that_fails_says_what_it_said_and_what_to_do() {
    let bench = Bench::new();
    for (step, does, words) in [
        (
            "flash",
            "seq 20; echo 'no probe' >&2; exit 7",
            &["central-flash: `sh step.sh flash 1", "exit code 7", "no probe", "central-flash.log"][..],
        ),
        ("reset", "kill -9 $$", &["central-reset: ", "was ended", "it said nothing"]),
        ("log", "echo 'no RTT' >&2; exit 1", &["no figure that `airtime hw log` knows", "central-log.log"]),
    ] {
        bench.write(&format!("do-{step}-1"), does);
        // The log's own command goes on behind a step that fails.
        bench.write("central.txt", if step == "log" { "nothing\n" } else { CENTRAL });
        let refused = bench.refused(&["coc-nrf"], 1);
        words.iter().for_each(|words| assert!(refused.contains(words), "{refused}"));
        bench.write(&format!("do-{step}-1"), "");
    }
    bench.write("central.txt", CENTRAL);
    bench.replace("sh step.sh log {serial}; cat central.txt", "echo 'no RTT' >&2; exit 1");
    let refused = bench.refused(&["coc-nrf"], 1);
    assert!(
        refused.contains("central-log: ") && refused.contains("exit code 1") && refused.contains("  no RTT"),
        "{refused}"
    );
    bench.replace("echo 'no RTT' >&2; exit 1", "exec sleep 3600");
    let refused = bench.refused(&["coc-nrf", "--for", "50ms"], 1);
    assert!(
        refused.contains("has come within 50ms") && refused.contains("`bench/coc-nrf/central-log.log` is empty"),
        "{refused}"
    );
    // What hangs is ended with its time.
    bench.write("do-flash-1", HANGS);
    bench.write("bench.toml", &format!("limit = \"50ms\"\n{}", bench.read("bench.toml")));
    let refused = bench.refused(&["coc-nrf", "--again"], 1);
    assert!(refused.contains("central-flash: ") && refused.contains("is not done after 50ms"), "{refused}");
    bench.replace("flash = [\"sh\", ", "flash = [\"/nowhere/flash\", ");
    let refused = bench.refused(&["coc-nrf"], 1);
    assert!(
        refused.contains("central-flash: cannot run `/nowhere/flash`") && refused.contains("bench.toml:2 names it"),
        "{refused}"
    );
}

#[test]
fn what_is_wrong_with_a_bench_is_said_with_its_place() {
    let bench = Bench::new();
    let whole = bench.read("bench.toml");
    let with = |from: &str, to: &str| {
        bench.write("bench.toml", &whole);
        bench.replace(from, to);
        bench.refused(&["coc-nrf"], 2)
    };
    for (from, to, words) in [
        ("board = \"nrf", "bord = \"nrf", "bench.toml:3:1: a board has no `bord`; did you mean `board`?"),
        ("[[board]]", "limits = \"2m\"\n[[board]]", "bench.toml:1:1: a bench has no `limits`; did you mean `limit`?"),
        ("[[board]]", "limit = 3\n[[board]]", "bench.toml:1:9: `limit` is a time such as \"2m\""),
        (
            "role = \"peripheral\"",
            "role = \"central\"",
            "bench.toml:11:8: role `central` is that of the board at bench.toml:1 already",
        ),
        ("serial = \"2\"", "serial = \"1\"", "bench.toml:13:10: serial `1` is that of the board"),
        ("image = \"central.elf\"\n", "", "bench.toml:5:9: the board has no `image`, and `flash` names it"),
        ("role = \"central\"\n", "", "bench.toml:1:1: the board has no `role`"),
        ("role = \"central\"", "role = \"../x\"", "expected a word of a-z"),
        ("\"{serial}\"", "\"{seriell}\"", "nothing is called `{seriell}`: there are {serial}, {chip}"),
        ("\"{serial}\"", "\"{serial\"", "a brace that is not closed"),
        ("flash = [", "flash = \"x\" # [", "`flash` is a list of words"),
        ("serial = \"1\"\n", "", "the board has no `serial`, and `flash` names it"),
        ("[[board]]", "[[bord]]", "a bench has no `bord`"),
        (
            "[[board]]",
            "host = { hci = \"usb\" }\n[[board]]",
            "this machine is the central by `host`, and a board has that role",
        ),
        ("[[board]]", "link = \"ble-coc\"\n[[board]]", "this is a plan, and a bench is wanted"),
        ("board = \"nrf54l15dk\"", "board = \"nrf54l15dk\"\nend = \"sendr\"", "did you mean `sender`?"),
        ("board = \"nrf54l15dk\"", "board = \"nrf54l15dk\"\nbaud = 0", "`baud` is a whole number from 1"),
        ("central.elf", "none.elf", "bench.toml:1: cannot read the image `"),
    ] {
        let refused = with(from, to);
        assert!(refused.contains(words), "{from} as {to}: {refused}");
        assert!(!bench.path("calls").exists());
    }
}

#[test]
fn what_a_bench_lacks_is_said() {
    let bench = Bench::new();
    let whole = bench.read("bench.toml");
    // Without commands it is probe-rs that wants the serial.
    let lines = |drop: &str| {
        whole.lines().filter(|line| !line.starts_with(drop)).map(|line| format!("{line}\n")).collect::<String>()
    };
    bench.write("bench.toml", &lines("flash"));
    let refused = bench.refused(&["coc-nrf"], 2);
    assert!(
        refused.contains("bench.toml:4:10: serial `1` is none that probe-rs takes: expected VID:PID:SERIAL"),
        "{refused}"
    );
    bench.write("bench.toml", &lines("log").replace("flash = [", "log = []\nflash = ["));
    assert!(bench.refused(&["coc-nrf"], 2).contains("no board has a log, and this machine is no central"));
    bench.write("bench.toml", "limit = \"2m\"\n");
    assert!(bench.refused(&["coc-nrf"], 2).contains("there is no board: expected [[board]]"));
    bench.write("bench.toml", &whole);
    for (arguments, words) in [
        (
            &["coc-nrf", "--from", "central-flsh"][..],
            "did you mean `central-flash`? the steps are flash, peripheral-flash, central-flash, measure",
        ),
        (&["coc-nrf", "--for", "0s"], "--for 0"),
        (&["coc-nrf", "--bench", "none.toml"], "cannot read `none.toml`"),
        (&["interval-sweep"], "one point is measured on a bench at a time"),
    ] {
        let refused = bench.refused(arguments, 2);
        assert!(refused.contains(words), "{refused}");
    }
    // A journal that is none is left alone.
    fs::create_dir(bench.path("bench")).unwrap();
    bench.write("bench/journal.json", "{}");
    assert!(bench.refused(&["coc-nrf"], 2).contains("is no journal of a bench: remove it"));
}

#[test]
fn the_bench_of_the_documentation_is_one() {
    let page = include_str!("../../../docs/hardware.md");
    let (_, behind) = page.split_once("```toml\n").unwrap();
    let (example, _) = behind.split_once("```").unwrap();
    let bench = Bench::new();
    bench.write("bench.toml", example);
    let refused = bench.refused(&["coc-nrf"], 2);
    // Its images alone are missing here: boards come in the order of their steps.
    assert!(refused.contains("bench.toml:8: cannot read the image `") && refused.contains("zephyr.hex"), "{refused}");
}

#[test]
fn logs_that_fit_no_plan_or_say_too_little_are_refused_and_read_again() {
    let bench = Bench::new();
    bench.write("central.txt", &CENTRAL.replace("1180.4 kbps delivered", "1180.4"));
    let refused = bench.refused(&["coc-nrf"], 1);
    assert!(refused.contains("central-log.log`: line 7: ") && refused.contains("--from measure"), "{refused}");
    bench.write("central.txt", include_str!("../../study/tests/logs/ncs-throughput.txt"));
    let refused = bench.refused(&["coc-nrf", "--from", "measure"], 1);
    assert!(refused.contains("is of ble-gatt, and the plan coc-nrf of ble-coc"), "{refused}");
    bench
        .write("central.txt", "[ 5] 0.00-1.00 sec 1 MBytes 8.0 Mbits/sec\n[ 5] 1.00-2.00 sec 1 MBytes 8.0 Mbits/sec\n[ 5] 2.00-3.00 sec 1 MBytes 8.0 Mbits/sec\n");
    let refused = bench.refused(&["coc-nrf", "--from", "measure"], 1);
    assert!(refused.contains("end = \"sender\" or end = \"receiver\" of the board at bench.toml:1"), "{refused}");
    // The word more makes a record of the log that there is.
    bench.replace("role = \"central\"", "role = \"central\"\nend = \"receiver\"");
    let (document, calls) = bench.measured(&["coc-nrf"]);
    assert_eq!((calls.len(), &document["records"][0]["goodput_kbps"]["median"]), (0, &8000.0.into()));
}

#[test]
fn a_console_is_listened_to_before_its_board_is_reset() {
    let bench = Bench::new();
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).and_then(|()| unlockpt(&controller)).unwrap();
    let port = ptsname(&controller, Vec::new()).unwrap().into_string().unwrap();
    let log = bench.read("bench.toml").lines().find(|line| line.contains("cat central.txt")).unwrap().to_owned();
    bench.replace(&log, &format!("port = \"{port}\""));
    // The reset tells when it is under way, and is over once the board has begun to speak.
    assert!(Command::new("mkfifo").args([bench.path("resets"), bench.path("speaks")]).status().unwrap().success());
    bench.write("do-reset-1", "echo > resets; cat speaks");
    let mut child = bench.command(&["coc-nrf", "--json"]).spawn().unwrap();
    let mut board = File::from(controller);
    File::open(bench.path("resets")).unwrap().read_to_end(&mut Vec::new()).unwrap();
    // What the image before it says is no part of the measurement.
    board
        .write_all(format!("INFO  link 0 second 9: 1.0 kbps delivered\n{}", CENTRAL.replace('\n', "\r\n")).as_bytes())
        .unwrap();
    drop(File::create(bench.path("speaks")).unwrap());
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert!(child.wait().unwrap().success());
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["records"].as_array().unwrap().len(), 1, "{document}");
    assert_eq!(document["records"][0]["goodput_kbps"]["median"], 1181.2);
    assert!(bench.read("bench/coc-nrf/central-log.log").starts_with("INFO  link 0 second 9"), "the log is kept whole");

    bench.replace(&port, "/nowhere/ttyACM0");
    let refused = bench.refused(&["coc-nrf"], 1);
    assert!(refused.contains("central: cannot open its console `/nowhere/ttyACM0` (bench.toml:1)"), "{refused}");
}

#[test]
fn one_board_and_this_machine_as_the_central() {
    let bench = Bench::new();
    let _server =
        Server::start(bench.folder.path(), &["live", "ble", "--hci", "unix:hci", "--peer", "coc-source,name=board"]);
    let text = bench.read("bench.toml");
    let peripheral = &text[text.find("role = \"peripheral\"").unwrap()..];
    let host = "host = { hci = \"unix:hci\", name = \"board\" }\n";
    bench.write("bench.toml", &format!("{host}[[board]]\n{peripheral}"));
    let (document, calls) = bench.measured(&["coc-nrf", "--for", "3s"]);
    assert_eq!(calls, ["flash 2", "reset 2"]);
    let record = &document["records"][0];
    fields(record, "record");
    // Behind a socket there is a virtual controller.
    assert_eq!((&record["id"], &record["radio"]), (&"coc-nrf/central".into(), &"live".into()));
    assert!(record["goodput_kbps"]["median"].as_f64().unwrap() > 0.0, "{record}");
    let environment = &record["environment"];
    assert_eq!(
        (&environment["serial"], &environment["firmware"]),
        (&"2".into(), &"airtime peripheral, plan coc-nrf".into())
    );
    let (again, calls) = bench.measured(&["coc-nrf", "--for", "3s"]);
    assert_eq!((again, calls.len()), (document, 0));

    let refused = bench.refused(&["nrf24-stream", "--for", "3s"], 2);
    assert!(refused.contains("is the central of ble-coc and ble-gatt"), "{refused}");
    bench.replace("hci = \"unix:hci\"", "adapter = \"any\", hci = \"unix:hci\"");
    assert!(bench.refused(&["coc-nrf"], 2).contains("bench.toml:1:8: `host`: expected one of hci"));
}
