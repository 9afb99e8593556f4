//! The kinds that the catalogue's facts have, each with its name in YAML, in JSON and in reports.

/// Defines kinds with their names. `or Unknown` adds a value that is read and written as `unknown` and that no list of names has;
/// `but Unknown` one that is never read.
macro_rules! words {
    ($(
        $(#[doc = $doc:literal])+
        pub enum $kind:ident $(or $unknown:ident)? $(but $unread:ident)? {
            $($(#[doc = $value_doc:literal])+ $value:ident = $name:literal,)+
        }
    )+) => {$(
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $kind {
            $(
                /// The catalogue does not know.
                $unknown,
            )?
            $(
                /// The catalogue does not know.
                $unread,
            )?
            $($(#[doc = $value_doc])+ $value,)+
        }

        impl $kind {
            /// Every value that has a name, in order.
            pub const ALL: &'static [Self] = &[$(Self::$value,)+];

            /// The names of all, in order.
            pub const NAMES: &'static [&'static str] = &[$($name,)+];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$unknown => "unknown",)?
                    $(Self::$unread => "unknown",)?
                    $(Self::$value => $name,)+
                }
            }

            /// The value of that name.
            pub fn named(name: &str) -> Option<Self> {
                $(if name == "unknown" {
                    return Some(Self::$unknown);
                })?
                Self::ALL.iter().copied().find(|value| value.name() == name)
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                crate::text::word(deserializer, Self::named, Self::NAMES)
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $kind {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($kind).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "description": concat!($($doc),+).trim(),
                    "oneOf": [$({"type": "string", "const": $name, "description": concat!($($value_doc),+).trim()}),+],
                })
            }
        }
    )+};
}

words! {
    /// The kind of token that an operation needs.
    pub enum TokenKind but Unknown {
        /// No token is looked at.
        None = "none",
        /// Public: a token is not needed, but one that is sent is looked at.
        Optional = "optional",
        /// Any token, an application's or a user's.
        App = "app",
        /// The token of an application that acts for no user.
        Client = "client",
        /// The token of a user.
        User = "user",
    }

    /// The encoding of a request's body.
    pub enum BodyEncoding {
        /// There is no body.
        None = "none",
        /// `application/x-www-form-urlencoded`
        Form = "form",
        /// `multipart/form-data`, as files need it.
        Multipart = "multipart",
        /// JSON.
        Json = "json",
    }

    /// The way in which a list is cut into pages.
    pub enum Paging or Unknown {
        /// One answer holds all.
        None = "none",
        /// The `Link` header leads to the neighbouring pages ([RFC 8288](https://www.rfc-editor.org/rfc/rfc8288)).
        Link = "link",
        /// The parameters `offset` and `limit` select the page.
        Offset = "offset",
    }

    /// The part of a request that holds a parameter.
    pub enum Location or Unknown {
        /// In the path.
        Path = "path",
        /// In the query.
        Query = "query",
        /// In the body, whatever its encoding.
        Form = "form",
        /// In a header.
        Header = "header",
    }

    /// Whether a parameter must be sent.
    pub enum Required or Unknown {
        /// Always.
        Always = "always",
        /// Never.
        Never = "never",
        /// Under a condition, or in some of the ways of calling the operation.
        Sometimes = "sometimes",
    }

    /// The severity of leaving a parameter out.
    pub enum Effect {
        /// Comfort, presentation, or precision.
        Harmless = "harmless",
        /// Something else happens than was asked for.
        ChangesMeaning = "changes_meaning",
        /// The server refuses the request.
        Fails = "fails",
    }

    /// The effect of an update on a parameter that is not set.
    pub enum Unset {
        /// It stays as it is.
        Keep = "keep",
        /// It is emptied, or goes back to a default.
        Reset = "reset",
    }

    /// The reaction of a server to a value of an enumeration that it does not know. Usually an operation that only reads ignores it,
    /// and one that writes refuses it.
    pub enum UnlistedValues {
        /// As if it were not sent.
        Ignored = "ignored",
        /// It answers an error.
        Refused = "refused",
    }

    /// Whether a release or a server has something, the better first.
    pub enum Verdict {
        /// It has.
        Yes = "yes",
        /// It answers, and there is never anything in the answer: nothing is lost by asking, and nothing is to be had.
        Stub = "stub",
        /// Nobody can tell.
        Unknown = "unknown",
        /// It has not.
        No = "no",
    }

    /// How much a source proves.
    pub enum Class {
        /// Recorded responses or running servers.
        A = "A",
        /// The program's own source at a tag.
        B = "B",
        /// Documentation, changelogs, and the two documents.
        C = "C",
        /// Inference.
        D = "D",
    }

    /// The kind of an item.
    pub enum Kind {
        /// An operation: `accounts.lookup`.
        Operation = "operation",
        /// A parameter of an operation: `accounts.lookup.acct`.
        Param = "param",
        /// A field that an operation answers without a named entity, errors included.
        Response = "response",
        /// A field of a named entity, however deep: `Account.noindex`.
        Field = "field",
        /// An enumeration: `NotificationType`.
        Enum = "enum",
        /// A value of an enumeration: `NotificationType.mention`.
        Value = "value",
    }

    /// The HTTP method of a request.
    pub enum Method {
        /// `GET`
        Get = "GET",
        /// `HEAD`
        Head = "HEAD",
        /// `POST`
        Post = "POST",
        /// `PUT`
        Put = "PUT",
        /// `PATCH`
        Patch = "PATCH",
        /// `DELETE`
        Delete = "DELETE",
        /// `OPTIONS`
        Options = "OPTIONS",
    }
}

words! {
    /// Where the token stands in the request that opens a WebSocket, the best place first. A stream of server-sent events always has it in
    /// the header.
    pub enum TokenPlace {
        /// In the header `Authorization`.
        Header = "header",
        /// In the header `Sec-WebSocket-Protocol`, as programs in browsers have it.
        Protocol = "protocol",
        /// In the query. Proxies may log it.
        Query = "query",
    }

    /// How a server counts the characters of a post.
    pub enum Counting {
        /// A character as readers see it counts as one, a link for its fixed length, a mention without its host.
        Seen = "seen",
        /// Each code point counts, of links and mentions too.
        CodePoints = "code_points",
    }

    /// A limit that releases of a program are known to have.
    pub enum KnownLimit {
        /// Characters of a post.
        Characters = "characters",
        /// The number of characters that a link counts for.
        CharactersPerLink = "characters_per_link",
        /// Attachments of a post.
        Attachments = "attachments",
        /// Characters of an attachment's description.
        Description = "description",
        /// Bytes of an image.
        ImageBytes = "image_bytes",
        /// Pixels of an image.
        ImagePixels = "image_pixels",
        /// Bytes of a video or of sound.
        VideoBytes = "video_bytes",
        /// Pixels of a video.
        VideoPixels = "video_pixels",
        /// Frames of a video in a second.
        VideoFrameRate = "video_frame_rate",
        /// Options of a poll.
        PollOptions = "poll_options",
        /// Characters of a poll's option.
        PollOptionCharacters = "poll_option_characters",
        /// The shortest life of a poll, in seconds.
        PollShortest = "poll_shortest",
        /// The longest life of a poll, in seconds.
        PollLongest = "poll_longest",
        /// Posts that an account may pin.
        Pinned = "pinned",
        /// Hashtags that an account may feature.
        FeaturedTags = "featured_tags",
        /// Fields of a profile.
        ProfileFields = "profile_fields",
    }

    /// The framework behind a program's errors: their words, and the order in which a request is checked.
    pub enum Family {
        /// Ruby on Rails with Doorkeeper.
        Rails = "rails",
        /// Go with gin.
        Gin = "gin",
        /// Elixir with Phoenix.
        Phoenix = "phoenix",
        /// PHP with Laravel.
        Laravel = "laravel",
        /// PHP with `FastRoute`.
        FastRoute = "fast_route",
    }

    /// The cases of an error that a program's profile states an answer for.
    pub enum ErrorCase {
        /// No token, or one that is worth nothing, where only users' are taken.
        NoToken = "no_token",
        /// The same where an application's token is as good.
        NoAppToken = "no_app_token",
        /// An application's token in place of a user's.
        NotAUser = "not_a_user",
        /// A token without the scopes.
        Scope = "scope",
        /// A user without the permission.
        Permission = "permission",
        /// A handler's 403.
        Forbidden = "forbidden",
        /// A handler's 404.
        NotFound = "not_found",
        /// A handler's 500.
        Internal = "internal",
        /// A path without a route.
        Nothing = "nothing",
        /// A method that a path does not have.
        OtherMethod = "other_method",
        /// A parameter that is missing.
        Missing = "missing",
        /// A parameter that is empty in a path.
        EmptyInPath = "empty_in_path",
        /// A value that is too long.
        TooLong = "too_long",
        /// A text in place of a number.
        NoNumber = "no_number",
    }

    /// Which values count where a list and single values of one parameter are sent.
    pub enum ListsCount {
        /// The list.
        First = "first",
        /// The value that was sent last.
        Last = "last",
    }

    /// How a negative `limit` is taken.
    pub enum NegativeLimit {
        /// Without its sign.
        Absolute = "absolute",
        /// As 1.
        One = "one",
    }

    /// The client that a rate limit counts a call for.
    pub enum CountedBy {
        /// The account, or the address where there is no account.
        Account = "account",
        /// The address, with or without accounts.
        Address = "address",
    }

    /// How exactly a time is written.
    pub enum Clock {
        /// To the millisecond.
        Milliseconds = "milliseconds",
        /// To the microsecond.
        Microseconds = "microseconds",
    }

    /// How a program's source is read.
    pub enum SourceReader {
        /// Ruby on Rails: routing files, controllers, serializers.
        RubyOnRails = "ruby-on-rails",
        /// Go with gin: handlers, and structs with tags.
        GoWithGin = "go-with-gin",
    }

    /// How ids are written.
    pub enum IdNotation {
        /// Decimal numbers of a time and a sequence.
        Snowflake = "snowflake",
        /// Universally unique lexicographically sortable identifiers.
        Ulid = "ulid",
    }
}

impl TokenKind {
    /// Whether a request without a token is refused.
    pub const fn is_required(self) -> bool {
        matches!(self, Self::App | Self::Client | Self::User)
    }
}

impl Method {
    /// The method's name: `GET`.
    pub const fn as_str(self) -> &'static str {
        self.name()
    }

    /// Whether the request only reads ([RFC 9110, 9.2.1](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1)).
    pub const fn is_safe(self) -> bool {
        matches!(self, Self::Get | Self::Head | Self::Options)
    }
}

/// Names it in words: `response field`.
impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Param => "parameter",
            Self::Response => "response field",
            Self::Enum => "enumeration",
            Self::Operation | Self::Field | Self::Value => self.name(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_read_back() {
        for token in TokenKind::ALL {
            assert_eq!(TokenKind::named(token.name()), Some(*token));
        }
        assert_eq!(TokenKind::NAMES, ["none", "optional", "app", "client", "user"]);
        assert_eq!((TokenKind::Unknown.name(), TokenKind::named("unknown")), ("unknown", None));
        assert_eq!(Paging::named("unknown"), Some(Paging::Unknown));
        assert_eq!(Paging::NAMES, ["none", "link", "offset"]);
        assert_eq!(Effect::named("Fails"), None);
        assert!(Class::A < Class::D);
    }

    #[test]
    fn kinds_read_well() {
        let kinds = [Kind::Param, Kind::Response, Kind::Value].map(|kind| kind.to_string());
        assert_eq!(kinds, ["parameter", "response field", "value"]);
    }
}
