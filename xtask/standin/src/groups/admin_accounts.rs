//! Accounts as moderators see them, and what they do to them.

use fedispec::admin_accounts;
use fedispec::entities::{Account, AdminAccount};
use fedispec::enums::{AdminAccountPermissionFilter, AdminActionType, OriginType, StatusType};

use super::prelude::*;
use crate::store::accounts::{Account as Stored, Moderation, Role, User};
use crate::views::account::role_id;

/// Whether a moderator's list has an account.
fn fits(wanted: &admin_accounts::List, account: &Stored) -> bool {
    let user = account.user.as_ref();
    let done = &account.moderation;
    let has = |text: &str, part: &Option<String>| {
        let part = part.as_deref().unwrap_or_default().to_lowercase();
        text.to_lowercase().contains(&part)
    };
    let is_pending = user.is_some_and(|user| !user.approved);
    let origin = match &wanted.origin {
        Some(OriginType::Local) => account.domain.is_none(),
        Some(OriginType::Remote) => account.domain.is_some(),
        _ => true,
    };
    let status = match &wanted.status {
        Some(StatusType::Active) => !done.suspended && !done.disabled && !is_pending,
        Some(StatusType::Pending) => is_pending,
        Some(StatusType::Disabled) => done.disabled,
        Some(StatusType::Silenced) => done.silenced,
        Some(StatusType::Suspended) => done.suspended,
        Some(StatusType::Sensitized) => done.sensitized,
        _ => true,
    };
    let domain = wanted.by_domain.as_ref();
    let mail = user.map_or("", |user| user.email.as_str());
    let role = role_id(account.role());
    origin
        && status
        && (wanted.permissions.is_none() || account.role() != Role::User)
        && domain.is_none_or(|domain| account.domain.as_ref() == Some(domain))
        && has(&account.username, &wanted.username)
        && has(&account.profile.display_name, &wanted.display_name)
        && has(mail, &wanted.email)
        && wanted.ip.as_ref().is_none_or(|ip| user.is_some() && ip == "127.0.0.1")
        && (wanted.role_ids.is_empty() || wanted.role_ids.iter().any(|id| id.as_str() == role))
}

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(async |app: App, request: admin_accounts::ListV1, call| {
            let is = |flag: Option<bool>| flag == Some(true);
            let origins =
                [(is(request.local), OriginType::Local), (is(request.remote), OriginType::Remote)];
            let statuses = [
                (is(request.active), StatusType::Active),
                (is(request.pending), StatusType::Pending),
                (is(request.disabled), StatusType::Disabled),
                (is(request.silenced), StatusType::Silenced),
                (is(request.suspended), StatusType::Suspended),
                (is(request.sensitized), StatusType::Sensitized),
            ];
            // Mastodon shows local and active accounts unless it is told otherwise.
            let usual = (!does(&call, Habit::ListsAllAccounts))
                .then_some((OriginType::Local, StatusType::Active));
            let (origin, status) = usual.unzip();
            let mut wanted = admin_accounts::List::new();
            wanted.origin = origins.into_iter().find(|(is, _)| *is).map(|(_, one)| one).or(origin);
            wanted.status = statuses.into_iter().find(|(is, _)| *is).map(|(_, one)| one).or(status);
            wanted.permissions = is(request.staff).then_some(AdminAccountPermissionFilter::Staff);
            wanted.by_domain = request.by_domain;
            wanted.username = request.username;
            wanted.display_name = request.display_name;
            wanted.email = request.email;
            wanted.ip = request.ip;
            app.accounts(&wanted, &call)
        })
        .on(async |app: App, wanted: admin_accounts::List, call| app.accounts(&wanted, &call))
        .on(by_user(|state, me, request: admin_accounts::Get, _| {
            let key = state.account(&request.id)?.id;
            Ok(state.view(me).admin_account(key))
        }))
        .on(by_user(|mut state, me, request: admin_accounts::Approve, call| {
            let key = state.account(&request.id)?.id;
            // GoToSocial does not mind who is approved already.
            let is_open = |user: &&mut User| !user.approved || does(&call, Habit::SuspendsAlone);
            let user = state.account_mut(key)?.user.as_mut().filter(is_open);
            user.ok_or_else(Error::forbidden)?.approved = true;
            Ok(state.view(me).admin_account(key))
        }))
        .on(by_user(|mut state, me, request: admin_accounts::Reject, call| {
            let account = state.account(&request.id)?;
            let (key, user) = (account.id, account.user.as_ref());
            let told = format!("account {} has already been approved", request.id);
            let refusal =
                told_or(&call, StatusCode::UNPROCESSABLE_ENTITY, &told, Error::forbidden());
            refuse_if!(user.is_none_or(|user| user.approved), refusal);
            let view = state.view(me).admin_account(key);
            state.remove_account(key);
            Ok(Either::First(view))
        }))
        .on(by_user(|mut state, me, request: admin_accounts::Delete, _| {
            let account = state.account(&request.id)?;
            let key = account.id;
            // Mastodon deletes for good what is suspended already.
            let may = account.moderation.suspended && outranks(&state, me, key);
            refuse_if!(!may, Error::forbidden());
            state.remove_account(key);
            Ok(Empty)
        }))
        // Each program has words of its own for an action that it does not know.
        .accept_unlisted("admin_accounts.action.type")
        .on(by_user(|mut state, me, request: admin_accounts::Action, call| {
            let suspends_alone = does(&call, Habit::SuspendsAlone);
            // GoToSocial takes an account that is not there for a failure of its own.
            let missing = |error| if suspends_alone { Error::internal() } else { error };
            let key = state.account(&request.id).map_err(missing)?.id;
            let told = format!(
                "admin action type {} is not supported for this endpoint, currently supported types are: [\"suspend\"]",
                request.r#type
            );
            let is_other = request.r#type != AdminActionType::Suspend;
            refuse_if!(is_other && suspends_alone, bad_request(&told));
            let is_unknown = matches!(request.r#type, AdminActionType::Unrecognized(_));
            refuse_if!(is_unknown, not_valid("Type is not included in the list"));
            refuse_if!(!outranks(&state, me, key), Error::forbidden());
            let done = &mut state.account_mut(key)?.moderation;
            match request.r#type {
                AdminActionType::Sensitive => done.sensitized = true,
                AdminActionType::Disable => done.disabled = true,
                AdminActionType::Silence => done.silenced = true,
                AdminActionType::Suspend => done.suspended = true,
                _ => {}
            }
            let report = request.report_id.and_then(|id| state.key(&id));
            if let Some(report) = report {
                state.resolve_report(report, me, None);
            }
            Ok(if suspends_alone { member("message", "OK") } else { Map::default() })
        }))
        .on(act!(lift, admin_accounts::Enable, |done| &mut done.disabled))
        .on(act!(lift, admin_accounts::Unsilence, |done| &mut done.silenced))
        .on(by_user(|mut state, me, request: admin_accounts::Unsuspend, _| {
            let is_suspended = state.account(&request.id)?.moderation.suspended;
            refuse_if!(!is_suspended, Error::forbidden());
            lift(&mut state, me, &request.id, |done| &mut done.suspended)
        }))
        .on(act!(lift, admin_accounts::Unsensitive, |done| &mut done.sensitized))
}

impl App {
    fn accounts(&self, wanted: &admin_accounts::List, call: &Call) -> Result<Page<AdminAccount>> {
        let (state, me) = self.user(call)?;
        let found = state.accounts.values().filter(|account| fits(wanted, account));
        let found = found.map(|account| (account.id, account.id));
        let page = state.page_of(call, found);
        Ok(page.map(|key| Some(state.view(me).admin_account(key))))
    }
}

/// Takes back what moderators have done to an account.
fn lift(
    state: &mut Locked<'_>,
    me: Key,
    id: &Id<Account>,
    done: impl FnOnce(&mut Moderation) -> &mut bool,
) -> Result<AdminAccount> {
    let key = state.account(id)?.id;
    *done(&mut state.account_mut(key)?.moderation) = false;
    Ok(state.view(me).admin_account(key))
}

/// Whether one account's role is above another's.
fn outranks(state: &State, me: Key, other: Key) -> bool {
    let role = |key: Key| state.accounts.get(&key).map_or(Role::User, Stored::role);
    role(me) > role(other)
}
