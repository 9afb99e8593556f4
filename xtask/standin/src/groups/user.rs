//! The login data behind the user's account, as GoToSocial serves it. There is no mail to confirm an address by, so that a new one counts at
//! once.

use fedispec::user;

use std::collections::BTreeSet;
use std::io::Write as _;

use data_encoding::BASE32_NOPAD;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use qrcode::{Color, QrCode};

use super::accounts::is_password;
use super::prelude::*;
use crate::store::accounts::{Role, User as Stored};
use crate::store::oauth::secret;
use crate::store::two_factor::TwoFactor;
use crate::text::path_part;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, _: user::Get, _| view(&state, me)))
        .on(by_user(|mut state, me, request: user::ChangeEmail, _| {
            if !is_password(&state, me, request.password.expose())? {
                return Err(refused(StatusCode::UNAUTHORIZED, "password was incorrect"));
            }
            let email = request.new_email;
            if !email.contains('@') {
                let why = "mail: missing '@' or angle-addr";
                let why = if email.is_empty() { "no email provided" } else { why };
                return Err(refused(StatusCode::BAD_REQUEST, why));
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
            strong(new).map_err(|why| refused(StatusCode::BAD_REQUEST, &why))?;
            if new == old {
                let why = "new password cannot be the same as previous password";
                return Err(refused(StatusCode::BAD_REQUEST, why));
            }
            new.clone_into(&mut stored(&mut state, me)?.password);
            Ok([("status".to_owned(), "OK".to_owned())].into_iter().collect())
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
            if own.enabled_at.is_some() {
                let why = "2fa already enabled; disable it first then try again";
                return Err(refused(StatusCode::CONFLICT, why));
            }
            if own.secret.is_empty() {
                let why = "no 2fa secret stored yet; read the qr code first";
                return Err(refused(StatusCode::FORBIDDEN, why));
            }
            if !own.fits(request.code.expose(), now) {
                let why = "invalid code provided, you may have been too late, try again; if it keeps not working, pester your admin to check that the server clock is correct";
                return Err(refused(StatusCode::FORBIDDEN, why));
            }
            let recovery: Result<Vec<_>> = (0..8).map(|_| secret(&mut state.chance)).collect();
            let own = &mut stored(&mut state, me)?.two_factor;
            (own.enabled_at, own.recovery) = (Some(now), recovery?);
            Ok(own.recovery.clone().into())
        }))
        .on(by_user(|mut state, me, request: user::DisableTwoFactor, _| {
            let is_password = is_password(&state, me, request.password.expose())?;
            let user = stored(&mut state, me)?;
            if user.two_factor.enabled_at.is_none() {
                return Err(refused(StatusCode::CONFLICT, "2fa already disabled"));
            }
            if !is_password {
                return Err(refused(StatusCode::UNAUTHORIZED, "incorrect password"));
            }
            user.two_factor = TwoFactor::default();
            Ok(Empty)
        }))
}

/// The address by which an authenticator takes over the secret, which is drawn when it is first asked for.
fn secret_uri(state: &mut Locked<'_>, me: Key) -> Result<String> {
    let own = &stored(state, me)?.two_factor;
    if own.enabled_at.is_some() {
        let why = "2fa already enabled; keeping the secret secret";
        return Err(refused(StatusCode::CONFLICT, why));
    }
    if own.secret.is_empty() {
        let drawn = BASE32_NOPAD.encode(&state.chance.bytes::<32>()?);
        stored(state, me)?.two_factor.secret = drawn;
    }
    let issuer = path_part(&format!("{} - GoToSocial", state.domain()));
    let user = stored(state, me)?;
    let (email, secret) = (path_part(&user.email), &user.two_factor.secret);
    let query = format!("algorithm=SHA1&digits=6&issuer={issuer}&period=30s&secret={secret}");
    let uri = format!("otpauth://totp/{issuer}:{email}?{query}");
    Ok(uri.replace("%40", "@").replace("%3A", ":"))
}

/// A text as a QR code: a PNG of 256 pixels in each direction, in two shades of grey.
fn qr_code(text: &str) -> std::result::Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
    const SIZE: usize = 256;
    const MARGIN: usize = 4;
    let code = QrCode::new(text)?;
    let width = code.width();
    let mut rows = ZlibEncoder::new(Vec::new(), Compression::default());
    let place = |pixel: usize| (pixel * (width + 2 * MARGIN) / SIZE).checked_sub(MARGIN);
    let is_dark = |x: usize, y: usize| {
        let (x, y) = (place(x)?, place(y)?);
        (x < width && y < width && code[(x, y)] == Color::Dark).then_some(())
    };
    for y in 0..SIZE {
        let pixels = (0..SIZE).map(|x| is_dark(x, y).map_or(u8::MAX, |()| 0));
        // Each row begins with its filter, which is none.
        rows.write_all(&[0].into_iter().chain(pixels).collect::<Vec<_>>())?;
    }
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    // 8 bits a pixel.
    let head = b"\0\0\x01\0\0\0\x01\0\x08\0\0\0\0";
    for (name, data) in [(b"IHDR", &head[..]), (b"IDAT", &rows.finish()?), (b"IEND", &[])] {
        let mut sum = Crc::new();
        sum.update(name);
        sum.update(data);
        png.extend(u32::try_from(data.len())?.to_be_bytes());
        png.extend([name, data, &sum.sum().to_be_bytes()[..]].concat());
    }
    Ok(png)
}

/// The least entropy of a password, in bits.
const STRONG: f64 = 60.0;
/// The signs that passwords are made of, by kind.
const SIGNS: [&str; 6] = [
    "!@$&*",
    "_-., ",
    "\"#%'()+/:;<=>?[\\]^{|}~",
    "abcdefghijklmnopqrstuvwxyz",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "0123456789",
];
/// Signs of which no more than two count that follow each other, forth or back.
const RUNS: [&str; 5] =
    ["0123456789", "qwertyuiop", "asdfghjkl", "zxcvbnm", "abcdefghijklmnopqrstuvwxyz"];

/// Says why a password is refused, as go-password-validator finds it, which GoToSocial asks.
fn strong(password: &str) -> std::result::Result<(), String> {
    let has = SIGNS.map(|kind| password.contains(|sign| kind.contains(sign)));
    let others = password.chars().filter(|sign| !SIGNS.iter().any(|kind| kind.contains(*sign)));
    let kinds = SIGNS.iter().zip(has).filter(|(_, has)| *has).map(|(kind, _)| kind.len());
    let base = kinds.sum::<usize>() + others.collect::<BTreeSet<_>>().len();
    let bits = number(base).log2() * number(counted(password));
    if bits >= STRONG {
        return Ok(());
    }
    let advice = [
        (has[0] && has[1] && has[2], "including more special characters"),
        (has[3], "using lowercase letters"),
        (has[4], "using uppercase letters"),
        (has[5], "using numbers"),
    ];
    let advice = advice.into_iter().filter(|(has, _)| !has).map(|(_, advice)| advice);
    let advice: Vec<_> = advice.collect();
    let or = if advice.is_empty() { "" } else { " or " };
    let (part, advice) = ((100.0 * bits / STRONG).floor(), advice.join(", "));
    Err(format!("password is only {part}% strength, try {advice}{or}using a longer password"))
}

fn number(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}

/// The length of a password without what repeats or follows in a row.
fn counted(password: &str) -> usize {
    let mut signs: Vec<char> = Vec::new();
    for sign in password.chars() {
        if !signs.ends_with(&[sign, sign]) {
            signs.push(sign);
        }
    }
    let back = RUNS.map(|run| run.chars().rev().collect::<String>());
    for run in RUNS.into_iter().chain(back.iter().map(String::as_str)) {
        let (mut at, mut following) = (0, 0);
        while at < signs.len() {
            for expected in run.chars() {
                match signs.get(at) {
                    None => break,
                    Some(sign) if *sign != expected => following = 0,
                    Some(_) if following < 2 => (at, following) = (at + 1, following + 1),
                    Some(_) => drop(signs.remove(at)),
                }
            }
            at += 1;
        }
    }
    signs.into_iter().map(char::len_utf8).sum()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_qr_code_is_a_picture() {
        let picture = qr_code("otpauth://totp/a:b?secret=ABC").expect("a picture");
        let size = imagesize::blob_size(&picture).expect("a size");
        assert_eq!((size.width, size.height), (256, 256));
        assert!(qr_code(&"a".repeat(5000)).is_err());
    }

    #[test]
    fn a_password_is_as_strong_as_gotosocial_finds_it() {
        let told = |password| strong(password).err();
        let (special, longer) =
            ("try including more special characters", "using a longer password");
        let refused = |part, more: &str| {
            Some(format!("password is only {part}% strength, {special}{more} or {longer}"))
        };
        assert_eq!(told("password"), refused(62, ", using uppercase letters, using numbers"));
        assert_eq!(told("OKPassword"), refused(95, ", using numbers"));
        assert_eq!(told("Ok12%"), refused(53, ""));
        assert_eq!(told("3dX5@Zc%mV*W2MBNEy$@"), None);
        assert_eq!(counted("aaaabcdefgh321"), 6);
        assert!(told("").is_some());
    }
}
