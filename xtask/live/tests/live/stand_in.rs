//! The stand-in server, as clients that others have written see it.
mod caller;
mod helpers;
mod masto;
mod other_calls;
mod reach;
mod recorded;
mod shapes;

use fedispec::runtime::Item;
use fedispec::server::emulation;

/// The ids of what a release does not have.
fn lacking(release: &str) -> Vec<&'static str> {
    let emulation = emulation(release).expect("a registered release");
    emulation.lacking().map(Item::id).collect()
}
