//! Answers that are shared with others, or encoded before.

use std::marker::PhantomData;
use std::sync::Arc;

use axum::body::Bytes;

use self::sealed::{Element, Links, Misfit, Sealed};
use super::error::JSON;
use super::reply::{Ready, TEXT};
use super::{Call, Error, Result, Target};
use crate::ser::{Output, ToJson};
use crate::{Either, Link, List, Page};

/// A value that a handler may return in place of an owned `A`: `&Status`, `Arc<Status>` or [`Encoded<Status>`] for a `Status`, and
/// slices, vectors, [`List`]s and [`Page`]s of these for a list. See [`Call::answer`].
///
/// It is implemented for these types, and for no others.
pub trait AnswerFor<A>: Sealed<A> {}

impl<A, S: Sealed<A>> AnswerFor<A> for S {}

pub(super) mod sealed {
    use super::{Body, Link, Target};

    /// Two links, to the next and the previous page.
    pub(crate) type Links = (Option<Link>, Option<Link>);

    pub trait Sealed<A> {
        fn body(&self) -> Body<'_>;

        /// The release that it was encoded for, where that is another than the server's.
        fn misfit<'s>(&'s self, own: Option<&'s Target>) -> Option<Misfit<'s>>;

        fn links(&mut self) -> Links {
            (None, None)
        }
    }

    /// An element of a list, or an answer by itself.
    pub trait Element<A>: crate::ser::ToJson {
        fn misfit<'s>(&'s self, own: Option<&'s Target>) -> Option<Misfit<'s>> {
            let _ = own;
            None
        }

        /// The whole body, where it is ready.
        fn ready(&self) -> Option<axum::body::Bytes> {
            None
        }
    }

    /// The release that something was encoded for, and the server's.
    #[derive(Debug)]
    pub struct Misfit<'t>(pub Option<&'t Target>, pub Option<&'t Target>);
}

/// The body of an answer.
pub enum Body<'a> {
    Value(&'a dyn ToJson),
    List(Vec<&'a dyn ToJson>),
    Ready(Bytes),
}

/// A value that was encoded before, for the release that the server emulates: [`Call::encode`]. Clones share the bytes, so a server may keep
/// them and answer from there.
///
/// ```
/// # use fedispec_runtime as rt;
/// use std::sync::{Arc, OnceLock};
/// use rt::server::{Call, Encoded, Result};
///
/// # #[derive(rt::Entity)]
/// # #[since(mastodon = "0.1.0")]
/// # struct Account { acct: String }
/// struct Kept {
///     account: Arc<Account>,
///     encoded: OnceLock<Encoded<Account>>,
/// }
///
/// async fn verify_credentials(kept: &Kept, call: Call) -> Result<Account> {
///     let encoded = kept.encoded.get_or_init(|| call.encode(&*kept.account));
///     call.answer(encoded.clone())
/// }
/// # let _ = verify_credentials;
/// ```
pub struct Encoded<A> {
    json: Bytes,
    target: Option<Arc<Target>>,
    of: PhantomData<fn() -> A>,
}

impl<A> Encoded<A> {
    /// The JSON.
    pub fn as_bytes(&self) -> &[u8] {
        &self.json
    }
}

impl<A> Clone for Encoded<A> {
    fn clone(&self) -> Self {
        Self { json: self.json.clone(), target: self.target.clone(), of: PhantomData }
    }
}

// Hides the content.
shown!(Encoded<A>, own => bytes = own.json.len(), target);

impl<A> ToJson for Encoded<A> {
    fn write(&self, to: &mut Output) {
        to.push(&self.json);
    }
}

impl<A: ToJson> Element<A> for A {}

impl<A: ToJson> Element<A> for &A {}

impl<T: ToJson> Element<T> for Arc<T> {}

impl<T: ToJson> Element<T> for &Arc<T> {}

/// One of two; what has one type alone may be encoded.
impl<A: ToJson, B: ToJson> Element<Either<A, B>> for Either<Arc<A>, Arc<B>> {}

impl<A> Element<A> for Encoded<A> {
    fn misfit<'s>(&'s self, own: Option<&'s Target>) -> Option<Misfit<'s>> {
        let target = self.target.as_deref();
        (target != own).then_some(Misfit(target, own))
    }

    fn ready(&self) -> Option<Bytes> {
        Some(self.json.clone())
    }
}

impl<A: ToJson, E: Element<A>> Sealed<A> for E {
    fn body(&self) -> Body<'_> {
        self.ready().map_or(Body::Value(self), Body::Ready)
    }

    fn misfit<'s>(&'s self, own: Option<&'s Target>) -> Option<Misfit<'s>> {
        Element::misfit(self, own)
    }
}

fn all<A, E: Element<A>>(items: &[E]) -> Body<'_> {
    Body::List(items.iter().map(|item| item as &dyn ToJson).collect())
}

fn misfit_of<'s, A, E: Element<A>>(items: &'s [E], own: Option<&'s Target>) -> Option<Misfit<'s>> {
    items.iter().find_map(|item| item.misfit(own))
}

macro_rules! lists {
    ($([$($generic:tt)*] $own:ty => $asked:ident, |$this:ident| $links:expr;)*) => {$(
        impl<$($generic)* A: ToJson, E: Element<A>> Sealed<$asked<A>> for $own {
            fn body(&self) -> Body<'_> {
                all::<A, E>(self)
            }

            fn misfit<'s>(&'s self, own: Option<&'s Target>) -> Option<Misfit<'s>> {
                misfit_of::<A, E>(self, own)
            }

            fn links(&mut self) -> Links {
                let $this = self;
                $links
            }
        }
    )*};
}

lists! {
    ['a,] &'a [E] => List, |_this| (None, None);
    [] Vec<E> => List, |_this| (None, None);
    [] List<E> => List, |_this| (None, None);
    ['a,] &'a [E] => Page, |_this| (None, None);
    [] Vec<E> => Page, |_this| (None, None);
    [] Page<E> => Page, |page| (page.next.take(), page.prev.take());
}

impl Call {
    /// Answers with what others hold too, or with what was encoded before, in place of an owned value. It leaves the handler as an `Err`
    /// does, which the server takes for the answer:
    ///
    /// ```
    /// # use fedispec_runtime as rt;
    /// use std::sync::Arc;
    /// use rt::Page;
    /// use rt::server::{Call, Result};
    ///
    /// # #[derive(rt::Entity)]
    /// # #[since(mastodon = "0.1.0")]
    /// # struct Status { id: String }
    /// async fn get(status: Arc<Status>, call: Call) -> Result<Status> {
    ///     call.answer(status)
    /// }
    ///
    /// async fn home(newest: Vec<Arc<Status>>, call: Call) -> Result<Page<Status>> {
    ///     let last = newest.last().map(|status| status.id.clone());
    ///     let page = Page::new(newest);
    ///     call.answer(match last {
    ///         Some(last) => page.with_next([("max_id", last)]),
    ///         None => page,
    ///     })
    /// }
    /// # let _ = (get, home);
    /// ```
    ///
    /// # Errors
    ///
    /// Always: the answer, or a 500 where something was encoded for another release than the server emulates.
    pub fn answer<A>(&self, answer: impl AnswerFor<A>) -> Result<A> {
        let mut answer = answer;
        if let Some(Misfit(other, own)) = answer.misfit(self.target.as_deref()) {
            let name = |target: Option<&Target>| {
                target.map_or_else(|| "no release".to_owned(), ToString::to_string)
            };
            let (other, own) = (name(other), name(own));
            let told = format!("the answer was encoded for {other}, and the server emulates {own}");
            return Err(Error::internal().with_source(told));
        }
        let (next, prev) = answer.links();
        let body = match answer.body() {
            Body::Value(value) => match value.as_body() {
                Some(text) => (TEXT, text.to_owned().into()),
                None => (JSON, self.writing.value(value).ok_or_else(Error::not_found)?),
            },
            Body::List(values) => (JSON, self.writing.list(&values)),
            Body::Ready(json) => (JSON, json),
        };
        let (content_type, body) = body;
        Err(Error::ready(Ready { content_type, body, next, prev }))
    }

    /// Encodes a value for the release that the server emulates, to be answered later, as often as wanted: see [`Encoded`]. It has the keys that
    /// only users are sent, also where the present caller is none.
    pub fn encode<A: ToJson>(&self, value: &A) -> Encoded<A> {
        Encoded {
            json: self.writing.to(true).value(value).unwrap_or_default(),
            target: self.target.clone(),
            of: PhantomData,
        }
    }
}
