//! The example for the terminal: signing in with a browser, what the server lacks, a post with a picture, and the live timeline.

#[allow(dead_code, unreachable_pub, reason = "it is a program of its own")]
#[path = "../../../examples/terminal.rs"]
mod program;

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{sleep, timeout};

use crate::login::app::App;
use crate::login::{LONG, get, location};

/// The output of the program so far.
#[derive(Clone, Default)]
struct Screen(Arc<Mutex<Vec<u8>>>);

impl Screen {
    fn text(&self) -> String {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut screen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        screen.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_example_signs_in_posts_and_follows() {
    let (app, folder) = (App::default(), tempfile::tempdir().expect("a folder"));
    let (origin, session) = (app.serve().await, folder.path().join("session.json"));
    let run = async |args: &[&str]| {
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let mut screen = Screen::default();
        let ran = timeout(LONG, program::run(&args, &session, &mut screen)).await;
        ran.expect("an end").map(|()| screen.text()).map_err(|error| error.to_string())
    };
    let early = run(&["lacks"]).await.expect_err("nobody is signed in");
    assert!(early.starts_with("sign in first"), "{early}");

    let screen = Screen::default();
    let signing_in = tokio::spawn({
        let (mut screen, session) = (screen.clone(), session.clone());
        async move { program::run(&["login".into(), origin], &session, &mut screen).await }
    });
    let url = timeout(LONG, async {
        loop {
            let text = screen.text();
            match text.split_once('\n').and_then(|(_, rest)| rest.split_once('\n')) {
                Some((url, _)) => break url.to_owned(),
                None => sleep(Duration::from_millis(10)).await,
            }
        }
    });
    let url = url.await.expect("a page to open");
    let page = get(&location(&get(&url).await)).await;
    assert!(page.contains("You are signed in."), "{page}");
    signing_in.await.expect("no panic").expect("signed in");
    let text = screen.text();
    assert!(
        text.ends_with(
            "Signed in with: write:media write:statuses read:statuses read:notifications\n"
        ),
        "{text}"
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&session).expect("a session").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    let lacks = run(&["lacks"]).await.expect("a list");
    assert!(
        lacks.starts_with("mastodon 4.5.0 lacks ") && lacks.contains("  admin_debug: "),
        "{lacks}"
    );
    assert!(!lacks.contains("  statuses: create"), "{lacks}");

    let picture = folder.path().join("garden.png");
    std::fs::write(&picture, vec![7; 200_000]).expect("a picture");
    let picture = picture.to_str().expect("a name");
    let posted = run(&["post", "Hello.", picture, "A garden."]).await.expect("a post");
    assert_eq!(posted, "Posted: https://example.org/1\n");
    assert_eq!(app.state().posted, ["Hello."]);

    let live = run(&["live", "1"]).await.expect("an event");
    assert_eq!(live, "Live.\n@mona: Rain & sun.\n");
}
