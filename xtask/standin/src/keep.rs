//! Work in the background: what is due happens, and what has changed is saved.

use std::path::PathBuf;
use std::time::Duration;

use tokio::task::JoinHandle;

use crate::app::App;
use crate::store::file::DataError;

/// A task that ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Keeper(JoinHandle<()>);

impl Keeper {
    /// Starts the work.
    pub(crate) fn start(app: App, data: Option<PathBuf>) -> Self {
        Self(tokio::spawn(keep(app, data)))
    }

    #[cfg(feature = "tls")]
    pub(crate) fn new(task: JoinHandle<()>) -> Self {
        Self(task)
    }

    pub(crate) fn stop(&self) {
        self.0.abort();
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Lets happen what is due, and saves what has changed.
async fn keep(app: App, data: Option<PathBuf>) {
    loop {
        let changed = tokio::time::timeout(Duration::from_secs(1), app.changed()).await;
        if changed.is_err() {
            // A stream must hear of what is due, although it sends no requests.
            drop(app.state());
            continue;
        }
        if let Some(file) = &data
            && let Err(error) = save(&app, file.clone()).await
        {
            eprintln!("{error}");
        }
    }
}

/// Saves the state as it is when those who save already have done so: a later save has the later state.
pub(crate) async fn save(app: &App, file: PathBuf) -> Result<(), DataError> {
    let app = app.clone();
    let saved = tokio::task::spawn_blocking(move || {
        let mut saved = app.saving();
        let writing = saved.next(&app.state());
        saved.write(&file, writing)
    });
    // It is not cancelled; a panic goes on here.
    saved.await.unwrap_or_else(|error| match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(_) => Ok(()),
    })
}
