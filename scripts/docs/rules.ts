import { RULE_LANGUAGE, type RuleField } from "@reeve/core/reference";
import { code, codes, markdownPage, type ReferencePage, table } from "./markdown.js";

/** Which expressions read which variables, by the name of the environment. */
const HEADINGS: Readonly<Record<string, string>> = {
  posture: "Posture policies",
  runtime: "Runtime policies",
  compliance: "Applicability of controls",
};

/** The page of what expressions may read and call: by family their variables, then functions and limits. */
export function rulesPage(): ReferencePage {
  const { engine, functions, limits, environments } = RULE_LANGUAGE;
  const bases = Object.entries(environments).filter(([name]) => !name.includes("."));
  return markdownPage("rules.md", "What rules may read", [
    `Rules are written in the Common Expression Language (${code(engine)}). They read the fields below and call the functions ` +
      "below, and nothing else. [How policies work](../guides/policies.md).",
    "## Functions",
    table(["Function", "What it gives"], functions.map(halvesOf)),
    "A rule has no result where a conversion has none. Where the text stands in the rule itself, the rule is refused. " +
      "Entries of a free map (`map`) have the type of their value: 3 is an `int` and 3.5 a `double`, and the two are not " +
      "reckoned with together, so write `double(asset.metadata.x) * 2.0`.",
    "## Limits",
    table(
      ["Limit", "Most"],
      Object.entries(limits).map(([name, most]) => [code(name), String(most)]),
    ),
    ...bases.flatMap(([base, fields]) => [
      `## ${HEADINGS[base] ?? base}`,
      fieldTable(fields),
      ...Object.entries(environments)
        .filter(([name]) => name.startsWith(`${base}.`))
        .flatMap(([name, all]) => typed(name.slice(base.length + 1), all, fields)),
    ]),
  ]);
}

/** The fields that only rules over one type of asset read. */
function typed(type: string, all: readonly RuleField[], base: readonly RuleField[]): string[] {
  const known = new Set(base.map(({ path }) => path));
  const own = all.filter(({ path }) => !known.has(path));
  return own.length === 0 ? [] : [`### Over assets of type ${code(type)} alone`, fieldTable(own)];
}

function fieldTable(fields: readonly RuleField[]): string {
  return table(
    ["Field", "Type", "What it is", "Values", ""],
    fields.map(({ path, type, description, values, optional, volatile }) => [
      code(path),
      code(type),
      description,
      values ? codes(values) : "",
      [optional ? "may be absent" : "", volatile ? "time changes it" : ""].filter(Boolean).join(", "),
    ]),
  );
}

/** A function's signature and its meaning, as in "has(a.b): whether the field is there". */
function halvesOf(text: string): string[] {
  const at = text.indexOf("): ") + 1;
  return [code(text.slice(0, at)), text.slice(at + 2)];
}
