//! A state of the catalogue whose items are looked up once, for any number of comparisons between its releases.

use fedispec_model::api::Api;
use fedispec_model::features::Features;

use super::index::Index;

/// The items and the features of a state of the catalogue.
pub struct Compared<'a> {
    pub(super) index: Index<'a>,
    pub(super) features: Features<'a>,
}

impl<'a> Compared<'a> {
    /// Looks the items up.
    pub fn new(api: &'a Api) -> Self {
        Self { index: Index::new(api), features: Features::new(api) }
    }
}
