import { checkCapability, requirePermission } from "../../../kernel/access.js";
import type { Context } from "../../../kernel/context.js";
import type { Operation } from "../../../kernel/operation.js";
import { identityOperations } from "../identities/operations.js";
import type { RecordKind } from "../records/kind.js";

/** By type of asset: the operation that makes its typed record, whose right an import of such a record needs too. */
const CREATES: Readonly<Record<string, Operation>> = {
  identity: identityOperations.create,
};

/** 403 unless the caller may make or change records of this kind by their own operation. */
export function requireRecordRight(ctx: Context, { assetType }: RecordKind): void {
  const create = CREATES[assetType];
  if (!create || typeof create.access === "string") throw new Error(`nothing says who may import a record of "${assetType}"`);
  if (ctx.request.tenant) checkCapability(create, ctx.request.tenant);
  requirePermission(ctx.env, ctx.principal, create.access.permission);
}
