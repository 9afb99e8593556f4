//! The login data behind the user's account, as GoToSocial serves it. There is no mail to confirm an address by, so that a new one counts at
//! once.

use fedispec::user;

use data_encoding::BASE32_NOPAD;

use super::accounts::is_password;
use super::prelude::*;
use crate::passwords::strong;
use crate::qr_code::qr_code;
use crate::store::accounts::{Role, User as Stored};
use crate::store::oauth::secret;
use crate::store::two_factor::TwoFactor;
use crate::text::path_part;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, _: user::Get, _| view(&state, me)))
        .on(by_user(|mut state, me, request: user::ChangeEmail, _| {
            let is_right = is_password(&state, me, request.password.expose())?;
            refuse_if!(!is_right, refused(StatusCode::UNAUTHORIZED, "password was incorrect"));
            let email = request.new_email;
            refuse_if!(email.is_empty(), bad_request("no email provided"));
            refuse_if!(!email.contains('@'), bad_request("mail: missing '@' or angle-addr"));
            let owner = state.user(&email).map(|account| account.id);
            let same = "new email address cannot be the same as current email address";
            refuse_if!(owner == Some(me), bad_request(same));
            let used = "new email address is already in use on this instance";
            refuse_if!(owner.is_some(), conflict(used));
            stored(&mut state, me)?.email = email;
            view(&state, me)
        }))
        .on(by_user(|mut state, me, request: user::ChangePassword, _| {
            let (old, new) = (request.old_password.expose(), request.new_password.expose());
            let is_right = is_password(&state, me, old)?;
            refuse_if!(!is_right, refused(StatusCode::UNAUTHORIZED, "old password was incorrect"));
            strong(new).map_err(|why| bad_request(&why))?;
            let same = "new password cannot be the same as previous password";
            refuse_if!(new == old, bad_request(same));
            new.clone_into(&mut stored(&mut state, me)?.password);
            Ok(member("status", "OK"))
        }))
        .on(by_user(|mut state, me, _: user::TwoFactorUri, _| {
            Ok(Raw::new("text/plain; charset=utf-8", secret_uri(&mut state, me)?))
        }))
        .on(by_user(|mut state, me, _: user::TwoFactorImage, _| {
            let picture = qr_code(&secret_uri(&mut state, me)?);
            Ok(Raw::new("image/png", picture.map_err(|why| Error::internal().with_source(why))?))
        }))
        .on(by_user(|mut state, me, request: user::EnableTwoFactor, _| {
            let now = state.now();
            let own = &stored(&mut state, me)?.two_factor;
            let enabled = "2fa already enabled; disable it first then try again";
            refuse_if!(own.enabled_at.is_some(), conflict(enabled));
            let unread = "no 2fa secret stored yet; read the qr code first";
            refuse_if!(own.secret.is_empty(), refused(StatusCode::FORBIDDEN, unread));
            let wrong = "invalid code provided, you may have been too late, try again; if it keeps not working, pester your admin to check that the server clock is correct";
            let fits = own.fits(request.code.expose(), now);
            refuse_if!(!fits, refused(StatusCode::FORBIDDEN, wrong));
            let recovery: Result<Vec<_>> = (0..8).map(|_| secret(&mut state.chance)).collect();
            let own = &mut stored(&mut state, me)?.two_factor;
            (own.enabled_at, own.recovery) = (Some(now), recovery?);
            Ok(own.recovery.clone().into())
        }))
        .on(by_user(|mut state, me, request: user::DisableTwoFactor, _| {
            let is_password = is_password(&state, me, request.password.expose())?;
            let user = stored(&mut state, me)?;
            refuse_if!(user.two_factor.enabled_at.is_none(), conflict("2fa already disabled"));
            refuse_if!(!is_password, refused(StatusCode::UNAUTHORIZED, "incorrect password"));
            user.two_factor = TwoFactor::default();
            Ok(Empty)
        }))
}

/// The address by which an authenticator takes over the secret, which is drawn when it is first asked for.
fn secret_uri(state: &mut Locked<'_>, me: Key) -> Result<String> {
    let own = &stored(state, me)?.two_factor;
    let why = "2fa already enabled; keeping the secret secret";
    refuse_if!(own.enabled_at.is_some(), conflict(why));
    if own.secret.is_empty() {
        let drawn = BASE32_NOPAD.encode(&state.chance.bytes::<32>()?);
        stored(state, me)?.two_factor.secret = drawn;
    }
    let issuer = path_part(&format!("{} - {}", state.domain(), state.release().program_name()));
    let user = stored(state, me)?;
    let (email, secret) = (path_part(&user.email), &user.two_factor.secret);
    let query = format!("algorithm=SHA1&digits=6&issuer={issuer}&period=30s&secret={secret}");
    let uri = format!("otpauth://totp/{issuer}:{email}?{query}");
    Ok(uri.replace("%40", "@").replace("%3A", ":"))
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
        two_factor_enabled_at: user.two_factor.enabled_at.map(time),
        reason: user.reason.clone(),
        ..view.into()
    })
}
