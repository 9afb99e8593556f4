//! The page on which a user lets an application in ([RFC 6749, 4.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1), [RFC 7636](https://www.rfc-editor.org/rfc/rfc7636)).
//!
//! `oxide-auth` carries the flow out itself; here the server's handlers decide, and only what the page was asked for is read.

use axum::http::StatusCode;
use form_urlencoded::Serializer;
use serde::{Deserialize, Serialize};

use super::digest::LENGTH;
use super::{Call, OauthError, Reply, Result, text};
use crate::random::{digest, is_same};
use crate::{Json, Scopes, Secret};

/// The redirect of applications without an address: the user copies the code.
const OUT_OF_BAND: &str = "urn:ietf:wg:oauth:2.0:oob";

/// The request of an application for a user's consent: the parameters of the page `GET /oauth/authorize`, and of the form that the page sends. A server keeps
/// it under the code that it gives out, and asks it when the code is exchanged.
///
/// It is not known yet whether there is such an application, and whether it has registered the address ([`Authorization::returns_to`]) and the
/// scopes: check these first, and send nobody to another address.
///
/// ```
/// use fedispec_runtime::server::{Call, Reply, Result};
///
/// fn page(call: &Call) -> Result<()> {
///     let asked = call.authorization()?;
///     Err(Reply::html(format!(
///         "<form method=\"post\">{}<input name=\"username\"><input name=\"password\" type=\"password\"><button>Allow</button></form>",
///         asked.hidden_fields()
///     )))?
/// }
/// fn form(call: &Call) -> Result<()> {
///     let asked = call.authorization()?;
///     let code = "text that cannot be guessed"; // keep `asked` under it
///     Err(asked.accept(code))?
/// }
/// # let _ = (page, form);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Authorization {
    /// The application that asks.
    pub client_id: String,
    /// Where the user is sent with the code.
    pub redirect_uri: String,
    /// The scopes that the token is to have; `read` where the application names nothing.
    pub scopes: Scopes,
    state: String,
    challenge: String,
}

impl Call {
    /// Reads the request of an application from the form or the query of this call; an empty field of the form counts as none. Of what the emulated
    /// release does not have, such as PKCE, nothing is read.
    ///
    /// # Errors
    ///
    /// Where `response_type` is not `code`, or the challenge of PKCE is not one of S256.
    pub fn authorization(&self) -> Result<Authorization> {
        let (asked, wrong) = self.asked();
        wrong.map_or(Ok(asked), |error| Err(error.into()))
    }

    /// The same with what is wrong, which an application is told that is known.
    pub(super) fn asked(&self) -> (Authorization, Option<OauthError>) {
        let form = self.unknown_params();
        let query = text::pairs(self.uri.query().unwrap_or_default().as_bytes());
        let query: Vec<_> = query.flatten().collect();
        let text = |name: &str| {
            if self.ignored.contains(&name) {
                return String::new();
            }
            let form = form.get(name).and_then(|value| match value {
                // The query comes before the form.
                Json::Array(values) => values.last()?.as_str(),
                value => value.as_str(),
            });
            let query = || query.iter().find(|(key, _)| key == name);
            let sent = form.filter(|text| !text.is_empty());
            let sent = sent.or_else(|| query().map(|(_, value)| value.as_str()));
            sent.unwrap_or_default().to_owned()
        };
        let (challenge, scope) = (text("code_challenge"), text("scope"));
        let is_digest = challenge.len() == LENGTH && text("code_challenge_method") == "S256";
        let wrong = match &*text("response_type") {
            "code" if challenge.is_empty() || is_digest => None,
            "code" | "" => Some(OauthError::InvalidRequest),
            _ => Some(OauthError::UnsupportedResponseType),
        };
        let scope = if scope.is_empty() { "read" } else { &scope };
        let asked = Authorization {
            client_id: text("client_id"),
            redirect_uri: text("redirect_uri"),
            scopes: scope.into(),
            state: text("state"),
            challenge,
        };
        (asked, wrong)
    }
}

impl Authorization {
    /// Whether the user would be sent to an address that the application has registered: to the same text, where the port of a program's own
    /// listener on this machine does not count ([RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3)).
    pub fn returns_to(&self, registered: &str) -> bool {
        let asked = self.redirect_uri.as_str();
        registered == asked
            || without_port(registered).is_some_and(|one| Some(one) == without_port(asked))
    }

    /// The fields of a form, as HTML, with which the page sends again what it was asked for.
    pub fn hidden_fields(&self) -> String {
        let scopes = self.scopes.to_string();
        let method = if self.challenge.is_empty() { "" } else { "S256" };
        let fields = [
            ("client_id", self.client_id.as_str()),
            ("redirect_uri", &self.redirect_uri),
            ("response_type", "code"),
            ("scope", &scopes),
            ("state", &self.state),
            ("code_challenge", &self.challenge),
            ("code_challenge_method", method),
        ];
        let fields = fields.iter().filter(|(_, value)| !value.is_empty());
        let inputs = fields.map(|(name, value)| {
            let value = escape_html(value);
            format!("<input type=\"hidden\" name=\"{name}\" value=\"{value}\">")
        });
        inputs.collect()
    }

    /// Sends the user back to the application with a code, or shows the code where the application has no address.
    pub fn accept(&self, code: &str) -> Reply {
        if self.redirect_uri == OUT_OF_BAND {
            let code = escape_html(code);
            return Reply::html(format!(
                "<!doctype html>\n<title>The code</title>\n<code>{code}</code>\n"
            ));
        }
        self.back("code", code)
    }

    /// Sends the user back to the application with an error, or tells it on a page where the application has no address.
    pub fn refuse(&self, error: OauthError) -> Reply {
        if self.redirect_uri == OUT_OF_BAND {
            let page = format!("<!doctype html>\n<title>Refused</title>\n<p>{}\n", error.as_str());
            return Reply::html(page).with_status(StatusCode::BAD_REQUEST);
        }
        self.back("error", error.as_str())
    }

    /// Checks that whoever exchanges the code is the application that has asked for it, with the address and the verifier of PKCE.
    ///
    /// # Errors
    ///
    /// `invalid_grant` where it is not.
    pub fn redeem(
        &self,
        client_id: &str,
        redirect_uri: Option<&str>,
        verifier: Option<&Secret>,
    ) -> Result<()> {
        let proven = match verifier {
            None => self.challenge.is_empty(),
            // A verifier without a challenge is no proof of anything: RFC 9700, 4.8.2.
            Some(verifier) => is_same(&digest(verifier.expose()), &self.challenge),
        };
        let is_same = self.client_id == client_id && redirect_uri == Some(&self.redirect_uri);
        if proven && is_same {
            return Ok(());
        }
        Err(OauthError::InvalidGrant)?
    }

    /// The same as it is kept: the state goes back with the code, and is nothing to whoever exchanges that.
    pub(super) fn without_state(self) -> Self {
        Self { state: String::new(), ..self }
    }

    fn back(&self, name: &str, value: &str) -> Reply {
        let mut query = Serializer::new(String::new());
        query.append_pair(name, value);
        if !self.state.is_empty() {
            query.append_pair("state", &self.state);
        }
        let query = query.finish();
        // RFC 6749, 3.1.2 allows no fragment. Mastodon registers no address that has one; GoToSocial does, and keeps it behind the query.
        let (address, fragment) = match self.redirect_uri.split_once('#') {
            Some((address, fragment)) => (address, format!("#{fragment}")),
            None => (self.redirect_uri.as_str(), String::new()),
        };
        let sign = if address.contains('?') { '&' } else { '?' };
        Reply::redirect(&format!("{address}{sign}{query}{fragment}"))
    }
}

/// An address of this machine by its number, without its port.
fn without_port(address: &str) -> Option<(&str, &str)> {
    let (host, rest) = ["127.0.0.1", "[::1]"].into_iter().find_map(|host| {
        let rest = address.strip_prefix("http://")?.strip_prefix(host)?;
        Some((host, rest))
    })?;
    let rest = match rest.strip_prefix(':') {
        Some(port) => port.trim_start_matches(|sign: char| sign.is_ascii_digit()),
        None => rest,
    };
    (rest.is_empty() || rest.starts_with(['/', '?'])).then_some((host, rest))
}

/// Plain text as HTML, for pages such as that of an authorization: what would be markup is escaped, between tags and in quoted attributes.
pub fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            sign => escaped.push(sign),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use axum::http::header::LOCATION;
    use axum::response::IntoResponse as _;

    use super::*;

    fn asked(redirect_uri: &str, challenge: &str) -> Authorization {
        Authorization {
            client_id: "app".to_owned(),
            redirect_uri: redirect_uri.to_owned(),
            scopes: "read write".into(),
            state: "a b".to_owned(),
            challenge: challenge.to_owned(),
        }
    }

    fn location(reply: Reply) -> String {
        let response = reply.into_response();
        let location = &response.headers()[LOCATION];
        location.to_str().expect("text").to_owned()
    }

    #[test]
    fn users_are_sent_back_with_the_state() {
        let to = |uri: &str| location(asked(uri, "").accept("1&2"));
        assert_eq!(to("https://a.example/"), "https://a.example/?code=1%262&state=a+b");
        assert_eq!(to("a:/?b=c"), "a:/?b=c&code=1%262&state=a+b");
        assert_eq!(to("a:/#b"), "a:/?code=1%262&state=a+b#b");
        let refused = asked("a:/", "").refuse(OauthError::AccessDenied);
        assert_eq!(location(refused), "a:/?error=access_denied&state=a+b");
        let shown = asked(OUT_OF_BAND, "").accept("<1>").into_response();
        assert!(!shown.headers().contains_key(LOCATION));
        let told = asked(OUT_OF_BAND, "").refuse(OauthError::AccessDenied);
        assert_eq!(told.into_response().status(), StatusCode::BAD_REQUEST);
    }

    #[test]
    fn the_port_of_this_machine_does_not_count() {
        for (registered, sent_to, is_registered) in [
            ("https://a.example/", "https://a.example/", true),
            ("https://a.example/", "https://a.example/b", false),
            ("http://127.0.0.1/a", "http://127.0.0.1:49152/a", true),
            ("http://[::1]:80", "http://[::1]:49152", true),
            ("http://127.0.0.1/a", "http://127.0.0.1:49152/b", false),
            ("http://127.0.0.1/a", "http://[::1]/a", false),
            ("http://127.0.0.1/a", "http://a@127.0.0.1/a", false),
            ("http://127.0.0.1/a", "http://127.0.0.1:80@a.example/a", false),
            ("http://127.0.0.1/", "http://127.0.0.1.example/", false),
            ("http://a.example/", "http://a.example:81/", false),
            ("app://back", "app://back", true),
            ("app://back", "evil://back", false),
        ] {
            let asked = asked(sent_to, "");
            assert_eq!(asked.returns_to(registered), is_registered, "{registered} {sent_to}");
        }
    }

    #[test]
    fn a_form_has_what_was_asked_and_no_markup_of_it() {
        let form = asked("a:/?b=\"><script>", "c").hidden_fields();
        assert!(form.contains("value=\"a:/?b=&quot;&gt;&lt;script&gt;\""), "{form}");
        assert!(form.contains("name=\"code_challenge_method\" value=\"S256\""));
        assert!(!asked("a:/", "").hidden_fields().contains("challenge"));
    }

    /// The example of RFC 7636, appendix B.
    #[test]
    fn only_who_has_asked_redeems_a_code() {
        let verifier = Secret::from("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
        let other = Secret::from("another");
        let own = asked("a:/", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        let is_right = |asked: &Authorization, id, uri, verifier: Option<&Secret>| {
            asked.redeem(id, Some(uri), verifier).is_ok()
        };
        assert!(is_right(&own, "app", "a:/", Some(&verifier)));
        assert!(!is_right(&own, "app", "a:/", Some(&other)));
        assert!(!is_right(&own, "app", "a:/", None));
        assert!(!is_right(&own, "another", "a:/", Some(&verifier)));
        assert!(!is_right(&own, "app", "b:/", Some(&verifier)));
        assert!(own.redeem("app", None, Some(&verifier)).is_err());
        let without = asked("a:/", "");
        assert!(is_right(&without, "app", "a:/", None));
        assert!(!is_right(&without, "app", "a:/", Some(&verifier)));
    }
}
