//! A stand-in that listens.

use std::io;
use std::net::SocketAddr;
use std::ops::Deref;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::control::Control;
use crate::keep::Keeper;
use crate::store::file::DataError;

/// A stand-in that runs, and its [`Control`]. It stops when this is dropped, and at once with [`stop`](Self::stop).
#[must_use = "the server stops when it is dropped"]
#[derive(Debug)]
pub struct Running {
    pub(crate) control: Control,
    pub(crate) address: SocketAddr,
    pub(crate) stop: oneshot::Sender<()>,
    pub(crate) served: JoinHandle<io::Result<()>>,
    /// The task in front of the server that speaks TLS.
    pub(crate) front: Option<Keeper>,
}

impl Running {
    /// The address on which it listens, whatever its public URL.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops the server and saves the state to the data file, if there is one.
    ///
    /// # Errors
    ///
    /// Where the file cannot be written.
    pub async fn stop(self) -> Result<(), DataError> {
        let Self { control, stop, served, front, .. } = self;
        control.0.keeper.stop();
        let saved = control.save().await;
        drop(front);
        let _ = stop.send(());
        let _ = served.await;
        saved
    }
}

impl Deref for Running {
    type Target = Control;

    fn deref(&self) -> &Control {
        &self.control
    }
}
