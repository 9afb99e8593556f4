//! `NodeInfo` documents, which name the server's software.

use fedispec::server::{Call, Nodeinfo, Result};
use fedispec::{current, entities, nodeinfo};

use crate::app::App;

impl Nodeinfo for App {
    async fn links(&self, _: nodeinfo::Links, _: Call) -> Result<entities::NodeInfoDiscovery> {
        let state = self.state();
        let link = |version: &str| {
            current::NodeInfoDiscoveryLinks {
                rel: format!("http://nodeinfo.diaspora.software/ns/schema/{version}"),
                href: format!("{}/nodeinfo/{version}", state.origin()),
            }
            .into()
        };
        // Both programs have 2.0; of 2.1 only those releases of GoToSocial that have the operation.
        let mut links = vec![link("2.0")];
        if self.release().has("nodeinfo.get21") {
            links.push(link("2.1"));
        }
        Ok(current::NodeInfoDiscovery { links }.into())
    }

    async fn get(&self, _: nodeinfo::Get, _: Call) -> Result<entities::NodeInfo> {
        Ok(self.state().view(None).nodeinfo(self.release(), "2.0"))
    }

    async fn get21(&self, _: nodeinfo::Get21, _: Call) -> Result<entities::NodeInfo> {
        Ok(self.state().view(None).nodeinfo(self.release(), "2.1"))
    }
}
