//! SIGINT and SIGTERM, noticed between steps instead of ending the process in the middle of one.
use crate::error::{Error, Result};
use anyhow::Context as _;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// The signal that came since [`Interrupt::catch`], if any.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// From here on the signals no longer end the process.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn catch() -> Result<Self> {
        let interrupt = Self::default();
        for number in [SIGINT, SIGTERM] {
            let seen = usize::try_from(number).expect("signal numbers are positive");
            signal_hook::flag::register_usize(number, interrupt.0.clone(), seen)
                .context("cannot handle signals")?;
        }
        Ok(interrupt)
    }

    /// The number of the signal, if one came.
    pub fn signal(&self) -> Option<i32> {
        number(self.0.load(Ordering::Relaxed))
    }

    /// The number of the signal, if one came since it was last taken.
    pub fn take(&self) -> Option<i32> {
        number(self.0.swap(0, Ordering::Relaxed))
    }

    /// # Errors
    /// If a signal came.
    pub(super) fn check(&self) -> Result<()> {
        match self.signal() {
            None => Ok(()),
            Some(signal) => Err(Error::interrupted(signal)),
        }
    }
}

fn number(seen: usize) -> Option<i32> {
    i32::try_from(seen).ok().filter(|number| *number != 0)
}
