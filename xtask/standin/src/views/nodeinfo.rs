//! `NodeInfo` documents.

use fedispec::{entities, required};
use serde_json::json;

use super::{View, count};
use crate::release::Release;

impl View<'_> {
    /// The document of a version of `NodeInfo`.
    pub(crate) fn nodeinfo(&self, release: &Release, version: &str) -> entities::NodeInfo {
        let users = count(self.state.users().count());
        let accounts = &self.state.accounts;
        let is_local = |key| accounts.get(key).is_some_and(|one| one.domain.is_none());
        let statuses = self.state.statuses.values();
        let posts = statuses.filter(|status| is_local(&status.account));
        let services = required::NodeInfoServices { outbound: Vec::new(), inbound: Vec::new() };
        // Version 2.0 does not have them.
        let newer = |address: &str| match version {
            "2.0" => String::new(),
            _ => address.to_owned(),
        };
        entities::NodeInfo {
            services: Some(services.into()),
            metadata: Some(entities::NodeInfoMetadata {
                node_name: Some("Stand-in".to_owned()),
                node_description: Some("A stand-in server of Fedispec, for tests.".to_owned()),
                ..entities::NodeInfoMetadata::default()
            }),
            ..required::NodeInfo {
                version: version.to_owned(),
                software: entities::NodeInfoSoftware {
                    homepage: newer(release.homepage()),
                    repository: newer(release.source_url()),
                    ..required::NodeInfoSoftware {
                        name: release.program().to_owned(),
                        version: release.version_string(),
                    }
                    .into()
                },
                protocols: vec![json!("activitypub")],
                usage: entities::NodeInfoUsage {
                    local_posts: Some(count(posts.count())),
                    ..required::NodeInfoUsage {
                        users: entities::NodeInfoUsageUsers {
                            total: Some(users),
                            active_month: Some(users),
                            active_halfyear: Some(users),
                            active_half_year: Some(users),
                            ..entities::NodeInfoUsageUsers::default()
                        },
                    }
                    .into()
                },
                open_registrations: true,
            }
            .into()
        }
    }
}
