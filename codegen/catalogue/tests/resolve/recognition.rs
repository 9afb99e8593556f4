//! How programs are recognized: what a keeper reads of patterns and version strings that are wrong, and the catalogue's own.

use std::path::Path;

use fedispec_model::api::Layer;

use crate::support::Spec;

/// A registry whose programs and recognized programs say what is given.
fn registry(program: &str, identified: &str) -> String {
    format!(
        "programs:\n  mastodon: {{name: Base, nodeinfo: [base], releases: {{\"1.0.0\": {{}}}}{program}}}\n  \
         gotosocial: {{name: Other, nodeinfo: [gotosocial], releases: {{}}}}\nidentified:\n{identified}\nsources:\n  documents: {{class: C, title: The documents}}\n"
    )
}

fn says(program: &str, identified: &str, expected: &str) {
    let implementations = registry(program, identified);
    Spec { implementations: &implementations, ..Spec::new("", "").and("documents/b.yaml", "") }
        .says(expected);
}

#[test]
fn a_pattern_that_does_not_parse() {
    says(
        ", versions: {telling: [\"{both}{rst}\"], named: [\"{rest}+{own}\"]}",
        "  a: {}",
        "\nspec/implementations.yaml:2:90: an element of `telling` cannot be read: there is no slot `{rst}`; the slots are `{own}`, `{claim}`, `{both}`, `{release}`, `{commit}`, `{marks}` and `{rest}` (see the schema of the file)\n\
         spec/implementations.yaml:2:114: an element of `named` cannot be read: `{rest}` takes everything, so it must come last (see the schema of the file)\n",
    );
}

#[test]
fn a_pattern_that_takes_strings_of_another_program() {
    says(
        ", versions: {telling: [\"{both}{rest}\"]}, strings: [{text: \"4.3.0\", both: \"4.3.0\"}]",
        "  greedy: {versions: {telling: [\"{own}{rest}\"]}}",
        "\nspec/implementations.yaml:2:118: `4.3.0` is read as greedy 4.3.0, claiming nothing, and not as base 4.3.0, claiming 4.3.0 (mend the string, or narrow the patterns of `greedy`, which takes it)\n",
    );
}

#[test]
fn a_string_that_is_read_otherwise() {
    says(
        "",
        "  a: {strings: [\"1.0\", {text: \"1.0 x\", software: a, version: \"1.1\"}]}",
        "\nspec/implementations.yaml:5:24: `1.0 x` is read as a 1.0, claiming nothing, and not as a 1.1, claiming nothing (mend the patterns under `versions`, or what is said here)\n",
    );
    says(
        "",
        "  a: {strings: [{text: \"1.0\", software: gotosocail, version: \"1.0\"}]}",
        "\nspec/implementations.yaml:5:41: `1.0` is read as gotosocail 1.0, claiming nothing, and not as a 1.0, claiming nothing (did you mean `gotosocial`?)\n",
    );
}

#[test]
fn names_and_bases_that_cannot_be() {
    says(
        "",
        "  a: {nodeinfo: [base]}\n  b: {based_on: bse}\n  c: {based_on: d}\n  d: {based_on: c}\n  e: {based_on: d}",
        "\nspec/implementations.yaml:5:3: `mastodon` is registered under `programs` with the name `base` (move what recognizes it to `mastodon`, and remove it here)\n\
         spec/implementations.yaml:6:17: there is no program `bse` (name a program that is registered)\n\
         spec/implementations.yaml:7:17: `c` is a fork of itself (remove `based_on` where the programs begin)\n",
    );
}

/// The check reads each of them; here it is that they are many, and that none is misread.
#[test]
fn the_catalogue_has_four_hundred_real_strings() {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec");
    let (catalogue, _) = fedispec_reader::open(&spec, Layer::Full).expect("no string is misread");
    let implementations = &catalogue.implementations;
    let registered = implementations.programs.values().map(|program| program.strings.len());
    let identified = implementations.identified.values().map(|program| program.strings.len());
    let count: usize = registered.chain(identified).sum();
    assert!(count >= 400, "{count} strings");
}
