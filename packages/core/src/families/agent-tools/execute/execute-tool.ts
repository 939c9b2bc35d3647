import { ConnectorError, type GrantSpec, type Principal, type ToolResult } from "#connectors/index.js";
import { connectorCalls } from "#families/connectors/index.js";
import { enterTenant } from "#families/platform/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { cutText } from "#kernel/records/cut-text.js";
import { keyOf } from "../tokens/issue/issue.js";
import { isToken } from "../tokens/rules.js";
import { type AgentToolToken, agentToolKeys } from "../tokens/schema.js";
import { begin, UNKNOWN } from "./begin-call.js";
import { bytesOf } from "./describe-use.js";
import { type Done, finish } from "./finish-call.js";
import type { ToolAnswer, ToolOutcome, ToolRequest } from "./schema.js";

/** Results larger than this are not handed on, in bytes. */
const RESULT_BYTES = 1_048_576;

/**
 * The tenant of a token, and its id, as far as its form, its tenant and the host of the request admit it. 401 for every
 * token that is good for nothing, whatever the reason.
 */
export async function tenantBehind(ctx: OutsideContext, token: string) {
  const key = isToken(token) ? keyOf(ctx.env, token) : undefined;
  const row = key && (await ctx.env.store.platform.get(agentToolKeys, key));
  if (!row) throw new ReeveError("invalid_token");
  return { inside: await enterTenant(ctx, row.tenantId, "access_governance"), tokenId: row.value.tokenId };
}

/** Runs a tool for whoever holds a token. */
export async function executeTool(ctx: OutsideContext, request: ToolRequest): Promise<ToolAnswer> {
  const { inside, tokenId } = await tenantBehind(ctx, request.token);
  const verdict = await inside.write((inner) => begin(inner, tokenId, request));
  if (verdict.kind === "refused") throw verdict.error;
  if (verdict.kind === "replay") return answerOf(verdict.outcome, verdict.useId, verdict.token, true);
  const { use, call, spec, grants } = verdict;
  const done = await callTool(inside, {
    ...{ connectorInstanceId: use.connectorInstanceId, useId: use.id, idempotencyKey: call?.id ?? use.id, grants },
    ...{ tool: request.tool, args: request.arguments ?? {}, dryRun: request.dryRun ?? false },
    reads: spec.effect === "read",
  });
  const token = await inside.write((inner) => finish(inner, verdict, done));
  return answerOf(done.outcome, use.id, token, false);
}

function answerOf(outcome: ToolOutcome, usageId: string, token: AgentToolToken, replayed: boolean): ToolAnswer {
  const { maxCalls } = token.constraints;
  const remainingCalls = maxCalls === null ? null : Math.max(0, maxCalls - token.callsUsed);
  return { ...outcome, usageId, remainingCalls, replayed, contentTrust: "untrusted" };
}

/** What a connector is asked to run. */
export interface Asked {
  readonly connectorInstanceId: string;
  readonly useId: string;
  readonly idempotencyKey: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly grants: readonly GrantSpec[];
  readonly dryRun: boolean;
  /** Whether the tool only reads. */
  readonly reads: boolean;
}

/** Asks the target, with no transaction open. Never rejects for the target. */
export async function callTool(ctx: ReadContext, asked: Asked): Promise<Done> {
  const { connectorInstanceId: instanceId, useId, idempotencyKey, tool, args, grants, dryRun, reads } = asked;
  const began = ctx.env.clock.now();
  const facts = { correlationId: useId, idempotencyKey, capability: "tools" } as const;
  const principal = grants[0]?.principal as Principal;
  const latency = () => ({ latencyMs: Math.max(0, ctx.env.clock.now() - began) });
  try {
    const result = await ctx.env
      .use(connectorCalls)
      .call(
        { ...facts, tenantId: ctx.principal.tenantId, instanceId },
        async (on, to) => (await on.executeTool?.(to, { tool, args, principal, grants, dryRun })) as ToolResult,
      );
    const heard = result.changed ? { changed: result.changed } : {};
    return { ...resultOf(result, reads), ...heard, ...latency() };
  } catch (error) {
    return { ...failureOf(error, reads), ...latency() };
  }
}

const failed = (code: string, message: string): ToolOutcome => ({ status: "error", error: { code, message } });

function resultOf(result: ToolResult, reads: boolean): Omit<Done, "latencyMs"> {
  if (!result.ok)
    return {
      outcome: failed(cutText(result.code, 100), cutText(result.message, 2_000)),
      use: "error",
      // A right that is missing now may be given before it is asked again.
      again: result.code === "permission",
    };
  const isTooLarge = bytesOf(result.output) > RESULT_BYTES;
  if (isTooLarge && reads)
    return {
      outcome: failed("result_too_large", "The result is too large. Ask for less."),
      use: "error",
      again: false,
    };
  return {
    outcome: { status: "ok", result: isTooLarge ? null : (result.output ?? null) },
    use: "success",
    again: false,
  };
}

/** Failures for which nothing has been sent, or nothing was done. */
const UNDONE: ReadonlySet<string> = new Set([
  "auth",
  "config",
  "permission",
  "rate_limited",
  "transient",
  "unsupported",
]);

function failureOf(error: unknown, reads: boolean): Omit<Done, "latencyMs"> {
  if (!ConnectorError.is(error))
    return reads
      ? { outcome: failed("transient", "The tool could not be run."), use: "error", again: true }
      : { outcome: UNKNOWN, use: "unknown", again: false };
  const { errorClass, code, message } = error;
  const use = code === "timeout" ? "timeout" : errorClass === "outcome_unknown" ? "unknown" : "error";
  if (errorClass === "outcome_unknown" && !reads) return { outcome: UNKNOWN, use, again: false };
  const reported = errorClass === "outcome_unknown" ? "transient" : errorClass;
  return { outcome: failed(reported, message), use, again: reads || UNDONE.has(errorClass) };
}
