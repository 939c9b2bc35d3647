#!/usr/bin/env bash
# @marcbachmann/cel-js 8.0.0 and @bufbuild/cel 0.6.1: a day that no month has becomes a day of the next month.
#
# timestamp() takes a text of RFC 3339, which has no 30th of February (its section 5.7 bounds the day by the month). Both
# libraries check the form and leave the rest to Date of JavaScript, which counts on. A rule with a misspelt date raises
# no error, and holds for another day than was written. A 31st of a short month does the same.
# Seen on Node 20.20: timestamp('2024-02-30T00:00:00Z') == timestamp('2024-03-01T00:00:00Z') is true in both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @marcbachmann/cel-js@8.0.0 @bufbuild/cel@0.6.1
cat >run.mjs <<'JS'
import { celEnv, parse, plan } from "@bufbuild/cel";
import { evaluate } from "@marcbachmann/cel-js";
const rules = [
  "timestamp('2024-02-30T00:00:00Z') == timestamp('2024-03-01T00:00:00Z')",
  "timestamp('2023-04-31T00:00:00Z') == timestamp('2023-05-01T00:00:00Z')",
];
for (const rule of rules) console.log(rule, evaluate(rule, {}), plan(celEnv(), parse(rule))({}));
JS
seen=$(node run.mjs)
echo "@marcbachmann/cel-js 8.0.0, @bufbuild/cel 0.6.1"
echo "$seen"
[ "$(grep -c ' true true$' <<<"$seen")" = 2 ]
