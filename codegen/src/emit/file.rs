//! A module of the output, and its text.

use std::fmt::Write as _;
use std::sync::Arc;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::quote;

use super::context::Context;
use super::docs::Docs;
use super::names;

/// A module.
#[derive(Default)]
#[cfg_attr(
    not(feature = "files"),
    allow(dead_code, reason = "a text to include has no files and no features")
)]
pub(super) struct File {
    /// Its path: `entities`, `account`.
    pub(super) module: Vec<String>,
    pub(super) docs: Docs,
    /// Attributes of the crate itself; there are none in a text to include.
    pub(super) crate_attributes: TokenStream,
    pub(super) mods: Vec<Mod>,
    /// Each with what belongs to it.
    pub(super) items: Vec<TokenStream>,
    /// Text that needs no formatting: a table.
    pub(super) tail: String,
}

/// A module below.
#[cfg_attr(
    not(feature = "files"),
    allow(dead_code, reason = "a text to include has no files and no features")
)]
pub(super) struct Mod {
    pub(super) name: String,
    pub(super) public: bool,
    /// The cargo feature that it needs.
    pub(super) feature: Option<&'static str>,
}

impl Mod {
    pub(super) fn private(name: &str) -> Self {
        Self { name: name.into(), public: false, feature: None }
    }

    pub(super) fn public(name: &str) -> Self {
        Self { name: name.into(), public: true, feature: None }
    }
}

impl File {
    /// The module with its body, for a text to include; `below` are the modules in it.
    pub(super) fn inline(&self, context: &Context<'_>, below: &str) -> String {
        let tail = &self.tail;
        let imports = Imports::new(context, &self.module).all();
        let body: String = self.items.iter().map(|item| lines(item.clone()) + "\n").collect();
        match self.module.last() {
            None => format!("{body}{tail}{below}"),
            Some(name) => {
                let docs = self.docs.outer();
                let name = names::ident(name);
                // The program that includes the text may use only a part of it.
                let allow = (self.module.len() == 1)
                    .then(|| quote!(#[allow(clippy::all, clippy::nursery, clippy::pedantic, dead_code, missing_docs, unreachable_pub, unused_imports)]));
                let docs = lines(quote!(#docs #allow));
                format!("{docs} pub mod {name} {{ {imports}\n{body}{tail}{below} }}\n")
            }
        }
    }
}

/// Writes code with a line for each member, statement and attribute, so that a compiler's messages, which show whole lines, stay readable.
fn lines(code: TokenStream) -> String {
    let (mut text, mut is_joint) = (String::new(), true);
    for tree in code {
        if !is_joint && !text.ends_with('\n') {
            text.push(' ');
        }
        is_joint = false;
        match tree {
            TokenTree::Group(group) => {
                let (start, end) = match group.delimiter() {
                    Delimiter::Brace => ("{\n", "}\n"),
                    Delimiter::Bracket => ("[", "]\n"),
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(start);
                text.push_str(&lines(group.stream()));
                text.push_str(end);
            }
            TokenTree::Punct(punct) => {
                is_joint = punct.spacing() == Spacing::Joint;
                text.push(punct.as_char());
                text.push_str(if matches!(punct.as_char(), ',' | ';') { "\n" } else { "" });
            }
            other => _ = write!(text, "{other}"),
        }
    }
    text
}

/// The names that a module may import.
#[derive(Debug)]
pub(super) struct Imports {
    pub(super) runtime: String,
    pub(super) root: String,
    /// The groups' modules, which the server's import; sorted, and shared by all files.
    groups: Option<Arc<[String]>>,
    /// The types that every module but the root imports.
    pub(super) types: &'static [&'static str],
}

impl Imports {
    pub(super) fn new(context: &Context<'_>, module: &[String]) -> Self {
        let half = matches!(module, [half, _] if half == "server");
        Self {
            runtime: context.options.runtime.clone(),
            root: context.root(module.len()),
            groups: half.then(|| context.group_modules()),
            types: if module.is_empty() {
                &[]
            } else if context.has_events() {
                &["entities", "enums", "events"]
            } else {
                &["entities", "enums"]
            },
        }
    }

    pub(super) fn groups(&self) -> &[String] {
        self.groups.as_deref().unwrap_or_default()
    }

    /// Every import, used or not.
    fn all(&self) -> String {
        let Self { runtime, root, .. } = self;
        let groups = self.groups().iter().map(String::as_str);
        let mut modules: Vec<&str> = self.types.iter().copied().chain(groups).collect();
        modules.sort_unstable();
        let modules = modules.join(", ");
        format!(
            "#[allow(unused_imports)] use {runtime} as rt; #[allow(unused_imports)] use {root}::{{{modules}}};"
        )
    }
}
