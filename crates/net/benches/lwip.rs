//! What a stream of lwIP costs by itself: ten seconds of 40 Mbit/s with an acknowledgement for every second segment, no link.

use std::collections::VecDeque;
use std::net::Ipv4Addr;

use airtime_core::{Duration, Instant, Packet, Pool};
use airtime_net::linux;
use airtime_net::lwip::{Config, Host, Outcome, TcpSender};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const HOST: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const FAR: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);

/// Packets on their way, with the time of their arrival.
type Way = VecDeque<(Instant, Packet)>;

/// Segments that both ends exchange until `end`: a rate and a delay up, a delay down.
fn run(end: Instant) -> u64 {
    let pool = Pool::new();
    let config = Config { snd_buf: 65_534, wnd: 65_534, ..Config::default() };
    let mut host = Host::new(pool.clone(), HOST, config, ());
    let mut far = linux::Host::new(pool, FAR, linux::Config::default(), ());
    far.read_stream(5_001);
    let (start, duration) = (Instant::ZERO, Duration::from_secs(3_600));
    let sender = TcpSender { flow: 5_001, write: 16_384, nodelay: true, octets: None, start, duration };
    host.write_stream(FAR, sender);
    let (mut up, mut down) = (Way::new(), Way::new());
    let mut free = Instant::ZERO;
    loop {
        let arrivals = [&up, &down].map(|way| way.front().map(|(at, _)| *at));
        let due = [host.deadline(), far.deadline()].into_iter().chain(arrivals).flatten().min();
        let Some(now) = due.filter(|due| *due <= end) else { return host.counters().segments };
        if host.deadline().is_some_and(|due| due <= now) {
            host.wake(now);
        }
        if far.deadline().is_some_and(|due| due <= now) {
            far.wake(now);
        }
        if let Some((_, packet)) = down.pop_front_if(|(at, _)| *at <= now) {
            host.packet(now, &packet);
        }
        if let Some((_, packet)) = up.pop_front_if(|(at, _)| *at <= now) {
            far.packet(now, &packet);
        }
        while let Some(packet) = host.poll(now) {
            host.outcome(now, Outcome::Taken);
            free = free.max(now) + Duration::from_nanos(packet.len() as u64 * 200);
            up.push_back((free + Duration::from_millis(3), packet));
        }
        while let Some(packet) = far.poll(now) {
            down.push_back((now + Duration::from_millis(3), packet));
        }
    }
}

fn lwip(criterion: &mut Criterion) {
    let end = Instant::ZERO + Duration::from_secs(10);
    let mut group = criterion.benchmark_group("lwip");
    group.throughput(Throughput::Elements(run(end)));
    group.sample_size(20);
    group.bench_function("tcp_10_s", |bencher| bencher.iter(|| run(end)));
    group.finish();
}

criterion_group!(benches, lwip);
criterion_main!(benches);
