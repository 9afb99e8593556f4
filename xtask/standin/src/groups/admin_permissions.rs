//! Drafts of blocks and allows of domains, domains that are to have neither, and lists that other servers keep.

use fedispec::entities::{
    DomainPermission, DomainPermissionSubscription, Error as ErrorEntity, PeerDomain,
};
use fedispec::enums::{AdminDomainBlockSeverity, DomainPermissionType};
use fedispec::runtime::List;
use fedispec::server::{
    AdminDomainKeys, AdminDomainPermissionDrafts, AdminDomainPermissionExcludes,
    AdminDomainPermissionSubscriptions, Call, Either, Error, Id, Page, Result, StatusCode,
};
use fedispec::{
    admin_domain_keys, admin_domain_permission_drafts, admin_domain_permission_excludes,
    admin_domain_permission_subscriptions, required,
};

use super::admin_blocks::{domain, imported};
use super::support::malformed;
use crate::app::App;
use crate::store::moderation::{DomainAllow, DomainBlock, Permission, Subscription};
use crate::store::{Key, State};

const SIZES: (usize, usize) = (100, 200);

impl AdminDomainPermissionDrafts for App {
    async fn list(
        &self,
        request: admin_domain_permission_drafts::List,
        call: Call,
    ) -> Result<Page<DomainPermission>> {
        let (state, me) = self.user(&call)?;
        let kind = request.permission_type.as_deref().map(DomainPermissionType::from);
        let found = state.moderated.drafts.values().filter(|draft| {
            request.domain.as_ref().is_none_or(|domain| *domain == draft.domain)
                && (kind.is_none() || kind == draft.kind)
                // No draft is of a subscription, as nothing is ever fetched.
                && request.subscription_id.is_none()
        });
        let page = state.page_of(&call, SIZES, found.map(|draft| (draft.id, draft)));
        Ok(page.map(|draft| Some(state.view(me).permission(draft))))
    }

    async fn create(
        &self,
        request: admin_domain_permission_drafts::Create,
        call: Call,
    ) -> Result<Either<DomainPermission, Vec<DomainPermission>>> {
        let list = match &request.domains {
            Some(file) => Some(imported(&call, file)?),
            None => None,
        };
        let kind = kind(&call, request.permission_type.as_deref())?;
        let (mut state, me) = self.user(&call)?;
        let draft = |state: &mut State, domain, obfuscate, public, private| {
            let draft = Permission {
                id: state.next_key(),
                domain,
                kind: Some(kind.clone()),
                obfuscate,
                public_comment: public,
                private_comment: private,
                at: state.now(),
                by: me,
            };
            let view = state.view(me).permission(&draft);
            state.moderated.drafts.insert(draft.id, draft);
            view
        };
        let Some(list) = list else {
            let domain = domain(&call, &request.domain.unwrap_or_default())?;
            let (public, private) = (request.public_comment, request.private_comment);
            let made = draft(&mut state, domain, request.obfuscate, public, private);
            return Ok(Either::First(made));
        };
        let mut made = Vec::new();
        for one in list {
            let domain = domain(&call, &one.domain)?;
            let obfuscate = Some(one.obfuscate);
            made.push(draft(
                &mut state,
                domain,
                obfuscate,
                one.public_comment,
                one.private_comment,
            ));
        }
        Ok(Either::Second(made))
    }

    async fn get(
        &self,
        request: admin_domain_permission_drafts::Get,
        call: Call,
    ) -> Result<DomainPermission> {
        let (state, me) = self.user(&call)?;
        let draft = state.key(&request.id).and_then(|key| state.moderated.drafts.get(&key));
        Ok(state.view(me).permission(draft.ok_or_else(Error::not_found)?))
    }

    async fn accept(
        &self,
        request: admin_domain_permission_drafts::Accept,
        call: Call,
    ) -> Result<DomainPermission> {
        let (mut state, me) = self.user(&call)?;
        let draft = taken(&mut state, &request.id)?;
        let domain = draft.domain.clone();
        let moderated = &mut state.moderated;
        let is_known = match draft.kind {
            Some(DomainPermissionType::Allow) => {
                moderated.domain_allows.values().any(|known| known.domain == domain)
            }
            _ => moderated.domain_blocks.values().any(|known| known.domain == domain),
        };
        if is_known && request.overwrite != Some(true) {
            moderated.drafts.insert(draft.id, draft);
            let told = format!("Conflict: a domain permission already exists for {domain}");
            return Err(Error::new(StatusCode::CONFLICT, told));
        }
        if let Some(DomainPermissionType::Allow) = draft.kind {
            moderated.domain_allows.retain(|_, known| known.domain != domain);
            let allow = DomainAllow {
                id: draft.id,
                domain,
                obfuscate: draft.obfuscate.unwrap_or(false),
                public_comment: draft.public_comment.clone().unwrap_or_default(),
                private_comment: draft.private_comment.clone().unwrap_or_default(),
                at: draft.at,
                by: draft.by,
            };
            moderated.domain_allows.insert(allow.id, allow);
        } else {
            moderated.domain_blocks.retain(|_, known| known.domain != domain);
            let block = DomainBlock {
                id: draft.id,
                domain,
                severity: AdminDomainBlockSeverity::Suspend,
                obfuscate: draft.obfuscate.unwrap_or(false),
                reject_media: false,
                reject_reports: false,
                public_comment: draft.public_comment.clone(),
                private_comment: draft.private_comment.clone(),
                at: draft.at,
                by: draft.by,
            };
            moderated.domain_blocks.insert(block.id, block);
        }
        Ok(DomainPermission {
            // What is no draft any more has its kind by where it stands.
            permission_type: None,
            ..state.view(me).permission(&draft)
        })
    }

    async fn remove(
        &self,
        request: admin_domain_permission_drafts::Remove,
        call: Call,
    ) -> Result<DomainPermission> {
        let (mut state, me) = self.user(&call)?;
        let draft = taken(&mut state, &request.id)?;
        if request.exclude_target == Some(true) {
            let exclude = Permission { id: state.next_key(), kind: None, ..draft.clone() };
            state.moderated.excludes.insert(exclude.id, exclude);
        }
        Ok(state.view(me).permission(&draft))
    }
}

/// Takes a draft out.
fn taken(state: &mut State, id: &Id<DomainPermission>) -> Result<Permission> {
    let key = state.key(id);
    let draft = key.and_then(|key| state.moderated.drafts.remove(&key));
    draft.ok_or_else(Error::not_found)
}

fn kind(call: &Call, given: Option<&str>) -> Result<DomainPermissionType> {
    match given.map(DomainPermissionType::from) {
        Some(DomainPermissionType::Unrecognized(_)) | None => {
            let told = "permission_type must be set, valid values are block or allow";
            Err(malformed(call, told, told))
        }
        Some(kind) => Ok(kind),
    }
}

impl AdminDomainPermissionExcludes for App {
    async fn list(
        &self,
        request: admin_domain_permission_excludes::List,
        call: Call,
    ) -> Result<Page<DomainPermission>> {
        let (state, me) = self.user(&call)?;
        let found = state.moderated.excludes.values();
        let found =
            found.filter(|one| request.domain.as_ref().is_none_or(|own| *own == one.domain));
        let page = state.page_of(&call, SIZES, found.map(|one| (one.id, one)));
        Ok(page.map(|one| Some(state.view(me).permission(one))))
    }

    async fn create(
        &self,
        request: admin_domain_permission_excludes::Create,
        call: Call,
    ) -> Result<DomainPermission> {
        let (mut state, me) = self.user(&call)?;
        let exclude = Permission {
            id: state.next_key(),
            domain: domain(&call, &request.domain.unwrap_or_default())?,
            kind: None,
            obfuscate: None,
            public_comment: None,
            private_comment: request.private_comment,
            at: state.now(),
            by: me,
        };
        let view = state.view(me).permission(&exclude);
        state.moderated.excludes.insert(exclude.id, exclude);
        Ok(view)
    }

    async fn delete(
        &self,
        request: admin_domain_permission_excludes::Delete,
        call: Call,
    ) -> Result<DomainPermission> {
        let (mut state, me) = self.user(&call)?;
        let key = state.key(&request.id);
        let exclude = key.and_then(|key| state.moderated.excludes.remove(&key));
        Ok(state.view(me).permission(&exclude.ok_or_else(Error::not_found)?))
    }

    async fn get(
        &self,
        request: admin_domain_permission_excludes::Get,
        call: Call,
    ) -> Result<DomainPermission> {
        let (state, me) = self.user(&call)?;
        let exclude = state.key(&request.id).and_then(|key| state.moderated.excludes.get(&key));
        Ok(state.view(me).permission(exclude.ok_or_else(Error::not_found)?))
    }
}

#[allow(clippy::cast_possible_truncation, reason = "clamped to a byte")]
fn priority(given: f64) -> i64 {
    given.clamp(0.0, 255.0) as i64
}

impl AdminDomainPermissionSubscriptions for App {
    async fn list(
        &self,
        request: admin_domain_permission_subscriptions::List,
        call: Call,
    ) -> Result<Page<DomainPermissionSubscription>> {
        let (state, me) = self.user(&call)?;
        let kind = request.permission_type.as_deref().map(DomainPermissionType::from);
        let found = state.moderated.subscriptions.values();
        let found = found.filter(|one| kind.as_ref().is_none_or(|kind| *kind == one.kind));
        let page = state.page_of(&call, SIZES, found.map(|one| (one.id, one)));
        Ok(page.map(|one| Some(state.view(me).subscription(one))))
    }

    async fn create(
        &self,
        request: admin_domain_permission_subscriptions::Create,
        call: Call,
    ) -> Result<DomainPermissionSubscription> {
        let kind = kind(&call, Some(&request.permission_type))?;
        let (mut state, me) = self.user(&call)?;
        let mut known = state.moderated.subscriptions.values();
        if known.any(|one| one.uri == request.uri) {
            let told = "Conflict: domain permission subscription already exists for given URI";
            return Err(Error::new(StatusCode::CONFLICT, told));
        }
        let subscription = Subscription {
            id: state.next_key(),
            kind,
            title: request.title.unwrap_or_default(),
            priority: priority(request.priority.unwrap_or_default()),
            uri: request.uri,
            content_type: request.content_type,
            as_draft: request.as_draft.unwrap_or(true),
            adopt_orphans: request.adopt_orphans.unwrap_or(false),
            fetch_username: request.fetch_username,
            fetch_password: request.fetch_password.map(|secret| secret.expose().to_owned()),
            at: state.now(),
            by: me,
        };
        let view = state.view(me).subscription(&subscription);
        state.moderated.subscriptions.insert(subscription.id, subscription);
        Ok(view)
    }

    async fn preview(
        &self,
        request: admin_domain_permission_subscriptions::Preview,
        call: Call,
    ) -> Result<List<DomainPermissionSubscription>> {
        let kind = kind(&call, Some(&request.permission_type))?;
        let (state, me) = self.user(&call)?;
        let found = state.moderated.subscriptions.values();
        let mut found: Vec<_> = found.filter(|one| one.kind == kind).collect();
        found.sort_by_key(|one| (std::cmp::Reverse(one.priority), one.id));
        Ok(found.into_iter().map(|one| state.view(me).subscription(one)).collect())
    }

    async fn get(
        &self,
        request: admin_domain_permission_subscriptions::Get,
        call: Call,
    ) -> Result<DomainPermissionSubscription> {
        let (state, me) = self.user(&call)?;
        let key = known(&state, &request.id)?;
        let one = state.moderated.subscriptions.get(&key);
        Ok(state.view(me).subscription(one.ok_or_else(Error::not_found)?))
    }

    async fn update(
        &self,
        request: admin_domain_permission_subscriptions::Update,
        call: Call,
    ) -> Result<DomainPermissionSubscription> {
        let (mut state, me) = self.user(&call)?;
        let key = known(&state, &request.id)?;
        let one = state.moderated.subscriptions.get_mut(&key).ok_or_else(Error::not_found)?;
        if let Some(given) = request.priority {
            one.priority = priority(given);
        }
        one.title = request.title.unwrap_or_else(|| one.title.clone());
        one.uri = request.uri.unwrap_or_else(|| one.uri.clone());
        one.content_type = request.content_type.unwrap_or_else(|| one.content_type.clone());
        one.as_draft = request.as_draft.unwrap_or(one.as_draft);
        one.adopt_orphans = request.adopt_orphans.unwrap_or(one.adopt_orphans);
        one.fetch_username = request.fetch_username.or(one.fetch_username.take());
        let password = request.fetch_password.map(|secret| secret.expose().to_owned());
        one.fetch_password = password.or(one.fetch_password.take());
        let one = one.clone();
        Ok(state.view(me).subscription(&one))
    }

    async fn remove(
        &self,
        request: admin_domain_permission_subscriptions::Remove,
        call: Call,
    ) -> Result<DomainPermissionSubscription> {
        let (mut state, me) = self.user(&call)?;
        let key = known(&state, &request.id)?;
        let one = state.moderated.subscriptions.remove(&key).ok_or_else(Error::not_found)?;
        Ok(state.view(me).subscription(&one))
    }

    async fn test(
        &self,
        request: admin_domain_permission_subscriptions::Test,
        call: Call,
    ) -> Result<Either<Vec<PeerDomain>, ErrorEntity>> {
        let (state, _) = self.user(&call)?;
        let key = known(&state, &request.id)?;
        let one = state.moderated.subscriptions.get(&key).ok_or_else(Error::not_found)?;
        // A stand-in talks to no other server.
        let error = format!("http call to {} failed: no other server is asked", one.uri);
        Ok(Either::Second(required::Error { error }.into()))
    }
}

fn known(state: &State, id: &Id<DomainPermissionSubscription>) -> Result<Key> {
    let key = state.key(id);
    let key = key.filter(|key| state.moderated.subscriptions.contains_key(key));
    key.ok_or_else(Error::not_found)
}

impl AdminDomainKeys for App {
    async fn expire(
        &self,
        request: admin_domain_keys::Expire,
        call: Call,
    ) -> Result<fedispec::entities::AdminActionResponse> {
        let (mut state, _) = self.user(&call)?;
        domain(&call, &request.domain.unwrap_or_default())?;
        let action = state.next_key();
        let answer = required::AdminActionResponse { action_id: state.id(action) };
        call.set_status(StatusCode::ACCEPTED)?;
        Ok(answer.into())
    }
}
