//! Signing in on `Server::oauth_with`, over real sockets: what a browser, an application and an attacker do.

pub(crate) mod store;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use fedispec::runtime::Json;
use fedispec::server::{
    Call, Consent, Events, Hub, Id, Listen, OauthMemory, OauthPage, OauthRequest, OauthStore,
    OauthUser, Reply, Result, Server, Topic, escape_html,
};
use fedispec::streaming;
use form_urlencoded::Serializer;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};

use crate::traits::raw;

const BACK: &str = "https://app.example/back?a=1";
/// The example of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// A page of one user, who refuses with the password `no`.
struct Page;

impl OauthPage for Page {
    async fn show(&self, asked: &OauthRequest, _: &Call) -> Result<Reply> {
        let error = escape_html(asked.error.as_deref().unwrap_or_default());
        let (name, fields) = (escape_html(&asked.app.name), asked.hidden_fields());
        Ok(Reply::html(format!("<h1>{name}: {}</h1><p>{error}</p>{fields}", asked.scopes)))
    }

    async fn consent(&self, asked: &OauthRequest, _: &Call) -> Result<Consent> {
        assert!(!format!("{asked:?}").contains("hunter2"), "{asked:?}");
        Ok(match asked.field("password") {
            "hunter2" => Consent::Given("7".into()),
            "no" => Consent::Denied,
            _ => Consent::Again("The password is <wrong>.".into()),
        })
    }

    async fn user(&self, account: &Id, _: &Call) -> Result<OauthUser> {
        let uri = format!("https://a.example/users/{}", account.as_str());
        let (name, username) = ("Mona".to_owned(), "mona".to_owned());
        Ok(OauthUser { url: uri.clone(), uri, name, username, avatar: String::new() })
    }

    async fn password(&self, name: &str, password: &fedispec::server::Secret) -> Result<Id> {
        assert_eq!((name, password.expose()), ("mona", "hunter2"));
        Ok("7".into())
    }
}

/// An answer.
#[derive(Debug)]
struct Got {
    status: u16,
    head: String,
    body: String,
}

impl Got {
    fn header(&self, name: &str) -> &str {
        let line = self.head.lines().find_map(|line| {
            let (own, value) = line.split_once(": ")?;
            own.eq_ignore_ascii_case(name).then_some(value)
        });
        line.unwrap_or_default()
    }

    fn json(&self) -> Json {
        serde_json::from_str(&self.body).expect(&self.body)
    }

    /// The code of an error of OAuth, with its status.
    fn error(&self) -> (u16, String) {
        (self.status, self.json()["error"].as_str().expect(&self.body).to_owned())
    }

    /// A parameter of the address that the browser is sent back to.
    fn back(&self, name: &str) -> String {
        let location = self.header("location");
        assert!(location.starts_with(BACK), "{self:?}");
        let (_, query) = location.split_once('?').expect("a query");
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
    }

    /// The hidden fields of the page.
    fn fields(&self) -> Vec<(String, String)> {
        let inputs = self.body.split("<input type=\"hidden\" name=\"").skip(1);
        let fields = inputs.map(|input| {
            let (name, rest) = input.split_once("\" value=\"").expect("a value");
            let (value, _) = rest.split_once('"').expect("its end");
            (name.to_owned(), value.replace("&amp;", "&"))
        });
        fields.collect()
    }
}

type Pairs<'p> = &'p [(&'p str, &'p str)];

fn encoded(pairs: Pairs<'_>) -> String {
    Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// Pairs, of which some have another value or are new; an empty value takes one away.
fn with(pairs: Pairs<'_>, other: Pairs<'_>) -> String {
    let kept = pairs.iter().filter(|(name, _)| other.iter().all(|(own, _)| own != name));
    let other = other.iter().filter(|(_, value)| !value.is_empty());
    encoded(&kept.chain(other).copied().collect::<Vec<_>>())
}

/// A server, and an application of it.
struct Site {
    address: SocketAddr,
    id: String,
    secret: String,
}

impl Site {
    async fn of(store: impl OauthStore, build: impl FnOnce(Server<Hub>) -> Server<Hub>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let server = Server::of(Hub::new()).oauth_with(store, Page).on_stream(
            async |hub: Hub, _: streaming::User, call: Call| -> Result<Events> {
                Ok(hub.subscribe([Topic::user(call.account()?)]))
            },
        );
        tokio::spawn(Listen::new(listener).serve(build(server).into_router()));
        let mut site = Self { address, id: String::new(), secret: String::new() };
        (site.id, site.secret) = site.register().await;
        site
    }

    async fn new() -> Self {
        Self::of(OauthMemory::new(), |server| server).await
    }

    async fn register(&self) -> (String, String) {
        let form = encoded(&[
            ("client_name", "<elephant>"),
            ("redirect_uris", &format!("{BACK}\nurn:ietf:wg:oauth:2.0:oob")),
            ("scopes", "read write profile"),
        ]);
        let app = self.post("/api/v1/apps", &[], &form).await;
        assert_eq!(app.status, 200, "{app:?}");
        let app = app.json();
        let text = |key: &str| app[key].as_str().expect("text").to_owned();
        (text("client_id"), text("client_secret"))
    }

    async fn ask(&self, line: &str, headers: Pairs<'_>, body: &str) -> Got {
        let mut head =
            format!("{line} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        for (name, value) in headers {
            head.extend([*name, ": ", *value, "\r\n"]);
        }
        let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        let mut socket = TcpStream::connect(self.address).await.expect("a connection");
        socket.write_all(request.as_bytes()).await.expect("it listens");
        let answer = raw::read(socket).await;
        let (head, body) = answer.split_once("\r\n\r\n").expect(&answer);
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Got { status: status.expect(head), head: head.to_owned(), body: body.to_owned() }
    }

    async fn post(&self, path: &str, headers: Pairs<'_>, form: &str) -> Got {
        let kind = ("Content-Type", "application/x-www-form-urlencoded");
        let headers: Vec<_> = headers.iter().copied().chain([kind]).collect();
        self.ask(&format!("POST {path}"), &headers, form).await
    }

    /// Opens the page, with other parameters than the usual.
    async fn open(&self, other: Pairs<'_>) -> Got {
        let usual = [
            ("client_id", &*self.id),
            ("redirect_uri", BACK),
            ("response_type", "code"),
            ("scope", "read profile"),
            ("state", "a b"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ];
        self.ask(&format!("GET /oauth/authorize?{}", with(&usual, other)), &[], "").await
    }

    /// Sends the form of a page as a browser does, with other fields than the page's.
    async fn submit(&self, path: &str, page: &Got, other: Pairs<'_>) -> Got {
        let (cookie, _) = page.header("set-cookie").split_once(';').expect("a cookie");
        let fields = page.fields();
        let fields: Vec<_> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
        self.post(path, &[("Cookie", &format!("other=1; {cookie}"))], &with(&fields, other)).await
    }

    /// A code, for which the user has consented.
    async fn code(&self, other: Pairs<'_>) -> String {
        let page = self.open(other).await;
        assert_eq!(page.status, 200, "{page:?}");
        let back = self.submit("/oauth/authorize", &page, &[("password", "hunter2")]).await;
        assert_eq!((back.status, &*back.back("state")), (302, "a b"), "{back:?}");
        back.back("code")
    }

    async fn exchange(&self, code: &str, other: Pairs<'_>) -> Got {
        let usual = [
            ("client_id", &*self.id),
            ("client_secret", &self.secret),
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", BACK),
            ("code_verifier", VERIFIER),
        ];
        self.post("/oauth/token", &[], &with(&usual, other)).await
    }

    async fn token(&self, code: &str) -> String {
        let got = self.exchange(code, &[]).await;
        assert_eq!(got.status, 200, "{got:?}");
        assert_eq!(got.header("cache-control"), "private, no-store");
        got.json()["access_token"].as_str().expect("a token").to_owned()
    }

    async fn revoke(&self, token: &str, other: Pairs<'_>) -> Got {
        let own = [("client_id", &*self.id), ("client_secret", &self.secret), ("token", token)];
        self.post("/oauth/revoke", &[], &with(&own, other)).await
    }

    /// The status of a call with a token.
    async fn status(&self, token: &str) -> u16 {
        let bearer = format!("Bearer {token}");
        self.ask("GET /oauth/userinfo", &[("Authorization", &bearer)], "").await.status
    }

    async fn is_refused(&self, code: &str, other: Pairs<'_>) {
        let got = self.exchange(code, other).await;
        assert_eq!(got.error(), (400, "invalid_grant".to_owned()), "{other:?}");
    }
}

/// All that an application does, on any store.
pub(crate) async fn from_registration_to_revocation(store: impl OauthStore) {
    let site = Site::of(store, |server| server.public_origin("http://a.example")).await;
    let page = site.open(&[]).await;
    assert!(page.body.contains("<h1>&lt;elephant&gt;: read profile</h1>"), "{page:?}");
    let token = site.token(&site.code(&[]).await).await;
    let bearer = [("Authorization", &*format!("Bearer {token}"))];
    let app = site.ask("GET /api/v1/apps/verify_credentials", &bearer, "").await.json();
    assert_eq!((&app["name"], &app["id"]), (&"<elephant>".into(), &site.id.as_str().into()));
    assert_eq!(app["client_secret"], Json::Null);
    let user = site.ask("GET /oauth/userinfo", &bearer, "").await.json();
    assert_eq!(
        (&user["sub"], &user["iss"]),
        (&"https://a.example/users/7".into(), &"http://a.example/".into())
    );
    let told = site.ask("GET /.well-known/oauth-authorization-server", &[], "").await.json();
    assert_eq!(told["token_endpoint"], "http://a.example/oauth/token");
    assert_eq!(told["code_challenge_methods_supported"], serde_json::json!(["S256"]));
    assert_eq!(site.revoke(&token, &[]).await.status, 200);
    assert_eq!(site.status(&token).await, 401);
    // There is nothing left to revoke.
    assert_eq!(site.revoke(&token, &[]).await.status, 200);
}

#[tokio::test]
async fn an_application_signs_in_and_out() {
    from_registration_to_revocation(OauthMemory::new()).await;
}

#[tokio::test]
async fn a_code_is_good_once_and_takes_its_token_with_it() {
    let site = Site::new().await;
    let code = site.code(&[]).await;
    let token = site.token(&code).await;
    assert_eq!(site.status(&token).await, 200);
    site.is_refused(&code, &[]).await;
    assert_eq!(site.status(&token).await, 401);
}

#[tokio::test]
async fn a_code_is_good_for_ten_minutes() {
    let now = Arc::new(AtomicI64::new(1_000_000));
    let clock = Arc::clone(&now);
    let store = OauthMemory::new().with_clock(move || clock.load(Ordering::SeqCst));
    let site = Site::of(store, |server| server).await;
    let (early, late) = (site.code(&[]).await, site.code(&[]).await);
    now.fetch_add(599, Ordering::SeqCst);
    let token = site.exchange(&early, &[]).await;
    assert_eq!((token.status, &token.json()["created_at"]), (200, &1_000_599.into()));
    now.fetch_add(1, Ordering::SeqCst);
    site.is_refused(&late, &[]).await;
}

#[tokio::test]
async fn a_code_is_for_who_has_asked() {
    let site = Site::new().await;
    let (other_id, other_secret) = site.register().await;
    let theirs = [("client_id", &*other_id), ("client_secret", &*other_secret)];
    let wrong: [Pairs<'_>; 5] = [
        &[("code_verifier", "another-that-is-long-enough-to-be-a-verifier")],
        &[("code_verifier", "")],
        &[("redirect_uri", "https://app.example/back")],
        &[("redirect_uri", "")],
        &theirs,
    ];
    for other in wrong {
        let code = site.code(&[]).await;
        let got = site.exchange(&code, other).await;
        let missing = matches!(other, [("redirect_uri", "")]);
        let expected = if missing { "invalid_request" } else { "invalid_grant" };
        assert_eq!(got.error(), (400, expected.to_owned()), "{other:?}");
        if !missing {
            // It has leaked, and is good for nobody.
            site.is_refused(&code, &[]).await;
        }
    }
    // A verifier without a challenge proves nothing.
    let code = site.code(&[("code_challenge", ""), ("code_challenge_method", "")]).await;
    site.is_refused(&code, &[]).await;
    let code = site.code(&[]).await;
    let got = site.exchange(&code, &[("client_secret", &other_secret)]).await;
    assert_eq!(got.error(), (401, "invalid_client".to_owned()));
    let got = site.exchange(&code, &[("client_id", "nobody")]).await;
    assert_eq!(got.error(), (401, "invalid_client".to_owned()));
    site.token(&code).await;
}

#[tokio::test]
async fn nobody_is_sent_to_an_address_that_is_not_registered() {
    let site = Site::new().await;
    let page = site.open(&[]).await;
    for evil in [
        "https://evil.example/",
        "https://app.example/back",
        "https://app.example/back?a=1&b",
        "javascript:alert(1)",
        "//evil",
    ] {
        let other = [("redirect_uri", evil), ("password", "hunter2")];
        for got in [site.open(&other).await, site.submit("/oauth/authorize", &page, &other).await] {
            assert_eq!((got.status, got.header("location")), (400, ""), "{evil}");
            assert_eq!(got.header("x-frame-options"), "DENY");
        }
    }
    let got = site.open(&[("client_id", "nobody")]).await;
    assert_eq!((got.status, got.header("location")), (401, ""));
    // Nor is such an address registered.
    for uris in ["javascript:alert(1)", "/back", "https://a.example/#b", ""] {
        let form = encoded(&[("client_name", "a"), ("redirect_uris", uris)]);
        assert_eq!(site.post("/api/v1/apps", &[], &form).await.status, 422, "{uris}");
    }
}

#[tokio::test]
async fn errors_go_back_to_a_known_application() {
    let site = Site::new().await;
    let page = site.open(&[]).await;
    let wrong: [(Pairs<'_>, &str); 6] = [
        (&[("response_type", "token")], "unsupported_response_type"),
        (&[("scope", "read admin:read")], "invalid_scope"),
        (&[("scope", "follow")], "invalid_scope"),
        (&[("scope", "read:nonsense")], "invalid_scope"),
        (&[("code_challenge_method", "plain")], "invalid_request"),
        (&[("code_challenge", "short")], "invalid_request"),
    ];
    for (other, error) in wrong {
        let form: Vec<_> = other.iter().copied().chain([("password", "hunter2")]).collect();
        for got in [site.open(other).await, site.submit("/oauth/authorize", &page, &form).await] {
            assert_eq!((&*got.back("error"), &*got.back("state")), (error, "a b"), "{other:?}");
            assert_eq!(got.back("code"), "");
        }
    }
    let denied = site.submit("/oauth/authorize", &page, &[("password", "no")]).await;
    assert_eq!((&*denied.back("error"), &*denied.back("state")), ("access_denied", "a b"));
    let again = site.submit("/oauth/authorize", &page, &[("password", "x")]).await;
    assert_eq!((again.status, again.header("location")), (401, ""));
    assert!(again.body.contains("<p>The password is &lt;wrong&gt;.</p>"), "{again:?}");
    let shown = site.submit("/oauth/authorize", &again, &[("password", "hunter2")]).await;
    assert_eq!(shown.status, 302);
}

#[tokio::test]
async fn a_page_is_in_no_frame_and_its_form_is_its_own() {
    let site = Site::new().await;
    let page = site.open(&[]).await;
    let allow = [("password", "hunter2")];
    let done = site.submit("/oauth/authorize", &page, &allow).await;
    for got in [&page, &done] {
        assert_eq!(got.header("x-frame-options"), "DENY");
        assert_eq!(got.header("content-security-policy"), "frame-ancestors 'none'");
        assert_eq!(got.header("cache-control"), "no-store");
        assert_eq!(got.header("referrer-policy"), "no-referrer");
    }
    let cookie = page.header("set-cookie");
    assert!(
        cookie.starts_with("oauth_csrf=") && cookie.ends_with("; Path=/; HttpOnly; SameSite=Lax"),
        "{cookie}"
    );
    let fields = page.fields();
    let (_, csrf) = fields.iter().find(|(name, _)| name == "csrf_token").expect("a token");
    assert!(!cookie.contains(csrf.as_str()));

    let another = site.open(&[]).await;
    let (_, theirs) = another.fields().pop().expect("a token");
    for wrong in ["", "x", theirs.as_str()] {
        let got = site.submit("/oauth/authorize", &page, &[allow[0], ("csrf_token", wrong)]).await;
        assert_eq!((got.status, got.header("location")), (403, ""), "{wrong}");
        assert!(got.body.contains("Try again."), "{got:?}");
    }
    // The form of another site comes without the cookie.
    let pairs: Vec<_> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    let got = site.post("/oauth/authorize", &[], &with(&pairs, &allow)).await;
    assert_eq!((got.status, got.header("location")), (403, ""));

    // Over TLS no other host can set the cookie.
    let tls = |server: Server<Hub>| server.public_origin("https://a.example");
    let site = Site::of(OauthMemory::new(), tls).await;
    let cookie = site.open(&[]).await.header("set-cookie").to_owned();
    assert!(cookie.starts_with("__Host-oauth_csrf=") && cookie.ends_with("; Secure"), "{cookie}");
    site.token(&site.code(&[]).await).await;
}

#[tokio::test]
async fn an_empty_field_does_not_take_the_challenge_away() {
    let site = Site::new().await;
    let page = site.open(&[]).await;
    let path = format!("/oauth/authorize?code_challenge={CHALLENGE}&code_challenge_method=S256");
    let (cookie, _) = page.header("set-cookie").split_once(';').expect("a cookie");
    let fields = page.fields();
    let kept = fields.iter().filter(|(name, _)| !name.starts_with("code_challenge"));
    let mut form: Vec<_> = kept.map(|(name, value)| (&**name, &**value)).collect();
    form.extend([("code_challenge", ""), ("code_challenge_method", ""), ("password", "hunter2")]);
    let back = site.post(&path, &[("Cookie", cookie)], &encoded(&form)).await;
    site.is_refused(&back.back("code"), &[("code_verifier", "")]).await;
    let back = site.post(&path, &[("Cookie", cookie)], &encoded(&form)).await;
    site.token(&back.back("code")).await;
}

#[tokio::test]
async fn a_code_without_an_address_is_shown() {
    let site = Site::new().await;
    let oob = ("redirect_uri", "urn:ietf:wg:oauth:2.0:oob");
    let page = site.open(&[oob]).await;
    let shown = site.submit("/oauth/authorize", &page, &[("password", "hunter2")]).await;
    assert_eq!((shown.status, shown.header("x-frame-options")), (200, "DENY"));
    let (_, code) = shown.body.split_once("<code>").expect("a code");
    let (code, _) = code.split_once("</code>").expect("its end");
    assert_eq!(site.exchange(code, &[oob]).await.status, 200);
    let refused = site.open(&[oob, ("scope", "admin:read")]).await;
    assert_eq!((refused.status, refused.header("location")), (400, ""));
}

#[tokio::test]
async fn an_application_has_a_token_of_its_own_within_its_scopes() {
    let site = Site::new().await;
    let own = async |other: Pairs<'_>| {
        let usual = [
            ("grant_type", "client_credentials"),
            ("code", ""),
            ("code_verifier", ""),
            ("redirect_uri", ""),
        ];
        let usual = usual.iter().filter(|(name, _)| other.iter().all(|(own, _)| own != name));
        let other: Vec<_> = usual.chain(other).copied().collect();
        site.exchange("", &other).await
    };
    assert_eq!(own(&[]).await.json()["scope"], "read");
    assert_eq!(own(&[("scope", "write:media read")]).await.json()["scope"], "write:media read");
    for beyond in ["follow", "admin:read", "read:nonsense", "read  push"] {
        let got = own(&[("scope", beyond)]).await;
        assert_eq!(got.error(), (400, "invalid_scope".to_owned()), "{beyond}");
    }
    for grant in ["password", "implicit"] {
        let user = [("grant_type", grant), ("username", "mona"), ("password", "hunter2")];
        let got = own(&user).await;
        assert_eq!(got.error(), (400, "unsupported_grant_type".to_owned()), "{grant}");
    }
}

#[tokio::test]
async fn passwords_give_tokens_where_the_release_has_that() {
    for (release, status) in [("mastodon@4.2.0", 200), ("mastodon@4.5.0", 400)] {
        let site =
            Site::of(OauthMemory::new(), |server| server.emulate(release).expect("it")).await;
        let other = [
            ("grant_type", "password"),
            ("username", "mona"),
            ("password", "hunter2"),
            ("code", ""),
            ("code_verifier", ""),
            ("redirect_uri", ""),
        ];
        let got = site.exchange("", &other).await;
        assert_eq!(got.status, status, "{got:?}");
        if status == 400 {
            assert_eq!(got.error().1, "unsupported_grant_type");
        }
    }
}

#[tokio::test]
async fn only_its_own_application_revokes_a_token_whose_streams_end() {
    let site = Site::new().await;
    let token = site.token(&site.code(&[]).await).await;
    let (id, secret) = site.register().await;
    let wrong: [Pairs<'_>; 3] = [
        &[("client_id", &id), ("client_secret", &secret)],
        &[("client_secret", &secret)],
        &[("client_id", "nobody")],
    ];
    for other in wrong {
        let got = site.revoke(&token, other).await;
        assert_eq!(got.error(), (403, "unauthorized_client".to_owned()), "{other:?}");
    }
    assert_eq!(site.status(&token).await, 200);

    let bearer = format!("Bearer {token}");
    let headers = [("Authorization", &*bearer)];
    let stream = site.ask("GET /api/v1/streaming/user", &headers, "");
    let revoked = async {
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        assert_eq!(site.revoke(&token, &[]).await.status, 200);
    };
    // It reads to the end, which there is only once the token is revoked.
    let (stream, ()) = tokio::join!(stream, revoked);
    assert_eq!((stream.status, stream.header("content-type")), (200, "text/event-stream"));
    assert_eq!(site.status(&token).await, 401);
}
