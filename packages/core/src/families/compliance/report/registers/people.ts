import type { FlaggedDecision } from "#families/accountability/index.js";
import { assets, type Halt } from "#families/estate/index.js";
import type { Exemption } from "#families/governance/index.js";
import { users } from "#families/identity/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import type { ComplianceRecord } from "../../records/schema.js";

interface Named {
  readonly assessments: readonly ComplianceRecord[];
  readonly exemptions: readonly Exemption[];
  readonly policies: readonly { readonly updatedBy: string }[];
  readonly flagged: readonly FlaggedDecision[];
  readonly halts: readonly Halt[];
}

/** The names of everybody whom the registers name by id, in the order of the ids. */
export async function namesOf(
  ctx: ReadContext,
  { assessments, exemptions, policies, flagged, halts }: Named,
): Promise<Record<string, string>> {
  const ids = new Set<string | null>([
    ctx.principal.userId,
    ...assessments.flatMap(({ attestation, requestedBy, evidence, updatedBy }) => [
      ...[attestation?.by ?? null, requestedBy, updatedBy],
      ...evidence.map(({ by }) => by),
    ]),
    ...exemptions.flatMap(({ requestedBy, approvedBy, revokedBy }) => [requestedBy, approvedBy, revokedBy]),
    ...policies.map(({ updatedBy }) => updatedBy),
    ...flagged.flatMap(({ decidedBy, settledBy }) => [decidedBy, settledBy]),
    ...halts.flatMap(({ createdBy, liftRequest, liftedBy }) => [createdBy, liftRequest?.by ?? null, liftedBy]),
  ]);
  const asked = [...ids].filter((id): id is string => id !== null && isIdOf(users, id)).sort();
  const found = await inChunks(asked, (some) => ctx.db.getMany(users, some));
  return Object.fromEntries(
    found
      .map(({ value: { id, name, username } }) => [id, name === username ? name : `${name} (${username})`] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** The names of assets by id, in the order of the ids. Deleted ones have none. */
export async function assetNames(ctx: ReadContext, ids: readonly (string | null)[]): Promise<Record<string, string>> {
  const asked = [...new Set(ids)].filter((id): id is string => id !== null && isIdOf(assets, id)).sort();
  const found = await inChunks(asked, (some) => ctx.db.getMany(assets, some));
  return Object.fromEntries(found.map(({ value: { id, name } }) => [id, name]));
}
