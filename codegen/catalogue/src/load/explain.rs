//! Explanations of decoding errors, with how to correct each.

use super::de::{Kind, Wanted};
use super::text::quote;
use crate::causes::{OF_A_LIFE, OUT_OF_ITEM, SECTIONS};
use crate::diagnostic::Diagnostic;
use crate::model::Mistake;
use crate::source::FileId;
use crate::source::tree::{Content, Scalar, YamlNode};
use fedispec_model::change::ChangedFact;
use fedispec_model::suggest::{nearest, one_of};
use fedispec_since::text::{SINCE, VERSION};

/// The facts that are given by program.
const OF_PROGRAMS: [&str; 11] = [
    "absent",
    "changed",
    "deprecated",
    "missing",
    "presence",
    "refused",
    "removed",
    "since",
    "stub",
    "text",
    "works_since",
];

/// The nodes that lead to one from the root of its file, with the keys that they stand under.
type Way<'a> = [(Option<&'a str>, &'a YamlNode)];

/// The diagnostic about the node at the end of the way; `text` is that of the file.
pub(super) fn explain(kind: &Kind, file: FileId, text: &str, way: &Way<'_>) -> Diagnostic {
    let Some((key, node)) = way.last() else {
        return Diagnostic::at(Mistake::TYPE, file, 0..0, "the file cannot be read");
    };
    if let Some(Mistake { code, message, help }) = no_item(kind, way) {
        return Diagnostic::at(code, file, node.span.name(), message).help(help);
    }
    if let Some((place, Mistake { code, message, help })) = beside_its_item(kind, way) {
        return Diagnostic::at(code, file, place.span.name(), message).help(help);
    }
    let of_around = without_program(kind, way).or_else(|| among_evidence(kind, way));
    if let Some(mistake) = of_around.or_else(|| without_braces(kind, way)) {
        let around = way.get(way.len().saturating_sub(2)).map_or(*node, |(_, around)| *around);
        let Mistake { code, message, help } = mistake;
        return Diagnostic::at(code, file, around.span.name(), message).help(help);
    }
    let about_value = !matches!(
        kind,
        Kind::UnknownKey(_) | Kind::VersionKey | Kind::MissingKey(_) | Kind::TooMany(_)
    );
    let span = if about_value { node.span.content() } else { node.span.name() };
    let written = &text[node.span.content()];
    let key = key.unwrap_or_default();
    // A comma in a map in braces ends a text and makes a key of the rest.
    let is_cut = before(way).is_some_and(|(_, before)| {
        let between = text.get(before.span.value.end..node.span.name().start);
        between.is_some_and(|between| between.trim_start().starts_with(','))
    });
    let Mistake { code, message, help } = words(kind, (key, node, is_cut), way, written);
    // A key without its colon holds the value too.
    let word = key.split([' ', ':']).next().unwrap_or_default();
    let meant = match kind {
        Kind::UnknownKey(known) => nearest(word, known.iter().copied()),
        Kind::MissingKey(key) => Some(*key),
        _ => None,
    };
    let meant = meant.into_iter().collect();
    Diagnostic { meant, ..Diagnostic::at(code, file, span, message).help(help) }
}

/// The keys of a value that is given by program, which stand where programs should.
fn without_program(kind: &Kind, way: &Way<'_>) -> Option<Mistake> {
    const VALUES: [(&str, &[&str]); 3] = [
        ("missing", &["status", "text", "since", "until"]),
        ("refused", &["status", "since", "until"]),
        ("text", &["text", "since"]),
    ];
    let [.., (Some(fact), value), (Some(key), _)] = way else { return None };
    let (_, keys) = VALUES.iter().find(|(name, _)| name == fact)?;
    let is_of_value = matches!(kind, Kind::Type(_)) && keys.contains(key);
    let mut given = value.children().map(|(key, _)| key.unwrap_or_default());
    (is_of_value && given.all(|key| keys.contains(&key))).then(|| Mistake {
        code: Mistake::TYPE,
        message: format!("`{fact}` names no program"),
        help: format!("put it under a program, `{fact}: {{PROGRAM: {{{key}: ..}}}}`"),
    })
}

/// A fact of an item that stands among its evidence, as it is indented too much.
fn among_evidence(kind: &Kind, way: &Way<'_>) -> Option<Mistake> {
    let [.., (Some("evidence"), _), (Some(fact), _), _] = way else { return None };
    let is_fact = matches!(kind, Kind::UnknownKey(_)) && OF_A_LIFE.contains(fact);
    is_fact.then(|| Mistake {
        code: OUT_OF_ITEM,
        message: format!("`{fact}` stands among the evidence"),
        help: "indent it less, as a fact of the item".into(),
    })
}

/// A fact of an item that stands among the items, as it is indented too little.
fn beside_its_item<'a>(kind: &Kind, way: &Way<'a>) -> Option<(&'a YamlNode, Mistake)> {
    let mut steps = way.windows(2).filter_map(|step| match step {
        [(Some(section), _), (Some(fact), value)] => Some((*section, *fact, *value)),
        _ => None,
    });
    let is_of_ids = |section: &str| SECTIONS.contains(&section) || section == "programs";
    let (section, fact, value) = steps.find(|(section, ..)| is_of_ids(section))?;
    let is_beside = match kind {
        // Nothing has this name.
        _ if fact == "evidence" => true,
        Kind::UnknownKey(known)
            if way.iter().rev().nth(1).is_some_and(|(key, _)| *key == Some(fact)) =>
        {
            // An item may have the name of a fact, and a key that is misspelt.
            let is_of_item = |(key, _): &(Option<&str>, _)| {
                key.is_some_and(|key| nearest(key, known.iter().copied()).is_some())
            };
            let fitting = value.children().filter(is_of_item).count();
            known.contains(&fact) && 2 * fitting <= value.children().count()
        }
        _ => false,
    };
    let mistake = || Mistake {
        code: OUT_OF_ITEM,
        message: format!("`{fact}` stands among the `{section}`"),
        help: "indent it as the facts of the item above it".into(),
    };
    is_beside.then(|| (value, mistake()))
}

/// A value that stands among the items of a section, and is none.
fn no_item(kind: &Kind, way: &Way<'_>) -> Option<Mistake> {
    let [.., (Some(section), _), (Some(key), value)] = way else { return None };
    let is_map = value.map().is_some() || value.is_null();
    let is_none = matches!(kind, Kind::Type(Wanted::Map)) && SECTIONS.contains(section) && !is_map;
    is_none.then(|| Mistake {
        code: Mistake::TYPE,
        message: format!("`{key}` stands among the `{section}`, and is no map of facts"),
        help: "where it is a fact of what is around, indent it less; else write its facts as a map"
            .into(),
    })
}

/// The entry before that at the end of the way.
fn before<'a>(way: &Way<'a>) -> Option<(&'a str, &'a YamlNode)> {
    let [.., (_, around), (Some(key), _)] = way else { return None };
    let entries = around.map()?;
    let (key, node) = entries.get_index(entries.get_index_of(*key)?.checked_sub(1)?)?;
    Some((key, node))
}

/// The fact that the end of the way is a value of, for all programs or for one.
fn fact(way: &Way<'_>) -> Option<ChangedFact> {
    let mut keys = way.iter().rev().take(2).filter_map(|(key, _)| *key);
    keys.find_map(|key| ChangedFact::named(key).filter(|fact| fact.name() == key))
}

/// The keys of one map that stand in a list, each as a map of its own.
fn without_braces(kind: &Kind, way: &Way<'_>) -> Option<Mistake> {
    let [.., (Some(list), around), (None, _)] = way else { return None };
    let single = |(_, node): (_, &YamlNode)| node.map().is_some_and(|map| map.len() == 1);
    let is_one = matches!(kind, Kind::MissingKey(_))
        && around.children().count() > 1
        && around.children().all(single);
    is_one.then(|| Mistake {
        code: Mistake::TYPE,
        message: format!("`{list}` has an element for each key"),
        help: format!("put braces around what belongs together: `{list}: [{{..}}]`"),
    })
}

fn words(
    kind: &Kind,
    (key, node, is_cut): (&str, &YamlNode, bool),
    way: &Way<'_>,
    written: &str,
) -> Mistake {
    let name = name(way);
    match kind {
        Kind::UnknownKey(known) => Mistake {
            code: "unknown-key",
            message: format!("unknown key {}", quote(key)),
            help: unknown((key, node, is_cut), known, way),
        },
        Kind::VersionKey => Mistake::of_version(key).unwrap_or_else(|| Mistake {
            code: Mistake::TYPE,
            message: format!("{} is no version", quote(key)),
            help: format!("write {VERSION}"),
        }),
        Kind::MissingKey(missing) => Mistake {
            code: "missing-key",
            message: format!("the key `{missing}` is missing in {name}"),
            help: format!("add `{missing}: ..`"),
        },
        Kind::UnknownValue(known) => {
            let given = node.text().unwrap_or(written);
            Mistake {
                code: "unknown-value",
                message: format!("unknown value {} of {name}", quote(given)),
                help: one_of(given, known, "write one of"),
            }
        }
        Kind::Type(wanted) => wrong_type(wanted, (node, fact(way)), &name, written),
        Kind::Empty => Mistake {
            code: Mistake::TYPE,
            message: format!("{name} is empty"),
            help: "give it a value, or remove the key".into(),
        },
        Kind::Length(wanted) => Mistake {
            code: Mistake::TYPE,
            message: format!("{name} has a wrong number of elements"),
            help: format!("write {wanted}"),
        },
        Kind::TooMany(reported) => Mistake {
            code: "too-many",
            message: format!(
                "more than {reported} problems in {name}; the rest of it was not looked at"
            ),
            help: "mend those that are told of, then look again".into(),
        },
        Kind::Other(text) => Mistake {
            code: Mistake::TYPE,
            message: format!("{name} cannot be read: {text}"),
            help: "see the schema of the file".into(),
        },
    }
}

/// The mend of a key that is none of those known.
fn unknown((key, node, is_cut): (&str, &YamlNode, bool), known: &[&str], way: &Way<'_>) -> String {
    let is_like_none = nearest(key, known.iter().copied()).is_none();
    let around = way.iter().rev().nth(1).map(|(_, around)| *around);
    let stands = |key: &str| around.is_some_and(|around| around.child(key).is_some());
    let before = before(way);
    match key.split_once(':') {
        Some((key, value)) if known.contains(&key) => {
            format!("write a space behind the colon: `{key}: {value}`")
        }
        _ if key.split_once(' ').is_some_and(|(first, rest)| {
            let is_alone = node.span.value.is_empty() && !stands(first);
            known.contains(&first) && (is_alone || rest.starts_with('{'))
        }) =>
        {
            "write a colon between the key and its value".into()
        }
        _ if node.span.value.is_empty() && is_like_none => match before {
            None => format!("write its key before it, one of `{}`", known.join("`, `")),
            Some(_) if is_cut => "put text that holds a comma in quotes".into(),
            Some(_) => "mend how it or the next line is indented".into(),
        },
        _ => match before.filter(|(_, node)| node.is_null()) {
            Some((emptied, _)) if is_like_none => {
                format!("indent it, where it belongs to `{emptied}` above it, which is empty")
            }
            _ => one_of(key, known, "known here are"),
        },
    }
}

impl std::fmt::Display for Wanted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Truth => "`true` or `false`",
            Self::Whole(limit) if *limit <= u16::MAX.into() => {
                return write!(f, "a whole number up to {limit}");
            }
            Self::Whole(_) => "a whole number",
            Self::Number => "a number",
            Self::Word => "a word",
            Self::List => "a list",
            Self::Tuple(2) => "a list of two",
            Self::Tuple(length) => return write!(f, "a list of {length}"),
            Self::Map => "a map",
            Self::Said(text) => text,
        })
    }
}

/// How to speak of the node at the end of the way.
fn name(way: &Way<'_>) -> String {
    let named = way.iter().rev().find_map(|(key, _)| *key);
    match (way.last(), named) {
        (Some((Some(key), _)), _) => quote(key),
        (_, Some(list)) => format!("an element of {}", quote(list)),
        _ => "the file".into(),
    }
}

/// Something else than what is wanted.
fn wrong_type(
    wanted: &Wanted,
    (node, fact): (&YamlNode, Option<ChangedFact>),
    name: &str,
    written: &str,
) -> Mistake {
    if let Some(mistake) = mistaken_version(wanted, node, written) {
        return mistake;
    }
    let message = if node.is_null() {
        format!("{name} is empty")
    } else if let (Content::List(_), Wanted::Tuple(_)) = (&node.content, wanted) {
        format!("{name} is a list of words, not of lists")
    } else {
        format!("{name} is {}, not {wanted}", found(node, written))
    };
    Mistake { code: Mistake::TYPE, message, help: mend(wanted, (node, fact), name, written) }
}

/// A version that is malformed, or a number: what is written counts, since `1.10` is 1.1 to YAML.
fn mistaken_version(wanted: &Wanted, node: &YamlNode, written: &str) -> Option<Mistake> {
    let Wanted::Said(said) = wanted else {
        return None;
    };
    Some(match (said.as_str(), &node.content) {
        (
            VERSION | SINCE,
            Content::Scalar(Scalar::Integer(_) | Scalar::Unsigned(_) | Scalar::Float(_)),
        ) => Mistake::unquoted(written),
        (VERSION, Content::Scalar(Scalar::Text(text))) => Mistake::of_version(text)?,
        (SINCE, Content::Scalar(Scalar::Text(text))) => Mistake::of_since(text)?,
        _ => return None,
    })
}

/// Names what was found in place of the wanted type.
fn found(node: &YamlNode, written: &str) -> String {
    match &node.content {
        Content::List(_) => "a list".into(),
        Content::Map(_) => "a map".into(),
        Content::Scalar(Scalar::Text(_)) => "text".into(),
        Content::Scalar(_) | Content::Alias => quote(written),
    }
}

fn mend(
    wanted: &Wanted,
    (node, fact): (&YamlNode, Option<ChangedFact>),
    name: &str,
    written: &str,
) -> String {
    match (&node.content, wanted) {
        (Content::Scalar(Scalar::Text(text)), _) if nearest(text, ["unknown"]).is_some() => {
            "did you mean `unknown`?".into()
        }
        (Content::Scalar(Scalar::Null), Wanted::Map) => {
            "indent what belongs to it below it; write `{}` where there is nothing to say, or remove the key".into()
        }
        (Content::Scalar(Scalar::Integer(_)), Wanted::Map) if name == "`errors`" => {
            format!("write a list of statuses, `[{written}]`, or a map")
        }
        (Content::List(_), Wanted::Tuple(_)) if written.starts_with('[') => {
            format!("write a list of lists: [{}]", inline(written))
        }
        (Content::Scalar(Scalar::Null), _) if ["`nullable`", "`optional`"].contains(&name) => {
            "one text holds both words, without a comma: `optional nullable`".into()
        }
        (Content::Scalar(Scalar::Null), _) if name.starts_with('`') && name.contains(' ') => {
            "write a colon between the key and its value".into()
        }
        (Content::Scalar(Scalar::Null), _) => {
            "give it a value, mend how it or the next line is indented, or remove the key".into()
        }
        (Content::Scalar(_), Wanted::List) => format!("write a list: [{}]", inline(written)),
        (Content::Scalar(Scalar::Text(text)), _)
            if text.len() > 1
                && text.bytes().all(|byte| byte.is_ascii_digit())
                && written == text =>
        {
            format!("a number has no zero before it: write {}", text.trim_start_matches('0'))
        }
        (Content::Scalar(Scalar::Text(_)), Wanted::Number | Wanted::Whole(_)) => {
            "write digits without quotes".into()
        }
        (Content::Scalar(_), Wanted::Text) => {
            match fact.and_then(|fact| fact.misfit(&true.into())) {
                Some(words) if words.starts_with("one of") => format!("write {words}"),
                _ => format!("put it in quotes: \"{written}\""),
            }
        }
        (Content::List(_), Wanted::Text) if ["`returns`", "`type`"].contains(&name) => {
            let of = inline(written).trim_matches(['[', ']']);
            format!("write `{of}[]` for a list, and one text without brackets for anything else")
        }
        (Content::List(_), Wanted::Text) => "write one text, without brackets".into(),
        (Content::Scalar(_), Wanted::Map) if OF_PROGRAMS.contains(&name.trim_matches('`')) => {
            let fact = name.trim_matches('`');
            format!("put it under the program that it is true of, `{fact}: {{PROGRAM: {written}}}`")
        }
        (Content::Scalar(Scalar::Integer(_)), Wanted::Said(_) | Wanted::Number)
            if written.starts_with('-') =>
        {
            "write a number that is not below 0".into()
        }
        (Content::Scalar(Scalar::Integer(_) | Scalar::Float(_)), _)
            if name == "an element of `strings`" =>
        {
            format!("put it in quotes: \"{written}\"")
        }
        (_, Wanted::List) => "write a list: `- ` before each element".into(),
        (_, Wanted::Map) => "write a map: lines of `key: value`, indented".into(),
        _ => format!("write {wanted}"),
    }
}

/// A scalar that fits into a line of help.
fn inline(written: &str) -> &str {
    if written.contains('\n') || written.chars().count() > 40 { ".." } else { written }
}
