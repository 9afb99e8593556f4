//! Proposals of a small program written like GoToSocial.

use std::path::Path;

use crate::repository::{Scratch, request_of};
use fedispec_propose::row::{Change, ItemKind, Proposal, Row};
use fedispec_propose::surface::{Answer, Surface, Use};
use fedispec_propose::write::write;
use fedispec_propose::{Request, propose, surface};

fn asked(source: &Path) -> Request<'_> {
    request_of("gotosocial", source, "v0.2.0")
}

fn request(scratch: &Scratch) -> Proposal {
    propose(&scratch.spec(), &asked(&scratch.source())).expect("a proposal")
}

/// Reads the API of the new release.
fn served(scratch: &Scratch) -> Surface {
    let served = surface(&scratch.spec(), &asked(&scratch.source()));
    served.expect("a source").surface
}

fn find<'p>(proposal: &'p Proposal, change: Change, kind: ItemKind, id: &str) -> &'p Row {
    let mut rows = proposal.rows.iter();
    let row = rows.find(|row| row.change == change && row.kind == kind && row.id == id);
    row.unwrap_or_else(|| {
        panic!("no {} {} {id} in {:#?}", change.name(), kind.name(), proposal.rows)
    })
}

#[test]
fn a_release_is_read_whole() {
    let scratch = Scratch::new("gotosocial");
    let proposal = request(&scratch);
    let told: Vec<String> = proposal
        .rows
        .iter()
        .map(|row| {
            format!(
                "{} {} {} {}{}",
                row.change.name(),
                row.kind.name(),
                row.id,
                if row.is_ready() { "ready" } else { "left" },
                row.from
                    .as_ref()
                    .or(row.to.as_ref())
                    .map_or_else(String::new, |text| format!(" {text}"))
            )
        })
        .collect();
    let expected = [
        "added operation notes.break left 0.2.0",
        "added operation notes.create ready 0.2.0",
        "added operation notes.drafts left 0.2.0",
        "added param notes.create.colour ready 0.2.0",
        "added param notes.create.text ready 0.2.0",
        "added param notes.list.beyond left 0.2.0",
        "added param notes.list.newest ready 0.2.0",
        "added field Draft.changed_at left 0.2.0",
        "added field Draft.of left 0.2.0",
        "added field Note.colour ready 0.2.0",
        "added field Note.folder ready 0.2.0",
        "added field Note.folder.name ready 0.2.0",
        "added field Note.new_name left 0.2.0",
        "renamed field Note.new_name left old_name",
        "removed field Note.old_name ready since 0.1.0",
        "added value NoteColour.blue ready 0.2.0",
        "changed auth notes.list ready user read:notes",
        "changed presence Note.author left nullable",
    ];
    assert_eq!(told, expected, "{told:#?}");
    assert_eq!(proposal.date, "2020-09-14");
    assert_eq!(
        proposal.unread,
        ["internal/api/model/broken.go:3 does not parse; the rest of the file was read (v0.2.0)"]
    );
}

#[test]
fn a_row_has_its_place_and_its_yaml() {
    let scratch = Scratch::new("gotosocial");
    let proposal = request(&scratch);
    let row = find(&proposal, Change::Added, ItemKind::Operation, "notes.create");
    assert_eq!((row.method.as_deref(), row.path.as_deref()), (Some("POST"), Some("/api/v1/notes")));
    assert_eq!(row.at, "internal/api/client/notes/notes.go:20@v0.2.0");
    assert_eq!(row.file, "spec/supplement/notes.yaml");
    // A parameter of a new operation that the program does not read is never there.
    assert_eq!(
        row.yaml,
        "operations:
  notes.create:
    since:
      gotosocial: \"0.2.0\"
    evidence:
      gotosocial: {source: gotosocial-source, at: \"internal/api/client/notes/notes.go:20@0.2.0\"}
    params:
      pinned:
        since:
          gotosocial: never
"
    );
    let row = find(&proposal, Change::Added, ItemKind::Operation, "notes.break");
    assert!(!row.sure);
    assert!(row.decide.as_deref().expect("a reason").contains("debug.DEBUG"), "{row:?}");
    let row = find(&proposal, Change::Changed, ItemKind::Auth, "notes.list");
    assert_eq!(row.to.as_deref(), Some("user read"));
    let row = find(&proposal, Change::Changed, ItemKind::Presence, "Note.author");
    assert_eq!((row.from.as_deref(), row.to.as_deref()), (Some("nullable"), Some("optional")));
}

#[test]
fn what_the_catalogue_says_otherwise_of_the_older_release_is_told_apart() {
    let scratch = Scratch::new("gotosocial");
    let file = scratch.spec().join("supplement/notes.yaml");
    let text = std::fs::read_to_string(&file).expect("the catalogue");
    let text = text.replace(
        "limit: {summary: How many at most.,",
        "limit: {summary: How many at most., since: {gotosocial: never},",
    );
    let text =
        text.replace("newest come first., since: {gotosocial: never},", "newest come first.,");
    std::fs::write(&file, text).expect("written");
    let proposal = request(&scratch);
    let row = find(&proposal, Change::Contradicts, ItemKind::Param, "notes.list.limit");
    assert_eq!((row.from.as_deref(), row.to.as_deref()), (Some("never"), Some("there in 0.1.0")));
    assert!(!row.sure && row.yaml.is_empty());
    let row = find(&proposal, Change::Contradicts, ItemKind::Param, "notes.list.newest");
    assert_eq!(row.to.as_deref(), Some("not in the source of 0.1.0"));
}

#[test]
fn what_is_registered_already_is_no_news() {
    let scratch = Scratch::new("gotosocial");
    let file = scratch.spec().join("supplement/notes.yaml");
    let text = std::fs::read_to_string(&file).expect("the catalogue");
    let text = text.replace(
        "since: {mastodon: \"4.0.0\", gotosocial: never}\n    method: POST",
        "since: {mastodon: \"4.0.0\", gotosocial: \"0.2.0\"}\n    method: POST",
    );
    std::fs::write(&file, text).expect("written");
    let file = scratch.spec().join("implementations.yaml");
    let text = std::fs::read_to_string(&file).expect("the registry");
    let release = "\"0.1.0\": {date: \"2020-01-08\"}";
    let text = text.replace(release, &format!("{release}\n      \"0.2.0\": {{}}"));
    let text = text.replace("to v0.1.0", "to v0.2.0");
    std::fs::write(&file, text).expect("written");
    let proposal = request(&scratch);
    let again = proposal.rows.iter().find(|row| row.id == "notes.create");
    assert_eq!(again, None);
}

#[test]
fn what_is_ready_is_written_and_the_release_registered() {
    let scratch = Scratch::new("gotosocial");
    let proposal = request(&scratch);
    let ready = proposal.rows.iter().filter(|row| row.is_ready()).count();
    let written = write(&scratch.spec(), &proposal).expect("written");
    assert_eq!(written.files, ["implementations.yaml", "supplement/notes.yaml"]);
    assert_eq!((written.rows, written.registered), (ready, true));
    assert_eq!(written.kept, [""; 0]);
    let text = std::fs::read_to_string(scratch.spec().join("supplement/notes.yaml"))
        .expect("the catalogue");
    assert!(
        text.contains("since: {mastodon: \"4.0.0\", gotosocial: \"0.2.0\"}\n    method: POST"),
        "{text}"
    );
    assert!(text.contains("removed: {gotosocial: \"0.2.0\"}"), "{text}");
    let registry =
        std::fs::read_to_string(scratch.spec().join("implementations.yaml")).expect("the registry");
    assert!(registry.contains("\"0.2.0\": {date: \"2020-09-14\"}"), "{registry}");
    assert!(registry.contains("revision: v0.1.0 to v0.2.0"), "{registry}");
    // A row that was written is no news any more, and does not contradict the source.
    let again = request(&scratch);
    let again: Vec<_> = again
        .rows
        .iter()
        .filter(|row| row.is_ready() || row.change == Change::Contradicts)
        .collect();
    assert!(again.is_empty(), "{again:#?}");
    let twice = write(&scratch.spec(), &proposal).expect("written");
    assert_eq!(twice.files, [""; 0], "{twice:?}");
}

#[test]
fn another_token_than_that_of_all_programs_is_a_question() {
    let scratch = Scratch::new("gotosocial");
    let notes = scratch.spec().join("supplement/notes.yaml");
    let text = std::fs::read_to_string(&notes).expect("readable");
    let text = text.replace("scopes: [\"write:notes\"]", "scopes: [write]");
    std::fs::write(&notes, text).expect("written");
    // A program with a folder says its own beside it.
    let folder = scratch.spec().join("programs/extra");
    std::fs::create_dir_all(&folder).expect("made");
    let registry = "programs:
  extra: {name: Extra, nodeinfo: [extra], releases: {\"1.0.0\": {date: \"2023-01-01\"}}}
sources: {extra-source: {class: B, title: The source of Extra, programs: [extra]}}
";
    std::fs::write(folder.join("implementations.yaml"), registry).expect("written");
    let operations = "area: Extra
defaults:
  unknown: [auth, returns, success, errors, paging, type, required, default, nullable, optional, fields, values]
  evidence: {extra: extra-source, shape: extra-source}
operations:
  notes.create:
    since: {extra: \"1.0.0\"}
    auth: {extra: {token: user, scopes: [read]}}
    evidence: {auth.extra: extra-source}
";
    std::fs::write(folder.join("operations.yaml"), operations).expect("written");
    let proposal = request(&scratch);
    let row = find(&proposal, Change::Added, ItemKind::Operation, "notes.create");
    let asked = row.decide.as_deref().unwrap_or_default();
    assert!(asked.contains("the catalogue says user write of all programs"), "{row:?}");
    assert!(!row.edits.iter().any(|edit| edit.path.contains(&"auth".to_owned())), "{row:?}");
}

#[test]
fn a_catalogue_that_would_not_be_sound_is_left_as_it_was() {
    let scratch = Scratch::new("gotosocial");
    let mut proposal = request(&scratch);
    let row = proposal
        .rows
        .iter_mut()
        .find(|row| row.is_ready() && !row.edits.is_empty())
        .expect("a row");
    row.edits[0].path.push("nonsense".to_owned());
    row.edits[0].path[2] = "nonsense".to_owned();
    let before = tree(&scratch);
    let error = write(&scratch.spec(), &proposal).expect_err("refused").to_string();
    assert!(error.contains("nothing was changed"), "{error}");
    assert_eq!(tree(&scratch), before);
}

/// The texts of the catalogue.
fn tree(scratch: &Scratch) -> Vec<String> {
    let files = ["implementations.yaml", "supplement/notes.yaml", "documents/notes.yaml"];
    files.map(|file| std::fs::read_to_string(scratch.spec().join(file)).expect("a file")).into()
}

#[test]
fn an_operation_that_asks_for_the_instance_alone_is_no_stub() {
    let scratch = Scratch::new("gotosocial");
    let surface = served(&scratch);
    let mut operations = surface.operations.iter();
    let found = operations.find(|(endpoint, _)| endpoint.path == "/api/v2/notes/:id");
    let (_, operation) = found.expect("the version that the handler takes");
    assert!(!operation.stub, "{operation:?}");
}

#[test]
fn what_is_declared_is_told_from_what_is_accepted_and_sent() {
    let surface = served(&Scratch::new("gotosocial"));
    let uses = |name: &str| {
        let found = surface.enums.get(name);
        let found = found.unwrap_or_else(|| panic!("no {name} in {:?}", surface.enums.keys()));
        let values = found.values.iter();
        values.map(|(word, value)| (word.as_str(), value.r#use)).collect::<Vec<_>>()
    };
    // The key of a table and a comparison are no use; what a parser answers is accepted, not sent.
    let moods = [("calm", Use::Sent), ("odd", Use::Declared), ("wild", Use::Sent)];
    assert_eq!(uses("gtsmodel.Mood"), moods);
    // A list of everything is no use either.
    let streams = [("public:local", Use::Declared), ("user", Use::Sent)];
    assert_eq!(uses("stream.Timeline*"), streams);
    let kinds = [("long", Use::Accepted), ("short", Use::Accepted)];
    assert_eq!(uses("processing.kinds"), kinds);
}

const SHELF: &str = r#"package model

// swagger:model shelf
type Shelf struct {
	ItemKind string `json:"kind"`
	State string `json:"state"`
	Name string `json:"name"`
}

type Rights int

const (
	RightsNone Rights = 0
	RightsReadNotes Rights = 1 << (iota - 1)
	RightsBurn
	RightsKeepShelves

	RightsOfAll = RightsReadNotes | RightsKeepShelves
)
"#;

const SHELVES: &str = r#"package processing

import (
	apimodel "example.org/gotosocial/internal/api/model"
	"example.org/gotosocial/internal/gtsmodel"
)

func (p *Processor) ShelvesGet(name string) ([]*apimodel.Shelf, error) {
	shelf := &apimodel.Shelf{ItemKind: "wooden", State: "new", Name: name}
	if p.old {
		shelf.State = p.state
	}
	_ = p.made(gtsmodel.WoodOak)
	return []*apimodel.Shelf{shelf}, nil
}
"#;

const WOOD: &str = r#"package gtsmodel

type Wood int

const (
	WoodOak Wood = iota
	WoodPine
)

func (w Wood) String() string {
	switch w {
	case WoodOak:
		const text = "oak"
		return text
	case WoodPine:
		const text = "pine"
		return text
	}
	return ""
}
"#;

const SHELVES_HANDLER: &str = r##"package notes

import (
	"net/http"

	apiutil "example.org/gotosocial/internal/api/util"

	"github.com/gin-gonic/gin"
)

// ListGETHandler swagger:operation GET /api/v1/notes notesList
//
//	responses:
//		'200':
//			schema:
//				"$ref": "#/definitions/note"
func (m *Module) ListGETHandler(c *gin.Context) {
	shelves, err := m.processor.Shelves().ShelvesGet("name")
	if err != nil {
		return
	}
	apiutil.JSON(c, http.StatusOK, shelves)
}
"##;

const GRANTS: &str = r#"package oauth

import (
	"context"

	"example.org/library/oauth2/v4"
)

func New(ctx context.Context) *Server {
	return &Server{Allowed: []oauth2.GrantType{oauth2.Code, oauth2.Own}}
}
"#;

const LIBRARY: &str = r#"package oauth2

type GrantType string

const (
	Code GrantType = "authorization_code"
	Own GrantType = "client_credentials"
	Password GrantType = "password"
)
"#;

/// Reads a source that makes its values in further ways.
fn shelves() -> Surface {
    served(&Scratch::with(
        "gotosocial",
        &[
            ("new", "internal/api/model/shelf.go", SHELF),
            ("new", "internal/processing/shelves.go", SHELVES),
            ("new", "internal/gtsmodel/wood.go", WOOD),
            ("new", "internal/api/client/notes/handlers.go", SHELVES_HANDLER),
            ("new", "internal/oauth/server.go", GRANTS),
            ("new", "vendor/example.org/library/oauth2/v4/const.go", LIBRARY),
        ],
    ))
}

#[test]
fn values_are_read_from_bits_local_constants_literals_and_a_library() {
    let surface = shelves();
    let uses = |name: &str| {
        let found = surface.enums.get(name);
        let found = found.unwrap_or_else(|| panic!("no {name} in {:?}", surface.enums.keys()));
        let values = found.values.iter();
        values.map(|(word, value)| (word.as_str(), value.r#use)).collect::<Vec<_>>()
    };
    let rights = [("burn", Use::Declared), ("keep_shelves", Use::Sent), ("read_notes", Use::Sent)];
    assert_eq!(uses("Rights"), rights);
    assert_eq!(uses("gtsmodel.Wood"), [("oak", Use::Sent), ("pine", Use::Declared)]);
    assert_eq!(uses("Shelf.ItemKind"), [("wooden", Use::Sent)]);
    // A field that is also set to anything else is no list of words.
    assert!(!surface.enums.contains_key("Shelf.State"));
    assert!(!surface.enums.contains_key("Shelf.Name"));
    let grants = [
        ("authorization_code", Use::Sent),
        ("client_credentials", Use::Sent),
        ("password", Use::Declared),
    ];
    assert_eq!(uses("oauth2.GrantType"), grants);
}

#[test]
fn a_limit_is_a_number_between_bounds() {
    let handler = SHELVES_HANDLER.replace(
        "	shelves, err",
        "	_, _ = apiutil.ParseLimit(c.Query(\"limit\"), 20, 40, 1)
	shelves, err",
    );
    let path = "internal/api/client/notes/handlers.go";
    let surface = served(&Scratch::with("gotosocial", &[("new", path, &handler)]));
    let mut operations = surface.operations.iter();
    let found = operations.find(|(endpoint, _)| endpoint.path == "/api/v1/notes");
    let limit = &found.expect("the list").1.params["limit"];
    assert_eq!((limit.default, limit.min, limit.max), (Some(20), Some(1), Some(40)));
    assert_eq!(limit.r#type.as_deref(), Some("integer"));
}

const FINDS_HANDLER: &str = r#"package notes

import (
	"errors"

	apimodel "example.org/gotosocial/internal/api/model"
	apiutil "example.org/gotosocial/internal/api/util"
	"example.org/gotosocial/internal/gtserror"

	"github.com/gin-gonic/gin"
)

func (m *Module) ListGETHandler(c *gin.Context) {
	if _, err := apiutil.NegotiateAccept(c); err != nil {
		apiutil.ErrorHandler(c, gtserror.NewErrorNotAcceptable(err))
		return
	}
	form := &apimodel.FindRequest{}
	if err := c.ShouldBind(form); err != nil {
		apiutil.ErrorHandler(c, gtserror.NewErrorBadRequest(err, err.Error()))
		return
	}
	if err := check(*form.Word); err != nil {
		apiutil.ErrorHandler(c, gtserror.NewErrorUnprocessableEntity(err, err.Error()))
		return
	}
	if !apiutil.Scope(scope).Permits(apiutil.ScopeReadNotes) {
		return
	}
	_ = c.Query("limit")
	m.processor.Notes().List(c, form)
}

func check(word string) error {
	if length := len([]rune(word)); length > 40 {
		return errors.New("too long")
	}
	return nil
}
"#;

const FINDS: &str = r#"package notes

import (
	"errors"

	apimodel "example.org/gotosocial/internal/api/model"
	"example.org/gotosocial/internal/gtserror"
)

func (p *Processor) List(
	ctx context.Context,
	form *apimodel.FindRequest,
) (
	[]string,
	gtserror.WithCode,
) {
	if form.Word != nil {
		const text = "words are not looked for yet"
		return nil, gtserror.NewErrorNotImplemented(errors.New(text), text)
	}
	return nil, gtserror.NewErrorNotFound(err)
}
"#;

/// The rows of a list whose newer release does this before it has found nothing.
fn refused(first: &str) -> Vec<String> {
    let form = "package model\n\ntype FindRequest struct {\n	Word *string `form:\"word\"`\n}\n";
    let processor =
        "package processing\n\nimport \"example.org/gotosocial/internal/processing/notes\"\n
func (p *Processor) Notes() *notes.Processor {\n	return &p.notes\n}\n";
    let (before, after) = FINDS.split_once("	if form.Word").expect("a condition");
    let (_, after) = after.split_once("	}\n").expect("its end");
    let finds = format!(
        "{before}	if taken {{\n		return nil, gtserror.NewWithCode(http.StatusConflict, text)\n	}}\n{first}{after}"
    );
    let finds = finds.replace("NewErrorNotFound(err)", "NewErrorNotFound(err, \"nothing found\")");
    let mut files = Vec::new();
    for (side, finds) in [("old", FINDS), ("new", &*finds)] {
        files.push((side, "internal/api/client/notes/handlers.go", FINDS_HANDLER));
        files.push((side, "internal/api/model/find.go", form));
        files.push((side, "internal/processing/processor.go", processor));
        files.push((side, "internal/processing/notes/list.go", finds));
    }
    let scratch = Scratch::with("gotosocial", &files);
    let file = scratch.spec().join("supplement/notes.yaml");
    let text = std::fs::read_to_string(&file).expect("the catalogue");
    let word = "word: {summary: What it has., in: query, type: string, required: false, left_out: harmless, max_length: 30, works_since: {gotosocial: never}, refused: {gotosocial: {since: \"0.1.0\", status: 501}}}";
    let text = text.replacen("errors: [401]\n    params:\n", &format!("errors:\n      \"400\": {{}}\n      \"404\": {{text: {{gotosocial: \"Not Found\"}}}}\n      \"409\": {{since: {{gotosocial: never}}}}\n    params:\n      {word}\n"), 1);
    std::fs::write(&file, text).expect("written");
    let surface = served(&scratch);
    let operation = surface.operations.iter().find(|(at, _)| at.path == "/api/v1/notes");
    let auth = operation.and_then(|(_, operation)| operation.auth.as_ref()).expect("a token");
    assert_eq!(auth.scopes, ["read:notes"]);
    let rows = request(&scratch).rows.into_iter();
    let rows = rows.filter(|row| row.from.is_some() && row.id.starts_with("notes.list"));
    let rows = rows.filter(|row| row.kind != ItemKind::Auth).map(|row| {
        let facts = [&row.from, &row.to].map(|fact| fact.clone().unwrap_or_default());
        let left = if row.is_ready() { "" } else { "?" };
        format!("{} {}: {} to {}{left}", row.change.name(), row.id, facts[0], facts[1])
    });
    rows.collect()
}

#[test]
fn what_is_refused_is_held_against_the_other_release_and_the_catalogue() {
    let told = refused("");
    assert_eq!(
        told,
        [
            "changed notes.list: 404: Not Found to 404: Not Found: nothing found",
            "changed notes.list: no 409 to 409?",
            "changed notes.list.word: refused with 501 to not refused?",
            "contradicts notes.list: no 422 to 422?",
            "contradicts notes.list.word: max_length 30 to max_length 40?",
        ]
    );
    // A refusal of the caller is left out; one of what was sent is not.
    let under = |condition: &str| {
        refused(&format!(
            "	if {condition} {{\n		return nil, gtserror.NewErrorNotFound(err, \"other\")\n	}}\n"
        ))
    };
    assert_eq!(under("requester == nil"), told);
    assert_eq!(under("request.ID != nil"), told[1..]);
}

#[test]
fn an_answer_is_what_the_function_returns_and_not_what_the_comment_says() {
    let surface = shelves();
    let mut operations = surface.operations.iter();
    let found = operations.find(|(endpoint, _)| endpoint.path == "/api/v1/notes");
    let answer = found.and_then(|(_, operation)| operation.answer.clone());
    let shelves = Answer { shape: "Shelf".to_owned(), list: true };
    assert_eq!(answer, Some(shelves));
}

/// A catalogue in which an operation of both releases answers one of two entities, and the program has had only the first.
fn one_of_several(further: &[(&str, &str, &str)]) -> Vec<String> {
    let scratch = Scratch::with("gotosocial", further);
    let file = scratch.spec().join("supplement/notes.yaml");
    let text = std::fs::read_to_string(&file).expect("the catalogue");
    let text = text.replace("returns: Note[]", "returns: Note[]|Torn[]").replace(
        "  PinnedNote:",
        "  Torn:
    summary: Half a note.
    since: {mastodon: \"4.0.0\", gotosocial: never}
    fields:
      torn_at: {summary: When it was torn., type: datetime}
      other_half: {summary: The id of the other half., type: string}

  PinnedNote:",
    );
    std::fs::write(&file, text).expect("written");
    let rows = request(&scratch).rows.into_iter();
    let rows = rows.filter(|row| row.id.starts_with("Torn."));
    rows.map(|row| format!("{} {}", row.change.name(), row.id)).collect()
}

#[test]
fn of_answers_that_are_one_of_several_those_that_the_source_cannot_tell_are_no_news() {
    let torn = "package model

type Torn struct {
	TornAt string `json:\"torn_at\"`
	OtherHalf string `json:\"other_half\"`
}
";
    let path = "internal/api/model/torn.go";
    // Declared long before, and perhaps never answered.
    assert_eq!(one_of_several(&[("old", path, torn), ("new", path, torn)]), [""; 0]);
    // News of the newer release is.
    let news = ["added Torn.other_half", "added Torn.torn_at"];
    assert_eq!(one_of_several(&[("new", path, torn)]), news);
}
