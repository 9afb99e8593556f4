//! A server with scripted responses, well-formed or not.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// The acts of a server once it has read a request.
#[derive(Debug, Clone)]
pub enum Act {
    /// Sends bytes.
    Send(Vec<u8>),
    /// Waits.
    Wait(Duration),
    /// Sends the same bytes until the client disconnects.
    Repeat(Vec<u8>),
    /// Resets the connection (RST).
    Reset,
    /// Keeps the connection open and sends nothing more.
    Hang,
}

/// A server on a port of its own.
pub struct Raw {
    /// Its origin, such as `http://127.0.0.1:1234`.
    pub origin: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Raw {
    /// Answers each request with the acts chosen by its first line.
    ///
    /// # Panics
    /// Without a port on the loopback.
    pub async fn serve(acts: impl Fn(&str) -> Vec<Act> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (seen, acts) = (Arc::clone(&requests), Arc::new(acts));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (seen, acts) = (Arc::clone(&seen), Arc::clone(&acts));
                tokio::spawn(async move {
                    let _ = answer(stream, &seen, &*acts).await;
                });
            }
        });
        Self { origin: format!("http://{address}"), requests }
    }

    /// Answers every request with the same acts.
    ///
    /// # Panics
    /// As [`serve`](Self::serve).
    pub async fn always(acts: impl Into<Vec<Act>>) -> Self {
        let acts = acts.into();
        Self::serve(move |_| acts.clone()).await
    }

    /// The requests received so far, head and body.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn answer(
    mut stream: TcpStream,
    seen: &Mutex<Vec<String>>,
    acts: &(dyn Fn(&str) -> Vec<Act> + Send + Sync),
) -> std::io::Result<()> {
    let request = read(&mut stream).await?;
    let first = request.lines().next().unwrap_or_default().to_owned();
    seen.lock().unwrap_or_else(PoisonError::into_inner).push(request);
    for act in acts(&first) {
        match act {
            Act::Send(bytes) => stream.write_all(&bytes).await?,
            Act::Wait(time) => tokio::time::sleep(time).await,
            Act::Repeat(bytes) => loop {
                stream.write_all(&bytes).await?;
                tokio::time::sleep(Duration::from_millis(1)).await;
            },
            Act::Reset => return stream.set_zero_linger(),
            Act::Hang => std::future::pending().await,
        }
    }
    stream.shutdown().await
}

/// Reads the head and, where a Content-Length is given, the body.
async fn read(stream: &mut TcpStream) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok()
            });
            if body.len() >= length.unwrap_or(0) {
                return Ok(text);
            }
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(String::from_utf8_lossy(&bytes).into_owned());
        }
    }
}

/// A complete response: status line, headers, and a body with its Content-Length.
pub fn response(status: &str, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Vec<Act> {
    let body = body.as_ref();
    let mut bytes =
        format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n", body.len())
            .into_bytes();
    for (name, value) in headers {
        bytes.extend(format!("{name}: {value}\r\n").bytes());
    }
    bytes.extend(b"\r\n");
    bytes.extend(body);
    vec![Act::Send(bytes)]
}

/// Sends these bytes unchanged.
pub fn bytes(bytes: impl AsRef<[u8]>) -> Act {
    Act::Send(bytes.as_ref().to_vec())
}
