//! The registry of programs: releases in order, days that exist, and names that belong to one program.

use std::collections::BTreeMap;

use crate::calendar::is_day;
use crate::load::Catalogue;
use crate::map::{HashMap, IndexMap};
use crate::merge::Ids;
use crate::model::{Program, Release};
use crate::problems::{NodePath, Problems, Report};
use crate::route::{ERRORS, has_status};
use fedispec_model::api::{Api, Item, Since};
use fedispec_model::names::is_identifier;
use fedispec_model::suggest::{did_you_mean, one_of};
use fedispec_model::wire::stem;
use fedispec_since::{KnownLimit, StableVersion};
use serde_json::Value;

/// The placeholders in the texts of a program's ways.
const SLOTS: [&str; 6] = ["key", "most", "path", "scopes", "version", "words"];

/// The ways of a program that are addresses, or those of its releases.
const ADDRESSES: [&str; 3] = ["source", "homepage", "documentation"];

/// The items that the ways of a program are about, by the keys that lead to the way.
const ABOUT: [(&[&str], &str); 12] = [
    (&["ways", "streaming"], "streaming.connect"),
    (&["streaming", "token", "query"], "streaming.connect.access_token"),
    (&["ways", "instance"], "V1Instance"),
    (&["instance", "v2"], "instance.get"),
    (&["instance", "limits"], "V1Instance.configuration"),
    (&["values", "poll_options"], "statuses.create.poll.options"),
    (&["values", "poll_option_characters"], "statuses.create.poll.options"),
    (&["values", "poll_shortest"], "statuses.create.poll.expires_in"),
    (&["values", "poll_longest"], "statuses.create.poll.expires_in"),
    (&["values", "pinned"], "statuses.pin"),
    (&["values", "profile_fields"], "accounts.update_credentials.fields_attributes"),
    (&["values", "description"], "media.create.description"),
];

/// Reports what is wrong with the programs and sources. The operations are those of all layers; the documents alone have not all of them.
pub(crate) fn check<'a>(
    catalogue: &'a Catalogue,
    api: &Api,
    operations: Option<&Ids<'a>>,
    problems: &mut Problems<'a>,
) {
    let root = |file| NodePath::root(catalogue.registry(file));
    let programs = &catalogue.implementations.programs;
    let mut registry =
        Registry { problems, api, operations, items: super::items(api), taken: HashMap::default() };
    for (key, program) in programs {
        let place = root(program.file).under(&["programs", key]);
        registry.key(key, &place);
        registry.names(program, &place);
        registry.base(key, program, programs, &place.then("based_on"));
        for (key, named) in [
            ("floor", program.floor),
            ("constructors", program.constructors),
            ("scopes_since", program.scopes_since),
        ] {
            if let Some(named) = named {
                registry.release(program, named, &place.then(key), Problems::value);
            }
        }
        if let Some((floor, followed)) = program.floor.zip(program.constructors)
            && followed < floor
        {
            let message = format!("constructors follow {followed}, before the floor, {floor}");
            let help = "mend one of the two: nobody makes answers of a release below the floor";
            registry.problems.value("out-of-order", &place.then("constructors"), message, help);
        }
        registry.releases(program, &place.then("releases"));
        let ways = serde_json::to_value(&program.ways).unwrap_or_default();
        registry.ways(program, &ways, &place.then("ways"));
        registry.limits(program, &place.under(&["ways", "limits", "values"]));
    }
    for (key, source) in &catalogue.implementations.sources {
        for (number, program) in source.programs.iter().flatten().enumerate() {
            if !programs.contains_key(program) {
                let place = root(source.file).under(&["sources", key, "programs"]);
                let keys = programs.keys().map(String::as_str);
                registry.problems.no_program(program, &place.then(number.to_string()), keys);
            }
        }
        if let Some(url) = &source.url {
            registry.address(url, &root(source.file).under(&["sources", key, "url"]));
        }
    }
}

struct Registry<'a, 'p> {
    problems: &'p mut Problems<'a>,
    api: &'p Api,
    operations: Option<&'p Ids<'a>>,
    items: HashMap<&'p str, &'p Item>,
    /// The names that programs are recognized by, with the place of the first program that has each.
    taken: HashMap<(&'static str, &'a str), NodePath<'a>>,
}

impl<'a> Registry<'a, '_> {
    /// Checks the key of a program, which version attributes and the rows of the item table name it by.
    fn key(&mut self, key: &str, place: &NodePath<'a>) {
        if !is_identifier(key) {
            let message = format!("the key `{key}` of a program is no identifier");
            let help = "write it in small letters, digits and `_`";
            self.problems.key("program-key", place, message, help);
        }
    }

    fn names(&mut self, program: &'a Program, place: &NodePath<'a>) {
        self.take(("name", &program.name), &place.then("name"));
        let list = place.then("nodeinfo");
        if program.nodeinfo.is_empty() && program.based_on.is_none() {
            let message = format!("nothing tells that a server runs {}", program.name);
            let help = "name its software as node info does, in lower case";
            self.problems.value("unnamed-program", &list, message, help);
        }
        for (number, name) in program.nodeinfo.iter().enumerate() {
            let place = list.then(number.to_string());
            if name.chars().any(char::is_uppercase) {
                let message = format!("node info has no name `{name}`, which is not in lower case");
                let help = format!("write `{}`", name.to_lowercase());
                self.problems.value("program-key", &place, message, help);
            }
            self.take(("nodeinfo", name), &place);
        }
        if let Some(letter) = &program.letter {
            if !matches!(letter.as_bytes(), [b'A'..=b'Z']) {
                let message = format!("`{letter}` is not one capital letter");
                let help = "write the letter that the documents give the program, as `A`";
                self.problems.value("program-key", &place.then("letter"), message, help);
            }
            self.take(("letter", letter), &place.then("letter"));
        }
    }

    /// Checks that a program is based on another one that is based on none, and has no release that the other lacks.
    fn base(
        &mut self,
        key: &str,
        program: &'a Program,
        all: &'a IndexMap<String, Program>,
        place: &NodePath<'a>,
    ) {
        let Some(named) = &program.based_on else { return };
        let Some(base) = all.get(named) else {
            return self.problems.no_program(named, place, all.keys().map(String::as_str));
        };
        if named == key || base.based_on.is_some() {
            let message = if named == key {
                format!("`{key}` is based on itself")
            } else {
                format!("`{key}` is based on what is itself based on another program")
            };
            let help = "name the program that all of them come from";
            self.problems.value("circular-base", place, message, help);
            return;
        }
        if !program.is_apart() {
            let message = format!("`{key}` has no folder of its own");
            let help = "move it into a folder below `programs`";
            self.problems.value("not-apart", place, message, help);
        }
        let mut strange = program.releases.keys();
        if let Some(version) = strange.find(|version| !base.releases.contains_key(*version)) {
            let message = format!("{} has no registered release {version}", base.name);
            let help = "a fork has the versions of what it is based on; register that release first, or remove it here";
            let mut releases = NodePath::root(place.file).under(&["programs", "", "releases"]);
            releases.path[1] = key.to_owned().into();
            self.problems.key(
                "unknown-release",
                &releases.then(version.to_string()),
                message,
                help,
            );
        }
    }

    /// Checks that an address is a whole one.
    fn address(&mut self, url: &str, place: &NodePath<'a>) {
        if !url.starts_with("https://") && !url.starts_with("http://") {
            let message = format!("`{url}` is no address");
            let help = "write it whole, with `https://`";
            self.problems.value("wrong-address", place, message, help);
        }
    }

    /// Checks that a release is one of the program.
    fn release(
        &mut self,
        program: &Program,
        named: StableVersion,
        place: &NodePath<'a>,
        report: Report<'a>,
    ) {
        if !program.releases.contains_key(&named) {
            let message = format!("{} has no registered release {named}", program.name);
            let help = "name a release that is listed below, or list it there".to_owned();
            report(self.problems, "unknown-release", place, message, help);
        }
    }

    /// Checks that the releases from which on a program does something in its own way are its own, and that the operations are there.
    fn ways(&mut self, program: &Program, ways: &Value, place: &NodePath<'a>) {
        for (key, inner) in ways.as_object().into_iter().flatten() {
            let place = place.then(key.clone());
            let texts: [(_, Report<'a>); 2] =
                [(Some(key.as_str()), Problems::key), (inner.as_str(), Problems::value)];
            for (text, report) in texts {
                if let Some(Ok(named)) = text.map(str::parse) {
                    self.release(program, named, &place, report);
                }
            }
            if let Some(known) = self.operations
                && key.contains('.')
                && key.parse::<StableVersion>().is_err()
                && !known.contains_key(key)
            {
                let message = format!("there is no operation `{key}`");
                let help = did_you_mean(key, known.keys().map(String::as_str), "write its id");
                self.problems.key("unknown-reference", &place, message, help);
            } else if let Some(known) = self.operations
                && place.path.iter().rev().nth(1).is_some_and(|list| list == "pages_by_id")
                && !["max_id", "min_id"].iter().any(|id| known.contains_key(&format!("{key}.{id}")))
            {
                let message = format!("`{key}` has no pages that ids lead to");
                let help = "name an operation with `max_id` or `min_id`, or remove it";
                self.problems.key("unknown-reference", &place, message, help);
            }
            let step = key.parse::<StableVersion>().ok();
            let named = step.or_else(|| inner.as_str()?.parse().ok());
            let keys = place.keys();
            let way = &keys[..keys.len() - usize::from(step.is_some())];
            let about = ABOUT.iter().find(|(keys, _)| way.ends_with(keys));
            let id = about.map_or(key.as_str(), |(_, id)| *id);
            let there = self.since(program, id);
            if there == Some(Since::Never) && step.is_none() {
                let message = format!("{} never has `{id}`", program.name);
                self.problems.key("out-of-order", &place, message, "remove it, or mend the id");
            } else if let Some(since) = there.and_then(Since::version)
                && named.is_some_and(|named| named < since)
            {
                let message = format!("{} has no `{id}` before {since}", program.name);
                let help = format!("write {since} or a later release");
                self.problems.value("out-of-order", &place, message, help);
            }
            let fields = inner.as_array().filter(|_| key == "fields" && self.operations.is_some());
            for (number, name) in fields.into_iter().flatten().enumerate() {
                let fields = || self.api.entities.iter().flat_map(|one| &one.fields);
                let known = || fields().map(|field| stem(&field.item.wire));
                let name = name.as_str().unwrap_or_default();
                if known().all(|known| known != name) {
                    let message = format!("no answer has a field `{name}`");
                    let help = did_you_mean(name, known(), "name a field of the instance document");
                    let place = place.then(number.to_string());
                    self.problems.value("unknown-reference", &place, message, help);
                }
            }
            let mut around = place.path.iter().rev().take(2);
            if let Some(url) =
                inner.as_str().filter(|_| around.any(|key| ADDRESSES.contains(&&**key)))
            {
                self.address(url, &place);
            }
            let status = inner.as_u64().filter(|_| key == "status");
            if let Some(status) = status.filter(|status| !has_status(&ERRORS, *status)) {
                let message = format!("`{status}` is not a status of an error");
                let help = "write the status of an error: 400 to 599";
                self.problems.value("error-status", &place, message, help);
            }
            let text = inner.as_str().unwrap_or_default();
            if text.starts_with("{\"") && serde_json::from_str::<Value>(text).is_err() {
                let message = format!("`{text}` is no JSON");
                let help = "close its brackets and quotes, or begin it otherwise";
                self.problems.value("unknown-value", &place, message, help);
            }
            if place.path.iter().any(|key| key == "told_at")
                && !text.is_empty()
                && !text.starts_with('/')
            {
                let message = format!("`{text}` leads to no place in an answer");
                let help = "begin it with `/`, as `/configuration/statuses/max_characters`";
                self.problems.value("unknown-value", &place, message, help);
            }
            let is_known = |slot: &str| SLOTS.contains(&slot);
            if let Some(slot) = inner.as_str().and_then(|text| unknown_slot(text, is_known)) {
                let message = format!("nothing stands for `{{{slot}}}`");
                let help = if is_known(slot) {
                    format!("close it: `{{{slot}}}`")
                } else {
                    one_of(slot, &SLOTS, "write one of")
                };
                self.problems.value("unknown-value", &place, message, help);
            }
            self.ways(program, inner, &place);
        }
    }

    /// Since when a program has an item.
    fn since(&self, program: &Program, id: &str) -> Option<Since> {
        let at = self.api.programs.iter().position(|one| one.name == program.name)?;
        self.items.get(id)?.life.get(at).map(|life| life.effective)
    }

    /// Checks that the limits of a program leave something to send.
    fn limits(&mut self, program: &Program, place: &NodePath<'a>) {
        let values = &program.ways.limits.values;
        let [least, most] =
            [KnownLimit::PollShortest, KnownLimit::PollLongest].map(|it| values.get(&it));
        let at = |steps: Option<&BTreeMap<StableVersion, u64>>, since: &StableVersion| {
            Some(*steps?.range(..=since).next_back()?.1)
        };
        let mut steps = [least, most].into_iter().flatten().flat_map(BTreeMap::keys);
        if let Some(since) = steps.find(|since| {
            at(least, since).zip(at(most, since)).is_some_and(|(least, most)| least > most)
        }) {
            let is_of_longest = most.is_some_and(|most| most.contains_key(since));
            let limit =
                if is_of_longest { KnownLimit::PollLongest } else { KnownLimit::PollShortest };
            let place = place.then(limit.name()).then(since.to_string());
            let message = "the longest poll is shorter than the shortest one";
            self.problems.value("wrong-bounds", &place, message, "mend one of the two");
        }
        for (limit, steps) in values {
            if let Some((since, _)) = steps.iter().find(|(_, value)| **value == 0) {
                let message = format!("`{}` leaves nothing to send", limit.name());
                let place = place.then(limit.name()).then(since.to_string());
                self.problems.value("wrong-bounds", &place, message, "write a greater number");
            }
        }
    }

    /// Reports a name that another program has.
    fn take(&mut self, name: (&'static str, &'a str), place: &NodePath<'a>) {
        let Some(before) = self.taken.get(&name) else {
            self.taken.insert(name, place.clone());
            return;
        };
        let message = format!("another program has the {} `{}`", name.0, name.1);
        self.problems
            .value("duplicate-id", place, message, "give it to one of the two")
            .with_value(before, "the other one");
    }

    fn releases(&mut self, program: &'a Program, list: &NodePath<'a>) {
        let mut before: Option<(StableVersion, &Release)> = None;
        let mut line: Option<(StableVersion, &Release)> = None;
        let mut api: Option<(u32, StableVersion)> = None;
        for (number, (version, one)) in program.releases.iter().enumerate() {
            let version = *version;
            let mut later = program.releases.values().skip(number + 1);
            let place = list.then(version.to_string());
            if let Some(date) = one.date.as_deref().filter(|date| !is_day(date)) {
                let message = format!("`{date}` is no day");
                let help = "write a day that the calendar has, as \"2024-10-07\"";
                self.problems.value("impossible-date", &place.then("date"), message, help);
            }
            if let Some(before) = before {
                let is_of_line = (before.0.0, before.0.1) == (version.0, version.1);
                let follows = before.0 < version;
                // Older lines go on beside newer ones, so that their beginnings alone follow each other in time.
                let before = if follows && !is_of_line { line.unwrap_or(before) } else { before };
                self.follows(program, before, (version, one), &place);
            }
            if line.is_none_or(|(first, _)| (first.0, first.1) != (version.0, version.1)) {
                line = Some((version, one));
            }
            match (one.api, api) {
                (Some(number), Some((most, of))) if number < most => {
                    let message = format!(
                        "{version} of {} publishes the number {number}, and {of} before it {most}",
                        program.name
                    );
                    let help = "a later release publishes at least the number of the one before";
                    self.problems.value("out-of-order", &place.then("api"), message, help);
                }
                // Of a release that is just registered it may not be known.
                (None, Some((_, of))) if of < version && later.any(|one| one.api.is_some()) => {
                    let message = format!(
                        "{version} of {} publishes no number, and those beside it do",
                        program.name
                    );
                    let help = "write its `api`, or mend the others";
                    self.problems.key("missing-key", &place, message, help);
                }
                _ => {}
            }
            api = one.api.map(|number| (number, version)).or(api);
            before = Some((version, one));
        }
    }

    /// Checks that a release comes after another one in version and in time.
    fn follows(
        &mut self,
        program: &Program,
        (before, earlier): (StableVersion, &Release),
        (version, later): (StableVersion, &Release),
        place: &NodePath<'a>,
    ) {
        if version <= before {
            let message = format!("{version} of {} does not come after {before}", program.name);
            let help = "list the releases in the order of their versions";
            self.problems.key("out-of-order", place, message, help);
            return;
        }
        let days = [earlier, later].map(|one| one.date.as_deref().filter(|date| is_day(date)));
        if let [Some(earlier), Some(later)] = days
            && later < earlier
        {
            let message = format!("{version} came out on {later}, before {before} on {earlier}");
            let help = "mend one of the two dates";
            self.problems.value("out-of-order", &place.then("date"), message, help);
        }
    }
}

/// The first name in braces that stands for nothing. A text may be JSON, which has braces of its own.
pub(super) fn unknown_slot(text: &str, is_known: impl Fn(&str) -> bool) -> Option<&str> {
    let names = text.split('{').skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        end.map_or((rest, false), |end| (&rest[..end], rest[end..].starts_with('}')))
    });
    let mut wrong = names.filter(|(name, is_closed)| !is_closed || !is_known(name));
    wrong.find_map(|(name, _)| is_identifier(name).then_some(name))
}
