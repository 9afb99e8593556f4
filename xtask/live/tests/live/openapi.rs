//! `fedispec openapi` prints the document that `cargo xtask openapi` does.

use clap::Parser;
use fedispec_openapi::Arguments;
use fedispec_tests::commands;

#[derive(Parser)]
struct Openapi {
    #[command(flatten)]
    arguments: Arguments,
}

/// `cargo xtask openapi` prints what these arguments make of the resolved API.
#[test]
fn both_commands_print_the_same() {
    let args = ["openapi", "--as", "gotosocial@0.19.2", "--format", "yaml"];
    let api = fedispec_tests::catalogue::whole();
    let document = Openapi::parse_from(args).arguments.run(&api).expect("a document");
    assert_eq!(commands::run(args).succeeded().stdout, document);
}
