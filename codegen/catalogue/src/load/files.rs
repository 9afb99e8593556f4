//! The files of a catalogue: which are read, and problems with a file as a whole.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::ops::Range;
use std::path::Path;

use indexmap::map::Entry;

use super::item::Decoder;
use super::text::{forbidden, mend_forbidden, name_forbidden, quote, without_forbidden};
use super::{Catalogue, FeatureFile, Layer, LayerFile, LayerKind, Loaded, decode, objects, scan};
use crate::diagnostic::Diagnostic;
use crate::map::HashSet;
use crate::model::{File, Implementations, Origin, Usual};
use crate::source::folder::{FILE_LIMIT, Folder, Name, Refusal, TOTAL_LIMIT};
use crate::source::{FileId, Sources};

pub(super) const REGISTRY: &str = "implementations.yaml";
pub(super) const FEATURES: &str = "features.yaml";
/// The resolved catalogue as it was generated last.
const GENERATED: &str = "api.json";
pub(super) const DOCUMENTS: &str = "documents";
pub(super) const SUPPLEMENT: &str = "supplement";
/// The folders of programs that stand apart, each with a registry and a layer of its own.
pub(super) const PROGRAMS: &str = "programs";

/// A folder that is read.
struct Base {
    folder: Folder,
    /// How its paths begin, where it is not the catalogue's own.
    outside: Option<String>,
}

/// One text as a file of a layer.
pub(super) fn parse(path: &str, text: &str) -> (Sources, Option<File>, Vec<Diagnostic>) {
    let mut loaded = Loaded::new(Sources::default());
    let file = loaded.catalogue.sources.add_outside(path, text);
    let content = loaded.decode(file, decode::file);
    (loaded.catalogue.sources, content, loaded.diagnostics)
}

impl Loaded {
    /// Nothing yet.
    pub(super) fn new(sources: Sources) -> Self {
        let catalogue = Catalogue {
            sources,
            implementations: Implementations::default(),
            implementations_file: FileId(0),
            layers: Vec::new(),
            features: Vec::new(),
            former: None,
        };
        Self { catalogue, diagnostics: Vec::new(), whole: true }
    }

    /// Reads the catalogue's own folder: the registry and both layers.
    pub(super) fn read(&mut self, dir: &Path) {
        let help = "name the folder of a catalogue: the one that holds implementations.yaml";
        let Some(mut base) = self.open(dir, None, help) else {
            return;
        };
        let (file, implementations) = self.registry_of(&mut base, REGISTRY);
        self.catalogue.implementations_file = file;
        self.catalogue.implementations = implementations;
        let names = self.names(&base, "").unwrap_or_default();
        self.look_for_strays(&names);
        self.catalogue.layers = self.layers(&mut base, &names);
        if names.iter().any(|name| name.text == PROGRAMS) {
            self.programs(&mut base);
        }
        self.features(&mut base, "", &names);
        let sources = &self.catalogue.sources;
        // Only a name that was given anew and what a program's folder adds are held against it.
        let is_asked = names.iter().any(|name| name.text == PROGRAMS)
            || sources.files().any(|file| sources.text(file).contains("renamed_from"));
        if is_asked {
            let former = base.folder.read_generated(GENERATED).ok();
            // A damaged one tells nothing; the next generation mends it.
            let former = former.map(|text| former_ids(&text)).filter(|ids| !ids.is_empty());
            self.catalogue.former = former;
        }
    }

    /// Reads both layers. Without the documents there is none: everything would be wrong with what lies over nothing.
    fn layers(&mut self, base: &mut Base, names: &[Name]) -> Vec<Layer> {
        let documents = self.layer(base, LayerKind::Documents, names, DOCUMENTS);
        let supplement = self.layer(base, LayerKind::Supplement, names, SUPPLEMENT);
        let is_there = |folder| names.iter().any(|name| name.text == folder);
        let mut layers = Vec::new();
        let (message, help) = if is_there(DOCUMENTS) {
            layers.extend(documents);
            if !layers.is_empty() {
                layers.extend(supplement);
            }
            if !self.whole || layers.iter().any(|layer| !layer.files.is_empty()) {
                return layers;
            }
            let help = "write a file `documents/NAME.yaml` that begins with `area:`";
            ("no layer has a file", help)
        } else if is_there(SUPPLEMENT) {
            let message = "the layer `documents` is missing, over which `supplement` lies";
            (message, "put its files back into a folder `documents`")
        } else {
            let message = "the folder has no layer: neither `documents` nor `supplement`";
            (message, "put the files of a layer into a folder `documents`")
        };
        let file = self.catalogue.sources.add("", "");
        self.lost().report("no-layer", file, 0..0, message, help);
        layers
    }

    /// Reads the folders of programs. Each lies over the catalogue as an overlay does, and adds a program to the registry.
    fn programs(&mut self, base: &mut Base) {
        for name in self.names(base, PROGRAMS).unwrap_or_default() {
            let folder = format!("{PROGRAMS}/{}", name.text);
            if !name.is_folder || name.text.starts_with('.') {
                if is_yaml(&name) {
                    let file = self.catalogue.sources.add(folder, "");
                    let help = "move it into the folder of its program";
                    self.lost().report("file-name", file, 0..0, "nobody reads a file here", help);
                }
                continue;
            }
            let Some(names) = self.names(base, &folder) else { continue };
            let (file, more) = self.registry_of(base, &format!("{folder}/{REGISTRY}"));
            if let [key] = more.programs.keys().collect::<Vec<_>>()[..]
                && *key != name.text
            {
                let span = self.catalogue.sources.nearest(file, &["programs", key]).name();
                let message = format!("`{key}` is registered in the folder `{}`", name.text);
                let help = "name the program and its folder alike";
                self.lost().report("program-key", file, span, message, help);
            }
            self.extend(file, more, Origin::Folder);
            let files = self.layer_files(base, &folder, &names);
            self.catalogue.layers.push(Layer { kind: LayerKind::Program, files });
            self.features(base, &folder, &names);
        }
    }

    /// Reads a folder of a user's own: the files of one layer, and perhaps a registry that adds to ours.
    pub(super) fn overlay(&mut self, dir: &Path) {
        let outside = dir.to_string_lossy().trim_end_matches('/').to_owned();
        let mut layer = Layer { kind: LayerKind::Overlay, files: Vec::new() };
        let help = "name a folder that holds the files of a layer";
        if let Some(mut base) = self.open(dir, Some(outside), help) {
            let names = self.names(&base, "").unwrap_or_default();
            if names.iter().any(|name| name.text == REGISTRY) {
                let (file, more) = self.registry_of(&mut base, REGISTRY);
                self.extend(file, more, Origin::Overlay);
            }
            layer.files = self.layer_files(&mut base, "", &names);
            self.features(&mut base, "", &names);
            if layer.files.is_empty() && self.whole {
                let file = self.add(base.outside.as_deref(), "", "");
                let message = "the overlay has no file";
                let help = "write a file `NAME.yaml` that begins with `area:`";
                self.lost().report("no-layer", file, 0..0, message, help);
            }
        }
        self.catalogue.layers.push(layer);
    }

    /// Adds what is new of a registry; what is there already may not be said again.
    fn extend(&mut self, file: FileId, more: Implementations, origin: Origin) {
        let known = &mut self.catalogue.implementations;
        let mut taken = Vec::new();
        for (key, mut program) in more.programs {
            program.origin = origin;
            program.file = Some(file);
            match known.programs.entry(key) {
                Entry::Occupied(before) => {
                    taken.push(("programs", before.key().clone(), before.get().file));
                }
                Entry::Vacant(free) => drop(free.insert(program)),
            }
        }
        for (key, mut source) in more.sources {
            source.file = Some(file);
            match known.sources.entry(key) {
                Entry::Occupied(before) => {
                    taken.push(("sources", before.key().clone(), before.get().file));
                }
                Entry::Vacant(free) => drop(free.insert(source)),
            }
        }
        if more.defaults != Usual::default() {
            let span = self.catalogue.sources.nearest(file, &["defaults"]).name();
            let message =
                "only the catalogue's own registry says what holds for the whole catalogue";
            let help = "state it at the items themselves";
            self.report("unknown-key", file, span, message, help);
        }
        for (section, key, other) in taken {
            let other = other.unwrap_or(self.catalogue.implementations_file);
            let name = |file| self.catalogue.sources.nearest(file, &[section, &key]).name();
            let message = format!("{} is registered already", quote(&key));
            let found = Diagnostic::at("duplicate-id", file, name(file), message)
                .help("choose another key for one of the two")
                .related(other, name(other), "it is registered here");
            self.diagnostics.push(found);
        }
    }

    fn registry_of(&mut self, base: &mut Base, path: &str) -> (FileId, Implementations) {
        let (file, readable) = self.text(base, path);
        let content = readable.then(|| self.decode(file, decode::implementations)).flatten();
        (file, content.unwrap_or_default())
    }

    /// Reads the features of a folder that has any: the catalogue's own, a program's, or an overlay.
    fn features(&mut self, base: &mut Base, folder: &str, names: &[Name]) {
        if names.iter().any(|name| name.text == FEATURES) {
            let path = format!("{folder}/{FEATURES}");
            let (file, readable) = self.text(base, path.trim_start_matches('/'));
            let content = readable.then(|| self.decode(file, decode::features)).flatten();
            let content = content.unwrap_or_default();
            self.catalogue.features.push(FeatureFile { file, content });
        }
    }

    /// Reads the layer of a folder, where that is there and can be read.
    fn layer(
        &mut self,
        base: &mut Base,
        kind: LayerKind,
        names: &[Name],
        folder: &str,
    ) -> Option<Layer> {
        names.iter().find(|name| name.text == folder)?;
        let names = self.names(base, folder)?;
        Some(Layer { kind, files: self.layer_files(base, folder, &names) })
    }

    fn layer_files(&mut self, base: &mut Base, folder: &str, names: &[Name]) -> Vec<LayerFile> {
        let mut files = Vec::new();
        for name in names.iter().filter(|name| !is_beside(name)) {
            let path = format!("{folder}/{}", name.text);
            let path = path.trim_start_matches('/');
            if self.is_stray(base, path, name) {
                continue;
            }
            let (file, readable) = self.text(base, path);
            if readable && let Some(content) = self.decode(file, decode::file) {
                files.push(LayerFile { file, content });
            }
        }
        files
    }

    /// Whether that is no file of the layer; reports what looks like one.
    fn is_stray(&mut self, base: &Base, path: &str, name: &Name) -> bool {
        let (code, message, help) = if !is_yaml(name) && (!name.is_folder || base.outside.is_some())
        {
            return true;
        } else if name.is_folder {
            let message = "folders inside a layer are not read";
            ("nested-folder", message, "move its files one folder up")
        } else if !name.readable {
            ("file-name", "the name of the file is not UTF-8", "rename it")
        } else if extension(name) != "yaml" {
            let message = "only files that end in `.yaml` are read";
            ("file-name", message, "rename it so that it ends in `.yaml`")
        } else {
            return false;
        };
        let file = self.add(base.outside.as_deref(), path, "");
        self.lost().report(code, file, 0..0, message, help);
        true
    }

    /// Reports YAML files beside the layers, where nobody reads them.
    fn look_for_strays(&mut self, names: &[Name]) {
        let files = names.iter().filter(|name| !name.is_folder && !is_beside(name));
        for name in files.filter(|name| is_yaml(name)) {
            let file = self.catalogue.sources.add(name.text.clone(), "");
            let help = "move it into `documents` or `supplement`";
            self.lost().report("file-name", file, 0..0, "nobody reads a file here", help);
        }
    }

    fn open(&mut self, dir: &Path, outside: Option<String>, help: &str) -> Option<Base> {
        match Folder::open(dir) {
            Ok(folder) => Some(Base { folder, outside }),
            Err(refusal) => {
                self.refuse(outside.as_deref(), "", &refusal, help);
                None
            }
        }
    }

    fn names(&mut self, base: &Base, folder: &str) -> Option<Vec<Name>> {
        let help = "put the files of the layer into a folder of that name";
        let names = base.folder.names(folder);
        names.map_err(|why| self.refuse(base.outside.as_deref(), folder, &why, help)).ok()
    }

    /// Adds a text of the catalogue's own folder, or of one outside.
    fn add(&mut self, outside: Option<&str>, path: &str, text: &str) -> FileId {
        let sources = &mut self.catalogue.sources;
        match outside {
            Some(outside) if path.is_empty() => sources.add_outside(outside, text),
            Some(outside) => sources.add_outside(format!("{outside}/{path}"), text),
            None => sources.add(path, text),
        }
    }

    /// Reads the text of a file, and tells whether it may be decoded.
    fn text(&mut self, base: &mut Base, path: &str) -> (FileId, bool) {
        let outside = base.outside.as_deref();
        match base.folder.read(path) {
            Ok(text) => {
                let unmarked = text.strip_prefix('\u{feff}');
                let file = self.add(outside, path, unmarked.unwrap_or(&text));
                if unmarked.is_some() {
                    let message = "the file begins with a byte order mark";
                    let help = "save it as UTF-8 without the mark";
                    self.report("byte-order-mark", file, 0..0, message, help);
                }
                (file, true)
            }
            Err(refusal) => {
                let help = match path.rsplit('/').next() {
                    Some(REGISTRY) => "write it: it names the programs and the sources of facts",
                    _ => "put it there, or remove what leads to it",
                };
                (self.refuse(outside, path, &refusal, help), false)
            }
        }
    }

    /// Reads the tree of a text, and decodes it as far as that goes.
    fn decode<T>(&mut self, file: FileId, decode: fn(&mut Decoder<'_>) -> Option<T>) -> Option<T> {
        let is_clean = self.check_characters(file);
        if self.has_conflict(file) {
            return None;
        }
        let sources = &mut self.catalogue.sources;
        let text = sources.text(file);
        let text = if is_clean { Cow::Borrowed(text) } else { Cow::Owned(without_forbidden(text)) };
        let mut found = scan::scan(file, &text, first_words(sources.path(file)));
        self.whole &= found.root.is_some() && !found.partial;
        self.diagnostics.extend(found.diagnostics);
        if let Some(root) = &mut found.root {
            self.diagnostics.extend(objects::spread(file, root));
        }
        sources.set_root(file, found.root);
        let root = sources.root(file)?;
        let mut decoder = Decoder::new(file, sources.text(file), root);
        let content = decode(&mut decoder);
        self.whole &= !decoder.lost;
        self.diagnostics.extend(decoder.diagnostics);
        content
    }

    /// Reports the first character that must not stand in a file; true where there is none.
    fn check_characters(&mut self, file: FileId) -> bool {
        let mut found = forbidden(self.catalogue.sources.text(file));
        let Some((at, character)) = found.next() else {
            return true;
        };
        let what = name_forbidden(character, found.count());
        let message = format!("the file has {what}");
        let help = mend_forbidden(character);
        self.lost().report("control-character", file, at..at + character.len_utf8(), message, help);
        false
    }

    /// Reports the markers that an unfinished merge leaves; between them stand two states of the file at once.
    fn has_conflict(&mut self, file: FileId) -> bool {
        let text = self.catalogue.sources.text(file);
        let mut at = 0;
        let mut found = Vec::new();
        for line in text.split_inclusive('\n') {
            let line_end = at + line.trim_end().len();
            if is_conflict(line.trim_end()) {
                found.push(at..line_end);
            }
            at += line.len();
        }
        // A line of `=` alone may be text; beside the others it is none.
        let marked = { found.iter() }.any(|span| !text[span.clone()].starts_with('='));
        if let Some((first, others)) = found.split_first().filter(|_| marked) {
            let message = "an unfinished merge left this";
            let help = "keep what holds of the two states, and remove the markers";
            let problem =
                Diagnostic::at("conflict-marker", file, first.clone(), message).help(help);
            let problem = others
                .iter()
                .fold(problem, |problem, other| problem.related(file, other.clone(), "and this"));
            self.lost().diagnostics.push(problem);
        }
        marked
    }

    fn report(
        &mut self,
        code: &'static str,
        file: FileId,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.diagnostics.push(Diagnostic::at(code, file, span, message).help(help));
    }

    /// Notes that names are lost because of what is reported.
    fn lost(&mut self) -> &mut Self {
        self.whole = false;
        self
    }

    /// Reports why a file or folder was not read, and keeps its text for the report as far as it could be read.
    fn refuse(
        &mut self,
        outside: Option<&str>,
        path: &str,
        refusal: &Refusal,
        help: &str,
    ) -> FileId {
        let (text, span) = match refusal {
            Refusal::NotUtf8(at, text) => (text.as_str(), *at..*at + '\u{fffd}'.len_utf8()),
            _ => ("", 0..0),
        };
        let file = self.add(outside, path, text);
        let (code, message, mend) = explained(refusal);
        self.lost().report(code, file, span, message, mend.unwrap_or(help));
        file
    }
}

/// The code of a refusal, its message, and the mend where what was read does not matter.
fn explained(refusal: &Refusal) -> (&'static str, String, Option<&'static str>) {
    let limit = |bytes: u64| format!("larger than {} MiB", bytes >> 20);
    let (code, message, mend) = match refusal {
        Refusal::Missing => {
            return ("missing-file", "there is no such file or folder".into(), None);
        }
        Refusal::NotAFolder => return ("not-a-folder", "this is no folder".into(), None),
        Refusal::Unreadable(error) => {
            let message = format!("it cannot be read: {}", error.kind());
            ("unreadable", message, "let your user read it")
        }
        Refusal::Dangling => {
            ("link", "the link leads to nothing".into(), "mend or remove the link")
        }
        Refusal::Outside => {
            let mend = "put the file itself here, or give its folder as an overlay";
            ("link", "the link leaves the folder".into(), mend)
        }
        Refusal::NotAFile => ("not-a-file", "this is no file".into(), "remove it, or rename it"),
        Refusal::Huge => {
            let mend = "cut it by area into smaller ones";
            ("huge-file", format!("the file is {}", limit(FILE_LIMIT)), mend)
        }
        Refusal::TooMuch => {
            let message = format!("the files are together {}", limit(TOTAL_LIMIT));
            ("huge-catalogue", message, "remove what is not part of the catalogue")
        }
        Refusal::NotUtf8(..) => ("not-utf8", "the file is not UTF-8".into(), "save it as UTF-8"),
    };
    (code, message, Some(mend))
}

/// Tells how an empty file should begin.
fn first_words(path: &str) -> &'static str {
    if Path::new(path).ends_with(REGISTRY) {
        "write `programs:` and `sources:` into it: the programs, and the sources of facts"
    } else if Path::new(path).ends_with(FEATURES) {
        "write `features:` into it, or remove it"
    } else {
        "begin it with `area:` and what it is about, or remove it"
    }
}

/// Whether a name is that of the registry or the features, or hidden.
fn is_beside(name: &Name) -> bool {
    name.text.starts_with('.') || [REGISTRY, FEATURES].contains(&name.text.as_str())
}

fn is_yaml(name: &Name) -> bool {
    ["yaml", "yml"].iter().any(|known| extension(name).eq_ignore_ascii_case(known))
}

fn extension(name: &Name) -> &OsStr {
    Path::new(&name.text).extension().unwrap_or_default()
}

/// The ids in a resolved catalogue of any form, and those that its items were renamed from. Its text is searched: it is larger than all that
/// is read beside it, and the ids hold nothing that JSON escapes.
fn former_ids(text: &str) -> HashSet<String> {
    let keys = [r#""id""#, r#""renamed_from""#];
    let values =
        keys.into_iter().flat_map(|key| text.match_indices(key)).filter_map(|(at, key)| {
            let value = text[at + key.len()..].trim_start().strip_prefix(':')?;
            Some(value.trim_start().strip_prefix('"')?.split_once('"')?.0.to_owned())
        });
    values.collect()
}

/// Whether a line is a marker of git's for one side of a conflict.
fn is_conflict(line: &str) -> bool {
    ["<<<<<<<", "|||||||", "=======", ">>>>>>>"]
        .iter()
        .filter_map(|marker| line.strip_prefix(marker))
        .any(|rest| rest.is_empty() || rest.starts_with(' '))
}
