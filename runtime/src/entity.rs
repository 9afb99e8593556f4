//! Objects that the API answers.

/// An object that the API answers. The derive macro of this name makes it one that is read from JSON and written as JSON, with
/// [`Since`](crate::Since), and with the feature `serde` serde's traits, by way of these:
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
/// assert_eq!(rt::ser::text(&thumbnail), r#"{"url":"/a.png","@1x":null,"width":7}"#);
/// # Ok::<(), rt::de::Error>(())
/// ```
pub trait Entity {
    /// Its id in the catalogue: `Account`.
    const NAME: &'static str;
    /// The keys of its fields, in their order.
    const KEYS: &'static [Key];
}

/// The key of a field on the wire, and how its value is read and written.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    pub(crate) wire: &'static str,
    pub(crate) lenient: bool,
    pub(crate) optional: bool,
    /// Tells most keys apart without a look at their text.
    pub(crate) tag: [u8; 2],
}

impl Key {
    /// A key.
    pub const fn new(wire: &'static str) -> Self {
        Self {
            wire,
            lenient: false,
            optional: false,
            tag: Self::tag(wire),
        }
    }

    pub(crate) const fn tag(wire: &str) -> [u8; 2] {
        match wire.as_bytes() {
            [] => [0, 0],
            #[allow(
                clippy::cast_possible_truncation,
                reason = "the rest of the length tells nothing more"
            )]
            bytes @ [first, ..] => [*first, bytes.len() as u8],
        }
    }

    /// Its spelling.
    pub const fn wire(&self) -> &'static str {
        self.wire
    }

    /// Some servers send another kind of value: a number is read as text, text as a number, and where the field may be missing, anything that
    /// does not fit as missing.
    #[must_use]
    pub const fn lenient(mut self) -> Self {
        self.lenient = true;
        self
    }

    /// Where there is no value the key is left out.
    #[must_use]
    pub const fn optional(mut self) -> Self {
        self.optional = true;
        self
    }
}

/// Keeps the literals of a struct open.
///
/// A struct with a field of this type is built with `..`, from a value that has it, so that a field more breaks nobody. (The attribute
/// `#[non_exhaustive]` would forbid other crates the literal altogether.)
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NonExhaustive(());
