//! Errors of other libraries in handlers.

use super::{Error, Result};

/// Makes errors of other libraries a 500 of one's own: `database.fetch().await.or_internal()?`. The error is the
/// [`source`](std::error::Error::source) and, as a [`Cause`](super::Cause), an extension of the response, where a layer can log it. It is not
/// sent to the caller.
///
/// ```
/// use fedispec_runtime::server::{Error, OrInternal as _, Result};
///
/// fn count(text: &str) -> Result<u64> {
///     let count = text.parse().or_internal()?;
///     if count == 0 {
///         return Err(Error::not_found());
///     }
///     Ok(count)
/// }
///
/// assert_eq!(count("a").unwrap_err().status(), 500);
/// assert_eq!(count("0").unwrap_err().status(), 404);
/// ```
pub trait OrInternal<T> {
    /// Replaces the error by [`Error::internal`] with it as the source.
    ///
    /// # Errors
    ///
    /// Where there was an error.
    fn or_internal(self) -> Result<T>;
}

impl<T, E: Into<Box<dyn std::error::Error + Send + Sync>>> OrInternal<T>
    for std::result::Result<T, E>
{
    fn or_internal(self) -> Result<T> {
        self.map_err(|error| Error::internal().with_source(error))
    }
}
