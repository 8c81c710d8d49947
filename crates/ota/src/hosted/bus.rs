//! Both sides of ESP-hosted on one SDIO bus: the loop that gives their tasks and transactions time.

use airtime_core::{Duration, Instant, Packet, Pool};

use airtime_esp_hosted::coprocessor::{Coprocessor, CoprocessorOutput};
use airtime_esp_hosted::costs::{BusTiming, Costs};
use airtime_esp_hosted::host::{Host, HostOutput, Task};
use airtime_esp_hosted::sdio::{BusError, Completion, Transaction};

const TASKS: [Task; 3] = [Task::Write, Task::Split, Task::Dispatch];

/// The bus, and how far the tasks beside it are.
#[derive(Debug)]
pub(super) struct Bus {
    timing: BusTiming,
    costs: Costs,
    reply: Packet,
    under_way: Option<(Instant, Transaction)>,
    tasks: [Option<Instant>; 3],
    processing: Option<Instant>,
}

impl Bus {
    pub fn new(timing: BusTiming, costs: Costs, pool: &Pool) -> Self {
        Self { timing, costs, reply: pool.packet(), under_way: None, tasks: [None; 3], processing: None }
    }

    /// The host has lost its power: what it was at is gone.
    pub fn host_off(&mut self) {
        (self.under_way, self.tasks) = (None, [None; 3]);
    }

    /// The co-processor has lost its power.
    pub fn coprocessor_off(&mut self) {
        self.processing = None;
    }

    pub fn deadline(&self) -> Option<Instant> {
        let bus = self.under_way.as_ref().map(|(end, _)| *end);
        [bus, self.processing].into_iter().chain(self.tasks).flatten().min()
    }

    /// Moves everything that can happen now on the host's side; tells if anything did.
    pub fn host(&mut self, now: Instant, host: &mut Host, coprocessor: &mut Coprocessor, powered: bool) -> bool {
        self.run_tasks(now, host) | self.transact(now, host, coprocessor, powered)
    }

    /// Moves everything that can happen now on the co-processor's side; tells if anything did.
    pub fn coprocessor(&mut self, now: Instant, coprocessor: &mut Coprocessor) -> bool {
        match (self.processing, coprocessor.work()) {
            (None, Some(_)) => {
                self.processing = Some(now + self.costs.to_air);
                self.costs.to_air.is_zero()
            }
            (Some(end), _) if end <= now => {
                self.processing = None;
                coprocessor.worked(now);
                true
            }
            _ => false,
        }
    }

    fn run_tasks(&mut self, now: Instant, host: &mut Host) -> bool {
        let mut any = false;
        for (at, task) in TASKS.into_iter().enumerate() {
            let takes = if task == Task::Write { self.costs.write_frame } else { self.costs.copy_frame };
            match (self.tasks[at], host.work(task)) {
                (None, Some(_)) => {
                    self.tasks[at] = Some(now + takes);
                    any |= takes.is_zero();
                }
                (Some(end), _) if end <= now => {
                    self.tasks[at] = None;
                    host.worked(now, task, 1);
                    any = true;
                }
                _ => {}
            }
        }
        any
    }

    fn transact(&mut self, now: Instant, host: &mut Host, coprocessor: &mut Coprocessor, powered: bool) -> bool {
        if self.under_way.is_none() {
            let Some(transaction) = host.transaction(now) else { return false };
            self.under_way = Some((now + self.takes(&transaction), transaction));
        }
        let Some((_, transaction)) = self.under_way.take_if(|(end, _)| *end <= now) else { return false };
        if !powered {
            host.done(now, transaction, Completion::Failed(BusError::Timeout));
            return true;
        }
        let (read, failed) = match coprocessor.bus(now, &transaction, &mut self.reply) {
            Completion::Read(_) => (true, None),
            Completion::Written => (false, None),
            Completion::Failed(error) => (false, Some(error)),
        };
        // The line has changed before the host hears of the end.
        listen(now, host, coprocessor);
        let completion = match failed {
            Some(error) => Completion::Failed(error),
            None if read => Completion::Read(&self.reply),
            None => Completion::Written,
        };
        host.done(now, transaction, completion);
        true
    }

    fn takes(&self, transaction: &Transaction) -> Duration {
        let wire = match transaction {
            Transaction::Initialise => self.timing.registers(4) * IDENTIFICATION,
            Transaction::ReadRegisters { octets, .. } => self.timing.registers(u32::from(*octets)),
            // The last is of SPI: an update goes over SDIO.
            Transaction::WriteRegister { .. } | Transaction::ClearReady => self.timing.registers(4),
            Transaction::ReadData { .. } | Transaction::WriteData(_) => self.timing.data(transaction.octets()),
        };
        wire + self.costs.transaction
    }
}

/// Commands of the identification: CMD5 twice, CMD3, CMD7, and CMD52 for width, function and block size. *Assumed.*
const IDENTIFICATION: u64 = 12;

/// Passes on the outputs of the co-processor: its interrupt line; it joins no network here, so nothing is for the air.
pub(super) fn listen(now: Instant, host: &mut Host, coprocessor: &mut Coprocessor) -> bool {
    let mut any = false;
    while let Some(output) = coprocessor.poll(now) {
        any = true;
        match output {
            CoprocessorOutput::Interrupt(asserted) => host.interrupt(now, asserted),
            CoprocessorOutput::Offer(frame) => {
                drop(frame);
                coprocessor.offered(now, None);
            }
            _ => {}
        }
    }
    any
}

/// Next output of the host, one by one; a reset is carried out.
pub(super) fn said(now: Instant, host: &mut Host, coprocessor: &mut Coprocessor, powered: bool) -> Option<HostOutput> {
    let output = host.poll(now)?;
    if matches!(output, HostOutput::Reset) && powered {
        coprocessor.reset(now);
    }
    Some(output)
}
