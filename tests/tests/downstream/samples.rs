//! The two sample crates, unchanged.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use crate::crates::Crate;

#[test]
fn the_client_runs() {
    let sample = Crate::copy("samples/client", "sample-client");
    let ran = sample.cargo(&["run", "--quiet"]).succeeded();
    let expected = "GET https://social.example/api/v1/notifications?limit=40\n";
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), (expected, ""));
}

/// A server process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn ask(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    write!(
        stream,
        "{request} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
    )
    .expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn the_server_has_what_the_overlay_adds() {
    let sample = Crate::copy("samples/server", "sample-server");
    let told = "fedispec::items();\n    let leaf = fedispec_runtime::Identity::read(\"2.1.0-leaf.4\", None);\n    \
                println!(\"{:?} {:?}\", leaf.program, leaf.version);\n    let router =";
    sample.replace("src/main.rs", "let router =", told);
    let built = sample.cargo(&["build", "--quiet"]).succeeded();
    assert_eq!(built.stderr, "", "warnings");
    let mut command = sample.command(&["run", "--quiet"]);
    let mut server = Running(command.stdout(Stdio::piped()).spawn().expect("the server"));
    let stdout = server.0.stdout.take().expect("its output");
    let mut stdout = BufReader::new(stdout);
    let mut line = String::new();
    stdout.read_line(&mut line).expect("its address");
    let mut leaf = String::new();
    stdout.read_line(&mut leaf).expect("what a version string tells");
    assert_eq!(leaf.trim(), r#"Some("bergamot") Some("2.1.0")"#);
    let address = line.trim().trim_start_matches("http://").to_owned();

    let listed = ask(&address, "GET /api/v1/bergamot/statuses/1/reactions");
    assert!(listed.starts_with("HTTP/1.1 200"), "{listed}");
    let body = listed.split("\r\n\r\n").nth(1).expect("a body");
    assert_eq!(body, r#"[{"name":"🍵","count":1,"me":true,"accounts":[]}]"#);
    let add = "PUT /api/v1/bergamot/statuses/1/reactions/%F0%9F%8D%B5";
    let refused = ask(&address, add);
    assert!(refused.starts_with("HTTP/1.1 501"), "{refused}");
    let elsewhere = ask(&address, "GET /api/v1/polls/1");
    assert!(elsewhere.starts_with("HTTP/1.1 501"), "{elsewhere}");
    let nowhere = ask(&address, "GET /api/v1/accounts/1");
    assert!(nowhere.starts_with("HTTP/1.1 404"), "{nowhere}");
}
