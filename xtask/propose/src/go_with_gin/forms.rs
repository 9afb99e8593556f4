//! Structs with tags: the members of forms, and the fields of what is answered.

use std::collections::BTreeMap;

use super::go::{Packages, TypeName};
use crate::surface::{Field, Location, Param, Shape, SourceType};
use crate::syntax::Spot;

/// How deep structs are followed.
const DEPTH: usize = 8;

/// The parameters that a form brings, by their names in bracket notation.
pub(super) fn forms<'s>(packages: &Packages<'s>, form: Spot<'s>) -> BTreeMap<String, Param> {
    let mut params = BTreeMap::new();
    if let Some(of) = structure(form) {
        members(packages, members_of(of), "", &mut params, 0);
    } else if let Some(name) = behind(packages, form) {
        let inner = struct_members(packages, name).unwrap_or_default();
        members(packages, inner, "", &mut params, 0);
    }
    params
}

/// A struct that is written where it is used.
fn structure(at: Spot<'_>) -> Option<Spot<'_>> {
    match at.kind() {
        "struct_type" => Some(at),
        "pointer_type" => structure(at.first()?),
        _ => None,
    }
}

/// The struct behind pointers, slices and maps.
fn behind<'s>(packages: &Packages<'s>, at: Spot<'s>) -> Option<TypeName<'s>> {
    match at.kind() {
        "slice_type" | "array_type" => behind(packages, at.field("element")?),
        "map_type" => behind(packages, at.field("value")?),
        "pointer_type" => behind(packages, at.first()?),
        _ => packages.named(at),
    }
}

/// A member of a struct.
pub(super) struct Member<'s> {
    at: Spot<'s>,
    pub(super) r#type: Spot<'s>,
    tags: BTreeMap<&'s str, &'s str>,
    pub(super) embedded: bool,
    pub(super) name: &'s str,
}

impl<'s> Member<'s> {
    /// The name of a tag, without its options; `None` where it is `-` or not there.
    pub(super) fn name_of(&self, tag: &str) -> Option<&'s str> {
        let name = self.tags.get(tag)?.split(',').next()?;
        (name != "-" && !name.is_empty()).then_some(name)
    }

    fn has_option(&self, tag: &str, option: &str) -> bool {
        self.tags.get(tag).is_some_and(|tag| tag.split(',').skip(1).any(|one| one == option))
    }
}

/// The members of a struct, in their order; `None` where the type is no struct of the module.
pub(super) fn struct_members<'s>(
    packages: &Packages<'s>,
    name: TypeName<'s>,
) -> Option<Vec<Member<'s>>> {
    let mut of = packages.declaration(name)?.field("type")?;
    if of.kind() != "struct_type" {
        // `type A B` has the members of B.
        of = packages.declaration(packages.named(of)?)?.field("type")?;
    }
    (of.kind() == "struct_type").then(|| members_of(of))
}

fn members_of(of: Spot<'_>) -> Vec<Member<'_>> {
    let list = of.child("field_declaration_list").map(Spot::children).unwrap_or_default();
    let declared = list.into_iter().flat_map(|declared| {
        let names = declared.fields("name");
        let embedded = names.is_empty();
        let spots = if embedded { vec![declared] } else { names };
        let tag = declared.word("tag");
        spots.into_iter().map(move |at| (at, declared, tag, embedded))
    });
    let members = declared.filter_map(|(at, declared, tag, embedded)| {
        Some(Member {
            at,
            r#type: declared.field("type")?,
            tags: tags(tag),
            embedded,
            name: if embedded { "" } else { at.text() },
        })
    });
    members.collect()
}

/// The parts of a tag: `json:"id,omitempty" form:"id"`.
fn tags(tag: &str) -> BTreeMap<&str, &str> {
    let mut found = BTreeMap::new();
    let mut rest = tag.trim_matches('`');
    while let Some((key, after)) = rest.split_once(":\"") {
        let Some((value, after)) = after.split_once('"') else {
            break;
        };
        found.insert(key.trim(), value);
        rest = after;
    }
    found
}

fn members<'s>(
    packages: &Packages<'s>,
    of: Vec<Member<'s>>,
    outer: &str,
    params: &mut BTreeMap<String, Param>,
    depth: usize,
) {
    if depth > DEPTH {
        return;
    }
    for member in of {
        let inner = behind(packages, member.r#type);
        let inner = inner.and_then(|inner| struct_members(packages, inner));
        if member.embedded {
            members(packages, inner.unwrap_or_default(), outer, params, depth + 1);
            continue;
        }
        let Some(name) = member.name_of("form").or_else(|| member.name_of("json")) else {
            continue;
        };
        // Some forms write the whole way into the name of each member.
        let whole = if outer.is_empty() || name.contains('[') {
            name.to_owned()
        } else {
            let (first, rest) =
                name.split_once('[').map_or((name, ""), |(first, _)| (first, &name[first.len()..]));
            format!("{outer}[{first}]{rest}")
        };
        let container = inner.is_some();
        let kind = kind(packages, member.r#type);
        let listed = if is_list(member.r#type) && !whole.ends_with("[]") { "[]" } else { "" };
        if let Some(inner) = inner {
            members(packages, inner, &format!("{whole}{listed}"), params, depth + 1);
        }
        let required = member.tags.get("binding").is_some_and(|of| of.contains("required"));
        let (at, r#type) = (member.at.place(), plain(&kind));
        let param = Param { r#type, required, container, ..Param::read(at, Location::Either) };
        params.entry(whole).or_insert(param);
    }
}

/// Whether a type is a slice, or a pointer to one.
fn is_list(at: Spot<'_>) -> bool {
    match at.kind() {
        "slice_type" | "array_type" => true,
        "pointer_type" => at.children().first().is_some_and(|inner| is_list(*inner)),
        _ => false,
    }
}

/// The type of a parameter in the catalogue's notation, where it is a plain one.
fn plain(kind: &SourceType) -> Option<String> {
    match kind {
        SourceType::Plain(name) => Some(name.clone()),
        SourceType::List(of) => Some(format!("{}[]", plain(of)?)),
        SourceType::Enum(_) => Some("string".to_owned()),
        SourceType::Map(_) | SourceType::Shape(_) | SourceType::Unknown => None,
    }
}

/// The struct of that name as an answer; `None` where it is none.
pub(super) fn shape<'s>(packages: &Packages<'s>, name: TypeName<'s>) -> Option<Shape> {
    let at = packages.declaration(name)?;
    let mut fields = BTreeMap::new();
    let found = answered(packages, name, &mut fields, 0)?;
    let also = super::swagger::model(at).into_iter().collect();
    found.then(|| Shape { also, ..Shape::of(at.place(), fields) })
}

/// The key in JSON of a struct's own member.
pub(super) fn key_of<'s>(
    packages: &Packages<'s>,
    name: TypeName<'s>,
    member: &str,
) -> Option<&'s str> {
    let members = struct_members(packages, name)?;
    members.into_iter().find(|one| one.name == member)?.name_of("json")
}

/// Gathers the fields of a struct; whether any member says how it is written as JSON.
fn answered<'s>(
    packages: &Packages<'s>,
    name: TypeName<'s>,
    fields: &mut BTreeMap<String, Field>,
    depth: usize,
) -> Option<bool> {
    if depth > DEPTH {
        return None;
    }
    let mut found = false;
    let members = struct_members(packages, name)?;
    // A nearer member hides an embedded one.
    let (embedded, own): (Vec<_>, Vec<_>) = members.into_iter().partition(|member| member.embedded);
    for member in own {
        found |= member.tags.contains_key("json");
        let Some(key) = member.name_of("json") else {
            continue;
        };
        fields.entry(key.to_owned()).or_insert_with(|| field(packages, &member));
    }
    for member in embedded {
        if let Some(key) = member.name_of("json") {
            found = true;
            fields.entry(key.to_owned()).or_insert_with(|| field(packages, &member));
        } else if let Some(inner) = behind(packages, member.r#type) {
            found |= answered(packages, inner, fields, depth + 1).unwrap_or_default();
        }
    }
    Some(found)
}

fn field<'s>(packages: &Packages<'s>, member: &Member<'s>) -> Field {
    let omitempty = member.has_option("json", "omitempty") || member.has_option("json", "omitzero");
    let is_pointer = member.r#type.kind() == "pointer_type";
    let any = matches!(member.r#type.text(), "any" | "interface{}");
    let is_slice = matches!(member.r#type.kind(), "slice_type" | "map_type");
    // Go leaves a struct out only behind a pointer.
    let is_struct = !is_pointer && { packages.named(member.r#type) }
        .is_some_and(|name| struct_members(packages, name).is_some());
    // A slice that was never made is null, which its type does not tell.
    let is_told = (!is_slice || omitempty) && !any && !member.name.is_empty();
    Field {
        at: member.at.place(),
        r#type: kind(packages, member.r#type),
        optional: is_told.then_some(omitempty && !is_struct),
        nullable: is_told.then_some(is_pointer && !omitempty),
        ..Field::default()
    }
}

/// The type of a member.
fn kind<'s>(packages: &Packages<'s>, at: Spot<'s>) -> SourceType {
    let plain = |name: &str| SourceType::Plain(name.to_owned());
    let of = |at: Option<Spot<'s>>| at.map_or(SourceType::Unknown, |at| kind(packages, at));
    match at.kind() {
        "pointer_type" | "parenthesized_type" => of(at.first()),
        "slice_type" | "array_type" => SourceType::List(Box::new(of(at.field("element")))),
        "map_type" => SourceType::Map(Box::new(of(at.field("value")))),
        "type_identifier" => match at.text() {
            "string" => plain("string"),
            "bool" => plain("boolean"),
            "int" | "int8" | "int16" | "int32" | "int64" | "uint" | "uint8" | "uint16"
            | "uint32" | "uint64" | "uintptr" | "byte" | "rune" => plain("integer"),
            "float32" | "float64" => plain("number"),
            _ => named(packages, at),
        },
        "qualified_type" => match at.text() {
            "time.Time" => plain("datetime"),
            "time.Duration" => plain("integer"),
            "multipart.FileHeader" => plain("file"),
            "net.IP" => plain("string"),
            _ => named(packages, at),
        },
        "generic_type" => {
            // `Nullable[T]` and the like: what is inside.
            let inner = at.field("type_arguments").and_then(Spot::first);
            of(inner.map(|inner| inner.first().unwrap_or(inner)))
        }
        _ => SourceType::Unknown,
    }
}

fn named<'s>(packages: &Packages<'s>, at: Spot<'s>) -> SourceType {
    let Some(name) = packages.named(at) else {
        return SourceType::Unknown;
    };
    let Some(of) = packages.declaration(name).and_then(|spec| spec.field("type")) else {
        return SourceType::Unknown;
    };
    match of.kind() {
        "struct_type" => SourceType::Shape(name.1.to_owned()),
        "type_identifier" if matches!(of.text(), "string" | "int" | "int16" | "int8" | "uint8") => {
            if of.text() == "string" || packages.constants_of(name) {
                SourceType::Enum(name.1.to_owned())
            } else {
                kind(packages, of)
            }
        }
        "interface_type" => SourceType::Unknown,
        _ if packages.named(of) == Some(name) => SourceType::Unknown,
        _ => kind(packages, of),
    }
}
