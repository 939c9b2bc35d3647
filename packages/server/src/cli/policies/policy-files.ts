import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { Failure } from "../../failure.js";

/** A policy as a file says it. */
export interface PolicyInFile {
  readonly file: string;
  readonly key: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const ENDINGS = /[.](json|ya?ml)$/i;

/** The policies of files and folders, each of which has a key of its own. Throws a `Failure` for what is none. */
export function policiesIn(paths: readonly string[]): PolicyInFile[] {
  const files = paths.flatMap((path) => filesAt(path, true));
  if (files.length === 0) throw new Failure(`there is no JSON or YAML file in ${paths.join(", ")}`);
  const policies = files.flatMap(policiesOf);
  const seen = new Map<string, string>();
  for (const { key, file } of policies) {
    const other = seen.get(key);
    if (other !== undefined) throw new Failure(`the policy "${key}" is in ${other} and in ${file}`);
    seen.set(key, file);
  }
  return policies;
}

/** A file that is named is taken whatever it is called; within folders only JSON and YAML. */
function filesAt(path: string, isNamed: boolean): string[] {
  const kind = statSync(path, { throwIfNoEntry: false });
  if (!kind) throw new Failure(`there is no file ${path}`);
  if (!kind.isDirectory()) return isNamed || ENDINGS.test(path) ? [path] : [];
  const names = readdirSync(path).filter((name) => !name.startsWith("."));
  return names.sort().flatMap((name) => filesAt(join(path, name), false));
}

/** JSON is YAML, so one parser reads both and names the line of a fault. */
function policiesOf(file: string): PolicyInFile[] {
  const documents = parseAllDocuments(readFileSync(file, "utf8"), { uniqueKeys: true });
  const values = [...documents].flatMap((document) => {
    const [fault] = document.errors;
    if (fault) throw new Failure(`${file}: ${fault.message.split("\n")[0]}`);
    const value: unknown = document.toJS();
    return Array.isArray(value) ? value : [value];
  });
  return values.filter((value) => value !== null && value !== undefined).map((value) => policyOf(file, value));
}

function policyOf(file: string, value: unknown): PolicyInFile {
  const { key } = Object(value) as { key?: unknown };
  if (typeof value !== "object" || Array.isArray(value)) throw new Failure(`${file}: a policy is an object`);
  if (typeof key !== "string" || key === "")
    throw new Failure(`${file}: a policy needs a \`key\`, by which it is known`);
  const { rules, ...fields } = value as Record<string, unknown>;
  const written = Array.isArray(rules) ? rules.map(trimmed) : rules;
  return { file, key, fields: { ...trimmed(fields), ...(rules === undefined ? {} : { rules: written }) } };
}

/** Without the line end that blocks of YAML leave after a text. */
function trimmed(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(Object(value)).map(([name, one]) => [name, typeof one === "string" ? one.trim() : one]),
  );
}
