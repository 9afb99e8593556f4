//! Operations that a server answers without a handler: that it runs, and where other operations are found.
//!
//! Operations whose answer only the application knows, such as its limits and the number of its users, are not among them.

use std::future::ready;
use std::sync::Arc;

use super::HandlerFuture;
use super::route::{Incoming, Run};
use crate::{Operation, Raw};

/// The facts that the answers are made from.
pub(super) struct Discovery<'r> {
    pub(super) origin: Option<&'r str>,
    /// Whether an operation has a handler, by its id.
    pub(super) is_mounted: &'r dyn Fn(&str) -> bool,
    pub(super) has_streams: bool,
}

impl Discovery<'_> {
    /// Answers an operation; `None` where only the application can.
    pub(super) fn run(&self, operation: &Operation) -> Option<Run> {
        let raw = self.raw(operation.id)?;
        Some(Arc::new(move |input: Incoming| -> HandlerFuture {
            let (_, arrived) = input.into_parts();
            Box::pin(ready(arrived.outgoing.answered(&mut raw.clone())))
        }))
    }

    fn raw(&self, id: &str) -> Option<Raw> {
        let text = |text: &str| Raw::new("text/plain; charset=utf-8", text);
        match id {
            "health.get" | "health.live" => Some(text("OK")),
            "streaming.health" => self.has_streams.then(|| text("OK")),
            "nodeinfo.links" => {
                let versions = [("2.0", "nodeinfo.get"), ("2.1", "nodeinfo.get_2_1")];
                let origin = self.origin?;
                let link = |version: &str| {
                    serde_json::json!({
                        "rel": format!("http://nodeinfo.diaspora.software/ns/schema/{version}"),
                        "href": format!("{origin}/nodeinfo/{version}"),
                    })
                };
                let mounted = versions.iter().filter(|(_, id)| (self.is_mounted)(id));
                let links: Vec<_> = mounted.map(|(version, _)| link(version)).collect();
                let links = (!links.is_empty()).then(|| serde_json::json!({ "links": links }));
                Some(Raw::new("application/json; charset=utf-8", links?.to_string()))
            }
            "webfinger.host_meta" => {
                let origin = self.origin.filter(|_| (self.is_mounted)("webfinger.get"))?;
                let origin = super::escape_html(origin);
                let xrd = format!(
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                     <XRD xmlns=\"http://docs.oasis-open.org/ns/xri/xrd-1.0\">\
                     <Link rel=\"lrdd\" template=\"{origin}/.well-known/webfinger?resource={{uri}}\"/></XRD>\n"
                );
                Some(Raw::new("application/xrd+xml; charset=utf-8", xrd))
            }
            _ => None,
        }
    }
}
