//! Ten thousand malformed requests, the same on every run.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::time::Duration;

use fedispec::runtime::Operation;
use fedispec::server::{RequestLimits, Server};

use crate::traits::app::{Running, TOKEN};
use crate::traits::raw::{exchange_unless_stream, get};
use crate::traits::streams::no_listeners;

const REQUESTS: u64 = 10_000;
/// The memory by which the process may grow after the first fifth of the requests. A leak of 4 KiB a request exceeds it.
const GROWTH: u64 = 32 * 1024;

/// A pseudo-random generator with a fixed seed.
struct Chance(u64);

impl Chance {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or_default() % most.max(1)
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        let length = self.below(most);
        let byte = |_| u8::try_from(self.below(256)).unwrap_or_default();
        (0..length).map(byte).collect()
    }

    /// The same text with some of it changed, doubled or left out.
    fn spoil(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len() + 1);
            match self.below(5) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, 0),
                2 => {
                    let extra = self.bytes(9);
                    bytes.splice(at..at, extra);
                }
                3 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                _ => {
                    let tail = bytes[at..].to_vec();
                    bytes.extend(tail);
                }
            }
        }
    }
}

const TEXTS: &[&str] = &[
    "",
    "1",
    "-1",
    "99999999999999999999",
    "true",
    "maybe",
    "\0",
    "\u{202e}",
    "%",
    "%00",
    "%zz",
    "%f0%28%8c%28",
    "..%2f..",
    "'",
    "null",
    "[]",
    "{}",
    "1e999",
    "NaN",
    "2024-13-45",
    "é",
    "\r\n",
];

const NAMES: &[&str] = &[
    "title",
    "limit",
    "id[]",
    "max_id",
    "context[]",
    "keywords_attributes[][keyword]",
    "poll[options][]",
    "keywords_attributes[0][whole_word]",
    "fields_attributes[0][name]",
    "fields_attributes[-1][name]",
    "fields_attributes[99999999999][name]",
    "poll[expires_in]",
    "[",
    "]",
    "a[",
    "a]b[",
    "[][]",
    "status",
    "source[privacy]",
    "source",
    "media_ids[]",
    "access_token",
    "file",
    "__proto__",
    "stream",
];

fn pairs(chance: &mut Chance) -> String {
    let pairs: Vec<_> = (0..chance.below(9))
        .map(|_| format!("{}={}", chance.one(NAMES), chance.one(TEXTS)))
        .collect();
    pairs.join("&")
}

fn json(chance: &mut Chance) -> Vec<u8> {
    if chance.below(8) == 0 {
        let depth = chance.below(100_000);
        return chance.one(&["[", "{\"a\":"]).repeat(depth).into_bytes();
    }
    let value = |chance: &mut Chance| match chance.below(4) {
        0 => chance
            .one(&["1", "null", "1e400", "[1,[2]]", "{\"a\":{}}", "-0", "\"\\ud800\""])
            .to_owned(),
        _ => format!("{:?}", chance.one(TEXTS)),
    };
    let fields: Vec<_> = (0..chance.below(9))
        .map(|_| format!("{:?}:{}", chance.one(NAMES), value(chance)))
        .collect();
    format!("{{{}}}", fields.join(",")).into_bytes()
}

fn multipart(chance: &mut Chance) -> Vec<u8> {
    let mut body = String::new();
    for _ in 0..chance.below(6) {
        let name = chance.one(NAMES);
        let more = chance.one(&[
            "",
            "; filename=\"a.png\"",
            "; filename=\"\"",
            "; filename*=utf-8''%00",
            "; name=",
        ]);
        let header = chance.one(&[
            "",
            "Content-Type: image/png\r\n",
            "Content-Type: \u{1}\r\n",
            ":\r\n",
            "X\r\n",
        ]);
        let text = chance.one(TEXTS);
        _ = write!(
            body,
            "--b\r\nContent-Disposition: form-data; name=\"{name}\"{more}\r\n{header}\r\n{text}\r\n"
        );
    }
    body += chance.one(&["--b--\r\n", "--b", "--c--\r\n", ""]);
    body.into_bytes()
}

fn path(chance: &mut Chance, operation: &Operation) -> String {
    let segment = |segment: &str| match segment.strip_prefix(':') {
        Some(_) => chance.one(&["1", "%00", "%ff", "%2e%2e", "%", "a%20b", "404", "\u{7f}", "-"]),
        None => "",
    };
    let filled: Vec<_> = operation.path.split('/').map(segment).collect();
    let segments = operation.path.split('/').zip(filled);
    let path: Vec<_> =
        segments.map(|(own, filled)| if filled.is_empty() { own } else { filled }).collect();
    path.join("/")
}

/// The Content-Length that the head states.
fn length(chance: &mut Chance, length: usize) -> String {
    match chance.below(12) {
        0 => format!("Content-Length: {}\r\n", length + 1 + chance.below(1000)),
        1 => format!("Content-Length: {length}\r\nContent-Length: {length}\r\n"),
        2 => "Content-Length: -1\r\n".to_owned(),
        3 => "Transfer-Encoding: chunked\r\n".to_owned(),
        4 => format!("Content-Length: {length}\r\nTransfer-Encoding: chunked\r\n"),
        5 => "Content-Length: 99999999999999999999999\r\n".to_owned(),
        _ => format!("Content-Length: {length}\r\n"),
    }
}

/// An unusual header.
fn extra(chance: &mut Chance) -> String {
    match chance.below(12) {
        0 => "X-Nul: \0\r\n".to_owned(),
        1 => "Broken\r\n".to_owned(),
        2 => format!("X-Long: {}\r\n", "x".repeat(chance.below(100_000))),
        3 => "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n".to_owned(),
        4 => "Expect: 100-continue\r\n".to_owned(),
        5 => "Accept-Encoding: \u{feff}\r\n".to_owned(),
        _ => String::new(),
    }
}

/// The bytes of a request, or of something that is not HTTP.
fn request(chance: &mut Chance, operations: &[&Operation]) -> Vec<u8> {
    let operation = operations[chance.below(operations.len())];
    let mut target = path(chance, operation);
    let query = pairs(chance);
    match chance.below(10) {
        0 => target = format!("{target}?{}", "a=b&".repeat(chance.below(20_000))),
        1 => target += &"/a".repeat(chance.below(3000)),
        2..6 => target = format!("{target}?{query}"),
        _ => {}
    }
    let method = match chance.below(10) {
        0 => chance.one(&[
            "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "get", "?",
        ]),
        _ => operation.method.as_str(),
    };
    let (kind, mut body) = match chance.below(4) {
        0 => ("application/json", json(chance)),
        1 => ("multipart/form-data; boundary=b", multipart(chance)),
        2 => ("application/x-www-form-urlencoded", pairs(chance).into_bytes()),
        _ => (
            chance.one(&[
                "text/plain",
                "",
                "multipart/form-data",
                "application/json; charset=utf-16",
                "\u{80}",
            ]),
            chance.bytes(200),
        ),
    };
    if chance.below(2) == 0 {
        chance.spoil(&mut body);
    }
    let length = length(chance, body.len());
    let extra = extra(chance);
    let token = chance.one(&[TOKEN, TOKEN, TOKEN, "wrong", "", "u:read", "a\tb"]);
    let head = format!(
        "{method} {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer {token}\r\nContent-Type: {kind}\r\n{extra}{length}\r\n"
    );
    let mut bytes = head.into_bytes();
    bytes.extend(body);
    match chance.below(12) {
        0 => chance.spoil(&mut bytes),
        1 => bytes.extend(chance.bytes(500)),
        2 => return chance.bytes(500),
        _ => {}
    }
    bytes
}

/// The resident memory of this process in KiB, where the system tells it.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

async fn bombard(address: SocketAddr, seeds: std::ops::Range<u64>) -> usize {
    let everything = Server::new();
    let operations: Vec<_> = everything.unimplemented().collect();
    let mut answered = 0;
    for seed in seeds {
        let bytes = request(&mut Chance::new(seed + 1), &operations);
        let answer = exchange_unless_stream(address, &bytes).await;
        if answer.is_empty() {
            // Bytes that are not HTTP need no answer.
            continue;
        }
        answered += 1;
        let status = answer.get(9..12).unwrap_or_default();
        let is_known = matches!(status.as_bytes(), [b'1'..=b'4', ..]) || status == "501";
        assert!(is_known, "request {seed}: {answer}");
    }
    answered
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_malformed_requests_do_no_harm() {
    let site = Running::start(RequestLimits::default().heartbeat(Duration::from_millis(200))).await;
    let address = site.address;
    let several = async |seeds: std::ops::Range<u64>| {
        let share = (seeds.end - seeds.start) / 8;
        let tasks: Vec<_> = (0..8)
            .map(|part| seeds.start + part * share)
            .map(|start| tokio::spawn(bombard(address, start..start + share)))
            .collect();
        let mut answered = 0;
        for task in tasks {
            answered += task.await.expect("no request does harm");
        }
        answered
    };
    let mut answered = several(0..REQUESTS / 5).await;
    let before = resident();
    answered += several(REQUESTS / 5..REQUESTS).await;
    let after = resident();
    assert!(answered > 8000, "only {answered} were answered");
    if let Some((before, after)) = before.zip(after) {
        println!("{answered} answered; resident {before} KiB, then {after} KiB");
        assert!(after < before + GROWTH, "{before} KiB became {after} KiB");
    }
    let answer = get(site.address, "/api/v1/accounts/1", None).await;
    assert_eq!(answer.status, 200);
    no_listeners(&site).await;
}
