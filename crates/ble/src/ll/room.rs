//! Room for received data above a controller: of its host, which may count its packets, and of the bus to it, which may take one at a time.

/// Room above a controller, in ACL packets; where nobody counts there is always some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Room {
    /// Packets the host still takes, if host flow control is on.
    pub host: Option<u16>,
    /// Packets the bus to the host takes at once, if it takes time.
    pub bus: Option<u16>,
}

impl Room {
    /// True if a packet can go up now.
    pub fn is_there(self) -> bool {
        self.host != Some(0) && self.bus != Some(0)
    }

    /// Takes the room of a packet; true if the host will give it back.
    pub fn take(&mut self) -> bool {
        for room in [&mut self.host, &mut self.bus].into_iter().flatten() {
            *room -= 1;
        }
        self.host.is_some()
    }

    /// The host has taken in so many packets.
    pub fn host_has_taken(&mut self, packets: u16) {
        if let Some(room) = &mut self.host {
            *room = room.saturating_add(packets);
        }
    }
}
