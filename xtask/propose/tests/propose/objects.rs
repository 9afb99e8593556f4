//! Objects that Ruby methods write out: in serializers, models, classes that are looked up, and where an action fails.

use std::collections::BTreeMap;
use std::fs;

use fedispec_propose::row::ItemKind;
use fedispec_propose::surface::{SourceType, Surface};
use fedispec_propose::{Request, propose, surface};

use crate::repository::{Scratch, request_of};

const ROUTES: &str = "
Rails.application.routes.draw do
  namespace :api, format: false do
    namespace :v1 do
      resources :reports, only: [:index, :show, :create, :update]
      resource :refresh, only: :show
      resource :subscription, only: [:show, :create]
      resources :figures, only: :index
      resource :client, only: :show
    end
    namespace :web do
      resource :subscription, only: :update
    end
  end
end
";

/// A model whose figures are put together by classes that a constant lists.
const REPORT: &str = "
class Report
  SOURCES = [Report::Kinds, Report::Best].freeze

  def data
    with_replica do
      SOURCES.each_with_object({}) { |source, all| all.merge!(source.new(self).generate) }
    end
  end

  def history
    @history ||= Report::History.new(id)
  end

  def owner
    account.slice(:id, :name)
  end
end

class Report::Source
  def generate
    { kinds: kinds.map { |(name, count)| { name: name, count: count } } }
  end
end

class Report::Kinds < Report::Source
end

class Report::Best
  def generate
    best = {}
    best[:post] = top
    best.store(:year, 2023) if year?
    { best: best.merge(account: { id: 1 }), size: 'large' }
  end
end

class Report::History
  class Day
    def as_json
      return { day: 'never' } if never?

      { day: day.to_s, uses: uses.to_s }
    rescue KeyError
      nil
    end
  end

  def each(&block)
    (0...7).map { |i| block.call(get(i)) }
  end

  def get(date)
    Day.new(date)
  end

  def as_json(*)
    map(&:as_json)
  end
end
";

const SERIALIZERS: &str = "
class REST::ReportSerializer < ActiveModel::Serializer
  attributes :data, :history, :owner, :rules, :raw, :params, :size

  def rules
    object.rules.to_h { |rule| [rule.language, { text: rule.text }] }
  end

  def raw
    object.account.as_json(only: [:id, :acct])
  end

  def params
    object.params.merge(quoted: object.params['quoted']&.to_s)
  end

  def size
    object.wide? ? { width: 1, height: 2 } : { width: 1 }
  end
end

class REST::FigureSerializer < ActiveModel::Serializer
  attributes :key, :data
end

class REST::SubscriptionSerializer < ActiveModel::Serializer
  attributes :id, :alerts, :title

  def alerts
    (object.data&.dig('alerts') || {}).each_with_object({}) { |(key, value), all| all[key] = value }
  end

  def title
    object.data['title']
  end
end

class REST::ClientSerializer < ActiveModel::Serializer
  attributes :id, :name, :secret
end
";

const CONTROLLERS: &str = "
class Api::V1::ReportsController < Api::BaseController
  rescue_from ActiveRecord::RecordInvalid do |e|
    render json: { error: ErrorFormatter.new(e).as_json }, status: 422
  end

  def index
    render json: Report.all, each_serializer: REST::ReportSerializer
  end

  def show
    return render json: { error: 'Gone' }, status: :gone if gone?

    render json: { code: params[:id] }, status: 200
  end

  def create
    render json: @report, serializer: REST::ReportSerializer
  rescue Report::Mentions => e
    render json: mentions(e), status: :unprocessable_entity
  end

  def update
    render json: @report, serializer: REST::ReportSerializer
  end

  private

  def mentions(error)
    { error: error.message, accounts: error.accounts }
  end
end

class Api::V1::RefreshesController < Api::BaseController
  def show
    refresh = Refresh.find(params[:id])
    render json: refresh if refresh
  end
end

class Api::V1::FiguresController < Api::BaseController
  before_action :set_figures

  def index
    render json: @figures, each_serializer: REST::FigureSerializer
  end

  def set_figures
    @figures = Some::Figures.retrieve(params[:keys])
  end
end

class Api::V1::SubscriptionsController < Api::BaseController
  def show
    render json: @subscription, serializer: REST::SubscriptionSerializer
  end

  def create
    Subscription.create!(params.require(:data).permit(:policy, alerts: [:follow, :poll]))
    render json: @subscription, serializer: REST::SubscriptionSerializer
  end
end

class Api::Web::SubscriptionsController < Api::BaseController
  def update
    Subscription.update(params.require(:data).permit(alerts: [:follow, :poll, :internal]))
    render json: @subscription, serializer: REST::SubscriptionSerializer
  end
end

class Api::V1::ClientsController < Api::BaseController
  def show
    render json: @client, serializer: REST::ClientSerializer, fields: %i(id name)
  end
end
";

const CLASSES: &str = "
class Refresh
  class << self
    def find(id)
      new(id) if exists?(id)
    end
  end

  def to_json(_options)
    { refresh: { id:, status: } }.to_json
  end
end

class Some::Figures
  TABLE = { size: SizeFigure, names: NamesFigure }.freeze

  def self.retrieve(keys)
    Array(keys).filter_map do |key|
      found = TABLE[key.to_sym]
      found&.new(key)
    end
  end
end

class Some::Figures::Base
  def data
    load
  end

  def load
    @values = Rails.cache.fetch('key', expires_in: TTL) { query }
  end
end

class Some::Figures::SizeFigure < Some::Figures::Base
  def query
    rows.map { |row| { key: row['key'], unit: 'bytes' } }
  end
end

class Some::Figures::NamesFigure < Some::Figures::Base
  def query
    [first, second].compact
  end

  def first
    { key: 'first', value: 1 }
  end

  def second
    nil
  end
end

class ErrorFormatter
  def as_json
    { error: @error.to_s, details: details }
  end

  def details
    found = {}
    errors.each_pair do |name, all|
      found[name] = all.map.with_index { |error, index| { error: error, description: texts[index] } }
    end
    found
  end
end
";

fn read(further: &[(&str, &str)]) -> Surface {
    let files = [
        ("config/routes.rb", ROUTES),
        ("app/models/report.rb", REPORT),
        ("app/serializers/rest/all.rb", SERIALIZERS),
        ("app/lib/all.rb", CLASSES),
    ];
    let controllers = CONTROLLERS.split("\nclass ").filter(|one| !one.trim().is_empty());
    let controllers = controllers.map(|one| {
        let name = one.split_once(' ').expect("a class").0;
        let path = name.replace("::", "/").replace("V1", "v1");
        let path = path.replace("Api", "api").replace("Web", "web");
        let (folder, name) = path.rsplit_once('/').expect("a namespace");
        let name = name.strip_suffix("Controller").expect("a controller").to_lowercase();
        (format!("app/controllers/{folder}/{name}_controller.rb"), format!("class {one}"))
    });
    let controllers: Vec<_> = controllers.collect();
    let all = files.iter().chain(further).copied();
    let own = controllers.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    let all: Vec<_> = all.chain(own).map(|(path, text)| ("new", path, text)).collect();
    let scratch = Scratch::with("mastodon", &all);
    let source = scratch.source();
    let request = Request { version: Some("4.1.0"), ..request_of("mastodon", &source, "v4.1.0") };
    surface(&scratch.spec(), &request).expect("a source").surface
}

/// Every key of a shape and of those in it: `data.best.post`, with `[]` for lists, `*` for maps, `?` where it may be absent and `..`
/// where there are more keys.
fn keys(surface: &Surface, shape: &str) -> Vec<String> {
    let mut found = Vec::new();
    gather(surface, &SourceType::Shape(shape.to_owned()), "", &mut found);
    found
}

fn gather(surface: &Surface, of: &SourceType, path: &str, found: &mut Vec<String>) {
    match of {
        SourceType::List(of) => gather(surface, of, &format!("{path}[]"), found),
        SourceType::Map(of) => gather(surface, of, &format!("{path}.*"), found),
        SourceType::Shape(name) => {
            let shape = &surface.shapes[name];
            if shape.open {
                found.push(format!("{path}.."));
            }
            for (key, field) in &shape.fields {
                let absent = if field.optional == Some(true) { "?" } else { "" };
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                gather(surface, &field.r#type, &format!("{path}{absent}"), found);
            }
        }
        _ => found.push(path.to_owned()),
    }
}

fn answered(surface: &Surface, method: &str, path: &str) -> Vec<String> {
    let mut operations = surface.operations.iter();
    let found = operations.find(|(at, _)| at.method == method && at.path == path);
    let (_, operation) = found.expect(path);
    keys(surface, &operation.answer.as_ref().expect("an answer").shape)
}

#[test]
fn objects_of_a_model_are_followed_into_the_classes_that_make_them() {
    let surface = read(&[]);
    let expected = [
        "data.best.account.id",
        "data.best.post",
        "data.best.year?",
        "data.kinds[].count",
        "data.kinds[].name",
        "data.size",
        "history[].day",
        "history[].uses?",
        "owner.id",
        "owner.name",
        "params..",
        "params.quoted",
        "raw.acct",
        "raw.id",
        "rules.*.text",
        "size.height?",
        "size.width",
    ];
    assert_eq!(keys(&surface, "Report"), expected);
}

#[test]
fn classes_that_are_looked_up_each_add_their_keys() {
    let surface = read(&[]);
    let expected = ["data[].key", "data[].unit?", "data[].value?", "key"];
    assert_eq!(answered(&surface, "GET", "/api/v1/figures"), expected);
}

#[test]
fn an_object_without_a_serializer_is_what_it_makes_of_itself() {
    let surface = read(&[]);
    let expected = ["refresh.id", "refresh.status"];
    assert_eq!(answered(&surface, "GET", "/api/v1/refresh"), expected);
    assert_eq!(answered(&surface, "GET", "/api/v1/reports/:id"), ["code"]);
}

#[test]
fn a_serializer_can_be_cut_to_some_fields() {
    let surface = read(&[]);
    assert_eq!(answered(&surface, "GET", "/api/v1/client"), ["id", "name"]);
    assert_eq!(keys(&surface, "Client"), ["id", "name", "secret"]);
}

#[test]
fn what_is_stored_has_the_keys_that_every_way_to_store_it_takes() {
    let surface = read(&[]);
    let expected = ["alerts.follow", "alerts.poll", "id", "title"];
    assert_eq!(answered(&surface, "GET", "/api/v1/subscription"), expected);
}

#[test]
fn bodies_of_errors_that_say_more_than_a_text_are_read() {
    let surface = read(&[]);
    let errors = |method: &str, path: &str| -> BTreeMap<u16, Vec<String>> {
        let mut operations = surface.operations.iter();
        let found = operations.find(|(at, _)| at.method == method && at.path == path);
        let errors = found.expect(path).1.errors.iter();
        errors.map(|(status, shape)| (*status, keys(&surface, shape))).collect()
    };
    // The action's own comes before the controller's.
    let mentions = ["..", "accounts", "error"].map(str::to_owned).to_vec();
    assert_eq!(errors("POST", "/api/v1/reports"), BTreeMap::from([(422, mentions)]));
    let refused = ["..", "error.details.*[].description", "error.details.*[].error", "error.error"];
    let refused = BTreeMap::from([(422, refused.map(str::to_owned).to_vec())]);
    assert_eq!(errors("PATCH", "/api/v1/reports/:id"), refused);
    // `{ error: 'Gone' }` is what every error is.
    assert_eq!(errors("GET", "/api/v1/reports/:id"), refused);
}

#[test]
fn a_source_that_goes_round_or_doubles_comes_to_an_end() {
    let methods: Vec<_> = (0..200)
        .map(|number| {
            let next = number + 1;
            format!("  def m{number}\n    {{ a: m{next}, b: m{next}, c: m0 }}\n  end\n")
        })
        .collect();
    let methods = methods.concat();
    let endless = format!(
        "class REST::EndlessSerializer < ActiveModel::Serializer\n  attributes :m0, :x\n{methods}  def x\n    x.map(&:x) || x\n  end\nend\n"
    );
    let surface = read(&[("app/serializers/rest/endless.rb", &endless)]);
    assert!(surface.shapes["Endless"].fields.contains_key("m0"));
}

/// Proposes a release, with an entity in the catalogue that no operation names.
fn told(further: &[(&str, &str, &str)]) -> Vec<String> {
    let scratch = Scratch::with("mastodon", further);
    let file = scratch.spec().join("supplement/notes.yaml");
    let text = fs::read_to_string(&file).expect("the catalogue");
    let ping = "entities:
  Ping:
    summary: What is pushed.
    since: {mastodon: never, gotosocial: \"0.1.0\"}
    fields:
      text: {summary: What it says., type: string}
";
    fs::write(&file, text.replace("entities:\n", ping)).expect("written");
    let source = scratch.source();
    let request = request_of("mastodon", &source, "v4.1.0");
    let proposal = propose(&scratch.spec(), &request).expect("a proposal");
    let rows = proposal.rows.iter();
    let rows = rows.filter(|row| matches!(row.kind, ItemKind::Field | ItemKind::Presence));
    let rows = rows.map(|row| {
        let sure = if row.sure { "sure" } else { "not sure" };
        format!("{} {} {sure}", row.change.name(), row.id)
    });
    rows.collect()
}

#[test]
fn what_no_operation_names_is_there_where_the_source_has_it() {
    let ping = "class REST::PingSerializer < ActiveModel::Serializer\n  attributes :text\nend\n";
    let rows = told(&[("new", "app/serializers/rest/ping.rb", ping)]);
    assert!(rows.contains(&"added Ping.text sure".to_owned()), "{rows:#?}");
    let rows = told(&[]);
    assert!(!rows.iter().any(|row| row.contains("Ping")), "{rows:#?}");
}

#[test]
fn an_object_with_keys_that_are_not_written_out_has_lost_none() {
    let serializer = |folder: &str| {
        format!(
            "class REST::NoteSerializer < REST::BaseSerializer
  attributes :text, :colour, :author, :folder

  def folder
    {folder}
  end
end
"
        )
    };
    let path = "app/serializers/rest/note_serializer.rb";
    let folder = |old: &str, new: &str| -> Vec<String> {
        let (old, new) = (serializer(old), serializer(new));
        let rows = told(&[("old", path, &old), ("new", path, &new)]);
        let told = |row: &String| row.contains("Note.folder.name");
        rows.into_iter().filter(told).collect()
    };
    let (closed, open) = ("{ name: 1 }", "object.folder.merge(label: 1)");
    assert_eq!(folder(closed, "{ size: 1, shape: 2 }"), ["removed Note.folder.name sure"]);
    assert!(folder(closed, open).is_empty());
    // The catalogue may be right about a field that the older source hides.
    assert!(folder(open, closed).is_empty());
}

#[test]
fn another_condition_is_told() {
    let serializer = |condition: &str| {
        format!(
            "class REST::NoteSerializer < REST::BaseSerializer
  attributes :text, :colour
  attribute :author, if: {condition}
end
"
        )
    };
    let path = "app/serializers/rest/note_serializer.rb";
    let rows = |old: &str, new: &str| {
        let (old, new) = (serializer(old), serializer(new));
        let rows = told(&[("old", path, &old), ("new", path, &new)]);
        rows.iter().any(|row| row.starts_with("changed Note.author"))
    };
    assert!(rows(":known?", ":shown?"));
    assert!(!rows(":known?", ":known?"));
}
