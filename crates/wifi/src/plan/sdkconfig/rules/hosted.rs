//! The bus between host and co-processor.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec::Vec;

use airtime_link::config::{Configuration, Finding, Weight};

use super::about;
use crate::plan::Hosted;

const KCONFIG: &str = "esp-hosted-mcu 2.11, Kconfig";
const SDIO: &str = "esp-hosted-mcu, docs/sdio.md";

pub fn clock(config: &Configuration, findings: &mut Vec<Finding>) {
    let name = "CONFIG_ESP_HOSTED_SDIO_CLOCK_FREQ_KHZ";
    let Some(clock) = config.number(name).filter(|clock| *clock < 40_000) else { return };
    let says = format!("{clock} kHz of the 40000 that both chips can: every frame is that much longer on the bus");
    let finding = about(config, name, Weight::Hazard, says, KCONFIG).advise(format!("{name}=40000"));
    findings.push(finding.shown_by(&[(Hosted::SDIO_CLOCK.name, "40MHz")]));
}

pub fn lines(config: &Configuration, findings: &mut Vec<Finding>) {
    let name = "CONFIG_ESP_HOSTED_SDIO_1_BIT_BUS";
    if config.chosen(name, &["CONFIG_ESP_HOSTED_SDIO_4_BIT_BUS"]) {
        let says = "one of four data lines: every frame is four times as long on the bus".to_owned();
        let finding = about(config, name, Weight::Hazard, says, KCONFIG).advise("CONFIG_ESP_HOSTED_SDIO_4_BIT_BUS=y");
        findings.push(finding.shown_by(&[(Hosted::SDIO_LINES.name, "4")]));
    }
}

pub fn packet_mode(config: &Configuration, findings: &mut Vec<Finding>) {
    let modes = ["CONFIG_ESP_HOSTED_SDIO_OPTIMIZATION_RX_NONE", "CONFIG_ESP_HOSTED_SDIO_OPTIMIZATION_RX_MAX_SIZE"];
    for name in modes {
        let others = [modes[0], modes[1], "CONFIG_ESP_HOSTED_SDIO_OPTIMIZATION_RX_STREAMING_MODE"];
        if config.chosen(name, &others) {
            let says =
                "a read brings one packet: 33 Mbit/s from the co-processor instead of 80 in the raw test".to_owned();
            let advice = "CONFIG_ESP_HOSTED_SDIO_OPTIMIZATION_RX_STREAMING_MODE=y";
            findings.push(about(config, name, Weight::Hazard, says, SDIO).advise(advice));
        }
    }
}

pub fn queues(config: &Configuration, findings: &mut Vec<Finding>) {
    for name in ["CONFIG_ESP_HOSTED_SDIO_TX_Q_SIZE", "CONFIG_ESP_HOSTED_SDIO_RX_Q_SIZE", "CONFIG_ESP_SDIO_TX_Q_SIZE"] {
        let Some(size) = config.number(name).filter(|size| *size < 20) else { continue };
        let says = format!(
            "{size} packets: the raw test from the co-processor reaches 54 Mbit/s with 5, 70 with 10, 80 with the default of 20"
        );
        findings.push(about(config, name, Weight::Hazard, says, SDIO).advise(format!("{name}=20")));
    }
}

/// Only said where a line of the file is about custom messages: who never sends raw frames needs neither.
pub fn raw_frames(config: &Configuration, findings: &mut Vec<Finding>) {
    let source = "esp-hosted-mcu, docs/implemented_rpcs.md: custom RPC since 2.8.1";
    let (peer, handlers) = ("CONFIG_ESP_HOSTED_ENABLE_PEER_DATA_TRANSFER", "CONFIG_ESP_HOSTED_MAX_CUSTOM_MSG_HANDLERS");
    let Some(count) = config.number(handlers).or_else(|| config.on(peer).then_some(3)) else { return };
    if !config.on(peer) {
        let says = format!("without {peer} there are no custom messages, and no handlers of them");
        findings.push(about(config, handlers, Weight::Note, says, source).advise(format!("{peer}=y")));
    } else if count < 8 {
        let says = format!(
            "{count} handlers: raw frames take four for their messages and two more for the answers; 8 were published with"
        );
        findings.push(about(config, handlers, Weight::Note, says, source).advise(format!("{handlers}=8")));
    }
}
