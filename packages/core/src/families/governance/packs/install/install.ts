import type { Context } from "../../../../kernel/operation/context.js";
import { requirePermission } from "../../../../kernel/operation/permission.js";
import { POLICY_DEFAULTS, type PolicyFields } from "../../policies/fields.js";
import { type Policy, policies } from "../../policies/schema.js";
import { judged } from "../../policies/write/body.js";
import type { Pack, PackPolicy } from "./pack.js";

/** How many policies of a pack were created, upgraded and left unchanged. */
export interface Installed {
  readonly created: number;
  readonly upgraded: number;
  readonly unchanged: number;
  /** Keys of the tenant's own policies, which were not changed. */
  readonly taken: string[];
}

/**
 * Installs the policies of a pack within the transaction. New ones are observed. Earlier ones get the rules of this
 * version, and keep the tenant's parameters, severity, gate and status.
 */
export async function installPack(ctx: Context, pack: Pack): Promise<Installed> {
  const told = { created: 0, upgraded: 0, unchanged: 0, taken: [] as string[] };
  const held = await ctx.db.lookupMany(
    policies,
    "key",
    pack.policies.map(({ key }) => ({ key })),
  );
  const byKey = new Map(held.flatMap((row) => (row ? [[row.value.key, row.value] as const] : [])));
  for (const given of pack.policies) {
    const before = byKey.get(given.key);
    if (before && before.managedBy !== "builtin") told.taken.push(given.key);
    else if (!before) {
      await addFromPack(ctx, pack, given);
      told.created += 1;
    } else if (await upgrade(ctx, pack, given, before)) told.upgraded += 1;
    else told.unchanged += 1;
  }
  return told;
}

function fieldsOf({ assetTypes, rules, ...rest }: PackPolicy): PolicyFields & { readonly name: string } {
  return {
    ...POLICY_DEFAULTS,
    ...rest,
    selector: { ...POLICY_DEFAULTS.selector, assetTypes: [...assetTypes] },
    rules: [...rules],
  };
}

async function addFromPack(ctx: Context, pack: Pack, given: PackPolicy): Promise<void> {
  const { id, version, ...marks } = ctx.stamp(policies);
  const { name, ...fields } = fieldsOf(given);
  const policy = {
    id,
    name,
    status: "observe" as const,
    version,
    metadata: {},
    ...marks,
    kind: "posture" as const,
    managedBy: "builtin" as const,
    pack: `${pack.key}/${pack.version}`,
    unmatchedRuns: 0,
    ...fields,
    attributes: {},
  };
  await ctx.insert(policies, { ...policy, revision: 1, ...judged(ctx, policy) });
}

/** Upgrades a policy to this version of its pack. True when anything differed. */
async function upgrade(ctx: Context, pack: Pack, given: PackPolicy, before: Policy): Promise<boolean> {
  const { params, severity: _, gate: __, ...fields } = fieldsOf(given);
  // New parameters get their defaults. Removed parameters are dropped.
  const kept = Object.entries(before.params).filter(([name]) => Object.hasOwn(params, name));
  const wanted = { ...before, ...fields, params: { ...params, ...Object.fromEntries(kept) } };
  const { digest, warnings } = judged(ctx, wanted);
  if (digest !== before.digest && before.status === "active")
    requirePermission(ctx.env, ctx.principal, "ai-policy:activate");
  const revision = digest === before.digest ? before.revision : before.revision + 1;
  const patch = { ...fields, params: wanted.params, digest, warnings, revision, pack: `${pack.key}/${pack.version}` };
  const after = await ctx.update(policies, before, patch);
  return after.version !== before.version;
}
