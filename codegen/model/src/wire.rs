//! Names on the wire in bracket notation: `configuration[polls][max_options]`, `history[][day]`,
//! `details[:key][][error]`.

use std::fmt;

/// How deep a name may nest; no real one comes near.
const DEEPEST: usize = 16;

/// A name in bracket notation: members, each inside the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireName<'a> {
    /// From the outermost key inwards; never empty.
    pub members: Vec<Member<'a>>,
}

/// A key, and the lists and maps between it and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member<'a> {
    /// The key: `history`.
    pub key: &'a str,
    /// The containers behind it, from the outermost inwards.
    pub wraps: Vec<Wrap<'a>>,
}

/// A container behind a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrap<'a> {
    /// `[]`: a list.
    List,
    /// `[:key]`, `[<software_key>]`: a map, with the text in the brackets.
    Map(&'a str),
}

impl Wrap<'_> {
    /// Whether both are a list, or both a map.
    pub fn same_kind(self, other: Wrap<'_>) -> bool {
        matches!((self, other), (Self::List, Wrap::List) | (Self::Map(_), Wrap::Map(_)))
    }
}

/// Why a text is no name in bracket notation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Malformed {
    /// Nothing stands before the first bracket.
    NoKey,
    /// A bracket is opened and never closed.
    Unclosed,
    /// A bracket is closed that was never opened, or opened inside another.
    Stray(char),
    /// Text follows a bracket: `a[b]c`.
    Trailing(String),
    /// A dot before the first bracket, as ids have it between an object and its member.
    Dotted,
    /// White space or a control character.
    Blank,
    /// `[:]` or `[<>]`.
    NamelessMap,
    /// More than 16 brackets.
    Deep,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoKey => f.write_str("no key stands before the first bracket"),
            Self::Unclosed => f.write_str("a bracket is never closed"),
            Self::Stray(bracket) => write!(f, "there is a `{bracket}` too many"),
            Self::Trailing(text) => write!(f, "`{text}` follows a closed bracket"),
            Self::Dotted => f.write_str("a dot stands before its first bracket"),
            Self::Blank => f.write_str("it holds white space or a control character"),
            Self::NamelessMap => f.write_str("the key of a map has no name"),
            Self::Deep => write!(f, "it nests deeper than {DEEPEST} brackets"),
        }
    }
}

impl Malformed {
    /// The mend.
    pub fn help(&self) -> &'static str {
        match self {
            Self::NoKey => "begin with a key: `history[][day]`",
            Self::Unclosed | Self::Stray(_) => {
                "brackets come in pairs and do not nest: `configuration[polls][max_options]`"
            }
            Self::Trailing(_) | Self::Dotted => {
                "put what belongs inside the object in brackets of its own: `a[b][c]`"
            }
            Self::Blank => "write the key as it stands on the wire, without white space",
            Self::NamelessMap => "say what the key is: `[:key]`",
            Self::Deep => "list the members of an entity of their own",
        }
    }
}

impl<'a> WireName<'a> {
    /// Reads a name.
    pub fn parse(text: &'a str) -> Result<Self, Malformed> {
        if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(Malformed::Blank);
        }
        let (head, mut rest) = text.split_at(text.find('[').unwrap_or(text.len()));
        if head.contains(']') {
            return Err(Malformed::Stray(']'));
        }
        if head.is_empty() {
            return Err(Malformed::NoKey);
        }
        if head.contains('.') {
            return Err(Malformed::Dotted);
        }
        let mut members = vec![Member { key: head, wraps: Vec::new() }];
        let mut depth = 0;
        while !rest.is_empty() {
            depth += 1;
            if depth > DEEPEST {
                return Err(Malformed::Deep);
            }
            let (segment, after) = bracket(rest)?;
            rest = after;
            match wrap(segment)? {
                None => members.push(Member { key: segment, wraps: Vec::new() }),
                Some(wrap) => {
                    if let Some(last) = members.last_mut() {
                        last.wraps.push(wrap);
                    }
                }
            }
        }
        Ok(Self { members })
    }

    /// Writes the name as ids have it: keys joined by dots, the key of a map as `*`, lists left out.
    pub fn id(&self) -> String {
        let mut id = String::new();
        for member in &self.members {
            if !id.is_empty() {
                id.push('.');
            }
            id.push_str(member.key);
            for wrap in &member.wraps {
                if matches!(wrap, Wrap::Map(_)) {
                    id.push_str(".*");
                }
            }
        }
        id
    }
}

/// Containers as names write them: `[]`, `[:key]`.
pub fn brackets(wraps: &[Wrap<'_>]) -> String {
    wraps
        .iter()
        .map(|wrap| match wrap {
            Wrap::List => "[]".to_owned(),
            Wrap::Map(key) => format!("[{key}]"),
        })
        .collect()
}

/// The name up to its brackets.
pub fn stem(name: &str) -> &str {
    name.split('[').next().unwrap_or_default()
}

/// A name as it is inside another: `keywords_attributes[][keyword]` in `keywords_attributes[]` is `keyword`, and
/// `a[][b][c]` in `a[]` is `b[c]`.
pub fn inside(name: &str, outer: &str) -> String {
    let rest = name.strip_prefix(outer);
    match rest.and_then(|rest| rest.strip_prefix('[')?.split_once(']')) {
        Some((first, rest)) => format!("{first}{rest}"),
        None => name.to_owned(),
    }
}

/// A name with another last key: `source[note]` and `bio` make `source[bio]`.
pub fn with_last_key(name: &str, key: &str) -> String {
    let (path, lists) = name.split_at(name.trim_end_matches("[]").len());
    match path.rfind('[') {
        Some(open) => format!("{}[{key}]{lists}", &path[..open]),
        None => format!("{key}{lists}"),
    }
}

/// Splits off the first bracket: its content, and the rest.
fn bracket(text: &str) -> Result<(&str, &str), Malformed> {
    let Some(open) = text.strip_prefix('[') else {
        if text.starts_with(']') {
            return Err(Malformed::Stray(']'));
        }
        let end = text.find(['[', ']']).unwrap_or(text.len());
        return Err(Malformed::Trailing(text[..end].into()));
    };
    let close = open.find(']').ok_or(Malformed::Unclosed)?;
    let segment = &open[..close];
    if segment.contains('[') {
        return Err(Malformed::Stray('['));
    }
    Ok((segment, &open[close + 1..]))
}

/// Reads a bracket as a container; `None` where it is a key.
fn wrap(segment: &str) -> Result<Option<Wrap<'_>>, Malformed> {
    let map = segment
        .strip_prefix(':')
        .or_else(|| segment.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')));
    match (segment, map) {
        ("", _) => Ok(Some(Wrap::List)),
        (_, Some("")) => Err(Malformed::NamelessMap),
        (_, Some(_)) => Ok(Some(Wrap::Map(segment))),
        (_, None) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Vec<(&str, &str)> {
        let parsed = WireName::parse(text).unwrap();
        let wraps = |member: &Member<'_>| match member.wraps.as_slice() {
            [] => "",
            [Wrap::List] => "list",
            [Wrap::Map(_)] => "map",
            [Wrap::Map(_), Wrap::List] => "map of lists",
            [Wrap::List, Wrap::Map(_)] => "list of maps",
            _ => "more",
        };
        parsed.members.iter().map(|member| (member.key, wraps(member))).collect()
    }

    #[test]
    fn names_of_the_documents() {
        assert_eq!(
            shape("configuration[polls][max_options]"),
            [("configuration", ""), ("polls", ""), ("max_options", "")]
        );
        assert_eq!(
            shape("thumbnail[versions][@1x]"),
            [("thumbnail", ""), ("versions", ""), ("@1x", "")]
        );
        assert_eq!(shape("history[][day]"), [("history", "list"), ("day", "")]);
        assert_eq!(shape("details[:key][][error]"), [("details", "map of lists"), ("error", "")]);
        assert_eq!(shape("details[][:key][error]"), [("details", "list of maps"), ("error", "")]);
        assert_eq!(shape("api_versions[<software_key>]"), [("api_versions", "map")]);
        assert_eq!(shape("posting:default:visibility"), [("posting:default:visibility", "")]);
        assert_eq!(
            shape("keywords_attributes[][_destroy]"),
            [("keywords_attributes", "list"), ("_destroy", "")]
        );
        assert_eq!(
            shape("fields_attributes[:index][name]"),
            [("fields_attributes", "map"), ("name", "")]
        );
        assert_eq!(
            shape("data[alerts][admin.sign_up]"),
            [("data", ""), ("alerts", ""), ("admin.sign_up", "")]
        );
        assert_eq!(shape("id[]"), [("id", "list")]);
    }

    #[test]
    fn ids() {
        let id = |text| WireName::parse(text).unwrap().id();
        assert_eq!(id("emojis[]"), "emojis");
        assert_eq!(id("configuration[polls][max_options]"), "configuration.polls.max_options");
        assert_eq!(id("api_versions[<software_key>]"), "api_versions.*");
        assert_eq!(id("details[:key][][error]"), "details.*.error");
    }

    #[test]
    fn parts_of_names() {
        assert_eq!(stem("keywords[][keyword]"), "keywords");
        assert_eq!(inside("a[][b][c]", "a[]"), "b[c]");
        assert_eq!(inside("b[c]", "a[]"), "b[c]");
        let wraps = [Wrap::Map(":key"), Wrap::List];
        assert_eq!(brackets(&wraps), "[:key][]");
    }

    #[test]
    fn the_last_key_is_another() {
        for (name, key, expected) in [
            ("reblogged", "rebogged", "rebogged"),
            ("emojis[]", "emojis", "emojis[]"),
            ("thumbnail[versions][@1x]", "@1x", "thumbnail[versions][@1x]"),
            (
                "configuration[media_attachments][supported_mime_types][]",
                "mime_types",
                "configuration[media_attachments][mime_types][]",
            ),
        ] {
            assert_eq!(with_last_key(name, key), expected);
        }
    }

    #[test]
    fn what_is_wrong() {
        let error = |text| WireName::parse(text).unwrap_err();
        assert_eq!(error(""), Malformed::NoKey);
        assert_eq!(error("[a]"), Malformed::NoKey);
        assert_eq!(error("a["), Malformed::Unclosed);
        assert_eq!(error("a[b"), Malformed::Unclosed);
        assert_eq!(error("a]"), Malformed::Stray(']'));
        assert_eq!(error("a[b]]"), Malformed::Stray(']'));
        assert_eq!(error("a[b[c]]"), Malformed::Stray('['));
        assert_eq!(error("a[b]c[d]"), Malformed::Trailing("c".into()));
        assert_eq!(error("a.b[c]"), Malformed::Dotted);
        assert_eq!(error("a b"), Malformed::Blank);
        assert_eq!(error("a[:]"), Malformed::NamelessMap);
        assert_eq!(error("a[<>]"), Malformed::NamelessMap);
        assert_eq!(error(&format!("a{}", "[]".repeat(17))), Malformed::Deep);
    }

    proptest::proptest! {
        #[test]
        fn never_panics(text in ".{0,40}") {
            let _ = WireName::parse(&text);
        }

        #[test]
        fn nothing_is_lost(keys in proptest::collection::vec("[a-z@_:.]{1,5}", 1..5), list in proptest::bool::ANY) {
            let mut text = keys[0].replace('.', "_");
            for key in &keys[1..] {
                text = format!("{text}[{}]", key.replace(':', "_"));
            }
            if list {
                text.push_str("[]");
            }
            let parsed = WireName::parse(&text).unwrap();
            proptest::prop_assert_eq!(parsed.members.len(), keys.len());
            let wraps: usize = parsed.members.iter().map(|member| member.wraps.len()).sum();
            proptest::prop_assert_eq!(wraps, usize::from(list));
        }
    }
}
