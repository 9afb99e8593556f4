//! Drafts of blocks and allows of domains, domains that are to have neither, and lists that other servers keep.

use fedispec::entities::{DomainPermission, DomainPermissionSubscription};
use fedispec::enums::{AdminDomainBlockSeverity, DomainPermissionType};
use fedispec::{
    admin_domain_keys, admin_domain_permission_drafts as drafts,
    admin_domain_permission_excludes as excludes,
    admin_domain_permission_subscriptions as subscriptions,
};

use super::admin_blocks::{domain, said};
use super::prelude::*;
use crate::store::moderation::Permission;

const DRAFTS: Table<Permission, DomainPermission> =
    table!(moderated.drafts, |view, _, draft| view.permission(draft));

const EXCLUDES: Table<Permission, DomainPermission> =
    table!(moderated.excludes, |view, _, one| view.permission(one));

const SUBSCRIPTIONS: Table<DomainPermissionSubscription, DomainPermissionSubscription> =
    table!(moderated.subscriptions, |view, key, one| DomainPermissionSubscription {
        id: view.id(key),
        ..one.clone()
    });

pub(super) fn drafts(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, request: drafts::List, call| {
            let kind = request.permission_type.as_deref().map(DomainPermissionType::custom);
            DRAFTS.page(&app, &call, |_, draft| {
                request.domain.as_ref().is_none_or(|domain| *domain == draft.domain)
                    && (kind.is_none() || kind == draft.kind)
                    // No draft is of a subscription, as nothing is ever fetched.
                    && request.subscription_id.is_none()
            })
        })
        .on(by_user(|mut state, by, request: drafts::Create, call| {
            let kind = Some(kind(&call, &request.permission_type)?);
            let domain = domain(&call, &request.domain)?;
            let said = said!(request, domain);
            Ok(DRAFTS.add(&mut state, by, |id, at| Permission { id, at, by, kind, ..said }))
        }))
        .on(handler!(one DRAFTS, drafts::Get))
        .on(by_user(|mut state, me, request: drafts::Accept, _| {
            let draft = DRAFTS.find(&state, me, &request.id)?.clone();
            let severity = match draft.kind {
                Some(DomainPermissionType::Allow) => None,
                _ => Some(AdminDomainBlockSeverity::Suspend),
            };
            let moderated = &mut state.moderated;
            let to = match severity {
                None => &mut moderated.domain_allows,
                Some(_) => &mut moderated.domain_blocks,
            };
            let is_known = to.values().any(|known| known.domain == draft.domain);
            let told = format!("a domain permission already exists for {}", draft.domain);
            refuse_if!(is_known && request.overwrite != Some(true), conflict(&told));
            to.retain(|_, known| known.domain != draft.domain);
            to.insert(draft.id, Permission { severity, ..draft.clone() });
            moderated.drafts.remove(&draft.id);
            Ok(DomainPermission {
                // A permission that is no draft any more has its kind by where it stands.
                permission_type: None,
                ..state.view(me).permission(&draft)
            })
        }))
        .on(by_user(|mut state, me, request: drafts::Remove, _| {
            let draft = DRAFTS.take(&mut state, me, &request.id)?;
            if request.exclude_target == Some(true) {
                let exclude = draft.clone();
                EXCLUDES.add(&mut state, me, |id, _| Permission { id, kind: None, ..exclude });
            }
            Ok(state.view(me).permission(&draft))
        }))
}

fn kind(call: &Call, given: &str) -> Result<DomainPermissionType> {
    let kind = DomainPermissionType::custom(given);
    let is_unknown = matches!(kind, DomainPermissionType::Unrecognized(_));
    let told = "permission_type must be set, valid values are block or allow";
    refuse_if!(is_unknown, malformed_alike(call, told));
    Ok(kind)
}

pub(super) fn excludes(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, request: excludes::List, call| {
            EXCLUDES.page(&app, &call, |_, one| {
                request.domain.as_ref().is_none_or(|own| *own == one.domain)
            })
        })
        .on(by_user(|mut state, by, request: excludes::Create, call| {
            let domain = domain(&call, &request.domain)?;
            let private_comment = request.private_comment;
            Ok(EXCLUDES.add(&mut state, by, |id, at| Permission {
                id,
                at,
                by,
                domain,
                private_comment,
                ..Permission::default()
            }))
        }))
        .on(handler!(remove EXCLUDES, excludes::Delete))
        .on(handler!(one EXCLUDES, excludes::Get))
}

#[allow(clippy::cast_possible_truncation, reason = "clamped to a byte")]
fn priority(given: f64) -> i64 {
    given.clamp(0.0, 255.0) as i64
}

pub(super) fn subscriptions(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, request: subscriptions::List, call| {
            let kind = request.permission_type.as_deref().map(DomainPermissionType::custom);
            SUBSCRIPTIONS.page(&app, &call, |_, one| {
                kind.as_ref().is_none_or(|kind| *kind == one.permission_type)
            })
        })
        .on(by_user(|mut state, by, request: subscriptions::Create, call| {
            let kind = kind(&call, &request.permission_type)?;
            let mut known = state.moderated.subscriptions.values();
            let told = "domain permission subscription already exists for given URI";
            refuse_if!(known.any(|one| one.uri == request.uri), conflict(told));
            let created_by = state.id::<()>(by).to_string();
            Ok(SUBSCRIPTIONS.add(&mut state, by, |id, at| DomainPermissionSubscription {
                fetch_username: request.fetch_username,
                fetch_password: request.fetch_password,
                ..current::DomainPermissionSubscription {
                    id: id.to_string().into(),
                    permission_type: kind,
                    title: request.title.unwrap_or_default(),
                    priority: priority(request.priority.unwrap_or_default()),
                    uri: request.uri,
                    content_type: request.content_type,
                    as_draft: request.as_draft.unwrap_or(true),
                    adopt_orphans: request.adopt_orphans.unwrap_or(false),
                    count: 0,
                    created_at: time(at),
                    created_by,
                }
                .into()
            }))
        }))
        .on(by_user(|state, me, request: subscriptions::Preview, call| {
            let kind = kind(&call, &request.permission_type)?;
            let found = SUBSCRIPTIONS.of(&state, me);
            let found = found.filter(|(_, one)| one.permission_type == kind);
            let found = ranked(found, |(_, one)| one.priority);
            let show = |(key, one)| (SUBSCRIPTIONS.show)(state.view(me), key, one);
            Ok(found.into_iter().map(show).collect())
        }))
        .on(handler!(one SUBSCRIPTIONS, subscriptions::Get))
        .on(async |app: App, request: subscriptions::Update, call| {
            SUBSCRIPTIONS.change(&app, &request.id, &call, |one| {
                set(&mut one.priority, request.priority.map(priority));
                set(&mut one.title, request.title);
                set(&mut one.uri, request.uri);
                set(&mut one.content_type, request.content_type);
                set(&mut one.as_draft, request.as_draft);
                set(&mut one.adopt_orphans, request.adopt_orphans);
                one.fetch_username = request.fetch_username.or(one.fetch_username.take());
                one.fetch_password = request.fetch_password.or(one.fetch_password.take());
            })
        })
        .on(handler!(remove SUBSCRIPTIONS, subscriptions::Remove))
        .on(by_user(|state, me, request: subscriptions::Test, _| {
            let one = SUBSCRIPTIONS.find(&state, me, &request.id)?;
            // A stand-in talks to no other server.
            let error = format!("http call to {} failed: no other server is asked", one.uri);
            Ok(Either::Second(current::Error { error }.into()))
        }))
}

pub(super) fn domain_keys(server: Server<App>) -> Server<App> {
    server.on(by_user(|mut state, _, request: admin_domain_keys::Expire, call| {
        domain(&call, &request.domain)?;
        let action = state.next_key();
        let answer = current::AdminActionResponse { action_id: state.id(action) };
        call.set_status(StatusCode::ACCEPTED)?;
        Ok(answer.into())
    }))
}
