//! Names and addresses of this machine.

use std::net::IpAddr;

/// Whether a host, as a URL has it, is this machine.
pub(crate) fn is_loopback(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let address = bare.parse::<IpAddr>();
    host == "localhost"
        || host.ends_with(".localhost")
        || address.is_ok_and(|address| address.to_canonical().is_loopback())
}
