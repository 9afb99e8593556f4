//! Groups of operations: the modules and server traits of generated Rust.

use std::collections::BTreeMap;

use super::super::change::{Cause, Change};
use super::super::context::Context;
use super::super::rules::RuleId;
use fedispec_model::api::{Api, Group};

pub(super) fn groups(context: &Context<'_>) -> Vec<Change> {
    let by_id = |api: &'_ Api| {
        api.groups.iter().map(|group| (group.id.clone(), group.clone())).collect::<BTreeMap<_, _>>()
    };
    let (old, new) = (by_id(context.old.api), by_id(context.new.api));
    let mut out = Vec::new();
    for (id, group) in &new {
        match old.get(id) {
            Some(before) => out.extend(compare(context, before, group)),
            // The operations of a new group are reported.
            None if has_operations(context.new.api, id) => {}
            None => {
                let (rule, cause) = (RuleId::DocsOnlyChanged, Cause::Editorial);
                out.push(Change {
                    new: Some(id.clone()),
                    ..context.other(rule, cause, "a new group".into(), ("group", id))
                });
            }
        }
    }
    for id in old.keys().filter(|id| !new.contains_key(*id) && !has_operations(context.old.api, id))
    {
        let message = "the module and its server trait are gone".into();
        let (rule, cause) = (RuleId::ItemDeleted, Cause::Correction);
        out.push(Change {
            old: Some(id.clone()),
            ..context.other(rule, cause, message, ("group", id))
        });
    }
    out
}

fn has_operations(api: &Api, group: &str) -> bool {
    api.operations.iter().any(|operation| operation.group == group)
}

fn compare(context: &Context<'_>, old: &Group, new: &Group) -> Vec<Change> {
    let say = |rule, cause, was: &str, is: &str, message: String| {
        context.other(rule, cause, message, ("group", &new.id)).between(was, is)
    };
    let mut out = Vec::new();
    if old.rust != new.rust {
        let message = format!("its server trait is {}, was {}", new.rust, old.rust);
        let rule = RuleId::RustNameChanged;
        out.push(say(rule, Cause::Correction, &old.rust, &new.rust, message));
    }
    if old.summary != new.summary {
        let rule = RuleId::DocsOnlyChanged;
        let (was, is) = (&old.summary, &new.summary);
        out.push(say(rule, Cause::Editorial, was, is, "summary differs".into()));
    }
    out
}
