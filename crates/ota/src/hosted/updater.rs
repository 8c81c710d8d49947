//! The host's sequence on its driver: requests become remote procedure calls, what the driver says becomes events.

use airtime_core::Instant;

use crate::boot::{Boot, BootConfig, BootOutput, Finding, FlashRequest, Progress, Reply, Request, Version};
use crate::flash::StorageError;
use airtime_esp_hosted::host::{Host, HostOutput};
use airtime_esp_hosted::rpc::proto::{AppDescriptionReply, OtaWrite};
use airtime_esp_hosted::rpc::{Request as Call, Response, status};

/// Order for whoever runs the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Join the network; answered with [`Updater::connected`].
    Connect,
    /// Request to the flash; answered with [`Updater::flash`].
    Flash(FlashRequest),
    /// Restart the host.
    Restart,
    /// Run the application.
    Run(Finding),
}

/// The sequence above a driver.
#[derive(Clone, Debug)]
pub struct Updater {
    boot: Boot,
    /// The call under way, and what it asks.
    call: Option<(u32, Request)>,
    /// The driver has to reset the co-processor.
    reset: bool,
    /// Set where the running firmware has not told its ELF file's digest: its version has to do.
    undescribed: bool,
    /// That version is still to be asked.
    version: bool,
    writes: u32,
}

impl Updater {
    /// A host that has just been switched on.
    pub fn new(now: Instant, config: BootConfig) -> Self {
        Self { boot: Boot::new(now, config), call: None, reset: false, undescribed: false, version: false, writes: 0 }
    }

    /// The driver says something.
    pub fn host_said(&mut self, now: Instant, output: &HostOutput) {
        match output {
            HostOutput::Ready(_) => self.boot.transport_up(now),
            HostOutput::Failed(_) => {
                // It stays down until it is restarted.
                self.call = None;
                self.reset = true;
                self.boot.transport_down(now);
            }
            HostOutput::Reply { uid, response } => {
                if let Some((_, request)) = self.call.take_if(|(mine, _)| mine == uid) {
                    self.replied(now, request, response);
                }
            }
            _ => {}
        }
    }

    fn replied(&mut self, now: Instant, request: Request, response: &Response) {
        let reply = match response {
            Response::AppGetDesc(reply) => match digest(reply) {
                Some(elf) => Reply::Version(Version { numbers: [0; 3], elf_sha256: Some(elf) }),
                None => {
                    (self.undescribed, self.version) = (true, true);
                    return;
                }
            },
            _ if response.status() != status::OK => Reply::Refused(response.status() as u32),
            Response::GetCoprocessorFwVersion(version) => {
                let numbers = [version.major1, version.minor1, version.patch1];
                Reply::Version(Version { numbers, elf_sha256: None })
            }
            _ => Reply::Done,
        };
        self.writes += u32::from(matches!(request, Request::Write { .. }) && reply == Reply::Done);
        // The driver would find the restarted co-processor gone at its next transaction, which may be long after. A reset by
        // the host is the restart that was asked for; one behind it would end the trial of firmware that is on trial.
        self.reset |= request == Request::Activate && reply == Reply::Done;
        self.boot.reply(now, reply);
    }

    /// The host is on the network, or goes on without.
    pub fn connected(&mut self, now: Instant, joined: bool) {
        self.boot.connected(now, joined);
    }

    /// The flash has done the last request.
    pub fn flash(&mut self, now: Instant, result: Result<&[u8], StorageError>) {
        self.boot.flash(now, result);
    }

    /// Its deadline has come.
    pub fn wake(&mut self, now: Instant) {
        self.boot.wake(now);
    }

    /// Instant at which it next wants to be woken.
    pub fn deadline(&self) -> Option<Instant> {
        self.boot.deadline()
    }

    /// Next order; calls are made on `host`, and it is restarted where the sequence wants a reset. Drained to none.
    pub fn poll(&mut self, now: Instant, host: &mut Host) -> Option<Order> {
        loop {
            if core::mem::take(&mut self.reset) {
                (self.call, self.undescribed, self.version) = (None, false, false);
                host.restart(now);
            }
            if core::mem::take(&mut self.version) {
                self.ask(now, Request::Version, host);
            }
            match self.boot.poll(now)? {
                BootOutput::Connect => return Some(Order::Connect),
                BootOutput::Flash(request) => return Some(Order::Flash(request)),
                BootOutput::Restart => return Some(Order::Restart),
                BootOutput::Run(finding) => return Some(Order::Run(finding)),
                BootOutput::Reset => self.reset = true,
                BootOutput::Request(request) => self.ask(now, request, host),
            }
        }
    }

    /// A call that cannot be made is one that is not answered: the sequence has a deadline for that.
    fn ask(&mut self, now: Instant, request: Request, host: &mut Host) {
        let call = match request {
            Request::Version if self.by_digest() => Call::AppGetDesc(Default::default()),
            Request::Version => Call::GetCoprocessorFwVersion(Default::default()),
            Request::Begin => Call::OtaBegin(Default::default()),
            Request::Write { .. } => Call::OtaWrite(OtaWrite { ota_data: self.boot.chunk().to_vec() }),
            Request::End => Call::OtaEnd(Default::default()),
            Request::Activate => Call::OtaActivate(Default::default()),
        };
        self.call = host.call(now, call).ok().map(|uid| (uid, request));
    }

    /// True where numbers do not tell if firmware runs, as it has none: it may be the one that runs already.
    fn by_digest(&self) -> bool {
        !self.undescribed && self.boot.staged().is_some_and(|staged| staged.numbers().is_none())
    }

    /// Progress of the update.
    pub fn progress(&self) -> Progress {
        self.boot.progress()
    }

    /// Writes that were acknowledged.
    pub fn writes(&self) -> u32 {
        self.writes
    }
}

/// The digest of the ELF file of what runs, if it has told one.
fn digest(reply: &AppDescriptionReply) -> Option<[u8; 32]> {
    let told = reply.app_desc.as_ref().filter(|_| reply.resp == status::OK)?;
    <[u8; 32]>::try_from(told.app_elf_sha256.as_slice()).ok().filter(|digest| *digest != [0; 32])
}
