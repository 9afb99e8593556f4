//! The document of a server as the API that it describes: two states of one are compared as two releases of a program are.
//!
//! OpenAPI 3 and Swagger 2 are read, as JSON or YAML. An operation goes by its id in the catalogue where that has its route, and by its
//! method and path otherwise; a type by its name among the components.

use std::collections::{BTreeMap, BTreeSet};

use fedispec_model::api::Api;
use fedispec_model::resolved;
use fedispec_since::{Presence, StableVersion};
use serde_json::{Value, json};

/// The key of the program that the documents describe.
pub const PROGRAM: &str = "server";

/// The releases that stand for the older document and for the newer one, whatever versions they name.
pub const RELEASES: [StableVersion; 2] = [StableVersion(0, 0, 1), StableVersion(0, 0, 2)];

/// The facts of an item by their names in the catalogue.
type Facts = BTreeMap<&'static str, Value>;

/// An operation with its parameters, an entity with its fields, or an enumeration with its values.
#[derive(Default)]
struct Owner {
    facts: Facts,
    parts: BTreeMap<String, Facts>,
}

/// A method and a path without the names of what varies.
type Route = (String, String);

/// A document, and what was read of it.
struct Document {
    root: Value,
    operations: BTreeMap<Route, Owner>,
    entities: BTreeMap<String, Owner>,
    enums: BTreeMap<String, Owner>,
    /// How deep the type that is read stands in others.
    depth: usize,
}

/// Types stand no deeper than this in others, but those that hold themselves without a name.
const DEEPEST: usize = 16;

/// Reads two states of a server's document as the releases [`RELEASES`] of one program. Returns the versions that they name besides.
///
/// # Errors
/// Where a text is no such document.
pub fn releases(api: &Api, texts: [&str; 2]) -> Result<(Api, [StableVersion; 2]), String> {
    let read = |text, which: &str| {
        Document::read(text).map_err(|why| format!("the {which} document cannot be read: {why}"))
    };
    let (old, new) = (read(texts[0], "older")?, read(texts[1], "newer")?);
    let versions = [&old, &new].map(|document| {
        let version = document.root["info"]["version"].as_str().unwrap_or_default();
        version.trim_start_matches('v').parse().unwrap_or(StableVersion(0, 0, 0))
    });
    let ids = api.operations.iter().filter_map(|operation| {
        let route = operation.route.as_ref()?;
        let (id, path) = (&operation.item.id, plain(&route.path));
        let twins = operation.also.iter().map(|twin| {
            let id = format!("{id}.{}", twin.method.to_lowercase());
            ((twin.method.clone(), path.clone()), id)
        });
        let mut routes: Vec<_> = twins.collect();
        routes.push(((route.method.clone(), path), id.clone()));
        Some(routes)
    });
    let mut ids: Vec<(Route, String)> = ids.flatten().collect();
    // An operation of its own comes after the twins of others, in whose place it stands.
    ids.sort_by_key(|(_, id)| std::cmp::Reverse(id.matches('.').count()));
    let ids: BTreeMap<Route, String> = ids.into_iter().collect();
    let operations = joined(&old.operations, &new.operations).map(|(route, both)| {
        let (method, path) = route;
        let id = ids.get(route).cloned().unwrap_or_else(|| format!("{method} {path}"));
        let statuses = |owner: Option<&Owner>| -> BTreeSet<u64> {
            let listed = owner.and_then(|owner| owner.facts.get("errors")?.as_array());
            listed.into_iter().flatten().filter_map(Value::as_u64).collect()
        };
        let [before, after] = both.map(statuses);
        let errors = before.union(&after).map(|status| {
            let nothing = Facts::new();
            let of = |known: &BTreeSet<u64>| known.contains(status).then_some(&nothing);
            json!({"status": status, "life": [life([of(&before), of(&after)])]})
        });
        let params = parts(&id, both).map(|item| {
            json!({"item": item, "location": "unknown", "type": "json", "type_known": false, "required": "unknown"})
        });
        json!({
            "item": item(&id, "", both.map(|one| one.map(|one| &one.facts))),
            "group": "", "rust_fn": "", "route": {"method": method, "path": path}, "body": "none",
            "params": params.collect::<Vec<_>>(), "returns": "json", "returns_known": false,
            "success": [], "paging": "unknown", "errors": errors.collect::<Vec<_>>(),
        })
    });
    let entities = joined(&old.entities, &new.entities).map(|(id, both)| {
        let fields = parts(id, both).map(|item| {
            json!({"item": item, "type": "json", "type_known": false, "nullable": false, "optional": false, "presence_known": false})
        });
        json!({
            "item": item(id, id, both.map(|one| one.map(|one| &one.facts))),
            "role": "named", "fields_known": true, "fields": fields.collect::<Vec<_>>(),
        })
    });
    let enums = joined(&old.enums, &new.enums).map(|(id, both)| {
        json!({
            "item": item(id, id, both.map(|one| one.map(|one| &one.facts))),
            "values_known": true, "sent": true, "received": true, "values": parts(id, both).collect::<Vec<_>>(),
        })
    });
    let name = new.root["info"]["title"].as_str().unwrap_or(PROGRAM);
    let read = json!({
        "schema": fedispec_model::api::SCHEMA,
        "layer": "full",
        "programs": [{"key": PROGRAM, "name": name, "nodeinfo": [], "releases": RELEASES.map(|version| json!({"version": version}))}],
        "groups": [],
        "operations": operations.collect::<Vec<_>>(),
        "entities": entities.collect::<Vec<_>>(),
        "enums": enums.collect::<Vec<_>>(),
    });
    let read = resolved::from_json(&read.to_string()).map_err(|error| error.to_string())?;
    Ok((read, versions))
}

/// The owners of both documents.
fn joined<'d, K: Ord>(
    old: &'d BTreeMap<K, Owner>,
    new: &'d BTreeMap<K, Owner>,
) -> impl Iterator<Item = (&'d K, [Option<&'d Owner>; 2])> {
    let keys: BTreeSet<&K> = old.keys().chain(new.keys()).collect();
    keys.into_iter().map(|key| (key, [old.get(key), new.get(key)]))
}

/// The parts of an owner as items.
fn parts<'d>(id: &'d str, both: [Option<&'d Owner>; 2]) -> impl Iterator<Item = Value> {
    let names: BTreeSet<&String> = both.iter().flatten().flat_map(|one| one.parts.keys()).collect();
    names.into_iter().map(move |name| {
        let [mut old, new] = both.map(|one| one.and_then(|one| one.parts.get(name)).cloned());
        // A parameter that was not there did not have to be sent.
        if let (Some(_), None, Some(new)) = (both[0], &old, &new)
            && new.get("required").is_some_and(|required| required == "always")
        {
            let mut before = new.clone();
            before.insert("required", json!("never"));
            old = Some(before);
        }
        item(&format!("{id}.{name}"), name, [old.as_ref(), new.as_ref()])
    })
}

fn item(id: &str, name: &str, both: [Option<&Facts>; 2]) -> Value {
    json!({"id": id, "name": name, "wire": name, "rust": "", "origin": "undocumented", "life": [life(both)]})
}

/// The life of what one document or both have: what differs changed in the newer release.
fn life(both: [Option<&Facts>; 2]) -> Value {
    let [first, second] = RELEASES;
    let (old, new) = match both {
        [Some(old), Some(new)] => (old, new),
        [Some(_), None] => return json!({"since": first, "effective": first, "removed": second}),
        _ => return json!({"since": second, "effective": second}),
    };
    let names: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    let differ = names.into_iter().filter(|name| !matches!(**name, "deprecated" | "errors"));
    let differ = differ.filter(|name| old.get(*name) != new.get(*name));
    let changed = differ.map(
        |name| json!({"in": second, "what": name, "from": old.get(name), "to": new.get(name)}),
    );
    let mut life =
        json!({"since": first, "effective": first, "changed": changed.collect::<Vec<_>>()});
    if new.contains_key("deprecated") {
        life["deprecated"] = json!(if old.contains_key("deprecated") { first } else { second });
    }
    life
}

/// `/api/v1/lists/:` for `/api/v1/lists/{id}`, since names of what varies differ.
fn plain(path: &str) -> String {
    let parts = path.split('/');
    let parts = parts.map(|part| if part.starts_with([':', '{']) { ":" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

impl Document {
    fn read(text: &str) -> Result<Self, String> {
        let root: Value = serde_yaml::from_str(text).map_err(|error| error.to_string())?;
        if root["openapi"].is_null() && root["swagger"].is_null() || !root["paths"].is_object() {
            return Err("it is no OpenAPI document".to_owned());
        }
        let mut document = Self {
            root: Value::Null,
            operations: BTreeMap::new(),
            entities: BTreeMap::new(),
            enums: BTreeMap::new(),
            depth: 0,
        };
        // The path of a whole address stands after its host.
        let server = root["servers"][0]["url"].as_str().unwrap_or_default();
        let server = server
            .split_once("//")
            .map_or(server, |(_, rest)| rest.find('/').map_or("", |at| &rest[at..]));
        let base = root["basePath"].as_str().unwrap_or(server).trim_end_matches('/');
        for (path, methods) in members(&root["paths"]) {
            for method in ["get", "put", "post", "delete", "patch", "head", "options"] {
                if methods[method].is_object() {
                    let route = (method.to_uppercase(), plain(&format!("{base}{path}")));
                    let operation = document.operation(&root, &route, methods, &methods[method]);
                    document.operations.insert(route, operation);
                }
            }
        }
        Ok(Self { root, ..document })
    }

    fn operation(&mut self, root: &Value, route: &Route, path: &Value, own: &Value) -> Owner {
        let mut read = Owner { facts: common(own), ..Owner::default() };
        let security = [own, root].into_iter().find_map(|one| one["security"].as_array());
        let ways: Vec<&Value> = security.into_iter().flatten().collect();
        let is_open = |way: &&Value| way.as_object().is_some_and(serde_json::Map::is_empty);
        let scopes: BTreeSet<&str> = { ways.iter().flat_map(|way| members(way)) }
            .flat_map(|(_, scopes)| elements(scopes))
            .filter_map(Value::as_str)
            .collect();
        read.facts.insert("scopes", json!(scopes));
        read.facts.insert(
            "token",
            json!(match (ways.iter().all(|way| is_open(&way)), ways.iter().any(is_open)) {
                (true, _) => "none",
                (_, true) => "optional",
                _ => "user",
            }),
        );
        let (mut success, mut errors) = (Vec::new(), Vec::new());
        for (status, answer) in members(&own["responses"]) {
            let Ok(number) = status.parse::<u16>() else { continue };
            if number >= 400 {
                errors.push(number)
            } else {
                success.push(number)
            }
            let answer = followed(root, answer);
            let content = members(&answer["content"]).map(|(_, media)| &media["schema"]).next();
            let schema = content.unwrap_or(&answer["schema"]);
            let place = format!("{} {} {status}", route.0, route.1);
            let returns =
                if schema.is_null() { "empty".to_owned() } else { self.text(root, schema, &place) };
            if number < 400 {
                read.facts.entry("returns").or_insert(json!(returns));
            }
        }
        read.facts.insert("success", json!(success));
        read.facts.insert("errors", json!(errors));
        for param in elements(&path["parameters"]).chain(elements(&own["parameters"])) {
            let param = followed(root, param);
            let name = param["name"].as_str().unwrap_or_default();
            let is_required = param["required"] == true;
            match param["in"].as_str() {
                Some("body") => self.body(root, "", &param["schema"], is_required, &mut read.parts),
                // A path is another one with another place.
                Some("path") => {}
                _ => {
                    let schema = if param["schema"].is_null() { param } else { &param["schema"] };
                    let mut facts = self.param(root, name, schema, is_required);
                    facts.extend(common(param));
                    read.parts.insert(name.to_owned(), facts);
                }
            }
        }
        let body = followed(root, &own["requestBody"]);
        for (_, media) in members(&body["content"]) {
            self.body(root, "", &media["schema"], true, &mut read.parts);
        }
        read
    }

    /// The parameters of a body, named as a form names them: `poll[options][]`.
    fn body(
        &mut self,
        root: &Value,
        name: &str,
        schema: &Value,
        is_required: bool,
        to: &mut BTreeMap<String, Facts>,
    ) {
        let whole = followed(root, schema);
        let listed = followed(root, &whole["items"]);
        let name = match name {
            _ if !whole["items"].is_null() && !name.ends_with("[]") => format!("{name}[]"),
            _ => name.to_owned(),
        };
        let inner = if whole["items"].is_null() { whole } else { listed };
        let fields = fields(root, inner);
        // What holds itself ends somewhere.
        if fields.is_empty() || name.matches('[').count() > 4 {
            let facts = self.param(root, &name, schema, is_required);
            to.entry(name).or_insert(facts);
            return;
        }
        for (key, field, must) in fields {
            let inside = if name.is_empty() { key.to_owned() } else { format!("{name}[{key}]") };
            self.body(root, &inside, field, must && is_required && name.is_empty(), to);
        }
    }

    fn param(&mut self, root: &Value, name: &str, schema: &Value, is_required: bool) -> Facts {
        let mut facts = common(schema);
        facts.insert("type", json!(self.text(root, schema, name)));
        facts.insert("required", json!(if is_required { "always" } else { "never" }));
        let whole = followed(root, schema);
        for (ours, theirs) in [
            ("default", "default"),
            ("min", "minimum"),
            ("max", "maximum"),
            ("max_length", "maxLength"),
            ("min_items", "minItems"),
            ("max_items", "maxItems"),
        ] {
            if !whole[theirs].is_null() {
                facts.insert(ours, whole[theirs].clone());
            }
        }
        facts
    }

    /// A type in the catalogue's notation. The named types behind it are read; one without a name goes by its place.
    fn text(&mut self, root: &Value, schema: &Value, place: &str) -> String {
        if self.depth > DEEPEST {
            return "json".to_owned();
        }
        self.depth += 1;
        let text = self.shallow(root, schema, place);
        self.depth -= 1;
        text
    }

    fn shallow(&mut self, root: &Value, schema: &Value, place: &str) -> String {
        if let Some((_, name)) = schema["$ref"].as_str().and_then(|path| path.rsplit_once('/')) {
            let whole = followed(root, schema);
            return if is_named(root, whole) {
                self.named(root, name, whole);
                // An object without a name of its own goes by its place.
                if name == place { "object".to_owned() } else { name.to_owned() }
            } else {
                self.text(root, whole, place)
            };
        }
        let several = ["anyOf", "oneOf", "allOf"].map(|key| elements(&schema[key]));
        let several: Vec<&Value> =
            several.into_iter().flatten().filter(|one| !is_null(one)).collect();
        if !several.is_empty() && fields(root, schema).is_empty() || several.len() == 1 {
            let mut texts: Vec<_> = several.iter().map(|one| self.text(root, one, place)).collect();
            texts.dedup();
            return texts.join("|");
        }
        let kinds = [&schema["type"]].into_iter().chain(elements(&schema["type"]));
        let kind = kinds.filter_map(Value::as_str).find(|kind| *kind != "null");
        match (kind, schema["format"].as_str()) {
            (Some("array"), _) => format!("{}[]", self.text(root, &schema["items"], place)),
            (Some("string"), Some("date-time")) => "datetime".to_owned(),
            (Some("string"), Some("binary")) | (Some("file"), _) => "file".to_owned(),
            _ if !fields(root, schema).is_empty() => {
                self.named(root, place, schema);
                "object".to_owned()
            }
            _ if schema["additionalProperties"].is_object() => {
                format!("map<{}>", self.text(root, &schema["additionalProperties"], place))
            }
            (_, _) if schema["enum"].is_array() => {
                let values = elements(&schema["enum"]).filter(|value| !value.is_null());
                values.map(Value::to_string).collect::<Vec<_>>().join("|")
            }
            (kind, _) => kind.unwrap_or("json").to_owned(),
        }
    }

    /// Notes an entity or an enumeration.
    fn named(&mut self, root: &Value, name: &str, schema: &Value) {
        if self.entities.contains_key(name) {
            return;
        }
        let values = values(schema);
        if !values.is_empty() {
            self.enums.insert(name.to_owned(), Owner { facts: common(schema), parts: values });
            return;
        }
        self.entities.insert(name.to_owned(), Owner { facts: common(schema), ..Owner::default() });
        for (key, field, must) in fields(root, schema) {
            let mut facts = common(field);
            facts.insert("type", json!(self.text(root, field, &format!("{name}.{key}"))));
            let presence = Presence { optional: !must, nullable: is_null(field) };
            facts.insert("presence", json!(presence.name()));
            if let Some(entity) = self.entities.get_mut(name) {
                entity.parts.insert(key.to_owned(), facts);
            }
        }
    }
}

fn elements(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn members(object: &Value) -> impl Iterator<Item = (&str, &Value)> {
    object.as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value))
}

/// What a reference leads to; a circle of them ends.
fn followed<'d>(root: &'d Value, mut part: &'d Value) -> &'d Value {
    for _ in 0..8 {
        let path = part["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
        let Some(next) = path.and_then(|path| root.pointer(path)) else { break };
        part = next;
    }
    part
}

/// The members of an object, those of the parts that it is made of before its own.
fn fields<'d>(root: &'d Value, schema: &'d Value) -> Vec<(&'d str, &'d Value, bool)> {
    fn gather<'d>(
        root: &'d Value,
        part: &'d Value,
        depth: usize,
        to: &mut Vec<(&'d str, &'d Value, bool)>,
    ) {
        let whole = followed(root, part);
        if depth < 8 {
            elements(&whole["allOf"]).for_each(|part| gather(root, part, depth + 1, to));
        }
        to.extend(members(&whole["properties"]).map(|(key, field)| {
            (key, field, elements(&whole["required"]).any(|name| name == key))
        }));
    }
    let mut found = Vec::new();
    gather(root, schema, 0, &mut found);
    found
}

fn is_named(root: &Value, schema: &Value) -> bool {
    !values(schema).is_empty() || !fields(root, schema).is_empty()
}

/// The listed values of a text, also of one that takes any other beside them.
fn values(schema: &Value) -> BTreeMap<String, Facts> {
    let parts = std::iter::once(schema).chain(elements(&schema["anyOf"]));
    let lists = parts.flat_map(|part| [&part["enum"], &part["x-extensible-enum"]]);
    let texts = lists.flat_map(elements).filter_map(Value::as_str);
    texts.map(|value| (value.to_owned(), Facts::new())).collect()
}

/// Whether null is among what a schema takes.
fn is_null(schema: &Value) -> bool {
    let several = ["type", "anyOf", "oneOf", "enum"].map(|key| elements(&schema[key]));
    schema["nullable"] == true
        || schema["x-nullable"] == true
        || schema["type"] == "null"
        || several
            .into_iter()
            .flatten()
            .any(|one| one == "null" || one.is_null() || one["type"] == "null")
}

/// The facts that any item may have.
fn common(of: &Value) -> Facts {
    let is_discouraged = of["deprecated"] == true;
    is_discouraged.then(|| ("deprecated", Value::Bool(true))).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::{Document, releases};
    use fedispec_model::api::Api;
    use fedispec_model::resolved;
    use fedispec_since::StableVersion;

    fn api() -> Api {
        let text = include_str!("../../model/tests/fedispec-api-2.json");
        resolved::from_json(text).expect("an API")
    }

    const OLD: &str = "
basePath: /api
definitions:
  note:
    type: object
    properties:
      id: {type: string}
      parent: {$ref: '#/definitions/note'}
    required: [id]
info: {title: Notes, version: v1.2.0}
paths:
  /notes/{id}:
    get:
      parameters: [{name: id, in: path, required: true, type: string}]
      responses:
        200: {schema: {$ref: '#/definitions/note'}}
        '404': {description: nothing}
swagger: '2.0'
";

    #[test]
    fn two_documents_are_two_releases() {
        let new = OLD
            .replace(
                "{name: id, in: path, required: true, type: string}",
                "{name: lang, in: query, required: true, type: string}",
            )
            .replace("required: [id]", "required: []")
            .replace(
                "200: {schema: {$ref: '#/definitions/note'}}",
                "200: {schema: {type: array, items: {$ref: '#/definitions/note'}}}",
            )
            .replace("v1.2.0", "v1.3.0");
        let (read, versions) = releases(&api(), [OLD, &new]).expect("documents");
        assert_eq!(versions, [StableVersion(1, 2, 0), StableVersion(1, 3, 0)]);
        let operation = &read.operations[0];
        assert_eq!(operation.item.id, "GET /api/notes/:");
        assert_eq!(operation.errors[0].status, 404);
        let changed = |life: &fedispec_model::api::Life| {
            let told = life
                .changed
                .iter()
                .map(|one| format!("{} {:?} {:?}", one.what, one.from_text(), one.to_text()));
            told.collect::<Vec<_>>().join("; ")
        };
        assert_eq!(changed(&operation.item.life[0]), r#"returns Some("note") Some("note[]")"#);
        let lang = &operation.params[0].item;
        assert_eq!(changed(&lang.life[0]), r#"required Some("never") Some("always")"#);
        let id = &read.entities[0].fields[0].item;
        assert_eq!(id.id, "note.id");
        assert_eq!(changed(&id.life[0]), r#"presence Some("always") Some("optional")"#);
    }

    #[test]
    fn what_is_no_document_is_told_and_circles_end() {
        for (text, told) in [
            ("{}", "no OpenAPI document"),
            ("[", "the newer document"),
            ("openapi: 3.0.0", "no OpenAPI"),
        ] {
            let error = releases(&api(), [OLD, text]).expect_err(text);
            assert!(error.contains(told), "{error}");
        }
        let circle = OLD.replace(
            "type: object\n    properties:",
            "type: array\n    items: {$ref: '#/definitions/note'}\n    x:",
        );
        assert!(Document::read(&circle).expect("a document").entities.is_empty());
    }
}
