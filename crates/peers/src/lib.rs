//! Tests against outside programs and the wall clock; there is nothing in the library itself.
//!
//! `cargo test -p airtime-peers` runs each test whose peer is installed, prints `ignored: peer X not
//! installed` for the others, and fails for them instead with `AIRTIME_REQUIRE_PEERS=1`. `requirements.txt`
//! pins what comes from the Python index; `AIRTIME_PEERS_PYTHON` names the interpreter that has it.
//!
//! The program under test is the one beside these tests, `target/PROFILE/airtime`, which `cargo test --workspace` builds. A test
//! that needs it is ignored, or fails, where it is not built or older than its sources. `AIRTIME_PROGRAM` names another one.
