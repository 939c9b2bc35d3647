import type { Context } from "#kernel/operation/context.js";
import { NONE_INVOLVED, withInvolved } from "#kernel/records/involved.js";
import { POLICY_DEFAULTS, type PolicyFields } from "../../policies/fields.js";
import { askFor, takesTwo } from "../../policies/force/ask.js";
import { type Policy, policies } from "../../policies/schema.js";
import { judged } from "../../policies/write/body.js";
import { revise } from "../../policies/write/revise.js";
import type { Pack, PackPolicy } from "./pack.js";

/** How many policies of a pack were created, upgraded, left unchanged, and wait for a four-eyes approver. */
export interface Installed {
  readonly created: number;
  readonly upgraded: number;
  readonly unchanged: number;
  readonly waiting: number;
  /** Keys of the tenant's own policies, which were not changed. */
  readonly taken: string[];
}

/**
 * Installs the policies of a pack within the transaction. New ones are observed. Earlier ones get the rules of this
 * version, and keep the tenant's parameters, severity, gate and status.
 */
export async function installPack(ctx: Context, pack: Pack): Promise<Installed> {
  const reported = { created: 0, upgraded: 0, unchanged: 0, waiting: 0, taken: [] as string[] };
  const held = await ctx.db.lookupMany(
    policies,
    "key",
    pack.policies.map(({ key }) => ({ key })),
  );
  const byKey = new Map(held.flatMap((row) => (row ? [[row.value.key, row.value] as const] : [])));
  for (const given of pack.policies) {
    const before = byKey.get(given.key);
    if (before && before.managedBy !== "builtin") reported.taken.push(given.key);
    else if (!before) {
      await addFromPack(ctx, pack, given);
      reported.created += 1;
    } else reported[await upgrade(ctx, pack, given, before)] += 1;
  }
  return reported;
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
    pending: null,
    involved: withInvolved(NONE_INVOLVED, [ctx.principal.userId]),
    relatedParty: false,
    attributes: {},
  };
  await ctx.insert(policies, { ...policy, revision: 1, ...(await judged(ctx, policy)) });
}

/**
 * Upgrades a policy to this version of its pack. One in force that holds anything back changes once a four-eyes approver has
 * confirmed it.
 */
async function upgrade(
  ctx: Context,
  pack: Pack,
  given: PackPolicy,
  before: Policy,
): Promise<"upgraded" | "unchanged" | "waiting"> {
  const { params, severity: _, gate: __, ...fields } = fieldsOf(given);
  // New parameters get their defaults. Removed parameters are dropped.
  const kept = Object.entries(before.params).filter(([name]) => Object.hasOwn(params, name));
  const change = {
    ...fields,
    params: { ...params, ...Object.fromEntries(kept) },
    pack: `${pack.key}/${pack.version}`,
  };
  const { saysOther, wanted, patch } = await revise(ctx, before, change);
  if (takesTwo(before, { saysOther, wanted, patch }, undefined)) {
    await askFor(ctx, before, {
      change,
      status: undefined,
      reason: `Version ${pack.version} of the pack ${pack.key}.`,
    });
    return "waiting";
  }
  const after = await ctx.update(policies, before, saysOther ? { ...patch, pending: null } : patch);
  return after.version === before.version ? "unchanged" : "upgraded";
}
