//! Bearer tokens.

use http::HeaderValue;

use crate::Secret;

/// A bearer token. It is sent only to the client's origin, and `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(Secret);

impl Token {
    /// Creates a token.
    pub fn new(text: impl Into<Secret>) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn expose(&self) -> &str {
        self.0.expose()
    }

    /// The value of the `Authorization` header; `None` where the token has characters that are not allowed in a header.
    pub(super) fn header(&self) -> Option<HeaderValue> {
        let mut value = HeaderValue::try_from(format!("Bearer {}", self.expose())).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

shown!(Token(..));

impl<T: Into<Secret>> From<T> for Token {
    fn from(text: T) -> Self {
        Self::new(text)
    }
}
