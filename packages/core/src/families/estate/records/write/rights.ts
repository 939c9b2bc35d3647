import type { Context } from "#kernel/operation/context.js";
import { requirePermission } from "#kernel/operation/permission.js";
import { requireCapability } from "#kernel/pipeline/access.js";
import { kindOf } from "../declare/kinds.js";

/** 403 unless the caller may write or delete the typed records of this type of asset by their own operations. */
export function requireRecordRight(ctx: Context, assetType: string, verb: "write" | "delete"): void {
  const kind = kindOf(ctx.env, assetType);
  if (!kind) return;
  if (ctx.request.tenant) requireCapability(ctx.request.tenant, kind.capability);
  requirePermission(ctx.env, ctx.principal, `${kind.permission}:${verb}`);
}
