//! Operations, their parameters, and what they ask of a caller.

use std::collections::{BTreeMap, BTreeSet};

use fedispec_model::api::{
    self, Location as OurLocation, Operation as Ours_, Param as OurParam, Since,
};
use fedispec_model::auth;

use super::{Compared, Finding, Side};
use crate::matching::Matching;
use crate::ours::shown;
use crate::row::{Change, Edit, Kind, Row, scalar, yaml};
use crate::surface::{Auth, Endpoint, Location, Operation, Param, path_key};

pub(super) fn rows(compared: &Compared<'_>, after: &Matching) -> Vec<Row> {
    let old = by_key(&compared.old);
    let new = by_key(&compared.new);
    let mut rows = Vec::new();
    let keys: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    for key in keys {
        let pair = Pair { before: old.get(key).copied(), after: new.get(key).copied() };
        match compared.ours.operation(key) {
            Some(known) => rows.extend(of_known(compared, known, &pair)),
            None if is_ours(compared, &key.1) && !is_twin(compared, key) => {
                rows.extend(unknown(compared, &pair, after));
            }
            None => {}
        }
    }
    let known = compared.ours.api.operations.iter();
    for known in known.filter(|known| known.route.is_some()) {
        let route = known.route.as_ref();
        let key =
            route.map(|route| (route.method.clone(), path_key(&route.path))).unwrap_or_default();
        if !old.contains_key(&key) && !new.contains_key(&key) {
            rows.extend(of_known(compared, known, &Pair { before: None, after: None }));
        }
    }
    rows
}

type Found<'a> = (&'a Endpoint, &'a Operation);

/// An operation in both releases.
struct Pair<'a> {
    before: Option<Found<'a>>,
    after: Option<Found<'a>>,
}

impl<'a> Pair<'a> {
    fn any(&self) -> Option<Found<'a>> {
        self.after.or(self.before)
    }

    /// A place of it with the revision.
    fn at(&self, compared: &Compared<'_>) -> String {
        match (self.after, self.before) {
            (Some((_, operation)), _) => compared.new.at(&operation.at),
            (None, Some((_, operation))) => compared.old.at(&operation.at),
            (None, None) => format!("the router@{}", compared.new.tag),
        }
    }

    fn is_whole(&self) -> bool {
        let found = [self.before, self.after].into_iter().flatten();
        let mut found = found.map(|(_, operation)| operation.unfollowed.is_empty());
        found.all(|whole| whole)
    }
}

fn by_key<'a>(side: &Side<'a>) -> BTreeMap<(String, String), Found<'a>> {
    let operations = side.surface.operations.iter();
    operations.map(|(endpoint, operation)| (endpoint.key(), (endpoint, operation))).collect()
}

/// Whether the catalogue speaks of paths like this one. What servers ask of each other and pages for people are none of it, nor are the
/// other spaces under `/api` that it has left out so far.
fn is_ours(compared: &Compared<'_>, path: &str) -> bool {
    match path.split('/').nth(1) {
        Some("api") => {
            let mut old = compared.old.surface.operations.keys();
            is_known_space(compared, path)
                || !old.any(|endpoint| space(&endpoint.path, 2) == space(path, 2))
        }
        Some("oauth") => {
            let mut known = compared.ours.api.operations.iter();
            known.any(|known| {
                { known.route.as_ref() }.is_some_and(|route| space(&route.path, 1) == ["oauth"])
            })
        }
        _ => false,
    }
}

/// The first parts of a path.
fn space(path: &str, parts: usize) -> Vec<&str> {
    path.split('/').skip(1).take(parts).collect()
}

/// Whether the catalogue has something beside a path: below `/api/v1`, for example.
fn is_known_space(compared: &Compared<'_>, path: &str) -> bool {
    let mut known = compared.ours.api.operations.iter();
    known.any(|known| {
        { known.route.as_ref() }.is_some_and(|route| space(&route.path, 2) == space(path, 2))
    })
}

/// Whether the same handler serves an operation that is told already: an update under the other of its two methods, what may be
/// asked for by another method too, and the trial of a version (`v1_alpha`) beside the version itself.
pub(super) fn is_twin(compared: &Compared<'_>, key: &(String, String)) -> bool {
    let (method, path) = key;
    let is_known = |method: &str, path: &str| {
        let key = (method.to_owned(), path.to_owned());
        compared.ours.operation(&key).is_some()
    };
    let other = match method.as_str() {
        "PUT" => "PATCH",
        "PATCH" => "PUT",
        _ => "",
    };
    if is_known(other, path) {
        return true;
    }
    let twins = |side: &Side<'_>| {
        let operations = side.surface.operations.iter();
        let operations: Vec<_> =
            operations.map(|(endpoint, operation)| (endpoint.key(), operation)).collect();
        let own = operations.iter().find(|(other, _)| other == key)?;
        let own = own.1;
        let is_twin = operations.iter().any(|((one, at), operation)| {
            let same_path = at == path && one != method;
            let same_handler = operation.handler.is_some() && operation.handler == own.handler;
            let is_trial = one == method && at != path && without_trial(path).as_ref() == Some(at);
            (same_handler && (is_trial || (same_path && is_known(one, at))))
                || (same_path && method == "PUT" && one == "PATCH" && operation.at == own.at)
        });
        Some(is_twin)
    };
    [&compared.new, &compared.old].into_iter().find_map(twins).unwrap_or_default()
}

/// `/api/v1/notes` of `/api/v1_alpha/notes`.
fn without_trial(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split('/').collect();
    let trial = parts.iter().position(|part| {
        let version = part.strip_prefix('v').and_then(|rest| rest.split_once('_'));
        version.is_some_and(|(number, _)| {
            !number.is_empty() && number.bytes().all(|one| one.is_ascii_digit())
        })
    })?;
    let mut parts = parts;
    parts[trial] = parts[trial].split('_').next()?;
    Some(parts.join("/"))
}

/// A row without its fact.
fn row(pair: &Pair<'_>, kind: Kind, id: &str, name: &str, at: String) -> Row {
    let endpoint = pair.any().map(|(endpoint, _)| endpoint);
    Row {
        change: Change::Added,
        kind,
        id: id.to_owned(),
        method: endpoint.map(|endpoint| endpoint.method.clone()),
        path: endpoint.map(|endpoint| endpoint.path.clone()),
        name: name.to_owned(),
        from: None,
        to: None,
        at,
        sure: true,
        decide: None,
        yaml: String::new(),
        file: String::new(),
        edits: Vec::new(),
    }
}

fn of_known(compared: &Compared<'_>, known: &Ours_, pair: &Pair<'_>) -> Vec<Row> {
    let ours = compared.ours;
    let id = known.item.id.as_str();
    let file = ours.file("operations", id).unwrap_or_default();
    let (before, after) = (pair.before.map(|(_, one)| one), pair.after.map(|(_, one)| one));
    let mut rows = Vec::new();
    let finding = compared.judge(&known.item, before.is_some(), after.is_some());
    if let Some(finding) = finding {
        let mut row = row(pair, Kind::Operation, id, "", pair.at(compared));
        if let Some(route) = known.route.as_ref().filter(|_| row.path.is_none()) {
            row.method = Some(route.method.clone());
            row.path = Some(route.path.clone());
        }
        (row.change, row.from, row.to) = finding.told(ours, &known.item, compared);
        let condition = after.or(before).and_then(|one| one.condition.as_deref());
        if let Some(condition) = condition {
            row.sure = false;
            row.decide = Some(format!("it is served only where {condition}"));
        }
        row.edits = match (finding, after) {
            (Finding::Added, Some(after)) => {
                let mut edits = ours.since(&["operations", id], compared.new.version, &after.at);
                if after.stub {
                    edits.push(Edit::new(["operations", id, "works_since", ours.key()], "never"));
                }
                edits.extend(lacking(compared, known, after));
                edits.extend(auth_of(compared, known, after));
                edits
            }
            (Finding::Removed, _) => ours.removed(&["operations", id], compared.new.version),
            _ => Vec::new(),
        };
        if let (Finding::Added, Some(asked)) = (finding, after.and_then(|one| one.auth.as_ref()))
            && let Some(api::Auths::Same(auth)) = &known.auth
            && !says_the_same(auth, asked)
        {
            row.decide.get_or_insert_with(|| {
                format!(
                    "it asks for {}, the catalogue says {} of all programs: write `auth` of each",
                    in_words(asked.token, &asked.scopes),
                    in_words(auth.token.name(), &auth.scopes)
                )
            });
        }
        finish(&mut row, &file, ours.is_open(&known.item) || finding == Finding::Removed);
        rows.push(row);
    }
    if before.is_some() || after.is_some() {
        rows.extend(params(compared, known, pair, finding));
    }
    rows.extend(asked(compared, known, pair));
    rows
}

/// Fills in where a row belongs. What contradicts the catalogue has no edit: somebody must find out who is right.
fn finish(row: &mut Row, file: &str, is_open: bool) {
    row.file = shown(file);
    row.yaml = yaml(&row.edits);
    if row.change == Change::Contradicts {
        row.sure = false;
        row.decide.get_or_insert_with(|| {
            "find out which is right, the catalogue or this reading".to_owned()
        });
    } else if !is_open {
        row.decide.get_or_insert_with(|| {
            "the catalogue has another life of it: write `absent`, or mend it".to_owned()
        });
    }
}

/// A name in bracket notation without what tells lists and maps: forms write them in several ways.
pub(super) fn plain(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for part in name.split_inclusive(']') {
        match part.rfind('[') {
            Some(start) if part[start..] == *"[]" || part[start..].starts_with("[:") => {
                text.push_str(&part[..start]);
            }
            _ => text.push_str(part),
        }
    }
    text
}

/// The parameters of a source's operation by their plain names, those of the path left out.
fn sent(operation: Option<&Operation>) -> BTreeMap<String, (&str, &Param)> {
    let params = operation.into_iter().flat_map(|operation| &operation.params);
    let sent = params.filter(|(_, param)| param.location != Location::Path);
    sent.map(|(name, param)| (plain(name), (name.as_str(), param))).collect()
}

/// Parameters of the catalogue that an operation which is new in this program does not read.
fn lacking(compared: &Compared<'_>, known: &Ours_, after: &Operation) -> Vec<Edit> {
    let read = sent(Some(after));
    let ours = compared.ours;
    let lacking = known.params.iter().filter(|param| {
        is_row(param)
            && !read.contains_key(&plain(&param.item.wire))
            && ours.life(&param.item).is_some_and(|life| life.at.is_none())
    });
    let edits = lacking.map(|param| {
        Edit::new(
            ["operations", &known.item.id, "params", &param.item.name, "since", ours.key()],
            "never",
        )
    });
    edits.collect()
}

fn is_row(param: &OurParam) -> bool {
    !param.item.implied && !matches!(param.location, OurLocation::Path | OurLocation::Header)
}

fn params(
    compared: &Compared<'_>,
    known: &Ours_,
    pair: &Pair<'_>,
    container: Option<Finding>,
) -> Vec<Row> {
    let ours = compared.ours;
    let id = known.item.id.as_str();
    let file = ours.file("operations", id).unwrap_or_default();
    let (before, after) =
        (sent(pair.before.map(|(_, one)| one)), sent(pair.after.map(|(_, one)| one)));
    let is_whole = pair.is_whole();
    let mut rows = Vec::new();
    let mut seen = BTreeSet::new();
    for param in known.params.iter().filter(|param| !param.item.implied) {
        let key = plain(&param.item.wire);
        seen.insert(key.clone());
        if !is_row(param) {
            continue;
        }
        let (was, is) = (before.get(&key), after.get(&key));
        // What is not there with its operation is not news.
        let was_there = was.is_some() && pair.before.is_some();
        let Some(finding) = compared.judge(&param.item, was_there, is.is_some()) else {
            continue;
        };
        // What a library reads is not seen, and an operation takes its parameters with it.
        let unseen = finding == Finding::Claimed && !is_whole;
        if unseen || matches!(container, Some(Finding::Removed | Finding::Claimed)) {
            continue;
        }
        let place = is.or(was).map(|(_, param)| &param.at);
        let at = place.map_or_else(
            || pair.at(compared),
            |place| match is {
                Some(_) => compared.new.at(place),
                None => compared.old.at(place),
            },
        );
        let mut row = row(pair, Kind::Param, &param.item.id, &param.item.wire, at);
        (row.change, row.from, row.to) = finding.told(ours, &param.item, compared);
        row.sure = is_whole;
        let path = ["operations", id, "params", &param.item.name];
        // With its operation it inherits the Since of that.
        let inherits = container == Some(Finding::Added)
            && ours.life(&param.item).is_some_and(|life| life.at.is_none());
        row.edits = match (finding, is) {
            (Finding::Added, Some((_, found))) if !inherits => {
                ours.since(&path, compared.new.version, &found.at)
            }
            (Finding::Removed, _) => ours.removed(&path, compared.new.version),
            _ => Vec::new(),
        };
        finish(
            &mut row,
            &file,
            inherits || ours.is_open(&param.item) || finding == Finding::Removed,
        );
        rows.push(row);
    }
    let both: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for key in both {
        if seen.contains(key) {
            continue;
        }
        let (was, is) = (before.get(key), after.get(key));
        let Some((name, param)) = is.or(was) else {
            continue;
        };
        // An object's members are parameters of their own.
        if param.container {
            continue;
        }
        rows.extend(unknown_param(
            compared,
            pair,
            id,
            &file,
            name,
            (was.map(|one| one.1), is.map(|one| one.1)),
            is_whole,
        ));
    }
    rows
}

/// A parameter that the catalogue does not know.
fn unknown_param(
    compared: &Compared<'_>,
    pair: &Pair<'_>,
    operation: &str,
    file: &str,
    name: &str,
    (was, is): (Option<&Param>, Option<&Param>),
    is_whole: bool,
) -> Option<Row> {
    let found = is.or(was)?;
    let place = if is.is_some() { compared.new.at(&found.at) } else { compared.old.at(&found.at) };
    let mut row = row(pair, Kind::Param, &format!("{operation}.{name}"), name, place);
    row.sure = is_whole;
    if let (None, Some(param)) = (was, is) {
        row.to = Some(compared.new.version.to_string());
        let method = pair.any().map_or("GET", |(endpoint, _)| endpoint.method.as_str());
        let value = new_param(compared, method, param);
        row.edits = vec![Edit::new(["operations", operation, "params", name], value)];
        let beside = sibling(compared, operation, name);
        let beside = beside.map_or_else(String::new, |place| format!("; it stands with {place}"));
        row.decide = Some(format!(
            "its summary, type and `left_out`, and whether another program has it{beside}"
        ));
    } else {
        row.change = Change::Contradicts;
        row.from = Some("not in the catalogue".to_owned());
        row.to = Some(format!("read in {}", compared.old.version));
    }
    finish(&mut row, file, true);
    Some(row)
}

/// Where a member of the same object is stated: an object may be stated once for several parameters.
fn sibling(compared: &Compared<'_>, operation: &str, name: &str) -> Option<String> {
    let ours = compared.ours;
    let (object, _) = name.rsplit_once('[')?;
    let known = ours.index.operation(operation)?.params.iter();
    let mut beside = known.filter(|param| {
        let wire = plain(&param.item.wire);
        wire.rsplit_once('[').is_some_and(|(own, _)| own == object)
    });
    let beside = beside.find(|param| !param.item.implied)?;
    ours.place(&["operations", operation, "params", &beside.item.name])
}

/// A parameter in flow style.
fn new_param(compared: &Compared<'_>, method: &str, param: &Param) -> String {
    let location = match param.location {
        Location::Path => "path",
        Location::Query => "query",
        Location::Either if method == "GET" => "query",
        Location::Form | Location::Either => "form",
    };
    let of = param.r#type.as_deref().unwrap_or(if param.location == Location::Query {
        "string"
    } else {
        "unknown"
    });
    let since = others(compared, compared.new.version);
    format!(
        "{{in: {location}, type: {}, required: {}, since: {since}, evidence: {{{}: {}}}}}",
        scalar(of),
        param.required,
        compared.ours.key(),
        compared.ours.evidence(&param.at, compared.new.version),
    )
}

/// The Since of an item that only this program is known to have.
pub(super) fn others(compared: &Compared<'_>, version: fedispec_since::StableVersion) -> String {
    let each = compared.ours.api.programs.iter().map(|program| {
        let since = if program.key == compared.ours.key() {
            format!("\"{version}\"")
        } else {
            "unknown".to_owned()
        };
        format!("{}: {since}", program.key)
    });
    format!("{{{}}}", each.collect::<Vec<_>>().join(", "))
}

/// An operation that the catalogue does not know, and its parameters.
fn unknown(compared: &Compared<'_>, pair: &Pair<'_>, after: &Matching) -> Vec<Row> {
    let Some((endpoint, operation)) = pair.any() else {
        return Vec::new();
    };
    let (group, name) = named(compared, endpoint, operation);
    let id = format!("{group}.{name}");
    let mut row = row(pair, Kind::Operation, &id, "", pair.at(compared));
    let file = compared.ours.file_of_group(&group);
    if pair.before.is_some() || pair.after.is_none() {
        row.change = Change::Contradicts;
        row.from = Some("not in the catalogue".to_owned());
        row.to = Some(format!("served in {}", compared.old.version));
        if pair.before.is_some() && pair.after.is_none() {
            row.to = Some(format!(
                "served in {}, no longer in {}",
                compared.old.version, compared.new.version
            ));
        }
        finish(&mut row, &file, true);
        return vec![row];
    }
    row.to = Some(compared.new.version.to_string());
    row.sure = operation.condition.is_none();
    row.decide = Some(match &operation.condition {
        Some(condition) => {
            format!("it is served only where {condition}; its id, summary and answer")
        }
        None => "its id, summary and answer, and whether another program has it".to_owned(),
    });
    let key = |last: &str| ["operations", &id, last].map(str::to_owned);
    let mut edits = vec![
        Edit::new(key("method"), endpoint.method.clone()),
        Edit::new(key("path"), scalar_path(&endpoint.path)),
        Edit::new(key("since"), others(compared, compared.new.version)),
        Edit::new(
            key("evidence"),
            format!(
                "{{{}: {}}}",
                compared.ours.key(),
                compared.ours.evidence(&operation.at, compared.new.version)
            ),
        ),
    ];
    if let Some(auth) = &operation.auth {
        edits.push(Edit::new(key("auth"), auth_text(auth)));
    }
    let returns = operation.answer.as_ref().map_or_else(
        || "unknown".to_owned(),
        |answer| {
            let shapes = &compared.new.surface.shapes;
            let mut own = shapes.iter().filter(|(name, shape)| {
                **name == answer.shape || shape.also.contains(&answer.shape)
            });
            let own = own.next().map_or(answer.shape.as_str(), |(name, _)| name);
            let known = after.entity(own).map_or_else(|| pascal(own), str::to_owned);
            scalar(&format!("{known}{}", if answer.list { "[]" } else { "" }))
        },
    );
    edits.push(Edit::new(key("returns"), returns));
    for (name, param) in operation.params.iter().filter(|(_, param)| !param.container) {
        let keys = ["operations", &id, "params", name].map(str::to_owned);
        edits.push(Edit::new(keys, new_param(compared, &endpoint.method, param)));
    }
    row.edits = edits;
    finish(&mut row, &file, true);
    let mut rows = vec![row];
    // Whether a space of its own belongs to the catalogue at all is decided first.
    let is_new_space = !is_known_space(compared, &endpoint.path);
    for (name, (_, param)) in sent(Some(operation)) {
        if !param.container && !is_new_space {
            rows.extend(unknown_param(
                compared,
                pair,
                &id,
                &file,
                &name,
                (None, Some(param)),
                operation.unfollowed.is_empty(),
            ));
        }
    }
    rows
}

fn scalar_path(path: &str) -> String {
    // The catalogue writes paths plainly.
    if path.contains([' ', '#']) { scalar(path) } else { path.to_owned() }
}

/// A group and a name for an operation: the group of the operations with the most path in common, and what is left of the path.
fn named(compared: &Compared<'_>, endpoint: &Endpoint, operation: &Operation) -> (String, String) {
    let parts: Vec<&str> = endpoint.path.split('/').filter(|part| !part.is_empty()).collect();
    let common = |path: &str| {
        let other = path.split('/').filter(|part| !part.is_empty());
        parts.iter().zip(other).take_while(|(a, b)| *a == b).count()
    };
    let known = compared.ours.api.operations.iter();
    let known = known.filter_map(|known| Some((common(&known.route.as_ref()?.path), known)));
    let nearest = known.max_by_key(|(common, _)| *common).filter(|(common, _)| *common >= 3);
    let resource =
        parts.iter().rev().find(|part| !part.starts_with(':')).copied().unwrap_or("root");
    let group = nearest.map_or_else(
        || parts.get(2).copied().unwrap_or(resource).to_owned(),
        |(_, known)| known.group.clone(),
    );
    let is_list = operation.answer.as_ref().is_some_and(|answer| answer.list);
    let ends_in_id = parts.last().is_some_and(|part| part.starts_with(':'));
    let is_group = parts.get(2).is_none_or(|part| *part == resource) || resource == group;
    let verb = match (endpoint.method.as_str(), ends_in_id) {
        ("GET", false) if is_list || is_group => "list",
        ("POST", false) => "create",
        ("PUT" | "PATCH", _) => "update",
        ("DELETE", _) => "delete",
        _ => "get",
    };
    let name = if is_group {
        verb.to_owned()
    } else if endpoint.method == "POST" || (endpoint.method == "GET" && !ends_in_id) {
        resource.to_owned()
    } else {
        format!("{verb}_{resource}")
    };
    let name = name.replace(['-', '.', ' '], "_");
    let taken = compared.ours.index.operation(&format!("{group}.{name}")).is_some();
    (group, if taken { format!("{verb}_{name}") } else { name })
}

/// `AdminAccountInfo` of `adminAccountInfo`.
pub(super) fn pascal(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn auth_text(auth: &Auth) -> String {
    let scopes: Vec<_> = auth.scopes.iter().map(|scope| scalar(scope)).collect();
    format!("{{token: {}, scopes: [{}]}}", auth.token, scopes.join(", "))
}

/// The `auth` of an operation that is new in this program, where it asks for something else than the catalogue says.
fn auth_of(compared: &Compared<'_>, known: &Ours_, after: &Operation) -> Vec<Edit> {
    let (Some(asked), Some(auths)) = (&after.auth, &known.auth) else {
        return Vec::new();
    };
    let api::Auths::Each(_) = auths else {
        return Vec::new();
    };
    let same = auths.of(compared.ours.column).is_some_and(|auth| says_the_same(auth, asked));
    if same || asked.condition.is_some() {
        return Vec::new();
    }
    let keys = ["operations", &known.item.id, "auth", compared.ours.key()];
    vec![Edit::new(keys, auth_text(asked))]
}

fn says_the_same(auth: &api::Auth, asked: &Auth) -> bool {
    let sorted = |scopes: &[String]| scopes.iter().cloned().collect::<BTreeSet<_>>();
    // Without a scope to look at, a token that may be sent is a token that nobody asks for.
    let open = |token: &str, scopes: &[String]| {
        token == "none" || (token == "optional" && scopes.is_empty())
    };
    if open(auth.token.name(), &auth.scopes) && open(asked.token, &asked.scopes) {
        return true;
    }
    auth.token.name() == asked.token && sorted(&auth.scopes) == sorted(&asked.scopes)
}

/// What is asked of a caller, in words.
fn in_words(token: &str, scopes: &[String]) -> String {
    if scopes.is_empty() { token.to_owned() } else { format!("{token} {}", scopes.join(" or ")) }
}

/// What an operation asks of a caller, where that changed or contradicts the catalogue.
fn asked(compared: &Compared<'_>, known: &Ours_, pair: &Pair<'_>) -> Option<Row> {
    let ours = compared.ours;
    let id = known.item.id.as_str();
    let file = ours.file("operations", id).unwrap_or_default();
    let before = pair.before.and_then(|(_, one)| one.auth.as_ref());
    let after = pair.after.and_then(|(_, one)| one.auth.as_ref());
    let said = auth::at(known, ours.column, compared.old.version).filter(|_| {
        ours.life(&known.item).is_some_and(
            |life| matches!(life.effective, Since::Since(since) if since <= compared.old.version),
        )
    });
    if let (Some(said), Some(before)) = (&said, before)
        && !says_the_same(said, before)
    {
        let mut row = row(pair, Kind::Auth, id, "", compared.old.at(&before.at));
        row.change = Change::Contradicts;
        row.from = Some(in_words(said.token.name(), &said.scopes));
        row.to = Some(in_words(before.token, &before.scopes));
        row.decide =
            before.condition.as_ref().map(|condition| format!("it depends on {condition}"));
        finish(&mut row, &file, true);
        return Some(row);
    }
    let (before, after) = (before?, after?);
    let same_scopes =
        before.scopes.iter().collect::<BTreeSet<_>>() == after.scopes.iter().collect();
    if before.token == after.token && same_scopes && before.role == after.role {
        return None;
    }
    let now = auth::at(known, ours.column, compared.new.version);
    if now.as_ref().is_some_and(|now| says_the_same(now, after)) && said.as_ref() != now.as_ref() {
        return None;
    }
    let mut row = row(pair, Kind::Auth, id, "", compared.new.at(&after.at));
    row.change = Change::Changed;
    row.from = Some(in_words(before.token, &before.scopes));
    row.to = Some(in_words(after.token, &after.scopes));
    let version = compared.new.version;
    let changed = ["operations", id, "changed", ours.key()];
    let list =
        |scopes: &[String]| scopes.iter().map(|scope| scalar(scope)).collect::<Vec<_>>().join(", ");
    if before.token != after.token {
        let text = format!(
            "{{in: \"{version}\", what: token, from: {}, to: {}}}",
            before.token, after.token
        );
        row.edits.push(Edit::append(changed, text));
    }
    if !same_scopes {
        let (from, to) = (list(&before.scopes), list(&after.scopes));
        row.edits.push(Edit::append(
            changed,
            format!("{{in: \"{version}\", what: scopes, from: [{from}], to: [{to}]}}"),
        ));
    }
    row.edits.push(Edit::new(["operations", id, "auth", ours.key()], auth_text(after)));
    row.sure = after.condition.is_none() && before.condition.is_none();
    row.decide = Some("`auth` itself must say what holds now".to_owned());
    if before.role != after.role {
        row.decide = Some("whether a role is needed, and `auth`".to_owned());
    }
    finish(&mut row, &file, true);
    Some(row)
}
