//! Go with gin, as in GoToSocial.

use axum::http::StatusCode;
use axum::http::header::HeaderValue;
use fedispec_since::Availability;

use super::{Errors, Family, HTML, JSON, Manners, NOT_FOUND, Nothing, PAGE, Unreadable};
use crate::Auth;
use crate::server::Caller;
use crate::server::refusal::Refusal;

pub(super) struct Gin;

/// The words that `strconv.ParseBool` takes for a switch.
const SWITCHES: [&str; 12] =
    ["1", "t", "T", "true", "TRUE", "True", "0", "f", "F", "false", "FALSE", "False"];

/// Whether the handler of an operation parses its query itself, and does not leave that to one place for all.
fn parses_itself(operation: &str, errors: &Errors<'_>) -> bool {
    let handlers = errors.releases.map(|releases| &releases.handlers_parse_themselves);
    match handlers.and_then(|handlers| handlers.get(operation)) {
        Some(Availability::Since(until)) => !errors.is_from(*until),
        Some(Availability::Never) => true,
        Some(Availability::Unknown) | None => !errors.have(|errors| errors.parses_in_one_place),
    }
}

impl Family for Gin {
    fn manners(&self) -> Manners {
        Manners { reads_few_bodies: true, binds_types: true, ..Manners::default() }
    }

    /// The words of `strconv` for a text, after those of the handler; of a form as gin binds it. Of JSON programs name the types of their
    /// own source instead, which are not known here.
    fn unreadable(&self, text: &Unreadable<'_>, errors: &Errors<'_>) -> Option<String> {
        let Unreadable { param, sent, .. } = text;
        if text.is_switch && SWITCHES.contains(sent) {
            return None;
        }
        let (kind, shared, own) = if text.is_switch {
            ("bool", "ParseBool", "ParseBool")
        } else {
            ("int", "Atoi", "ParseInt")
        };
        let why = |function: &str| format!("strconv.{function}: parsing {sent:?}: invalid syntax");
        let pages = errors.releases.and_then(|releases| releases.pages_by_id.get(text.operation));
        let is_page = *param == "limit" && pages.is_some_and(|since| errors.is_from(*since));
        Some(if is_page {
            "Bad Request: bad integer limit value".to_owned()
        } else if !text.is_query {
            format!("Bad Request: {}", why(own))
        } else if !errors.have(|errors| errors.quotes_parameters) {
            format!("couldn't parse {} query param", param.replace('_', " "))
        } else if parses_itself(text.operation, errors) {
            format!("Bad Request: error parsing {param}: {}", why(own))
        } else {
            let why = why(shared);
            format!("Bad Request: error parsing key {param} with value {sent} as {kind}: {why}")
        })
    }

    /// The words of `encoding/json` for a body that ends too early or is none; what else is wrong it tells by the types of its own source.
    fn malformed(&self, error: &serde_json::Error, body: &[u8]) -> Option<String> {
        let why = if body.trim_ascii().is_empty() {
            "EOF".to_owned()
        } else if error.is_eof() {
            "unexpected EOF".to_owned()
        } else {
            let mut lines =
                body.split_inclusive(|byte| *byte == b'\n').skip(error.line().max(1) - 1);
            let line = lines.next().unwrap_or_default();
            let sign = line.get(error.column().max(1) - 1).copied().unwrap_or(b' ');
            let sign = char::from(sign).escape_default();
            format!("invalid character '{sign}' looking for beginning of value")
        };
        Some(format!("Bad Request: {why}"))
    }

    fn empty_in_path(&self, _: &Errors<'_>) -> Option<(StatusCode, &'static str)> {
        let told = "Bad Request: required key id was not set or had empty value";
        Some((StatusCode::BAD_REQUEST, told))
    }

    /// The words of the handlers that look at the values of a query.
    fn unlisted(
        &self,
        key: &str,
        sent: &str,
        is_read: bool,
        listed: &str,
    ) -> Option<(StatusCode, String)> {
        let told = match key {
            _ if !is_read => return None,
            "origin" | "status" | "permissions" => {
                let listed = listed.replace(',', "");
                format!("{key} {sent} not recognized; valid choices are [{listed}]")
            }
            "type" => format!(
                "search query type {sent} was not recognized, valid options are ['', 'accounts', 'statuses', 'hashtags']"
            ),
            "timeline" => {
                let listed = listed.replace(", ", "', '");
                format!(
                    "marker timeline name '{sent}' was not recognized, valid options are '{listed}'"
                )
            }
            _ => return None,
        };
        Some((StatusCode::BAD_REQUEST, format!("Bad Request: {told}")))
    }

    /// JSON, unless a page is named before it; in older releases a page, unless JSON is named.
    fn nothing(&self, accept: &str, errors: &Errors<'_>) -> Nothing {
        let (json, html) = (accept.find("json"), accept.find("text/html"));
        let is_page = match (json, html) {
            (Some(json), Some(html)) => html < json,
            (None, Some(_)) => true,
            (Some(_), None) => false,
            (None, None) => !errors.have(|errors| errors.nothing_is_json),
        };
        let (kind, body) = if is_page { (HTML, PAGE) } else { (JSON, NOT_FOUND) };
        (StatusCode::NOT_FOUND, kind, body)
    }

    fn other_method(&self, accept: &str, errors: &Errors<'_>) -> Nothing {
        if !errors.have(|errors| errors.tells_methods) {
            return self.nothing(accept, errors);
        }
        let text = HeaderValue::from_static("text/plain");
        (StatusCode::METHOD_NOT_ALLOWED, Some(text), "405 method not allowed")
    }

    /// An operation that needs no token is served whether or not a token that was sent is valid.
    fn ignores_bad_tokens(&self, _: &Auth) -> bool {
        true
    }

    /// The name of the status.
    fn plain(&self, status: StatusCode, _: &Errors<'_>) -> Option<(StatusCode, &'static str)> {
        Some((status, status.canonical_reason()?))
    }

    fn too_long(&self, key: &str, count: u64, most: u64, _: &Errors<'_>) -> (StatusCode, String) {
        let told = format!("Bad Request: {key} should be no more than {most}, provided {count}");
        (StatusCode::BAD_REQUEST, told)
    }

    /// The token's parts, one after another, then the question whether the user is an admin.
    fn refuse(
        &self,
        refusal: Refusal,
        _: &Auth,
        caller: Option<&Caller>,
        _: &Errors<'_>,
    ) -> (StatusCode, String) {
        let (unauthorized, forbidden) = (StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN);
        let (status, help) = match refusal {
            Refusal::NoToken
            | Refusal::UnknownToken
            | Refusal::ExpiredToken
            | Refusal::RevokedToken => (unauthorized, "token not supplied".into()),
            Refusal::NotAUser => (unauthorized, "user not supplied or not authorized".into()),
            Refusal::NotAnApplication => (unauthorized, "application not supplied".into()),
            Refusal::Scope => (forbidden, "token has insufficient scope permission".into()),
            Refusal::Permission => {
                let account = caller.and_then(|caller| caller.account.as_ref());
                let user = account.map_or("", |account| account.as_str());
                (forbidden, format!("user {user} not an admin"))
            }
        };
        let reason = status.canonical_reason().unwrap_or_default();
        (status, format!("{reason}: {help}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_body_is_told_in_the_words_of_go() {
        for (body, why) in [
            (" ", "EOF"),
            ("{", "unexpected EOF"),
            ("{\n a", "invalid character 'a' looking for beginning of value"),
        ] {
            let error = serde_json::from_str::<serde_json::Value>(body).expect_err(body);
            let told = Gin.malformed(&error, body.as_bytes());
            assert_eq!(told, Some(format!("Bad Request: {why}")));
        }
    }
}
