//! Policies: what a client does with what its server lacks.

use std::borrow::Cow;

use super::Support;

/// How a client treats a request that its server supports only in part.
///
/// Under any policy, a call is refused whose meaning would change because the server lacks a parameter: a status that was to be
/// scheduled is not posted at once. A release newer than all that were looked at is taken to lack what the newest of these lacks. A program
/// that nobody has looked at is taken to have and to lack what the release of Mastodon has that it claims to be like; without a claim it is
/// taken to lack what no tracked program has, or has had for two years. Such a loss is allowed by name only, with `Client::allowing`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Policy {
    /// Sends it, and names the verdict in the error if it fails.
    #[default]
    Advise,
    /// Refuses it before it is sent, also where nobody knows whether its meaning would change, and where a value is not known to be taken.
    Strict,
    /// Leaves out optional parameters that the server lacks where that is harmless, or calls what stands in for the operation, and says
    /// so. A value that the server lacks, or that the catalogue does not list, is refused.
    Adapt,
}

/// A parameter that is set.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Setting<'a> {
    /// Its place in [`Operation::params`](crate::Operation::params).
    pub place: usize,
    /// Whether the operation cannot be called without it.
    pub required: bool,
    /// Whether the call may lose it, although that changes what it means.
    pub allowed: bool,
    /// Its value, where that is a scalar.
    pub value: Option<Cow<'a, str>>,
    /// The operators that were written into its text ([`Words`](crate::Words)).
    pub operators: Vec<Cow<'a, str>>,
}

impl<'a> Setting<'a> {
    /// One that may be left out.
    pub const fn optional(place: usize) -> Self {
        Self { place, required: false, allowed: false, value: None, operators: Vec::new() }
    }

    /// One that may not.
    pub const fn required(place: usize) -> Self {
        Self { place, required: true, allowed: false, value: None, operators: Vec::new() }
    }

    setters! {
        /// Sets the value, as it goes over the wire.
        value(value: impl Into<Cow<'a, str>>) => value = Some(value.into());

        /// Sets the operators that were written into its text.
        operators(operators: impl IntoIterator<Item = &'a str>) => operators = operators.into_iter().map(Cow::Borrowed).collect();
    }

    /// Allows that the call loses it.
    #[must_use]
    pub fn allowed(mut self) -> Self {
        self.allowed = true;
        self
    }
}

/// Whether a server supports an operation or a parameter of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The id: `accounts.lookup.acct`.
    pub item: &'static str,
    /// The parameter's name on the wire; empty for the operation.
    pub name: &'static str,
    /// The parameter's place; `None` for the operation.
    pub place: Option<usize>,
    /// Whether the server has it.
    pub support: Support,
}
