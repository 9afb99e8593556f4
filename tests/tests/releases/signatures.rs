//! The constructors with two arguments or more, as a list: an order that changes is seen here. `FEDISPEC_BLESS=1` writes what
//! is made now.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use fedispec_model::api::Operation;
use fedispec_model::constructors::{constructors, signatures};
use fedispec_since::Required;
use fedispec_tests::catalogue;
use proc_macro2::{TokenStream, TokenTree};
use syn::{FnArg, ImplItem, Item, ItemImpl};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository")
}

/// Writes tokens as people write them, without the spaces between.
fn written(tokens: TokenStream) -> String {
    let mut out = String::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => out += &written(group.stream()),
            TokenTree::Ident(ident) => {
                if out.ends_with(|last: char| last.is_alphanumeric()) {
                    out.push(' ');
                }
                _ = write!(out, "{ident}");
            }
            TokenTree::Punct(punct) => out.push(punct.as_char()),
            TokenTree::Literal(literal) => _ = write!(out, "{literal}"),
        }
    }
    out
}

/// `(name: type, ..)` of a constructor of the generated crate.
fn generated(operation: &Operation, constructor: &str) -> String {
    let module = root().join(format!("generated/src/{}.rs", operation.group));
    let text = std::fs::read_to_string(&module).expect("the module of the group");
    let file = syn::parse_file(&text).expect("Rust");
    let is_of = |one: &&ItemImpl| {
        let ty = &one.self_ty;
        one.trait_.is_none() && written(quote::quote!(#ty)) == operation.item.rust
    };
    let blocks = file.items.iter().filter_map(|item| match item {
        Item::Impl(block) => Some(block),
        _ => None,
    });
    let mut items = blocks.filter(is_of).flat_map(|block| &block.items);
    let function = items.find_map(|item| match item {
        ImplItem::Fn(function) if function.sig.ident == constructor => Some(function),
        _ => None,
    });
    let inputs = function.expect("the constructor").sig.inputs.iter();
    let arguments = inputs.map(|input| match input {
        FnArg::Typed(one) => {
            let (name, ty) = (&one.pat, &one.ty);
            format!("{}: {}", written(quote::quote!(#name)), written(quote::quote!(#ty)))
        }
        FnArg::Receiver(_) => "self".to_owned(),
    });
    arguments.collect::<Vec<_>>().join(", ")
}

#[test]
fn constructors_with_two_arguments_or_more() {
    let api = catalogue::typed();
    let mut found = String::new();
    for operation in &api.operations {
        for (name, arguments) in signatures(operation) {
            if arguments.len() > 1 {
                let id = &operation.item.id;
                _ = writeln!(found, "{id} {name}({})", generated(operation, name));
            }
        }
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/releases/signatures.txt");
    if std::env::var_os("FEDISPEC_BLESS").is_some() {
        std::fs::write(&golden, &found).expect("writable");
    }
    let expected = std::fs::read_to_string(&golden).expect("the list");
    assert_eq!(found, expected, "FEDISPEC_BLESS=1 writes the list anew");
    assert!(found.lines().count() > 30);
}

/// The documents list parameters by the alphabet, which is no order for arguments.
#[test]
fn every_order_is_stated() {
    for operation in &catalogue::typed().operations {
        let required = operation.params.iter().filter(|param| {
            param.parent.is_none() && param.required == Required::Always && !param.nullable
        });
        let constructors = constructors(operation);
        let most = constructors.iter().map(|one| one.arguments(operation).len()).max();
        if required.count().max(most.unwrap_or(0)) > 1 {
            let id = &operation.item.id;
            assert!(!operation.arguments.is_empty(), "{id} states no `arguments`");
        }
    }
}
