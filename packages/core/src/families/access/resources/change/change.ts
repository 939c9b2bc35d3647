import type { z } from "zod";
import { type Context, requireReason } from "../../../../kernel/operation/context.js";
import { requireOwners } from "../../../connectors/index.js";
import { type AccessResource, accessResources, type ResourceFields } from "../schema.js";

type Change = Partial<z.output<typeof ResourceFields>>;

/** Stores what people say of a resource. Another mark takes a reason, since it decides what Reeve may write. */
export async function changeResource(
  ctx: Context,
  resource: AccessResource,
  change: Change,
  reason: string | undefined,
): Promise<AccessResource> {
  const { managedMark = resource.managedMark, ownerIds } = change;
  if (managedMark !== resource.managedMark) requireReason(reason);
  await requireOwners(ctx, ownerIds);
  return ctx.update(accessResources, resource, change, { reason });
}
