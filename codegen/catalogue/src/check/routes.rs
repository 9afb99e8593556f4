//! Routes: each leads to one operation, and its placeholders agree with the parameters.

use std::collections::{HashMap, HashSet};

use crate::merge::Merged;
use crate::problems::{NodePath, Problems};
use fedispec_model::api::{Api, Location, Operation, Param, Route};

pub(super) fn check<'a>(api: &Api, merged: &Merged<'a>, problems: &mut Problems<'a>) {
    let mut routes: HashMap<(&str, String), (&str, Option<NodePath<'a>>)> = HashMap::new();
    for operation in &api.operations {
        let Some(route) = &operation.route else {
            continue;
        };
        let place = merged.place_of(&operation.item.id, &["path"], problems);
        let key = (route.method.as_str(), shape(&route.path));
        if let Some((other, before)) = routes.insert(key, (&operation.item.id, place.clone()))
            && let Some(place) = &place
        {
            let message = format!(
                "`{}` has the route of `{other}`, {} {}",
                operation.item.id, route.method, route.path
            );
            let mut problem = problems.value("duplicate-route", place, message);
            if let Some(before) = before {
                problem =
                    problem.related(before.file, problems.value_span(&before), "the other one");
            }
            problems.push(problem.help("a method on a path is one operation; mend one of the two"));
        }
        if let Some(place) = place {
            placeholders(operation, route, &place, merged, problems);
        }
    }
}

/// A path in which all placeholders read alike.
fn shape(path: &str) -> String {
    let segments: Vec<_> =
        path.split('/').map(|one| if one.starts_with(':') { ":" } else { one }).collect();
    segments.join("/")
}

fn placeholders<'a>(
    operation: &Operation,
    route: &Route,
    place: &NodePath<'a>,
    merged: &Merged<'a>,
    problems: &mut Problems<'a>,
) {
    let params: HashMap<&str, &Param> =
        operation.params.iter().map(|param| (param.item.wire.as_str(), param)).collect();
    let mut seen = HashSet::new();
    for name in route.path.split('/').filter_map(|one| one.strip_prefix(':')) {
        if !seen.insert(name) {
            let problem = problems.value(
                "path-parameter",
                place,
                format!("`:{name}` stands in the path twice"),
            );
            problems.push(problem.help("name the second one otherwise"));
            continue;
        }
        let Some(param) = params.get(name) else {
            let message = format!("no parameter of `{}` fills `:{name}`", operation.item.id);
            let problem = problems.value("path-parameter", place, message);
            problems.push(
                problem.help(format!(
                    "add `{name}: {{in: path, required: true, ..}}` to its `params`"
                )),
            );
            continue;
        };
        if param.location != Location::Path {
            let message =
                format!("`{}` fills `:{name}` of the path, but stands elsewhere", param.item.id);
            let help = "write `in: path`, or name one of the two otherwise";
            disagree(param, message, help, place, merged, problems);
        }
    }
    for param in &operation.params {
        if param.location == Location::Path && !seen.contains(param.item.wire.as_str()) {
            let message = format!(
                "`{}` stands in the path, which has no `:{}`",
                param.item.id, param.item.wire
            );
            let help = "mend the path or the parameter's place";
            disagree(param, message, help, place, merged, problems);
        }
    }
}

/// A parameter and the path say different things.
fn disagree<'a>(
    param: &Param,
    message: String,
    help: &str,
    path: &NodePath<'a>,
    merged: &Merged<'a>,
    problems: &mut Problems<'a>,
) {
    let at = merged.place_of(&param.item.id, &["in"], problems).unwrap_or_else(|| path.clone());
    let problem = problems.value("path-parameter", &at, message);
    let problem = problem.related(path.file, problems.value_span(path), "the path");
    problems.push(problem.help(help));
}
