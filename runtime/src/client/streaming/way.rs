//! The kind of connection that a stream comes over.

use super::Subscription;
use crate::compatibility::{Gate, Reason, Refusal};

/// The kind of connection that a stream comes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Over {
    /// A WebSocket. It can have several streams.
    WebSocket,
    /// Server-sent events.
    ServerSentEvents,
}

/// The way to a set of streams that a server has.
pub(super) struct Ways {
    web_socket: Result<(), Box<Refusal>>,
    event_lines: Result<(), Box<Refusal>>,
    several: bool,
}

impl Ways {
    /// Without a gate nothing is known to be missing.
    pub(super) fn of(set: &[Subscription], gate: Option<&Gate>) -> Self {
        Self {
            web_socket: has(gate, &web_socket(set)),
            event_lines: has(gate, &event_lines(set)),
            several: set.len() > 1,
        }
    }

    /// The kind to take, and whether the other one may be tried if the server does not have it after all.
    ///
    /// A stream that the server is known never to send anything on is refused, whatever the policy: nobody would find out.
    pub(super) fn choose(self, asked: Option<Over>) -> Result<(Over, bool), Box<Refusal>> {
        let Self { web_socket, event_lines, several } = self;
        match asked {
            Some(Over::ServerSentEvents) => event_lines.map(|()| (Over::ServerSentEvents, false)),
            Some(Over::WebSocket) => web_socket.map(|()| (Over::WebSocket, false)),
            None => match (web_socket, event_lines) {
                (Ok(()), lines) => Ok((Over::WebSocket, lines.is_ok() && !several)),
                (Err(_), Ok(())) if !several => Ok((Over::ServerSentEvents, false)),
                (Err(refusal), _) => Err(refusal),
            },
        }
    }
}

/// The ids of what it takes to have all of these streams on one WebSocket.
fn web_socket(set: &[Subscription]) -> Vec<String> {
    let mut needed = vec!["streaming.connect".to_owned()];
    if set.len() > 1 {
        needed.push("StreamSubscriptionType.subscribe".to_owned());
    }
    let channels = set.iter().filter_map(Subscription::channel);
    needed.extend(channels.map(|channel| format!("StreamName.{channel}")));
    needed
}

/// The ids of what it takes to have these streams as server-sent events.
fn event_lines(set: &[Subscription]) -> Vec<String> {
    let needed = set.iter().flat_map(|one| {
        let operation = one.operation();
        let params = one.set().filter_map(|index| operation.params.get(index));
        let params = params.map(|param| format!("{}.{}", operation.id, param.wire));
        std::iter::once(operation.id.to_owned()).chain(params)
    });
    needed.collect()
}

/// Refuses what the server is known to lack; items that the gate does not list may be there.
fn has(gate: Option<&Gate>, needed: &[String]) -> Result<(), Box<Refusal>> {
    let Some(gate) = gate else { return Ok(()) };
    for item in needed.iter().filter_map(|id| gate.items().get(id)) {
        let support = gate.server().supports_item(gate.items(), item);
        if support.is_no() {
            return Err(Box::new(Refusal {
                item: item.id(),
                name: "",
                evidence: support.evidence,
                server: gate.server().to_string(),
                reason: Reason::Lacking,
            }));
        }
    }
    Ok(())
}
