import { requirePermission } from "../../../../kernel/operation/permission.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import type { AssetFields } from "../fields.js";

export type Party = NonNullable<AssetFields["owner"]>;

/** Those who answer for an asset, and who registered it. */
export interface Answering extends Pick<AssetFields, "owner" | "sponsor"> {
  readonly createdBy: string;
}

/** Whether a party is this person. */
export function isParty(party: Party | null, userId: string): boolean {
  return (party?.type === "user" || party?.type === "external") && party.id === userId;
}

/**
 * 403 unless the caller may name another owner or sponsor. The owner hands an asset over, the sponsor gives the own part
 * away, and who registered an asset names its first ones. Everybody else needs `ai-asset:assign`.
 */
export function requireHandOver(ctx: ReadContext, role: "owner" | "sponsor", before: Answering): void {
  const { userId } = ctx.principal;
  const isFirst = before[role] === null && before.createdBy === userId;
  if (isFirst || isParty(before.owner, userId) || isParty(before[role], userId)) return;
  requirePermission(ctx.env, ctx.principal, "ai-asset:assign");
}
