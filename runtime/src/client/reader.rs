//! Reading the answer of an operation that is known by name only.

use http::HeaderMap;

use super::FromAnswer;
use crate::{Operation, Rejected, Request, de};

/// What reads the answer of an operation: for tools that hold recorded answers against the types.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    operation: &'static Operation,
    read: fn(&HeaderMap, &[u8]) -> Result<Vec<Rejected>, de::Error>,
}

impl Reader {
    /// The reader of a request's answer.
    pub const fn of<R>() -> Self
    where
        R: Request,
        R::Answer: FromAnswer,
    {
        Self {
            operation: R::OPERATION,
            read: read::<R::Answer>,
        }
    }

    /// The operation.
    pub const fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// Reads an answer and drops it; what lists refused is told.
    ///
    /// # Errors
    ///
    /// When the body does not fit.
    pub fn read(&self, headers: &HeaderMap, body: &[u8]) -> Result<Vec<Rejected>, de::Error> {
        (self.read)(headers, body)
    }
}

fn read<A: FromAnswer>(headers: &HeaderMap, body: &[u8]) -> Result<Vec<Rejected>, de::Error> {
    A::from_answer(headers, body).map(|decoded| decoded.rejected)
}
