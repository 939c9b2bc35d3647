import { refuseSelfAppointment } from "#families/accountability/index.js";
import { requirePermission } from "#kernel/operation/permission.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { AssetFields } from "../fields.js";

export type Party = NonNullable<AssetFields["owner"]>;

/** Those who answer for an asset, and who registered it. */
export interface Answering extends Pick<AssetFields, "owner" | "sponsor"> {
  /** Id of the asset, or of its record. */
  readonly id: string;
  readonly assetId?: string;
  readonly version: number;
  readonly createdBy: string;
}

/** Whether a party is this person. */
export function isParty(party: Party | null, userId: string): boolean {
  return (party?.type === "user" || party?.type === "external") && party.id === userId;
}

/** Whether a person is the owner or the sponsor. */
export const answersFor = ({ owner, sponsor }: Pick<AssetFields, "owner" | "sponsor">, userId: string): boolean =>
  isParty(owner, userId) || isParty(sponsor, userId);

/**
 * 403 unless the caller may name another owner or sponsor. The owner hands an asset over, the sponsor gives the own part
 * away, and who registered an asset names its first ones. Everybody else needs `ai-asset:assign`, and nobody names
 * themself.
 */
export async function requireHandOver(
  ctx: ReadContext,
  role: "owner" | "sponsor",
  before: Answering,
  party: Party | null,
): Promise<void> {
  const { userId } = ctx.principal;
  if (isParty(before.owner, userId) || (await isFirst(ctx, before, role))) return;
  if (!isParty(before[role], userId)) requirePermission(ctx.env, ctx.principal, "ai-asset:assign");
  if (party?.type === "user" || party?.type === "external") await refuseSelfAppointment(ctx, [party.id], `/${role}/id`);
}

/** The most events of an asset that are looked at for who answered for it before. */
const MOST_EVENTS = 200;

/**
 * Whether the caller registered an asset that has no owner, and has never had anybody in this role since. The trail
 * tells, because an asset that was handed over and given up is no more of who registered it. Where it does not tell, the
 * asset is not.
 */
export async function isFirst(ctx: ReadContext, before: Answering, role: "owner" | "sponsor" = "owner") {
  const { owner, createdBy, version, id, assetId = id } = before;
  if (owner !== null || before[role] !== null || createdBy !== ctx.principal.userId) return false;
  if (version === 1) return true;
  const { events, next } = await ctx.db.events({ stream: assetId, size: MOST_EVENTS });
  if (next !== undefined || !events.at(-1)?.attributes.includes(CREATED)) return false;
  return events.every(({ data }) => {
    const { changes = [] } =
      data === null ? { changes: UNREPORTED } : (JSON.parse(data) as { changes?: typeof UNREPORTED });
    return !changes.some(({ field, from }) => field === role && from !== null);
  });
}

const CREATED = '"type":"reeve.asset.created.v1"';

/** What an event whose data was erased may have told. */
const UNREPORTED: readonly { readonly field: string; readonly from?: unknown }[] = [
  { field: "owner" },
  { field: "sponsor" },
];
