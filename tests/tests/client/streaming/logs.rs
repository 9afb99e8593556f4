//! The log lines of a stream, those of the libraries below it too.

use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use fedispec::client::{Over, TokenPlace};
use fedispec::streaming;

use crate::streaming::script::{Script, Step, close, delete, lines, socket};
use crate::streaming::{client, error, next, short};

/// A token of this test alone: others of this process are logged as well.
const TOKEN: &str = "t0ken-of-the-logs";

/// Keeps all that is logged as text.
struct Log(Mutex<String>);

static LOG: Log = Log(Mutex::new(String::new()));

impl log::Log for Log {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        let mut text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(text, "{} {}", record.target(), record.args());
    }

    fn flush(&self) {}
}

#[tokio::test]
async fn the_token_is_in_no_log_wherever_it_stands() {
    log::set_logger(&LOG).expect("the only one");
    log::set_max_level(log::LevelFilter::Trace);
    for (over, place) in [
        (Over::WebSocket, TokenPlace::Header),
        (Over::WebSocket, TokenPlace::Protocol),
        (Over::WebSocket, TokenPlace::Query),
        (Over::ServerSentEvents, TokenPlace::Header),
    ] {
        let script = Script::run(move |_, head| {
            assert_eq!(head.matches(TOKEN).count(), 1, "{head}");
            let event = Step::Send(b"event: delete\ndata: 1\n\n".to_vec());
            match over {
                Over::WebSocket => socket(head, &[delete("1"), close(1008, "no"), Step::Hang]),
                Over::ServerSentEvents => lines(&[event]),
            }
        });
        let script = script.await;
        let live = client(&script.origin()).token(TOKEN).stream(streaming::User::new());
        let live = live.at(script.streams()).over(over).token_in(place);
        let mut live = live.tries(1);
        assert_eq!(short(&next(&mut live).await), "delete 1");
        let told = error(&mut live).await;
        assert!(!told.to_string().contains(TOKEN), "{told}");
    }
    let text = LOG.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
    assert!(text.contains("tungstenite"), "nothing is logged: {text}");
    let about: Vec<_> = text.lines().filter(|line| line.contains(TOKEN)).collect();
    assert!(about.is_empty(), "{about:#?}");
}
