//! Ctrl-C and SIGTERM: whatever step is under way ends in good order, and the journal says so.

use std::sync::{Arc, Mutex, PoisonError};

use airtime_live::Stopper;
use airtime_system::stop::Stop;

use crate::exit::Failure;
use crate::interrupt::on_signal;
use crate::output;

/// Wish to stop, which anybody may wait for.
pub struct Interrupt {
    /// Stop that is asked.
    pub stop: Arc<Stop>,
    also: Arc<Mutex<Option<Stopper>>>,
}

impl Interrupt {
    /// Begins to listen.
    ///
    /// # Errors
    /// When the system refuses the handler.
    pub fn listen() -> Result<Self, Failure> {
        let stop = Stop::new().map_err(|error| Failure::Machine(format!("cannot listen for Ctrl-C: {error}")))?;
        let (stopper, also) = (stop.stopper(), Arc::new(Mutex::new(None::<Stopper>)));
        let others = also.clone();
        // A second one ends nothing earlier: programs of the bench would be left behind, with a probe in their hands.
        on_signal(move || {
            if stopper.stop() {
                output::say("stopping; a step that is under way ends first, within seconds");
            }
            if let Some(other) = &*others.lock().unwrap_or_else(PoisonError::into_inner) {
                other.stop();
            }
        })?;
        Ok(Self { stop: Arc::new(stop), also })
    }

    /// Stops `other` as well.
    ///
    /// # Errors
    /// None; the form is that of what registers a handler.
    pub fn stops_too(&self, other: Stopper) -> Result<(), Failure> {
        let mut also = self.also.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_asked() {
            other.stop();
        }
        *also = Some(other);
        Ok(())
    }

    /// True once anybody has asked.
    pub fn is_asked(&self) -> bool {
        self.stop.is_asked()
    }
}
