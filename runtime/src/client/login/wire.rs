//! The requests and answers of a login, as far as it needs them.

use std::marker::PhantomData;

use crate::client::{Encode, Encoder};
use crate::known::REDIRECT_URIS;
use crate::{
    Auth, BodyEncoding, Empty, Entity, Method, OneOrMany, Operation, Paging, Param, Request,
    Secret, TokenKind,
};

/// A request that is built of its parameters' names and values.
macro_rules! request {
    ($(#[$meta:meta])* $name:ident -> $answer:ty = $operation:expr, $form:ident {
        $($field:ident: $type:ty = $method:ident $(, several $several:expr)?);* $(;)?
    }) => {
        $(#[$meta])*
        pub(super) struct $name {
            $(pub(super) $field: $type),*
        }

        impl Request for $name {
            type Answer = $answer;
            const OPERATION: &'static Operation =
                &$operation
                    .auth(Auth::new(TokenKind::None, ""))
                    .paging(Paging::None)
                    .params(&[$(Param::$form(stringify!($field))$(.several($several))?),*]);
        }

        impl Encode for $name {
            #[allow(unused_variables, unused_assignments, unused_mut, reason = "some have no parameters")]
            fn encode<'a>(&'a self, to: &mut Encoder<'a>) {
                let mut index = 0;
                $(
                    to.$method(index, &self.$field);
                    index += 1;
                )*
            }
        }
    };
}

const fn post(id: &'static str, path: &'static str) -> Operation {
    Operation::new(id, Method::Post, path).body(BodyEncoding::Form)
}

request! {
    /// Registers an application.
    Register -> Registered = post("apps.create", "/api/v1/apps"), form {
        client_name: String = required;
        redirect_uris: OneOrMany<String> = required, several REDIRECT_URIS;
        scopes: Option<String> = optional;
        website: Option<String> = optional;
    }
}

request! {
    /// Issues a token.
    Issue -> Granted = post("oauth.token", "/oauth/token"), form {
        client_id: String = required;
        client_secret: Secret = required;
        grant_type: String = required;
        redirect_uri: Option<String> = optional;
        scope: Option<String> = optional;
        code: Option<Secret> = optional;
        code_verifier: Option<Secret> = optional;
        refresh_token: Option<Secret> = optional;
    }
}

request! {
    /// Revokes a token.
    Revoke -> Empty = post("oauth.revoke", "/oauth/revoke"), form {
        client_id: String = required;
        client_secret: Secret = required;
        token: Secret = required;
    }
}

request! {
    /// The page on which the user consents.
    Authorize -> Empty = Operation::new("oauth.authorize", Method::Get, "/oauth/authorize"), query {
        response_type: String = required;
        client_id: String = required;
        redirect_uri: String = required;
        scope: Option<String> = optional;
        state: Option<Secret> = optional;
        code_challenge: Option<String> = optional;
        code_challenge_method: Option<String> = optional;
        force_login: Option<bool> = optional;
        lang: Option<String> = optional;
    }
}

request! {
    /// The server's metadata (RFC 8414).
    Metadata -> ServerMetadata = Operation::new(
        "oauth.server_metadata",
        Method::Get,
        "/.well-known/oauth-authorization-server",
    ), query {}
}

/// The operations that a login calls, which the catalogue has too: a test holds each against the generated one.
pub const OPERATIONS: &[&Operation] = &[
    Register::OPERATION,
    Issue::OPERATION,
    Revoke::OPERATION,
    Authorize::OPERATION,
    Metadata::OPERATION,
];

/// The part of a server's OAuth metadata (RFC 8414) that a login needs; the generated `ServerMetadata` has all of it.
#[derive(Debug, Clone, PartialEq, Entity)]
#[entity(crate = crate)]
#[non_exhaustive]
pub struct ServerMetadata {
    /// The server's own identifier, its origin.
    pub issuer: String,
    /// The scopes that it knows; empty where it does not say.
    #[entity(lenient)]
    pub scopes_supported: Option<Vec<String>>,
    /// The kinds of grants: `authorization_code`, `refresh_token`.
    #[entity(lenient)]
    pub grant_types_supported: Option<Vec<String>>,
    /// The methods of proof keys: `S256`.
    #[entity(lenient)]
    pub code_challenge_methods_supported: Option<Vec<String>>,
}

/// The answer to a registration.
#[derive(Entity)]
#[entity(crate = crate)]
pub(super) struct Registered {
    #[entity(key = "client_id")]
    pub(super) id: String,
    #[entity(key = "client_secret")]
    pub(super) secret: Secret,
    #[entity(key = "client_secret_expires_at", lenient)]
    pub(super) expires_at: Option<i64>,
}

/// An issued token. Whatever is not the token itself may be missing or of another type: it has been issued all the same.
#[derive(Entity)]
#[entity(crate = crate)]
pub(super) struct Granted {
    pub(super) access_token: Secret,
    #[entity(lenient)]
    pub(super) scope: Option<String>,
    #[entity(lenient)]
    pub(super) created_at: Option<i64>,
    #[entity(lenient)]
    pub(super) expires_in: Option<i64>,
    #[entity(lenient)]
    pub(super) refresh_token: Option<Secret>,
}

/// A request whose answer is read as another type.
pub(super) struct As<R, A>(R, PhantomData<fn() -> A>);

impl<R, A> As<R, A> {
    pub(super) fn new(request: R) -> Self {
        Self(request, PhantomData)
    }
}

impl<R: Request, A> Request for As<R, A> {
    type Answer = A;
    const OPERATION: &'static Operation = R::OPERATION;
}

impl<R: Encode, A> Encode for As<R, A> {
    fn encode<'a>(&'a self, to: &mut Encoder<'a>) {
        self.0.encode(to);
    }
}
