import type { McpEndpoint } from "#connectors/index.js";
import { type AccessUse, accessUses, settleUses } from "#families/access-drift/index.js";
import { scheduleNoticed } from "#families/estate/index.js";
import type { Context } from "#kernel/operation/context.js";
import { agentToolTokenStatus } from "../tokens/machine.js";
import { type AgentToolToken, agentToolCalls, agentToolTokens } from "../tokens/schema.js";
import type { Begun } from "./begin-call.js";
import { bytesOf } from "./describe-use.js";
import type { ToolOutcome } from "./schema.js";

/** Answers longer than this are not kept for repetitions, in characters of their JSON. */
const KEPT_CHARACTERS = 262_144;

/** What a call has come to. */
export interface Done {
  readonly outcome: ToolOutcome;
  readonly use: "success" | "error" | "timeout" | "unknown";
  /** Nothing was done, so that the same key may be used again. */
  readonly again: boolean;
  readonly latencyMs: number;
  /** The MCP server that has said that it offers other things now. */
  readonly changed?: McpEndpoint;
}

/** Stores what a call has come to. Returns its token. */
export async function finish(ctx: Context, begun: Begun, done: Done): Promise<AgentToolToken> {
  const bytesOut = done.outcome.result === undefined ? 0 : bytesOf(done.outcome.result);
  await settle(ctx, begun.use.id, done, bytesOut);
  if (done.changed) await scheduleNoticed(ctx, done.changed);
  if (begun.call) await keep(ctx, begun.call.id, done, begun.spec.effect === "read");
  return countBytes(ctx, begun.token.id, bytesOut);
}

async function settle(ctx: Context, useId: string, done: Done, bytesOut: number): Promise<void> {
  const held = (await ctx.db.get(accessUses, useId))?.value;
  // What has taken too long was settled as unknown.
  if (held?.outcome !== "started") return;
  const denyCode = done.outcome.error?.code ?? null;
  const patch: Partial<AccessUse> = { outcome: done.use, latencyMs: done.latencyMs, bytesOut, denyCode };
  await settleUses(ctx, [await ctx.update(accessUses, held, patch, { event: false })]);
}

async function keep(ctx: Context, callId: string, { outcome, again }: Done, reads: boolean): Promise<void> {
  const held = (await ctx.db.get(agentToolCalls, callId))?.value;
  if (held?.state !== "running") return;
  if (again) return ctx.remove(agentToolCalls, held, { event: false });
  const text = keptOf(outcome, reads);
  const answer = text === null ? null : ctx.env.secretBox.seal(text, `answer of ${callId}`);
  await ctx.update(agentToolCalls, held, { state: "done", answer }, { event: false });
}

/** What is kept of an outcome. Of a write that gave too much it is that it worked. A read can be made again. */
function keptOf(outcome: ToolOutcome, reads: boolean): string | null {
  const text = JSON.stringify(outcome);
  if (text.length <= KEPT_CHARACTERS) return text;
  return reads || outcome.status !== "ok" ? null : JSON.stringify({ status: "ok" } satisfies ToolOutcome);
}

async function countBytes(ctx: Context, tokenId: string, bytes: number): Promise<AgentToolToken> {
  const held = await ctx.getOrThrow(agentToolTokens, tokenId);
  const counted = await ctx.update(
    agentToolTokens,
    held,
    { bytesUsed: held.bytesUsed + bytes },
    { event: false, stamp: false },
  );
  const { maxBytes } = counted.constraints;
  if (counted.status !== "active" || maxBytes === null || counted.bytesUsed < maxBytes) return counted;
  const options = { triggeredBy: "system" } as const;
  return ctx.transition(agentToolTokens, agentToolTokenStatus, counted, { event: "exhaust" }, options);
}
