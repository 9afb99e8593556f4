//! Decoding of answers by operation, for tools.

use http::HeaderMap;

use super::FromAnswer;
use crate::{Operation, Rejected, Request, de};

/// Decodes the answers of one operation, for tools that check recorded answers against the types.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    operation: &'static Operation,
    read: fn(&HeaderMap, &[u8]) -> Result<Vec<Rejected>, de::Error>,
}

impl Reader {
    /// The reader for the answers to a request type.
    pub const fn of<R>() -> Self
    where
        R: Request,
        R::Answer: FromAnswer,
    {
        Self { operation: R::OPERATION, read: read::<R::Answer> }
    }

    /// The operation.
    pub const fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// Decodes an answer, drops the value and returns the rejected list elements.
    ///
    /// # Errors
    ///
    /// When the body cannot be decoded.
    pub fn read(&self, headers: &HeaderMap, body: &[u8]) -> Result<Vec<Rejected>, de::Error> {
        (self.read)(headers, body)
    }
}

fn read<A: FromAnswer>(headers: &HeaderMap, body: &[u8]) -> Result<Vec<Rejected>, de::Error> {
    A::from_answer(headers, body).map(|decoded| decoded.rejected)
}
