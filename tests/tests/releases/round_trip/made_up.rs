//! Random requests made from the catalogue.

use std::collections::BTreeSet;
use std::fmt;

use fedispec_model::api::{Api, Operation, Param, Type};
use fedispec_since::Location;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Leaf {
    Text(String),
    Bool(bool),
    Integer(i64),
    Number(f64),
    File { name: String, kind: &'static str, content: Vec<u8> },
}

/// A parameter to send, with one value or a list of values.
#[derive(Clone)]
pub(crate) struct Given {
    pub(crate) param: &'static Param,
    /// Its index in the operation.
    pub(crate) place: usize,
    /// The index of its element, where it is nested in a list of objects.
    pub(crate) element: Option<usize>,
    pub(crate) values: Vec<Leaf>,
}

/// The encoding of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    Form,
    Json,
    Multipart,
}

/// A request to send.
#[derive(Clone)]
pub(crate) struct Sent {
    pub(crate) operation: &'static Operation,
    pub(crate) given: Vec<Given>,
    pub(crate) manner: Manner,
}

impl Sent {
    /// The indices of the parameters that a server must receive, sorted; one entry for each element of a list.
    pub(crate) fn expected(&self) -> Vec<usize> {
        let places = self.given.iter().flat_map(|given| {
            let count = given.values.iter().filter(|value| given.is_value(value)).count();
            // One or several values are one field of the request, set once.
            let is_one = given.param.one_of_several().is_some();
            std::iter::repeat_n(given.place, if is_one { count.min(1) } else { count })
        });
        let mut places: Vec<_> = places.collect();
        places.sort_unstable();
        places
    }

    /// Texts that a server must receive unchanged.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let is_text = |given: &&Given| {
            matches!(element_type(given.param), Type::String | Type::Id(_) | Type::Cursor)
        };
        let values = self
            .given
            .iter()
            .filter(is_text)
            .flat_map(|given| given.values.iter().filter(|value| given.is_value(value)));
        values.filter_map(|value| match value {
            Leaf::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }
}

impl fmt::Debug for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:?}) = {:?}", self.param.item.wire, self.element, self.values)
    }
}

impl fmt::Debug for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sent").field(&self.manner).field(&self.given).finish()
    }
}

impl Given {
    /// The empty text is a value of a text parameter, but as the only element of a list it is how a form writes the empty list.
    fn is_value(&self, value: &Leaf) -> bool {
        let listed = matches!(self.param.r#type, Type::List(_));
        match value {
            Leaf::Text(text) if text.is_empty() => {
                *element_type(self.param) == Type::String && !(listed && self.values.len() == 1)
            }
            _ => true,
        }
    }
}

/// The type of a parameter, or of a list's elements.
pub(crate) fn element_type(param: &Param) -> &Type {
    match &param.r#type {
        Type::List(element) => element,
        single => param.one_of_several().unwrap_or(single),
    }
}

/// Whether some program reads the lines of the parameter's text as several values.
fn has_lines(param: &Param) -> bool {
    let mut ways = param.several.iter().flatten();
    ways.any(|way| way.lines.is_some())
}

/// Requests of an operation.
pub(crate) fn requests(api: &'static Api, operation: &'static Operation) -> BoxedStrategy<Sent> {
    let ways = operation.alternatives.len();
    let way = (0..ways.max(1)).prop_map(move |way| (ways > 0).then_some(way));
    way.prop_flat_map(move |way| {
        let rows = operation.params.iter().filter(|param| !param.item.implied);
        let params: Vec<_> = rows
            .enumerate()
            .map(|(place, param)| given(api, operation, way, place, param))
            .collect();
        let manner = select(vec![Manner::Form, Manner::Json, Manner::Multipart]);
        (params, manner).prop_map(move |(given, manner)| {
            let given = without_gaps(given.into_iter().flatten().collect());
            let has_file = given
                .iter()
                .flat_map(|given| &given.values)
                .any(|value| matches!(value, Leaf::File { .. }));
            let manner = if has_file { Manner::Multipart } else { manner };
            Sent { operation, given, manner }
        })
    })
    .boxed()
}

/// Removes list elements without a value, which the wire cannot tell from absent ones.
fn without_gaps(given: Vec<Given>) -> Vec<Given> {
    let says_something = |given: &Given| given.values.iter().any(|value| given.is_value(value));
    let speaking: BTreeSet<_> = given
        .iter()
        .filter(|given| says_something(given))
        .map(|given| (given.param.parent.clone(), given.element))
        .collect();
    let place = |mut given: Given| {
        let key = (given.param.parent.clone(), given.element);
        if given.element.is_some() {
            let among = speaking.iter().filter(|(parent, _)| *parent == key.0);
            given.element = Some(among.clone().position(|other| *other == key)?);
        }
        Some(given)
    };
    given.into_iter().filter_map(place).collect()
}

/// Whether a parameter is required, forbidden, or allowed.
fn need(operation: &Operation, way: Option<usize>, param: &Param) -> Option<bool> {
    let wire = &param.item.wire;
    match way.and_then(|way| operation.alternatives.get(way)) {
        Some(way) if way.requires.contains(wire) || way.sets.iter().any(|(set, _)| set == wire) => {
            Some(true)
        }
        Some(way) if way.excludes.contains(wire) => Some(false),
        _ => (param.is_demanded() || param.location == Location::Path).then_some(true),
    }
}

/// The values sent for a parameter: none, one, or one for each of several elements.
fn given(
    api: &'static Api,
    operation: &'static Operation,
    way: Option<usize>,
    place: usize,
    param: &'static Param,
) -> BoxedStrategy<Vec<Given>> {
    // A list of objects gets its values through its nested parameters.
    if matches!(element_type(param), Type::Entity(_)) {
        return Just(Vec::new()).boxed();
    }
    let need = need(operation, way, param);
    let set = way.and_then(|way| {
        operation.alternatives.get(way)?.sets.iter().find(|(set, _)| *set == param.item.wire)
    });
    let strict = need == Some(true);
    let values = match set {
        Some((_, value)) => Just(vec![Leaf::Text(value.clone())]).boxed(),
        None => values(api, param, strict),
    };
    let one = move |element: Option<usize>| {
        values.clone().prop_map(move |values| vec![Given { param, place, element, values }])
    };
    if param.parent.is_some() {
        let elements: Vec<_> = (0..3).map(|element| option::of(one(Some(element)))).collect();
        return elements
            .prop_map(|elements| elements.into_iter().flatten().flatten().collect())
            .boxed();
    }
    match need {
        Some(true) => one(None).boxed(),
        Some(false) => Just(Vec::new()).boxed(),
        None => prop_oneof![Just(Vec::new()), one(None)].boxed(),
    }
}

/// Values for a parameter; for a required one none that is empty.
fn values(api: &'static Api, param: &'static Param, strict: bool) -> BoxedStrategy<Vec<Leaf>> {
    let leaf = leaf(api, param, element_type(param));
    let is_something =
        |values: &Vec<Leaf>| values.iter().any(|value| *value != Leaf::Text(String::new()));
    let values = match param.r#type {
        Type::List(_) => vec(leaf, 1..4).boxed(),
        _ if param.one_of_several().is_some() => vec(leaf, 1..4).boxed(),
        _ => leaf.prop_map(|leaf| vec![leaf]).boxed(),
    };
    if strict { values.prop_filter("it must be there", is_something).boxed() } else { values }
}

fn leaf(api: &'static Api, param: &'static Param, r#type: &Type) -> BoxedStrategy<Leaf> {
    let texts = if param.location == Location::Header {
        header().boxed()
    } else if has_lines(param) {
        line()
    } else {
        text()
    };
    let in_path = param.location == Location::Path;
    match r#type {
        Type::Boolean => any::<bool>().prop_map(Leaf::Bool).boxed(),
        // Servers refuse what ends after all years.
        Type::Integer if param.format.as_deref() == Some("seconds") => {
            (0..4_000_000_000_i64).prop_map(Leaf::Integer).boxed()
        }
        Type::Integer => any::<i64>().prop_map(Leaf::Integer).boxed(),
        Type::Number => (-1e9..1e9_f64).prop_map(Leaf::Number).boxed(),
        Type::Timestamp => moment(),
        Type::File => file(),
        Type::Enum(id) => {
            let listed = api.enums.iter().find(|known| known.item.id == *id);
            let known: Vec<_> = listed
                .into_iter()
                .flat_map(|known| &known.values)
                .map(|value| value.wire.clone())
                .collect();
            prop_oneof![3 => select(known), 1 => word()].prop_map(Leaf::Text).boxed()
        }
        _ if in_path => texts
            .prop_filter("a segment", |text| !matches!(text.as_str(), "" | "." | ".."))
            .prop_map(Leaf::Text)
            .boxed(),
        _ => texts.prop_map(Leaf::Text).boxed(),
    }
}

/// Everyday texts, and texts that break encoders.
fn text() -> BoxedStrategy<String> {
    const AWKWARD: &[&str] = &[
        "",
        " ",
        "a b",
        "&=+%",
        "a[b][]=c",
        "%00%2F..",
        "true",
        "null",
        "007",
        "1.50",
        "[]",
        "{\"a\":1}",
        "\r\n--",
        "é🐘\u{202e}",
        "a/b?c#d;e",
        "\\\"'",
        "\u{1}\u{7f}",
    ];
    prop_oneof![2 => word(), 3 => select(AWKWARD).prop_map(str::to_owned), 2 => any::<String>().prop_map(|text| text.replace('\0', ""))]
        .boxed()
}

/// Texts that are one value where lines are several: blank lines and the space around a line are no part of it.
fn line() -> BoxedStrategy<String> {
    let is_line = |text: &String| !text.is_empty() && text.trim() == text && !text.contains('\n');
    text().prop_filter("one line", is_line).boxed()
}

fn word() -> impl Strategy<Value = String> + Clone + use<> {
    "[a-z0-9_é:-]{1,12}"
}

fn header() -> impl Strategy<Value = String> {
    "[!-~]([ -~]{0,20}[!-~])?"
}

fn moment() -> BoxedStrategy<Leaf> {
    let texts = select(vec![
        "2024-10-08T12:30:00.000Z",
        "2024-10-08T12:30:00Z",
        "2024-10-08T14:30:00+02:00",
        "2024-10-08",
        "0",
    ]);
    prop_oneof![
        texts.prop_map(|text| Leaf::Text(text.to_owned())),
        (0..4_000_000_000_i64).prop_map(Leaf::Integer)
    ]
    .boxed()
}

fn file() -> BoxedStrategy<Leaf> {
    let name = prop_oneof![
        "[a-z]{1,8}\\.png",
        Just("été (1); x=y.png".to_owned()),
        Just("a%22b.png".to_owned())
    ];
    let kind = select(vec!["image/png", "text/csv; charset=utf-8", "application/octet-stream"]);
    let content = prop_oneof![vec(any::<u8>(), 0..64), Just(b"\r\n--fedispec\r\n\r\n--".to_vec())];
    (name, kind, content)
        .prop_map(|(name, kind, content)| Leaf::File { name, kind, content })
        .boxed()
}
