//! Decoding one item, telling of everything that is wrong in it.
//!
//! serde stops at the first problem. So what is wrong is taken out of the value, and the rest is tried again.

use indexmap::IndexMap;
use serde::de::DeserializeOwned;
use serde_path_to_error::{Path, Segment};
use serde_yaml::{Mapping, Value};

use super::explain::{Explained, Problem};
use crate::diagnostic::Diagnostic;
use crate::model::Mistake;
use crate::source::{FileId, Sources};

/// The most problems of one item that are told one by one: each costs another try.
const TRIES: usize = 64;

/// What decodes the items of a file.
pub(super) struct Decoder<'a> {
    pub(super) sources: &'a Sources,
    pub(super) file: FileId,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// An item could not be kept.
    pub(super) lost: bool,
    path: Vec<String>,
}

/// The keys whose value is JSON, where null is a value.
const MAY_BE_NULL: [&str; 3] = ["default", "documents", "supplement"];

/// A step on the way to a node.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Element(usize),
}

/// What was taken out of an item.
#[derive(Debug, Default)]
struct Taken(Vec<Vec<Step>>);

impl<'a> Decoder<'a> {
    pub(super) fn new(sources: &'a Sources, file: FileId) -> Self {
        Self {
            sources,
            file,
            diagnostics: Vec::new(),
            lost: false,
            path: Vec::new(),
        }
    }

    /// The entries of a map; anything else is a problem and nothing.
    pub(super) fn map(&mut self, value: Value) -> Option<Mapping> {
        match value {
            Value::Mapping(map) => Some(map),
            other => {
                let problem = Problem::WrongType {
                    expected: "a map".into(),
                };
                self.report(&problem, &[], Some(&other));
                self.lost = true;
                None
            }
        }
    }

    /// Takes a map of items out of what contains it, and decodes each; anything else stays there.
    pub(super) fn each<T>(
        &mut self,
        map: &mut Mapping,
        section: &str,
        decode: fn(&mut Self, Value) -> Option<T>,
    ) -> Option<IndexMap<String, T>> {
        if !map.get(section)?.is_mapping() {
            return None;
        }
        let Some(Value::Mapping(entries)) = map.shift_remove(section) else {
            return None;
        };
        let mut items = IndexMap::with_capacity(entries.len());
        self.path.push(section.into());
        for (key, value) in entries {
            let Value::String(key) = key else { continue };
            self.path.push(key);
            let item = decode(self, value);
            if let (Some(key), Some(item)) = (self.path.pop(), item) {
                items.insert(key, item);
            }
        }
        self.path.pop();
        Some(items)
    }

    /// Takes a list of items out of what contains it, and decodes each; anything else stays there.
    pub(super) fn list<T>(
        &mut self,
        map: &mut Mapping,
        section: &str,
        decode: fn(&mut Self, Value) -> Option<T>,
    ) -> Option<Vec<T>> {
        if !map.get(section)?.is_sequence() {
            return None;
        }
        let Some(Value::Sequence(elements)) = map.shift_remove(section) else {
            return None;
        };
        let mut items = Vec::with_capacity(elements.len());
        self.path.push(section.into());
        for (number, value) in elements.into_iter().enumerate() {
            self.path.push(number.to_string());
            items.extend(decode(self, value));
            self.path.pop();
        }
        self.path.pop();
        Some(items)
    }

    /// An item of which serde knows the whole form.
    pub(super) fn item<T: DeserializeOwned>(&mut self, value: Value) -> Option<T> {
        // serde would take nothing for an empty map.
        let mut value = self.map(value).map(Value::Mapping)?;
        let mut taken = Taken::default();
        for _ in 0..TRIES {
            // Following the path costs; most items are sound.
            let item = T::deserialize(&value)
                .or_else(|_| serde_path_to_error::deserialize::<_, T>(&value));
            let error = match item {
                Ok(item) => {
                    if has_empty(&value) {
                        self.report_empty(&value, &taken, &mut Vec::new());
                    }
                    return Some(item);
                }
                Err(error) => error,
            };
            let problem = Problem::parse(&error.inner().to_string());
            if !self.take_out(&mut value, &mut taken, steps(error.path()), &problem) {
                self.lost = true;
                return None;
            }
        }
        self.lost = true;
        self.report(&Problem::TooMany(TRIES), &[], None);
        None
    }

    /// Tells of a problem and takes out of the value what causes it; whether anything is left to try.
    fn take_out(
        &mut self,
        value: &mut Value,
        taken: &mut Taken,
        steps: Vec<Step>,
        problem: &Problem,
    ) -> bool {
        if let Problem::UnknownKey { known } = problem {
            return self.take_out_unknown(value, taken, steps, problem, known);
        }
        let written = taken.written(&steps);
        if !taken.explains(&written, problem) {
            self.report(problem, &written, find(value, &steps).as_deref());
        }
        let removed = remove(value, &steps);
        taken.0.push(written);
        removed
    }

    /// Tells of keys without a value: serde takes them for absent, but somebody forgot something.
    fn report_empty(&mut self, value: &Value, taken: &Taken, steps: &mut Vec<Step>) {
        match value {
            Value::Mapping(map) => {
                for (key, value) in map {
                    steps.push(Step::Key(key.as_str().unwrap_or_default().into()));
                    if is_empty(key, value) {
                        self.report(&Problem::Empty, &taken.written(steps), None);
                    } else if has_empty(value) {
                        self.report_empty(value, taken, steps);
                    }
                    steps.pop();
                }
            }
            Value::Sequence(elements) => {
                for (number, element) in elements.iter().enumerate() {
                    steps.push(Step::Element(number));
                    self.report_empty(element, taken, steps);
                    steps.pop();
                }
            }
            _ => {}
        }
    }

    /// Takes out all unknown keys of a map at once.
    fn take_out_unknown(
        &mut self,
        value: &mut Value,
        taken: &Taken,
        mut steps: Vec<Step>,
        problem: &Problem,
        known: &[String],
    ) -> bool {
        // The path leads to the key.
        steps.pop();
        let Some(Value::Mapping(map)) = find(value, &steps) else {
            return false;
        };
        let is_unknown = |key: &Value| {
            key.as_str()
                .is_none_or(|key| known.iter().all(|known| known != key))
        };
        let keys: Vec<_> = map.keys().filter(|key| is_unknown(key)).cloned().collect();
        map.retain(|key, _| !is_unknown(key));
        let mut written = taken.written(&steps);
        for key in keys.iter().filter_map(Value::as_str) {
            written.push(Step::Key(key.into()));
            self.report(problem, &written, None);
            written.pop();
        }
        !keys.is_empty()
    }

    /// Tells of a key that is written wrongly.
    pub(super) fn refuse_key(&mut self, path: &[&str], mistake: Mistake) {
        let path: Vec<_> = self
            .path
            .iter()
            .map(String::as_str)
            .chain(path.iter().copied())
            .collect();
        let span = self.sources.nearest(self.file, &path).name();
        // A version without quotes was told of by the scan.
        self.diagnostics.push(
            Diagnostic::at(mistake.code, self.file, span, mistake.message).help(mistake.help),
        );
    }

    fn report(&mut self, problem: &Problem, steps: &[Step], value: Option<&Value>) {
        let numbers: Vec<_> = steps.iter().map(Step::text).collect();
        let path: Vec<_> = self
            .path
            .iter()
            .chain(&numbers)
            .map(String::as_str)
            .collect();
        let span = self.sources.nearest(self.file, &path);
        let content = span.content();
        let written = &self.sources.text(self.file)[content.clone()];
        let Explained {
            code,
            message,
            label,
            help,
        } = problem.explain(&path, value, written);
        let at = if problem.is_about_value() {
            content
        } else {
            span.name()
        };
        let mut diagnostic = Diagnostic::at(code, self.file, at, message).help(help);
        diagnostic.label = label;
        self.diagnostics.push(diagnostic);
    }
}

impl Step {
    fn text(&self) -> String {
        match self {
            Self::Key(key) => key.clone(),
            Self::Element(number) => number.to_string(),
        }
    }
}

fn is_empty(key: &Value, value: &Value) -> bool {
    value.is_null() && key.as_str().is_none_or(|key| !MAY_BE_NULL.contains(&key))
}

fn has_empty(value: &Value) -> bool {
    match value {
        Value::Mapping(map) => map
            .iter()
            .any(|(key, value)| is_empty(key, value) || has_empty(value)),
        Value::Sequence(elements) => elements.iter().any(has_empty),
        _ => false,
    }
}

fn steps(path: &Path) -> Vec<Step> {
    let step = |segment: &Segment| match segment {
        Segment::Map { key } => Some(Step::Key(key.clone())),
        Segment::Seq { index } => Some(Step::Element(*index)),
        Segment::Enum { .. } | Segment::Unknown => None,
    };
    path.iter().map_while(step).collect()
}

fn find<'v>(mut value: &'v mut Value, steps: &[Step]) -> Option<&'v mut Value> {
    for step in steps {
        value = match step {
            Step::Key(key) => value.get_mut(key.as_str())?,
            Step::Element(number) => value.get_mut(*number)?,
        };
    }
    Some(value)
}

fn remove(value: &mut Value, steps: &[Step]) -> bool {
    let Some((last, parent)) = steps.split_last() else {
        return false;
    };
    match (find(value, parent), last) {
        (Some(Value::Mapping(map)), Step::Key(key)) => map.shift_remove(key.as_str()).is_some(),
        (Some(Value::Sequence(elements)), Step::Element(number)) if *number < elements.len() => {
            elements.remove(*number);
            true
        }
        _ => false,
    }
}

impl Taken {
    /// The steps as they lead in the file, where the elements taken out still stand.
    fn written(&self, steps: &[Step]) -> Vec<Step> {
        let mut written = Vec::with_capacity(steps.len());
        for step in steps {
            let step = match step {
                Step::Key(key) => Step::Key(key.clone()),
                Step::Element(number) => Step::Element(self.number(&written, *number)),
            };
            written.push(step);
        }
        written
    }

    fn number(&self, list: &[Step], mut number: usize) -> usize {
        let mut gone: Vec<_> = self
            .inside(list)
            .filter_map(|step| {
                if let Step::Element(at) = step {
                    Some(*at)
                } else {
                    None
                }
            })
            .collect();
        gone.sort_unstable();
        for at in gone {
            if at <= number {
                number += 1;
            }
        }
        number
    }

    /// What was taken out of that node.
    fn inside(&self, node: &[Step]) -> impl Iterator<Item = &Step> {
        self.0.iter().filter_map(move |path| {
            path.split_last()
                .filter(|(_, parent)| *parent == node)
                .map(|(last, _)| last)
        })
    }

    /// Whether a problem is but a consequence of what was taken out.
    fn explains(&self, node: &[Step], problem: &Problem) -> bool {
        match problem {
            Problem::MissingKey(name) => self
                .inside(node)
                .any(|step| matches!(step, Step::Key(key) if key == name)),
            Problem::Length { .. } => self.inside(node).next().is_some(),
            _ => false,
        }
    }
}
