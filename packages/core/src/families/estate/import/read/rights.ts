import type { Context } from "../../../../kernel/operation/context.js";
import type { Operation } from "../../../../kernel/operation/operation.js";
import { requirePermission } from "../../../../kernel/operation/permission.js";
import { checkCapability } from "../../../../kernel/pipeline/access.js";
import { agentOperations } from "../../agents/operations.js";
import { identityOperations } from "../../identities/operations.js";
import { mcpServerOperations } from "../../mcp-servers/operations.js";
import { modelOperations } from "../../models/operations.js";
import type { RecordKind } from "../../records/declare/kind.js";
import { toolOperations } from "../../tools/operations.js";

/** By type of asset: the operation that creates its typed record. An import needs its permission too. */
const CREATES: Readonly<Record<string, Operation>> = {
  agent: agentOperations.create,
  tool: toolOperations.create,
  identity: identityOperations.create,
  model: modelOperations.create,
  mcp_server: mcpServerOperations.create,
};

/** 403 unless the caller may create records of this kind by their own operation. */
export function requireRecordRight(ctx: Context, { assetType }: RecordKind): void {
  const create = CREATES[assetType];
  if (!create || typeof create.access === "string") throw new Error(`nobody says who may import a "${assetType}"`);
  if (ctx.request.tenant) checkCapability(create, ctx.request.tenant);
  requirePermission(ctx.env, ctx.principal, create.access.permission);
}
