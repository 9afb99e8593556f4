//! Clients as limits tell them apart.

use std::net::IpAddr;
#[cfg(feature = "listen")]
use std::net::{Ipv6Addr, SocketAddr};

#[cfg(feature = "listen")]
use axum::extract::ConnectInfo;
use axum::http::Extensions;

use super::Caller;
use crate::Id;

/// A client by its account, or by the network that it is likely to have alone.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(not(feature = "listen"), expect(dead_code, reason = "only a listener tells addresses"))]
pub(super) enum ClientKey {
    Account(Id),
    /// An IPv4 address, or an IPv6 network of 64 bits ([RFC 6177](https://www.rfc-editor.org/rfc/rfc6177)).
    Address(IpAddr),
}

impl ClientKey {
    pub(super) fn account(caller: Option<&Caller>) -> Option<Self> {
        caller?.account.clone().map(Self::Account)
    }

    #[cfg(feature = "listen")]
    pub(super) fn address(extensions: &Extensions) -> Option<Self> {
        Some(Self::Address(network(peer(extensions)?)))
    }

    /// Only a listener tells addresses.
    #[cfg(not(feature = "listen"))]
    pub(super) fn address(_: &Extensions) -> Option<Self> {
        None
    }
}

/// The addresses that one client is likely to have alone.
#[cfg(feature = "listen")]
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address @ IpAddr::V4(_) => address,
    }
}

/// The address of the client, as a listener or a proxy that it trusts tells it.
#[cfg(feature = "listen")]
pub(super) fn peer(extensions: &Extensions) -> Option<IpAddr> {
    let told = extensions.get::<ConnectInfo<SocketAddr>>();
    told.map(|ConnectInfo(client)| client.ip().to_canonical())
}
