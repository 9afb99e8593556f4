//! The router of Rails itself, where Ruby and actionpack are installed.
//!
//! The source's routing files are evaluated, which runs their code: somebody has to ask for it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::routes::Route;
use crate::error::Error;
use crate::surface::{Endpoint, Place, path_key};
use crate::syntax::File;

const SCRIPT: &str = include_str!("router.rb");

/// The time for evaluating the files, which takes a second.
const PATIENCE: Duration = Duration::from_secs(60);

/// How much the script may print.
const MOST: u64 = 16 << 20;

/// Asks the router, takes its answer for the truth, and says how far the parser was from it.
pub(super) fn asked(files: &[File], routes: &mut Vec<Route>) -> Result<String, Error> {
    let texts: BTreeMap<&str, &str> = files
        .iter()
        .filter(|file| file.path.starts_with("config/routes"))
        .map(|file| (file.path.as_str(), file.text.as_str()))
        .collect();
    let input = serde_json::to_string(&texts).map_err(|error| Error(error.to_string()))?;
    let answered: Vec<(String, String, String)> = serde_json::from_str(&run(&input)?)
        .map_err(|error| Error(format!("the router of Rails answered no list: {error}")))?;
    let key = |method: &str, path: &str| (method.to_owned(), path_key(path));
    let served: BTreeSet<_> = answered.iter().map(|(method, path, _)| key(method, path)).collect();
    let read: BTreeSet<_> =
        routes.iter().map(|route| key(&route.endpoint.method, &route.endpoint.path)).collect();
    routes.retain(|route| served.contains(&key(&route.endpoint.method, &route.endpoint.path)));
    let missed =
        answered.into_iter().filter(|(method, path, _)| !read.contains(&key(method, path)));
    for (method, path, target) in missed {
        let Some((controller, action)) = target.split_once('#') else {
            continue;
        };
        routes.push(Route {
            endpoint: Endpoint { method, path },
            // The router does not say where a route stands.
            at: Place { file: "config/routes.rb".to_owned(), line: 1 },
            condition: None,
            controller: controller.to_owned(),
            action: action.to_owned(),
        });
    }
    Ok(format!(
        "the router of Rails was asked: {} routes, of which the parser had not read {}, and had read {} that are none",
        served.len(),
        served.difference(&read).count(),
        read.difference(&served).count(),
    ))
}

fn run(input: &str) -> Result<String, Error> {
    let told = |what: &str, error: &dyn std::fmt::Display| {
        Error(format!(
            "cannot {what} the router of Rails: {error}; it needs Ruby with actionpack (`apt-get install ruby ruby-actionpack`), or leave out --router"
        ))
    };
    let mut child = Command::new("ruby")
        .args(["-e", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| told("start", &error))?;
    let (given, out, err) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let input = input.to_owned();
    let writer = thread::spawn(move || given.map(|mut given| given.write_all(input.as_bytes())));
    let out = thread::spawn(move || limited(out));
    let err = thread::spawn(move || limited(err));
    let is_done = wait(&mut child).map_err(|error| told("wait for", &error))?;
    let (out, err) = (out.join().unwrap_or_default(), err.join().unwrap_or_default());
    // A script that ended early has closed its input; its own message says why.
    drop(writer.join());
    if is_done {
        Ok(out)
    } else {
        let line = err.lines().next().unwrap_or("it did not end in time").to_owned();
        Err(told("ask", &line))
    }
}

/// Whether the script ended well, in time.
fn wait(child: &mut Child) -> std::io::Result<bool> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn limited(from: Option<impl std::io::Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(from) = from {
        // The text that was read before an error is used.
        let _ = from.take(MOST).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
