#!/usr/bin/env bash
# @bufbuild/cel 0.6.1: int() and double() of a text that is no number give a number.
#
# One would expect an error, which stops a rule where a value is missing. The library hands the text to BigInt() and Number() of JavaScript, for which an empty text is 0, blanks do not count
# and 0x10 is sixteen. A rule such as double(labels.budget) < 5.0 is true where the label is empty.
# @marcbachmann/cel-js 8.0.0 refuses int(' 1') and int('0x10'), so a rule means one thing in one and another in the other.
# Seen on Node 20.20: int('') 0, double('') 0, int(' 1') 1, double('0x10') 16.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @bufbuild/cel@0.6.1
cat >run.mjs <<'JS'
import { celEnv, parse, plan } from "@bufbuild/cel";
for (const rule of ["int('')", "double('')", "int(' 1')", "double('0x10')"])
  console.log(rule, String(plan(celEnv(), parse(rule))({})));
JS
seen=$(node run.mjs)
echo "@bufbuild/cel 0.6.1"
echo "$seen"
[ "$seen" = "int('') 0
double('') 0
int(' 1') 1
double('0x10') 16" ]
