#!/usr/bin/env bash
# @google/gemini-cli 0.61.0: a policy rule with mcpName alone, as its documentation has it, is a fault of the whole file.
#
# The reference of the policy engine, which comes with the package (bundle/docs/reference/policy-engine.md), says: "Specify
# only the mcpName to apply a rule to every tool provided by that server", and gives such rules. The schema of the same
# release demands toolName: the file is left out with a message, and none of its rules is in force. With toolName = "*"
# beside it the same rule is taken.
# Seen on Node 20.20: the first file is complained about, the second is not.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @google/gemini-cli@0.61.0
mkdir -p home/.gemini/policies
echo '{"security":{"auth":{"selectedType":"gemini-api-key"}}}' >home/.gemini/settings.json

# Prints how often rules are complained about when the client starts with this line in its rule.
complaints() {
  printf '[[rule]]\n%smcpName = "files"\ndecision = "deny"\npriority = 500\n' "$1" >home/.gemini/policies/files.toml
  env -i PATH="$PATH" HOME="$folder/home" GEMINI_API_KEY=none GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:9 \
    GEMINI_CLI_TRUST_WORKSPACE=true timeout 15 node node_modules/.bin/gemini -m gemini-2.5-flash -p hello </dev/null 2>&1 |
    grep -c 'Field "rule.0.toolName": Invalid input' || true
}

without=$(complaints "")
with=$(complaints 'toolName = "*"\n')
echo "without toolName: $without complaints; with it: $with"
[ "$without" -gt 0 ] && [ "$with" = 0 ]
