//! Features: a constant for each, with the ids of its items.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::Context;
use super::docs::{Docs, code};
use super::file::File;
use super::names;
use super::options::Form;
use fedispec_model::api::{Feature, Since};
use fedispec_model::features::Features;

/// `features.rs`
pub(super) fn file(context: &Context<'_>) -> File {
    let lives = context.feature_lives();
    let root = names::path(&context.root(1));
    let constants = context.told.features.iter().map(|feature| constant(context, &lives, feature));
    let mut items: Vec<_> = std::iter::once(quote!(use #root::items; use rt::Feature;)).collect();
    items.extend(constants);
    let all = context.told.features.iter().map(|feature| names::ident(&feature.constant()));
    items.push(quote! {
        /// All of them, by id.
        pub const ALL: &[Feature] = &[#(#all),*];
    });
    let docs = Docs::default().markdown("Features: what people ask for, each made up of items.");
    let has_sample = context.options.form == Form::Crate
        && context.told.features.iter().any(|feature| feature.id == "edit_history");
    File {
        module: vec!["features".into()],
        docs: if has_sample {
            docs.lines_of(SAMPLE.replace("PROGRAM", &context.api.profiles.reference))
        } else {
            docs
        },
        items,
        ..File::default()
    }
}

const SAMPLE: &str = "\
Whether a server has one is told with evidence, from the lives of its items:

```
use fedispec::{features, runtime::compatibility::RemoteServer};

let server = RemoteServer::of(\"PROGRAM\", \"4.3.0\");
assert!(server.has(features::EDIT_HISTORY).is_yes());
```";

fn constant(context: &Context<'_>, lives: &Features<'_>, feature: &Feature) -> TokenStream {
    let (name, id) = (names::ident(&feature.constant()), &feature.id);
    let Feature { all, one_of, .. } = feature;
    let docs = Docs::default().words(&feature.summary);
    let docs = docs.all(since(context, lives, feature)).markdown(needs(feature)).outer();
    quote! {
        #docs
        pub const #name: Feature = Feature::new(#id, items, &[#(#all),*], &[#(#one_of),*]);
    }
}

/// `Since Mastodon 3.5.0 · GoToSocial 0.18.0`, of the programs that types are made for.
fn since(context: &Context<'_>, lives: &Features<'_>, feature: &Feature) -> Option<String> {
    let supported: Vec<&str> =
        context.floors.by_program(context.api).map(|(program, _)| program).collect();
    let programs = context.told.programs.iter().enumerate();
    let counted = programs.filter(|(_, program)| supported.contains(&program.key.as_str()));
    let lives = counted.map(|(place, program)| (&program.name, lives.life(feature, place)));
    let lives: Vec<_> = lives.collect();
    let dated = lives.iter().filter(|(_, life)| matches!(life.since, Since::Since(_)));
    let dated: Vec<_> = dated.map(|(name, life)| format!("{name} {}", life.text())).collect();
    let never = lives.iter().filter(|(_, life)| life.since == Since::Never);
    let never = never.map(|(name, _)| format!("not in {name}"));
    (!dated.is_empty()).then(|| {
        format!("Since {}", dated.iter().cloned().chain(never).collect::<Vec<_>>().join(" · "))
    })
}

fn needs(feature: &Feature) -> String {
    let list = |ids: &[String]| ids.iter().map(|id| code(id)).collect::<Vec<_>>().join(", ");
    match (feature.all.as_slice(), feature.one_of.as_slice()) {
        (all, []) => format!("Needs {}.", list(all)),
        ([], one_of) => format!("Needs one of {}.", list(one_of)),
        (all, one_of) => format!("Needs {}, and one of {}.", list(all), list(one_of)),
    }
}
