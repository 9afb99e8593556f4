//! The item table: a row for every item that can have a Since.
//!
//! The rows are JSON that the runtime reads: thousands of constants would cost every user's compiler more than all operations do.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::context::Context;
use super::docs::Docs;
use super::file::File;
use super::operation::{LIMIT, newest_auth};
use super::stamp::arguments;
use fedispec_model::api::{
    Operation, Param, Program, Release, Since, State, Type, UNAUTHORIZED, one_of_several,
};
use fedispec_model::auth::{State as AuthState, states};
use fedispec_model::change::ChangedFact;
use fedispec_model::constructors::{is_always_argument, is_edit};
use fedispec_model::rows::{Row, RowSubject};
use fedispec_since::row::{self, FORM, ProgramRow, Requirement, Unlisted};
use fedispec_since::{
    Bounds, ErrorText, FixedError, Kind, LeftOut, Life, PageSize, Required, StableVersion, Stage,
    Stretch, TokenKind, Unset,
};

/// `items.rs`
pub(super) fn file(context: &Context<'_>) -> File {
    File {
        module: vec!["items".into()],
        docs: Docs::default()
            .markdown("Every operation, parameter, field, enumeration and value, with the releases that have it."),
        items: vec![
            quote!(use rt::{ItemTable, Program, Release};),
            items(context),
            floors(context),
        ],
        tail: tables(context),
        ..File::default()
    }
}

/// `items()`, which teaches the runtime the programs that it does not know.
fn items(context: &Context<'_>) -> TokenStream {
    let profiles = || serde_json::to_string(&context.api.profiles).ok();
    let profiles = context.options.teaches.then(profiles).flatten();
    let learn = profiles.map(|profiles| {
        quote! {
            static LEARNED: ::std::sync::Once = ::std::sync::Once::new();
            LEARNED.call_once(|| rt::codegen::learn(#profiles));
        }
    });
    quote! {
        /// The item table.
        pub fn items() -> &'static ItemTable {
            #learn
            &ITEMS
        }
    }
}

/// `FLOORS`
fn floors(context: &Context<'_>) -> TokenStream {
    let floors = context.floors.by_program(context.api).map(|(key, floor)| {
        let (major, minor, patch) = floor.numbers();
        let [major, minor, patch] = [major, minor, patch].map(Literal::u16_unsuffixed);
        quote!((#key, rt::Version::new(#major, #minor, #patch)))
    });
    quote! {
        /// The oldest release of each program, by its key, that the types are made for. What an older server answers may not decode.
        pub const FLOORS: &[(&str, rt::Version)] = &[#(#floors),*];
    }
}

fn tables(context: &Context<'_>) -> String {
    let mut text = String::from("\nstatic PROGRAMS: &[Program] = &[\n");
    for program in &context.told.programs {
        push_program(&mut text, program, context.floors.of_program(&program.key));
    }
    text += "];\n\nstatic ITEMS: ItemTable = ItemTable::new(\n    PROGRAMS,\n";
    let rows = context.rows.iter();
    let rows = rows.map(|row| (row.item.id.as_str(), item(row).short())).collect();
    push_block(&mut text, "    ", "\"form\"", FORM, &rows);
    text += "    &[\n";
    for (place, program) in context.told.programs.iter().enumerate() {
        let base = program.based_on.as_deref().and_then(|base| context.told.column(base));
        let base = base.filter(|base| *base < place);
        let rows = context.rows.iter();
        let rows = rows.map(|row| {
            let said = in_program(context, row, place);
            let is_stated = row.item.life.get(place).is_some_and(|life| life.at.is_some());
            let base = base.filter(|_| !is_stated);
            let is_taken_over =
                base.is_some_and(|base| context.row_stamp(row.item).life(base) == said.life);
            (row.item.id.as_str(), (said, is_taken_over))
        });
        let mut rows: BTreeMap<_, _> = rows.collect();
        let otherwise = otherwise(program, &rows);
        let mut unlisted = Unlisted::new(otherwise.clone());
        rows.retain(|id, (row, is_taken_over)| {
            let is_told = *is_taken_over || *row == *unlisted.row(id);
            unlisted.pass(id, row);
            !is_told
        });
        _ = writeln!(text, "        // {}", program.name);
        let rows = rows.into_iter().map(|(id, (row, _))| (id, row.short())).collect();
        let base = base.map(|base| format!("\"based_on\": {base}, "));
        let head = format!("{}\"otherwise\"", base.unwrap_or_default());
        push_block(&mut text, "        ", &head, &otherwise, &rows);
    }
    text + "    ],\n);\n"
}

/// A raw string of JSON with a line for each row, below what holds of all.
fn push_block<R: Serialize>(
    text: &mut String,
    indent: &str,
    head: &str,
    of_all: impl Serialize,
    rows: &BTreeMap<&str, R>,
) {
    let line = |(id, row): (&&str, &R)| {
        let row = serde_json::to_string(row).expect("a row has text keys");
        format!("{}: {row}", json!(id))
    };
    let lines: Vec<_> = rows.iter().map(line).collect();
    let block = format!("{{{head}: {}, \"items\": {{\n{}\n}}}}", json!(of_all), lines.join(",\n"));
    let fence = fence(&block);
    _ = writeln!(text, "{indent}r{fence}\"{block}\"{fence},");
}

/// The life that a block need not list: of the two that say the least, the more frequent one. Where facts stand apart, what nobody has
/// looked for is unknown, so that another item is no line in any of these blocks.
fn otherwise(program: &Program, rows: &BTreeMap<&str, (ProgramRow, bool)>) -> Life {
    let [never, unknown] =
        [Since::Never, Since::Unknown].map(|since| Life::lived(since, None, Vec::new()));
    let count = |wanted: &Life| {
        let wanted = ProgramRow::new(wanted.clone());
        rows.values().filter(|(row, _)| *row == wanted).count()
    };
    if program.apart || count(&unknown) > count(&never) { unknown } else { never }
}

/// The signs of a raw string that holds the text.
fn fence(text: &str) -> String {
    let mut fence = "#".to_owned();
    while text.contains(&format!("\"{fence}")) {
        fence.push('#');
    }
    fence
}

/// The facts of an item that hold in every program.
fn item(row: &Row<'_>) -> row::Row {
    let (id, wire) = (&row.item.id, &row.item.wire);
    let param = match row.subject {
        RowSubject::Param(_, param) => Some(param),
        _ => None,
    };
    let is_named = row.kind() != Kind::Operation && id.rsplit('.').next() != Some(wire);
    row::Row {
        wire: is_named.then(|| wire.clone()),
        inherited: row.inherited(),
        left_out: param.and_then(|param| param.left_out.clone()),
        values: param.and_then(|param| enumeration(&param.r#type)).map(str::to_owned),
        words: param.and_then(|param| param.words.clone()),
        unset: param.and_then(|param| param.unset),
        ..row::Row::new(row.kind())
    }
}

/// The enumeration that the values of a type are from.
fn enumeration(ty: &Type) -> Option<&str> {
    match ty {
        Type::Enum(id) => Some(id),
        Type::List(element) => enumeration(element),
        _ => one_of_several(ty).and_then(enumeration),
    }
}

/// The facts of an item in a program, by the program's place.
fn in_program(context: &Context<'_>, row: &Row<'_>, place: usize) -> ProgramRow {
    let life = context.row_stamp(row.item).life(place);
    let mut said = ProgramRow::new(life);
    if let RowSubject::Operation(operation) = row.subject {
        said.auth = auth(operation, place);
        said.success = differing(operation, place, ChangedFact::Success, &operation.all_success());
        said.paging = differing(operation, place, ChangedFact::Paging, &operation.paging);
        said.errors = errors(operation, place);
        said.stub = row.item.life.get(place).is_some_and(|life| life.stub.is_some());
    }
    if let RowSubject::Param(operation, param) = row.subject {
        said.left_out = left_out(param, place);
        said.refused = param.refused.get(place).copied().flatten();
        said.missing = param.missing.get(place).cloned().flatten().unwrap_or_default();
        let by_constructors = is_always_argument(param);
        let otherwise = if by_constructors { &mut said.spared } else { &mut said.demanded };
        *otherwise = demanded_otherwise(param, place);
        said.resets = resets(operation, param, place);
        said.pages = pages(param, place);
        said.bounds = bounds(param, place);
    }
    said
}

/// The authorization of an operation in a program, from the oldest release to the newest; empty where it is the operation's own.
fn auth(operation: &Operation, place: usize) -> Vec<Stage<Requirement>> {
    let is_apart = operation.item.life.get(place).is_some_and(|life| life.apart);
    let states = states(operation, place);
    let newest = newest_auth(operation);
    if !is_apart && states.iter().all(|state| Some(&state.auth) == newest.as_ref()) {
        return Vec::new();
    }
    let known = states.into_iter().filter(|state| state.auth.token != TokenKind::Unknown);
    let asked = known.map(|AuthState { since, auth }| Stage {
        since,
        is: Requirement {
            token: auth.token,
            scopes: auth.scopes.join(" "),
            all: auth.all,
            permissions: auth.permissions.join(" "),
            unauthenticated: Some(auth.unauthenticated).filter(|status| *status != UNAUTHORIZED),
        },
    });
    asked.collect()
}

/// A fact of an operation in a program, from the oldest release to the newest; nothing where all programs are alike.
fn differing<T: DeserializeOwned + PartialEq>(
    operation: &Operation,
    place: usize,
    what: ChangedFact,
    common: &T,
) -> Vec<Stage<T>> {
    let is_there =
        operation.item.life.get(place).is_some_and(|life| life.effective != Since::Never);
    let newest = operation.state(place, what);
    let mut states = stages(operation.item.states(place, what, newest));
    if !is_there || states.iter().all(|state| state.is == *common) {
        states.clear();
    }
    states
}

/// The statuses of which a server's author says no more than that: `Error::forbidden`, `not_found` and `gone`.
const GENERAL: [u16; 3] = [403, 404, 410];

/// The words of an operation's general errors in a program.
fn errors(operation: &Operation, place: usize) -> Vec<FixedError> {
    let general = operation.errors.iter().filter(|error| GENERAL.contains(&error.status));
    let said = general.filter_map(|error| {
        let ErrorText { text, since } = error.text.get(place).cloned().flatten()?;
        let until = error.life.get(place).and_then(|life| life.removed);
        // An empty body is no error with an empty text.
        (!text.is_empty()).then_some(FixedError { status: error.status, text, since, until })
    });
    said.collect()
}

/// The effect of leaving a parameter out in a program, from the oldest release to the newest; nothing where it is that of all programs
/// together and that holds of the program.
fn left_out(param: &Param, place: usize) -> Vec<Stage<LeftOut>> {
    let newest = param.state(place, ChangedFact::LeftOut);
    let states = stages(param.item.states(place, ChangedFact::LeftOut, newest));
    let is_apart = param.item.life.get(place).is_some_and(|life| life.apart);
    let is_same = states.iter().all(|state| Some(&state.is) == param.left_out.as_ref());
    if is_same && !is_apart { Vec::new() } else { states }
}

/// The states of a fact that are known.
fn stages<T: DeserializeOwned>(states: Vec<(Option<StableVersion>, State)>) -> Vec<Stage<T>> {
    let states = states.into_iter();
    states.filter_map(|(since, state)| Some(Stage { since, is: state.read()? })).collect()
}

/// The releases of a program that demand a parameter which constructors leave to the caller, or that do not demand one which they take.
fn demanded_otherwise(param: &Param, place: usize) -> Vec<Stretch> {
    let (always, is_taken) = (json!(Required::Always), is_always_argument(param));
    stretches(param, place, ChangedFact::Required, |one| (*one == always) != is_taken)
}

/// The releases of a program of which an edit resets a parameter that it does not set.
fn resets(operation: &Operation, param: &Param, place: usize) -> Vec<Stretch> {
    if !is_edit(operation) || is_always_argument(param) {
        return Vec::new();
    }
    let reset = json!(Unset::Reset);
    stretches(param, place, ChangedFact::Unset, |one| *one == reset)
}

/// The releases of a program in which a fact of a parameter has a value that fits.
fn stretches(
    param: &Param,
    place: usize,
    what: ChangedFact,
    fits: impl Fn(&serde_json::Value) -> bool,
) -> Vec<Stretch> {
    let first = match param.item.life.get(place).map(|life| life.effective) {
        Some(Since::Since(first)) if param.parent.is_none() => first,
        _ => return Vec::new(),
    };
    let states = param.item.states(place, what, param.state(place, what));
    let holds = |state: &State| matches!(state, State::Is(one) if fits(one));
    let mut stretches: Vec<Stretch> = Vec::new();
    for (since, state) in &states {
        match stretches.last_mut().filter(|stretch| stretch.until.is_none()) {
            Some(stretch) if !holds(state) => stretch.until = *since,
            None if holds(state) => {
                stretches.push(Stretch { since: since.unwrap_or(first), until: None });
            }
            _ => {}
        }
    }
    stretches
}

/// The sizes of the pages of a list in a program, from the oldest release to the newest.
fn pages(param: &Param, place: usize) -> Vec<PageSize> {
    if param.item.wire != LIMIT || param.parent.is_some() {
        return Vec::new();
    }
    let states = both(param, place, [ChangedFact::Default, ChangedFact::Max]);
    if states.iter().any(|(_, both)| both.contains(&State::Unknown)) {
        return Vec::new();
    }
    let sizes = states.into_iter().map(|(since, [default, most])| PageSize {
        since,
        default: default.read(),
        most: most.read(),
    });
    sizes.collect()
}

/// The bounds of a parameter's value in a program, from the oldest release to the newest.
fn bounds(param: &Param, place: usize) -> Vec<Stage<Bounds>> {
    let states = both(param, place, [ChangedFact::MaxLength, ChangedFact::MaxItems]).into_iter();
    let bounds = states.map(|(since, [length, items])| Stage {
        since,
        is: Bounds { max_length: length.read(), max_items: items.read() },
    });
    let bounds: Vec<_> = bounds.collect();
    let has_any = bounds.iter().any(|bounds| bounds.is != Bounds::default());
    if has_any { bounds } else { Vec::new() }
}

/// The states of two facts of a parameter in a program, by the release since which both hold; none where no release has it.
fn both(
    param: &Param,
    place: usize,
    facts: [ChangedFact; 2],
) -> Vec<(Option<StableVersion>, [State; 2])> {
    if param.item.life.get(place).is_none_or(|life| life.effective == Since::Never) {
        return Vec::new();
    }
    let states = facts.map(|what| param.item.states(place, what, param.state(place, what)));
    let mut releases: Vec<_> = states.iter().flatten().map(|(since, _)| *since).collect();
    releases.sort_unstable();
    releases.dedup();
    let at = |release, states: &[(Option<StableVersion>, State)]| {
        let state = states.iter().rev().find(|(since, _)| *since <= release);
        state.map_or(State::Unknown, |(_, state)| state.clone())
    };
    let releases = releases.into_iter();
    releases.map(|since| (since, states.each_ref().map(|one| at(since, one)))).collect()
}

fn push_program(text: &mut String, program: &Program, floor: Option<StableVersion>) {
    let Program { key, name, nodeinfo, .. } = program;
    _ = writeln!(text, "    Program::new({key:?}, {name:?}).nodeinfo(&{nodeinfo:?}).releases(&[");
    for release in &program.releases {
        push_release(text, release);
    }
    let looked_at = program.newest_looked_at();
    let looked_at = looked_at.map(|version| format!(".looked_at({})", arguments(version)));
    let floor = floor.map(|version| format!(".floor({})", arguments(version)));
    let [looked_at, floor] = [looked_at, floor].map(Option::unwrap_or_default);
    let apart = if program.stands_apart() { ".apart()" } else { "" };
    text.extend(["    ])", &looked_at, &floor, apart, ",\n"]);
}

fn push_release(text: &mut String, release: &Release) {
    let date = release.date.as_ref().map_or(String::new(), |date| format!(".date({date:?})"));
    let api = release.api.map_or(String::new(), |api| format!(".api({api})"));
    _ = writeln!(text, "        Release::new({}){date}{api},", arguments(release.version));
}

#[cfg(test)]
mod tests {
    use super::fence;

    #[test]
    fn no_text_ends_its_raw_string() {
        assert_eq!(fence("a \"b\""), "#");
        assert_eq!(fence("a \"# b \"## c"), "###");
    }
}
