//! The sample crate of a client, unchanged. The gate builds that of a server, which compiles many more crates.

use crate::crates::Crate;

#[test]
fn the_client_runs() {
    let sample = Crate::copy("samples/client", "sample-client");
    let ran = sample.cargo(&["run", "--quiet"]).succeeded();
    let expected = "GET https://social.example/api/v1/notifications?limit=40\n";
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), (expected, ""));
}
