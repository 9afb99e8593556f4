//! Clearing parameters: sending an empty list or null instead of leaving a parameter out.

use super::{Encode, Encoder};
use crate::{Operation, Request};

/// A request that clears parameters which it would otherwise leave out, such as all attachments or an expiry date.
///
/// An empty list or `None` in a request is left out, so that the server keeps its value. The parameters named here are sent as an empty
/// list or null instead.
///
/// ```
/// # use fedispec_runtime as rt;
/// use rt::client::Clearing;
/// # struct Update;
/// # impl Update { fn new(_: &str) -> Self { Self } }
/// # impl rt::Request for Update {
/// #     type Answer = rt::Json;
/// #     const OPERATION: &'static rt::Operation = &rt::Operation::new("statuses.update", rt::Method::Put, "/api/v1/statuses/1")
/// #         .body(rt::BodyEncoding::Form).params(&[rt::Param::form("media_ids[]"), rt::Param::form("status")]);
/// # }
/// # impl rt::client::Encode for Update {
/// #     fn encode<'a>(&'a self, _: &mut rt::codegen::Encoder<'a>) {}
/// # }
/// let request = Clearing::new(Update::new("1"), ["media_ids[]"]);
/// let sent = rt::client::request(&request, &"example.org".parse()?, None)?;
/// assert_eq!(sent.into_body().into_bytes()?, r#"{"media_ids":[]}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A parameter that the request sets is sent with its value. Naming a parameter that the operation does not have is an error on sending.
#[derive(Debug, Clone, PartialEq)]
pub struct Clearing<R> {
    /// The request.
    pub request: R,
    params: Vec<&'static str>,
}

impl<R> Clearing<R> {
    /// Wraps a request with the wire names of the parameters to clear.
    pub fn new(request: R, params: impl IntoIterator<Item = &'static str>) -> Self {
        Self { request, params: params.into_iter().collect() }
    }
}

impl<R: Request> Request for Clearing<R> {
    type Answer = R::Answer;
    const OPERATION: &'static Operation = R::OPERATION;
}

impl<R: Encode> Encode for Clearing<R> {
    fn encode<'a>(&'a self, to: &mut Encoder<'a>) {
        self.request.encode(to);
        self.params.iter().for_each(|param| to.clear(param));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{Body, Error, request};
    use crate::{BodyEncoding, Empty, File, Method, Param};

    struct Update {
        status: Option<String>,
        media: Vec<String>,
        file: Option<File>,
    }

    impl Request for Update {
        type Answer = Empty;
        const OPERATION: &'static Operation = &Operation::new("a.update", Method::Put, "/api/v1/a")
            .body(BodyEncoding::Form)
            .params(&[
                Param::form("status"),
                Param::form("media_ids[]"),
                Param::form("poll[expires_in]"),
                Param::form("file"),
            ]);
    }

    impl Encode for Update {
        fn encode<'a>(&'a self, to: &mut Encoder<'a>) {
            to.optional(0, &self.status);
            to.list(1, &self.media);
            to.optional(3, &self.file);
        }
    }

    fn sent(
        media: &[&str],
        file: Option<File>,
        params: &[&'static str],
    ) -> Result<http::Request<Body>, Error> {
        let update = Update {
            status: Some("tea".to_owned()),
            media: media.iter().map(ToString::to_string).collect(),
            file,
        };
        let clearing = Clearing::new(update, params.iter().copied());
        request(&clearing, &"example.org".parse().expect("an origin"), None)
    }

    fn text(request: http::Request<Body>) -> String {
        let bytes = request.into_body().into_bytes().expect("in memory");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[test]
    fn cleared_parameters_are_sent_empty() {
        let all = ["media_ids[]", "poll[expires_in]", "status"];
        let json = text(sent(&[], None, &all).expect("a request"));
        assert_eq!(json, r#"{"media_ids":[],"poll":{"expires_in":null},"status":"tea"}"#);
        let form = text(sent(&["1"], None, &["media_ids[]"]).expect("a request"));
        assert_eq!(form, "status=tea&media_ids%5B%5D=1");
        let multipart = text(sent(&[], Some(File::new("a", "b")), &all).expect("a request"));
        assert!(multipart.contains("name=\"media_ids[]\"\r\n\r\n\r\n"), "{multipart}");
    }

    #[test]
    fn an_unknown_parameter_is_an_error() {
        let error = sent(&[], None, &["media_ids"]).expect_err("no such parameter");
        assert_eq!(
            error.to_string(),
            "a.update: the parameter media_ids cannot be sent: the operation has no parameter of this name"
        );
    }
}
