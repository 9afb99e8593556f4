//! `NodeInfo` documents.

use serde_json::json;

use super::prelude::*;

impl View<'_> {
    /// The document of a version of `NodeInfo`.
    pub(crate) fn nodeinfo(&self, version: &str) -> entities::NodeInfo {
        let release = self.state.release();
        let users = count(self.state.users().count());
        let accounts = &self.state.accounts;
        let local = accounts.values().filter(|account| account.domain.is_none());
        let posts: usize = local.map(|account| self.state.statuses.count_of(account.id)).sum();
        let services = current::NodeInfoServices { outbound: Vec::new(), inbound: Vec::new() };
        // Version 2.0 does not have them.
        let newer = |address: &str| match version {
            "2.0" => String::new(),
            _ => address.to_owned(),
        };
        current::NodeInfo {
            version: version.to_owned(),
            software: entities::NodeInfoSoftware {
                homepage: newer(release.homepage()),
                repository: newer(release.source_url()),
                ..current::NodeInfoSoftware {
                    name: release.program().to_owned(),
                    version: release.version_string(),
                }
                .into()
            },
            protocols: vec![json!("activitypub")],
            usage: current::NodeInfoUsage {
                users: entities::NodeInfoUsageUsers {
                    active_half_year: Some(users),
                    ..current::NodeInfoUsageUsers {
                        total: users,
                        active_month: users,
                        active_halfyear: users,
                    }
                    .into()
                },
                local_posts: count(posts),
            }
            .into(),
            open_registrations: true,
            services: services.into(),
            metadata: current::NodeInfoMetadata {
                node_name: "Stand-in".to_owned(),
                node_description: "A stand-in server of Fedispec, for tests.".to_owned(),
            }
            .into(),
        }
        .into()
    }
}
