//! The document of a server as the API that it describes: two states of one are compared as two releases of a program are.
//!
//! OpenAPI 3 and Swagger 2 are read, as JSON or YAML. An operation goes by its id in the catalogue where that has its route, and by its
//! method and path otherwise; a type by its name among the components.

use std::collections::{BTreeMap, BTreeSet};

use fedispec_model::api::{Api, Operation, SCHEMA};
use fedispec_model::resolved;
use fedispec_since::{Presence, StableVersion};
use serde_json::{Value, json};

/// The key of the program that the documents describe.
pub const PROGRAM: &str = "server";

/// The releases that stand for the older document and for the newer one, whatever versions they name.
pub const RELEASES: [StableVersion; 2] = [StableVersion(0, 0, 1), StableVersion(0, 0, 2)];

/// Types stand no deeper than this in others, but those that hold themselves without a name.
const DEEPEST: usize = 16;

/// An item as a document states it: facts by their names in the catalogue, and its parameters, fields or values.
#[derive(Default, Clone)]
struct Node {
    facts: BTreeMap<&'static str, Value>,
    parts: Nodes,
}

type Nodes = BTreeMap<String, Node>;

/// The same item in the older document and in the newer one.
type Both<'n> = [Option<&'n Node>; 2];

/// A document, and what was read of it.
struct Reader<'d> {
    root: &'d Value,
    /// By method and path: `GET /api/v1/lists/:`.
    operations: Nodes,
    /// By route and status.
    errors: Nodes,
    entities: Nodes,
    enums: Nodes,
    /// How deep the type that is read stands in others.
    depth: usize,
}

/// Reads two states of a server's document as the releases [`RELEASES`] of one program. Returns the versions that they name besides.
///
/// # Errors
/// Where a text is no such document.
pub fn releases(api: &Api, texts: [&str; 2]) -> Result<(Api, [StableVersion; 2]), String> {
    let roots = [parsed(texts[0], "older")?, parsed(texts[1], "newer")?];
    let versions = roots.each_ref().map(|root| {
        let version = root["info"]["version"].as_str().unwrap_or_default();
        version.trim_start_matches('v').parse().unwrap_or(StableVersion(0, 0, 0))
    });
    let [old, new] = roots.each_ref().map(Reader::read);
    let ids = ids(api);
    let errors = joined(&old.errors, &new.errors);
    let operations = joined(&old.operations, &new.operations).into_iter().map(|(route, both)| {
        let (method, path) = route.split_once(' ').unwrap_or_default();
        let id = ids.get(route).unwrap_or(route);
        let errors = errors.iter().filter_map(|(error, both)| {
            let status = error.strip_prefix(route.as_str())?.strip_prefix(' ')?.parse::<u16>();
            Some(json!({"status": status.ok()?, "life": [life(*both)]}))
        });
        let params = parts(id, both).into_iter().map(|item| {
            json!({"item": item, "location": "unknown", "type": "json", "type_known": false, "required": "unknown"})
        });
        json!({
            "item": item(id, "", both), "group": "", "rust_fn": "", "route": {"method": method, "path": path}, "body": "none",
            "params": params.collect::<Value>(), "returns": "json", "returns_known": false, "success": [], "paging": "unknown",
            "errors": errors.collect::<Value>(),
        })
    });
    let entities = joined(&old.entities, &new.entities).into_iter().map(|(id, both)| {
        let fields = parts(id, both).into_iter().map(|item| {
            json!({"item": item, "type": "json", "type_known": false, "nullable": false, "optional": false, "presence_known": false})
        });
        json!({"item": item(id, id, both), "role": "named", "fields_known": true, "fields": fields.collect::<Value>()})
    });
    let enums = joined(&old.enums, &new.enums).into_iter().map(|(id, both)| {
        json!({"item": item(id, id, both), "values_known": true, "sent": true, "received": true, "values": parts(id, both)})
    });
    let name = roots[1]["info"]["title"].as_str().unwrap_or(PROGRAM);
    let releases = RELEASES.map(|version| json!({"version": version}));
    let read = json!({
        "schema": SCHEMA, "layer": "full", "groups": [],
        "programs": [{"key": PROGRAM, "name": name, "nodeinfo": [], "releases": releases}],
        "operations": operations.collect::<Value>(), "entities": entities.collect::<Value>(), "enums": enums.collect::<Value>(),
    });
    let read = resolved::from_json(&read.to_string()).map_err(|error| error.to_string())?;
    Ok((read, versions))
}

fn parsed(text: &str, which: &str) -> Result<Value, String> {
    let failed = |why: String| format!("the {which} document cannot be read: {why}");
    let root: Value = serde_yaml::from_str(text).map_err(|error| failed(error.to_string()))?;
    if root["openapi"].is_null() && root["swagger"].is_null() || !root["paths"].is_object() {
        return Err(failed("it is no OpenAPI document".to_owned()));
    }
    Ok(root)
}

/// The ids of the catalogue's operations by route. One of its own comes after the twins of others, in whose place it stands.
fn ids(api: &Api) -> BTreeMap<String, String> {
    let of = |operation: &Operation| {
        let (route, id) = (operation.route.as_ref()?, &operation.item.id);
        let named = |method: &str, id: String| (format!("{method} {}", plain(&route.path)), id);
        let twins = operation.also.iter().map(|twin| &twin.method);
        let twins = twins.map(|method| named(method, format!("{id}.{}", method.to_lowercase())));
        Some((named(&route.method, id.clone()), twins.collect::<Vec<_>>()))
    };
    let (own, twins): (Vec<_>, Vec<_>) = api.operations.iter().filter_map(of).unzip();
    twins.into_iter().flatten().chain(own).collect()
}

/// `/api/v1/lists/:` for `/api/v1/lists/{id}`, since names of what varies differ.
fn plain(path: &str) -> String {
    let parts = path.split('/');
    let parts = parts.map(|part| if part.starts_with([':', '{']) { ":" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

fn joined<'n>(old: &'n Nodes, new: &'n Nodes) -> BTreeMap<&'n String, Both<'n>> {
    old.keys().chain(new.keys()).map(|key| (key, [old.get(key), new.get(key)])).collect()
}

/// The parts of an item as items.
fn parts(id: &str, both: Both<'_>) -> Vec<Value> {
    let [mut before, after] = both.map(|node| node.cloned().unwrap_or_default().parts);
    let must = |part: &Node| part.facts.get("required").is_some_and(|value| value == "always");
    // A parameter that was not there did not have to be sent.
    for (name, part) in after.iter().filter(|(_, part)| both[0].is_some() && must(part)) {
        before.entry(name.clone()).or_insert_with(|| {
            let mut lacking = part.clone();
            lacking.facts.insert("required", json!("never"));
            lacking
        });
    }
    let items = joined(&before, &after).into_iter();
    items.map(|(name, both)| item(&format!("{id}.{name}"), name, both)).collect()
}

fn item(id: &str, name: &str, both: Both<'_>) -> Value {
    json!({"id": id, "name": name, "wire": name, "rust": "", "origin": "undocumented", "life": [life(both)]})
}

/// The life of what one document or both have: what differs changed in the newer release.
fn life(both: Both<'_>) -> Value {
    let [first, second] = RELEASES;
    let (old, new) = match both {
        [Some(old), Some(new)] => (&old.facts, &new.facts),
        [Some(_), None] => return json!({"since": first, "effective": first, "removed": second}),
        _ => return json!({"since": second, "effective": second}),
    };
    let names: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    let differ =
        names.into_iter().filter(|name| **name != DISCOURAGED && old.get(*name) != new.get(*name));
    let changed = differ.map(
        |name| json!({"in": second, "what": name, "from": old.get(name), "to": new.get(name)}),
    );
    let mut life =
        json!({"since": first, "effective": first, "changed": changed.collect::<Value>()});
    if new.contains_key(DISCOURAGED) {
        life["deprecated"] = json!(if old.contains_key(DISCOURAGED) { first } else { second });
    }
    life
}

/// The mark of what is discouraged, in documents and among facts.
const DISCOURAGED: &str = "deprecated";

impl<'d> Reader<'d> {
    fn read(root: &'d Value) -> Self {
        let [operations, errors, entities, enums] = [(); 4].map(|()| Nodes::new());
        let mut reader = Self { root, operations, errors, entities, enums, depth: 0 };
        // The path of a whole address stands after its host.
        let server = root["servers"][0]["url"].as_str().unwrap_or_default();
        let host = server.split_once("//").map_or(server, |(_, rest)| rest);
        let server = host.find('/').map_or("", |at| &host[at..]);
        let base = root["basePath"].as_str().unwrap_or(server).trim_end_matches('/');
        for (path, methods) in members(&root["paths"]) {
            for (method, own) in members(methods).filter(|(_, own)| own["responses"].is_object()) {
                let route =
                    format!("{} {}", method.to_uppercase(), plain(&format!("{base}{path}")));
                let operation = reader.operation(&route, methods, own);
                reader.operations.insert(route, operation);
            }
        }
        reader
    }

    fn operation(&mut self, route: &str, path: &'d Value, own: &'d Value) -> Node {
        let mut read = node(own);
        self.callers(own, &mut read);
        let mut success = Vec::new();
        for (status, answer) in members(&own["responses"]) {
            let Ok(number) = status.parse::<u16>() else { continue };
            let answer = self.followed(answer);
            let content = members(&answer["content"]).map(|(_, media)| &media["schema"]).next();
            let schema = content.unwrap_or(&answer["schema"]);
            let place = format!("{route} {status}");
            let empty = schema.is_null().then(|| "empty".to_owned());
            let returns = empty.unwrap_or_else(|| self.text(schema, &place));
            if number < 400 {
                success.push(number);
                read.facts.entry("returns").or_insert(json!(returns));
            } else {
                self.errors.insert(place, Node::default());
            }
        }
        read.facts.insert("success", json!(success));
        for param in elements(&path["parameters"]).chain(elements(&own["parameters"])) {
            let param = self.followed(param);
            let name = param["name"].as_str().unwrap_or_default();
            let schema = if param["schema"].is_null() { param } else { &param["schema"] };
            let is_required = param["required"] == true;
            match param["in"].as_str() {
                Some("body") => self.body("", schema, is_required, &mut read.parts),
                // A path with another place is another path.
                Some("path") => {}
                _ => {
                    let mut part = self.param(name, schema, is_required);
                    part.facts.extend(node(param).facts);
                    read.parts.insert(name.to_owned(), part);
                }
            }
        }
        for (_, media) in members(&self.followed(&own["requestBody"])["content"]) {
            self.body("", &media["schema"], true, &mut read.parts);
        }
        read
    }

    /// Reads who may call an operation.
    fn callers(&self, own: &Value, read: &mut Node) {
        let security = [own, self.root].into_iter().find_map(|one| one["security"].as_array());
        let ways: Vec<&Value> = security.into_iter().flatten().collect();
        let scopes =
            ways.iter().flat_map(|way| members(way)).flat_map(|(_, scopes)| elements(scopes));
        let scopes: BTreeSet<&str> = scopes.filter_map(Value::as_str).collect();
        let open = ways.iter().filter(|way| members(way).next().is_none()).count();
        let token = match open {
            _ if open == ways.len() => "none",
            0 => "user",
            _ => "optional",
        };
        read.facts.extend([("scopes", json!(scopes)), ("token", json!(token))]);
    }

    /// Reads the parameters of a body, named as a form names them: `poll[options][]`.
    fn body(&mut self, name: &str, schema: &'d Value, is_required: bool, to: &mut Nodes) {
        let whole = self.followed(schema);
        let is_list = !whole["items"].is_null();
        let brackets = if is_list && !name.ends_with("[]") { "[]" } else { "" };
        let name = format!("{name}{brackets}");
        let fields = self.fields(if is_list { &whole["items"] } else { whole });
        // A schema may contain itself; the depth bounds it.
        if fields.is_empty() || name.matches('[').count() > 4 {
            let part = self.param(&name, schema, is_required);
            to.entry(name).or_insert(part);
            return;
        }
        for (key, field, must) in fields {
            let inside = if name.is_empty() { key.to_owned() } else { format!("{name}[{key}]") };
            self.body(&inside, field, must && is_required && name.is_empty(), to);
        }
    }

    fn param(&mut self, name: &str, schema: &'d Value, is_required: bool) -> Node {
        let mut read = node(schema);
        let required = if is_required { "always" } else { "never" };
        read.facts.insert("type", json!(self.text(schema, name)));
        read.facts.insert("required", json!(required));
        let whole = self.followed(schema);
        for (ours, theirs) in [
            ("default", "default"),
            ("min", "minimum"),
            ("max", "maximum"),
            ("max_length", "maxLength"),
            ("min_items", "minItems"),
            ("max_items", "maxItems"),
        ] {
            let said = Some(&whole[theirs]).filter(|said| !said.is_null());
            read.facts.extend(said.map(|said| (ours, said.clone())));
        }
        read
    }

    /// A type in the catalogue's notation. The named types behind it are read; one without a name goes by its place.
    fn text(&mut self, schema: &'d Value, place: &str) -> String {
        if self.depth > DEEPEST {
            return "json".to_owned();
        }
        self.depth += 1;
        let text = self.shallow(schema, place);
        self.depth -= 1;
        text
    }

    fn shallow(&mut self, schema: &'d Value, place: &str) -> String {
        let fields = self.fields(schema);
        if let Some((_, name)) = schema["$ref"].as_str().and_then(|path| path.rsplit_once('/')) {
            let whole = self.followed(schema);
            if fields.is_empty() && values(whole).is_empty() {
                return self.text(whole, place);
            }
            self.named(name, whole);
            // An object without a name of its own goes by its place.
            return if name == place { "object" } else { name }.to_owned();
        }
        let several = ["anyOf", "oneOf", "allOf"].map(|key| elements(&schema[key]));
        let several = several.into_iter().flatten().filter(|one| !is_null(one));
        let several: Vec<&Value> = several.collect();
        if several.len() == 1 || !several.is_empty() && fields.is_empty() {
            let mut texts: Vec<_> = several.iter().map(|one| self.text(one, place)).collect();
            texts.dedup();
            return texts.join("|");
        }
        let kinds = std::iter::once(&schema["type"]).chain(elements(&schema["type"]));
        let kind = kinds.filter_map(Value::as_str).find(|kind| *kind != "null");
        match (kind, schema["format"].as_str()) {
            (Some("array"), _) => format!("{}[]", self.text(&schema["items"], place)),
            (Some("string"), Some("date-time")) => "datetime".to_owned(),
            (Some("string"), Some("binary")) | (Some("file"), _) => "file".to_owned(),
            _ if !fields.is_empty() => {
                self.named(place, schema);
                "object".to_owned()
            }
            _ if schema["additionalProperties"].is_object() => {
                format!("map<{}>", self.text(&schema["additionalProperties"], place))
            }
            _ if schema["enum"].is_array() => {
                let values = elements(&schema["enum"]).filter(|value| !value.is_null());
                values.map(Value::to_string).collect::<Vec<_>>().join("|")
            }
            (kind, _) => kind.unwrap_or("json").to_owned(),
        }
    }

    /// Notes an entity or an enumeration.
    fn named(&mut self, name: &str, schema: &'d Value) {
        let values = values(schema);
        if !values.is_empty() {
            self.enums.insert(name.to_owned(), Node { parts: values, ..node(schema) });
        } else if !self.entities.contains_key(name) {
            self.entities.insert(name.to_owned(), node(schema));
            for (key, field, must) in self.fields(schema) {
                let mut part = node(field);
                let presence = Presence { optional: !must, nullable: is_null(field) };
                part.facts.insert("type", json!(self.text(field, &format!("{name}.{key}"))));
                part.facts.insert("presence", json!(presence.name()));
                self.entities
                    .entry(name.to_owned())
                    .or_default()
                    .parts
                    .insert(key.to_owned(), part);
            }
        }
    }

    /// The target of a reference; a circle of references ends.
    fn followed(&self, mut part: &'d Value) -> &'d Value {
        for _ in 0..8 {
            let path = part["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
            let Some(next) = path.and_then(|path| self.root.pointer(path)) else { break };
            part = next;
        }
        part
    }

    /// The members of an object with whether each must be there, those of the parts that it is made of before its own.
    fn fields(&self, schema: &'d Value) -> Vec<(&'d str, &'d Value, bool)> {
        let (mut found, mut next) = (Vec::new(), vec![(schema, 0)]);
        while let Some((part, depth)) = next.pop() {
            let whole = self.followed(part);
            let parts = elements(&whole["allOf"]).filter(|_| depth < DEEPEST / 2);
            next.extend(parts.map(|part| (part, depth + 1)));
            found.extend(members(&whole["properties"]).map(|(key, field)| {
                (key, field, elements(&whole["required"]).any(|name| name == key))
            }));
        }
        found
    }
}

fn elements(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn members(object: &Value) -> impl Iterator<Item = (&str, &Value)> {
    object.as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value))
}

/// An item of which no more is read than whether it is discouraged.
fn node(of: &Value) -> Node {
    let mark = (of[DISCOURAGED] == true).then_some((DISCOURAGED, Value::Bool(true)));
    Node { facts: mark.into_iter().collect(), parts: Nodes::new() }
}

/// The listed values of a text, also of one that takes any other beside them.
fn values(schema: &Value) -> Nodes {
    let parts = std::iter::once(schema).chain(elements(&schema["anyOf"]));
    let lists = parts.flat_map(|part| [&part["enum"], &part["x-extensible-enum"]]);
    let texts = lists.flat_map(elements).filter_map(Value::as_str);
    texts.map(|value| (value.to_owned(), Node::default())).collect()
}

/// Whether null is among what a schema takes.
fn is_null(schema: &Value) -> bool {
    let several = ["type", "anyOf", "oneOf", "enum"].map(|key| elements(&schema[key]));
    let mut several = several.into_iter().flatten();
    schema["nullable"] == true
        || schema["x-nullable"] == true
        || schema["type"] == "null"
        || several.any(|one| one == "null" || one.is_null() || one["type"] == "null")
}

#[cfg(test)]
mod tests {
    use super::{Reader, parsed, releases};
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
        let circle = parsed(&circle, "older").expect("a document");
        assert!(Reader::read(&circle).entities.is_empty());
    }
}
