//! A server whose connections go by a script, well-formed or not.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fedispec::client::StreamAddress;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

/// The steps of a server on a connection.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// Sends bytes.
    Send(Vec<u8>),
    /// Sends bytes many times.
    Many(Vec<u8>, usize),
    /// Waits for as many bytes of the client.
    Read(usize),
    Wait(Duration),
    /// Keeps the connection open and does nothing more.
    Hang,
    /// Resets the connection.
    Reset,
}

/// A text in a frame of a server.
pub(crate) fn text(text: &str) -> Step {
    let mut frame = vec![0x81];
    frame.extend(length(text.len()));
    frame.extend(text.bytes());
    Step::Send(frame)
}

/// An event in a frame.
pub(crate) fn delete(id: &str) -> Step {
    text(&format!(r#"{{"stream":["user"],"event":"delete","payload":"{id}"}}"#))
}

/// A close frame.
pub(crate) fn close(code: u16, reason: &str) -> Step {
    let mut frame = vec![0x88];
    frame.extend(length(reason.len() + 2));
    frame.extend(code.to_be_bytes());
    frame.extend(reason.bytes());
    Step::Send(frame)
}

pub(crate) fn length(length: usize) -> Vec<u8> {
    match (u8::try_from(length), u16::try_from(length)) {
        (Ok(short @ ..126), _) => vec![short],
        (_, Ok(long)) => [&[126][..], &long.to_be_bytes()].concat(),
        _ => [&[127][..], &(length as u64).to_be_bytes()].concat(),
    }
}

/// The answer to the handshake, and what comes after it.
pub(crate) fn socket(head: &str, steps: &[Step]) -> Vec<Step> {
    let key = header(head, "sec-websocket-key").unwrap_or_default();
    let accept = derive_accept_key(key.as_bytes());
    let protocol = header(head, "sec-websocket-protocol");
    let protocol = protocol.map(|name| format!("Sec-WebSocket-Protocol: {name}\r\n"));
    let protocol = protocol.unwrap_or_default();
    let answer = format!(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: {accept}\r\n{protocol}\r\n"
    );
    [&[Step::Send(answer.into_bytes())], steps].concat()
}

/// The answer of an event stream, and what comes after it.
pub(crate) fn lines(steps: &[Step]) -> Vec<Step> {
    let answer = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    [&[Step::Send(answer.into())], steps].concat()
}

/// Another answer.
pub(crate) fn answer(status: &str, headers: &str, body: &str) -> Vec<Step> {
    let length = body.len();
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}"
    );
    vec![Step::Send(answer.into_bytes())]
}

pub(crate) fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| {
        let (other, value) = line.split_once(':')?;
        other.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

/// A server on a port of its own.
pub(crate) struct Script {
    pub(crate) address: SocketAddr,
    heads: Arc<Mutex<Vec<String>>>,
    said: Arc<Mutex<Vec<u8>>>,
}

impl Script {
    /// Acts on the connection of a number, counted from 0, by the head of its request.
    pub(crate) async fn run(
        steps: impl Fn(usize, &str) -> Vec<Step> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let script = Self { address, heads: Arc::default(), said: Arc::default() };
        let (heads, said, steps) =
            (Arc::clone(&script.heads), Arc::clone(&script.said), Arc::new(steps));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (heads, said, steps) =
                    (Arc::clone(&heads), Arc::clone(&said), Arc::clone(&steps));
                tokio::spawn(async move {
                    let _ = act(stream, &heads, &said, &*steps).await;
                });
            }
        });
        script
    }

    /// Sockets, each with the steps of its number; the last ones are repeated.
    pub(crate) async fn sockets(steps: impl Into<Vec<Vec<Step>>>) -> Self {
        let steps = steps.into();
        Self::run(move |number, head| socket(head, &steps[number.min(steps.len() - 1)])).await
    }

    /// The heads of the requests so far.
    pub(crate) fn heads(&self) -> Vec<String> {
        let heads = self.heads.lock();
        heads.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The bytes that clients have sent after their requests, as far as they were read.
    pub(crate) fn said(&self) -> Vec<u8> {
        let said = self.said.lock();
        said.unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The address of its streams, so that no instance document is asked for.
    pub(crate) fn streams(&self) -> StreamAddress {
        let address = format!("ws://{}", self.address);
        address.parse().expect("an address")
    }
}

async fn act(
    mut stream: TcpStream,
    heads: &Mutex<Vec<String>>,
    said: &Mutex<Vec<u8>>,
    steps: &(dyn Fn(usize, &str) -> Vec<Step> + Send + Sync),
) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let number = {
        let mut heads = heads.lock().unwrap_or_else(PoisonError::into_inner);
        heads.push(head.clone());
        heads.len() - 1
    };
    for step in steps(number, &head) {
        match step {
            Step::Send(bytes) => stream.write_all(&bytes).await?,
            Step::Many(bytes, times) => {
                let all = bytes.repeat(times.min(10_000));
                for _ in 0..times.div_ceil(10_000) {
                    stream.write_all(&all).await?;
                }
            }
            Step::Read(count) => {
                let mut bytes = vec![0; count];
                stream.read_exact(&mut bytes).await?;
                let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
                said.extend(bytes);
            }
            Step::Wait(time) => tokio::time::sleep(time).await,
            Step::Hang => std::future::pending().await,
            Step::Reset => return stream.set_zero_linger(),
        }
    }
    stream.shutdown().await
}
