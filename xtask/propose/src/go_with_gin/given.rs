//! The values that functions give to members of the structs that are answered: a member that is never set is left out or null, and one that always is
//! made is never null.
//!
//! Types alone do not tell that. Wherever a function does more than write a struct out, nothing is told.

use std::collections::{BTreeMap, BTreeSet};

use super::forms::{self, Member};
use super::go::{MODEL, Packages};
use crate::surface::{Enumeration, Field, Place, Shape, SourceType, Surface, Use};
use crate::syntax::Spot;

/// Tells of lists whether they may be null, and of objects that are filled where they are held which keys nothing sets.
pub(super) fn tell(packages: &Packages<'_>, surface: &mut Surface) {
    let given = Given::new(packages);
    given.name_words(packages, surface);
    let shapes: Vec<String> = surface.shapes.keys().cloned().collect();
    for name in shapes {
        for member in forms::struct_members(packages, (MODEL, &name)).unwrap_or_default() {
            let Some(key) = member.name_of("json").map(str::to_owned) else {
                let inner = given.filled(packages, &name, &member).filter(|_| member.embedded);
                let held = inner.and_then(|(inner, set)| cut(surface, packages, inner, &set));
                let unset = held.into_iter().flat_map(|held| held.fields);
                let fields = surface.shapes.get_mut(&name).map(|shape| &mut shape.fields);
                if let Some(fields) = fields {
                    fields.extend(unset.filter(|(_, field)| field.unset));
                }
                continue;
            };
            let null = given.is_null(packages, &name, &member);
            let inner = given.filled(packages, &name, &member);
            let held = inner.and_then(|(inner, set)| cut(surface, packages, inner, &set));
            let Some(field) =
                surface.shapes.get_mut(&name).and_then(|shape| shape.fields.get_mut(&key))
            else {
                continue;
            };
            if field.nullable.is_none() && null.is_some() {
                (field.optional, field.nullable) = (Some(false), null);
            }
            if let (Some(shape), SourceType::Shape(_)) = (held, &field.r#type) {
                let name = format!("{name}.{key}");
                field.r#type = SourceType::Shape(name.clone());
                surface.shapes.insert(name, shape);
            }
        }
    }
}

/// A shape in which the keys that are left out where their members are not set are told so; `None` where there is none.
fn cut(
    surface: &Surface,
    packages: &Packages<'_>,
    of: &str,
    set: &BTreeSet<&str>,
) -> Option<Shape> {
    let mut shape = surface.shapes.get(of)?.clone();
    let mut found = false;
    for member in forms::struct_members(packages, (MODEL, of))? {
        let key = member.name_of("json");
        let field = key.and_then(|key| shape.fields.get_mut(key));
        let is_left_out = |field: &&mut Field| field.optional == Some(true);
        if let Some(field) = field.filter(is_left_out) {
            field.unset = !set.contains(member.name);
            found |= field.unset;
        }
    }
    found.then_some(shape)
}

/// A place where a struct is written out.
struct Literal<'s> {
    function: Spot<'s>,
    members: BTreeMap<&'s str, Spot<'s>>,
}

struct Given<'s> {
    /// By the name of the struct.
    literals: BTreeMap<&'s str, Vec<Literal<'s>>>,
    /// The members that functions which name a struct set by an assignment.
    later: BTreeSet<(&'s str, &'s str)>,
}

/// Where a value comes from.
enum Origin<'s> {
    Value(Spot<'s>),
    /// One of several results of a call, by its place.
    Result(Spot<'s>, usize),
    /// `var x T`
    Zero,
    Unknown,
}

/// The knowledge about a list.
#[derive(PartialEq, Eq)]
enum List {
    Made,
    Nil,
    Unknown,
}

impl<'s> Given<'s> {
    fn new(packages: &Packages<'s>) -> Self {
        let mut given = Self { literals: BTreeMap::new(), later: BTreeSet::new() };
        for (_, function) in packages.functions() {
            given.read(packages, function);
        }
        given
    }

    /// Makes enumerations of the text fields that only words of the source are given to.
    fn name_words(&self, packages: &Packages<'s>, surface: &mut Surface) {
        for (of, literals) in &self.literals {
            let members = literals.iter().flat_map(|literal| literal.members.keys());
            for member in members.copied().collect::<BTreeSet<_>>() {
                let key = forms::key_of(packages, (MODEL, of), member);
                let shape = surface.shapes.get_mut(*of);
                let field = shape.zip(key).and_then(|(shape, key)| shape.fields.get_mut(key));
                let is_text =
                    |field: &&mut Field| field.r#type == SourceType::Plain("string".to_owned());
                if let Some(field) = field.filter(is_text)
                    && let Some(words) = self.words(packages, of, member)
                    && let Some((_, at)) = words.first()
                {
                    let name = format!("{of}.{member}");
                    field.r#type = SourceType::Enum(name.clone());
                    let words = Enumeration::of(at.clone(), words, Use::Sent);
                    surface.enums.insert(name, words);
                }
            }
        }
    }

    /// The words that a member is given; `None` where anything else is given to it too.
    fn words(
        &self,
        packages: &Packages<'s>,
        of: &str,
        member: &str,
    ) -> Option<Vec<(String, Place)>> {
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|one| one.is_ascii_lowercase() || one == b'_')
        };
        let values = self.literals.get(of)?.iter().filter_map(|one| one.members.get(member));
        let words = values.map(|at| {
            let word = packages.string(*at, &|_| None).filter(|word| is_word(word))?;
            Some((word, at.place()))
        });
        words.filter(|_| !self.later.contains(&(of, member))).collect()
    }

    fn read(&mut self, packages: &Packages<'s>, function: Spot<'s>) {
        let (mut named, mut set) = (BTreeSet::new(), BTreeSet::new());
        function.walk(|at| {
            match at.kind() {
                "composite_literal" => {
                    for (of, body) in written(packages, at) {
                        let members = members(body);
                        // A struct that is answered beside an error is empty.
                        if !members.is_empty() {
                            let literal = Literal { function, members };
                            self.literals.entry(of).or_default().push(literal);
                        }
                    }
                }
                "assignment_statement" => {
                    let left = at.list("left").into_iter();
                    set.extend(left.filter_map(|left| Some(left.field("field")?.text())));
                }
                "qualified_type" | "type_identifier" => named.extend(packages.answered(at)),
                _ => {}
            }
            true
        });
        for of in named {
            self.later.extend(set.iter().map(|member| (of, *member)));
        }
    }

    /// Whether a list or map without `omitempty` may be null.
    fn is_null(&self, packages: &Packages<'s>, of: &str, member: &Member<'s>) -> Option<bool> {
        let is_list = matches!(member.r#type.kind(), "slice_type" | "map_type");
        if !is_list || self.later.contains(&(of, member.name)) {
            return None;
        }
        let literals = self.literals.get(of)?.iter();
        let lists: Vec<List> = literals
            .map(|literal| match literal.members.get(member.name) {
                Some(value) => list(packages, literal.function, *value, 0),
                None => List::Nil,
            })
            .collect();
        if lists.contains(&List::Nil) {
            Some(true)
        } else {
            (!lists.contains(&List::Unknown)).then_some(false)
        }
    }

    /// The struct behind a member, and which of its members are set, where the functions that fill the member make it themselves.
    fn filled<'p>(
        &self,
        packages: &'p Packages<'s>,
        of: &str,
        member: &Member<'s>,
    ) -> Option<(&'s str, BTreeSet<&'s str>)> {
        let inner = packages.answered(member.r#type)?;
        if self.later.contains(&(of, member.name)) {
            return None;
        }
        let (mut set, mut is_there) = (BTreeSet::new(), false);
        // An embedded struct goes by its type.
        let name = if member.embedded { inner } else { member.name };
        for literal in self.literals.get(of)? {
            if let Some(value) = literal.members.get(name) {
                is_there = true;
                set.extend(set_members(packages, literal.function, *value, inner)?);
            }
        }
        // `status.Poll.Voted = ..`
        let later = self.later.iter().filter(|(holder, _)| *holder == of);
        set.extend(later.map(|(_, member)| *member));
        is_there.then_some((inner, set))
    }
}

/// The structs that a composite literal writes out, with their bodies: itself, or the elements of a list.
fn written<'s>(packages: &Packages<'s>, at: Spot<'s>) -> Vec<(&'s str, Spot<'s>)> {
    let (Some(of), Some(body)) = (at.field("type"), at.field("body")) else {
        return Vec::new();
    };
    if let Some(of) = packages.answered(of) {
        return vec![(of, body)];
    }
    let Some(of) = of.field("element").and_then(|of| packages.answered(of)) else {
        return Vec::new();
    };
    let elements = body.children().into_iter();
    let elements = elements.filter_map(|element| element.child("literal_value"));
    elements.map(|body| (of, body)).collect()
}

/// `{ Name: value }`
fn members(body: Spot<'_>) -> BTreeMap<&str, Spot<'_>> {
    let pairs = body.children().into_iter();
    let pairs = pairs.filter(|pair| pair.kind() == "keyed_element");
    let pairs = pairs.filter_map(|pair| {
        let [key, value] = pair.children()[..] else {
            return None;
        };
        let value = value.first().unwrap_or(value);
        Some((key.text(), value))
    });
    pairs.collect()
}

/// Where the values of a function's name come from.
fn origins<'s>(function: Spot<'s>, name: &str) -> Vec<Origin<'s>> {
    let mut found = Vec::new();
    function.walk(|at| {
        let left = match at.kind() {
            "short_var_declaration" | "assignment_statement" | "range_clause" => at.list("left"),
            "var_spec" | "parameter_declaration" | "variadic_parameter_declaration" => {
                at.fields("name")
            }
            _ => return true,
        };
        let place = left.iter().position(|one| one.text() == name);
        let Some(place) = place else {
            return true;
        };
        let right = at.field("right").or_else(|| at.field("value"));
        let right = right.map(Spot::children).unwrap_or_default();
        found.push(match at.kind() {
            "var_spec" if right.is_empty() => Origin::Zero,
            "short_var_declaration" | "assignment_statement" | "var_spec"
                if right.len() == left.len() =>
            {
                Origin::Value(right[place])
            }
            "short_var_declaration" | "assignment_statement" if right.len() == 1 => {
                Origin::Result(right[0], place)
            }
            _ => Origin::Unknown,
        });
        true
    });
    found
}

/// Follows a value that is a list or a map.
fn list<'s>(packages: &Packages<'s>, function: Spot<'s>, value: Spot<'s>, depth: usize) -> List {
    if depth > 8 {
        return List::Unknown;
    }
    match value.kind() {
        "nil" => List::Nil,
        "composite_literal" => List::Made,
        "call_expression" => {
            let given = value.list("arguments");
            match value.word("function") {
                "make" => List::Made,
                "append" => given
                    .first()
                    .map_or(List::Unknown, |first| list(packages, function, *first, depth + 1)),
                _ => result(packages, value, 0, depth + 1),
            }
        }
        "identifier" => {
            // Appending to a list that was made changes nothing.
            let appends = |origin: &Origin<'_>| matches!(origin, Origin::Value(at) if is_append(*at, value.text()));
            let origins = origins(function, value.text()).into_iter();
            all_made(origins.filter(|origin| !appends(origin)).map(|origin| match origin {
                Origin::Value(at) => list(packages, function, at, depth + 1),
                Origin::Result(call, place) => result(packages, call, place, depth + 1),
                Origin::Zero | Origin::Unknown => List::Unknown,
            }))
        }
        _ => List::Unknown,
    }
}

/// Follows a list that a call answers at that place, where one function alone is called so.
fn result<'s>(packages: &Packages<'s>, call: Spot<'s>, place: usize, depth: usize) -> List {
    let called = call.field("function");
    let name = called.map(|called| called.field("field").unwrap_or(called).text());
    let Some(function) = name.and_then(|name| packages.only(name)) else {
        return List::Unknown;
    };
    let mut returned = Vec::new();
    function.walk(|at| {
        if at.kind() == "return_statement" {
            let values = at.first();
            returned.push(values.map(Spot::children).unwrap_or_default());
        }
        at.kind() != "func_literal"
    });
    // A value that comes with an error is not answered.
    returned.retain(|values: &Vec<Spot<'_>>| {
        values.len() < 2 || values.last().is_some_and(|last| last.kind() == "nil")
    });
    all_made(returned.iter().map(|values| {
        values.get(place).map_or(List::Unknown, |value| list(packages, function, *value, depth + 1))
    }))
}

/// A list that has one of these values: made where each of them is.
fn all_made(lists: impl Iterator<Item = List>) -> List {
    let mut lists = lists.peekable();
    let is_made = lists.peek().is_some() && lists.all(|one| one == List::Made);
    if is_made { List::Made } else { List::Unknown }
}

/// `append(name, ..)`
fn is_append(at: Spot<'_>, name: &str) -> bool {
    let first = at.field("arguments").and_then(Spot::first);
    at.is("function", "append") && first.is_some_and(|first| first.text() == name)
}

/// The members that a function sets of a struct that it makes itself; `None` where it has it from elsewhere or gives it away.
fn set_members<'s>(
    packages: &Packages<'s>,
    function: Spot<'s>,
    value: Spot<'s>,
    of: &str,
) -> Option<BTreeSet<&'s str>> {
    match value.kind() {
        "nil" => Some(BTreeSet::new()),
        "unary_expression" => set_members(packages, function, value.field("operand")?, of),
        "composite_literal" => {
            let (own, body) = written(packages, value).into_iter().next()?;
            (own == of).then(|| members(body).into_keys().collect())
        }
        "call_expression" => {
            let is_new = value.field("function")?.text() == "new";
            is_new.then(BTreeSet::new)
        }
        "identifier" => {
            let name = value.text();
            let mut set = BTreeSet::new();
            for origin in origins(function, name) {
                match origin {
                    Origin::Zero => {}
                    Origin::Value(at) if at.kind() != "identifier" => {
                        set.extend(set_members(packages, function, at, of)?);
                    }
                    Origin::Value(_) | Origin::Result(..) | Origin::Unknown => return None,
                }
            }
            set.extend(touched(function, value)?);
            Some(set)
        }
        _ => None,
    }
}

/// The members of a name that a function touches; `None` where the whole goes elsewhere than into the value that is asked about.
fn touched<'s>(function: Spot<'s>, value: Spot<'s>) -> Option<BTreeSet<&'s str>> {
    let mut members = BTreeSet::new();
    let mut goes = false;
    function.walk(|at| {
        if at.kind() != "identifier" || at.text() != value.text() || at.same(value) {
            return true;
        }
        let parent = at.parent();
        let is_member = parent.filter(|parent| parent.kind() == "selector_expression");
        if let Some(member) = is_member.and_then(|parent| parent.field("field")) {
            members.insert(member.text());
        } else {
            // On the left of an assignment it is only made.
            let list = parent.filter(|parent| parent.kind() == "expression_list");
            let is_left = list.is_some_and(|list| {
                let left = list.parent().and_then(|outer| outer.field("left"));
                left.is_some_and(|left| left.same(list))
            });
            let is_declared = parent.is_some_and(|parent| parent.kind() == "var_spec");
            let is_compared = parent.is_some_and(|parent| parent.kind() == "binary_expression");
            goes |= !(is_left || is_declared || is_compared);
        }
        true
    });
    (!goes).then_some(members)
}
