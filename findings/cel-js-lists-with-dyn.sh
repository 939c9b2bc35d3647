#!/usr/bin/env bash
# @marcbachmann/cel-js 8.0.0: a list or map literal of a typed and a dynamic value is refused, even where dyn() says that it is meant.
#
# One would expect dyn() to allow values of several types, as it does elsewhere: by the specification of CEL, elements of different types make a list of dyn. A rule such as
# x in [1, x], with x of a request whose type is not known, stops being a rule when a literal is added to the list. @bufbuild/cel 0.6.1 evaluates all of them.
# The option homogeneousAggregateLiterals: false makes cel-js do so too, for all literals.
# Seen on Node 20.20: cel-js ends with "List elements must have the same type" and "Map value uses wrong type"; with the option, and in @bufbuild/cel, each has a value.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @marcbachmann/cel-js@8.0.0 @bufbuild/cel@0.6.1
cat >run.mjs <<'JS'
import { celEnv, parse, plan } from "@bufbuild/cel";
import { Environment } from "@marcbachmann/cel-js";

const rules = ["x in [1, x]", "size([1, dyn('a')]) == 2", "{'a': 1, 'b': x}.b == 2"];
const said = (evaluate) => {
  try {
    return String(evaluate());
  } catch (error) {
    return error.message.split(",")[0];
  }
};
const strict = new Environment().registerVariable("x", "dyn");
const loose = new Environment({ homogeneousAggregateLiterals: false }).registerVariable("x", "dyn");
for (const rule of rules) {
  const values = [strict, loose].map((environment) => said(() => environment.evaluate(rule, { x: 2n })));
  const other = said(() => plan(celEnv(), parse(rule))({ x: 2n }));
  console.log(`${rule}: ${values.join(", ")}, ${other}`);
}
JS
seen=$(node run.mjs)
echo "@marcbachmann/cel-js 8.0.0 as it is, with the option, and @bufbuild/cel 0.6.1"
echo "$seen"
[ "$seen" = "x in [1, x]: List elements must have the same type, true, true
size([1, dyn('a')]) == 2: List elements must have the same type, true, true
{'a': 1, 'b': x}.b == 2: Map value uses wrong type, true, true" ]
