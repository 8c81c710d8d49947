//! A start from reset: handshake, Wi-Fi set up by remote calls, and only then packets.

use airtime_core::units::Bitrate;
use airtime_core::{Duration, EventLoop, Instant, Pool};
use airtime_net::linux;
use airtime_net::lwip::{self, OnError, UdpSender};
use airtime_wifi::cell::{Cell, CellConfig};
use airtime_wifi::hosted::coprocessor::{Coprocessor, CoprocessorConfig};
use airtime_wifi::hosted::host::{Handshake, Host, HostConfig, HostOutput, Versions};
use airtime_wifi::hosted::rpc::proto::WifiInitConfig;
use airtime_wifi::hosted::rpc::status;
use airtime_wifi::hosted::wire::start::CoprocessorStart;
use airtime_wifi::network::{BringUp, BusTiming, Chain, Control, Costs, End, Network, PathConfig};
use airtime_wifi::trace::DropPoint;

use super::rig::{FAR, FLOW, Far, HOST, Meter, Stack};

#[test]
fn nothing_is_sent_before_the_handshake_and_everything_after_it() {
    let pool = Pool::new();
    let (start, span) = (Instant::ZERO, Duration::from_secs(24));
    let mut stack = lwip::Host::new(pool.clone(), HOST, lwip::Config::default(), Meter::default());
    let rate = Some(Bitrate(1_000_000));
    let (payload, on_error) = (1_250, OnError::Spin);
    stack.send_datagrams(FAR, UdpSender { flow: FLOW, payload, rate, on_error, start, duration: span });
    let mut far = linux::Host::new(pool.clone(), FAR, linux::Config::default(), Meter::default());
    far.take_datagrams(FLOW);
    // 18 s were observed on the published board; the host waits for 1.5 s by itself.
    let config = HostConfig { reset_delay: Duration::from_secs(18), ..HostConfig::default() };
    let slave = CoprocessorConfig::default();
    let init = WifiInitConfig { dynamic_tx_buf_num: 64, rx_ba_win: 32, ..slave.wifi.clone() };
    let host = Host::new(start, config, pool.clone());
    let coprocessor = Coprocessor::new(start, slave, pool.clone());
    let chain = Chain::new(host, coprocessor, BusTiming::PUBLISHED, Costs::p4_c6(), 32, &pool);
    let cell = Cell::new(CellConfig::pair(), pool.clone(), 1);
    let control = BringUp::new(init, "lab");
    let path = PathConfig::default();
    let mut network = Network::controlled(&pool, path, cell, Some(chain), Stack(stack), Far(far), (), control);
    network.start(start);
    EventLoop::new(start, &network).run_until(&mut network, start + span);

    let seconds = |at: Option<Instant>| at.map(|at| at.as_nanos() / 1_000_000_000);
    assert_eq!((network.control.failure(), network.control.refused()), (None, None));
    assert_eq!(seconds(network.control.ready()), Some(18));
    assert_eq!(seconds(network.control.connected()), Some(18));
    let (counts, chain) = (network.counts(), network.chain.as_ref().unwrap());
    // A hundred packets a second: 1,800 too early, and what is between the handshake and the connection.
    assert!((1_800..1_900).contains(&counts.dropped(DropPoint::NotUp)), "{}", counts.dropped(DropPoint::NotUp));
    let delivered = counts.delivered(End::Far).packets;
    assert!((540..600).contains(&delivered), "{delivered}");
    assert_eq!(counts.taken(End::Host).packets, delivered + counts.lost());
    let overridden = &chain.coprocessor.wifi().overridden;
    assert_eq!(overridden.len(), 2, "{overridden:?}");
}

#[test]
fn a_call_that_nobody_answers_ends_the_start() {
    let pool = Pool::new();
    let mut host = Host::booted(HostConfig::default(), pool.clone());
    // It is never asked: nothing is written on the bus.
    let mut nobody = Coprocessor::booted(CoprocessorConfig::default(), pool.clone());
    let mut control = BringUp::new(WifiInitConfig::default(), "lab");
    let (coprocessor, versions) = (CoprocessorStart::default(), Versions::Same);
    control.host_said(Instant::ZERO, HostOutput::Ready(Handshake { coprocessor, versions, wlan: true }));
    assert!(control.act(Instant::ZERO, &mut host, &mut nobody) && !control.act(Instant::ZERO, &mut host, &mut nobody));
    let now = host.deadline().expect("a call runs out of time");
    host.wake(now);
    while let Some(output) = host.poll(now) {
        control.host_said(now, output);
    }
    assert_eq!((control.refused(), control.connected()), (Some(status::TIMEOUT), None));
    assert!(!control.act(now, &mut host, &mut nobody), "nothing else is asked");
}
