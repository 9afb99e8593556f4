//! Uploads are never held whole in memory, are refused as soon as they are too large, and are removed with their last owner.

use std::future::poll_fn;
use std::io::Read as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fedispec::entities::MediaAttachment;
use fedispec::media;
use fedispec::runtime::{File, Secret};
use fedispec::server::{self, Call, Caller, Error, Listen, RequestLimits, Result, Server};
use futures_core::Stream as _;
use tempfile::TempDir;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

use crate::{entities, traits::raw};

const HANGS: Duration = Duration::from_secs(60);
const MIB: usize = 1024 * 1024;

#[derive(Clone)]
struct App {
    kept: PathBuf,
    /// The path of the last upload.
    seen: Arc<Mutex<Option<PathBuf>>>,
}

impl server::Media for App {
    /// Acts on the upload's description; answers the file's length and the sum of its bytes.
    async fn upload(&self, request: media::Upload, _: Call) -> Result<MediaAttachment> {
        let file = request.file;
        *self.seen.lock().expect("no panic") = file.path().map(Path::to_owned);
        let told = match request.description.as_deref() {
            Some("error") => return Err(Error::unprocessable("as it was asked to")),
            // A backtrace would need more memory than everything else here.
            Some("panic") => std::panic::resume_unwind(Box::new("as it was asked to")),
            Some("keep") => {
                file.persist(self.kept.join("kept.bin")).await?;
                "kept".to_owned()
            }
            Some("share") => {
                let clone = file.clone();
                file.persist(self.kept.join("shared.bin")).await?;
                sum(&clone)?
            }
            Some("chunks") => chunks(&file).await?,
            _ => sum(&file)?,
        };
        Ok(MediaAttachment {
            url: Some(told),
            description: request.description,
            ..entities::media("1")
        })
    }
}

fn sum(file: &File) -> std::io::Result<String> {
    let (mut opened, mut piece) = (file.open()?, vec![0; 64 * 1024]);
    let (mut length, mut sum) = (0, 0_u64);
    loop {
        match opened.read(&mut piece)? {
            0 => return Ok(format!("{length} {sum}")),
            count => {
                length += count;
                sum += piece[..count].iter().map(|&byte| u64::from(byte)).sum::<u64>();
            }
        }
    }
}

async fn chunks(file: &File) -> std::io::Result<String> {
    let mut chunks = pin!(file.chunks());
    let (mut length, mut sum) = (0, 0_u64);
    while let Some(piece) = poll_fn(|context| chunks.as_mut().poll_next(context)).await {
        let piece = piece?;
        assert!(piece.len() <= 64 * 1024, "{}", piece.len());
        length += piece.len();
        sum += piece.iter().map(|&byte| u64::from(byte)).sum::<u64>();
    }
    Ok(format!("{length} {sum}"))
}

struct Site {
    address: SocketAddr,
    app: App,
    uploads: TempDir,
    kept: TempDir,
}

impl Site {
    async fn start(limits: RequestLimits) -> Self {
        let (uploads, kept) = (TempDir::new(), TempDir::new());
        let (uploads, kept) = (uploads.expect("a folder"), kept.expect("a folder"));
        let app = App { kept: kept.path().to_owned(), seen: Arc::default() };
        let router = Server::new()
            .authenticator(async |token: Secret| match token.expose() {
                "t" => Ok(Caller::user("1", "write")),
                _ => Err(Error::unauthorized()),
            })
            .media(app.clone())
            .limits(limits)
            .uploads_in(uploads.path())
            .into_router();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(Listen::new(listener).serve(router));
        Self { address, app, uploads, kept }
    }

    /// Sends a file of that many bytes, piece by piece, and then its description; the answer is not read before.
    async fn send(&self, upload: Upload<'_>) -> String {
        let mut socket = TcpStream::connect(self.address).await.expect("a connection");
        // The server may answer and close before everything is sent.
        let _ = upload.write(&mut socket).await;
        raw::read(socket).await
    }

    fn was_on_disk(&self) -> bool {
        self.app.seen.lock().expect("no panic").take().is_some()
    }

    /// Waits until no temporary file is left.
    async fn clean(&self) {
        let count = || std::fs::read_dir(self.uploads.path()).expect("a folder").count();
        let clean = async {
            while count() > 0 {
                sleep(Duration::from_millis(5)).await;
            }
        };
        assert!(timeout(HANGS, clean).await.is_ok(), "a file is left");
    }
}

#[derive(Clone, Copy)]
struct Upload<'a> {
    length: usize,
    description: &'a str,
    name: &'a str,
    token: &'a str,
    chunked: bool,
    /// The number of bytes of the body after which the client disconnects.
    until: usize,
}

impl<'a> Upload<'a> {
    fn of(length: usize, description: &'a str) -> Self {
        Self { length, description, name: "file", token: "t", chunked: false, until: usize::MAX }
    }

    async fn write(self, socket: &mut TcpStream) -> std::io::Result<()> {
        let name = self.name;
        let head = format!(
            "--b\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n"
        );
        let tail = format!(
            "\r\n--b\r\nContent-Disposition: form-data; name=\"description\"\r\n\r\n{}\r\n--b--\r\n",
            self.description
        );
        let length = head.len() + self.length + tail.len();
        let framing = if self.chunked {
            "Transfer-Encoding: chunked".to_owned()
        } else {
            format!("Content-Length: {length}")
        };
        let lines = format!(
            "POST /api/v2/media HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\
             Content-Type: multipart/form-data; boundary=b\r\n{framing}\r\n\r\n",
            self.token
        );
        socket.write_all(lines.as_bytes()).await?;
        self.piece(socket, head.as_bytes()).await?;
        let piece = vec![3; 64 * 1024];
        let (mut left, mut sent) = (self.length, 0);
        while left > 0 {
            let count = left.min(piece.len());
            self.piece(socket, &piece[..count]).await?;
            (left, sent) = (left - count, sent + count);
            if sent > self.until {
                return Ok(());
            }
        }
        self.piece(socket, tail.as_bytes()).await?;
        if self.chunked {
            socket.write_all(b"0\r\n\r\n").await?;
        }
        Ok(())
    }

    async fn piece(&self, socket: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
        if !self.chunked {
            return socket.write_all(bytes).await;
        }
        let length = format!("{:x}\r\n", bytes.len());
        socket.write_all(length.as_bytes()).await?;
        socket.write_all(bytes).await?;
        socket.write_all(b"\r\n").await
    }
}

/// The peak memory of this process in KiB.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

#[tokio::test]
async fn a_large_file_is_never_whole_in_memory() {
    let site = Site::start(RequestLimits::default()).await;
    // The first upload allocates what is needed once, and is not counted.
    site.send(Upload::of(2 * MIB, "first")).await;
    let before = peak();
    let length = 64 * MIB;
    for chunked in [false, true] {
        for description in ["sum", "chunks"] {
            let upload = Upload::of(length, description);
            let answer = site.send(Upload { chunked, ..upload }).await;
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
            let told = format!(r#""url":"{length} {}""#, length * 3);
            assert!(answer.contains(&told), "{answer}");
            // The field after the file is there too.
            let told = format!(r#""description":"{description}""#);
            assert!(answer.contains(&told), "{answer}");
            assert!(site.was_on_disk());
        }
    }
    site.clean().await;
    if let (Some(before), Some(after)) = (before, peak()) {
        // The kernel adds the counts of threads up now and then, so that a peak may seem lower later.
        let grown = after.saturating_sub(before);
        println!("the peak grew by {grown} KiB over uploads of {} KiB", length / 1024);
        assert!(grown < 16 * 1024, "{grown} KiB");
    }
}

#[tokio::test]
async fn what_is_too_large_is_refused_while_it_comes_in() {
    let site = Site::start(RequestLimits::default().upload(4 << 20).file(2 << 20)).await;
    for (length, chunked, told) in [
        // Refused by its Content-Length, before any of the body has arrived.
        (8 * MIB, false, "the body is longer than 4194304 bytes"),
        // Refused while the body arrives.
        (8 * MIB, true, "a file is longer than 2097152 bytes"),
        (3 * MIB, false, "a file is longer than 2097152 bytes"),
    ] {
        let upload = Upload::of(length, "sum");
        // The client sends everything before it reads, and still gets the answer.
        let answer = site.send(Upload { chunked, ..upload }).await;
        assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
        assert!(answer.ends_with(&format!(r#"{{"error":"{told}"}}"#)), "{answer}");
        site.clean().await;
    }
    // An unauthorized client gets its error even if it sends a long body first.
    let upload = Upload::of(3 * MIB, "sum");
    let answer = site.send(Upload { token: "x", ..upload }).await;
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    let answer = site.send(Upload::of(MIB + 1, "sum")).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[tokio::test]
async fn a_temporary_file_goes_with_its_request() {
    let site = Site::start(RequestLimits::default().memory(1000)).await;
    for (description, status, on_disk) in [
        ("sum", "200", true),
        ("error", "422", true),
        ("panic", "500", true),
        ("share", "200", true),
    ] {
        let answer = site.send(Upload::of(MIB, description)).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
        assert_eq!(site.was_on_disk(), on_disk, "{description}");
        site.clean().await;
    }
    // The client disconnects during the upload.
    let upload = Upload::of(4 * MIB, "sum");
    let mut socket = TcpStream::connect(site.address).await.expect("a connection");
    let until = 2 * MIB;
    upload_until(Upload { until, ..upload }, &mut socket, &site).await;
    drop(socket);
    site.clean().await;
    // A wrong parameter is only known once the whole form has arrived.
    let answer = site.send(Upload { name: "thumbnail", ..Upload::of(MIB, "sum") }).await;
    assert!(answer.starts_with("HTTP/1.1 422"), "{answer}");
    assert!(answer.ends_with(r#"{"error":"file is required"}"#), "{answer}");
    site.clean().await;
}

/// Writes a part of an upload, and waits until it is on disk.
async fn upload_until(upload: Upload<'_>, socket: &mut TcpStream, site: &Site) {
    upload.write(socket).await.expect("it listens");
    let begun = async {
        while std::fs::read_dir(site.uploads.path()).expect("a folder").count() == 0 {
            sleep(Duration::from_millis(5)).await;
        }
    };
    assert!(timeout(HANGS, begun).await.is_ok(), "nothing is on disk");
}

#[tokio::test]
async fn a_handler_can_keep_a_file() {
    let site = Site::start(RequestLimits::default().memory(1000)).await;
    // One upload that stays in memory, and one on disk.
    for (length, on_disk) in [(500, false), (MIB, true)] {
        let answer = site.send(Upload::of(length, "keep")).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert_eq!(site.was_on_disk(), on_disk);
        let kept = std::fs::read(site.kept.path().join("kept.bin")).expect("it is kept");
        assert!(kept.len() == length && kept.iter().all(|&byte| byte == 3));
    }
    let kept = std::fs::read_dir(site.kept.path()).expect("a folder");
    assert_eq!(kept.count(), 1, "nothing else is left there");
    site.clean().await;
}

#[tokio::test]
async fn files_of_unknown_parameters_are_not_stored() {
    let site = Site::start(RequestLimits::default().memory(0)).await;
    let part = |name: &str, file: &str, content: &str| {
        format!(
            "--b\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"\r\n\r\n{content}\r\n"
        )
    };
    let head = "POST /api/v2/media HTTP/1.1\nAuthorization: Bearer t\nContent-Type: multipart/form-data; boundary=b";
    let body = [
        part("virus", "v", "abc"),
        part("file", "f", "de"),
        // An empty file field of a form.
        part("thumbnail", "", ""),
        "--b--\r\n".to_owned(),
    ];
    let answer = raw::send(site.address, head, &body.concat()).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.body.contains(r#""url":"2 201""#), "{answer:?}");
    let body = [part("file", "", ""), "--b--\r\n".to_owned()].concat();
    let answer = raw::send(site.address, head, &body).await;
    assert_eq!(answer.error(), "file is required");
    // The head of a part has a limit.
    let body = format!("--b\r\n{}", "X-A: 1\r\n".repeat(200_000));
    let answer = raw::send(site.address, head, &body).await;
    assert_eq!(answer.error(), "the head of a part is too long");
    site.clean().await;
    // A missing folder for files is the server's error, not the client's.
    drop(site.uploads);
    let body = [part("file", "f", "de"), "--b--\r\n".to_owned()].concat();
    let answer = raw::send(site.address, head, &body).await;
    assert_eq!(answer.status, 503, "{answer:?}");
}
