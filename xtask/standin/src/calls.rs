//! The log of calls: what was asked, and how it was answered.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use fedispec::runtime::Timestamp;
use fedispec::server::Served;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::lock::lock;

/// The greatest number of calls that are kept.
const KEPT: usize = 1000;
/// The greatest size of a body that is kept; a longer one is not.
pub(crate) const BODY: usize = 64 * 1024;
/// How many unknown names of a request are kept, and how many characters of each: a client chooses them.
const NAMES: usize = 20;
const NAME: usize = 60;
/// Stands for a secret.
const STRUCK: &str = "[struck out]";

/// A request that was answered, without its secrets.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct LoggedCall {
    /// The id of the operation; none where no operation has the method and path.
    pub operation: Option<&'static str>,
    /// The method.
    pub method: String,
    /// The path as it was sent.
    pub path: String,
    /// The query as it was sent.
    pub query: Option<String>,
    /// The status of the answer.
    pub status: u16,
    /// The body: JSON as it is, a form as an object, other text as a string. None where there is none, or where it is
    /// longer than 64 KiB, no text or of several parts.
    pub body: Option<Value>,
    /// The time by the server's clock.
    pub at: Timestamp,
    /// The stubs' observations about a call to an operation.
    #[serde(skip)]
    pub(crate) served: Option<Served>,
}

tokio::task_local! {
    /// The stubs' observations about the call that this task answers.
    static TOLD: RefCell<Option<Served>>;
}

/// Answers a call, and tells what the stubs have to say of it.
pub(crate) async fn listening<T>(answer: impl Future<Output = T>) -> (T, Option<Served>) {
    let heard = async {
        let answer = answer.await;
        (answer, TOLD.with(RefCell::take))
    };
    TOLD.scope(RefCell::default(), heard).await
}

/// Notes what the stubs tell of a call, for [`listening`].
pub(crate) fn hear(served: &Served) {
    let mut served = served.clone();
    served.unknown_params.truncate(NAMES);
    for name in &mut served.unknown_params {
        *name = name.chars().take(NAME).collect();
    }
    // Without `listening` around it, the observation is dropped.
    let _ = TOLD.try_with(|told| told.replace(Some(served)));
}

/// The last calls, shared by those who note and those who show them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Calls(Arc<Mutex<VecDeque<LoggedCall>>>);

impl Calls {
    /// Notes a call, and forgets the oldest where there are too many.
    pub(crate) fn note(&self, call: LoggedCall) {
        let mut calls = lock(&self.0);
        if calls.len() == KEPT {
            calls.pop_front();
        }
        calls.push_back(call);
    }

    /// The calls, the oldest first.
    pub(crate) fn all(&self) -> Vec<LoggedCall> {
        lock(&self.0).iter().cloned().collect()
    }

    /// The last calls to operations, the newest first.
    pub(crate) fn handled(&self, most: usize) -> Vec<(LoggedCall, Served)> {
        let calls = lock(&self.0);
        let handled =
            calls.iter().rev().filter_map(|call| Some((call.clone(), call.served.clone()?)));
        handled.take(most).collect()
    }

    /// Forgets them all.
    pub(crate) fn clear(&self) {
        lock(&self.0).clear();
    }
}

/// A query without its secrets.
pub(crate) fn query(sent: &str) -> String {
    let pairs = sent.split('&').map(|pair| match pair.split_once('=') {
        Some((name, _)) if is_secret(&decoded(name)) => format!("{name}={STRUCK}"),
        _ => pair.to_owned(),
    });
    pairs.collect::<Vec<_>>().join("&")
}

/// A body without its secrets; none where it cannot be shown.
pub(crate) fn body(headers: &HeaderMap, sent: &[u8]) -> Option<Value> {
    if sent.is_empty() || sent.len() > BODY {
        return None;
    }
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.to_ascii_lowercase();
    if kind.starts_with("multipart/") {
        return None;
    }
    let mut body = if kind.starts_with("application/x-www-form-urlencoded") {
        form(sent)
    } else if let Ok(json) = serde_json::from_slice(sent) {
        json
    } else if kind.contains("json") {
        // It may hold secrets at unknown places.
        return None;
    } else {
        Value::from(std::str::from_utf8(sent).ok()?)
    };
    strike(&mut body);
    Some(body)
}

/// A form as an object; what is sent several times is a list.
fn form(sent: &[u8]) -> Value {
    let mut form = Map::new();
    for (name, value) in form_urlencoded::parse(sent) {
        let value = Value::from(value);
        match form.get_mut(&*name) {
            None => drop(form.insert(name.into_owned(), value)),
            Some(Value::Array(values)) => values.push(value),
            Some(first) => *first = Value::Array(vec![first.take(), value]),
        }
    }
    Value::Object(form)
}

/// Strikes secrets out, wherever they are.
fn strike(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                if is_secret(name) && !value.is_null() {
                    *value = STRUCK.into();
                } else {
                    strike(value);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(strike),
        _ => {}
    }
}

/// Whether a parameter holds what gives access: a password, a token, a code, or a key of Web Push.
fn is_secret(name: &str) -> bool {
    let last = name.trim_end_matches("[]").rsplit(['[', ']']).find(|part| !part.is_empty());
    let last = last.unwrap_or_default().to_ascii_lowercase();
    ["password", "secret", "token", "verifier", "assertion"].iter().any(|one| last.contains(one))
        || ["code", "auth", "p256dh"].contains(&&*last)
}

fn decoded(name: &str) -> String {
    let pair = form_urlencoded::parse(name.as_bytes()).next();
    pair.map(|(name, _)| name.into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(kind: &'static str, sent: &str) -> Option<Value> {
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, kind.parse().expect("a header"))]);
        body(&headers, sent.as_bytes())
    }

    #[test]
    fn secrets_are_struck_out_wherever_they_are() {
        let form =
            "status=Hi&media_ids[]=1&media_ids[]=2&password=x&subscription%5Bkeys%5D%5Bauth%5D=x";
        assert_eq!(
            shown("application/x-www-form-urlencoded", form),
            Some(json!({"status": "Hi", "media_ids[]": ["1", "2"], "password": STRUCK,
                "subscription[keys][auth]": STRUCK}))
        );
        let sent =
            r#"{"a": [{"client_secret": "x", "token": null}], "code": {"b": "x"}, "codes": 1}"#;
        assert_eq!(
            shown("application/json", sent),
            Some(
                json!({"a": [{"client_secret": STRUCK, "token": null}], "code": STRUCK, "codes": 1})
            )
        );
        assert_eq!(shown("application/json", r#"{"password": "x"#), None);
        assert_eq!(shown("multipart/form-data; boundary=a", "--a\r\npassword"), None);
        assert_eq!(
            query("access%5Ftoken=x&limit=1&token&code=x"),
            format!("access%5Ftoken={STRUCK}&limit=1&token&code={STRUCK}")
        );
    }

    #[test]
    fn what_cannot_be_shown_is_none() {
        assert_eq!(shown("text/plain", "Hi"), Some(json!("Hi")));
        assert_eq!(body(&HeaderMap::new(), &[0xff, 0xfe]), None);
        assert_eq!(body(&HeaderMap::new(), b""), None);
        assert_eq!(body(&HeaderMap::new(), &vec![b' '; BODY + 1]), None);
    }
}
