//! The desk between the machine and the tasks that drive TrouBLE.
//!
//! A task tells the machine what its host said; what the machine then asks for is sorted onto the
//! desk of the task whose business it is. Everything runs in one future, so nothing here is locked.

use core::cell::{Cell, RefCell};

use airtime_app::{ATT_CHANNEL, Command, Event, Machine};
use airtime_core::Instant;
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;

use crate::lane::{CHANNEL_FIRST, LaneDesk};
use crate::update::Update;
use crate::{Witness, clock};

/// Commands that may wait for one task; a machine leaves at most two per event, and 16 in all.
const COMMANDS: usize = 16;

type Commands = Channel<NoopRawMutex, Command, COMMANDS>;

/// The machine, its witness, and the commands that wait for their tasks: of `LINKS` connections with
/// `CHANNELS` channels each, on which SDUs of at most `SDU` octets are sent.
pub struct Desk<'a, const LINKS: usize, const CHANNELS: usize, const SDU: usize> {
    machine: &'a RefCell<dyn Machine + 'a>,
    witness: &'a dyn Witness,
    pub(crate) gap: Commands,
    pub(crate) links: [LinkDesk<CHANNELS>; LINKS],
    /// Instant that the alarm is set to.
    armed: Cell<Option<Instant>>,
    pub(crate) rearm: Signal<NoopRawMutex, ()>,
}

/// Work that waits for the tasks of one connection.
pub(crate) struct LinkDesk<const CHANNELS: usize> {
    conn: Cell<Option<u16>>,
    pub(crate) commands: Commands,
    pub(crate) lanes: [LaneDesk; CHANNELS],
    /// Commands about the peer's attributes.
    pub(crate) asked: Commands,
    /// Bell of the client's configuration of the stream, once it wants notifications.
    pub(crate) subscribed: Signal<NoopRawMutex, ()>,
    pub(crate) update: Update,
}

impl<const CHANNELS: usize> LinkDesk<CHANNELS> {
    const fn new() -> Self {
        Self {
            conn: Cell::new(None),
            commands: Channel::new(),
            lanes: [const { LaneDesk::new() }; CHANNELS],
            asked: Channel::new(),
            subscribed: Signal::new(),
            update: Update::new(),
        }
    }

    /// Takes connection `conn`; what waited for the last one is void.
    pub(crate) fn open(&self, conn: u16) {
        self.close();
        self.conn.set(Some(conn));
    }

    pub(crate) fn close(&self) {
        self.conn.set(None);
        self.commands.clear();
        self.asked.clear();
        self.subscribed.reset();
        self.update.answer();
        self.lanes.iter().for_each(LaneDesk::close);
    }
}

impl<'a, const LINKS: usize, const CHANNELS: usize, const SDU: usize> Desk<'a, LINKS, CHANNELS, SDU> {
    /// A desk for `machine`, watched by `witness`.
    pub const fn new(machine: &'a RefCell<dyn Machine + 'a>, witness: &'a dyn Witness) -> Self {
        Self {
            machine,
            witness,
            gap: Channel::new(),
            links: [const { LinkDesk::new() }; LINKS],
            armed: Cell::new(None),
            rearm: Signal::new(),
        }
    }

    /// Has a machine that was put in the place of one which has ended begin: the host works already.
    pub fn begin_again(&self) {
        self.tell(Event::Ready);
    }

    /// Has the machine say what it has to, after somebody has asked it for something beside the host.
    pub fn wake(&self) {
        self.tell(Event::Wake);
    }

    /// Witness that watches.
    pub(crate) fn witness(&self) -> &dyn Witness {
        self.witness
    }

    /// Instant at which the machine wants to be woken.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.machine.borrow().deadline()
    }

    /// Tells the machine something, and takes what it has to say to that.
    pub(crate) fn tell(&self, event: Event) {
        let now = clock::now();
        self.machine.borrow_mut().handle(now, event);
        if !matches!(event, Event::Sent { .. } | Event::Received { .. } | Event::Wake) {
            self.witness.told(now, &event);
        }
        while let Some(command) = self.next(now) {
            self.sort(now, command);
        }
        self.witness.settled(now);
        let due = self.deadline();
        if self.armed.replace(due) != due {
            self.rearm.signal(());
        }
    }

    /// The machine is not borrowed any more when its command is looked at.
    fn next(&self, now: Instant) -> Option<Command> {
        self.machine.borrow_mut().poll(now)
    }

    /// Says that a command was not carried out.
    pub(crate) fn refuse(&self, command: &Command) {
        self.witness.refused(clock::now(), command);
    }

    fn sort(&self, now: Instant, command: Command) {
        let taken = match command {
            Command::Send { conn, channel, len } => {
                let sequence = self.machine.borrow().sequence();
                let place = if channel == ATT_CHANNEL { 0 } else { channel.wrapping_sub(CHANNEL_FIRST) };
                let lane = self.link(conn).and_then(|link| link.lanes.get(usize::from(place)));
                lane.is_some_and(|lane| lane.push(sequence, len))
            }
            Command::Discover { conn } | Command::Subscribe { conn } => {
                self.link(conn).is_some_and(|link| link.asked.try_send(command).is_ok())
            }
            _ => match conn_of(&command) {
                Some(conn) => self.link(conn).is_some_and(|link| link.commands.try_send(command).is_ok()),
                None => self.gap.try_send(command).is_ok(),
            },
        };
        if !taken {
            self.witness.refused(now, &command);
        }
    }

    fn link(&self, conn: u16) -> Option<&LinkDesk<CHANNELS>> {
        self.links.iter().find(|link| link.conn.get() == Some(conn))
    }
}

/// The connection a command is about.
fn conn_of(command: &Command) -> Option<u16> {
    match *command {
        Command::Disconnect { conn }
        | Command::SetDataLength { conn, .. }
        | Command::SetPhy { conn, .. }
        | Command::SetFrameSpace { conn, .. }
        | Command::Encrypt { conn }
        | Command::UpdateInterval { conn, .. }
        | Command::ExchangeMtu { conn }
        | Command::OpenChannel { conn, .. }
        | Command::Send { conn, .. } => Some(conn),
        _ => None,
    }
}
