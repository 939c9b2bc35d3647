import { accessAssignments, assignmentView } from "#families/access-grants/index.js";
import { assets } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { profilesOf } from "../conflicts/holdings.js";
import type { AccessRequest } from "../schema.js";
import { requestView, ShownRequest } from "./view.js";

/** The most access of the asset, and the most similar assets, that are looked at. */
const EXISTING = 50;
const SIMILAR = 50;
const OF_EACH = 20;
const SHOWN = 20;

const Existing = z.object({
  assignmentId: z.string().meta({ description: "Id of the access assignment." }),
  name: z.string().meta({ description: "The access in words." }),
  connectorInstanceId: z.string().meta({ description: "Id of the connection to the target." }),
  privilegeLevel: z.int().meta({ description: "As its profile has it." }),
  expiresAt: Time.nullable().meta({ description: "When it ends." }),
  effective: z.boolean().meta({ description: "Whether it is in force now." }),
});

const Similar = z.object({
  assets: z.int().min(0).meta({ description: "How many similar assets were looked at: of the same type." }),
  access: z
    .array(
      z.object({
        accessProfileId: z.string().meta({ description: "The kind of access." }),
        name: z.string().meta({ description: "The name of the record." }),
        assets: z.int().meta({ description: "How many of them have it." }),
        requested: z.boolean().meta({ description: "Whether it is asked for." }),
      }),
    )
    .meta({ description: "What they have, most common first." }),
});

/** A request with what its asset has already, and what similar assets have. */
export const DetailedRequest = ShownRequest.extend({
  existingAccess: z.array(Existing).meta({ description: "What the asset has already; the newest 50." }),
  similarAssets: Similar.meta({ description: "What similar assets have." }),
}).meta({ id: "DetailedAccessRequest" });
type DetailedRequest = z.output<typeof DetailedRequest>;

/** All that somebody who decides about a request wants to see. */
export async function detailOf(ctx: ReadContext, request: AccessRequest): Promise<DetailedRequest> {
  const [shown, existingAccess, similarAssets] = await Promise.all([
    requestView(ctx)(request),
    existing(ctx, request),
    similar(ctx, request),
  ]);
  return { ...shown, existingAccess, similarAssets };
}

async function existing(ctx: ReadContext, { assetId }: AccessRequest): Promise<z.output<typeof Existing>[]> {
  const { rows } = await ctx.db.find(accessAssignments, { where: { liveFor: assetId }, size: EXISTING });
  const view = assignmentView(ctx);
  const all = await Promise.all(rows.map((row) => view(ctx.derived(accessAssignments, row))));
  return all.map(({ id, name, connectorInstanceId, privilegeLevel, expiresAt, effective }) => ({
    ...{ assignmentId: id, name, connectorInstanceId, privilegeLevel, expiresAt, effective },
  }));
}

async function similar(ctx: ReadContext, { assetId, items }: AccessRequest): Promise<z.output<typeof Similar>> {
  const asset = (await ctx.db.get(assets, assetId))?.value;
  if (!asset) return { assets: 0, access: [] };
  const { rows } = await ctx.db.find(assets, { where: { assetType: asset.assetType }, size: SIMILAR });
  const ids = rows.map(({ id }) => id).filter((id) => id !== assetId);
  if (ids.length === 0) return { assets: 0, access: [] };
  const found = await ctx.db.findTopPerKey(accessAssignments, { field: "liveFor", values: ids, size: OF_EACH });
  const counts = new Map<string, number>();
  for (const live of found.values())
    for (const id of new Set(live.map(({ value }) => value.accessProfileId))) counts.set(id, (counts.get(id) ?? 0) + 1);
  const requested = new Set(items.map(({ accessProfileId }) => accessProfileId));
  const profiles = await profilesOf(ctx, [...counts.keys()]);
  const access = [...counts]
    .map(([accessProfileId, count]) => ({
      ...{ accessProfileId, name: profiles.get(accessProfileId)?.name ?? accessProfileId, assets: count },
      requested: requested.has(accessProfileId),
    }))
    .sort((one, other) => other.assets - one.assets || (one.name < other.name ? -1 : 1));
  return { assets: ids.length, access: access.slice(0, SHOWN) };
}
