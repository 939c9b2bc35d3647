#!/usr/bin/env bash
# style-mod 4.1.3, which @codemirror/view mounts its styles with: a document gets a <style> element, a shadow root an adopted sheet.
#
# One would expect adopted sheets wherever the browser has them, since the library uses them. It looks for `head` first, which only
# a document has. So an editor on a page whose content security policy has no 'unsafe-inline' loses all its styles without an
# error, and the same editor within a shadow root keeps them. A nonce for EditorView.cspNonce is the documented way out; a page that
# is the same file for everybody has none, and gives the library a root without `head`.
# Seen on Node 20.20 with happy-dom 20.0.10: document 0 adopted, 1 element; shadow root 1 adopted, 0 elements.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund style-mod@4.1.3 happy-dom@20.0.10
cat >run.mjs <<'JS'
import { Window } from "happy-dom";
import { StyleModule } from "style-mod";
const { document } = new Window();
const host = document.createElement("div");
document.body.append(host);
for (const [name, root] of [["document", document], ["shadow root", host.attachShadow({ mode: "open" })]]) {
  StyleModule.mount(root, new StyleModule({ ".editor": { color: "green" } }));
  console.log(`${name}: ${root.adoptedStyleSheets.length} adopted, ${root.querySelectorAll("style").length} elements`);
}
JS
seen=$(node run.mjs)
echo "style-mod 4.1.3"
echo "$seen"
[ "$seen" = "document: 0 adopted, 1 elements
shadow root: 1 adopted, 0 elements" ]
