//! Errors of what a test asks of a stand-in.

/// Why a stand-in did not do what a test wanted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ControlError {
    /// The system has no random numbers for tokens.
    #[error("cannot make a token: {0}")]
    Random(String),
    /// Something in what was asked for is wrong, as the text says.
    #[error("{0}")]
    Invalid(String),
}

impl ControlError {
    pub(crate) fn invalid(told: impl Into<String>) -> Self {
        Self::Invalid(told.into())
    }
}

impl From<fedispec::server::Error> for ControlError {
    fn from(error: fedispec::server::Error) -> Self {
        Self::Random(error.to_string())
    }
}

/// Ends a function with an error where something holds.
macro_rules! refuse_if {
    ($holds:expr, $error:expr) => {
        if $holds {
            return Err($error);
        }
    };
}
