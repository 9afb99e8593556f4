//! The requests of such a client, and its reading of the answers.

mod fedispec {
    include!(concat!(env!("OUT_DIR"), "/fedispec.rs"));
}

use fedispec::entities::Instance;
use fedispec::notifications;
use fedispec_runtime::client;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let newest = notifications::List::new().limit(40);
    let request = client::request(&newest, &"social.example".parse()?, None)?;
    println!("{} {}", request.method(), request.uri());
    Ok(())
}

/// Every supported release says how long a status may be: there is no `Option` to ask.
pub fn longest_status(instance: &Instance) -> i64 {
    instance.configuration.statuses.max_characters
}
