//! The operations that the runtime's login calls are those of the catalogue.

use fedispec::client::login::OPERATIONS;
use fedispec::runtime::{Operation, Request as _};
use fedispec::{apps, oauth};

/// The parameters of RFC 6749 that neither program has: they issue no refresh tokens.
const BEYOND: &[&str] = &["oauth.token.refresh_token"];

#[test]
fn what_a_login_sends_is_what_the_catalogue_says() {
    let generated: [&Operation; 5] = [
        apps::Create::OPERATION,
        oauth::Token::OPERATION,
        oauth::Revoke::OPERATION,
        oauth::Authorize::OPERATION,
        oauth::ServerMetadata::OPERATION,
    ];
    assert_eq!(OPERATIONS.len(), generated.len());
    for (own, theirs) in OPERATIONS.iter().zip(generated) {
        let route = |one: &Operation| (one.id, one.method, one.path, one.body, one.paging);
        assert_eq!(route(own), route(theirs));
        for param in own.params {
            let id = format!("{}.{}", own.id, param.wire);
            let mut params = theirs.params.iter();
            let same = params.find(|other| other.wire == param.wire);
            assert_eq!(same.is_none(), BEYOND.contains(&&*id), "{id}");
            let Some(same) = same else { continue };
            assert_eq!(param.location, same.location, "{id}");
            // The forms for programs that no type is made for are known too.
            for way in same.several {
                assert!(param.several.contains(way), "{id}: {way:?}");
            }
        }
    }
}
