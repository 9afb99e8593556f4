//! The group `oauth`.

use fedispec::enums::{CodeChallengeMethod, OauthResponseType, OauthScope};
use fedispec::oauth;

use crate::end_to_end::site::Site;

/// Calls each operation of the group in document 1.
pub(crate) async fn calls(site: &Site) {
    authorize(site).await;
    token(site).await;

    let (wire, _) = site.call(oauth::Revoke::new("id", "s3cret").token("t0ken")).await;
    let form = "client_id=id&client_secret=s3cret&token=t0ken";
    assert_eq!(wire, posted("/oauth/revoke", form));

    let (wire, metadata) = site.call(oauth::ServerMetadata::new()).await;
    assert_eq!(wire, "GET /.well-known/oauth-authorization-server\nBearer users-token");
    assert_eq!(metadata.token_endpoint, "https://example.org/oauth/token");
    assert_eq!(metadata.scopes_supported, [OauthScope::Read, OauthScope::WriteMedia]);
    let userinfo = metadata.userinfo_endpoint.as_deref();
    assert_eq!(userinfo, Some("https://example.org/oauth/userinfo"));
}

async fn authorize(site: &Site) {
    let request = oauth::Authorize::new("id", "app://a?b=c", OauthResponseType::Code)
        .scope("read write:media")
        .state("a&b")
        .code_challenge_method(CodeChallengeMethod::S256)
        .force_login(true);
    let (wire, answer) = site.call(request).await;
    assert_eq!(
        wire,
        "GET /oauth/authorize?client_id=id&redirect_uri=app%3A%2F%2Fa%3Fb%3Dc&response_type=code\
         &scope=read+write%3Amedia&state=a%26b&code_challenge_method=S256&force_login=true\
         \nBearer users-token"
    );
    assert_eq!(answer.code.expose(), "c0de");
    assert_eq!(answer.state.as_deref(), Some("a&b"));
}

/// Each grant type sends its own parameters and no others.
async fn token(site: &Site) {
    let request = oauth::Token::authorization_code(oauth::TokenAuthorizationCode {
        client_id: "id".into(),
        client_secret: "s3cret".into(),
        code: "c0de".into(),
        redirect_uri: "app://a".into(),
    })
    .scope("read");
    let (wire, token) = site.call(request).await;
    let form = "client_id=id&client_secret=s3cret&code=c0de&grant_type=authorization_code\
                &redirect_uri=app%3A%2F%2Fa&scope=read";
    assert_eq!(wire, posted("/oauth/token", form));
    assert_eq!(token.access_token.expose(), "t0ken");
    assert_eq!(token.created_at, Some(1_728_390_600));
    assert!(!format!("{token:?}").contains("t0ken"));

    let request = oauth::Token::client_credentials("id", "s3cret");
    let (wire, token) = site.call(request).await;
    let form = "client_id=id&client_secret=s3cret&grant_type=client_credentials";
    assert_eq!(wire, posted("/oauth/token", form));
    assert_eq!(token.scope, "read");

    let request = oauth::Token::with_password(oauth::TokenWithPassword {
        client_id: "id".into(),
        client_secret: "s3cret".into(),
        username: "mona@example.org".into(),
        password: "hunter2".into(),
    });
    let (wire, _) = site.call(request).await;
    let form = "client_id=id&client_secret=s3cret&grant_type=password&password=hunter2\
                &username=mona%40example.org";
    assert_eq!(wire, posted("/oauth/token", form));
}

fn posted(path: &str, form: &str) -> String {
    format!("POST {path}\nBearer users-token\napplication/x-www-form-urlencoded\n{form}")
}
