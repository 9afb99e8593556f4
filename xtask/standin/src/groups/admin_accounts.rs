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
    server.group(accounts).group(actions)
}

fn accounts(server: Server<App>) -> Server<App> {
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
        .on(async |app: App, request: admin_accounts::Approve, call| {
            app.moderate(&request.id, &call, |account| {
                // GoToSocial does not mind who is approved already.
                let is_open =
                    |user: &&mut User| !user.approved || does(&call, Habit::SuspendsAlone);
                let user = account.user.as_mut().filter(is_open);
                user.ok_or_else(Error::forbidden)?.approved = true;
                Ok(())
            })
        })
        .on(by_user(|mut state, me, request: admin_accounts::Reject, call| {
            let account = state.account(&request.id)?;
            let is_pending = account.user.as_ref().is_some_and(|user| !user.approved);
            if !is_pending {
                let told = format!("account {} has already been approved", request.id);
                let status = StatusCode::UNPROCESSABLE_ENTITY;
                let tells = does(&call, Habit::TellsWhy);
                return Err(if tells { refused(status, &told) } else { Error::forbidden() });
            }
            let key = account.id;
            let view = state.view(me).admin_account(key);
            state.remove_account(key);
            Ok(Either::First(view))
        }))
        .on(by_user(|mut state, me, request: admin_accounts::Delete, _| {
            let account = state.account(&request.id)?;
            let key = account.id;
            // Mastodon deletes for good what is suspended already.
            if !account.moderation.suspended || !outranks(&state, me, key) {
                return Err(Error::forbidden());
            }
            state.remove_account(key);
            Ok(Empty)
        }))
}

fn actions(server: Server<App>) -> Server<App> {
    server
        // Each program has words of its own for an action that it does not know.
        .accept_unlisted("admin_accounts.action.type")
        .on(by_user(|mut state, me, request: admin_accounts::Action, call| {
            let suspends_alone = does(&call, Habit::SuspendsAlone);
            // GoToSocial takes an account that is not there for a failure of its own.
            let missing = |error| if suspends_alone { Error::internal() } else { error };
            let key = state.account(&request.id).map_err(missing)?.id;
            if suspends_alone && request.r#type != AdminActionType::Suspend {
                let told = format!(
                    "Bad Request: admin action type {} is not supported for this endpoint, currently supported types are: [\"suspend\"]",
                    request.r#type
                );
                return Err(Error::new(StatusCode::BAD_REQUEST, told));
            }
            if matches!(request.r#type, AdminActionType::Unrecognized(_)) {
                let told = "Validation failed: Type is not included in the list";
                return Err(Error::unprocessable(told));
            }
            if !outranks(&state, me, key) {
                return Err(Error::forbidden());
            }
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
        .on(async |app: App, request: admin_accounts::Enable, call| {
            app.lift(&request.id, &call, |done| &mut done.disabled)
        })
        .on(async |app: App, request: admin_accounts::Unsilence, call| {
            app.lift(&request.id, &call, |done| &mut done.silenced)
        })
        .on(async |app: App, request: admin_accounts::Unsuspend, call| {
            app.moderate(&request.id, &call, |account| {
                if !account.moderation.suspended {
                    return Err(Error::forbidden());
                }
                account.moderation.suspended = false;
                Ok(())
            })
        })
        .on(async |app: App, request: admin_accounts::Unsensitive, call| {
            app.lift(&request.id, &call, |done| &mut done.sensitized)
        })
}

impl App {
    fn accounts(&self, wanted: &admin_accounts::List, call: &Call) -> Result<Page<AdminAccount>> {
        let (state, me) = self.user(call)?;
        let found = state.accounts.values().filter(|account| fits(wanted, account));
        let found = found.map(|account| (account.id, account.id));
        let page = state.page_of(call, found);
        Ok(page.map(|key| Some(state.view(me).admin_account(key))))
    }

    /// Takes back what moderators have done to an account.
    fn lift(
        &self,
        id: &Id<Account>,
        call: &Call,
        done: impl FnOnce(&mut Moderation) -> &mut bool,
    ) -> Result<AdminAccount> {
        self.moderate(id, call, |account| {
            *done(&mut account.moderation) = false;
            Ok(())
        })
    }

    fn moderate(
        &self,
        id: &Id<Account>,
        call: &Call,
        change: impl FnOnce(&mut Stored) -> Result<()>,
    ) -> Result<AdminAccount> {
        let (mut state, me) = self.user(call)?;
        let key = state.account(id)?.id;
        change(state.account_mut(key)?)?;
        Ok(state.view(me).admin_account(key))
    }
}

/// Whether one account's role is above another's.
fn outranks(state: &State, me: Key, other: Key) -> bool {
    let role = |key: Key| state.accounts.get(&key).map_or(Role::User, Stored::role);
    role(me) > role(other)
}
