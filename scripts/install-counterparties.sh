#!/bin/sh
# Installs the real systems that tests start, from the packages of Debian, and other runtimes from npm. Prints those that are
# missing afterwards. Tests start their own, and need no service.
PATH="$PATH:/usr/sbin:/usr/local/sbin"
# Each as program or file, package, and the folder of a file.
systems="
chromium chromium
fossil fossil
pgbouncer pgbouncer
slapd slapd
ns-slapd 389-ds-base
apache2 apache2
nginx nginx
caddy caddy
haproxy haproxy
mod_auth_mellon.so libapache2-mod-auth-mellon /usr/lib/apache2/modules
mod_shib.so libapache2-mod-shib /usr/lib/apache2/modules
xmlsec1 xmlsec1
openssl openssl
rsyslogd rsyslog
lmnsd_gtls.so rsyslog-gnutls /usr/lib/x86_64-linux-gnu/rsyslog
pg_restore postgresql-15 /usr/lib/postgresql/15/bin
xmllint libxml2-utils
python3_saml-1.12.0.egg-info python3-onelogin-saml2 /usr/lib/python3/dist-packages
pysaml2-7.0.1.egg-info python3-pysaml2 /usr/lib/python3/dist-packages
ruby-saml-1.13.0.gemspec ruby-saml /usr/share/rubygems-integration/all/specifications
saml-schema-protocol-2.0.xsd simplesamlphp /usr/share/simplesamlphp/schemas
php php-cli
dom.so php-xml /usr/lib/php/20220829
mbstring.so php-mbstring /usr/lib/php/20220829
pdo_sqlite.so php-sqlite3 /usr/lib/php/20220829
"
# As program, package of npm, and folder.
runtimes="
node node@24.21.0 /opt/reeve-runtimes/node_modules/node/bin
bun.exe bun@1.4.5 /opt/reeve-runtimes/node_modules/bun/bin
"
# Clients and peers of standards that are asked for by name, whatever Node they want. As program, package and folder.
clients="
claude @anthropic-ai/claude-code@2.1.332 /opt/reeve-clients/node_modules/@anthropic-ai/claude-code-linux-x64
codex @openai/codex@0.171.0 /opt/reeve-clients/node_modules/.bin
copilot @github/copilot@1.0.102 /opt/reeve-clients/node_modules/.bin
gemini @google/gemini-cli@0.61.0 /opt/reeve-clients/node_modules/.bin
cerbos-linux-x64 @cerbos/cerbos-linux-x64@0.55.0 /opt/reeve-clients/node_modules/@cerbos/cerbos-linux-x64
"
# Frameworks of agents that ask for a later Node than the workspace is installed with. As file, package and folder.
frameworks="
@openai/agents/package.json @openai/agents@0.20.0 /opt/reeve-frameworks/node_modules
ai/package.json ai@7.0.173 /opt/reeve-frameworks/node_modules
@mastra/core/package.json @mastra/core@1.71.0 /opt/reeve-frameworks/node_modules
"

# Prints the field of each system that is missing: 1 for its name, 2 for its package.
missing() {
  echo "$2" | while read -r name package folder; do
    [ -n "$name" ] || continue
    if [ -n "$folder" ]; then [ -r "$folder/$name" ] && continue; else command -v "$name" > /dev/null && continue; fi
    [ "$1" = 1 ] && printf '%s ' "$name" || printf '%s ' "$package"
  done
}

wanted=$(missing 2 "$systems")
if [ -n "$wanted" ] && [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  quickly="-o Acquire::Retries=0 -o Acquire::http::Timeout=20"
  # shellcheck disable=SC2086
  { apt-get $quickly update && apt-get $quickly install -y --no-install-recommends $wanted; } >&2 || true
fi
wanted=$(missing 2 "$runtimes")
if [ -n "$wanted" ] && [ "$(id -u)" = 0 ] && command -v npm > /dev/null; then
  # shellcheck disable=SC2086
  npm install --prefix /opt/reeve-runtimes --no-save --no-audit --no-fund $wanted >&2 || true
fi
wanted=$(missing 2 "$clients")
if [ -n "$wanted" ] && [ "$(id -u)" = 0 ] && command -v npm > /dev/null; then
  # shellcheck disable=SC2086
  npm install --prefix /opt/reeve-clients --force --ignore-scripts --no-audit --no-fund $wanted >&2 || true
fi
wanted=$(missing 2 "$frameworks")
if [ -n "$wanted" ] && [ "$(id -u)" = 0 ] && command -v npm > /dev/null; then
  # shellcheck disable=SC2086
  npm install --prefix /opt/reeve-frameworks --force --ignore-scripts --no-audit --no-fund $wanted zod@4.6.7 >&2 || true
fi
missing 1 "$systems"
missing 1 "$runtimes"
missing 1 "$clients"
missing 1 "$frameworks"
