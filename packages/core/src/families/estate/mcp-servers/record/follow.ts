import type { Context } from "#kernel/operation/context.js";
import { dropSnapshots } from "../manifest/snapshots.js";
import { dropChecks, scheduleCheck } from "../probe/checks.js";
import { endpointKeyOf } from "../probe/endpoint-key.js";
import type { McpServer } from "../schema.js";
import { dropSecret } from "../server-secrets.js";

/** Deletes what belongs to a deleted server. Schedules a probe of one that is new or registered differently. */
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

/** What decides whether and when a server is probed. */
function planOf(server: McpServer): string {
  const { healthCheck, scanIntervalSec, status, blockedBy } = server;
  return JSON.stringify([endpointKeyOf(server), healthCheck, scanIntervalSec, status === "retired", blockedBy]);
}
