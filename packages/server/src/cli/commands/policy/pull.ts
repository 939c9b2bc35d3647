import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { Failure } from "../../../failure.js";
import type { ExitCode, Invocation } from "../../command.js";
import { type Policy, policiesByKey } from "../../policies/compare-policy.js";
import { type RemoteOptions, withServer } from "../../remote/server.js";

/** The fields of a file, in the order in which people read them. */
const FIELDS = [
  ...["name", "key", "kind", "status", "description", "severity", "category", "gate", "selector"],
  ...["rules", "params", "paramSchemas", "tests"],
] as const;

/** Writes the tenant's own policies into new YAML files. Those of packs stay with their pack. */
export async function pullPolicies(invocation: Invocation, folder: string, options: RemoteOptions): Promise<ExitCode> {
  const stored = await withServer(invocation, options, ({ client }) => policiesByKey(client));
  const own = [...stored.values()].filter(({ managedBy, status }) => managedBy === "tenant" && status !== "archived");
  const files = own.map((policy) => ({ file: join(folder, `${policy.key}.yaml`), text: textOf(policy) }));
  const there = files.filter(({ file }) => existsSync(file)).map(({ file }) => file);
  if (there.length > 0) throw new Failure(`there already: ${there.join(", ")}; nothing was written`);
  mkdirSync(folder, { recursive: true });
  for (const { file, text } of files) writeFileSync(file, text, { flag: "wx" });
  const names = files.map(({ file }) => file);
  invocation.output.lines({ files: names }, names);
  return 0;
}

function textOf(policy: Policy): string {
  const fields = FIELDS.map((name) => [name, saidOf(name, policy[name])] as const);
  return stringify(Object.fromEntries(fields.filter(([, value]) => value !== undefined)));
}

/** Values of parameters and inputs of tests mean something when they are empty too. */
const AS_THEY_ARE: readonly string[] = ["params", "paramSchemas", "tests"];

function saidOf(name: string, value: unknown): unknown {
  if (!AS_THEY_ARE.includes(name)) return withoutEmpty(value);
  return Object.keys(Object(value)).length === 0 ? undefined : value;
}

/** A value without members that are empty, which mean the same when they are left out. */
function withoutEmpty(value: unknown): unknown {
  if (value === null || value === "") return undefined;
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => withoutEmpty(item) ?? item);
  const members = Object.entries(value as object).map(([name, one]) => [name, withoutEmpty(one)] as const);
  const kept = members.filter(([, one]) => one !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
