use fedispec_runtime as rt;

use super::entities;

/// Gives a token.
#[derive(Debug, Clone, Default, PartialEq, rt::Since)]
#[since(mastodon = "0.1.0", gotosocial = "0.1.0")]
#[non_exhaustive]
pub struct Token {
    #[since(mastodon = "0.1.0", gotosocial = "0.1.0")]
    pub grant_type: Option<String>,
    #[since(mastodon = "0.1.0", gotosocial = "0.1.0")]
    pub client_id: Option<String>,
    #[since(mastodon = "0.1.0", gotosocial = "0.1.0")]
    pub client_secret: Option<rt::Secret>,
    #[since(mastodon = "0.1.0", gotosocial = "0.1.0")]
    pub code: Option<rt::Secret>,
}

impl Token {
    pub fn authorization_code(
        client_id: impl Into<String>,
        client_secret: impl Into<rt::Secret>,
        code: impl Into<rt::Secret>,
    ) -> Self {
        Self {
            grant_type: Some("authorization_code".into()),
            client_id: Some(client_id.into()),
            client_secret: Some(client_secret.into()),
            code: Some(code.into()),
        }
    }
    pub fn client_credentials(
        client_id: impl Into<String>,
        client_secret: impl Into<rt::Secret>,
    ) -> Self {
        Self {
            grant_type: Some("client_credentials".into()),
            client_id: Some(client_id.into()),
            client_secret: Some(client_secret.into()),
            ..Self::default()
        }
    }
}

impl rt::Request for Token {
    type Answer = entities::Token;
    const OPERATION: &'static rt::Operation =
        &rt::Operation::new("oauth.token", rt::Method::Post, "/oauth/token")
            .auth(rt::Auth::new(rt::TokenKind::None, ""))
            .body(rt::BodyEncoding::Form)
            .params(&[
                rt::Param::form("grant_type"),
                rt::Param::form("client_id"),
                rt::Param::form("client_secret"),
                rt::Param::form("code"),
            ])
            .alternatives(&[
                rt::Alternative::new(&[(0, "authorization_code")], &[1, 2, 3], &[]),
                rt::Alternative::new(&[(0, "client_credentials")], &[1, 2], &[3]),
            ]);
}

impl rt::client::Encode for Token {
    fn encode<'a>(&'a self, to: &mut rt::codegen::Encoder<'a>) {
        to.optional(0, &self.grant_type);
        to.optional(1, &self.client_id);
        to.optional(2, &self.client_secret);
        to.optional(3, &self.code);
    }
}

rt::decode!(Token { grant_type = optional(0), client_id = optional(1), client_secret = optional(2), code = optional(3) });

/// Takes a token back.
#[derive(Debug, Clone, PartialEq, rt::Since)]
#[since(mastodon = "0.1.0", gotosocial = unknown)]
#[non_exhaustive]
pub struct Revoke {
    #[since(mastodon = "0.1.0", gotosocial = unknown)]
    pub token: rt::Secret,
}

impl Revoke {
    pub fn new(token: impl Into<rt::Secret>) -> Self {
        Self { token: token.into() }
    }
}

impl rt::Request for Revoke {
    type Answer = rt::Empty;
    const OPERATION: &'static rt::Operation =
        &rt::Operation::new("oauth.revoke", rt::Method::Post, "/oauth/revoke")
            .body(rt::BodyEncoding::Form)
            .params(&[rt::Param::form("token")]);
}

impl rt::client::Encode for Revoke {
    fn encode<'a>(&'a self, to: &mut rt::codegen::Encoder<'a>) {
        to.required(0, &self.token);
    }
}

rt::decode!(Revoke { token = required(0) });
