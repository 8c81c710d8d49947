//! Every message about a wrong plan.

use crate::personality::Library;
use crate::plan::{Place, Plan};

fn error(text: &str) -> String {
    Plan::parse("plans/x.toml", text, &Library::builtin(), &[]).unwrap_err().to_string()
}

fn flag_error(key: &str, value: &str) -> String {
    let set = [(key.to_owned(), value.to_owned())];
    Plan::parse("plans/x.toml", "[coc]\nsdu = 492\n", &Library::builtin(), &set).unwrap_err().to_string()
}

/// Text of a plan and what the message must begin with after the file.
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let message = error(text);
        assert!(message.starts_with(&format!("plans/x.toml:{expected}")), "{text}\n{message}\nexpected {expected}");
    }
}

#[test]
fn misspelt_keys() {
    check(&[
        ("[coc]\n  sud = 4\n", "2:3: unknown key `coc.sud`; did you mean `coc.sdu`? allowed here: sdu, mps, mtu, psm"),
        ("[cco]\nsdu = 4\n", "1:2: unknown key `cco`; did you mean `coc`? allowed here: name, note, source, link"),
        ("sdu = 4\n", "1:1: unknown key `sdu`; did you mean `coc.sdu`?"),
        (
            "[rpc]\ncals = 7\n",
            "2:1: unknown key `rpc.cals`; did you mean `rpc.call`? allowed here: suite, check, call, payload",
        ),
        (
            "[ble.loss]\npre = 0.1\n",
            "2:1: unknown key `ble.loss.pre`; did you mean `ble.loss.per`? allowed here: per, miss, damage, ber",
        ),
        ("[sweep]\n\"coc.sud\" = [1]\n", "2:1: unknown key `coc.sud`; did you mean `coc.sdu`?"),
        ("[[row]]\nid = \"a\"\nsett = {}\n", "3:1: unknown key `sett` of a row; did you mean `set`?"),
        ("[[row]]\nid = \"a\"\nset = { \"coc.sud\" = 4 }\n", "3:9: unknown key `coc.sud`; did you mean `coc.sdu`?"),
        (
            "[[row]]\nid = \"a\"\nmeasured = { valeu = 4 }\n",
            "3:14: unknown key `valeu` of a measured figure; did you mean `value`?",
        ),
    ]);
}

#[test]
fn wrong_kinds_and_units() {
    check(&[
        ("[ble]\nconn_interval = 15\n", "2:17: `ble.conn_interval`: 15 has no unit; allowed here: a time from"),
        (
            "[ble]\nconn_interval = \"15 parsecs\"\n",
            "2:17: `ble.conn_interval`: `parsecs` in `15 parsecs` is not a known unit",
        ),
        (
            "[ble]\nphy = \"3M\"\n",
            "2:7: `ble.phy`: `3M` is not one of its values; did you mean `1M`? allowed here: \"1M\", \"2M\"",
        ),
        ("[ble]\nencrypted = 1\n", "2:13: `ble.encrypted`: 1 is a number; allowed here: true, false"),
        ("[coc]\nsdu = 492.5\n", "2:7: `coc.sdu`: 492.5 is impossible; allowed here: a whole number from 1 to 65535"),
        ("[coc]\nsdu = -1\n", "2:7: `coc.sdu`: -1 is impossible"),
        ("[coc]\nsdu = [1]\n", "2:7: `coc.sdu`: [1] is a list"),
        ("[coc]\npacing = \"sleep:2\"\n", "2:10: `coc.pacing`: `2` has no unit"),
        ("[coc]\npacing = \"semaphor\"\n", "2:10: `coc.pacing`: `semaphor` is no pacing; did you mean `semaphore`?"),
        ("[coc]\npacing = \"nap\"\n", "2:10: `coc.pacing`: `nap` is no pacing"),
        ("coc = 4\n", "1:7: `coc` is a table, not a value; allowed here: sdu, mps"),
        ("[threshold]\ngoodput = \"500kbps\"\n", "2:11: `threshold.goodput`: `500kbps` does not begin with"),
        (
            "[threshold]\ndelay_p99 = \"50ms\"\n",
            "2:13: `threshold.delay_p99`: `delay_p99 50ms`: expected a figure, `<`, `<=`, `>` or `>=`, and a bound",
        ),
        ("[threshold]\nsetup = \"< 1kbps\"\n", "2:9: `threshold.setup`: `setup < 1kbps`: `1kbps` is no bound of setup"),
        ("[threshold]\nloss = \"< +1%\"\n", "2:8: `threshold.loss`: `< +1%` is a difference, and there is one run"),
        ("[need]\nrate = \"fast\"\n", "2:8: `need.rate`: `fast` is not a number with a unit"),
        ("[coc\n", "1:"),
        ("[ble]\nlatency = inf\n", "2:11: a number must be finite"),
        ("[ble]\nlatency = 2020-01-01\n", "2:11: a date is no value"),
        (
            "link = \"ble-rcp\"\n[rpc]\n",
            "1:8: `link`: `ble-rcp` is not one of its values; did you mean `ble-rpc`? allowed here: \"ble-coc\", \"ble-gatt\", \"ble-rpc\"",
        ),
        ("link = \"ble-cok\"\n", "1:8: `link`: `ble-cok` is not one of its values; did you mean `ble-coc`?"),
        ("central.personality = \"makos\"\n", "1:9: there is no personality `makos`; did you mean `macos`?"),
    ]);
}

#[test]
fn impossible_channel_values() {
    check(&[
        ("[coc]\nsdu = 0\n", "2:7: `coc.sdu`: 0 is impossible"),
        ("[coc]\nsdu = 65536\n", "2:7: `coc.sdu`: 65536 is impossible"),
        (
            "[coc]\nsdu = 2001\n",
            "2:1: `coc.sdu`: 2001 is above the MTU of the receiver `zephyr-ll`, 2000; allowed here: 1 to 2000",
        ),
        ("[coc]\nmtu = 100\nsdu = 101\n", "3:1: `coc.sdu`: 101 is above the MTU"),
        ("[coc]\nmtu = 22\n", "2:7: `coc.mtu`: 22 is impossible"),
        ("[coc]\nmps = 22\n", "2:7: `coc.mps`: 22 is impossible"),
        ("[coc]\nmps = 65534\n", "2:7: `coc.mps`: 65534 is impossible"),
        ("[coc]\nin_flight = 0\n", "2:13: `coc.in_flight`: 0 is impossible"),
        ("[coc]\ncredits = { initial = 0 }\n", "2:13: no credit is ever given"),
        ("[coc]\ncredits = { grant = 2 }\n", "2:13: a credit policy of this form needs `initial`"),
        ("[coc]\ncredits = { max = 2, every = 3 }\n", "2:22: every, max do not belong"),
        ("[coc]\ncredits = \"zephyr\"\n", "2:11: `coc.credits`: `zephyr` is not one of its values"),
    ]);
}

#[test]
fn impossible_link_values() {
    check(&[
        (
            "[ble]\nconn_interval = \"7.6ms\"\n",
            "2:1: `ble.conn_interval`: 7.6ms is not a multiple of 1.25ms; did you mean `7.5ms`?",
        ),
        (
            "[ble]\nconn_interval = \"5s\"\n",
            "2:17: `ble.conn_interval`: 5s is out of range; allowed here: a time from \"125us\" to \"4s\"",
        ),
        (
            "[ble]\nconn_interval = \"1ms\"\n",
            "2:1: `ble.conn_interval`: 1ms is shorter than the 7.5ms that `zephyr-ll` can do; allowed here: multiples of 1.25ms from 7.5ms to 4s",
        ),
        ("[ble]\nrequest_interval = \"8ms\"\n", "2:1: `ble.request_interval`: 8ms is not a multiple"),
        (
            "[ble]\nchange_interval = { at = \"10s\", to = \"8ms\" }\n",
            "2:33: `ble.change_interval.to`: 8ms is not a multiple",
        ),
        ("[ble]\nchange_interval = { at = \"10s\" }\n", "2:21: `ble.change_interval` needs both"),
        (
            "[ble]\nchange_interval = { at = \"60s\", to = \"30ms\" }\n",
            "2:21: `ble.change_interval.at`: 60s is not before the end",
        ),
        (
            "[ble]\nsupervision_timeout = \"100ms\"\nconn_interval = \"50ms\"\n",
            "2:1: `ble.supervision_timeout`: 100ms is not more than",
        ),
        (
            "[ble]\nsupervision_timeout = \"4s\"\nconn_interval = \"50ms\"\nlatency = 40\n",
            "2:1: `ble.supervision_timeout`: 4s is not more than",
        ),
        ("[ble]\nlatency = 499\nconn_interval = \"50ms\"\n", "2:1: `ble.supervision_timeout`: 32s is not more than"),
        (
            "[ble]\nsupervision_timeout = \"4.005s\"\n",
            "2:1: `ble.supervision_timeout`: 4.005s is not a multiple of 10ms",
        ),
        (
            "[ble]\nloss = { per = 1.5 }\n",
            "2:16: `ble.loss.per`: 1.5 is not a probability; allowed here: a number from 0 to 1",
        ),
        ("[ble]\nloss = { ber = -0.1 }\n", "2:16: `ble.loss.ber`: -0.1 is not a probability"),
        ("[ble]\nloss = { per = 0.1, ber = 0.1 }\n", "2:10: `ble.loss` with per, ber is not one kind"),
        ("[ble]\nloss = { good = 0.1 }\n", "2:10: `ble.loss` with good is not one kind"),
        (
            "[ble]\nframe_space = \"51us\"\n",
            "2:1: `ble.frame_space`: 51us is shorter than the 52us that `zephyr-ll` can do",
        ),
        (
            "central.personality = \"macos\"\nble.frame_space = \"52us\"\n",
            "2:5: `ble.frame_space`: `macos` has no frame space update",
        ),
        ("central.personality = \"macos\"\nble.phy = \"S8\"\n", "2:5: `ble.phy`: `macos` does not support S8"),
    ]);
}

#[test]
fn impossible_gatt_and_run_values() {
    check(&[
        ("link = \"ble-gatt\"\n[gatt]\nmtu = 22\n", "3:7: `gatt.mtu`: 22 is impossible"),
        (
            "link = \"ble-gatt\"\n[gatt]\nmtu = 100\npayload = 98\n",
            "4:1: `gatt.payload`: 98 does not fit an ATT MTU of 100",
        ),
        (
            "link = \"ble-gatt\"\n[gatt]\nmethod = \"write-command\"\n",
            "3:1: `gatt.method`: `write-command` does not go p2c; did you mean `notify`?",
        ),
        (
            "link = \"ble-gatt\"\n[gatt]\nmethod = \"notify\"\n[ble]\ndirection = \"both\"\n",
            "3:1: `gatt.method`: with direction both",
        ),
        (
            "[peer_host]\nlatency = \"1ms\"\n[ble]\ndirection = \"both\"\n",
            "2:1: `peer_host.latency`: with direction both",
        ),
        ("[run]\nduration = \"2s\"\nwarmup = \"2s\"\n", "2:1: `run.duration`: 2s is not longer than the warm-up of 2s"),
        ("[run]\nduration = \"25h\"\n", "2:12: `run.duration`: 90000s is out of range"),
        ("[run]\nrepeat = 0\n", "2:10: `run.repeat`: 0 is impossible"),
    ]);
}

#[test]
fn wrong_sweeps_and_rows() {
    check(&[
        ("[sweep]\ncoc.sdu = [1]\n\"coc.sdu\" = [2]\n", "3:1: `coc.sdu` is in here twice"),
        ("[sweep]\n\"coc.sdu\" = []\n", "2:13: the sweep over `coc.sdu` is empty"),
        ("[sweep]\n\"coc.sdu\" = 4\n", "2:13: `coc.sdu` is swept over a list"),
        ("[sweep]\n\"coc.sdu\" = [1, 0]\n", "2:17: `coc.sdu`: 0 is impossible"),
        ("[sweep]\n\"coc.sdu\" = [1, 2001]\n", "2:17: `coc.sdu`: 2001 is above the MTU"),
        ("[sweep]\n\"need.rate\" = [\"1kbps\"]\n", "2:1: `need.rate` belongs to the plan as a whole"),
        ("[sweep]\n\"coc.sdu\" = { from = 1, to = 9 }\n", "2:13: a range needs `step`"),
        ("[sweep]\n\"coc.sdu\" = { from = 9, to = 1, step = 1 }\n", "2:13: a range goes up"),
        ("[sweep]\n\"coc.sdu\" = { from = 1, to = 9, step = 0 }\n", "2:13: a range goes up"),
        ("[sweep]\n\"ble.phy\" = { from = 1, to = 9, step = 1 }\n", "2:13: `ble.phy` has no range"),
        (
            "[sweep]\n\"coc.sdu\" = { from = 1, to = 2000, step = 1 }\n\"coc.in_flight\" = { from = 1, to = 255, step = 1 }\n\"run.seed\" = { from = 1, to = 20, step = 1 }\n",
            "4:14: the grid has 10200000 points; at most 10000000 are allowed",
        ),
        ("sweep = 3\n", "1:1: `sweep` is a table"),
        ("row = 3\n", "1:1: rows are written `[[row]]`"),
        ("[[row]]\nset = {}\n", "1:1: a row needs an `id`"),
        ("[[row]]\nid = \"a\"\n[[row]]\nid = \"a\"\n", "3:1: there is a row `a` already"),
        ("[[row]]\nid = \"a\"\nverdict = \"sure\"\n", "3:11: expected \"predicted\""),
        ("[[row]]\nid = \"a\"\nverdict = \"predicted\"\n", "1:1: row `a` is predicted but has no `measured`"),
        (
            "[[row]]\nid = \"a\"\nmeasured = { value = 1, unit = \"kpbs\" }\n",
            "3:32: unknown unit `kpbs`; did you mean `kbps`?",
        ),
        ("[[row]]\nid = \"a\"\nmeasured = { value = 0 }\n", "3:22: 0 is no figure above 0"),
        ("[[row]]\nid = \"a\"\nmeasured = {}\n", "3:12: `measured` needs a `value`"),
        ("[[row]]\nid = \"a\"\nset = { \"coc.sdu\" = 0 }\n", "3:21: `coc.sdu`: 0 is impossible"),
        ("[[row]]\nid = \"a\"\ncandidates = 3\n", "3:14: `candidates` is a list"),
    ]);
}

#[test]
fn what_was_meant_is_a_key_of_the_plan_s_link() {
    let said = |text: &str, set: &[(String, String)]| {
        Plan::parse("x.toml", text, &Library::builtin(), set).unwrap_err().to_string()
    };
    let mtu = [("ble.mtu".to_owned(), "247".to_owned())];
    assert!(said("link = \"ble-gatt\"\n", &mtu).contains("did you mean `gatt.mtu`?"));
    assert!(said("link = \"ble-gatt\"\nble.mtu = 247\n", &[]).contains("did you mean `gatt.mtu`?"));
    assert!(said("", &mtu).contains("did you mean `coc.mtu`?"));
    assert!(said("link = \"ble-gatt\"\nsweep.ble.mtu = [247]\n", &[]).contains("did you mean `gatt.mtu`?"));
    let both = [("link".to_owned(), "ble-gatt".to_owned()), mtu[0].clone()];
    assert!(said("", &both).contains("did you mean `gatt.mtu`?"));
    let rate = [("gatt.rate".to_owned(), "2".to_owned())];
    assert!(!said("link = \"ble-gatt\"\n", &rate).contains("nrf24"));
    assert!(said("acl.count = 3\nacl.count = 4\n", &[]).contains("x.toml:2:5: duplicate key `count`"));
}

#[test]
fn options_are_named_instead_of_lines() {
    let cases = [
        ("coc.sud", "4", "--set coc.sud=4: unknown key `coc.sud`; did you mean `coc.sdu`? allowed here: sdu"),
        ("coc", "4", "--set coc=4: `coc` is a table of keys, and no key; allowed here: coc.sdu, coc.mps"),
        ("gatt.sdu", "4", "--set gatt.sdu=4: unknown key `gatt.sdu`; did you mean `coc.sdu`?"),
        (
            "central.personality",
            "android",
            "--set central.personality=android: there is no personality `android`; did you mean `android-10`?",
        ),
        ("coc.sdu", "0", "--set coc.sdu=0: `coc.sdu`: 0 is impossible"),
        ("coc.sdu", "5000", "--set coc.sdu=5000: `coc.sdu`: 5000 is above the MTU"),
        ("ble.conn_interval", "7.6ms", "--set ble.conn_interval=7.6ms: `ble.conn_interval`: 7.6ms is not a multiple"),
        ("coc.credits", "{ initial = }", "--set coc.credits={ initial = }: `coc.credits`: `{ initial = }` is not one"),
        ("ble.loss.per", "2", "--set ble.loss.per=2: `ble.loss.per`: 2 is not a probability"),
        ("ble.loss.per", "200%", "--set ble.loss.per=200%: `ble.loss.per`: 200% is not a probability"),
        (
            "coc.sdu",
            "99999999999999999999",
            "--set coc.sdu=99999999999999999999: `coc.sdu`: 99999999999999999999 is out of range",
        ),
        ("run.warmup", "100s", "--set run.warmup=100s: `run.duration`: 60s is not longer than the warm-up of 100s"),
    ];
    for (key, value, expected) in cases {
        let message = flag_error(key, value);
        assert!(message.starts_with(expected), "{message}");
    }
    let set = [("coc.sdu".to_owned(), "0".to_owned())];
    let error = Plan::parse("x", "", &Library::builtin(), &set).unwrap_err();
    assert_eq!((error.place.clone(), error.line()), (Place::Flag("coc.sdu=0".into()), None));
}

#[test]
fn impossible_calls() {
    const RPC: &str = "link = \"ble-rpc\"\n[rpc]\n";
    let cases = [
        ("call = \"ecko\"\n", "3:8: `rpc.call`: `ecko` is not one of its values; did you mean `echo`?"),
        ("suite = \"all\"\n", "3:9: `rpc.suite`: `all` is not one of its values"),
        (
            "outstanding = 8\n",
            "3:1: `rpc.outstanding`: compatible mode has one call at a time, not 8; did you mean `rpc.mode = \"extended\"`?",
        ),
        ("outstanding = 9\nmode = \"extended\"\n", "3:15: `rpc.outstanding`: 9 is impossible"),
        ("payload = 8193\n", "3:1: `rpc.payload`: 8193 is above what `flash_read` takes; allowed here: 0 to 8192"),
        ("payload = 257\ncall = \"echo\"\n", "3:1: `rpc.payload`: 257 is above what `echo` takes"),
        ("payload = 0\ncall = \"counter_stream\"\n", "3:1: `rpc.payload`: a stream without items"),
        (
            "call = \"bulk_read\"\n",
            "3:1: `rpc.call`: compatible mode has no `bulk_read`; did you mean `rpc.mode = \"extended\"`?",
        ),
        (
            "call = \"bulk_write\"\nmode = \"extended\"\noutstanding = 2\n",
            "5:1: `rpc.outstanding`: one `bulk_write` at a time, not 2; allowed here: 1",
        ),
        ("suite = \"bench\"\npayload = 4\n", "4:1: `rpc.payload`: a suite has calls and payloads of its own"),
        ("frame = 245\n", "3:1: `rpc.frame`: 245 does not fit the ATT MTU, which takes 244; allowed here: 20 to 244"),
        ("transport = \"cox\"\n", "3:13: `rpc.transport`: `cox` is not one of its values; did you mean `coc`?"),
        ("frame = 132\nencrypted = true\n", "4:1: `rpc.encrypted`: the key exchange needs frames of 133 octets"),
        ("window = 4096\n", "3:10: `rpc.window`: 4096 has no unit"),
        ("calls = 0\n", "3:9: `rpc.calls`: 0 is impossible"),
        ("[ble]\nperipherals = 2\n", "4:1: `ble.peripherals`: remote calls are made of one peripheral"),
        ("[central]\nhost = \"trouble\"\n", "4:1: `central.host`: TrouBLE is called here and does not call"),
    ];
    for (text, expected) in cases {
        let message = error(&format!("{RPC}{text}"));
        assert!(message.starts_with(&format!("plans/x.toml:{expected}")), "{text}\n{message}\nexpected {expected}");
    }
}
