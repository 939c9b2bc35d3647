#!/usr/bin/env bash
# @marcbachmann/cel-js 8.0.0: lowerAscii() and upperAscii() change letters outside A to Z, and may change the length.
#
# The strings extension of CEL says that both change ASCII letters only, and leave the rest as it is (cel-spec,
# ext/strings). The library gives what toLowerCase() and toUpperCase() of JavaScript give. A rule that compares names
# after lowerAscii() therefore takes two names for one that another implementation of CEL keeps apart.
# Seen on Node 20.20:
#   'ÄB'.lowerAscii()      => "äb"        (the language: "Äb")
#   'straße'.upperAscii()  => "STRASSE"   (the language: "STRAßE")
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @marcbachmann/cel-js@8.0.0
cat >run.mjs <<'JS'
import { evaluate } from "@marcbachmann/cel-js";
for (const rule of ["'ÄB'.lowerAscii()", "'straße'.upperAscii()"]) console.log(rule, "=>", JSON.stringify(evaluate(rule, {})));
JS
seen=$(node run.mjs)
echo "@marcbachmann/cel-js 8.0.0"
echo "$seen"
[ "$seen" = "'ÄB'.lowerAscii() => \"äb\"
'straße'.upperAscii() => \"STRASSE\"" ]
