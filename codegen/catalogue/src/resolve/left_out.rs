//! What programs do without a parameter, with one that they refuse, and with values of it, resolved for the API.

use super::Resolver;
use crate::merge::MergedItem;
use crate::model::Param;
use fedispec_since::{FixedError, Refused, Several, UnlistedValues};

impl<'a> Resolver<'a, '_, '_> {
    /// The releases that refuse a parameter, by program.
    pub(super) fn refused(&mut self, node: &MergedItem<'a, Param>) -> Vec<Option<Refused>> {
        self.by_program(
            node,
            "refused",
            |body| &body.refused,
            |said| vec![(Some("since"), Some(said.since)), (Some("until"), said.until)],
        )
    }

    /// The answers of programs to a request without a parameter.
    pub(super) fn missing(&mut self, node: &MergedItem<'a, Param>) -> Vec<Option<FixedError>> {
        self.by_program(
            node,
            "missing",
            |body| &body.missing,
            |said| vec![(Some("since"), said.since)],
        )
    }

    /// The ways of programs with unlisted values.
    pub(super) fn unlisted_values(
        &mut self,
        node: &MergedItem<'a, Param>,
    ) -> Vec<Option<UnlistedValues>> {
        self.by_program(node, "unlisted_values", |body| &body.unlisted_values, |_| Vec::new())
    }

    /// The ways in which programs take several values.
    pub(super) fn several(&mut self, node: &MergedItem<'a, Param>) -> Vec<Option<Several>> {
        self.by_program(
            node,
            "several",
            |body| &body.several,
            |said| vec![(Some("lines"), said.lines), (Some("list"), said.list)],
        )
    }
}
