//! Objects that the API answers.

/// An object that the API answers. The derive macro of this name makes it one that is read from JSON, and has
/// [`Since`](crate::Since); with the feature `server` or `serde` it is written as JSON too, with `serde` also by serde's traits:
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
/// }
///
/// let thumbnail = rt::de::read::<Thumbnail>(r#"{"url": "/a.png", "@1x": null, "width": "7"}"#)?.value;
/// assert_eq!((thumbnail.url.as_str(), thumbnail.width), ("/a.png", Some(7)));
/// # #[cfg(feature = "serde")]
/// assert_eq!(rt::ser::text(&thumbnail), r#"{"url":"/a.png","@1x":null,"width":7}"#);
/// # Ok::<(), rt::de::Error>(())
/// ```
pub trait Entity {
    /// Its id in the catalogue: `Account`.
    const NAME: &'static str;
    /// The keys of its fields, in their order.
    const KEYS: &'static [Key];
}

/// The key of a field on the wire, and how its value is read and written. The derive macro writes it.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its spelling.
    pub wire: &'static str,
    /// Some servers send another kind of value: a number is read as text, text as a number, and where the field may be missing, anything that
    /// does not fit as missing.
    pub lenient: bool,
    /// Where there is no value the key is left out.
    pub optional: bool,
    /// Its first byte and the lowest of its length: tell most keys apart without a look at their text.
    #[doc(hidden)]
    pub tag: [u8; 2],
}

impl Key {
    /// The tag of a text, as the macro writes it too.
    pub(crate) fn tag(wire: &str) -> [u8; 2] {
        let [length, ..] = wire.len().to_le_bytes();
        [wire.bytes().next().unwrap_or_default(), length]
    }
}

/// Keeps the literals of a struct open.
///
/// A struct with a field of this type is built with `..`, from a value that has it, so that a field more breaks nobody. (The attribute
/// `#[non_exhaustive]` would forbid other crates the literal altogether.)
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NonExhaustive(());
