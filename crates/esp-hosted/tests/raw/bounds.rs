//! A host that commands and never reads an answer fills no memory.

use airtime_esp_hosted::raw::{Firmware, Service, ServiceOutput};
use airtime_esp_hosted::rpc::proto::CustomRequest;

#[test]
fn commands_whose_answers_nobody_reads_are_lost() {
    let mut service = Service::new(Firmware::Factory);
    let request = CustomRequest { custom_msg_id: 1, ..CustomRequest::default() };
    (0..1_000).for_each(|uid| service.request(uid, &request, true));
    let answers = std::iter::from_fn(|| service.poll()).filter(|said| matches!(said, ServiceOutput::Reply { .. }));
    assert_eq!((answers.count(), service.counts().unhandled), (64, 64));
    assert_eq!(service.counts().unanswered, 1_000 - 64);
    // With room for its answer the next one is served.
    service.request(1_000, &request, true);
    assert!(matches!(service.poll(), Some(ServiceOutput::Reply { uid: 1_000, .. })));
}
