//! Command opcodes: OGF in the upper six bits, OCF in the lower ten. Core 6.0, Vol 4, Part E, 7.

use super::commands::{COMMANDS, Command};

/// A command opcode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Opcode(pub u16);

/// Makes a constant of every row of the table of commands.
macro_rules! opcodes {
    ($($name:ident = $ogf:literal, $ocf:literal, $octet:literal, $bit:literal, $answer:ident $part:ident.$handler:ident,
       $effect:ident, $needs:ident, $text:literal, $note:literal;)*) => {
        $(#[doc = concat!("`", $text, "`")] pub const $name: Opcode = Opcode($ogf << 10 | $ocf);)*
    };
}

super::commands::for_each_command!(opcodes);

/// Every command a controller of this project knows.
pub const ALL: &[Command] = COMMANDS;

impl Opcode {
    /// The row of the table of commands, if this project knows the command.
    pub fn command(self) -> Option<&'static Command> {
        ALL.iter().find(|command| command.opcode == self)
    }

    /// The name in the specification, if this project knows the command.
    pub fn name(self) -> Option<&'static str> {
        self.command().map(|command| command.name)
    }
}
