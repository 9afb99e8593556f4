//! The login data behind the user's account, as GoToSocial serves it. There is no mail to confirm an address by, so that a new one counts at
//! once.

use fedispec::user;

use super::accounts::is_password;
use super::prelude::*;
use crate::store::accounts::{Role, User as Stored};

/// The least number of characters of a password.
const PASSWORD: usize = 8;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, _: user::Get, _| view(&state, me)))
        .on(by_user(|mut state, me, request: user::ChangeEmail, _| {
            if !is_password(&state, me, request.password.expose())? {
                return Err(refused(StatusCode::UNAUTHORIZED, "password was incorrect"));
            }
            let email = request.new_email;
            if !email.contains('@') {
                let why = format!("{email} is not a mail address");
                return Err(refused(StatusCode::BAD_REQUEST, &why));
            }
            match state.user(&email) {
                Some(account) if account.id == me => {
                    let why = "new email address cannot be the same as current email address";
                    return Err(refused(StatusCode::BAD_REQUEST, why));
                }
                Some(_) => {
                    let why = "new email address is already in use on this instance";
                    return Err(refused(StatusCode::CONFLICT, why));
                }
                None => {}
            }
            stored(&mut state, me)?.email = email;
            view(&state, me)
        }))
        .on(by_user(|mut state, me, request: user::ChangePassword, _| {
            let (old, new) = (request.old_password.expose(), request.new_password.expose());
            if !is_password(&state, me, old)? {
                let why = "old password was incorrect";
                return Err(refused(StatusCode::UNAUTHORIZED, why));
            }
            if new.chars().count() < PASSWORD {
                let why = format!("password is too short: at least {PASSWORD} characters");
                return Err(refused(StatusCode::BAD_REQUEST, &why));
            }
            if new == old {
                let why = "new password cannot be the same as previous password";
                return Err(refused(StatusCode::BAD_REQUEST, why));
            }
            new.clone_into(&mut stored(&mut state, me)?.password);
            Ok([("status".to_owned(), "OK".to_owned())].into_iter().collect())
        }))
        // Nobody is shown a secret, so that there is none to enable and nothing to disable.
        .on(by_user(|_, _, _: user::EnableTwoFactor, _| {
            let why = "no 2fa secret stored yet; read the qr code first";
            Err(refused(StatusCode::FORBIDDEN, why))
        }))
        .on(by_user(|_, _, _: user::DisableTwoFactor, _| {
            Err(refused(StatusCode::CONFLICT, "2fa already disabled"))
        }))
}

fn stored<'s>(state: &'s mut Locked<'_>, me: Key) -> Result<&'s mut Stored> {
    let user = state.account_mut(me)?.user.as_mut();
    user.ok_or_else(Error::unauthorized)
}

fn view(state: &Locked<'_>, me: Key) -> Result<entities::User> {
    let account = state.known_account(me)?;
    let user = account.user.as_ref().ok_or_else(Error::unauthorized)?;
    let created_at = time(account.created_at);
    let view = current::User {
        admin: user.role >= Role::Admin,
        approved: user.approved,
        confirmed_at: created_at.clone(),
        created_at,
        disabled: account.moderation.disabled,
        email: user.email.clone(),
        id: state.id(me),
        moderator: user.role >= Role::Moderator,
    };
    Ok(entities::User {
        // GoToSocial keeps it after it is confirmed.
        unconfirmed_email: Some(user.email.clone()),
        reason: user.reason.clone(),
        ..view.into()
    })
}
