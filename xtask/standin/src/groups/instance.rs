//! The instance documents, rules and activity of the server.

use fedispec::enums::DomainBlockSeverity;
use fedispec::instance;

use super::accounts::keep_picture;
use super::prelude::*;
use crate::store::moderation::{Permission, sha256};

/// The weeks that the activity is told of, and their length in milliseconds.
const WEEKS: i64 = 12;

pub(super) fn about(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, _: instance::Get, _| app.state().view(None).instance())
        .on(async |app: App, _: instance::GetV1, _| app.state().view(None).instance_v1())
        .on(by_user(|mut state, me, request: instance::Update, _| {
            let contact = request.contact_username.as_ref().map(|name| {
                let account = state.lookup(name).filter(|account| account.user.is_some());
                let why = format!(
                    "db error getting selected contact account with username {name}: sql: no rows in result set"
                );
                account.map(|account| account.id).ok_or_else(|| bad_request(&why))
            });
            let contact = contact.transpose()?;
            // The pictures of the server's own account, which a stand-in does not have, are taken and not shown.
            let thumbnail = keep_picture(&mut state, request.thumbnail.as_ref())?;
            let said = &mut state.described;
            set(&mut said.title, request.title);
            set(&mut said.short_description, request.short_description);
            set(&mut said.description, request.description);
            set(&mut said.terms, request.terms);
            set(&mut said.email, request.contact_email);
            set(&mut said.thumbnail_description, request.thumbnail_description);
            set(&mut said.custom_css, request.custom_css);
            said.contact = contact.or(said.contact);
            said.thumbnail = thumbnail.or(said.thumbnail);
            state.view(me).instance_v1()
        }))
        // A server without campaigns answers that it has no content.
        .on(by_user(|_, _, _: instance::DonationCampaign, _| {
            Err(Reply::new(StatusCode::NO_CONTENT))?
        }))
        .on(async |app: App, request: instance::Peers, call| {
            let state = app.state();
            let Some(filter) = request.filter.filter(|_| does(&call, Habit::FiltersPeers)) else {
                return Ok(Either::First(state.peers()));
            };
            let mut found: Vec<entities::PeerDomain> = Vec::new();
            for kind in filter.split(',').map(str::trim) {
                match kind {
                    "open" => {
                        let peers = state.peers().into_iter();
                        found.extend(peers.map(entities::PeerDomain::new));
                    }
                    "suspended" => {
                        found.extend(state.moderated.domain_blocks.values().map(suspended));
                    }
                    other => {
                        let told = format!(
                            "filter {other} not recognized; accepted values are 'open', 'suspended'"
                        );
                        return Err(bad_request(&told));
                    }
                }
            }
            found.sort_by(|one, other| one.domain.cmp(&other.domain));
            Ok(Either::Second(found))
        })
        .on(async |app: App, _: instance::Activity, _| {
            let state = app.state();
            let this_week = state.now().div_euclid(WEEK) * WEEK;
            let weeks = (0..WEEKS).map(|ago| {
                let begin = this_week - ago * WEEK;
                let is_in = |at: i64| (begin..begin + WEEK).contains(&at);
                let posted = state.statuses.posted(None, begin..begin + WEEK);
                let statuses: usize = posted.map(|posted| posted.count).sum();
                let registrations = state.users().filter(|user| is_in(user.created_at)).count();
                let logins = state.oauth.tokens.values().filter(|token| is_in(token.created_at));
                current::InstanceActivity {
                    logins: logins.count().to_string(),
                    registrations: registrations.to_string(),
                    statuses: statuses.to_string(),
                    week: (begin / 1000).to_string(),
                }
                .into()
            });
            Ok(weeks.collect())
        })
        .on(async |app: App, _: instance::Rules, _| Ok(app.state().view(None).rules().into()))
        .on(async |app: App, _: instance::DomainBlocks, _| {
            let state = app.state();
            let blocks = state.moderated.domain_blocks.values();
            let blocks = blocks.map(|block| {
                let severity = block.severity.as_ref();
                current::DomainBlock {
                    domain: block.domain.clone(),
                    digest: sha256(&block.domain),
                    severity: severity.map(|one| DomainBlockSeverity::custom(one.as_str())),
                    comment: block.public_comment.clone(),
                }
                .into()
            });
            Ok(blocks.collect())
        })
}

pub(super) fn texts(server: Server<App>) -> Server<App> {
    server
        .on(async |_: App, _: instance::ExtendedDescription, _| {
            // As of a server that has written none.
            Ok(current::ExtendedDescription { content: String::new(), updated_at: None }.into())
        })
        .on(async |_: App, _: instance::PrivacyPolicy, _| {
            let policy = current::PrivacyPolicy {
                updated_at: time(0),
                content: "<p>This server keeps what tests send until it is stopped.</p>".to_owned(),
            };
            Ok(policy.into())
        })
        .on(async |_: App, _: instance::TermsOfService, _| {
            // As of a server that has published none.
            Err(Error::not_found())
        })
        .on(async |_: App, _: instance::TermsOfServiceOf, _| Err(Error::not_found()))
        .on(async |_: App, _: instance::TranslationLanguages, _| Ok(Map::default()))
        .on(async |_: App, _: instance::Languages, _| {
            let english =
                current::InstanceLanguage { code: "en".to_owned(), name: "English".to_owned() };
            Ok(List::new([english.into()]))
        })
        .on(async |app: App, request: instance::SearchPeers, _| {
            let begin = request.q.unwrap_or_default().to_lowercase();
            let mut peers = app.state().peers();
            peers.retain(|peer| peer.starts_with(&begin));
            Ok(peers.into())
        })
}

/// A blocked domain as GoToSocial lists it.
fn suspended(block: &Permission) -> entities::PeerDomain {
    let comment = block.public_comment.clone().unwrap_or_default();
    let mut told = entities::PeerDomain::new(block.domain.as_str());
    told.suspended_at = Some(time(block.at));
    told.comment = Some(comment.clone());
    told.public_comment = comment;
    told
}
