//! Catalogues with damaged bytes: no panic, an end in time, and every position inside its file.

use std::time::Duration;

use fedispec_reader::diagnostic::Report;
use fedispec_reader::load::{Loaded, parse};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::cpu_time::cpu_time;
use super::{Folder, REGISTRY};

const DOCUMENTS: &str = include_str!("../catalogue/documents/accounts.yaml");
const SUPPLEMENT: &str = include_str!("../catalogue/supplement/accounts.yaml");
const IMPLEMENTATIONS: &str = include_str!("../catalogue/implementations.yaml");

/// Bytes that are hard for parsers.
const PIECES: [&[u8]; 30] = [
    b"\n",
    b"\r",
    b"\t",
    b"  ",
    b": ",
    b":",
    b"- ",
    b"-",
    b"? ",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b"&a ",
    b"*a",
    b"!t ",
    b"<<: ",
    b"---\n",
    b"...\n",
    b"\"",
    b"'",
    b"|\n",
    b">-\n",
    b"#",
    b"%YAML 1.1\n",
    b"\xff",
    b"\xef\xbb\xbf",
    b"4.3",
    "\u{9b}日𝄞".as_bytes(),
];

#[derive(Debug, Clone)]
enum Mutation {
    Flip(Index, u8),
    Cut(Index, u16),
    Insert(Index, usize),
    Repeat(Index, usize, u8),
    DoubleLine(Index),
    DropLine(Index),
    Truncate(Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let piece = 0..PIECES.len();
    prop_oneof![
        (any::<Index>(), 1u8..).prop_map(|(at, bits)| Mutation::Flip(at, bits)),
        (any::<Index>(), 1u16..60).prop_map(|(at, length)| Mutation::Cut(at, length)),
        (any::<Index>(), piece.clone()).prop_map(|(at, piece)| Mutation::Insert(at, piece)),
        (any::<Index>(), piece, any::<u8>())
            .prop_map(|(at, piece, times)| Mutation::Repeat(at, piece, times)),
        any::<Index>().prop_map(Mutation::DoubleLine),
        any::<Index>().prop_map(Mutation::DropLine),
        any::<Index>().prop_map(Mutation::Truncate),
    ]
}

fn apply(bytes: &mut Vec<u8>, mutation: &Mutation) {
    if bytes.is_empty() {
        return;
    }
    let length = bytes.len();
    let insert = |bytes: &mut Vec<u8>, at: usize, piece: &[u8]| {
        bytes.splice(at..at, piece.iter().copied());
    };
    match mutation {
        Mutation::Flip(at, bits) => bytes[at.index(length)] ^= bits,
        Mutation::Cut(at, cut) => {
            let at = at.index(length);
            bytes.drain(at..length.min(at + usize::from(*cut)));
        }
        Mutation::Insert(at, piece) => insert(bytes, at.index(length), PIECES[*piece]),
        Mutation::Repeat(at, piece, times) => {
            insert(bytes, at.index(length), &PIECES[*piece].repeat((*times).into()));
        }
        Mutation::Truncate(at) => bytes.truncate(at.index(length)),
        Mutation::DoubleLine(at) | Mutation::DropLine(at) => {
            let at = at.index(length);
            let start = bytes[..at]
                .iter()
                .rposition(|byte| *byte == b'\n')
                .map_or(0, |newline| newline + 1);
            let end = bytes[at..]
                .iter()
                .position(|byte| *byte == b'\n')
                .map_or(length, |newline| at + newline + 1);
            let line = bytes[start..end].to_vec();
            if matches!(mutation, Mutation::DoubleLine(_)) {
                insert(bytes, start, &line);
            } else {
                bytes.drain(start..end);
            }
        }
    }
}

fn check(loaded: &Loaded) -> Result<(), TestCaseError> {
    let sources = &loaded.catalogue.sources;
    for one in &loaded.diagnostics {
        let places = std::iter::once((one.file, &one.span))
            .chain(one.related.iter().map(|also| (also.file, &also.span)));
        for (file, span) in places {
            let text = sources.text(file);
            prop_assert!(
                span.start <= span.end && span.end <= text.len(),
                "{one:?} in {} bytes",
                text.len()
            );
            prop_assert!(
                text.is_char_boundary(span.start) && text.is_char_boundary(span.end),
                "{one:?} in {text:?}"
            );
            let (line, column) = sources.line_col(file, span.start);
            let at = text.split('\n').nth(line - 1).map(|line| line.chars().count() + 1);
            prop_assert!(at.is_some_and(|end| column <= end), "{one:?} at {line}:{column}");
        }
        prop_assert!(one.help.is_some(), "{one:?} has no mend");
    }
    let report = Report::new(loaded.diagnostics.clone());
    for text in [report.render(sources, false)]
        .into_iter()
        .chain(report.diagnostics().iter().map(|one| one.short(sources)))
    {
        let bad = text.chars().find(|c| c.is_control() && *c != '\n');
        prop_assert!(bad.is_none(), "{bad:?} in {text}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_mutated_catalogue_is_read_or_refused(
        which in 0..3usize,
        mutations in vec(mutation(), 1..8),
    ) {
        let mut texts = [DOCUMENTS, SUPPLEMENT, IMPLEMENTATIONS].map(|text| text.as_bytes().to_vec());
        for mutation in &mutations {
            apply(&mut texts[which], mutation);
        }
        let [documents, supplement, implementations] = &texts;
        let folder = Folder::empty()
            .file("documents/accounts.yaml", documents)
            .file("supplement/accounts.yaml", supplement)
            .file("implementations.yaml", implementations);
        let loaded = folder.load();
        check(&loaded)?;
        prop_assert!(loaded.whole || !loaded.diagnostics.is_empty());
        let again = folder.load();
        prop_assert_eq!(loaded.diagnostics, again.diagnostics);
    }

    /// Keys and scalars that the sample does not have, at least as YAML has them.
    #[test]
    fn any_text_is_read_or_refused(text in "([ \\n:{}\\[\\],&*!#|>'\"%@?<-]|[a-c]|area|since|日|4\\.3){0,60}") {
        let (sources, _, diagnostics) = parse("a.yaml", &text);
        for one in &diagnostics {
            prop_assert!(one.span.end <= text.len());
            one.short(&sources);
        }
        Report::new(diagnostics).render(&sources, true);
    }
}

/// Long inputs that cost a careless reader minutes.
#[test]
fn costly_texts_end_in_time() {
    let many = |piece: &str| piece.repeat(300_000 / piece.len());
    let numbered = |line: fn(usize) -> String| (0..20_000).map(line).collect::<String>();
    let texts = [
        many("["),
        many("{a: "),
        many("? "),
        many("- "),
        many("&a "),
        many("!a "),
        many("\"a\" "),
        many("a: "),
        many("a\n"),
        many("#\n"),
        many("\t"),
        many("---\n"),
        many("\u{1b}"),
        many("\r"),
        many("'"),
        format!("area: A\nfoo: [{}]", many("x, ")),
        format!("area: A\nnotes: {{{}}}", many("x: 1, ")),
        format!("a: &a [x]\nb: [{}]", many("*a, ")),
        format!("area: A\n{}", numbered(|n| format!("k{n}: 1\n"))),
        format!("area: A\ndefaults:\n  since:\n{}", numbered(|n| format!("    k{n}: 1.2\n"))),
        format!("area: A\ndefaults:\n  unknown:\n{}", numbered(|n| format!("    - k{n}\n"))),
        format!("area: A\nentities:\n{}", numbered(|n| format!("  K{n}: {{x: 1}}\n"))),
        format!("area: A\nentities: {{{}}}", numbered(|n| format!("K{n}: {{x: 1}}, "))),
        format!("a: &a {{b: 1}}\n{}", numbered(|n| format!("x{n}: &x{n} [*a, *a, *a]\n"))),
    ];
    for text in texts {
        let folder =
            Folder::empty().file("documents/a.yaml", &text).file("implementations.yaml", REGISTRY);
        let (report, time) = cpu_time(|| {
            let loaded = folder.load();
            Report::new(loaded.diagnostics).render(&loaded.catalogue.sources, false)
        });
        let name = &text[..text.len().min(40)];
        assert!(time < Duration::from_secs(10), "{name:?} takes {time:?}");
        assert!(!report.is_empty(), "{name:?}");
    }
}
