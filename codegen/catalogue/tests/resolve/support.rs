//! Small catalogues in folders of their own.

use std::path::Path;

use fedispec_model::api::{Api, Layer};
use fedispec_reader::diagnostic::Report;
use fedispec_reader::load::load_all;
use fedispec_reader::resolve::resolve;
use fedispec_reader::source::Sources;

/// Two programs, two releases and one more, a source of each class.
pub(crate) const IMPLEMENTATIONS: &str = r#"programs:
  mastodon:
    name: Mastodon
    letter: A
    nodeinfo: [mastodon]
    releases: {"1.0.0": {}, "2.0.0": {}, "3.0.0": {}, "4.5.0": {}}
  gotosocial:
    name: GoToSocial
    letter: B
    nodeinfo: [gotosocial]
    releases: {"0.1.0": {}, "0.19.0": {}}
sources:
  documents: {class: C, title: The documents}
  recordings: {class: A, title: Recordings}
  server: {class: B, title: The server's source, revision: v4.5.0}
  guess: {class: D, title: A guess}
"#;

/// The head of every file of documents here.
pub(crate) const DOCUMENTS: &str = "area: test
defaults:
  since: {gotosocial: unknown}
  unknown: [method, path, auth, returns, success, errors, paging, in, type, required, default, nullable, optional,
    fields, values]
  evidence: {mastodon: documents, gotosocial: documents, shape: documents}
groups:
  accounts: {summary: Accounts.}
";

/// The head of every file of the supplement here.
pub(crate) const SUPPLEMENT: &str = "area: test
defaults:
  {inherits: true, evidence: {mastodon: server, gotosocial: server, shape: server}, unknown: [method, path, auth, returns, success, errors, paging, in, type, required, nullable, optional, fields, values]}
";

/// A catalogue: file names and what follows their heads.
pub(crate) struct Spec<'t> {
    /// implementations.yaml.
    pub(crate) implementations: &'t str,
    /// Files of both layers: `documents/a.yaml` and its text.
    pub(crate) files: Vec<(&'t str, String)>,
}

impl<'t> Spec<'t> {
    /// One file in each layer; an empty one is left out.
    pub(crate) fn new(documents: &'t str, supplement: &'t str) -> Self {
        let mut files = Vec::new();
        if !documents.is_empty() {
            files.push(("documents/a.yaml", format!("{DOCUMENTS}{documents}")));
        }
        if !supplement.is_empty() {
            files.push(("supplement/a.yaml", format!("{SUPPLEMENT}{supplement}")));
        }
        Self { implementations: IMPLEMENTATIONS, files }
    }

    /// Whole files, without the usual heads.
    pub(crate) fn bare(files: &[(&'t str, &str)]) -> Self {
        let files = files.iter().map(|(name, text)| (*name, (*text).to_owned())).collect();
        Self { implementations: IMPLEMENTATIONS, files }
    }

    /// With another file.
    pub(crate) fn and(mut self, name: &'t str, text: &str) -> Self {
        let head = if name.starts_with("documents") {
            DOCUMENTS.replace("groups:\n  accounts: {summary: Accounts.}\n", "")
        } else {
            SUPPLEMENT.into()
        };
        self.files.push((name, head + text));
        self
    }

    /// Writes it to a folder.
    pub(crate) fn write(&self, dir: &Path) {
        for folder in ["documents", "supplement"] {
            std::fs::create_dir_all(dir.join(folder)).unwrap();
        }
        std::fs::write(dir.join("implementations.yaml"), self.implementations).unwrap();
        for (name, text) in &self.files {
            std::fs::create_dir_all(dir.join(name).parent().unwrap()).unwrap();
            std::fs::write(dir.join(name), text).unwrap();
        }
    }

    /// Resolves it; where it is not sound, what a keeper reads.
    pub(crate) fn resolve(&self, layer: Layer) -> Result<Api, String> {
        self.open(layer, |report, sources| report.render(sources, false))
    }

    /// Resolves it, with the problems in another form.
    fn open(&self, layer: Layer, form: fn(&Report, &Sources) -> String) -> Result<Api, String> {
        let dir = tempfile::tempdir().unwrap();
        self.write(dir.path());
        let loaded = load_all(dir.path(), &[]);
        let mut found = loaded.diagnostics;
        match resolve(&loaded.catalogue, layer) {
            Ok(api) if found.is_empty() => return Ok(api),
            Ok(_) => {}
            Err(problems) => found.extend(problems),
        }
        let text = form(&Report::new(found), &loaded.catalogue.sources);
        Err(text.replace(&dir.path().display().to_string(), "spec"))
    }

    /// The API of all layers of a sound catalogue.
    pub(crate) fn full(&self) -> Api {
        self.resolve(Layer::Full).unwrap_or_else(|text| panic!("{text}"))
    }

    /// The API of the documents alone.
    pub(crate) fn documents(&self) -> Api {
        self.resolve(Layer::Documents).unwrap_or_else(|text| panic!("{text}"))
    }

    /// Asserts what a keeper reads.
    #[track_caller]
    pub(crate) fn reads(&self, expected: &str) {
        match self.resolve(Layer::Full) {
            Ok(_) => panic!("no problem was found"),
            Err(text) => assert_eq!(text.trim_end(), expected.trim(), "\n{text}"),
        }
    }

    /// Asserts the problems, each on a line: place, message and mend.
    #[track_caller]
    pub(crate) fn says(&self, expected: &str) {
        let lines = |report: &Report, sources: &Sources| {
            let all = report.diagnostics().iter();
            all.map(|one| one.short(sources) + "\n").collect()
        };
        match self.open(Layer::Full, lines) {
            Ok(_) => panic!("no problem was found"),
            Err(text) => assert_eq!(text.trim_end(), expected.trim(), "\n{text}"),
        }
    }

    /// Asserts the same without the problems that only follow from others, which a keeper is not told of.
    #[track_caller]
    pub(crate) fn tells(&self, expected: &str) {
        let dir = tempfile::tempdir().unwrap();
        self.write(dir.path());
        let Err(failure) = fedispec_reader::open(dir.path(), Layer::Full) else {
            panic!("no problem was found");
        };
        let told = failure.report.diagnostics().iter();
        let told: Vec<_> = told.map(|one| one.short(&failure.sources)).collect();
        let told = told.join("\n").replace(&dir.path().display().to_string(), "spec");
        assert_eq!(told, expected.trim());
    }
}
