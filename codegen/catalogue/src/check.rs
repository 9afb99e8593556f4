//! Checks of the resolved API: names beside each other, routes, references, alternatives, conditions, stand-ins and changes.

use crate::merge::Merged;
use crate::problems::Problems;
use fedispec_model::api::Api;

mod alternatives;
mod changes;
mod conditions;
mod left_out;
mod names;
mod references;
mod routes;
mod stand_ins;

/// Reports every problem of an API that was resolved as far as possible.
pub(crate) fn check<'a>(api: &Api, merged: &Merged<'a>, problems: &mut Problems<'a>) {
    names::check(api, merged, problems);
    routes::check(api, merged, problems);
    alternatives::check(api, merged, problems);
    references::check(api, merged, problems);
    conditions::check(api, merged, problems);
    left_out::check(api, merged, problems);
    stand_ins::check(api, merged, problems);
    changes::check(api, merged, problems);
}
