import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { RELATION_TYPES } from "../asset-terms.js";
import { containedBy } from "../containment/edges.js";
import type { Link } from "./link.js";

const AssetLink = z.object({
  id: z.string(),
  version: z.literal(1),
  createdAt: Time,
  /** Id of the asset or record that declares it. */
  declaredBy: z.string(),
  type: z.enum(RELATION_TYPES),
  sourceId: z.string(),
  targetId: z.string(),
});
export type AssetLink = z.output<typeof AssetLink>;

/** Relations that assets and their records declare, indexed by both ends. */
export const assetLinks = defineCollection<AssetLink>({
  name: "asset_links",
  prefix: "lnk",
  schema: AssetLink,
  fields: {
    declaredBy: { type: "text" },
    sourceId: { type: "text" },
    targetId: { type: "text" },
    type: { type: "text" },
    /** Both ends of `runs_as` relations only, so that an agent with many relations is found fast. */
    runnerId: { type: "text", of: ({ type, sourceId }) => (type === "runs_as" ? sourceId : null) },
    runsAsId: { type: "text", of: ({ type, targetId }) => (type === "runs_as" ? targetId : null) },
    containedId: { type: "text", of: containedBy },
  },
  indexes: [
    { where: ["declaredBy"] },
    { where: ["sourceId"] },
    { where: ["targetId"] },
    { where: ["runnerId"] },
    { where: ["runsAsId"] },
    { where: ["containedId"] },
  ],
  filters: {
    type: { values: RELATION_TYPES },
    declaredBy: { description: "Id of the asset or record that says so." },
    sourceId: {},
    targetId: {},
  },
  secrets: [],
});

/** The most relations that the event of a retirement lists. */
const REPORTED = 100;

/** The newest relations to an asset, and whether the list is complete. */
export async function incomingLinks(
  ctx: ReadContext,
  targetId: string,
): Promise<{ readonly incoming: readonly Omit<Link, "targetId">[]; readonly complete: boolean }> {
  const { rows, next } = await ctx.db.find(assetLinks, { where: { targetId }, size: REPORTED });
  const incoming = rows.map(({ value: { type, sourceId } }) => ({ type, sourceId }));
  return { incoming, complete: next === undefined };
}

const keyOf = ({ type, sourceId, targetId }: Link): string => `${type} ${sourceId} ${targetId}`;

/** Updates the relation index to what an asset or record declares, within the transaction. */
export async function alignLinks(
  ctx: Context,
  declaredBy: string,
  before: readonly Link[],
  after: readonly Link[],
): Promise<void> {
  const [old, wanted] = [new Set(before.map(keyOf)), new Map(after.map((link) => [keyOf(link), link]))];
  if ([...old].some((key) => !wanted.has(key))) {
    const { rows } = await ctx.db.find(assetLinks, { where: { declaredBy }, size: 1_000 });
    for (const { value } of rows) if (!wanted.has(keyOf(value))) await ctx.remove(assetLinks, value);
  }
  const added = [...wanted].filter(([key]) => !old.has(key)).map(([, link]) => link);
  await ctx.insertMany(
    assetLinks,
    added.map(({ type, sourceId, targetId }) => ({ declaredBy, type, sourceId, targetId })),
  );
}
