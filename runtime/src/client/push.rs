//! Web Push: the keys of a subscription, and the messages that a server sends to it.
//!
//! A server encrypts what it pushes for the keys with which `push::Create` subscribed, by [RFC 8291], or by [its draft] where the subscription did
//! not ask for the standard, and before Mastodon 4.4.0. How the message comes from the push service (Firebase, `UnifiedPush`,
//! an address of one's own) is the program's matter.
//!
//! ```
//! use fedispec_runtime::client::http::HeaderMap;
//! use fedispec_runtime::client::push::{Keys, PushError};
//!
//! # fn subscribe() -> Result<(), PushError> {
//! let keys = Keys::from_os()?;
//! let stored = keys.to_secret(); // as secret as a token
//! // client.send(push::Create::new(endpoint, keys.p256dh(), keys.auth()).subscription_standard(true)).await?;
//! # Ok(())
//! # }
//! # fn receive(stored: fedispec_runtime::Secret, headers: &HeaderMap, body: &[u8]) -> Result<(), PushError> {
//! let message = Keys::from_secret(&stored)?.open(headers, body)?;
//! println!("{}: {}", message.title, message.body);
//! # Ok(())
//! # }
//! ```
//!
//! [RFC 8291]: https://www.rfc-editor.org/rfc/rfc8291
//! [its draft]: https://datatracker.ietf.org/doc/html/draft-ietf-webpush-encryption-04

use std::fmt;

use aes_gcm::aead::{Aead as _, KeyInit as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hkdf::Hkdf;
use http::HeaderMap;
use http::header::CONTENT_ENCODING;
use p256::elliptic_curve::sec1::ToSec1Point as _;
use p256::{PublicKey, SecretKey};
use serde::{Deserialize, Deserializer};
use sha2::Sha256;

use crate::{Id, Secret, random};

/// The keys of one subscription.
pub struct Keys {
    key: SecretKey,
    auth: [u8; 16],
}

/// A message about a notification: what Mastodon and GoToSocial write into it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Message {
    /// The token that subscribed, which tells the accounts of a program apart.
    pub access_token: Secret,
    /// The language of `title`.
    #[serde(default)]
    pub preferred_locale: String,
    /// The id for `notifications::Get`. Mastodon writes it as a number.
    #[serde(deserialize_with = "id")]
    pub notification_id: String,
    /// The kind of event, as in `Notification.type`.
    pub notification_type: String,
    /// The address of a picture.
    #[serde(default)]
    pub icon: String,
    /// A line such as "Mona mentioned you".
    #[serde(default)]
    pub title: String,
    /// The beginning of the status or of the profile, as plain text.
    #[serde(default)]
    pub body: String,
}

/// Why there are no keys, or why a message cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PushError {
    /// The operating system has no random numbers.
    Random,
    /// The stored text is not that of [`Keys::to_secret`].
    Keys,
    /// The message has neither encoding, or lacks a header or a part of its own.
    Encoding,
    /// The message was not encrypted for these keys, or was changed on its way.
    Encryption,
    /// The message holds something else than a notification.
    Message,
}

impl Keys {
    /// Draws new keys.
    ///
    /// # Errors
    ///
    /// Where the operating system has no random numbers.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn from_os() -> Result<Self, PushError> {
        let bytes: [u8; 48] = random::draw().map_err(|_| PushError::Random)?;
        // One of 2^32 numbers is none on the curve.
        Self::from_bytes(bytes).map_or_else(|_| Self::from_os(), Ok)
    }

    /// Takes 48 bytes that nobody can predict, such as those of `crypto.getRandomValues`.
    ///
    /// # Errors
    ///
    /// [`PushError::Keys`] for one in four thousand millions, which is no key of the curve.
    pub fn from_bytes(bytes: [u8; 48]) -> Result<Self, PushError> {
        let (key, auth) = bytes.split_at(32);
        let auth = auth.try_into().map_err(|_| PushError::Keys)?;
        Ok(Self { key: SecretKey::from_slice(key).map_err(|_| PushError::Keys)?, auth })
    }

    /// Reads what [`to_secret`](Self::to_secret) wrote.
    ///
    /// # Errors
    ///
    /// [`PushError::Keys`] for other text.
    pub fn from_secret(text: &Secret) -> Result<Self, PushError> {
        let bytes = URL_SAFE_NO_PAD.decode(text.expose()).map_err(|_| PushError::Keys)?;
        Self::from_bytes(bytes.try_into().map_err(|_| PushError::Keys)?)
    }

    /// The keys as text, to be kept where tokens are kept.
    pub fn to_secret(&self) -> Secret {
        random::secret(&[&self.key.to_bytes()[..], &self.auth].concat())
    }

    /// The public key, for `subscription_keys_p256dh`.
    pub fn p256dh(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.public())
    }

    /// The authentication secret, for `subscription_keys_auth`.
    pub fn auth(&self) -> Secret {
        random::secret(&self.auth)
    }

    /// Decrypts and reads a message.
    ///
    /// # Errors
    ///
    /// For a message that is not for these keys, or is none about a notification.
    pub fn open(&self, headers: &HeaderMap, body: &[u8]) -> Result<Message, PushError> {
        let text = self.decrypt(headers, body)?;
        serde_json::from_slice(&text).map_err(|_| PushError::Message)
    }

    /// Decrypts a message of any program.
    ///
    /// # Errors
    ///
    /// For a message that is not for these keys.
    pub fn decrypt(&self, headers: &HeaderMap, body: &[u8]) -> Result<Vec<u8>, PushError> {
        match headers.get(CONTENT_ENCODING).map_or(&b""[..], |value| value.as_bytes()) {
            b"aes128gcm" => {
                let (salt, sender, record) = parts(body).ok_or(PushError::Encoding)?;
                self.standard(salt, sender, record)
            }
            b"aesgcm" => {
                let of = |header, name| parameter(headers, header, name).ok_or(PushError::Encoding);
                self.draft(&of("encryption", "salt")?, &of("crypto-key", "dh")?, body)
            }
            _ => return Err(PushError::Encoding),
        }
        .ok_or(PushError::Encryption)
    }

    /// [RFC 8291, 3.4](https://www.rfc-editor.org/rfc/rfc8291#section-3.4).
    fn standard(&self, salt: &[u8], sender: &[u8], record: &[u8]) -> Option<Vec<u8>> {
        let info = [b"WebPush: info\0", &self.public()[..], sender].concat();
        let seed = self.seed(sender, &info)?;
        let mut text = unseal(salt, &seed, "aes128gcm", &[], record)?;
        // RFC 8188, 2: zeros fill the record behind a byte that says it is the last.
        text.truncate(text.iter().rposition(|byte| *byte != 0).filter(|at| text[*at] == 2)?);
        Some(text)
    }

    /// The draft's [section 4](https://datatracker.ietf.org/doc/html/draft-ietf-webpush-encryption-04#section-4), and `aesgcm` of
    /// [the one beside it](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-encryption-encoding-03#section-3).
    fn draft(&self, salt: &[u8], sender: &[u8], record: &[u8]) -> Option<Vec<u8>> {
        let public = self.public();
        let length = |key: &[u8]| u16::try_from(key.len()).ok().map(u16::to_be_bytes);
        let context =
            [&b"P-256\0"[..], &length(&public)?, &public, &length(sender)?, sender].concat();
        let seed = self.seed(sender, b"Content-Encoding: auth\0")?;
        let text = unseal(salt, &seed, "aesgcm", &context, record)?;
        let (padding, text) = text.split_first_chunk()?;
        text.get(usize::from(u16::from_be_bytes(*padding))..).map(<[u8]>::to_vec)
    }

    fn public(&self) -> Vec<u8> {
        self.key.public_key().to_sec1_point(false).as_bytes().to_vec()
    }

    /// The secret that both sides derive from each other's keys.
    fn seed(&self, sender: &[u8], info: &[u8]) -> Option<[u8; 32]> {
        let sender = PublicKey::from_sec1_bytes(sender).ok()?;
        let shared = p256::ecdh::diffie_hellman(self.key.to_nonzero_scalar(), sender.as_affine());
        derive(&self.auth, shared.raw_secret_bytes(), info)
    }
}

fn derive<const N: usize>(salt: &[u8], key: &[u8], info: &[u8]) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    Hkdf::<Sha256>::new(Some(salt), key).expand(info, &mut bytes).ok()?;
    Some(bytes)
}

/// Opens a record; nothing where it was not sealed with this key.
fn unseal(
    salt: &[u8],
    seed: &[u8],
    encoding: &str,
    context: &[u8],
    record: &[u8],
) -> Option<Vec<u8>> {
    let info = |what: &str| [format!("Content-Encoding: {what}\0").as_bytes(), context].concat();
    let key: [u8; 16] = derive(salt, seed, &info(encoding))?;
    let nonce: [u8; 12] = derive(salt, seed, &info("nonce"))?;
    aes_gcm::Aes128Gcm::new(&key.into()).decrypt(&nonce.into(), record).ok()
}

/// The salt, the sender's key and the record: a message is [one](https://www.rfc-editor.org/rfc/rfc8291#section-4), whatever size it says.
fn parts(body: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (salt, rest) = body.split_at_checked(16)?;
    let (length, rest) = rest.get(4..)?.split_first()?;
    let (sender, record) = rest.split_at_checked(usize::from(*length))?;
    Some((salt, sender, record))
}

/// A parameter of one of the draft's headers, such as `dh=..;p256ecdsa=..`.
fn parameter(headers: &HeaderMap, header: &str, name: &str) -> Option<Vec<u8>> {
    let values = headers.get_all(header).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        values.flat_map(|value| value.split([';', ','])).filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(key, _)| key.trim() == name)?;
    URL_SAFE_NO_PAD.decode(value.trim().trim_matches('"').trim_end_matches('=')).ok()
}

fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(Id::<()>::deserialize(deserializer)?.as_str().to_owned())
}

shown!(Keys(..));

impl fmt::Display for PushError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Random => "the operating system has no random numbers",
            Self::Keys => "this is not the text of a subscription's keys",
            Self::Encoding => "the message is encoded neither by RFC 8291 (`aes128gcm`) nor by its draft (`aesgcm`), or lacks a part",
            Self::Encryption => "the message was not encrypted for these keys, or was changed on its way; subscribe anew with keys that are kept",
            Self::Message => "the message is not about a notification",
        })
    }
}

impl std::error::Error for PushError {}

#[cfg(test)]
mod tests {
    use super::*;

    // RFC 8291, appendix A. The other messages were made with the sender's key and the salt of it, by http_ece 1.2.1.
    const KEY: &str = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94";
    const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";
    const PUBLIC: &str =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    const MELON: &str = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
    const STANDARD: &str = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_e3dVaFrv8f0Ldp-cWtHpW-Se-5OkZSMeK53EaiLnxX_3QUAc3GX7fFFuwwxrBlFIWAadUowSwia5m5vSMdSLptiXjndURULrZe-hvFChB6uAwhCVYkL8ZuZ5efAZ-Tpc75mbEDnYosjFJKMg0n0qrK2clho0RTJKQmHNNPJktdtu3aKhN4vqoQxeoXpV0bcDMq2L_uihZoGOPjJbZtv_kHvI";
    const DRAFT: &str = "4qwiZlK-zPzys-xO8rTbhdMwfT80myrN_Qxyg4FhjEodPjozb4zqt4S9OWIfpAWFbVJwlEQaMBmCZ5vty11QewULZ9AAXTNg-82-poEwzvcOYoOO8ILms00jhVzsnfoVZEhnl7Das-2N1Z8Bi59qNMP4L5g0zu3jfB4S8TkgDWKykCS9VYwkQboWNG77JFVYgkDq_bGa7-Y-UjrdpgK3tSieow";

    fn bytes(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).expect("Base64")
    }

    fn keys() -> Keys {
        Keys::from_bytes([bytes(KEY), bytes(AUTH)].concat().try_into().expect("48 bytes"))
            .expect("keys")
    }

    fn headers(of: &[(&'static str, &'static str)]) -> HeaderMap {
        of.iter()
            .map(|(name, value)| {
                ((*name).try_into().expect("a name"), value.parse().expect("a value"))
            })
            .collect()
    }

    fn draft() -> HeaderMap {
        headers(&[
            ("content-encoding", "aesgcm"),
            ("encryption", "salt=DGv6ra1nlYgDCS1FRnbzlw"),
            (
                "crypto-key",
                "dh=BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8;p256ecdsa=BA",
            ),
        ])
    }

    #[test]
    fn the_message_of_the_standard_is_read() {
        let standard = headers(&[("content-encoding", "aes128gcm")]);
        let text = keys().decrypt(&standard, &bytes(MELON)).expect("a text");
        assert_eq!(text, b"When I grow up, I want to be a watermelon");
        assert_eq!(keys().open(&standard, &bytes(MELON)), Err(PushError::Message));
        assert_eq!((keys().p256dh().as_str(), keys().auth().expose()), (PUBLIC, AUTH));
    }

    #[test]
    fn both_encodings_hold_the_same_message() {
        let standard = headers(&[("content-encoding", "aes128gcm")]);
        let message = keys().open(&standard, &bytes(STANDARD)).expect("a message");
        assert_eq!((message.notification_id.as_str(), message.title.as_str()), ("12", "Ben"));
        assert_eq!(keys().open(&draft(), &bytes(DRAFT)).expect("a message"), message);
        assert!(!format!("{message:?} {:?}", keys()).contains("s3cret"));
    }

    #[test]
    fn keys_are_kept_as_text() {
        let keys = Keys::from_os().expect("keys");
        let again = Keys::from_secret(&keys.to_secret()).expect("the same keys");
        assert_eq!((again.p256dh(), again.auth()), (keys.p256dh(), keys.auth()));
        for text in ["", "AAAA", &"A".repeat(64), "not base64!"] {
            assert_eq!(Keys::from_secret(&text.into()).err(), Some(PushError::Keys), "{text}");
        }
    }

    #[test]
    fn what_was_changed_or_cut_is_an_error() {
        let standard = headers(&[("content-encoding", "aes128gcm")]);
        for (headers, message) in [(standard, bytes(STANDARD)), (draft(), bytes(DRAFT))] {
            for at in 0..message.len() {
                let mut changed = message.clone();
                changed[at] ^= 1;
                // The size of a record is not read: there is one.
                let is_size = headers.len() == 1 && (16..20).contains(&at);
                assert_eq!(keys().decrypt(&headers, &changed).is_err(), !is_size, "{at}");
                assert!(keys().decrypt(&headers, &message[..at]).is_err(), "{at}");
            }
            let others = Keys::from_os().expect("keys");
            assert_eq!(others.decrypt(&headers, &message), Err(PushError::Encryption));
        }
        assert_eq!(keys().decrypt(&HeaderMap::new(), b""), Err(PushError::Encoding));
        let mut bare = draft();
        bare.remove("crypto-key");
        assert_eq!(keys().decrypt(&bare, &bytes(DRAFT)), Err(PushError::Encoding));
    }
}
