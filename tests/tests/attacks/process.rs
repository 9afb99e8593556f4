//! A server in a process of its own: this test binary, started again.

use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::os::fd::AsFd as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fedispec::server::{Listen, RequestLimits};
use tokio::net::TcpStream;
use tokio::time::sleep;

use crate::app::Running;

/// The longest wait of any test.
pub(crate) const HANGS: Duration = Duration::from_secs(60);

/// The time after which a server that takes no more has taken all that it takes.
pub(crate) const STALLS: Duration = Duration::from_secs(1);
/// The memory that a server may grow by under attack, in KiB.
const GROWTH: u64 = 32 * 1024;

/// The attacks run one at a time: each measures the work of a whole machine.
pub(crate) static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// A running server; it is killed in the end.
pub(crate) struct Process {
    child: Child,
    pub(crate) address: SocketAddr,
    before: u64,
    descriptors: usize,
}

impl Process {
    /// Starts a server whose patience is that long.
    pub(crate) fn start(patience: Duration) -> Self {
        Self::with(patience, |_| {})
    }

    /// The same, after the command has been changed. The process may have 1,000 file descriptors, or as many as `FEDISPEC_FILES` says.
    pub(crate) fn with(patience: Duration, change: impl FnOnce(&mut Command)) -> Self {
        let mut command = Command::new("sh");
        command
            .args(["-c", "ulimit -n ${FEDISPEC_FILES:-1000}; exec \"$0\" \"$@\""])
            .arg(std::env::current_exe().expect("this binary"))
            .args(["process::serves", "--exact", "--ignored", "--nocapture"])
            .env("FEDISPEC_PATIENCE", patience.as_millis().to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        change(&mut command);
        let mut child = command.spawn().expect("it starts");
        let told = BufReader::new(child.stdout.take().expect("a pipe"));
        let address = told
            .lines()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("serves at ")?.parse().ok());
        let mut process =
            Self { child, address: address.expect("its address"), before: 0, descriptors: 0 };
        process.descriptors = process.descriptors();
        process.before = process.memory("VmRSS:");
        process
    }

    /// A line of `/proc/PID/status`, in KiB.
    fn memory(&self, name: &str) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        kib.unwrap_or_default()
    }

    /// Kills it, as a crash would.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    pub(crate) fn descriptors(&self) -> usize {
        let path = format!("/proc/{}/fd", self.child.id());
        std::fs::read_dir(path).map_or(0, Iterator::count)
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        let connected = TcpStream::connect(self.address).await;
        connected.expect("it listens")
    }

    /// Asserts that the process never grew too much.
    pub(crate) fn stayed_small(&self, attack: &str) {
        let (before, peak) = (self.before, self.memory("VmHWM:"));
        println!("{attack}: {before} KiB, at most {peak} KiB");
        let grown = peak.saturating_sub(before);
        assert!(grown < GROWTH, "{attack}: it grew by {grown} KiB");
    }

    /// Asserts that all connections are gone.
    pub(crate) async fn is_clean(&self) {
        let start = Instant::now();
        while self.descriptors() > self.descriptors {
            assert!(
                start.elapsed() < HANGS,
                "{} descriptors, not {}",
                self.descriptors(),
                self.descriptors
            );
            sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
#[ignore = "the process that others start"]
fn serves() {
    let millis = std::env::var("FEDISPEC_PATIENCE").ok();
    let Some(millis) = millis.and_then(|millis| millis.parse().ok()) else {
        return;
    };
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let limits = RequestLimits::default().patience(Duration::from_millis(millis));
        let listener = listener();
        let address = listener.local_addr().expect("an address");
        let listen = Listen::new(listener).trusted_proxies(["127.0.0.1"]);
        let running = Running::on(listen.expect("an address"), address, limits, |server| {
            match std::env::var_os("FEDISPEC_UPLOADS") {
                Some(folder) => server.uploads_in(folder),
                None => server,
            }
        });
        println!("\nserves at {address}");
        running.served.await.expect("no panic").expect("it serves");
    });
}

/// One that the parent has opened, where it says so.
fn listener() -> TcpListener {
    if std::env::var_os("FEDISPEC_INHERITS").is_none() {
        return TcpListener::bind("127.0.0.1:0").expect("a port");
    }
    let inherited = std::io::stdin().as_fd().try_clone_to_owned();
    inherited.expect("a standard input").into()
}
