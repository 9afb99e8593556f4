//! Groups: modules and server traits.

use std::collections::BTreeMap;

use super::super::change::{Cause, Change};
use super::super::context::Context;
use super::super::rules::RuleId;
use super::said;
use fedispec_model::api::{Api, Group};

pub(super) fn groups(context: &Context<'_>, out: &mut Vec<Change>) {
    let by_id = |api: &'_ Api| {
        api.groups
            .iter()
            .map(|group| (group.id.clone(), group.clone()))
            .collect::<BTreeMap<_, _>>()
    };
    let (old, new) = (by_id(context.old.api), by_id(context.new.api));
    for (id, group) in &new {
        match old.get(id) {
            Some(before) => compare(before, group, out),
            // Its operations are told.
            None if has_operations(context.new.api, id) => {}
            None => out.push(said(
                RuleId::DocsOnlyChanged,
                "group",
                id,
                None,
                Some(id.clone()),
                "a new group".into(),
            )),
        }
    }
    for id in old
        .keys()
        .filter(|id| !new.contains_key(*id) && !has_operations(context.old.api, id))
    {
        let message = "the module and its server trait are gone".into();
        let mut change = said(
            RuleId::ItemDeleted,
            "group",
            id,
            Some(id.clone()),
            None,
            message,
        );
        change.cause = Cause::Correction;
        out.push(change);
    }
}

fn has_operations(api: &Api, group: &str) -> bool {
    api.operations
        .iter()
        .any(|operation| operation.group == group)
}

fn compare(old: &Group, new: &Group, out: &mut Vec<Change>) {
    let mut say = |rule, was: &str, is: &str, message: String, cause| {
        let mut change = said(
            rule,
            "group",
            &new.id,
            Some(was.to_owned()),
            Some(is.to_owned()),
            message,
        );
        change.cause = cause;
        out.push(change);
    };
    if old.rust != new.rust {
        let message = format!("its server trait is {}, was {}", new.rust, old.rust);
        say(
            RuleId::RustNameChanged,
            &old.rust,
            &new.rust,
            message,
            Cause::Correction,
        );
    }
    if old.summary != new.summary {
        say(
            RuleId::DocsOnlyChanged,
            &old.summary,
            &new.summary,
            "summary differs".into(),
            Cause::Editorial,
        );
    }
}
