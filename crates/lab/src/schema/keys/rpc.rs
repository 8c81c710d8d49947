//! Keys of remote calls over a Bluetooth LE link.

use airtime_keys::{Default, Key, Kind, Knob, Turns};

use super::key;

/// The methods a plan can call, by their names in the protocol.
pub const METHODS: &[&str] =
    &["echo", "flash_read", "data_write", "counter_stream", "counter_upload", "bulk_read", "bulk_write"];

/// The whole suites a plan can run.
const SUITES: &[&str] = &["conformance", "bench"];

/// The published checks.
pub const CHECKS: &[&str] = &[
    "echo_basic",
    "echo_empty",
    "echo_max_length",
    "flash_read_basic",
    "flash_read_8kb",
    "data_write",
    "counter_stream",
    "counter_upload",
    "multi_container_echo",
];

const CALLER: Knob = Knob::Of(Turns::CentralApplication);
const BOTH: Knob = Knob::Of(Turns::Application);
const NOBODY: Knob = super::NOBODY;

use Default::{Absent, Count, Flag, From, Text};

/// Every key of remote calls, in the order of documentation and records.
#[rustfmt::skip]
pub const KEYS: &[Key] = &[
    key("rpc.suite", Kind::Choice(SUITES), Absent, NOBODY, "A whole suite instead of one call: the published checks, or the published benchmarks one after the other."),
    key("rpc.check", Kind::Choice(CHECKS), Absent, NOBODY, "The only check of the suite that counts."),
    key("rpc.call", Kind::Choice(METHODS), Text("flash_read"), NOBODY, "Method that is called again and again; those of large objects in extended mode only."),
    // Extended mode carries a message of up to 2^32 - 1 octets; the published firmware reads and writes up to 8192.
    key("rpc.payload", Kind::Count(0, 16_777_216), From("as in the published benchmark: 8192 octets of flash, 5 echoed, 200 written, 20 items of a stream; 262144 of a large object"), NOBODY, "Payload octets of one call, or items of its stream."),
    key("rpc.calls", Kind::CountOrNone(1, 1_000_000_000), From("as in the published benchmark; none goes on to the end of the run"), NOBODY, "Calls that count."),
    key("rpc.warmup", Kind::Count(0, 1_000), Count(1), NOBODY, "Calls before the first that counts."),
    key("rpc.transport", Kind::Choice(&["gatt", "coc"]), Text("gatt"), BOTH, "What carries the frames: write commands and notifications, or SDUs of a credit-based channel."),
    key("rpc.mode", Kind::Choice(&["compatible", "extended"]), Text("compatible"), BOTH, "The published protocol, or the extension of it."),
    key("rpc.outstanding", Kind::Count(1, airtime_rpc::CALLS_MAX as u64), Count(1), CALLER, "Calls under way at a time; more than one in extended mode only."),
    key("rpc.encrypted", Kind::Flag, Flag(false), BOTH, "Whether calls are sealed by the protocol's own encryption, whatever the link does."),
    key("rpc.window", Kind::Size(1_024, 4_294_967_295), Text("16kB"), BOTH, "Octets that a receiver lets each call have under way in extended mode."),
    key("rpc.in_flight", Kind::Count(1, 255), From("as many as each end's controller buffers"), BOTH, "Frames that an application has with its host at a time."),
    // Core 6.0, Vol 3, Part F, 3.2.9: values of up to 512 octets.
    key("rpc.frame", Kind::Count(20, 512), From("what fits one LL PDU: 3 less than the ATT MTU, or an SDU of one K-frame"), BOTH, "Longest frame in octets; compatible mode uses at most 244."),
];
