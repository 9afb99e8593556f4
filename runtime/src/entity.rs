//! Entities, and the tables of their keys.

use std::fmt;

/// An object that the API answers with.
///
/// The derive macro of this name implements it together with [`FromJson`](crate::de::FromJson) and [`Since`](crate::Since), with the feature `server`
/// also [`ToJson`](crate::ser::ToJson), and with the feature `serde` all of these and serde's traits:
///
/// ```
/// use fedispec_runtime as rt;
///
/// #[derive(rt::Entity)]
/// #[since(mastodon = "4.0.0", gotosocial = "0.7.0")]
/// #[entity(name = "Instance.thumbnail")]
/// struct Thumbnail {
///     url: String,
///     #[entity(key = "@1x")]
///     at_1x: Option<String>,
///     /// Left out where it is `None`, not sent as `null`.
///     #[since(mastodon = "4.1.0")]
///     #[entity(optional)]
///     description: Option<String>,
///     /// Some servers send a number as text, or nothing that makes sense.
///     #[entity(lenient)]
///     width: Option<i64>,
///     /// Releases without animations do not send it.
///     #[entity(absent = "false")]
///     animated: bool,
/// }
///
/// let thumbnail = rt::de::read::<Thumbnail>(r#"{"url": "/a.png", "@1x": null, "width": "7"}"#)?.value;
/// assert_eq!((thumbnail.url.as_str(), thumbnail.width, thumbnail.animated), ("/a.png", Some(7), false));
/// # #[cfg(feature = "serde")]
/// assert_eq!(rt::ser::text(&thumbnail), r#"{"url":"/a.png","@1x":null,"width":7,"animated":false}"#);
/// # Ok::<(), rt::de::Error>(())
/// ```
pub trait Entity {
    /// Its id in the catalogue: `Account`.
    const NAME: &'static str;
    /// The keys of its fields, in the order of the fields.
    const KEYS: &'static [Key];
}

/// The key of a field in JSON, and how its value is read and written. The derive macro [`Entity`](macro@crate::Entity) makes these.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its spelling as it is written: after a comma, in quotes, before a colon.
    #[doc(hidden)]
    pub quoted: &'static str,
    /// Whether another kind of value is accepted, because some server sends it: a number is read as text and text as a number, and where the field
    /// may be missing, an empty string and a value that does not fit count as missing. A field that must be there stays blank where the key, or
    /// what it holds, is missing, and that is told with what did not fit.
    pub lenient: bool,
    /// Whether the key is left out where there is no value, instead of being null; with [`Key::absent`], where the value is what absence means.
    pub optional: bool,
    /// The JSON value that the absence of the key means: `false`. A field with it is read from objects that lack the key, or have null there.
    pub absent: Option<&'static str>,
    /// The first byte and the lowest byte of the length, which tell most keys apart without a comparison of their text.
    #[doc(hidden)]
    pub tag: [u8; 2],
}

impl Key {
    /// Its spelling.
    #[must_use]
    pub fn wire(&self) -> &'static str {
        let end = self.quoted.len().saturating_sub(Self::BEHIND);
        self.quoted.get(Self::BEFORE..end).unwrap_or_default()
    }

    /// Whether this is its spelling.
    pub(crate) fn is(&self, wire: &str) -> bool {
        let quoted = self.quoted.as_bytes();
        let own = quoted.get(Self::BEFORE..Self::BEFORE + wire.len());
        quoted.len() == Self::BEFORE + wire.len() + Self::BEHIND && own == Some(wire.as_bytes())
    }

    /// The bytes before the spelling, and those behind it.
    const BEFORE: usize = 2;
    const BEHIND: usize = 2;

    /// The tag of a text. The derive macro computes the same.
    pub(crate) fn tag(wire: &str) -> [u8; 2] {
        let [length, ..] = wire.len().to_le_bytes();
        [wire.bytes().next().unwrap_or_default(), length]
    }
}

/// A private field that makes every literal of its struct end in `..base`, so that a further field breaks no user.
///
/// The attribute `#[non_exhaustive]` would not do: other crates may not write literals of such structs at all
/// ([E0639](https://doc.rust-lang.org/error_codes/E0639.html)).
///
/// It also keeps which keys were read in another way than they are usually written, so that an entity that was read is written with the same keys:
/// one that was absent is left out again while the field still has the value that absence means, and one that was null is null again. Two entities are
/// equal whatever it keeps, and one that was not read keeps nothing.
#[derive(Clone, Copy, Default)]
pub struct NonExhaustive(
    /// A bit for each key by its index in [`Entity::KEYS`]; keys beyond the 64th are not kept.
    u64,
);

impl NonExhaustive {
    /// Of an entity that is made as a release sends it, which writes these keys whatever is in them.
    #[doc(hidden)]
    pub fn sending(keys: &[usize]) -> Self {
        Self(keys.iter().map(|index| Self::bit(*index)).fold(0, |all, bit| all | bit))
    }

    fn bit(index: usize) -> u64 {
        u32::try_from(index).ok().and_then(|index| 1_u64.checked_shl(index)).unwrap_or_default()
    }

    /// Notes that the key at an index was read in the less usual way.
    pub(crate) fn set_odd(&mut self, index: usize) {
        self.0 |= Self::bit(index);
    }

    /// Whether the key at an index was read in the less usual way.
    pub(crate) fn is_odd(self, index: usize) -> bool {
        self.0 & Self::bit(index) != 0
    }
}

impl fmt::Debug for NonExhaustive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NonExhaustive")
    }
}

impl PartialEq for NonExhaustive {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
