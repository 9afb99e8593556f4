//! The version stamp of an item: its attribute, its line of documentation and the lives of its row, from one source.

use proc_macro2::TokenStream;
use quote::quote;

use super::docs::code;
use super::names;
use fedispec_model::api::{Item, Life, Program, Since};
use fedispec_model::change::{ChangedFact, still_do};
use fedispec_since::{StableVersion, scopes};

/// The use that a program makes of an item, which decides the words about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// An operation.
    Operation,
    /// A parameter, or a member of one.
    Param,
    /// An entity or field that operations answer.
    Answer,
    /// An enumeration or one of its values.
    Value,
}

/// An item's Since, ready to be written down.
pub(super) struct Stamp<'a> {
    programs: &'a [Program],
    item: &'a Item,
    /// Since when each program really has it.
    effective: Vec<Since>,
}

impl<'a> Stamp<'a> {
    pub(super) fn new(programs: &'a [Program], item: &'a Item, effective: Vec<Since>) -> Self {
        Self { programs, item, effective }
    }

    /// Each program that has a life of the item, with it.
    fn lives(&self) -> impl Iterator<Item = (&'a Program, &'a Life)> {
        self.programs.iter().zip(&self.item.life)
    }

    /// Whether some release of some program is known to have it first.
    pub(super) fn is_dated(&self) -> bool {
        !self.item.implied && self.lives().any(|(_, life)| matches!(life.since, Since::Since(_)))
    }

    /// `#[since(mastodon = "3.4.0", gotosocial = never)]`, or nothing.
    pub(super) fn attribute(&self) -> TokenStream {
        self.attribute_at(&quote!(since))
    }

    /// The same as an attribute macro of the runtime, where no derive owns the helper.
    pub(super) fn macro_attribute(&self) -> TokenStream {
        self.attribute_at(&quote!(rt::since))
    }

    fn attribute_at(&self, path: &TokenStream) -> TokenStream {
        if !self.is_dated() {
            return TokenStream::new();
        }
        let arguments = self.lives().filter_map(|(program, life)| {
            let key = names::ident(&program.key);
            match life.since {
                Since::Since(version) => {
                    let version = version.to_string();
                    Some(quote!(#key = #version))
                }
                Since::Never => Some(quote!(#key = never)),
                Since::Unknown => None,
            }
        });
        quote!(#[#path(#(#arguments),*)])
    }

    /// `Since Mastodon 3.4.0 · not in GoToSocial`, or nothing.
    pub(super) fn line(&self) -> Option<String> {
        if !self.is_dated() {
            return None;
        }
        let dated = self.lives().filter_map(|(program, life)| {
            let version = life.since.version()?;
            Some(format!("{} {version}", program.name))
        });
        let never = self.lives().filter(|(_, life)| life.since == Since::Never);
        let never = never.map(|(program, _)| format!("not in {}", program.name));
        Some(format!("Since {}", dated.chain(never).collect::<Vec<_>>().join(" · ")))
    }

    /// Since when programs really have it, where that is later than its Since says: a sentence each.
    pub(super) fn effective(&self, role: Role) -> Option<String> {
        let verb = if role == Role::Answer { "answers" } else { "takes" };
        let none = |program: &str| format!("No operation of the catalogue {verb} it in {program}");
        let lives = self.lives().zip(&self.effective);
        let sentences = lives.filter_map(|((program, life), effective)| {
            let name = &program.name;
            match (life.since, effective) {
                (Since::Since(own), Since::Since(later)) if *later > own => {
                    Some(format!("{} before {later}.", none(name)))
                }
                (Since::Since(_), Since::Never) => Some(none(name) + "."),
                _ => None,
            }
        });
        let sentences = sentences.collect::<Vec<_>>().join(" ");
        (self.is_dated() && !sentences.is_empty()).then_some(sentences)
    }

    /// Lists the later events of its life, a paragraph each: works since, deprecated, removed, absent, changed.
    pub(super) fn history(&self, role: Role) -> Vec<String> {
        self.lives().flat_map(|(program, life)| history(program, life, role)).collect()
    }

    /// Its life in a program, by the program's place; where there is none, nobody says.
    pub(super) fn life(&self, place: usize) -> fedispec_since::Life {
        let life = self.item.life.get(place).zip(self.effective.get(place));
        life.map(|(life, effective)| life.whole(*effective)).unwrap_or_default()
    }
}

fn history(of: &Program, life: &Life, role: Role) -> Vec<String> {
    let program = &of.name;
    let mut lines = Vec::new();
    match (life.works_since, role) {
        (Some(Since::Since(version)), _) if life.stub.is_some() => {
            lines.push(format!("{program} answers an empty list before {version}."));
        }
        (Some(Since::Never), _) if life.stub.is_some() => {
            lines.push(format!("{program} always answers an empty list."));
        }
        (Some(Since::Since(version)), Role::Answer) => {
            lines.push(format!("{program} fills it since {version} only."));
        }
        (Some(Since::Never), Role::Answer) => lines.push(format!("{program} never fills it.")),
        (Some(Since::Since(version)), _) => {
            lines.push(format!("Has no effect in {program} before {version}."));
        }
        (Some(Since::Never), _) => lines.push(format!("Has no effect in {program}.")),
        (Some(Since::Unknown) | None, _) => {}
    }
    if let Some(version) = &life.deprecated {
        lines.push(format!("Deprecated since {program} {version}."));
    }
    for (from, until) in &life.absent {
        lines.push(format!("Absent from {program} {from} on, and there again since {until}."));
    }
    if let Some(version) = &life.removed {
        lines.push(format!("Removed in {program} {version}."));
    }
    for change in &life.changed {
        let mut said = format!("Changed in {program} {}", change.r#in);
        for &(from, until) in &change.absent {
            said.extend([", except in ", &from.to_string()]);
            if let Some(last) = last_before(of, until).filter(|last| *last != from) {
                said.extend([" to ", &last.to_string()]);
            }
        }
        said += ": ";
        if let (Some(old), Some(new)) = (change.from_text(), change.to_text())
            && change.what == ChangedFact::Scopes
            && still_do(&old, &new)
        {
            let [new, old] = [new, old].map(|asked| code(&scopes::names(&asked)));
            lines.push(format!("{said}{new} suffices, and {old} still does."));
            continue;
        }
        let what = match change.what {
            ChangedFact::Returns => "answer",
            ChangedFact::Max => "maximum",
            ChangedFact::MaxLength => "maximum length",
            ChangedFact::MaxItems => "maximum number of elements",
            ChangedFact::Min => "minimum",
            ChangedFact::Unauthenticated => "status without a token",
            ChangedFact::In => "place",
            ChangedFact::Only => "values taken",
            what => what.name(),
        };
        said.extend(["the ", what]);
        for (word, state) in [("from", change.from_text()), ("to", change.to_text())] {
            let state = state.unwrap_or_else(|| "none".into());
            said.extend([" ", word, " ", &code(&state)]);
        }
        lines.push(said + ".");
    }
    lines
}

/// The registered release before another.
pub(super) fn last_before(program: &Program, release: StableVersion) -> Option<StableVersion> {
    let versions = program.releases.iter().map(|release| release.version);
    versions.rev().find(|version| *version < release)
}

/// `3, 4, 0`
pub(super) fn arguments(version: StableVersion) -> String {
    let (major, minor, patch) = version.numbers();
    format!("{major}, {minor}, {patch}")
}
