//! The root of the crate, and the list of all modules.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::context::Context;
use super::docs::Docs;
use super::file::{File, Mod};
use fedispec_model::api::{Entity, Program};

use super::{
    Form, client, current, entities, enums, events, features, front, includes, names, requests,
    server, table,
};

/// Makes the file of a module.
pub(super) type Job<'a> = Box<dyn Fn() -> File + Sync + 'a>;

/// Every module of the crate, the longest first: a thread that takes it last would keep the others waiting.
pub(super) fn jobs<'a>(context: &'a Context<'_>) -> Vec<Job<'a>> {
    let mut jobs: Vec<Job<'a>> = Vec::new();
    let mut add = |is_there: bool, make: fn(&Context<'_>) -> File| {
        if is_there {
            jobs.push(Box::new(move || make(context)));
        }
    };
    let (client, server) = (context.options.client, context.options.server);
    add(true, table::file);
    add(true, root);
    add(true, entities::index);
    add(true, enums::index);
    add(context.has_events(), events::file);
    add(!context.told.features.is_empty(), features::file);
    add(client, client::index);
    add(server, server::index);
    add(server && context.newest().is_some(), current::file);
    for node in &context.groups {
        jobs.push(Box::new(|| requests::module(context, node)));
        if server && node.operations.iter().any(|operation| operation.route.is_some()) {
            jobs.push(Box::new(|| server::module(context, node)));
        }
    }
    for (module, entities) in &context.entity_modules {
        jobs.push(Box::new(|| {
            let mut file = entities::module(context, module, entities);
            let convert = |entity: &&Entity| includes::conversions(context, entity, module);
            file.items.extend(entities.iter().filter_map(convert));
            file
        }));
    }
    for (module, enums) in &context.enum_modules {
        jobs.push(Box::new(|| enums::module(context, module, enums)));
    }
    jobs
}

fn root(context: &Context<'_>) -> File {
    let half =
        |name: &str, feature| Mod { name: name.into(), public: true, feature: Some(feature) };
    let mut mods = vec![Mod::public("entities"), Mod::public("enums"), Mod::private("items")];
    mods.extend(context.groups.iter().map(|node| Mod::public(&node.module)));
    mods.extend(context.has_events().then(|| Mod::public("events")));
    mods.extend((!context.told.features.is_empty()).then(|| Mod::public("features")));
    if context.options.client {
        mods.push(half("client", "client-core"));
    }
    if context.options.server {
        mods.push(half("server", "server"));
        mods.extend(context.newest().map(|_| half("current", "server")));
    }
    mods.sort_by(|a, b| a.name.cmp(&b.name));
    let runtime = names::path(&context.options.runtime);
    let exports = match context.options.form {
        Form::Crate => quote!(pub use #runtime as runtime; pub use self::items::{FLOORS, items};),
        Form::Single => quote!(
            #[allow(unreachable_pub, unused_imports)]
            pub use self::items::{FLOORS, items};
        ),
    };
    File {
        docs: Docs::default()
            .markdown(format!("The {} as servers really have it: every operation, parameter, field, enumeration and value with the release of each program that brought it.", context.api.title()))
            .markdown(programs(context))
            .markdown(guarantee(context))
            .lines_of(front::page(context)),
        crate_attributes: quote! {
            #![forbid(unsafe_code)]
            #![cfg_attr(docsrs, feature(doc_cfg))]
            #![allow(
                clippy::doc_markdown,
                clippy::struct_excessive_bools,
                reason = "the words are the catalogue's, and the fields are the API's"
            )]
        },
        mods,
        items: [exports].into_iter().chain(parameters(context)).collect(),
        ..File::default()
    }
}

/// The macro to which every request gives the table of its parameters: it calls that of each half that is wanted.
fn parameters(context: &Context<'_>) -> Option<TokenStream> {
    let options = context.options;
    let runtime = names::path(&options.runtime);
    let half = |wanted: bool, feature: &str, name: TokenStream| {
        let condition = (options.form == Form::Crate).then(|| quote!(#[cfg(feature = #feature)]));
        wanted.then(|| quote!(#condition #runtime::#name!($($table)*);))
    };
    let encode = half(options.client, "client-core", quote!(encode));
    let decode = half(options.server, "server", quote!(decode));
    (options.client || options.server).then(|| {
        quote! {
            /// Encodes and decodes the parameters of a request by a table of its fields.
            #[allow(unused_macros)]
            macro_rules! parameters {
                ($($table:tt)*) => { #encode #decode };
            }
            #[allow(unused_imports)]
            pub(crate) use parameters;
        }
    })
}

/// `It knows Mastodon 0.1.0 to 4.6.5 and GoToSocial 0.1.0 to 0.19.2.`
fn programs(context: &Context<'_>) -> String {
    let programs = context.api.programs.iter().map(Program::span);
    let programs: Vec<String> = programs.collect();
    format!("It knows {}.", programs.join(" and "))
}

/// The oldest supported releases, on the front page of the crate.
fn guarantee(context: &Context<'_>) -> String {
    let floors = context.floors.by_program(context.api);
    let floors = floors.filter_map(|(key, floor)| {
        let program = context.api.program(key)?;
        Some(format!("{} {floor}", program.name))
    });
    let floors: Vec<String> = floors.collect();
    let error = if context.options.client {
        ", and where the client knows its server the error says so"
    } else {
        ""
    };
    format!(
        "Its types are made for {} and what came after ([`FLOORS`]): what all these releases send is plain, and what one of them may lack is \
         an `Option`, or a list that may be empty. The answers of an older server may not decode{error}. A build script sets other floors.",
        floors.join(" and ")
    )
}

/// Each program that counts, with its oldest supported and its newest release.
fn spans(context: &Context<'_>) -> Vec<String> {
    let spans = context.floors.by_program(context.api);
    let spans = spans.filter_map(|(key, first)| {
        let program = context.api.program(key)?;
        let newest = program.releases.last().map(|r| &r.version);
        let last = context.options.ceilings.get(key).or(newest)?;
        Some(format!("{} {first} to {last}", program.name))
    });
    spans.collect()
}

/// One text of nested modules.
pub(super) fn single(context: &Context<'_>) -> String {
    let mut files: Vec<File> = jobs(context).iter().map(|job| job()).collect();
    // The root has no documentation of its own: it is included in a module of the user's.
    let about_types = files.iter_mut().filter(|file| file.module == ["entities"]);
    for file in about_types {
        file.docs = std::mem::take(&mut file.docs).markdown(support(context));
    }
    nested(context, &files)
}

/// Documents what the types guarantee, and for which releases.
fn support(context: &Context<'_>) -> String {
    let newer = if context.options.guaranteed_only {
        "what one of them may lack is left out"
    } else {
        "what one of them may lack is an `Option`, or a list that may be empty"
    };
    format!(
        "Made for {}: what each of these releases sends is plain; {newer}.",
        spans(context).join(" and ")
    )
}

fn nested(context: &Context<'_>, files: &[File]) -> String {
    let mut below: BTreeMap<&[String], Vec<&File>> = BTreeMap::new();
    for file in files {
        if let Some((_, parent)) = file.module.split_last() {
            below.entry(parent).or_default().push(file);
        }
    }
    let mut root = String::new();
    if let Some(file) = files.iter().find(|file| file.module.is_empty()) {
        root = inline(context, file, &below);
    }
    root
}

/// Modules are two deep, so that this recursion is.
fn inline(context: &Context<'_>, file: &File, below: &BTreeMap<&[String], Vec<&File>>) -> String {
    let children = below.get(file.module.as_slice()).map(Vec::as_slice).unwrap_or_default();
    let children: String = children.iter().map(|child| inline(context, child, below)).collect();
    file.inline(context, &children)
}
