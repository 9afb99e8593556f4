//! The pages of a list, as a stream.

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;

use super::walk::Steps;
use super::{
    Answer, BoxFuture, Client, Direction, Encode, Error, FromAnswer, PageCursor, TransportError,
};
use crate::known::{Plan, Verdict};
use crate::{Link, Paging, Rejected, Request};

type Flight = BoxFuture<'static, Result<http::Response<Bytes>, TransportError>>;

/// The pages of a list: a [`Stream`], and without one a [`next`](Self::next) to await. Nothing is sent before it is polled.
///
/// It ends with the list: with a page that has no elements, or none that leads on. An error ends it as well; [`retry`](Self::retry) goes on
/// from there, and [`cursor`](Self::cursor) is the place for later.
#[must_use = "a stream does nothing unless it is polled"]
pub struct Pages<R> {
    client: Client,
    /// `Err` where the request cannot be sent: told once.
    steps: Result<Steps, Option<Error>>,
    plan: Option<Plan>,
    flight: Option<Flight>,
    request: PhantomData<fn() -> R>,
}

impl Client {
    /// The pages of a list, from the one that a request asks for.
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
    /// It follows what the server says leads on, as it says it, and nowhere but to the server's own origin. Where a list is cut by offsets it
    /// counts.
    pub fn pages<R>(&self, request: R) -> Pages<R>
    where
        R: Request + Encode,
        R::Answer: FromAnswer,
    {
        let exchange = self.exchange(R::OPERATION, R::Answer::accept(), &request);
        let (steps, plan) = match exchange {
            Ok((exchange, plan)) => {
                let first = exchange.request;
                let steps = Steps::new(R::OPERATION, self.origin().clone(), first);
                (Ok(steps), plan)
            }
            Err(error) => (Err(Some(error)), None),
        };
        Pages::new(self.clone(), steps, plan)
    }

    /// The pages of a list, from a place that was kept.
    ///
    /// # Errors
    ///
    /// When it is a place in the list of another operation or of another server.
    pub fn resume<R: Request>(&self, cursor: &PageCursor) -> Result<Pages<R>, Error> {
        let steps = Steps::resume(R::OPERATION, cursor, self.origin(), self.bearer());
        let steps = steps.map_err(|error| error.at(self.origin()))?;
        Ok(Pages::new(self.clone(), Ok(steps), None))
    }

    /// The page behind a link of another: `page.next`, `page.prev`.
    ///
    /// # Errors
    ///
    /// When the link leads to another server, and as [`send`](Self::send).
    pub async fn follow<R>(&self, link: &Link) -> Result<Answer<R::Answer>, Error>
    where
        R: Request,
        R::Answer: FromAnswer,
    {
        let exchange = self.behind(R::OPERATION, link)?;
        let response = self.dispatch(exchange).await;
        self.read(R::OPERATION, None, response)
    }
}

impl<R: Request> Pages<R> {
    fn new(client: Client, steps: Result<Steps, Option<Error>>, plan: Option<Plan>) -> Self {
        let knows_better = || client.offset(R::OPERATION) == Verdict::No;
        let is_whole = R::OPERATION.paging == Paging::Offset && knows_better();
        Self {
            steps: steps.map(|steps| {
                if is_whole {
                    steps.without_offsets()
                } else {
                    steps
                }
            }),
            client,
            plan,
            flight: None,
            request: PhantomData,
        }
    }

    /// Walks to the pages before, to newer elements mostly, beginning with the page that was asked for.
    pub fn backward(mut self) -> Self {
        self.turn(Direction::Backward);
        self
    }

    /// Turns: the next page is the one beyond the outermost that was read on that side.
    pub fn turn(&mut self, direction: Direction) {
        if let Ok(steps) = &mut self.steps {
            self.flight = None;
            steps.turn(direction);
        }
    }

    /// Goes on after an error, with the page that failed.
    pub fn retry(&mut self) {
        if let Ok(steps) = &mut self.steps {
            steps.retry();
        }
    }

    /// The place where it goes on: the next page, or the one that failed. `None` at the end of the list; at its beginning the place is kept,
    /// for there may be newer elements later.
    pub fn cursor(&self) -> Option<PageCursor> {
        let steps = self.steps.as_ref().ok()?;
        steps.cursor(steps.direction())
    }

    /// The place where it would go on in a direction.
    pub fn cursor_to(&self, direction: Direction) -> Option<PageCursor> {
        self.steps.as_ref().ok()?.cursor(direction)
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

    /// The elements of the pages, one after another.
    pub fn items(self) -> Items<R>
    where
        R::Answer: IntoIterator,
    {
        Items {
            here: self.cursor(),
            pages: self,
            page: None,
            rejected: Vec::new(),
        }
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
        let read = this
            .client
            .read::<R::Answer>(R::OPERATION, this.plan.clone(), response);
        if let Ok(steps) = &mut this.steps {
            match &read {
                Ok(answer) => steps.arrived(&answer.headers, answer.body()),
                Err(_) => steps.stop(),
            }
        }
        Poll::Ready(Some(read))
    }
}

type Arrived = Result<http::Response<Bytes>, TransportError>;

impl<R> Pages<R> {
    /// What the next request is answered; an error where there is a request that cannot be sent.
    fn poll_response(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Arrived, Error>>> {
        let steps = match &mut self.steps {
            Ok(steps) => steps,
            Err(error) => return Poll::Ready(error.take().map(Err)),
        };
        let operation = steps.operation();
        if self.flight.is_none() {
            match steps.next() {
                None => return Poll::Ready(None),
                Some(Err(error)) => {
                    return Poll::Ready(Some(Err(error.at(self.client.origin()))));
                }
                Some(Ok(request)) => match self.client.named(operation, request) {
                    Ok(exchange) => self.flight = Some(self.client.dispatch(exchange)),
                    Err(error) => return Poll::Ready(Some(Err(error))),
                },
            }
        }
        let Some(flight) = &mut self.flight else {
            return Poll::Ready(None);
        };
        let arrived = ready!(flight.as_mut().poll(context));
        self.flight = None;
        Poll::Ready(Some(Ok(arrived)))
    }
}

impl<R> fmt::Debug for Pages<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages")
            .field("client", &self.client)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}

/// The elements of a list's pages, one after another: a [`Stream`], and without one a [`next`](Self::next) to await.
#[must_use = "a stream does nothing unless it is polled"]
pub struct Items<R: Request>
where
    R::Answer: IntoIterator,
{
    pages: Pages<R>,
    page: Option<<R::Answer as IntoIterator>::IntoIter>,
    rejected: Vec<Rejected>,
    here: Option<PageCursor>,
}

/// Nothing in it is pinned.
impl<R: Request> Unpin for Items<R> where R::Answer: IntoIterator {}

impl<R> Items<R>
where
    R: Request,
    R::Answer: FromAnswer + IntoIterator,
{
    /// The next element; `None` at the end.
    #[allow(clippy::should_implement_trait, reason = "it is the stream's next")]
    pub async fn next(&mut self) -> Option<Result<<R::Answer as IntoIterator>::Item, Error>> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// What was refused of the page whose elements come.
    pub fn rejected(&self) -> &[Rejected] {
        &self.rejected
    }

    /// The place of the page whose elements come: who goes on from there gets that page again from its beginning.
    pub fn cursor(&self) -> Option<&PageCursor> {
        self.here.as_ref()
    }

    /// Goes on after an error, with the page that failed.
    pub fn retry(&mut self) {
        self.pages.retry();
    }
}

impl<R> Stream for Items<R>
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

impl<R: Request> fmt::Debug for Items<R>
where
    R::Answer: IntoIterator,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items")
            .field("pages", &self.pages)
            .finish_non_exhaustive()
    }
}
