//! The groups of operations, in a file each, implemented on [`App`].

mod accounts;
mod apps;
mod instance;
mod oauth;
mod statuses;
mod timelines;

use fedispec::server::Server;

use crate::app::App;

/// The server with all groups that the stand-in has. What it has not answers 501.
pub(crate) fn server(app: &App) -> Server {
    Server::new()
        .authenticator(app.clone())
        .target(app.release().target())
        .accounts(app.clone())
        .apps(app.clone())
        .instance(app.clone())
        .oauth(app.clone())
        .statuses(app.clone())
        .timelines(app.clone())
}
