# Puts the routes of a source through the router of Rails. Reads {"config/routes.rb": text, ..} as JSON from stdin and prints a JSON list of
# [method, path, controller#action]. What is not routing is stood in for: gems, settings and the classes of the program.
require 'json'
require 'logger'
require 'active_support'
require 'active_support/core_ext'
require 'action_controller'
require 'action_dispatch'
require 'action_dispatch/routing/mapper'

# Whatever is asked of it, it is a value that answers to everything.
module Anything
  def self.const_missing(_name) = Anything
  def self.method_missing(*) = Anything
  def self.respond_to_missing?(name, _private = false) = !%i[to_str to_ary to_hash to_proc to_regexp to_sym to_int].include?(name)
  def self.call(*) = [404, {}, []]
  def self.===(_other) = false
  # So that regular expressions can be joined of it.
  def self.to_str = 'anything'
  def self.to_s = 'anything'
  def self.each(*) = self
  def self.map(*) = []
end

class Object
  def self.const_missing(_name) = Anything
end

FILES = JSON.parse($stdin.read)
# What the files require belongs to gems.
module Kernel
  alias routing_require require
  def require(name)
    routing_require(name)
  rescue LoadError
    false
  end
end

module Standing
  # What devise brings: it sets a scope and leaves the routes inside as they are.
  def devise_for(*) = nil
  def devise_scope(*) = yield
  def authenticate(*) = yield
  def authenticated(*) = yield
  def unauthenticated(*) = yield

  def mount(*, **) = nil

  # What other gems add.
  def method_missing(*) = block_given? ? yield : nil
  def respond_to_missing?(*) = true

  def draw(name)
    path = "config/routes/#{name}.rb"
    instance_eval(FILES.fetch(path), path)
  end

  # What doorkeeper brings, with the controllers that the program puts in the place of its own.
  def use_doorkeeper(*, &block)
    own = Hash.new { |_, key| "doorkeeper/#{key}" }
    skipped = []
    Doorkeeping.new(own, skipped).instance_eval(&block) if block
    get 'oauth/authorize/native', to: "#{own[:authorizations]}#show", as: nil
    get 'oauth/authorize', to: "#{own[:authorizations]}#new", as: nil
    post 'oauth/authorize', to: "#{own[:authorizations]}#create", as: nil
    delete 'oauth/authorize', to: "#{own[:authorizations]}#destroy", as: nil
    post 'oauth/token', to: "#{own[:tokens]}#create", as: nil
    post 'oauth/revoke', to: "#{own[:tokens]}#revoke", as: nil
    post 'oauth/introspect', to: "#{own[:tokens]}#introspect", as: nil
    get 'oauth/token/info', to: "#{own[:token_info]}#show", as: nil
    resources(:applications, path: 'oauth/applications', controller: own[:applications], as: :oauth_applications) unless skipped.include?(:applications)
    resources(:authorized_applications, path: 'oauth/authorized_applications', controller: own[:authorized_applications], only: %i[index destroy], as: :oauth_authorized_applications) unless skipped.include?(:authorized_applications)
  end
end

Doorkeeping = Struct.new(:own, :skipped) do
  def controllers(names) = own.merge!(names)
  def skip_controllers(*names) = skipped.concat(names)
  def method_missing(*) = nil
  def respond_to_missing?(*) = true
end

# Newer releases of Rails give it where it is declared.
module Redirecting
  def initialize(status, block, *) = super(status, block)
end

ActionDispatch::Routing::Mapper.prepend(Standing)
ActionDispatch::Routing::Redirect.prepend(Redirecting)
ROUTES = ActionDispatch::Routing::RouteSet.new

module Rails
  def self.application = Application
  def self.env = ActiveSupport::StringInquirer.new('production')
  def self.configuration = Anything
  def self.root = Pathname.new('/nonexistent')
  def self.logger = Logger.new(nil)
  module Application
    def self.routes = ROUTES
    def self.method_missing(*) = Anything
    def self.respond_to_missing?(*) = true
  end
end

eval(FILES.fetch('config/routes.rb'), TOPLEVEL_BINDING, 'config/routes.rb')

found = ROUTES.routes.flat_map do |route|
  target = route.defaults
  next [] unless target[:controller] && target[:action] && route.verb.present?

  path = route.path.spec.to_s.sub(/\(.*/, '').delete_suffix('/')
  route.verb.split('|').map { |verb| [verb, path, "#{target[:controller]}##{target[:action]}"] }
end
puts JSON.generate(found)
