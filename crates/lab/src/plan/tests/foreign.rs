//! Every message about a host that cannot do what its plan asks.

use crate::personality::Library;
use crate::plan::Plan;

const GRANTS: &str = "`coc.credits`: TrouBLE grants what it has taken, once per SDU; allowed here: { initial, on_connect, \
                      grant, every } with grant equal to every, { max }, { initial, below }";

fn parse(text: &str, set: &[(&str, &str)]) -> Result<Plan, String> {
    let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    Plan::parse("plans/x.toml", text, &Library::builtin(), &set).map_err(|error| error.to_string())
}

/// Text of a plan, and the place and the beginning of the message about it.
fn check(cases: &[(&str, &str, &str)]) {
    for (text, place, expected) in cases {
        let message = parse(text, &[]).expect_err(text);
        assert!(
            message.starts_with(&format!("plans/x.toml:{place}: {expected}")),
            "{text}\n{message}\n{place} {expected}"
        );
    }
}

#[test]
fn what_trouble_has_not() {
    let pacing = "`gatt.pacing`: TrouBLE has a value wait for room in its queue, and says nothing of that";
    let buffers = "`gatt.tx_buffers`: TrouBLE's own queue says how many values it takes";
    let encrypted = "`ble.encrypted`: TrouBLE has no keys here; `model` on both ends has";
    let space = "`ble.frame_space`: trouble-host 0.8 cannot carry the frame space update through";
    let packets = "`coc.sdu`: TrouBLE's packets have room for 2048 octets";
    check(&[
        ("link = \"ble-gatt\"\nperipheral.host = \"trouble\"\ngatt.pacing = \"ready\"\n", "3:6", pacing),
        (
            "link = \"ble-gatt\"\nble.direction = \"c2p\"\ncentral.host = \"trouble\"\ngatt.tx_buffers = 3\n",
            "4:6",
            buffers,
        ),
        ("central.host = \"trouble\"\nble.encrypted = true\n", "2:5", encrypted),
        ("[peripheral]\nhost = \"trouble\"\n[ble]\nencrypted = true\n", "4:1", encrypted),
        ("central.host = \"trouble\"\n[ble]\nframe_space = \"52us\"\n", "3:1", space),
        ("peripheral.host = \"trouble\"\n[ble]\nframe_space = \"52us\"\n", "3:1", space),
        ("central.host = \"trouble\"\n[coc]\nmtu = 4000\nsdu = 2049\n", "4:1", packets),
        ("peripheral.host = \"trouble\"\n[coc]\nmtu = 4000\nsdu = 2049\n", "4:1", packets),
    ]);
}

/// The end that is called is the image's, which has one manner of most things.
#[test]
fn what_trouble_has_not_where_it_is_called() {
    let called = |text: &str| format!("link = \"ble-rpc\"\nperipheral.host = \"trouble\"\n{text}");
    for (text, place, expected) in [
        ("rpc.transport = \"coc\"\n", "3:5", "`rpc.transport`: TrouBLE carries frames as values, over `gatt`"),
        ("gatt.mtu = 400\nrpc.frame = 245\n", "4:5", "`rpc.frame`: TrouBLE's frames have at most 244 octets here"),
        ("rpc.in_flight = 2\n", "3:5", "`rpc.in_flight`: TrouBLE's own queue says how many frames it takes"),
        ("ble.encrypted = true\n", "3:5", "`ble.encrypted`: TrouBLE has no keys here; `model` on both ends has"),
        ("host.latency = \"1ms\"\n", "3:6", "`host.latency`: TrouBLE takes no time of a CPU here"),
    ] {
        let message = parse(&called(text), &[]).expect_err(text);
        assert!(
            message.starts_with(&format!("plans/x.toml:{place}")) && message.contains(expected),
            "{text}\n{message}"
        );
    }
    for text in ["", "rpc.encrypted = true\n", "rpc.mode = \"extended\"\nrpc.outstanding = 8\n", "rpc.frame = 100\n"] {
        assert!(parse(&called(text), &[]).is_ok(), "{text}\n{:?}", parse(&called(text), &[]).err());
    }
}

#[test]
fn credits_that_trouble_does_not_grant() {
    check(&[
        ("central.host = \"trouble\"\n[coc]\ncredits = \"zephyr-recv\"\n", "3:1", GRANTS),
        ("central.host = \"trouble\"\n[coc]\ncredits = { octets = 4096 }\n", "3:13", GRANTS),
        (
            "central.host = \"trouble\"\n[coc]\ncredits = { initial = 9, on_connect = 0, grant = 2, every = 1 }\n",
            "3:13",
            GRANTS,
        ),
        ("peripheral.host = \"trouble\"\nble.direction = \"c2p\"\ncoc.credits = \"zephyr-recv\"\n", "3:5", GRANTS),
        ("peripheral.host = \"trouble\"\nble.direction = \"both\"\ncoc.credits = \"zephyr-recv\"\n", "3:5", GRANTS),
        ("central.host = \"trouble\"\n[sweep]\n\"coc.credits\" = [{ max = 9 }, \"zephyr-recv\"]\n", "3:31", GRANTS),
    ]);
}

#[test]
fn time_that_trouble_does_not_take() {
    let rest = "TrouBLE takes no time of a CPU here; only the lab's own host does";
    let (host, peer) = (format!("`host.latency`: {rest}"), format!("`peer_host.packet_time`: {rest}"));
    let task = format!("`host.task_priority`: {rest}");
    check(&[
        ("peripheral.host = \"trouble\"\n[host]\nlatency = \"1ms\"\n", "3:1", &host),
        ("central.host = \"trouble\"\nble.direction = \"c2p\"\nhost.latency = \"1ms\"\n", "3:6", &host),
        ("central.host = \"trouble\"\nble.direction = \"both\"\nhost.latency = \"1ms\"\n", "3:6", &host),
        ("peripheral.host = \"trouble\"\nble.direction = \"both\"\nhost.latency = \"1ms\"\n", "3:6", &host),
        ("peripheral.host = \"trouble\"\nhost.task_priority = \"above\"\n", "2:6", &task),
        ("central.host = \"trouble\"\n[peer_host]\npacket_time = \"1ms\"\n", "3:1", &peer),
    ]);
}

#[test]
fn a_program_that_there_is_not() {
    let expected = "`central.host`: `troubl` is no host; did you mean `trouble`? allowed here: \"model\", \"trouble\", or \"firmware:\" with the path of an ELF such as \
        \"firmware:target/firmware/emulated-m33-v7m/peripheral\"";
    check(&[("central.host = \"troubl\"\n", "1:16", expected)]);
}

#[test]
fn options_are_named_instead_of_lines() {
    let message = parse("central.host = \"trouble\"\n", &[("ble.encrypted", "true")]).unwrap_err();
    assert!(message.starts_with("--set ble.encrypted=true: `ble.encrypted`: TrouBLE has no keys"), "{message}");
    let message = parse("ble.encrypted = true\n", &[("central.host", "trouble")]).unwrap_err();
    // The plan was right before the option came.
    assert!(message.starts_with("--set central.host=trouble: `ble.encrypted`: TrouBLE has no keys"), "{message}");
}

/// What is asked of the other end, or is within what TrouBLE can do, is no error.
#[test]
fn what_is_the_other_ends_business() {
    for text in [
        "central.host = \"trouble\"\nperipheral.host = \"trouble\"\n",
        "central.host = \"trouble\"\nhost.latency = \"1ms\"\n",
        "peripheral.host = \"trouble\"\npeer_host.latency = \"1ms\"\n",
        "peripheral.host = \"trouble\"\ncoc.credits = \"zephyr-recv\"\n",
        "central.host = \"trouble\"\nble.direction = \"c2p\"\ncoc.credits = \"zephyr-recv\"\n",
        "central.host = \"trouble\"\ncoc.credits = { max = 9 }\n",
        "central.host = \"trouble\"\ncoc.credits = { initial = 9, below = 4 }\n",
        "central.host = \"trouble\"\nble.frame_space = \"150us\"\n",
        "central.host = \"trouble\"\n[coc]\nmtu = 4000\nsdu = 2048\n",
    ] {
        assert!(parse(text, &[]).is_ok(), "{text}\n{:?}", parse(text, &[]).err());
    }
}
