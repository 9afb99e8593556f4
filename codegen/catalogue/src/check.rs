//! Checks of the resolved API: what no single item can show to be wrong.

use crate::merge::Merged;
use crate::problems::Problems;
use fedispec_model::api::Api;

mod absent_means;
mod alternatives;
mod changes;
mod conditions;
mod left_out;
mod names;
mod params;
mod presence;
mod references;
mod registry;
mod routes;
mod stand_ins;
mod values;
mod vocabulary;

pub(crate) use registry::check as registry;

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
    vocabulary::check(api, merged, problems);
    params::check(api, merged, problems);
    presence::check(api, merged, problems);
    absent_means::check(api, merged, problems);
}
