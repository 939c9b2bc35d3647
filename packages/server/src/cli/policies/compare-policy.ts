import type { Client, ItemOf } from "@reeve/client";
import { type Difference, differencesOf } from "./differences.js";
import type { PolicyInFile } from "./policy-files.js";

export type Policy = ItemOf<"/api/v1/ai-governance/policies">;

/** What a policy says that leaves these out. The status and the name stay as they are then. */
const DEFAULTS = {
  ...{ description: "", severity: "medium", category: "general", gate: false },
  ...{ selector: {}, rules: [], params: {}, paramSchemas: {}, tests: [] },
} as const;

/** The policies of the server by their key. */
export async function policiesByKey(client: Client): Promise<Map<string, Policy>> {
  const policies = new Map<string, Policy>();
  const query = { size: 100 };
  for await (const policy of client.items("/api/v1/ai-governance/policies", { params: { query } }))
    policies.set(policy.key, policy);
  return policies;
}

/** The fields that a file wants. Of one that comes with a pack it wants only those that it names. */
export function wantedOf({ fields }: PolicyInFile, policy: Pick<Policy, "managedBy"> | undefined) {
  if (policy?.managedBy === "builtin") return fields;
  const wanted = { ...DEFAULTS, ...fields };
  return { ...wanted, params: { ...defaultsIn(wanted.paramSchemas), ...wanted.params } };
}

/** The values of parameters that their schemas give. */
function defaultsIn(schemas: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(schemas).map(([name, schema]) => [name, Object(schema).default] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Where a policy of the server differs from its file. */
export function comparePolicy(policy: Partial<Policy>, wanted: Readonly<Record<string, unknown>>): Difference[] {
  return Object.entries(wanted).flatMap(([name, value]) => differencesOf(policy[name as keyof Policy], value, name));
}

/** The policy as it will be once what waits for a second person is confirmed. */
export function withPending(policy: Policy): Partial<Policy> {
  const { pending } = policy;
  return { ...policy, ...pending?.change, ...(pending?.status ? { status: pending.status } : {}) };
}
