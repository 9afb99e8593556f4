//! Subscriptions: what a request for a stream means on each kind of connection, without IO.

use form_urlencoded::Serializer;
use http::header::{
    ACCEPT, CONNECTION, HeaderValue, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL,
    SEC_WEBSOCKET_VERSION, UPGRADE,
};
use serde_json::json;

use super::{StreamAddress, TokenPlace};
use crate::client::request::{bare, target};
use crate::client::{Body, Encode, Encoder, Error, Token};
use crate::{EventStream, Operation, Request};

/// The path of the WebSocket; the streams that it has are the operations below it.
const SOCKET: &str = "/api/v1/streaming";

/// A stream to subscribe to: `streaming::Hashtag::new("cats")` is the stream `hashtag` with its tag.
///
/// It builds the requests and messages for connections of your own:
///
/// ```
/// # use fedispec_runtime as rt;
/// # struct Hashtag { tag: String }
/// # struct StreamEvent;
/// # impl rt::Request for Hashtag {
/// #     type Answer = rt::EventStream<StreamEvent>;
/// #     const OPERATION: &'static rt::Operation =
/// #         &rt::Operation::new("streaming.hashtag", rt::Method::Get, "/api/v1/streaming/hashtag").params(&[rt::Param::query("tag")]);
/// # }
/// # impl rt::client::Encode for Hashtag {
/// #     fn encode<'a>(&'a self, to: &mut rt::codegen::Encoder<'a>) { to.required(0, &self.tag); }
/// # }
/// # let request = Hashtag { tag: "cats".into() };
/// use rt::client::{StreamAddress, Subscription, TokenPlace};
///
/// let stream = Subscription::new(&request)?;
/// assert_eq!(stream.name(), "hashtag:cats");
/// assert_eq!(stream.subscribe().unwrap(), r#"{"stream":"hashtag","tag":"cats","type":"subscribe"}"#);
///
/// let address = StreamAddress::own(&"social.example".parse()?);
/// let token = "..".into();
/// let lines = stream.event_lines(&address, Some(&token))?;
/// assert_eq!(lines.uri(), "https://social.example/api/v1/streaming/hashtag?tag=cats");
/// let socket = stream.web_socket(&address, Some((&token, TokenPlace::Header)), "dGhlIHNhbXBsZSBub25jZQ==")?;
/// assert_eq!(socket.uri(), "https://social.example/api/v1/streaming?stream=hashtag&tag=cats");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Subscription {
    operation: &'static Operation,
    /// The indices of the parameters that are set.
    #[cfg(feature = "streaming")]
    set: Vec<usize>,
    /// The name on a WebSocket; `None` where the operation is not below its path.
    channel: Option<String>,
    tag: Option<String>,
    list: Option<String>,
    /// The token of the request itself, which stands in the query.
    token: Option<Token>,
    /// The path and query of the event stream.
    target: String,
}

impl Subscription {
    /// The stream that a request asks for.
    ///
    /// # Errors
    ///
    /// When a parameter cannot be sent.
    pub fn new<R, E>(request: &R) -> Result<Self, Error>
    where
        R: Request<Answer = EventStream<E>> + Encode,
    {
        Self::of(R::OPERATION, request)
    }

    fn of(operation: &'static Operation, request: &dyn Encode) -> Result<Self, Error> {
        let encoder = Encoder::collect(operation, request);
        let text = |name: &str| {
            let mut entries = encoder.entries.iter();
            let entry = entries.find(|entry| entry.param.wire == name)?;
            entry.value.scalar().map(std::borrow::Cow::into_owned)
        };
        let below = operation.path.strip_prefix(SOCKET);
        let below = below.and_then(|below| below.strip_prefix('/'));
        let only_media = text("only_media").as_deref() == Some("true");
        Ok(Self {
            operation,
            #[cfg(feature = "streaming")]
            set: encoder.set().collect(),
            channel: below.map(|below| {
                let media = if only_media { ":media" } else { "" };
                format!("{}{media}", below.replace('/', ":"))
            }),
            tag: text("tag"),
            list: text("list"),
            token: text("access_token").map(Token::from),
            target: target(&encoder)?,
        })
    }

    /// The name with the hashtag or list, by which events and subscriptions are told apart: `user`, `list:12`, `hashtag:local:cats`.
    pub fn name(&self) -> String {
        let channel = self.channel.as_deref().unwrap_or(self.operation.id);
        let of = [&self.tag, &self.list].into_iter().flatten();
        of.fold(channel.to_owned(), |name, of| format!("{name}:{of}"))
    }

    /// The name of the stream alone: `hashtag`. `None` where there is none of this name on a WebSocket.
    pub fn channel(&self) -> Option<&str> {
        self.channel.as_deref()
    }

    /// The message that begins the stream on a WebSocket.
    pub fn subscribe(&self) -> Option<String> {
        self.message("subscribe")
    }

    /// The message that ends the stream on a WebSocket.
    pub fn unsubscribe(&self) -> Option<String> {
        self.message("unsubscribe")
    }

    fn message(&self, kind: &str) -> Option<String> {
        let mut message = json!({"type": kind, "stream": self.channel.as_deref()?});
        for (name, value) in [("tag", &self.tag), ("list", &self.list)] {
            if let Some(value) = value {
                message[name] = value.as_str().into();
            }
        }
        Some(message.to_string())
    }

    /// The request for the stream as server-sent events.
    ///
    /// # Errors
    ///
    /// When the token cannot be sent in a header.
    pub fn event_lines(
        &self,
        address: &StreamAddress,
        token: Option<&Token>,
    ) -> Result<http::Request<Body>, Error> {
        let fault = |error: http::Error| Error::request(self.operation, "", &error.to_string());
        let url = address.url(&self.target).map_err(fault)?;
        // The request's own token stands in the target.
        let token = token.filter(|_| self.token.is_none());
        bare(self.operation, url, token)?
            .header(ACCEPT, "text/event-stream")
            .body(Body::default())
            .map_err(fault)
    }

    /// The request that opens a WebSocket with this stream; others can be subscribed to on it. The key is 16 random bytes in Base64.
    ///
    /// # Errors
    ///
    /// When the token cannot be sent at that place, or there is no such stream on a WebSocket.
    pub fn web_socket(
        &self,
        address: &StreamAddress,
        token: Option<(&Token, TokenPlace)>,
        key: &str,
    ) -> Result<http::Request<Body>, Error> {
        let operation = self.operation;
        let fault = |what: &str| Error::request(operation, "", what);
        let channel = self.channel.as_deref();
        let channel = channel.ok_or_else(|| fault("there is no such stream on a WebSocket"))?;
        let mut query = Serializer::for_suffix(format!("{SOCKET}?"), SOCKET.len() + 1);
        query.append_pair("stream", channel);
        for (name, value) in [("tag", &self.tag), ("list", &self.list)] {
            if let Some(value) = value {
                query.append_pair(name, value);
            }
        }
        let own = self.token.as_ref().map(|token| (token, TokenPlace::Query));
        let token = own.or(token);
        if let Some((token, TokenPlace::Query)) = token {
            query.append_pair("access_token", token.expose());
        }
        let url = address.url(&query.finish());
        let url = url.map_err(|error| fault(&error.to_string()))?;
        let header = token.filter(|(_, place)| *place == TokenPlace::Header);
        let mut builder = bare(operation, url, header.map(|(token, _)| token))?
            .header(CONNECTION, "Upgrade")
            .header(UPGRADE, "websocket")
            .header(SEC_WEBSOCKET_VERSION, "13")
            .header(SEC_WEBSOCKET_KEY, key);
        if let Some((token, TokenPlace::Protocol)) = token {
            let what = "the token has characters that are not allowed in a sub-protocol";
            let is_word = |text: &str| text.bytes().all(is_token_byte) && !text.is_empty();
            let word = Some(token.expose()).filter(|text| is_word(text));
            let value = word.and_then(|word| HeaderValue::try_from(word).ok());
            let mut value = value.ok_or_else(|| fault(what))?;
            value.set_sensitive(true);
            builder = builder.header(SEC_WEBSOCKET_PROTOCOL, value);
        }
        builder.body(Body::default()).map_err(|error| fault(&error.to_string()))
    }

    #[cfg(feature = "streaming")]
    pub(super) fn operation(&self) -> &'static Operation {
        self.operation
    }

    #[cfg(feature = "streaming")]
    pub(super) fn set(&self) -> impl Iterator<Item = usize> {
        self.set.iter().copied()
    }
}

/// The characters of a [token](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2).
fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

// The target may hold the token.
shown!(Subscription, own => name = own.name());
