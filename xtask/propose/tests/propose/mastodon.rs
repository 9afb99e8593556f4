//! Proposals of a small program written like Mastodon.

use std::fs;

use fedispec_propose::error::Error;
use fedispec_propose::row::{Change, ItemKind, Proposal};
use fedispec_propose::surface::{Operation, Surface};
use fedispec_propose::{Request, propose, surface};

use crate::repository::{Scratch, request_of};

/// The catalogue in which the other program is the one that lacks what is new.
fn scratch() -> Scratch {
    let scratch = Scratch::new("mastodon");
    let file = scratch.spec().join("supplement/notes.yaml");
    let text = fs::read_to_string(&file).expect("the catalogue");
    let (first, rest) = text.split_once("  notes.pinned:").expect("the operation");
    let since = "mastodon: \"4.0.0\", gotosocial: never";
    let first = first.replace(since, "mastodon: never, gotosocial: \"0.1.0\"");
    let swapped = format!("{first}  notes.pinned:{rest}");
    let swapped = swapped.replace("since: {gotosocial: never}", "since: {mastodon: never}");
    fs::write(&file, swapped).expect("written");
    scratch
}

fn request(scratch: &Scratch, tag: &str) -> Proposal {
    let source = scratch.source();
    let request = Request { version: Some("4.1.0"), ..request_of("mastodon", &source, tag) };
    propose(&scratch.spec(), &request).expect("a proposal")
}

#[test]
fn a_release_is_read_whole() {
    let proposal = request(&scratch(), "v4.1.0");
    let told: Vec<String> = proposal
        .rows
        .iter()
        .map(|row| {
            format!(
                "{} {} {} {}",
                row.change.name(),
                row.kind.name(),
                row.id,
                row.to.as_deref().unwrap_or_default()
            )
        })
        .collect();
    let expected = [
        "added operation notes.create 4.1.0",
        "added operation notes.pin 4.1.0",
        "added operation streaming.colours 4.1.0",
        "added param notes.create.colour 4.1.0",
        "added param notes.create.folder[name] 4.1.0",
        "added param notes.create.text 4.1.0",
        "added param notes.list.beyond 4.1.0",
        "added param notes.list.newest 4.1.0",
        "added param streaming.colours.access_token 4.1.0",
        "added param streaming.colours.colour 4.1.0",
        "added field Note.colour 4.1.0",
        "renamed field Note.colour colour",
        "added field Note.folder 4.1.0",
        "added field Note.folder.name 4.1.0",
        "added field Note.mood 4.1.0",
        "removed field Note.old_name ",
        "added value NoteColour.blue 4.1.0",
        "added value NoteColour.green 4.1.0",
        "changed auth notes.list user read",
        "contradicts operation streaming.notes served in 4.0.0",
    ];
    assert_eq!(told, expected, "{told:#?}");
    assert_eq!(proposal.api, Some(3));
    let broken = "app/models/broken.rb";
    assert!(proposal.unread.iter().any(|text| text.starts_with(broken)), "{:?}", proposal.unread);
}

#[test]
fn a_route_without_an_action_is_none() {
    let proposal = request(&scratch(), "v4.1.0");
    let paths: Vec<_> = proposal.rows.iter().filter_map(|row| row.path.as_deref()).collect();
    // `notes/gone` names an action that the controller has not, `history` a controller that is not there.
    assert!(
        !paths.iter().any(|path| path.ends_with("gone") || path.ends_with("history")),
        "{paths:?}"
    );
}

#[test]
fn the_place_of_a_row_is_where_the_source_says_it() {
    let proposal = request(&scratch(), "v4.1.0");
    let at = |kind, id: &str| {
        let mut rows = proposal.rows.iter();
        let row =
            rows.find(|row| row.change != Change::Contradicts && row.kind == kind && row.id == id);
        row.expect(id).at.clone()
    };
    assert_eq!(at(ItemKind::Operation, "notes.create"), "config/routes/api.rb:9@v4.1.0");
    assert_eq!(
        at(ItemKind::Param, "notes.list.newest"),
        "app/controllers/api/v1/notes_controller.rb:7@v4.1.0"
    );
    assert_eq!(
        at(ItemKind::Field, "Note.folder"),
        "app/serializers/rest/note_serializer.rb:3@v4.1.0"
    );
    assert_eq!(
        at(ItemKind::Auth, "notes.list"),
        "app/controllers/api/v1/notes_controller.rb:2@v4.1.0"
    );
}

#[test]
fn a_tree_of_another_release_is_told() {
    let scratch = scratch();
    let source = scratch.source();
    let request = Request { version: Some("4.0.5"), ..request_of("mastodon", &source, "v4.1.0") };
    let proposal = propose(&scratch.spec(), &request).expect("a proposal");
    assert!(
        proposal.unread.iter().any(|text| text.contains("calls itself 4.1.0, not 4.0.5")),
        "{:?}",
        proposal.unread
    );
}

/// Reads the API of the new release.
fn served() -> Result<Surface, Error> {
    read(&scratch())
}

fn read(scratch: &Scratch) -> Result<Surface, Error> {
    let source = scratch.source();
    let request = request_of("mastodon", &source, "v4.1.0");
    Ok(surface(&scratch.spec(), &request)?.surface)
}

#[test]
fn values_are_read_where_the_code_looks_at_them() {
    let surface = served().expect("a source");
    let values = |name: &str| {
        let found = surface.enums.get(name);
        let found = found.unwrap_or_else(|| panic!("no {name} in {:?}", surface.enums.keys()));
        found.values.keys().map(String::as_str).collect::<Vec<_>>()
    };
    assert_eq!(values("NoteColour::COLOURS"), ["blue", "green", "red"]);
    assert_eq!(values("Note.size"), ["large", "small"]);
    let service = "app/services/search_service.rb";
    assert_eq!(values(&format!("{service}:type")), ["colours", "notes"]);
    assert_eq!(values(&format!("{service}:6.type")), ["day", "month", "week"]);
    // A word that is published beside other keys is no event.
    assert_eq!(values("events"), ["cleared", "note", "note.new"]);
    assert_eq!(values("streaming:type"), ["subscribe", "unsubscribe"]);
    assert_eq!(values("streaming:14"), ["colours", "notes", "notes:new"]);
}

#[test]
fn a_stream_reads_what_its_channels_read() {
    let surface = served().expect("a source");
    let params = |path: &str| {
        let mut operations = surface.operations.iter();
        let found = operations.find(|(endpoint, _)| endpoint.path == path);
        let (_, operation) = found.expect("a stream");
        operation.params.keys().cloned().collect::<Vec<_>>()
    };
    let notes = ["access_token", "only_new", "since"];
    assert_eq!(params("/api/v1/streaming/notes"), notes);
    assert_eq!(params("/api/v1/streaming/colours"), ["access_token", "colour"]);
}

#[test]
fn presence_is_read_from_conditions_methods_and_columns() {
    let surface = served().expect("a source");
    let presence = |field: &str| {
        let field = &surface.shapes["Note"].fields[field];
        (field.optional, field.nullable)
    };
    assert_eq!(presence("text"), (Some(false), Some(false)));
    assert_eq!(presence("author"), (Some(false), Some(true)));
    assert_eq!(presence("id"), (Some(false), Some(false)));
    assert_eq!(presence("folder"), (Some(true), Some(false)));
    // Neither a column nor a method of the serializer.
    assert_eq!(presence("colour"), (Some(false), None));
    // The model hides the column.
    assert_eq!(presence("mood"), (Some(false), None));
}

/// The operation of a path below `/api/v1`.
fn operation<'s>(surface: &'s Surface, method: &str, path: &str) -> &'s Operation {
    let mut operations = surface.operations.iter();
    let found = operations.find(|(endpoint, _)| {
        endpoint.method == method && endpoint.path == format!("/api/v1/{path}")
    });
    let (_, operation) =
        found.unwrap_or_else(|| panic!("no {path} in {:?}", surface.operations.keys()));
    operation
}

const ROUTES: &str = "
namespace :api do
  scope :v1_alpha, module: :v1 do
    resources :shelves, only: [:show, :create]
  end

  namespace :v1 do
    resources :shelves, only: [:index, :show, :create, :destroy] do
      get :size, on: :collection
    end
    resources :measures, only: :create
    namespace :admin do
      resources :shelves, only: [:index, :destroy]
    end
  end
end
";

const SHELVES: &str = "
class Api::V1::ShelvesController < Api::BaseController
  before_action :set_shelves

  def index
    render json: @shelves, each_serializer: REST::ShelfSerializer, adapter: :json, root: 'shelves'
  end

  def show
    render_with_cache json: Shelf.find(params[:id]), serializer: REST::ShelfSerializer
  end

  def create
    return render json: { error: 'full' }, status: 422 if full?

    render json: Shelf.create!, serializer: REST::ShelfSerializer, adapter: :json
  end

  def size
    render json: { count: @shelves.count, of: { kind: 'notes' } }
  end

  private

  def set_shelves
    @shelves = Shelf.offset(params[:offset])
  end
end
";

const ADMIN_SHELVES: &str = "
class Api::V1::Admin::ShelvesController < Api::V1::ShelvesController
  def destroy
    render json: {}
  end
end
";

const SHELF: &str = "
class REST::ShelfSerializer < ActiveModel::Serializer
  attributes :id, :picture
  has_many :ordered_notes, key: :notes
  has_one :sum

  def picture
    if object.picture
      { url: object.picture.url, blurhash: object.picture.blurhash }
    else
      { url: 'none.png' }
    end
  end

  def sum
    { all: 1 }
  end

  class NoteSerializer < ActiveModel::Serializer
    attributes :name
  end
end
";

const MEASURES: &str = "
class Measure
  TABLE = { notes: Measure::NotesMeasure, shelves: Measure::ShelvesMeasure }.freeze
end

class Measure::NotesMeasure
end

class Measure::ShelvesMeasure
  def params
    @params.permit(:domain, :below)
  end
end
";

const MEASURES_CONTROLLER: &str = "
class Api::V1::MeasuresController < Api::BaseController
  def create
    @measures = Some::Outer::Measure.retrieve(params[:keys], params)
    @measures = ::Measure.retrieve(params[:keys], params)
  end
end
";

fn shelves() -> Scratch {
    Scratch::with(
        "mastodon",
        &[
            ("new", "config/routes.rb", ROUTES),
            ("new", "app/controllers/api/v1/shelves_controller.rb", SHELVES),
            ("new", "app/controllers/api/v1/admin/shelves_controller.rb", ADMIN_SHELVES),
            ("new", "app/controllers/api/v1/measures_controller.rb", MEASURES_CONTROLLER),
            ("new", "app/serializers/rest/shelf_serializer.rb", SHELF),
            ("new", "app/lib/measure.rb", MEASURES),
        ],
    )
}

#[test]
fn an_answer_has_the_key_that_is_written_around_it() {
    let surface = read(&shelves()).expect("a source");
    let answered = |method: &str, path: &str| {
        let answer = operation(&surface, method, path).answer.as_ref();
        let answer = answer.expect("an answer");
        let fields = &surface.shapes[&answer.shape].fields;
        let fields = fields.iter().map(|(key, field)| format!("{key} {}", field.r#type));
        (answer.list, fields.collect::<Vec<_>>())
    };
    assert_eq!(answered("GET", "shelves"), (false, vec!["shelves Shelf[]".to_owned()]));
    assert_eq!(answered("POST", "shelves"), (false, vec!["shelf Shelf".to_owned()]));
    let size = ["count json", "of Api::V1::ShelvesController#size.answer.of"];
    assert_eq!(answered("GET", "shelves/size"), (false, size.map(str::to_owned).to_vec()));
    let shelf = operation(&surface, "GET", "shelves/:id").answer.as_ref();
    assert_eq!(shelf.map(|answer| answer.shape.as_str()), Some("Shelf"));
}

#[test]
fn objects_that_are_made_in_several_ways_have_the_keys_of_all() {
    let surface = read(&shelves()).expect("a source");
    let shelf = &surface.shapes["Shelf"].fields;
    assert_eq!(shelf["picture"].r#type.to_string(), "Shelf.picture");
    assert_eq!(shelf["notes"].r#type.to_string(), "Shelf::Note[]");
    assert_eq!(shelf["sum"].r#type.to_string(), "Shelf.sum");
    let picture = &surface.shapes["Shelf.picture"].fields;
    let optional = |key: &str| picture[key].optional;
    assert_eq!((optional("url"), optional("blurhash")), (Some(false), Some(true)));
}

#[test]
fn parameters_are_read_where_a_table_of_classes_takes_them() {
    let surface = read(&shelves()).expect("a source");
    let params = &operation(&surface, "POST", "measures").params;
    let sent: Vec<&str> = { params.iter() }
        .filter(|(_, param)| !param.container)
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(sent, ["keys", "shelves[below]", "shelves[domain]"]);
}

#[test]
fn what_the_class_above_loads_for_its_own_list_is_no_parameter() {
    let surface = read(&shelves()).expect("a source");
    let params = |method: &str, path: &str| {
        let names = operation(&surface, method, path).params.keys();
        // The base of all controllers reads this one.
        let names = names.filter(|name| *name != "limit");
        names.cloned().collect::<Vec<_>>()
    };
    assert_eq!(params("GET", "admin/shelves"), ["offset"]);
    assert_eq!(params("DELETE", "admin/shelves/:id"), ["id"]);
    // A controller's own callback may do more than this reading sees.
    assert_eq!(params("GET", "shelves/:id"), ["id", "offset"]);
}

#[test]
fn the_trial_of_a_version_is_told_once() {
    let scratch = shelves();
    let proposal = request(&scratch, "v4.1.0");
    let mut paths: Vec<&str> = { proposal.rows.iter() }
        .filter(|row| row.change == Change::Added && row.kind == ItemKind::Operation)
        .filter_map(|row| row.path.as_deref())
        .filter(|path| path.contains("shelves"))
        .collect();
    paths.sort_unstable();
    let once = [
        "/api/v1/admin/shelves",
        "/api/v1/admin/shelves/:id",
        "/api/v1/shelves",
        "/api/v1/shelves",
        "/api/v1/shelves/:id",
        "/api/v1/shelves/size",
    ];
    assert_eq!(paths, once);
}

/// The rows about what a list and its parameters demand and refuse, where its first place in the catalogue says so of the limit.
fn demands(old: &str, new: &str, said: &str) -> Vec<String> {
    let controller = |body: &str| {
        format!(
            "class Api::V1::NotesController < Api::BaseController
  FEW = 20
  MANY = 40

  rescue_from Mastodon::NotPermittedError do
    render json: {{ error: 'Not for you' }}, status: 403
  end

  def index
    {body}
    render json: Note.all, each_serializer: REST::NoteSerializer
  end

  def limit_param(default_limit, max_limit = nil)
    return default_limit unless params[:limit]
    [params[:limit].to_i.abs, max_limit || (default_limit * 2)].min
  end
end
"
        )
    };
    let path = "app/controllers/api/v1/notes_controller.rb";
    let model = "app/models/note.rb";
    let validated = |body: &str| {
        let most = if body.contains("short") { 8 } else { 9 };
        let validates = "  validates :newest, length: { maximum: MOST }, if: :local?";
        format!("class Note < ApplicationRecord\n  MOST = {most}\n{validates}\nend\n")
    };
    let models = [old, new].map(validated);
    let (old, new) = (controller(old), controller(new));
    let files = [
        ("old", path, &*old),
        ("new", path, &*new),
        ("old", model, &*models[0]),
        ("new", model, &*models[1]),
    ];
    let scratch = Scratch::with("mastodon", &files);
    let file = scratch.spec().join("supplement/notes.yaml");
    let text = fs::read_to_string(&file).expect("the catalogue");
    let limit = "type: integer, required: false, left_out: harmless}";
    fs::write(&file, text.replacen(limit, &format!("{said}{limit}"), 1)).expect("written");
    let rows = request(&scratch, "v4.1.0").rows.into_iter();
    let kinds = [ItemKind::Param, ItemKind::Operation];
    let rows = rows.filter(|row| kinds.contains(&row.kind) && row.from.is_some());
    let rows = rows.filter(|row| row.id.starts_with("notes.list"));
    let words = |row: &fedispec_propose::row::Row| {
        let facts = [&row.from, &row.to].map(|fact| fact.clone().unwrap_or_default());
        let last = row.yaml.lines().last().unwrap_or_default().trim().to_owned();
        format!("{} {}: {} to {}; {last}", row.change.name(), row.id, facts[0], facts[1])
    };
    rows.map(|row| words(&row)).collect()
}

#[test]
fn what_parameters_demand_is_held_against_the_other_release_and_the_catalogue() {
    let old = "limit_param(FEW); params[:newest]";
    let new = "limit_param(FEW, MANY); params.require(:newest)";
    let newest = "changed notes.list.newest: required false to required true; mastodon: [{in: \"4.1.0\", what: required, from: false, to: true}]";
    assert_eq!(demands(old, new, ""), [newest]);
    let many = [
        "changed notes.list.limit: default 20 to default 40; mastodon: [{in: \"4.1.0\", what: default, from: 20, to: 40}]",
        "changed notes.list.limit: max 40 to max 80; mastodon: [{in: \"4.1.0\", what: max, from: 40, to: 80}]",
    ];
    assert_eq!(demands(old, "limit_param(MANY); params[:newest]", ""), many);
    // Both releases do it, and the catalogue contradicts them.
    assert_eq!(demands(old, old, "default: 20, max: 40, "), [""; 0]);
    let max = "contradicts notes.list.limit: max 30 to max 40; ";
    assert_eq!(demands(old, old, "default: 20, max: 30, "), [max]);
    let always = "limit_param(FEW); params.require(:newest)";
    let newest = "contradicts notes.list.newest: required false to required true; ";
    assert_eq!(demands(always, always, ""), [newest]);
    let short = "changed notes.list.newest: max_length 9 to max_length 8; mastodon: [{in: \"4.1.0\", what: max_length, from: 9, to: 8}]";
    assert_eq!(demands(old, "limit_param(FEW); params[:newest] # short", ""), [short]);
    // A status that a source makes, and one that it comes to make. What is gone may be made elsewhere.
    let old = "raise Mastodon::NotPermittedError if params[:newest]";
    let new = "return head 410 if params[:newest]";
    let refused = [
        "changed notes.list: no 410 to 410; \"410\": {since: {mastodon: \"4.1.0\", gotosocial: never}, evidence: {mastodon: {source: mastodon-source, at: \"app/controllers/api/v1/notes_controller.rb:10@4.1.0\"}}}",
        "contradicts notes.list: no 403 to 403; ",
    ];
    assert_eq!(demands(old, new, ""), refused);
}
