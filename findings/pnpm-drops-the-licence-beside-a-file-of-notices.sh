#!/usr/bin/env bash
# pnpm 10.34.9: a file of third-party notices with "license" in its name, anywhere in a package, keeps the LICENSE of the
# workspace out of what is published.
#
# `pnpm pack` and `pnpm publish` put the LICENSE at the root of a workspace into each package that has none of its own.
# Whether it has one is asked of the names of all packed files in all folders, anywhere in the name: a bundle that carries
# `dist/bundled-licenses.txt`, as the MIT licence of bundled code demands, counts as licensed. The package is published
# without its own licence, and without a warning.
# One would expect that only LICENSE at the root of the package counts, as in npm.
# Seen:
#   notices named third-party-notices.txt: LICENSE dist/third-party-notices.txt package.json
#   notices named bundled-licenses.txt:    dist/bundled-licenses.txt package.json
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p tool workspace/packages/code/dist
(cd tool && npm init -y >/dev/null && npm install --silent --no-audit --no-fund pnpm@10.34.9)
cd workspace
echo "The licence of this workspace" >LICENSE
echo '{ "name": "workspace", "private": true }' >package.json
echo 'packages: ["packages/*"]' >pnpm-workspace.yaml
cd packages/code
echo '{ "name": "code", "version": "1.0.0", "files": ["dist"] }' >package.json
packed() {
  rm -f dist/*
  echo "Licences of bundled code" >"dist/$1"
  node "$folder/tool/node_modules/pnpm/bin/pnpm.cjs" pack --pack-destination "$folder/$1" >/dev/null
  tar -tzf "$folder/$1/code-1.0.0.tgz" | sed 's|^package/||' | LC_ALL=C sort | xargs
}
seen="notices named third-party-notices.txt: $(packed third-party-notices.txt)
notices named bundled-licenses.txt:    $(packed bundled-licenses.txt)"
echo "pnpm 10.34.9"
echo "$seen"
[ "$seen" = 'notices named third-party-notices.txt: LICENSE dist/third-party-notices.txt package.json
notices named bundled-licenses.txt:    dist/bundled-licenses.txt package.json' ]
