import { accessIdentities } from "#families/access/index.js";
import { accessAssignments } from "#families/access-grants/index.js";
import { instances } from "#families/connectors/index.js";
import { assets, effectiveOfAll, halts } from "#families/estate/index.js";
import { isLive, sessions } from "#families/sessions/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { systemPrincipal } from "#kernel/config/principal.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import { forEachDue } from "#kernel/operation/due-records.js";
import { everyPage } from "#kernel/operation/every-page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs } from "#ports/durations.js";
import type { Where } from "#store/find-query.js";
import { agentToolTokenStatus } from "./machine.js";
import { MOST_TOKENS } from "./rules.js";
import { type AgentToolToken, agentToolKeys, agentToolTokens } from "./schema.js";

const BATCH = 200;

/** Ends a token for good, because of what it rests on, and names the finding that is behind it. */
export function endToken(
  ctx: Context,
  token: AgentToolToken,
  reason: string,
  findingId: string | null = null,
): Promise<AgentToolToken> {
  const system = ctx.as(systemPrincipal(ctx.principal.tenantId));
  const patch = { endedAt: ctx.now, endReason: reason, findingId };
  const options = { triggeredBy: "system", reason, patch } as const;
  return system.transition(agentToolTokens, agentToolTokenStatus, token, { event: "revoke" }, options);
}

const HALT = /\bhalt:[a-z_]+:([A-Za-z0-9_]+)/;

/** The finding that a halt among some reasons was started for; `null` when there is none. */
export async function findingBehind(ctx: ReadContext, reasons: readonly string[]): Promise<string | null> {
  const haltId = reasons.map((reason) => HALT.exec(reason)?.[1]).find((id) => id !== undefined);
  return haltId === undefined ? null : ((await ctx.db.get(halts, haltId))?.value.findingId ?? null);
}

/** Ends the live tokens of a filter. */
async function endAll(ctx: Context, where: Where, reason: string, isMeant = (_token: AgentToolToken) => true) {
  const order = "liveFor" in where ? ({ order: { by: "expiresAt" } } as const) : {};
  for await (const rows of everyPage(ctx.db, agentToolTokens, { where, ...order }))
    for (const { value } of rows) if (isMeant(value)) await endToken(ctx, value, reason);
}

/** Tokens end when access that they rest on is not active any more. */
export const endWithAssignment = defineFollower(accessAssignments, async (ctx, { before, after }) => {
  if (before?.status !== "active" || !after || after.status === "active") return;
  await endAll(ctx, { liveFor: after.assetId }, `The access is ${after.status}.`, ({ assignmentIds }) =>
    assignmentIds.includes(after.id),
  );
});

/** Governance states in which an asset must not be used. */
const DENIED: ReadonlySet<string> = new Set(["suspended", "rejected"]);

/** Tokens end when their asset is suspended or retired. */
export const endTokensWithAsset = defineFollower(assets, async (ctx, { before, after }) => {
  if (!before) return;
  const isOver = !after || (after.status === "retired" && before.status !== "retired");
  const isStopped = after && after.governanceState !== before.governanceState && DENIED.has(after.governanceState);
  if (!isOver && !isStopped) return;
  await endAll(ctx, { liveFor: before.id }, "The asset may not be used.");
});

/** Tokens end with their session. */
export const endTokensWithSession = defineFollower(sessions, async (ctx, { before, after }) => {
  if (!before || (after && (isLive(after) || !isLive(before)))) return;
  await endAll(ctx, { liveWithin: before.id }, "The session is over.");
});

/** Tokens end when their connection is taken out of use. */
export const endTokensWithInstance = defineFollower(instances, async (ctx, { before, after }) => {
  if (before?.status !== "active" || after?.status === "active") return;
  await endAll(ctx, { liveOf: before.id }, "The connection is not in use.");
});

/** Tokens end when the asset does not act as this identity any more. */
export const endTokensWithIdentity = defineFollower(accessIdentities, async (ctx, { before, after }) => {
  if (!before || after) return;
  const { assetId, connectorInstanceId } = before;
  await endAll(
    ctx,
    { liveFor: assetId },
    "The asset acts as this identity no more.",
    (token) => token.connectorInstanceId === connectorInstanceId,
  );
});

/** Ends tokens of assets that a switch, a halt or something that they depend on has stopped. Returns how many. */
export async function endStopped(env: Environment, tenantId: string): Promise<number> {
  const ctx = systemContext(env, tenantId, "tokens");
  const order = { by: "endsAt", direction: "asc" } as const;
  let ended = 0;
  for await (const rows of everyPage(ctx.db, agentToolTokens, { order, range: { from: ctx.now }, size: BATCH })) {
    if (rows.length === 0) return ended;
    const ids = [...new Set(rows.map(({ value }) => value.assetId))];
    const found = (await ctx.db.getMany(assets, ids)).map((row) => ctx.derived(assets, row));
    const decisions = await effectiveOfAll(ctx, found);
    const denied = rows.filter(({ value }) => (decisions.get(value.assetId)?.decision ?? "deny") === "deny");
    if (denied.length > 0)
      await ctx.write(async (inner) => {
        for (const { id } of denied) {
          const row = await inner.db.get(agentToolTokens, id);
          if (row?.value.status !== "active") continue;
          const { reasons = [] } = decisions.get(row.value.assetId) ?? {};
          await endToken(inner, row.value, "The asset may not be used.", await findingBehind(inner, reasons));
        }
      });
    ended += denied.length;
  }
  return ended;
}

/** Deletes hashes of tokens that are over. */
export function dropKeys(env: Environment, tenantId: string, now: string): Promise<number> {
  const before = timestamp(Date.parse(now) - daysMs(1));
  return forEachDue(env, agentToolKeys, { by: "expiresAt", before }, tenantId, (ctx, key) =>
    ctx.remove(agentToolKeys, key, { event: false }),
  );
}

/** How many tokens of an asset are live. It counts no further than it matters. */
export async function liveTokens(ctx: ReadContext, assetId: string): Promise<number> {
  const order = { by: "expiresAt", direction: "desc" } as const;
  const { rows } = await ctx.db.find(agentToolTokens, { where: { liveFor: assetId }, order, size: MOST_TOKENS });
  return rows.filter(({ value }) => value.expiresAt > ctx.now).length;
}
