//! Paged lists as streams.

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;

use super::call::Sent;
use super::delivery::Flight;
use super::walk::WalkState;
use super::{
    Accept as _, Answer, Client, Direction, Encode, Error, FromAnswer, PageCursor, TransportError,
};
use crate::compatibility::Verdict;
use crate::{Link, Paging, Rejected, Request};

/// The pages of a list, as a [`Stream`]; [`next`](Self::next) serves callers without stream combinators. Nothing is sent before it is polled.
///
/// The stream ends after a page that is empty or has no next link, and after an error. [`retry`](Self::retry) repeats the page that failed,
/// and [`cursor`](Self::cursor) saves the position.
#[must_use = "a stream does nothing unless it is polled"]
pub struct Pages<R> {
    client: Client,
    /// `Err` where the request cannot be built; the error is taken when it is returned.
    state: Result<WalkState, Option<Error>>,
    sent: Sent,
    in_flight: Option<Flight>,
    request: PhantomData<fn() -> R>,
}

impl Client {
    /// The pages of a list, starting with the one that the request asks for.
    ///
    /// ```
    /// # use fedispec_runtime as rt;
    /// # use rt::client::{Client, Encode, FromAnswer};
    /// # async fn walk<R>(client: Client, request: R) -> Result<(), rt::client::Error>
    /// # where R: rt::Request<Answer = rt::Page<rt::Json>> + Encode {
    /// let mut pages = client.pages(request);
    /// while let Some(page) = pages.next().await {
    ///     let page = page?;
    ///     println!("{} elements, {} refused", page.len(), page.rejected.len());
    /// }
    /// # Ok(()) }
    /// ```
    ///
    /// Pages are found by the server's `Link` headers, which are followed unchanged and only on the server's own origin. A list that is paged
    /// by offset is followed by counting its elements.
    pub fn pages<R>(&self, request: R) -> Pages<R>
    where
        R: Request + Encode,
        R::Answer: FromAnswer,
    {
        let exchange = self.exchange(R::OPERATION, R::Answer::accept(), &request);
        let (state, sent) = match exchange {
            Ok((exchange, sent)) => {
                let first = exchange.request;
                let state = WalkState::new(R::OPERATION, self.origin().clone(), first);
                (Ok(state), sent)
            }
            Err(error) => (Err(Some(error)), Sent::bare(R::OPERATION)),
        };
        Pages::new(self.clone(), state, sent)
    }

    /// The pages of a list, starting from a saved position.
    ///
    /// # Errors
    ///
    /// When the cursor belongs to another operation or another server.
    pub fn resume<R: Request>(&self, cursor: &PageCursor) -> Result<Pages<R>, Error> {
        let state = WalkState::resume(R::OPERATION, cursor, self.origin(), self.bearer());
        let state = state.map_err(|error| error.at(self.origin()))?;
        let sent = Sent::bare(R::OPERATION);
        Ok(Pages::new(self.clone(), Ok(state), sent))
    }

    /// Requests the page behind a link, such as `page.next` or `page.prev`.
    ///
    /// # Errors
    ///
    /// When the link leads to another server, and as for [`send`](Self::send).
    pub async fn follow<R>(&self, link: &Link) -> Result<Answer<R::Answer>, Error>
    where
        R: Request,
        R::Answer: FromAnswer,
    {
        let exchange = self.behind(R::OPERATION, link)?;
        let response = self.dispatch(R::OPERATION, exchange).await;
        self.read(Sent::bare(R::OPERATION), response)
    }
}

impl<R: Request> Pages<R> {
    fn new(client: Client, state: Result<WalkState, Option<Error>>, sent: Sent) -> Self {
        let knows_better = || client.has_param(R::OPERATION, "offset") == Verdict::No;
        let is_whole = R::OPERATION.paging == Paging::Offset && knows_better();
        Self {
            state: state.map(|state| if is_whole { state.without_offsets() } else { state }),
            client,
            sent,
            in_flight: None,
            request: PhantomData,
        }
    }

    /// Walks backward, usually to newer elements, starting with the page that was asked for.
    pub fn backward(mut self) -> Self {
        self.turn(Direction::Backward);
        self
    }

    /// Changes the direction. The next page is the one beyond the outermost page read on that side.
    pub fn turn(&mut self, direction: Direction) {
        if let Ok(state) = &mut self.state {
            self.in_flight = None;
            state.turn(direction);
        }
    }

    /// Continues after an error, with the page that failed.
    pub fn retry(&mut self) {
        if let Ok(state) = &mut self.state {
            state.retry();
        }
    }

    /// The position of the next page, or of the one that failed. It is `None` at the end of the list; at the newest page it is kept, because
    /// newer elements may follow later.
    pub fn cursor(&self) -> Option<PageCursor> {
        let state = self.state.as_ref().ok()?;
        state.cursor(state.direction())
    }

    /// The position from which the stream would continue in a direction.
    pub fn cursor_to(&self, direction: Direction) -> Option<PageCursor> {
        self.state.as_ref().ok()?.cursor(direction)
    }
}

impl<R> Pages<R>
where
    R: Request,
    R::Answer: FromAnswer,
{
    /// The next page; `None` at the end.
    #[allow(clippy::should_implement_trait, reason = "it is the stream's next")]
    pub async fn next(&mut self) -> Option<Result<Answer<R::Answer>, Error>> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// The elements of all pages, one after another.
    pub fn elements(self) -> Elements<R>
    where
        R::Answer: IntoIterator,
    {
        Elements { here: self.cursor(), pages: self, page: None, rejected: Vec::new() }
    }
}

impl<R> Stream for Pages<R>
where
    R: Request,
    R::Answer: FromAnswer,
{
    type Item = Result<Answer<R::Answer>, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let response = match ready!(this.poll_response(context)) {
            Some(Ok(response)) => response,
            Some(Err(error)) => return Poll::Ready(Some(Err(error))),
            None => return Poll::Ready(None),
        };
        let read = this.client.read::<R::Answer>(this.sent.clone(), response);
        if let Ok(state) = &mut this.state {
            match &read {
                Ok(answer) => state.record(&answer.headers, answer.body()),
                Err(_) => state.stop(),
            }
        }
        Poll::Ready(Some(read))
    }
}

type Response = Result<http::Response<Bytes>, TransportError>;

impl<R> Pages<R> {
    /// Polls the response to the next request, or returns the error of one that cannot be built.
    fn poll_response(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Response, Error>>> {
        let state = match &mut self.state {
            Ok(state) => state,
            Err(error) => return Poll::Ready(error.take().map(Err)),
        };
        let operation = state.operation();
        if self.in_flight.is_none() {
            match state.next() {
                None => return Poll::Ready(None),
                Some(Err(error)) => {
                    return Poll::Ready(Some(Err(error.at(self.client.origin()))));
                }
                Some(Ok(request)) => match self.client.named(operation, request) {
                    Ok(exchange) => {
                        self.in_flight = Some(self.client.dispatch(operation, exchange));
                    }
                    Err(error) => return Poll::Ready(Some(Err(error))),
                },
            }
        }
        let Some(in_flight) = &mut self.in_flight else {
            return Poll::Ready(None);
        };
        let response = ready!(in_flight.as_mut().poll(context));
        self.in_flight = None;
        Poll::Ready(Some(Ok(response)))
    }
}

shown!(Pages<R>, own => client, state);

/// The elements of a paged list, as a [`Stream`]; [`next`](Self::next) serves callers without stream combinators.
#[must_use = "a stream does nothing unless it is polled"]
pub struct Elements<R: Request>
where
    R::Answer: IntoIterator,
{
    pages: Pages<R>,
    page: Option<<R::Answer as IntoIterator>::IntoIter>,
    rejected: Vec<Rejected>,
    here: Option<PageCursor>,
}

/// No field is pinned structurally.
impl<R: Request> Unpin for Elements<R> where R::Answer: IntoIterator {}

impl<R> Elements<R>
where
    R: Request,
    R::Answer: FromAnswer + IntoIterator,
{
    /// The next element; `None` at the end.
    #[allow(clippy::should_implement_trait, reason = "it is the stream's next")]
    pub async fn next(&mut self) -> Option<Result<<R::Answer as IntoIterator>::Item, Error>> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// The elements of the current page that could not be decoded.
    pub fn rejected(&self) -> &[Rejected] {
        &self.rejected
    }

    /// The position of the current page. Resuming from it repeats that page from its first element.
    pub fn cursor(&self) -> Option<&PageCursor> {
        self.here.as_ref()
    }

    /// Continues after an error, with the page that failed.
    pub fn retry(&mut self) {
        self.pages.retry();
    }
}

impl<R> Stream for Elements<R>
where
    R: Request,
    R::Answer: FromAnswer + IntoIterator,
{
    type Item = Result<<R::Answer as IntoIterator>::Item, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            if let Some(item) = this.page.as_mut().and_then(Iterator::next) {
                return Poll::Ready(Some(Ok(item)));
            }
            let here = this.pages.cursor();
            match ready!(Pin::new(&mut this.pages).poll_next(context)) {
                None => return Poll::Ready(None),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                Some(Ok(page)) => {
                    this.here = here;
                    this.rejected.clone_from(&page.rejected);
                    this.page = Some(page.into_value().into_iter());
                }
            }
        }
    }
}

impl<R: Request> fmt::Debug for Elements<R>
where
    R::Answer: IntoIterator,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elements").field("pages", &self.pages).finish_non_exhaustive()
    }
}
