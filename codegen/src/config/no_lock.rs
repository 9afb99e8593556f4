//! The lock file without the comparison that it needs.

use std::path::Path;

use fedispec_model::api::Api;

use super::messages::Messages;
use super::{Config, Error};
use crate::emit::Options;

pub(super) const VARIABLE: &str = "FEDISPEC_LOCK";

pub(super) enum Facts {}

pub(super) fn watch(_: Option<&Path>, _: &mut Messages) {}

pub(super) fn facts(_: &Config, _: &Api, _: &Options) -> Result<Facts, Error> {
    Err(Error::needs(".lock(..)", "lock", "compares the facts"))
}

pub(super) fn hold(_: &Path, facts: &Facts, _: &str, _: &mut Messages) -> Result<(), Error> {
    match *facts {}
}
