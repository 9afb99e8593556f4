//! The files of a catalogue: which are read, and problems with a file as a whole.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;

use super::item::Decoder;
use super::text::{forbidden, mend_forbidden, name_forbidden, quote, without_forbidden};
use super::{Catalogue, Layer, LayerFile, LayerKind, Loaded, decode, objects, scan};
use crate::diagnostic::Diagnostic;
use crate::model::{File, Implementations, Usual};
use crate::source::folder::{FILE_LIMIT, Folder, Name, Refusal, TOTAL_LIMIT};
use crate::source::{FileId, Sources};

const REGISTRY: &str = "implementations.yaml";
/// The resolved catalogue as it was generated last.
const GENERATED: &str = "api.json";
const DOCUMENTS: &str = "documents";
const SUPPLEMENT: &str = "supplement";

/// What reads files and keeps what is wrong with them.
pub(super) struct Reader {
    sources: Sources,
    diagnostics: Vec<Diagnostic>,
    whole: bool,
}

/// What was read of the catalogue's own folder.
pub(super) struct Files {
    implementations_file: FileId,
    pub(super) implementations: Implementations,
    pub(super) layers: Vec<Layer>,
    former: Option<HashSet<String>>,
}

/// A folder that is read.
struct Base {
    folder: Folder,
    /// How its paths begin, where it is not the catalogue's own.
    outside: Option<String>,
}

/// One text as a file of a layer.
pub(super) fn parse(path: &str, text: &str) -> (Sources, Option<File>, Vec<Diagnostic>) {
    let mut reader = Reader { sources: Sources::default(), diagnostics: Vec::new(), whole: true };
    let file = reader.sources.add_outside(path, text);
    let content = reader.decode(file, decode::file);
    (reader.sources, content, reader.diagnostics)
}

impl Reader {
    pub(super) fn new(dir: &Path) -> Self {
        Self { sources: Sources::new(dir), diagnostics: Vec::new(), whole: true }
    }

    pub(super) fn finish(self, read: Files) -> Loaded {
        let Self { sources, diagnostics, whole, .. } = self;
        Loaded {
            catalogue: Catalogue {
                sources,
                implementations: read.implementations,
                implementations_file: read.implementations_file,
                layers: read.layers,
                former: read.former,
            },
            diagnostics,
            whole,
        }
    }

    /// The catalogue's own folder: the registry and both layers.
    pub(super) fn catalogue(&mut self, dir: &Path) -> Files {
        let mut base = match Folder::open(dir) {
            Ok(folder) => Base { folder, outside: None },
            Err(refusal) => {
                let file = self.sources.add("", "");
                self.refuse(
                    file,
                    &refusal,
                    "name the folder of a catalogue: the one that holds implementations.yaml",
                );
                return Files {
                    implementations_file: file,
                    implementations: Implementations::default(),
                    layers: Vec::new(),
                    former: None,
                };
            }
        };
        let (file, implementations) = self.registry(&mut base);
        let names = self.names(&base, "").unwrap_or_default();
        self.look_for_strays(&names);
        let layers = self.layers(&mut base, &names);
        let renamed =
            { self.sources.files() }.any(|file| self.sources.text(file).contains("renamed_from"));
        let former = renamed.then(|| base.folder.read(GENERATED).ok()).flatten();
        Files {
            implementations_file: file,
            implementations,
            layers,
            former: former.and_then(|text| former_ids(&text)),
        }
    }

    /// Both layers. Without the documents there is none: everything would be wrong with what lies over nothing.
    fn layers(&mut self, base: &mut Base, names: &[Name]) -> Vec<Layer> {
        let documents = self.layer(base, LayerKind::Documents, names, DOCUMENTS);
        let supplement = self.layer(base, LayerKind::Supplement, names, SUPPLEMENT);
        let is_there = |folder| names.iter().any(|name| name.text == folder);
        let (message, help) = match (is_there(DOCUMENTS), is_there(SUPPLEMENT)) {
            (false, false) => (
                "the folder has no layer: neither `documents` nor `supplement`",
                "put the files of a layer into a folder `documents`",
            ),
            (false, true) => (
                "the layer `documents` is missing, over which `supplement` lies",
                "put its files back into a folder `documents`",
            ),
            (true, _) => {
                let layers: Vec<_> = documents
                    .map(|below| std::iter::once(below).chain(supplement).collect())
                    .unwrap_or_default();
                if self.whole && layers.iter().all(|layer| layer.files.is_empty()) {
                    self.lose_layer(
                        "no layer has a file",
                        "write a file `documents/NAME.yaml` that begins with `area:`",
                    );
                }
                return layers;
            }
        };
        self.lose_layer(message, help);
        Vec::new()
    }

    fn lose_layer(&mut self, message: &str, help: &str) {
        let file = self.sources.add("", "");
        self.lose(Diagnostic::at("no-layer", file, 0..0, message).help(help));
    }

    /// A folder of a user's own: the files of one layer, and perhaps a registry that adds to ours.
    pub(super) fn overlay(&mut self, dir: &Path, implementations: &mut Implementations) -> Layer {
        let outside = dir.to_string_lossy().trim_end_matches('/').to_owned();
        let mut layer = Layer { kind: LayerKind::Overlay, files: Vec::new() };
        let folder = match Folder::open(dir) {
            Ok(folder) => folder,
            Err(refusal) => {
                let file = self.sources.add_outside(outside, "");
                self.refuse(file, &refusal, "name a folder that holds the files of a layer");
                return layer;
            }
        };
        let mut base = Base { folder, outside: Some(outside) };
        let names = self.names(&base, "").unwrap_or_default();
        if names.iter().any(|name| name.text == REGISTRY) {
            let (file, more) = self.registry(&mut base);
            self.extend(implementations, file, more);
        }
        layer.files = self.layer_files(&mut base, "", &names);
        if layer.files.is_empty() && self.whole {
            let file = self.add(&base, "", String::new());
            self.lose(
                Diagnostic::at("no-layer", file, 0..0, "the overlay has no file")
                    .help("write a file `NAME.yaml` that begins with `area:`"),
            );
        }
        layer
    }

    /// Adds what is new of a registry; what is there already may not be said again.
    fn extend(
        &mut self,
        implementations: &mut Implementations,
        file: FileId,
        more: Implementations,
    ) {
        let mut taken = Vec::new();
        for (key, mut program) in more.programs {
            program.from_overlay = true;
            if implementations.programs.contains_key(&key) {
                taken.push(("programs", key));
            } else {
                implementations.programs.insert(key, program);
            }
        }
        for (key, source) in more.sources {
            if implementations.sources.contains_key(&key) {
                taken.push(("sources", key));
            } else {
                implementations.sources.insert(key, source);
            }
        }
        if more.defaults != Usual::default() {
            let span = self.sources.nearest(file, &["defaults"]).name();
            let message = "an overlay cannot say what holds for the whole catalogue";
            self.report(
                Diagnostic::at("unknown-key", file, span, message)
                    .help("state it at the items of the overlay"),
            );
        }
        for (section, key) in taken {
            let span = self.sources.nearest(file, &[section, &key]).name();
            self.report(
                Diagnostic::at(
                    "duplicate-id",
                    file,
                    span,
                    format!("the catalogue below has {} already", quote(&key)),
                )
                .help("choose another key, or remove it here"),
            );
        }
    }

    fn registry(&mut self, base: &mut Base) -> (FileId, Implementations) {
        let (file, readable) = self.read(base, REGISTRY);
        let content = readable.then(|| self.decode(file, decode::implementations)).flatten();
        (file, content.unwrap_or_default())
    }

    /// The layer of a folder, where that is there and can be read.
    fn layer(
        &mut self,
        base: &mut Base,
        kind: LayerKind,
        names: &[Name],
        folder: &str,
    ) -> Option<Layer> {
        names.iter().find(|name| name.text == folder)?;
        let names = self.names(base, folder)?;
        let files = self.layer_files(base, folder, &names);
        Some(Layer { kind, files })
    }

    fn layer_files(&mut self, base: &mut Base, folder: &str, names: &[Name]) -> Vec<LayerFile> {
        let mut files = Vec::new();
        for name in names.iter().filter(|name| !name.text.starts_with('.') && name.text != REGISTRY)
        {
            let path = if folder.is_empty() {
                name.text.clone()
            } else {
                format!("{folder}/{}", name.text)
            };
            if self.is_stray(base, &path, name) {
                continue;
            }
            let (file, readable) = self.read(base, &path);
            if readable && let Some(content) = self.decode(file, decode::file) {
                files.push(LayerFile { file, content });
            }
        }
        files
    }

    /// Whether that is no file of the layer; tells of what looks like one.
    fn is_stray(&mut self, base: &Base, path: &str, name: &Name) -> bool {
        let extension =
            Path::new(&name.text).extension().and_then(|text| text.to_str()).unwrap_or_default();
        let is_yaml =
            extension.eq_ignore_ascii_case("yaml") || extension.eq_ignore_ascii_case("yml");
        let (code, message, help) = if !is_yaml && (!name.is_folder || base.outside.is_some()) {
            return true;
        } else if name.is_folder {
            ("nested-folder", "folders inside a layer are not read", "move its files one folder up")
        } else if !name.readable {
            ("file-name", "the name of the file is not UTF-8", "rename it")
        } else if extension != "yaml" {
            (
                "file-name",
                "only files that end in `.yaml` are read",
                "rename it so that it ends in `.yaml`",
            )
        } else {
            return false;
        };
        let file = self.add(base, path, String::new());
        self.lose(Diagnostic::at(code, file, 0..0, message).help(help));
        true
    }

    /// Tells of YAML files beside the layers, where nobody reads them.
    fn look_for_strays(&mut self, names: &[Name]) {
        for name in names
            .iter()
            .filter(|name| !name.is_folder && !name.text.starts_with('.') && name.text != REGISTRY)
        {
            let extension = Path::new(&name.text).extension().unwrap_or_default();
            if extension.eq_ignore_ascii_case("yaml") || extension.eq_ignore_ascii_case("yml") {
                let file = self.sources.add(name.text.clone(), "");
                self.lose(
                    Diagnostic::at("file-name", file, 0..0, "nobody reads a file here")
                        .help("move it into `documents` or `supplement`"),
                );
            }
        }
    }

    fn names(&mut self, base: &Base, folder: &str) -> Option<Vec<Name>> {
        match base.folder.names(folder) {
            Ok(names) => Some(names),
            Err(refusal) => {
                let file = self.add(base, folder, String::new());
                self.refuse(
                    file,
                    &refusal,
                    "put the files of the layer into a folder of that name",
                );
                None
            }
        }
    }

    fn add(&mut self, base: &Base, path: &str, text: String) -> FileId {
        match &base.outside {
            Some(outside) if path.is_empty() => self.sources.add_outside(outside.clone(), text),
            Some(outside) => self.sources.add_outside(format!("{outside}/{path}"), text),
            None => self.sources.add(path, text),
        }
    }

    /// Reads a file; whether it may be decoded.
    fn read(&mut self, base: &mut Base, path: &str) -> (FileId, bool) {
        match base.folder.read(path) {
            Ok(text) => {
                let marked = text.starts_with('\u{feff}');
                let file = self.add(
                    base,
                    path,
                    if marked { text['\u{feff}'.len_utf8()..].to_owned() } else { text },
                );
                if marked {
                    self.report(
                        Diagnostic::at(
                            "byte-order-mark",
                            file,
                            0..0,
                            "the file begins with a byte order mark",
                        )
                        .help("save it as UTF-8 without the mark"),
                    );
                }
                (file, true)
            }
            Err(refusal) => {
                let text = if let Refusal::NotUtf8(_, text) = &refusal {
                    text.clone()
                } else {
                    String::new()
                };
                let file = self.add(base, path, text);
                let help = if path == REGISTRY {
                    "write it: it names the programs and the sources of facts"
                } else {
                    ""
                };
                self.refuse(file, &refusal, help);
                (file, false)
            }
        }
    }

    /// Reads the tree of a text, and decodes it as far as that goes.
    fn decode<T>(&mut self, file: FileId, decode: fn(&mut Decoder<'_>) -> Option<T>) -> Option<T> {
        let is_clean = self.check_characters(file);
        if self.has_conflict(file) {
            return None;
        }
        let text = self.sources.text(file);
        let text = if is_clean { Cow::Borrowed(text) } else { Cow::Owned(without_forbidden(text)) };
        let mut found = scan::scan(file, &text, self.first_words(file));
        self.whole &= found.root.is_some() && !found.partial;
        self.diagnostics.extend(found.diagnostics);
        if let Some(root) = &mut found.root {
            self.diagnostics.extend(objects::spread(file, root));
        }
        self.sources.set_root(file, found.root);
        let root = self.sources.root(file)?;
        let mut decoder = Decoder::new(file, self.sources.text(file), root);
        let content = decode(&mut decoder);
        self.whole &= !decoder.lost;
        self.diagnostics.extend(decoder.diagnostics);
        content
    }

    /// What an empty file should begin with.
    fn first_words(&self, file: FileId) -> &'static str {
        if Path::new(self.sources.path(file)).ends_with(REGISTRY) {
            "write `programs:` and `sources:` into it: the programs, and the sources of facts"
        } else {
            "begin it with `area:` and what it is about, or remove it"
        }
    }

    /// Tells of the first character that must not stand in a file; true where there is none.
    fn check_characters(&mut self, file: FileId) -> bool {
        let mut found = forbidden(self.sources.text(file));
        let Some((at, character)) = found.next() else {
            return true;
        };
        let what = name_forbidden(character, found.count());
        self.lose(
            Diagnostic::at(
                "control-character",
                file,
                at..at + character.len_utf8(),
                format!("the file has {what}"),
            )
            .help(mend_forbidden(character)),
        );
        false
    }

    /// Tells of the markers that an unfinished merge leaves; between them stand two states of the file at once.
    fn has_conflict(&mut self, file: FileId) -> bool {
        let text = self.sources.text(file);
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
        if marked {
            for span in found {
                self.lose(
                    Diagnostic::at("conflict-marker", file, span, "an unfinished merge left this")
                        .help("keep what holds of the two states, and remove the markers"),
                );
            }
        }
        marked
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Tells of something because of which names are lost.
    fn lose(&mut self, diagnostic: Diagnostic) {
        self.whole = false;
        self.report(diagnostic);
    }

    /// Tells why a file or folder was not read.
    fn refuse(&mut self, file: FileId, refusal: &Refusal, help: &str) {
        let mebibytes = |bytes: u64| bytes >> 20;
        let (code, message, mend) = match refusal {
            Refusal::Missing => ("missing-file", "there is no such file or folder".into(), ""),
            Refusal::Unreadable(error) => (
                "unreadable",
                format!("it cannot be read: {}", error.kind()),
                "let your user read it",
            ),
            Refusal::Dangling => {
                ("link", "the link leads to nothing".into(), "mend or remove the link")
            }
            Refusal::Outside => (
                "link",
                "the link leaves the folder".into(),
                "put the file itself here, or give its folder as an overlay",
            ),
            Refusal::NotAFile => {
                ("not-a-file", "this is no file".into(), "remove it, or rename it")
            }
            Refusal::NotAFolder => ("not-a-folder", "this is no folder".into(), ""),
            Refusal::Huge => (
                "huge-file",
                format!("the file is larger than {} MiB", mebibytes(FILE_LIMIT)),
                "cut it by area into smaller ones",
            ),
            Refusal::TooMuch => (
                "huge-catalogue",
                format!("the files are together larger than {} MiB", mebibytes(TOTAL_LIMIT)),
                "remove what is not part of the catalogue",
            ),
            Refusal::NotUtf8(..) => {
                ("not-utf8", "the file is not UTF-8".into(), "save it as UTF-8")
            }
        };
        let span = if let Refusal::NotUtf8(at, _) = refusal {
            *at..*at + '\u{fffd}'.len_utf8()
        } else {
            0..0
        };
        let help = if mend.is_empty() { help } else { mend };
        let help = if help.is_empty() { "put it there, or remove what leads to it" } else { help };
        self.lose(Diagnostic::at(code, file, span, message).help(help));
    }
}

/// The ids in a resolved catalogue of any form, and those that its items were renamed from.
fn former_ids(text: &str) -> Option<HashSet<String>> {
    fn collect(value: Value, ids: &mut HashSet<String>) {
        match value {
            Value::Object(entries) => {
                for (key, value) in entries {
                    match value {
                        Value::String(id) if key == "id" || key == "renamed_from" => {
                            ids.insert(id);
                        }
                        value => collect(value, ids),
                    }
                }
            }
            Value::Array(elements) => elements.into_iter().for_each(|one| collect(one, ids)),
            _ => {}
        }
    }
    let mut ids = HashSet::new();
    collect(serde_json::from_str(text).ok()?, &mut ids);
    Some(ids)
}

/// Whether a line is a marker of git's for one side of a conflict.
fn is_conflict(line: &str) -> bool {
    ["<<<<<<<", "|||||||", "=======", ">>>>>>>"]
        .iter()
        .filter_map(|marker| line.strip_prefix(marker))
        .any(|rest| rest.is_empty() || rest.starts_with(' '))
}
