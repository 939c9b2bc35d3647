# A service provider of ruby-saml, driven by lines of JSON: one question each, one answer each.
require "json"
require "logger"
require "onelogin/ruby-saml"

RubySaml = OneLogin::RubySaml
RubySaml::Logging.logger = Logger.new($stderr, level: :fatal)
state = {}

steps = {
  "begin" => lambda do |given|
    settings = RubySaml::Settings.new
    settings.sp_entity_id = "urn:ruby-saml:sp"
    settings.assertion_consumer_service_url = given["acs"]
    settings.private_key = given["key"] if given["key"]
    settings.certificate = given["certificate"] if given["key"]
    given["security"].each { |name, value| settings.security[name.to_sym] = value }
    state[:settings] = settings
    RubySaml::Metadata.new.generate(settings)
  end,
  "trust" => lambda do |given|
    RubySaml::IdpMetadataParser.new.parse(given["metadata"], settings: state[:settings])
    nil
  end,
  "request" => lambda do |given|
    request = RubySaml::Authrequest.new
    url = request.create(state[:settings], RelayState: given["relayState"])
    state[:id] = request.uuid
    url
  end,
  "accept" => lambda do |given|
    options = { settings: state[:settings], matches_request_id: state[:id] }
    response = RubySaml::Response.new(given["fields"]["SAMLResponse"], options)
    raise response.errors.join(" ") unless response.is_valid?
    { nameId: response.nameid, attributes: response.attributes.to_h }
  end
}

$stdin.each_line do |line|
  asked = JSON.parse(line)
  begin
    answer = { value: steps.fetch(asked["do"]).call(asked["with"]) }
  rescue StandardError => e
    answer = { error: "#{e.class}: #{e.message}" }
  end
  puts JSON.generate(answer)
  $stdout.flush
end
