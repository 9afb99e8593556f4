//! `new`: the skeleton of an item, with every fact that has to be stated and no value, so that `check` lists what is left to fill in.

use std::fmt::Write as _;
use std::fs;

use clap::{Args, ValueEnum};
use fedispec_commands::failure::Failure;
use fedispec_commands::output;
use fedispec_commands::place::Place;
use fedispec_reader::layout::layout;
use fedispec_reader::load::{self, Catalogue, LayerKind};
use fedispec_reader::model::Origin;

#[derive(Args)]
pub(crate) struct NewArgs {
    /// What it is
    #[arg(value_enum)]
    kind: Kind,
    /// Its id: group and name
    #[arg(value_name = "GROUP.NAME")]
    id: String,
    /// The method
    #[arg(long)]
    method: Option<String>,
    /// The path; its parameters are added
    #[arg(long)]
    path: Option<String>,
    /// Names of other parameters
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    params: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// A method on a path
    Operation,
}

pub(crate) fn run(place: &Place, args: &NewArgs) -> Result<(), Failure> {
    let Kind::Operation = args.kind;
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    let group = args.id.split_once('.').filter(|(group, name)| is_word(group) && is_word(name));
    let Some((group, _)) = group else {
        return Err(Failure::Other(format!(
            "`{}` is no id of an operation; write `group.name` in small letters",
            args.id
        )));
    };
    // A catalogue that `check` refuses is no obstacle: it may only lack what a former skeleton asks for.
    let catalogue = load::load_all(&place.spec, &[]).catalogue;
    if let Some(taken) = where_it_is(&catalogue, &args.id) {
        return Err(Failure::Other(format!("`{}` is there already: {taken}", args.id)));
    }
    let (path, text) = with(&catalogue, group, args);
    let text = layout(&path, &text).map_err(|(sources, problems)| {
        let report = fedispec_reader::diagnostic::Report::new(problems);
        Failure::Invalid(Box::new(load::Failure { sources, report }))
    })?;
    let file = place.spec.join(&path);
    fs::write(&file, text).map_err(|error| Failure::file("write", &file, &error))?;
    output::stdout(&format!(
        "{} is in {}/{path}; `cargo xtask check` lists what is to be filled in\n",
        args.id, place.spec_name
    ))
}

/// The place of an operation in any layer.
fn where_it_is(catalogue: &Catalogue, id: &str) -> Option<String> {
    let files = catalogue.layers.iter().flat_map(|layer| &layer.files);
    let mut of_it = files.filter(|one| one.content.operations.contains_key(id));
    let file = of_it.next()?.file;
    let sources = &catalogue.sources;
    let line = sources.line_col(file, sources.nearest(file, &["operations", id]).name().start).0;
    Some(format!("{}:{line}", sources.display_path(file)))
}

/// The file of the supplement that has the group's operations, with the new one behind them; or a new file.
fn with(catalogue: &Catalogue, group: &str, args: &NewArgs) -> (String, String) {
    let sources = &catalogue.sources;
    let supplement = catalogue.layers.iter().filter(|layer| layer.kind == LayerKind::Supplement);
    let mut places = supplement.flat_map(|layer| &layer.files).filter_map(|one| {
        let operations = one.content.operations.keys();
        let mut of_group = operations.filter(|id| id.split('.').next() == Some(group));
        Some((one.file, of_group.next_back()?))
    });
    let Some((file, last)) = places.next_back() else {
        return (format!("supplement/{group}.yaml"), new_file(catalogue, group, args));
    };
    let mut text = sources.text(file).to_owned();
    let end = sources.nearest(file, &["operations", last]).value.end;
    let end = text[end..].find('\n').map_or(text.len(), |line| end + line + 1);
    text.insert_str(end, &format!("\n{}", skeleton(catalogue, args)));
    (sources.path(file).to_owned(), text)
}

fn new_file(catalogue: &Catalogue, group: &str, args: &NewArgs) -> String {
    format!(
        "# yaml-language-server: $schema=../schema/layer.json\narea: {}\n\ndefaults:\n  inherits: true\n  evidence: {{{}shape: }}\n\n\
         groups:\n  {group}: {{summary: }}\n\noperations:\n{}",
        group.replace('_', " "),
        by_program(catalogue) + ", ",
        skeleton(catalogue, args),
    )
}

/// An empty value for each program of which the layers speak.
fn by_program(catalogue: &Catalogue) -> String {
    let programs = catalogue.implementations.programs.iter();
    let programs = programs.filter(|(_, program)| program.origin == Origin::Registry);
    programs.map(|(key, _)| format!("{key}: ")).collect::<Vec<_>>().join(", ")
}

fn skeleton(catalogue: &Catalogue, args: &NewArgs) -> String {
    let since = by_program(catalogue);
    let method = args.method.as_deref().unwrap_or_default().to_uppercase();
    let path = args.path.as_deref().unwrap_or_default();
    let mut text = format!(
        "  {}:\n    summary:\n    since: {{{since}}}\n    method: {method}\n    path: {path}\n    auth: {{token: , scopes: }}\n    returns:\n",
        args.id
    );
    let in_path = path.split('/').filter_map(|part| part.strip_prefix(':'));
    let in_path: Vec<_> = in_path.collect();
    if in_path.is_empty() && args.params.is_empty() {
        return text;
    }
    text.push_str("    params:\n");
    for name in in_path {
        _ = writeln!(text, "      {name}: {{in: path, type: , required: true}}");
    }
    let location = match method.as_str() {
        "GET" | "DELETE" => "query",
        "" => "",
        _ => "form",
    };
    for name in &args.params {
        let rest = "type: , required: , left_out: ";
        _ = writeln!(text, "      \"{name}\": {{summary: , in: {location}, {rest}}}");
    }
    text
}
