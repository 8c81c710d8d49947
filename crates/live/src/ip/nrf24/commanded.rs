//! A link whose ends are killed and started while it goes on.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use super::command::{Command, Commands};
use super::nodes::Nodes;
use super::stations::Program;
use crate::ip::{ENDS, Namespaces, PacedLink, Served};

/// Two nodes, and the commands for them.
pub struct Commanded {
    link: PacedLink<Nodes<Program>>,
    commands: Option<Commands>,
    says: Box<dyn FnMut(&str)>,
}

impl Commanded {
    /// `link`, whose ends obey `commands`; `says` is told what becomes of them.
    pub fn new(link: PacedLink<Nodes<Program>>, commands: Option<Commands>, says: Box<dyn FnMut(&str)>) -> Self {
        Self { link, commands, says }
    }

    fn kill(&mut self, end: usize, namespaces: &mut Namespaces) {
        namespaces.close(end);
        let says = if self.link.kill(end) { "killed" } else { "nothing runs" };
        self.say(end, says);
    }

    fn start(&mut self, end: usize, namespaces: &mut Namespaces) {
        if self.link.plant().is_up(end) {
            return self.say(end, "it runs");
        }
        match namespaces.open(end) {
            Ok(()) => {
                self.link.start(end);
                self.say(end, "started");
            }
            Err(error) => self.say(end, &error.to_string()),
        }
    }

    fn say(&mut self, end: usize, what: &str) {
        (self.says)(&format!("end {}: {what}", ENDS[end]));
    }
}

impl Served for Commanded {
    type Plant = Nodes<Program>;

    fn link(&self) -> &PacedLink<Self::Plant> {
        &self.link
    }

    fn link_mut(&mut self) -> &mut PacedLink<Self::Plant> {
        &mut self.link
    }

    fn orders(&self) -> Option<BorrowedFd<'_>> {
        self.commands.as_ref().map(Commands::as_fd)
    }

    fn obey(&mut self, namespaces: &mut Namespaces) {
        let Some(mut commands) = self.commands.take() else { return };
        let goes_on = commands.read();
        while let Some(command) = commands.command() {
            match command {
                Ok(Command::Kill(end)) => self.kill(end, namespaces),
                Ok(Command::Start(end)) => self.start(end, namespaces),
                Ok(Command::Restart(end)) => {
                    self.kill(end, namespaces);
                    self.start(end, namespaces);
                }
                Err(error) => (self.says)(&error.to_string()),
            }
        }
        self.commands = goes_on.then_some(commands);
    }

    /// The end is as good as killed.
    fn lost(&mut self, end: usize, error: io::Error) -> io::Result<()> {
        self.link.kill(end);
        self.say(end, &format!("its device is lost: {error}"));
        Ok(())
    }
}
