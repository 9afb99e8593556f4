//! `NodeInfo` documents, which name the server's software.

use fedispec::nodeinfo;

use super::prelude::*;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, _: nodeinfo::Links, _| {
            let state = app.state();
            let link = |version: &str| {
                current::NodeInfoDiscoveryLinks {
                    rel: format!("http://nodeinfo.diaspora.software/ns/schema/{version}"),
                    href: format!("{}/nodeinfo/{version}", state.origin()),
                }
                .into()
            };
            // Both programs have 2.0; of 2.1 only those releases of GoToSocial that have the operation.
            let mut links = vec![link("2.0")];
            if app.release().has("nodeinfo.get21") {
                links.push(link("2.1"));
            }
            Ok(current::NodeInfoDiscovery { links }.into())
        })
        .on(async |app: App, _: nodeinfo::Get, _| {
            Ok(app.state().view(None).nodeinfo(app.release(), "2.0"))
        })
        .on(async |app: App, _: nodeinfo::Get21, _| {
            Ok(app.state().view(None).nodeinfo(app.release(), "2.1"))
        })
}
