//! The published benchmark.

use airtime_rpc::suite::{BenchConfig, Method};

/// Calls before the first that counts. The published programs await one.
pub const WARMUP: u32 = 1;

const fn bench(call: Method, payload: u32, calls: u32) -> BenchConfig {
    BenchConfig { call, payload, calls: Some(calls), warmup: WARMUP, outstanding: 1 }
}

/// The benchmarks of the published page, in its order: payload octets or items of a call, and calls. The octets of the echo are not
/// published; it is the `hello` of the checks.
pub const BENCHES: [BenchConfig; 6] = [
    bench(Method::FlashRead, 8_192, 10),
    bench(Method::FlashRead, 1, 20),
    bench(Method::Echo, 5, 50),
    bench(Method::DataWrite, 200, 20),
    bench(Method::CounterStream, 20, 1),
    bench(Method::CounterUpload, 20, 1),
];

/// Octets of a large object, *assumed*: the application image of a small device.
const OBJECT: u32 = 1 << 18;

/// Calls of a method that only extended mode has.
const OBJECTS: u32 = 3;

/// The published benchmark of a method: the first of [`BENCHES`] that calls it. What only extended mode has was never published.
pub fn of(method: Method) -> BenchConfig {
    BENCHES.into_iter().find(|bench| bench.call == method).unwrap_or(bench(method, OBJECT, OBJECTS))
}
