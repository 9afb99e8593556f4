//! Raw calls of a stand-in, which are recorded.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use fedispec::runtime::{Method, Operation};
use fedispec::server::Server;
use serde_json::{Value, json};
use ureq::Agent;

/// Calls operations by their ids, as a user. What the release lacks is not called.
pub(crate) struct Caller {
    agent: Agent,
    url: String,
    release: String,
    lacking: Vec<&'static str>,
    operations: BTreeMap<&'static str, &'static Operation>,
    recording: File,
}

impl Caller {
    pub(crate) fn new(url: &str, release: &str, recording: &Path) -> Self {
        let config = Agent::config_builder().http_status_as_error(false).build();
        let all = Server::new();
        let recording = OpenOptions::new().append(true).open(recording);
        Self {
            agent: config.into(),
            url: url.to_owned(),
            release: release.to_owned(),
            lacking: crate::stand_in::lacking(release),
            operations: all.unimplemented().map(|one| (one.id, one)).collect(),
            recording: recording.expect("a recording"),
        }
    }

    /// Whether the release has an operation.
    pub(crate) fn has(&self, id: &str) -> bool {
        !self.lacking.contains(&id)
    }

    /// Whether the release begins so.
    pub(crate) fn presents(&self, release: &str) -> bool {
        self.release.starts_with(release)
    }

    /// Calls an operation with the parameters of its path and a body; null where the release lacks it.
    pub(crate) fn call(&mut self, id: &str, token: &str, path: &[&Value], body: &Value) -> Value {
        let (kind, body) = ("application/json", body.to_string().into_bytes());
        self.send(id, token, path, kind, body)
    }

    /// The same with a file, in a form.
    pub(crate) fn upload(&mut self, id: &str, token: &str, fields: &Value, file: Upload) -> Value {
        let mut body = Vec::new();
        for (name, value) in fields.as_object().into_iter().flatten() {
            let value = value.as_str().unwrap_or_default();
            let part = format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
            body.extend_from_slice(format!("{part}{value}\r\n").as_bytes());
        }
        let Upload { name, kind, bytes } = file;
        let head = format!(
            "--b\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"f\"\r\nContent-Type: {kind}\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n--b--\r\n");
        self.send(id, token, &[], "multipart/form-data; boundary=b", body)
    }

    fn send(&mut self, id: &str, token: &str, path: &[&Value], kind: &str, body: Vec<u8>) -> Value {
        if !self.has(id) {
            return Value::Null;
        }
        let operation = self.operations.get(id).expect("an operation");
        let (template, method) = (operation.path, operation.method);
        let mut given = path.iter();
        let segments = template.split('/').map(|segment| {
            if segment.starts_with(':') {
                let value = given.next().expect("a parameter of the path");
                value.as_str().map_or_else(|| value.to_string(), str::to_owned)
            } else {
                segment.to_owned()
            }
        });
        let path = segments.collect::<Vec<_>>().join("/");
        let request = http::Request::builder()
            .method(method.as_str())
            .uri(format!("{}{path}", self.url))
            .header("accept", "application/json, */*");
        let request = if token.is_empty() {
            request
        } else {
            request.header("authorization", format!("Bearer {token}"))
        };
        let answer = if method == Method::Get {
            self.agent.run(request.body(()).expect("a request"))
        } else {
            let request = request.header("content-type", kind);
            self.agent.run(request.body(body).expect("a request"))
        };
        let mut answer = answer.unwrap_or_else(|error| panic!("{id}: {error}"));
        let status = answer.status().as_u16();
        let text = answer.body_mut().read_to_string().unwrap_or_default();
        assert!((200..300).contains(&status), "{}: {id} ({path}): {status} {text}", self.release);
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        let (software, version) = self.release.split_once('@').expect("a release");
        let line = json!({"method": method.as_str(), "path": path, "status": status, "body": body, "software": software, "version": version});
        writeln!(self.recording, "{line}").expect("written");
        body
    }

    /// Fetches what an answer names, and answers its status and media type.
    pub(crate) fn fetch(&self, url: &str) -> (u16, String) {
        let answer = self.agent.get(url).call();
        let answer = answer.unwrap_or_else(|error| panic!("{url}: {error}"));
        let kind = answer.headers().get("content-type");
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        (answer.status().as_u16(), kind.to_owned())
    }
}

/// A file to send.
#[derive(Clone, Copy)]
pub(crate) struct Upload {
    /// The name of its parameter.
    pub(crate) name: &'static str,
    /// Its media type.
    pub(crate) kind: &'static str,
    pub(crate) bytes: &'static [u8],
}
