import type { Context } from "../../../../kernel/operation/context.js";
import { dropSnapshots } from "../manifest/snapshots.js";
import { dropChecks, scheduleCheck } from "../probe/checks.js";
import { endpointKeyOf } from "../probe/endpoint-key.js";
import type { McpServer } from "../schema.js";
import { dropSecret } from "../secrets/secrets.js";

/** What belongs to a server goes with it, and one that is new or registered otherwise is probed soon. */
export async function followServer(
  ctx: Context,
  before: McpServer | undefined,
  after: McpServer | undefined,
): Promise<void> {
  await dropSecret(ctx, before, after);
  if (after && (!before || planOf(before) !== planOf(after))) await scheduleCheck(ctx, after);
  if (!before || after) return;
  await dropSnapshots(ctx, before.id);
  await dropChecks(ctx, before.id);
}

/** What says when and whether a server is probed. */
function planOf(server: McpServer): string {
  const { healthCheck, scanIntervalSec, status, blockedBy } = server;
  return JSON.stringify([endpointKeyOf(server), healthCheck, scanIntervalSec, status === "retired", blockedBy]);
}
