import { assets } from "#families/estate/index.js";
import { invalidProperty } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { RequestFields, Wanted } from "../fields.js";
import { changeOf } from "./change.js";
import { itemsFor } from "./items.js";
import { requireIdentity, requireTarget } from "./target.js";
import { boundsOf, termsOf } from "./terms.js";

/** What somebody asks for, read and checked. 400 for what does not fit, 409 for what nobody can ask for now. */
export async function draftOf(ctx: ReadContext, assetId: string, fields: Partial<RequestFields>) {
  const asset = await ctx.getOrThrow(assets, assetId);
  const { type = "grant", emergency = false } = fields;
  const change = await changeOf(ctx, asset.id, fields);
  const connectorInstanceId = change?.connectorInstanceId ?? fields.connectorInstanceId;
  if (connectorInstanceId === undefined) throw invalidProperty("/connectorInstanceId", "Name the target.");
  await requireTarget(ctx, asset.id, connectorInstanceId);
  const identity = await requireIdentity(ctx, asset.id, connectorInstanceId, change?.identityId ?? fields.identityId);
  const itemized = await itemsFor(ctx, identity, wantedOf(fields, change?.item));
  const bounds = await boundsOf(ctx, asset, itemized, emergency);
  const changed = { assignmentId: change?.assignmentId ?? null, assignmentHash: change?.assignmentHash ?? null };
  return {
    ...{ connectorInstanceId, emergency, identity, bounds },
    scope: { type, assetId: asset.id, identityId: identity.id, ...changed },
    items: itemized.items,
    terms: termsOf(ctx, fields, itemized, bounds),
    needsReason: emergency || itemized.profiles.some(({ requireReason }) => requireReason),
  };
}

function wantedOf({ items }: Partial<RequestFields>, changed: Wanted | undefined): readonly Wanted[] {
  if (changed) {
    const [one, ...more] = items ?? [changed];
    if (more.length > 0) throw invalidProperty("/items", "One assignment is changed at a time.");
    const wanted = { ...changed, ...(one as Wanted) };
    if (wanted.resourceId !== changed.resourceId)
      throw invalidProperty("/items/0/resourceId", "The assignment is to another resource.");
    return [wanted];
  }
  if (!items) throw invalidProperty("/items", "Say what is asked for.");
  return items;
}
