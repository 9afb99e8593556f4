//! Uploads: their progress, and the wait until the server has processed them.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use super::accepted::id_of;
use super::body::Told;
use super::{Accept as _, Answer, Client, Encode, Encoder, Error, FromAnswer};
use crate::{Id, Json, Method, Operation, Param, Request};

/// The time before the server is asked first whether a medium is ready; later ones grow up to [`LONGEST`].
const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(5);

impl Client {
    /// Uploads a medium, with its progress told, and waits until it can be posted. The request is the generated `media::Upload`.
    ///
    /// ```no_run
    /// # use fedispec_runtime as rt;
    /// # async fn post<R>(client: rt::client::Client, request: R) -> Result<(), rt::client::UploadError>
    /// # where R: rt::Request + rt::client::Encode, R::Answer: rt::client::FromAnswer {
    /// let upload = client.upload(request).progress(|sent, whole| eprint!("\r{} %", sent * 100 / whole.max(1)));
    /// let medium = upload.ready(std::time::Duration::from_secs(120)).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn upload<R: Request + Encode>(&self, request: R) -> Upload<R> {
        Upload { client: self.clone(), request, told: None }
    }
}

/// An upload that has not begun.
#[must_use = "it begins with `ready`"]
pub struct Upload<R> {
    client: Client,
    request: R,
    told: Option<Arc<Told>>,
}

shown!(Upload<R>, own => client);

impl<R> Upload<R>
where
    R: Request + Encode,
    R::Answer: FromAnswer,
{
    /// Has a function told how many bytes of the request the connection has taken, and of how many. Of a request that is sent
    /// [again](Client::retries) it is told from the beginning.
    pub fn progress(mut self, told: impl Fn(u64, u64) + Send + Sync + 'static) -> Self {
        self.told = Some(Arc::new(told));
        self
    }

    /// Uploads, and asks the server until it has processed the medium: Mastodon answers 202 before that and refuses to post it, GoToSocial
    /// answers when it is done. `within` is the time for processing; that of the upload itself is the client's
    /// [`timeout`](Client::timeout).
    ///
    /// # Errors
    ///
    /// When the upload fails, and when the medium is not ready in time or its processing fails. The latter have the id of the medium.
    pub async fn ready(self, within: Duration) -> Result<Answer<R::Answer>, UploadError> {
        let Self { client, request, told } = self;
        let (mut exchange, sent) = client.exchange(R::OPERATION, R::Answer::accept(), &request)?;
        drop(request);
        if let Some(told) = told {
            exchange.request.body_mut().tell(told);
        }
        let response = client.dispatch(R::OPERATION, exchange).await;
        let mut answer = client.read::<R::Answer>(sent, response)?;
        if is_ready(&answer) {
            return Ok(answer);
        }
        let Some(id) = id(answer.body()) else {
            return Ok(answer);
        };
        let late = |id| UploadError::NotReady { id, within };
        let Some(timer) = client.waits_by() else {
            return Err(late(id));
        };
        let (mut left, mut pause) = (within, FIRST);
        while !left.is_zero() {
            pause = pause.min(left);
            timer.sleep(pause).await;
            (left, pause) = (left.saturating_sub(pause), (pause * 2).min(LONGEST));
            let request = Processed::<R::Answer>(id.clone(), PhantomData);
            let adapted = answer.adapted.take();
            answer = match client.send(request).await {
                Ok(answer) => answer,
                Err(error) => return Err(UploadError::Processing { id, error }),
            };
            answer.adapted = adapted;
            if is_ready(&answer) {
                return Ok(answer);
            }
        }
        Err(late(id))
    }
}

/// 202 answers an upload, and 206 a question, while the medium is processed.
fn is_ready<T>(answer: &Answer<T>) -> bool {
    !matches!(answer.status.as_u16(), 202 | 206)
}

fn id(body: &[u8]) -> Option<Id> {
    let body: Json = serde_json::from_slice(body).ok()?;
    id_of(body.get("id")?)
}

/// Asks for a medium, as the upload answers it.
struct Processed<A>(Id, PhantomData<fn() -> A>);

impl<A> Request for Processed<A> {
    type Answer = A;
    const OPERATION: &'static Operation =
        &Operation::new("media.get", Method::Get, "/api/v1/media/:id")
            .success(&[200, 206])
            .params(&[Param::path("id")]);
}

impl<A> Encode for Processed<A> {
    fn encode<'a>(&'a self, to: &mut Encoder<'a>) {
        to.required(0, &self.0);
    }
}

/// Why a medium is not ready.
#[derive(Debug)]
#[non_exhaustive]
pub enum UploadError {
    /// The upload has failed.
    Request(Error),
    /// The server has the medium, and could not process it or does not say.
    #[non_exhaustive]
    Processing {
        /// The id of the medium.
        id: Id,
        /// The answer.
        error: Error,
    },
    /// The server has the medium, and is still processing it. It may be asked later by the id.
    #[non_exhaustive]
    NotReady {
        /// The id of the medium.
        id: Id,
        /// How long it was waited for.
        within: Duration,
    },
}

impl From<Error> for UploadError {
    fn from(error: Error) -> Self {
        Self::Request(error)
    }
}

impl fmt::Display for UploadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(error) => error.fmt(f),
            Self::Processing { id, error } => {
                write!(f, "the medium {id} was uploaded and is not ready: {error}")
            }
            Self::NotReady { id, within } => write!(
                f,
                "the medium {id} was uploaded and is still being processed after {} seconds; ask for it later",
                within.as_secs()
            ),
        }
    }
}

impl std::error::Error for UploadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Request(error) | Self::Processing { error, .. } => {
                std::error::Error::source(error)
            }
            Self::NotReady { .. } => None,
        }
    }
}
