import type { z } from "zod";
import { instances, requireOwners } from "#families/connectors/index.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import { type AccessResource, accessResources, type ResourceFields } from "./schema.js";

type Change = Partial<z.output<typeof ResourceFields>>;

/** Stores what people say of a resource. Its owners, or those of its connection while it has none, name others. Another mark takes a reason, since it decides what Reeve may write. */
export async function changeResource(
  ctx: Context,
  resource: AccessResource,
  change: Change,
  reason: string | undefined,
): Promise<AccessResource> {
  const { managedMark = resource.managedMark, ownerIds } = change;
  if (managedMark !== resource.managedMark) requireReason(reason);
  const own = resource.ownerIds;
  const connection = (await ctx.db.get(instances, resource.connectorInstanceId))?.value;
  const holders = own.length > 0 ? own : (connection?.ownerIds ?? []);
  await requireOwners(ctx, ownerIds, { before: own, holders });
  return ctx.update(accessResources, resource, change, { reason });
}
