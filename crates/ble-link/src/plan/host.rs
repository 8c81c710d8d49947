//! Keys of buffers and CPUs: of the sender's controller and host, and of the receiver's host.

use airtime_core::Duration;
use airtime_keys::Keys;

use super::Device;
use airtime_ble::personality::{self, Controller, TaskPriority};

/// Keys of the buffers of the sender's controller, and of the receiver's host and controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "acl")]
pub struct Acl {
    /// ACL packets the sender's controller buffers.
    #[key(
        range = 1..=255, from = "the sender's personality", whose = Sender, steps = [Less(1), More(1), Double],
        config = [zephyr("CONFIG_BT_BUF_ACL_TX_COUNT", Form::Count)],
        mechanism = Underway, way = More
    )]
    pub count: Option<u8>,
    /// Octets of each.
    #[key(
        range = 27..=4_096, from = "the sender's personality", whose = Sender, steps = [Fitting, Half, Double],
        config = [zephyr("CONFIG_BT_BUF_ACL_TX_SIZE", Form::Count)],
        mechanism = Packet
    )]
    pub size: Option<u16>,
    /// ACL packets the receiver's host holds before it has taken them in; then its controller keeps the next ones.
    #[key(
        range = 1..=255, from = "the receiver's personality", whose = Receiver, steps = [Less(1), More(1), Double],
        mechanism = Underway, way = More
    )]
    pub rx_count: Option<u8>,
    /// LL PDUs the receiver's controller keeps then; further ones are refused, and sent again.
    #[key(
        range = 1..=255, from = "the receiver's personality", whose = Receiver, steps = [Less(1), More(1), Double],
        mechanism = Underway, way = More
    )]
    pub rx_buffers: Option<u8>,
}

/// Keys of the sender's host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "host")]
pub struct Host {
    /// Priority of the stream task, seen from the Bluetooth task.
    #[key(from = "the sender's personality", whose = Sender, mechanism = Handover)]
    pub task_priority: Option<TaskPriority>,
    /// Time from a packet leaving the controller to the sender's Bluetooth task.
    #[key(range = "0us"..="1s", from = "the sender's personality", whose = Sender, mechanism = Handover, way = Less)]
    pub latency: Option<Duration>,
    /// 99th percentile of that time, of which `host.latency` is the median then; else it is always the same.
    #[key(range = "0us"..="1s", from = "the sender's personality", whose = Sender, mechanism = Handover, way = Less)]
    pub latency_p99: Option<Duration>,
    /// CPU time of the sender's Bluetooth task per HCI packet.
    #[key(range = "0us"..="1s", from = "the sender's personality", whose = Sender, mechanism = Cpu, way = Less)]
    pub packet_time: Option<Duration>,
    /// CPU time of the sender's stream task per SDU or value.
    #[key(range = "0us"..="1s", from = "the sender's personality", whose = Sender, mechanism = Cpu, way = Less)]
    pub sdu_time: Option<Duration>,
    /// L2CAP PDUs of the sender's stack that the controller has not reported as sent, apart from the transmit buffers.
    #[key(
        range = 1..=255, from = "the sender's personality", whose = Sender, steps = [Half, Double],
        config = [zephyr("CONFIG_BT_CONN_TX_MAX", Form::Count)],
        mechanism = Underway, way = More
    )]
    pub conn_tx_max: Option<u8>,
}

/// Keys of the receiver's host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "peer_host")]
pub struct PeerHost {
    /// Time from a packet leaving the controller to the receiver's Bluetooth task.
    #[key(range = "0us"..="1s", from = "the receiver's personality", whose = Receiver, mechanism = Answers, way = Less)]
    pub latency: Option<Duration>,
    /// 99th percentile of that time, of which `peer_host.latency` is the median then; else it is always the same.
    #[key(range = "0us"..="1s", from = "the receiver's personality", whose = Receiver, mechanism = Answers, way = Less)]
    pub latency_p99: Option<Duration>,
    /// CPU time of the receiver's Bluetooth task per HCI packet.
    #[key(range = "0us"..="1s", from = "the receiver's personality", whose = Receiver, mechanism = Answers, way = Less)]
    pub packet_time: Option<Duration>,
}

impl Acl {
    /// Puts what the plan names into a sender's controller.
    pub(super) fn apply(&self, controller: &mut Controller) {
        controller.acl_count = self.count.unwrap_or(controller.acl_count);
        controller.acl_size = self.size.unwrap_or(controller.acl_size);
    }

    /// Puts what the plan names into a receiver.
    pub(super) fn apply_to_receiver(&self, device: &mut Device) {
        device.host.flow_control = self.rx_count.or(device.host.flow_control);
        // Without room that ends nothing is kept back.
        device.controller.rx_buffers = self.rx_buffers.unwrap_or(device.controller.rx_buffers);
    }
}

impl Host {
    /// Puts what the plan names into a sender's host.
    pub(super) fn apply(&self, host: &mut personality::Host) {
        host.stream_task = self.task_priority.unwrap_or(host.stream_task);
        host.latency = self.latency.unwrap_or(host.latency);
        host.latency_p99 = self.latency_p99.or(host.latency_p99);
        host.packet_time = self.packet_time.unwrap_or(host.packet_time);
        host.sdu_time = self.sdu_time.unwrap_or(host.sdu_time);
        host.conn_tx_max = self.conn_tx_max.or(host.conn_tx_max);
    }
}

impl PeerHost {
    /// Puts what the plan names into a receiver's host.
    pub(super) fn apply(&self, host: &mut personality::Host) {
        host.latency = self.latency.unwrap_or(host.latency);
        host.latency_p99 = self.latency_p99.or(host.latency_p99);
        host.packet_time = self.packet_time.unwrap_or(host.packet_time);
    }
}
