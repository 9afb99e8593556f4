//! Operations, their parameters, and what they ask of a caller.

use std::collections::{BTreeMap, BTreeSet};

use fedispec_model::api::{self, Param as OurParam, Since};
use fedispec_model::auth;
use fedispec_model::notation::type_text;
use fedispec_model::sentences::capitalised;
use fedispec_since::{Location as OurLocation, Required, Verdict};
use serde_json::{Value, json};

use super::{Compared, FIND_OUT, Finding, Known, Side};
use crate::matching::Matching;
use crate::ours::shown;
use crate::row::{Change, Edit, ItemKind, Row, STANDS_WITH, scalar};
use crate::surface::{Auth, Endpoint, Location, Operation, Param, path_key};

/// A method, and a path without the names of what varies.
type Key = (String, String);

pub(super) fn rows(compared: &Compared<'_>, after: &Matching) -> Vec<Row> {
    let (old, new) = (by_key(&compared.old), by_key(&compared.new));
    let mut rows = Vec::new();
    let keys: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    for key in keys {
        let pair = Pair::of(old.get(key).copied(), new.get(key).copied());
        match compared.ours.operation(key) {
            Some(known) => rows.extend(of_known(compared, known, &pair)),
            None if is_ours(compared, &key.1) && !is_twin(compared, key) => {
                rows.extend(unknown(compared, &pair, after));
            }
            None => {}
        }
    }
    for known in &compared.ours.api.operations {
        let Some(route) = &known.route else {
            continue;
        };
        let key = (route.method.clone(), path_key(&route.path));
        if !old.contains_key(&key) && !new.contains_key(&key) {
            rows.extend(of_known(compared, known, &Pair::of(None, None)));
        }
    }
    rows
}

type Found<'a> = (&'a Endpoint, &'a Operation);

/// An operation in both releases.
struct Pair<'a> {
    endpoint: Option<&'a Endpoint>,
    before: Option<&'a Operation>,
    after: Option<&'a Operation>,
}

impl<'a> Pair<'a> {
    fn of(before: Option<Found<'a>>, after: Option<Found<'a>>) -> Self {
        let endpoint = after.or(before).map(|(endpoint, _)| endpoint);
        Self { endpoint, before: before.map(|one| one.1), after: after.map(|one| one.1) }
    }

    /// A place of it with the revision.
    fn at(&self, compared: &Compared<'_>) -> String {
        let [before, after] = [self.before, self.after].map(|one| Some(&one?.at));
        let at = compared.at(before, after);
        at.unwrap_or_else(|| format!("the router@{}", compared.new.tag))
    }

    fn is_whole(&self) -> bool {
        let mut found = [self.before, self.after].into_iter().flatten();
        found.all(|operation| operation.unfollowed.is_empty())
    }

    /// A row with the method and the path.
    fn on(&self, row: Row) -> Row {
        let method = self.endpoint.map(|endpoint| endpoint.method.clone());
        let path = self.endpoint.map(|endpoint| endpoint.path.clone());
        Row { method, path, ..row }
    }
}

fn by_key<'a>(side: &Side<'a>) -> BTreeMap<Key, Found<'a>> {
    let operations = side.surface.operations.iter();
    operations.map(|(endpoint, operation)| (endpoint.key(), (endpoint, operation))).collect()
}

/// Whether the catalogue speaks of paths like this one. It leaves out what servers ask of each other, pages for people, and the other
/// spaces under `/api` that the older release had already.
fn is_ours(compared: &Compared<'_>, path: &str) -> bool {
    match path.split('/').nth(1) {
        Some("api") => {
            let mut old = compared.old.surface.operations.keys();
            is_known_space(compared, path, 2)
                || !old.any(|endpoint| space(&endpoint.path, 2) == space(path, 2))
        }
        Some("oauth") => is_known_space(compared, path, 1),
        _ => false,
    }
}

/// The first parts of a path.
fn space(path: &str, parts: usize) -> Vec<&str> {
    path.split('/').skip(1).take(parts).collect()
}

/// Whether the catalogue has something beside a path: below `/api/v1`, for example.
fn is_known_space(compared: &Compared<'_>, path: &str, parts: usize) -> bool {
    let mut routes = compared.ours.api.operations.iter().filter_map(|known| known.route.as_ref());
    routes.any(|route| space(&route.path, parts) == space(path, parts))
}

/// Whether the same handler serves an operation that is told already: an update under the other of its two methods, what may be
/// asked for by another method too, and the trial of a version (`v1_alpha`) beside the version itself.
pub(super) fn is_twin(compared: &Compared<'_>, key: &Key) -> bool {
    let (method, path) = key;
    let is_known = |method: &str, path: &str| {
        compared.ours.operation(&(method.to_owned(), path.to_owned())).is_some()
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
        let operations = by_key(side);
        let own = operations.get(key)?.1;
        let is_twin = operations.iter().any(|((one, at), (_, operation))| {
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
    let mut parts: Vec<&str> = path.split('/').collect();
    let trial = parts.iter_mut().find_map(|part| {
        let (number, _) = part.strip_prefix('v')?.split_once('_')?;
        let end = 1 + number.len();
        number.parse::<u32>().is_ok().then_some((part, end))
    });
    let (part, end) = trial?;
    *part = &part[..end];
    Some(parts.join("/"))
}

fn of_known(compared: &Compared<'_>, known: &api::Operation, pair: &Pair<'_>) -> Vec<Row> {
    let ours = compared.ours;
    let id = known.item.id.as_str();
    let file = ours.file("operations", id).unwrap_or_default();
    let (before, after) = (pair.before, pair.after);
    let mut rows = Vec::new();
    let finding = compared.judge(&known.item, before.is_some(), after.is_some());
    if let Some(finding) = finding {
        let of = Known {
            kind: ItemKind::Operation,
            item: &known.item,
            name: "",
            at: pair.at(compared),
            after: after.map(|one| &one.at),
            file: &file,
            keys: &["operations", id],
        };
        let mut row = pair.on(of.row(compared, finding));
        if let Some(route) = known.route.as_ref().filter(|_| row.path.is_none()) {
            row.method = Some(route.method.clone());
            row.path = Some(route.path.clone());
        }
        if let (Finding::Added, Some(after)) = (finding, after) {
            if after.stub {
                let stated = |key| ["operations", id, key, ours.key()];
                row.edits.push(Edit::new(stated("works_since"), "never"));
                let since = format!("\"{}\"", compared.new.version);
                row.edits.push(Edit::new(stated("stub"), since));
            }
            row.edits.extend(lacking(compared, known, after));
            row.edits.extend(auth_of(compared, known, after));
            let said = known.auth.as_ref().and_then(|auths| auths.of(ours.column));
            if let (Some(asked), Some(auth)) = (&after.auth, said)
                && !says_the_same(auth, asked)
            {
                row.decide = Some(format!(
                    "it asks for {}, the catalogue says {} of all programs: write `auth` of each",
                    in_words(asked.token, &asked.scopes),
                    in_words(auth.token.name(), &auth.scopes)
                ));
            }
        }
        if let Some(condition) = after.or(before).and_then(|one| one.condition.as_deref()) {
            row.sure = false;
            row.decide = Some(format!("it is served only where {condition}"));
        }
        rows.push(row);
    }
    if before.is_some() || after.is_some() {
        rows.extend(params(compared, known, pair, finding));
    }
    rows.extend(asked(compared, known, pair));
    rows.extend(refusals(compared, known, pair));
    rows
}

/// Rows about the statuses of errors, and about their texts. What a source makes in places that are not followed is not seen.
fn refusals(compared: &Compared<'_>, known: &api::Operation, pair: &Pair<'_>) -> Vec<Row> {
    let (Some(before), Some(after)) = (pair.before, pair.after) else {
        return Vec::new();
    };
    let (ours, id) = (compared.ours, known.item.id.as_str());
    let version = compared.new.version;
    let file = ours.file("operations", id).unwrap_or_default();
    let statuses: BTreeSet<_> = before.refusals.keys().chain(after.refusals.keys()).collect();
    // Tokens are compared by themselves, and what a server fails with is no answer of one operation.
    let statuses = statuses.into_iter().filter(|status| !matches!(**status, 401 | 500 | 502..));
    let rows = statuses.filter_map(|status| {
        let (was, is) = (before.refusals.get(status), after.refusals.get(status));
        let stated = known.errors.iter().find(|error| error.status == *status);
        let [old, new] = [compared.old.version, version].map(|release| match stated {
            // A refused parameter says so itself.
            None if known.params.iter().any(|param| is_refused_with(compared, param, *status)) => {
                Verdict::Unknown
            }
            None => Verdict::No,
            Some(error) if error.life.is_empty() => Verdict::Yes,
            Some(error) => ours.life_says(error.life.get(ours.column), release),
        });
        let key = status.to_string();
        let keys = |tail| ["operations", id, "errors", &key, tail, ours.key()];
        let at = compared.at(was.map(|one| &one.at), is.map(|one| &one.at))?;
        let row = |change, [from, to]: [String; 2], edits: Vec<Edit>, decide: &str| {
            pair.on(Row {
                change,
                from: Some(from),
                to: Some(to),
                edits,
                sure: change != Change::Contradicts,
                decide: Some(decide.to_owned()),
                file: shown(&file),
                ..Row::new(ItemKind::Operation, id, &key, at.clone())
            })
        };
        let news = [format!("no {status}"), key.clone()];
        match (was, is) {
            (Some(_), _) if old == Verdict::No => {
                Some(row(Change::Contradicts, news, Vec::new(), FIND_OUT))
            }
            // Of a release that nobody looked at, the one before speaks.
            (None, Some(is))
                if new == Verdict::No || (new, old) == (Verdict::Unknown, Verdict::No) =>
            {
                let seen = || format!("{{{}}}", ours.first_seen(&is.at, version));
                let known = keys("since");
                let edits = match stated {
                    Some(_) => ours.since(&known[..4], version, &is.at),
                    None => vec![Edit::new(known[..4].iter().copied(), seen())],
                };
                let decide = "when it is answered";
                Some(row(Change::Changed, news, edits, decide))
            }
            (Some(was), Some(is)) => {
                let (was, is) = (was.text()?, is.text()?);
                let said = stated?.text.get(ours.column)?.as_ref()?;
                let is_older = said.since.is_none_or(|since| since <= compared.old.version);
                let texts = |from, to| [from, to].map(|text: &str| format!("{status}: {text}"));
                if was != is && said.text != is {
                    let text = format!("{{text: {}, since: \"{version}\"}}", scalar(is));
                    let edits = vec![Edit::replace(keys("text"), text)];
                    let decide = "whether it answers the status in no other words";
                    let row = row(Change::Changed, texts(was, is), edits, decide);
                    // A reading that had the words of the older release has those of the newer.
                    let is_read = said.text == was && ours.is_stated(&file, &keys("text"));
                    Some(Row { decide: row.decide.filter(|_| !is_read), ..row })
                } else if was == is && said.text != was && is_older {
                    Some(row(Change::Contradicts, texts(&said.text, was), Vec::new(), FIND_OUT))
                } else {
                    None
                }
            }
            _ => None,
        }
    });
    rows.collect()
}

/// A name in bracket notation without what tells lists and maps: forms write them in several ways.
pub(super) fn plain(name: &str) -> String {
    let parts = name.split_inclusive(']').map(|part| match part.rfind('[') {
        Some(start) if part[start..] == *"[]" || part[start..].starts_with("[:") => &part[..start],
        _ => part,
    });
    parts.collect()
}

/// The parameters of a source's operation by their plain names, those of the path left out.
fn sent(operation: Option<&Operation>) -> BTreeMap<String, (&str, &Param)> {
    let params = operation.into_iter().flat_map(|operation| &operation.params);
    let sent = params.filter(|(_, param)| param.location != Location::Path);
    sent.map(|(name, param)| (plain(name), (name.as_str(), param))).collect()
}

/// Parameters of the catalogue that an operation which is new in this program does not read.
fn lacking(compared: &Compared<'_>, known: &api::Operation, after: &Operation) -> Vec<Edit> {
    let (read, ours) = (sent(Some(after)), compared.ours);
    let lacking = known.params.iter().filter(|param| {
        is_row(param)
            && !read.contains_key(&plain(&param.item.wire))
            && ours.life(&param.item).is_some_and(|life| life.at.is_none())
    });
    let keys = |name| ["operations", &known.item.id, "params", name, "since", ours.key()];
    lacking.map(|param| Edit::new(keys(&param.item.name), "never")).collect()
}

fn is_row(param: &OurParam) -> bool {
    !param.item.implied && !matches!(param.location, OurLocation::Path | OurLocation::Header)
}

fn params(
    compared: &Compared<'_>,
    known: &api::Operation,
    pair: &Pair<'_>,
    container: Option<Finding>,
) -> Vec<Row> {
    let ours = compared.ours;
    let id = known.item.id.as_str();
    let file = ours.file("operations", id).unwrap_or_default();
    let (before, after) = (sent(pair.before), sent(pair.after));
    let mut rows = Vec::new();
    for param in known.params.iter().filter(|param| is_row(param)) {
        let key = plain(&param.item.wire);
        let [was, is] = [&before, &after].map(|params| Some(params.get(&key)?.1));
        let Some(finding) = compared.judge(&param.item, was.is_some(), is.is_some()) else {
            let both = was.zip(is).into_iter();
            let demands = both.flat_map(|both| demands(compared, id, param, both));
            rows.extend(demands.map(|row| pair.on(row)));
            continue;
        };
        // The parameters that a library reads are not seen, and an operation takes its parameters with it.
        let unseen = finding == Finding::Claimed && !pair.is_whole();
        if unseen || matches!(container, Some(Finding::Removed | Finding::Claimed)) {
            continue;
        }
        let at = compared.at(was.map(|param| &param.at), is.map(|param| &param.at));
        let of = Known {
            kind: ItemKind::Param,
            item: &param.item,
            name: &param.item.wire,
            at: at.unwrap_or_else(|| pair.at(compared)),
            after: is.map(|param| &param.at),
            file: &file,
            keys: &["operations", id, "params", &param.item.name],
        };
        let mut row = pair.on(of.row(compared, finding));
        row.sure &= pair.is_whole();
        // With its operation it inherits the Since of that.
        if finding == Finding::Added
            && container == Some(Finding::Added)
            && ours.life(&param.item).is_some_and(|life| life.at.is_none())
        {
            row.edits.clear();
            row.decide = None;
        }
        rows.push(row);
    }
    let listed = known.params.iter().filter(|param| !param.item.implied);
    let listed: BTreeSet<String> = listed.map(|param| plain(&param.item.wire)).collect();
    let both: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for key in both.into_iter().filter(|key| !listed.contains(*key)) {
        let (was, is) = (before.get(key), after.get(key));
        if let Some((name, _)) = is.or(was) {
            let both = (was.map(|one| one.1), is.map(|one| one.1));
            rows.extend(unknown_param(compared, pair, id, name, both));
        }
    }
    rows.into_iter().map(|row| Row { file: shown(&file), ..row }).collect()
}

fn is_refused_with(compared: &Compared<'_>, param: &OurParam, status: u16) -> bool {
    let refused = param.refused.get(compared.ours.column).and_then(Option::as_ref);
    refused.is_some_and(|refused| refused.status == status)
}

/// Rows about what a parameter of both releases demands, where that changed or contradicts the catalogue.
fn demands(
    compared: &Compared<'_>,
    operation: &str,
    param: &OurParam,
    (before, after): (&Param, &Param),
) -> Vec<Row> {
    let ours = compared.ours;
    let said = |release| {
        let param = param.at(ours.column, Some(release));
        let number = |value: Option<f64>| value.map(api::number);
        let length = |value: Option<u64>| value.map(|value| json!(value));
        let default = param.default.filter(Value::is_i64);
        let required = match param.required {
            Required::Always => Some(json!(true)),
            Required::Never => Some(json!(false)),
            Required::Sometimes | Required::Unknown => None,
        };
        let limits = &param.limits;
        let (max_length, max_items) = (length(limits.max_length), length(limits.max_items));
        [required, default, number(limits.min), number(limits.max), max_length, max_items]
    };
    let found = |param: &Param| {
        // The place that reads a container does not demand it; another one may.
        let required = Some(json!(param.required)).filter(|_| !param.container);
        let number = |value: Option<i64>| value.map(|value| json!(value));
        let [default, min, max, max_length, max_items] =
            [param.default, param.min, param.max, param.max_length, param.max_items].map(number);
        [required, default, min, max, max_length, max_items]
    };
    let names = ["required", "default", "min", "max", "max_length", "max_items"];
    let facts = names.into_iter().zip(found(before)).zip(found(after));
    let said = said(compared.old.version).into_iter().zip(said(compared.new.version));
    let rows = facts.zip(said).filter_map(|(((what, was), is), (old, new))| {
        let (was, is) = (was?, is?);
        let free = json!(false);
        let known = old.as_ref().filter(|said| **said != was && was != free);
        let row = |change, from: &Value, to: &Value, at: String| Row {
            change,
            from: Some(format!("{what} {from}")),
            to: Some(format!("{what} {to}")),
            ..Row::new(ItemKind::Param, &param.item.id, &param.item.wire, at)
        };
        if was != is && new.as_ref() != Some(&is) {
            let version = compared.new.version;
            let text = format!("{{in: \"{version}\", what: {what}, from: {was}, to: {is}}}");
            let keys = ["operations", operation, "params", &param.item.name, "changed", ours.key()];
            let row = row(Change::Changed, &was, &is, compared.new.at(&after.at));
            let decide = Some(format!("`{what}` itself must say what holds now"));
            return Some(Row { edits: vec![Edit::append(keys, text)], decide, ..row });
        }
        let row = row(Change::Contradicts, known?, &was, compared.old.at(&before.at));
        Some(Row { sure: false, decide: Some(FIND_OUT.to_owned()), ..row })
    });
    let works = works(compared, operation, param, (before, after));
    rows.chain(works).collect()
}

/// The row about a parameter that was refused by the older release, and is not by the newer.
fn works(
    compared: &Compared<'_>,
    operation: &str,
    param: &OurParam,
    (before, after): (&Param, &Param),
) -> Option<Row> {
    let (ours, version) = (compared.ours, compared.new.version);
    let refused = param.refused.get(ours.column)?.filter(|refused| {
        refused.since <= compared.old.version && refused.until.is_none_or(|until| until > version)
    })?;
    let is_refused = if before.refused.contains(&refused.status) {
        after.refused.contains(&refused.status)
    } else {
        !before.refused.contains(&0) || !after.refused.is_empty()
    };
    if is_refused {
        return None;
    }
    let (since, status) = (refused.since, refused.status);
    let keys = ["operations", operation, "params", &param.item.name, "refused", ours.key()];
    let text = format!("{{since: \"{since}\", until: \"{version}\", status: {status}}}");
    Some(Row {
        change: Change::Changed,
        from: Some(format!("refused with {status}")),
        to: Some("not refused".to_owned()),
        edits: vec![Edit::new(keys, text)],
        decide: Some("whether it works now: `works_since`, and what is said of it".to_owned()),
        ..Row::new(ItemKind::Param, &param.item.id, &param.item.wire, compared.new.at(&after.at))
    })
}

/// A parameter that the catalogue does not know. An object's members are parameters of their own, so that the object is none.
fn unknown_param(
    compared: &Compared<'_>,
    pair: &Pair<'_>,
    operation: &str,
    name: &str,
    (was, is): (Option<&Param>, Option<&Param>),
) -> Option<Row> {
    if is.or(was)?.container {
        return None;
    }
    let at = compared.at(was.map(|param| &param.at), is.map(|param| &param.at))?;
    let news = is.filter(|_| was.is_none()).map(|param| {
        let method = pair.endpoint.map_or("GET", |endpoint| endpoint.method.as_str());
        let keys = ["operations", operation, "params", name];
        Edit::new(keys, new_param(compared, method, name, param))
    });
    let is_news = news.is_some();
    let id = format!("{operation}.{name}");
    let mut row = pair.on(compared.unlisted(ItemKind::Param, &id, name, at, news));
    if is_news {
        row.sure = pair.is_whole();
        let beside = sibling(compared, operation, name);
        let beside = beside.map_or_else(String::new, |place| format!("{STANDS_WITH}{place}"));
        row.decide = Some(format!("its summary, type and `left_out`{beside}"));
    } else {
        row.to = Some(format!("read in {}", compared.old.version));
    }
    Some(row)
}

/// Where a member of the same object is stated: an object may be stated once for several parameters.
fn sibling(compared: &Compared<'_>, operation: &str, name: &str) -> Option<String> {
    let ours = compared.ours;
    let (object, _) = name.rsplit_once('[')?;
    let mut known = ours.index.operation(operation)?.params.iter();
    let beside = known.find(|param| {
        let wire = plain(&param.item.wire);
        !param.item.implied && wire.rsplit_once('[').is_some_and(|(own, _)| own == object)
    })?;
    ours.place(&["operations", operation, "params", &beside.item.name])
}

/// A parameter in flow style.
fn new_param(compared: &Compared<'_>, method: &str, name: &str, param: &Param) -> String {
    let location = match param.location {
        Location::Path => "path",
        Location::Query => "query",
        Location::Either if method == "GET" => "query",
        Location::Form | Location::Either => "form",
    };
    let is_query = param.location == Location::Query;
    let own = param.r#type.clone().or_else(|| usual_type(compared, name));
    let of = own.as_deref().unwrap_or(if is_query { "string" } else { "unknown" });
    let seen = compared.ours.first_seen(&param.at, compared.new.version);
    format!("{{in: {location}, type: {}, required: {}, {seen}}}", scalar(of), param.required)
}

/// The type that most operations of the catalogue give a parameter of that name, where at least two do.
fn usual_type(compared: &Compared<'_>, name: &str) -> Option<String> {
    let params = compared.ours.api.operations.iter().flat_map(|operation| &operation.params);
    let params = params.filter(|param| param.type_known && param.item.wire == name);
    let mut counted: BTreeMap<String, usize> = BTreeMap::new();
    params.for_each(|param| *counted.entry(type_text(&param.r#type)).or_default() += 1);
    let (of, count) = counted.into_iter().max_by_key(|(_, count)| *count)?;
    (count > 1).then_some(of)
}

/// An operation that the catalogue does not know, and its parameters.
fn unknown(compared: &Compared<'_>, pair: &Pair<'_>, after: &Matching) -> Vec<Row> {
    let Some((endpoint, operation)) = pair.endpoint.zip(pair.after.or(pair.before)) else {
        return Vec::new();
    };
    let (ours, version) = (compared.ours, compared.new.version);
    let (group, name) = named(compared, endpoint, operation);
    let id = format!("{group}.{name}");
    let key = |last: &str| ["operations", &id, last].map(str::to_owned);
    let news = Edit::new(key("method"), endpoint.method.clone());
    let news = Some(news).filter(|_| pair.before.is_none());
    let mut row = compared.unlisted(ItemKind::Operation, &id, "", pair.at(compared), news);
    row = pair.on(row);
    row.file = shown(&ours.file_of_group(&group));
    if pair.before.is_some() {
        let gone = format!(", no longer in {version}");
        let gone = if pair.after.is_none() { gone.as_str() } else { "" };
        row.to = Some(format!("served in {}{gone}", compared.old.version));
        return vec![row];
    }
    row.sure = operation.condition.is_none();
    row.decide = Some(match &operation.condition {
        Some(condition) => {
            format!("it is served only where {condition}; its id, summary and answer")
        }
        None => "its id, summary and answer".to_owned(),
    });
    // The catalogue writes paths plainly.
    let path = &endpoint.path;
    let path = if path.contains([' ', '#']) { scalar(path) } else { path.clone() };
    let evidence = format!("{{{}: {}}}", ours.key(), ours.evidence(&operation.at, version));
    row.edits.push(Edit::new(key("path"), path));
    row.edits.push(Edit::new(key("since"), ours.since_here(version)));
    row.edits.push(Edit::new(key("evidence"), evidence));
    row.edits.extend(operation.auth.as_ref().map(|auth| Edit::new(key("auth"), auth_text(auth))));
    let returns = operation.answer.as_ref().map_or("unknown".to_owned(), |answer| {
        let own = compared.new.surface.shape_named(&answer.shape).unwrap_or(&answer.shape);
        let known = after.entity(own).map_or_else(|| capitalised(own), str::to_owned);
        scalar(&format!("{known}{}", if answer.list { "[]" } else { "" }))
    });
    row.edits.push(Edit::new(key("returns"), returns));
    for (name, param) in operation.params.iter().filter(|(_, param)| !param.container) {
        let keys = ["operations", &id, "params", name].map(str::to_owned);
        row.edits.push(Edit::new(keys, new_param(compared, &endpoint.method, name, param)));
    }
    // A person first decides whether this path belongs to the catalogue at all.
    let is_known = is_known_space(compared, &endpoint.path, 2);
    let params = sent(Some(operation).filter(|_| is_known));
    let params = params.iter().filter_map(|(name, (_, param))| {
        unknown_param(compared, pair, &id, name, (None, Some(*param)))
    });
    let params = params.map(|param| Row { file: row.file.clone(), ..param });
    let params: Vec<Row> = params.collect();
    std::iter::once(row).chain(params).collect()
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

/// Scopes as a list in flow style.
fn listed(scopes: &[String]) -> String {
    format!("[{}]", scopes.iter().map(|scope| scalar(scope)).collect::<Vec<_>>().join(", "))
}

fn auth_text(auth: &Auth) -> String {
    format!("{{token: {}, scopes: {}}}", auth.token, listed(&auth.scopes))
}

/// The `auth` of an operation that is new in this program, where the catalogue says nothing that holds in it.
fn auth_of(compared: &Compared<'_>, known: &api::Operation, after: &Operation) -> Option<Edit> {
    let (asked, auths) = (after.auth.as_ref()?, known.auth.as_ref()?);
    let is_open = auths.of(compared.ours.column).is_none() && asked.condition.is_none();
    let keys = ["operations", &known.item.id, "auth", compared.ours.key()];
    is_open.then(|| Edit::new(keys, auth_text(asked)))
}

fn says_the_same(auth: &api::Auth, asked: &Auth) -> bool {
    // Without a scope to look at, a token that may be sent is a token that nobody asks for.
    let open = |token: &str, scopes: &[String]| {
        token == "none" || (token == "optional" && scopes.is_empty())
    };
    if open(auth.token.name(), &auth.scopes) && open(asked.token, &asked.scopes) {
        return true;
    }
    auth.token.name() == asked.token && are_equal(&auth.scopes, &asked.scopes)
}

/// Whether two lists have the same scopes, in any order.
fn are_equal(a: &[String], b: &[String]) -> bool {
    a.iter().collect::<BTreeSet<_>>() == b.iter().collect()
}

/// A token and its scopes, in words.
fn in_words(token: &str, scopes: &[String]) -> String {
    if scopes.is_empty() { token.to_owned() } else { format!("{token} {}", scopes.join(" or ")) }
}

/// A row about the token and scopes of an operation, where they changed or contradict the catalogue.
fn asked(compared: &Compared<'_>, known: &api::Operation, pair: &Pair<'_>) -> Option<Row> {
    let ours = compared.ours;
    let id = known.item.id.as_str();
    let file = ours.file("operations", id).unwrap_or_default();
    let [before, after] = [pair.before, pair.after].map(|one| one?.auth.as_ref());
    let old = compared.old.version;
    let is_there = ours
        .life(&known.item)
        .is_some_and(|life| matches!(life.effective, Since::Since(since) if since <= old));
    let said = auth::at(known, ours.column, old).filter(|_| is_there);
    let row = |change, at: String, from: (&str, &[String]), to: &Auth| {
        let from = Some(in_words(from.0, from.1));
        let to = Some(in_words(to.token, &to.scopes));
        pair.on(Row {
            change,
            from,
            to,
            file: shown(&file),
            ..Row::new(ItemKind::Auth, id, "", at)
        })
    };
    if let (Some(said), Some(before)) = (&said, before)
        && !says_the_same(said, before)
    {
        let at = compared.old.at(&before.at);
        let said = (said.token.name(), said.scopes.as_slice());
        let depends = before.condition.as_ref().map(|text| format!("it depends on {text}"));
        let decide = depends.unwrap_or_else(|| FIND_OUT.to_owned());
        let row = row(Change::Contradicts, at, said, before);
        return Some(Row { sure: false, decide: Some(decide), ..row });
    }
    let (before, after) = (before?, after?);
    let same_scopes = are_equal(&before.scopes, &after.scopes);
    if before.token == after.token && same_scopes && before.role == after.role {
        return None;
    }
    let now = auth::at(known, ours.column, compared.new.version);
    if now.as_ref().is_some_and(|now| says_the_same(now, after)) && said.as_ref() != now.as_ref() {
        return None;
    }
    let at = compared.new.at(&after.at);
    let mut row = row(Change::Changed, at, (before.token, &before.scopes), after);
    let changed = |what: &str, from: &str, to: &str| {
        let version = compared.new.version;
        let text = format!("{{in: \"{version}\", what: {what}, from: {from}, to: {to}}}");
        Edit::append(["operations", id, "changed", ours.key()], text)
    };
    if before.token != after.token {
        row.edits.push(changed("token", before.token, after.token));
    }
    if !same_scopes {
        row.edits.push(changed("scopes", &listed(&before.scopes), &listed(&after.scopes)));
    }
    let keys = ["operations", id, "auth", ours.key()];
    row.edits.push(Edit::replace(keys, auth_text(after)));
    row.sure = after.condition.is_none() && before.condition.is_none();
    let scopes = ours.index.enumeration("OauthScope");
    let is_known = |scope: &String| {
        scopes.is_none_or(|scopes| scopes.values.iter().any(|value| value.wire == *scope))
    };
    let is_plain = |said: &api::Auth| {
        let plain = api::Auth::new(said.token);
        *said == api::Auth { scopes: said.scopes.clone(), ..plain }
    };
    row.decide = if before.role != after.role {
        Some("whether a role is needed, and `auth`".to_owned())
    } else if let Some(new) = after.scopes.iter().find(|scope| !is_known(scope)) {
        Some(format!("the scope {new} is new to the catalogue: write it down first"))
    } else if said.as_ref().is_some_and(is_plain) && ours.is_stated(&file, &keys) {
        // The catalogue said what the older source says.
        None
    } else {
        Some("`auth` itself must say what holds now".to_owned())
    };
    Some(row)
}
