//! A client in a web page: the browser's `fetch` as its transport.

use fedispec::client::bytes::Bytes;
use fedispec::client::{BoxFuture, Client, Exchange, Transport, TransportError};
use fedispec::{accounts, instance};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Headers, Request, RequestInit, RequestRedirect, Response};

/// The program of a server, and the statuses of one of its accounts.
#[wasm_bindgen]
pub async fn ask(origin: String, name: String) -> Result<String, String> {
    show(&origin, &name).await.map_err(|error| error.to_string())
}

async fn show(origin: &str, name: &str) -> Result<String, Box<dyn std::error::Error>> {
    let client = Client::with_transport(origin.parse()?, Fetch);
    let client = client.connected(fedispec::client::gate).await?;
    let server = client.send(instance::Get::new()).await?;
    let account = client.send(accounts::Lookup::new(name)).await?;
    Ok(format!(
        "{} runs {}; @{} wrote {} statuses",
        server.domain, server.version, account.acct, account.statuses_count
    ))
}

struct Fetch;

impl Transport for Fetch {
    fn call(
        &self,
        exchange: Exchange,
    ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>> {
        Box::pin(async move {
            fetch(exchange)
                .await
                .map_err(|error| TransportError::Broken(format!("{error:?}").into()))
        })
    }
}

async fn fetch(exchange: Exchange) -> Result<http::Response<Bytes>, JsValue> {
    let (parts, body) = exchange.request.into_parts();
    let headers = Headers::new()?;
    for (name, value) in &parts.headers {
        headers.append(name.as_str(), value.to_str().unwrap_or_default())?;
    }
    let options = RequestInit::new();
    options.set_method(parts.method.as_str());
    options.set_headers(&headers);
    // A token must not go where a redirect leads.
    options.set_redirect(RequestRedirect::Error);
    let milliseconds = u32::try_from(exchange.timeout.as_millis()).unwrap_or(u32::MAX);
    options.set_signal(Some(&AbortSignal::timeout_with_u32(milliseconds)));
    let body = body.into_bytes().map_err(|error| error.to_string())?;
    if !body.is_empty() {
        options.set_body(&Uint8Array::from(&*body));
    }
    let request = Request::new_with_str_and_init(&parts.uri.to_string(), &options)?;
    let window = web_sys::window().ok_or("there is no window")?;
    let answer: Response = JsFuture::from(window.fetch_with_request(&request)).await?.dyn_into()?;
    let mut response = http::Response::builder().status(answer.status());
    for pair in answer.headers().entries() {
        let pair: Array = pair?.into();
        if let (Some(name), Some(value)) = (pair.get(0).as_string(), pair.get(1).as_string()) {
            response = response.header(name, value);
        }
    }
    let bytes = Uint8Array::new(&JsFuture::from(answer.array_buffer()?).await?).to_vec();
    if bytes.len() as u64 > exchange.max_bytes {
        return Err("the answer is too long".into());
    }
    response.body(bytes.into()).map_err(|error| error.to_string().into())
}
