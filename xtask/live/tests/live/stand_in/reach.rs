//! The command `serve`: where it listens, what it names, TLS, and what it refuses.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use fedispec_tests::commands::{command, run};
use serde_json::Value;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

/// A server as a process, which is killed when this is dropped.
struct Served {
    child: Child,
    line: Value,
}

impl Served {
    fn start(args: &[&str]) -> Self {
        let mut command = command(["serve"]);
        let mut child = command.args(args).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("an output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let line = serde_json::from_str(&line).expect("JSON");
        Self { child, line }
    }

    fn text(&self, key: &str) -> &str {
        self.line[key].as_str().expect(key)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An agent that trusts a certificate alone.
fn trusting(pem: &[u8]) -> ureq::Agent {
    let certificate = Certificate::from_pem(pem).expect("a certificate");
    let tls = TlsConfig::builder().root_certs(RootCerts::new_with_certs(&[certificate])).build();
    ureq::Agent::config_builder().tls_config(tls).build().into()
}

fn json(agent: &ureq::Agent, url: &str, token: Option<&str>) -> Value {
    let request = agent.get(url);
    let request = match token {
        Some(token) => request.header("Authorization", format!("Bearer {token}")),
        None => request,
    };
    let text = request.call().expect("an answer").body_mut().read_to_string().expect("text");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn it_speaks_tls_with_a_certificate_that_it_makes_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let certificates = folder.path().join("tls");
    let path = certificates.to_str().expect("a path");
    let read = |name: &str| std::fs::read(certificates.join(name)).expect(name);
    let served = Served::start(&["--as", "mastodon@4.6.4", "--tls", path]);
    let url = served.text("url");
    assert!(url.starts_with("https://127.0.0.1:"), "{url}");
    let agent = trusting(&read("ca.pem"));
    let instance = json(&agent, &format!("{url}/api/v2/instance"), None);
    let streaming = instance["configuration"]["urls"]["streaming"].as_str().expect("a URL");
    assert_eq!(streaming.strip_prefix("wss"), url.strip_prefix("https"));
    let me = format!("{url}/api/v1/accounts/verify_credentials");
    let avatar = json(&agent, &me, Some(served.text("token")))["avatar"].clone();
    assert!(avatar.as_str().is_some_and(|avatar| avatar.starts_with(url)), "{avatar}");
    let clock = json(&agent, &format!("{url}/_standin/clock"), Some(served.text("control")));
    assert_eq!(clock["frozen"], false);
    drop(served);

    let before = read("cert.pem");
    let again = Served::start(&["--tls", path]);
    assert_eq!(read("cert.pem"), before);
    json(&agent, &format!("{}/api/v1/instance", again.text("url")), None);
    drop(again);

    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(certificates.join("key.pem")).expect("a key").permissions();
        assert_eq!(mode.mode() & 0o77, 0);
    }
    let refuses = |args: &[&str], told: &str| {
        let ran = run([&["serve"], args].concat());
        assert!(ran.code == Some(2) && ran.stderr.contains(told), "{args:?}: {}", ran.stderr);
        assert!(ran.stdout.is_empty(), "{}", ran.stdout);
    };
    refuses(
        &["--tls", path, "--public-url", "https://social.example"],
        "is not for social.example",
    );
    std::fs::write(certificates.join("key.pem"), "no key").expect("written");
    refuses(&["--tls", path], "key.pem cannot be used");
    std::fs::write(certificates.join("cert.pem"), "no certificate").expect("written");
    refuses(&["--tls", path], "cert.pem cannot be used");
    std::fs::remove_file(certificates.join("cert.pem")).expect("removed");
    refuses(&["--tls", path], "cert.pem is missing");
}

#[test]
fn it_names_its_public_url_and_refuses_what_it_cannot_do() {
    let agent = ureq::Agent::new_with_defaults();
    let held = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let busy = held.local_addr().expect("an address").port().to_string();
    let served = Served::start(&["--host", "localhost", "--public-url", "https://Social.example/"]);
    assert_eq!(served.text("url"), "https://social.example");
    drop(served);
    let served = Served::start(&["--host", "0.0.0.0", "--seed", "7"]);
    let url = served.text("url").to_owned();
    assert!(url.starts_with("http://127.0.0.1:"), "{url}");
    let instance = json(&agent, &format!("{url}/api/v1/instance"), None);
    assert_eq!(instance["uri"], url.trim_start_matches("http://"));
    let other = Served::start(&["--seed", "7"]);
    for key in ["token", "control"] {
        assert_eq!(served.text(key), other.text(key));
        assert!(served.text(key).len() > 20);
    }
    for (args, told) in [
        (vec!["--as", "mastodon@4.99.0"], "the nearest is 4."),
        (vec!["--port", &busy], "choose another port"),
        (vec!["--host", "192.0.2.1"], "cannot listen on 192.0.2.1"),
        (vec!["--public-url", "social.example"], "is no origin"),
        (vec!["--seed", "soon"], "--seed"),
    ] {
        let ran = run([vec!["serve"], args.clone()].concat());
        assert!(ran.code == Some(2) && ran.stderr.contains(told), "{args:?}: {}", ran.stderr);
    }
}
