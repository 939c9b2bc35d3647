import type { GrantSpec, ToolSpec } from "#connectors/index.js";
import { type AccessUse, LOST_AFTER, recordUses } from "#families/access-drift/index.js";
import { engagedSwitchesOf } from "#families/estate/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { subjectOf } from "#kernel/events/record-events.js";
import { ReeveError } from "#kernel/http/errors.js";
import { networkOf } from "#kernel/http/network.js";
import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs, minutesMs } from "#ports/durations.js";
import { sha256 } from "#store/chain.js";
import { observeHoneytoken } from "../honeytokens/observe-use.js";
import { endToken, findingBehind } from "../tokens/end-token.js";
import { mayStillIssue } from "../tokens/issue/may-issue.js";
import { judge, type Refusal } from "../tokens/judge-token.js";
import { agentToolTokenStatus } from "../tokens/machine.js";
import { CALLS_A_MINUTE, EXECUTE } from "../tokens/rules.js";
import { type AgentToolCall, type AgentToolToken, agentToolCalls, agentToolTokens } from "../tokens/schema.js";
import { argsHashOf, bytesOf, useOf } from "./describe-use.js";
import type { ToolOutcome, ToolRequest } from "./schema.js";

/** How long answers are kept for repetitions. */
const KEPT = daysMs(1);

/** A call that has begun: what is told to the connector, and where its outcome goes. */
export interface Begun {
  readonly kind: "begun";
  readonly token: AgentToolToken;
  readonly use: AccessUse;
  readonly call: AgentToolCall | undefined;
  readonly spec: ToolSpec;
  readonly grants: readonly GrantSpec[];
}

/** What comes of a request before the target is asked. A refusal is stored, and so it is no throw. */
export type Verdict =
  | Begun
  | { readonly kind: "replay"; readonly outcome: ToolOutcome; readonly useId: string; readonly token: AgentToolToken }
  | { readonly kind: "refused"; readonly error: ReeveError };

const refuse = (error: ReeveError) => ({ kind: "refused", error }) as const;
const unauthorised = () => refuse(new ReeveError("invalid_token"));

/** A token that is good for something at this moment. */
export type OpenToken = AgentToolToken & { readonly connectorInstanceId: string };

/** Opens a token for one request, which is counted whatever comes of it. */
export async function openToken(
  ctx: Context,
  tokenId: string,
): Promise<OpenToken | Extract<Verdict, { kind: "refused" }>> {
  const row = await ctx.db.get(agentToolTokens, tokenId);
  const token = row && (await ctx.current(agentToolTokens, row));
  if (token?.status !== "active" || token.expiresAt <= ctx.now) return unauthorised();
  if (token.honeytoken) return reportHoneytoken(ctx, token);
  if (!(await mayStillIssue(ctx, token))) return unauthorised();
  const { connectorInstanceId } = token;
  if (connectorInstanceId === null) return unauthorised();
  if ((await engagedSwitchesOf(ctx)).has(EXECUTE))
    return refuse(new ReeveError("kill_switch_active", `The switch "${EXECUTE}" is engaged.`));
  const counted = await countRequest(ctx, token);
  if (counted !== undefined) return { ...counted, connectorInstanceId };
  const seconds = Math.ceil((minutesMs(1) - (ctx.request.nowMs % minutesMs(1))) / 1_000);
  return refuse(new ReeveError("rate_limited", undefined, { headers: { "retry-after": String(seconds) } }));
}

/**
 * Decides about a call by everything as it is now, and stores that it begins. Whatever ends access before this
 * transaction stops the call, whichever process has stored it.
 */
export async function begin(ctx: Context, tokenId: string, request: ToolRequest): Promise<Verdict> {
  const token = await openToken(ctx, tokenId);
  if ("kind" in token) return token;
  const { tool, arguments: args = {}, sessionId, dryRun = false } = request;
  // A dry run asks the target too, and what reads is read: the caller does not say what counts as a use.
  const called = { tool, args, synthetic: false, source: "gateway" } as const;
  const deny = async (refusal: Refusal): Promise<Verdict> => {
    await recordUses(ctx, [useOf(ctx, token, { ...called, outcome: "denied", denyCode: refusal.code })]);
    return refuse(errorOf(refusal));
  };
  if (sessionId !== undefined && token.sessionId !== sessionId)
    return deny({ code: "session_inactive", message: "The token does not belong to this session." });
  const { maxCalls, maxBytes } = token.constraints;
  if (maxBytes !== null && token.bytesUsed + bytesOf(args) > maxBytes)
    return deny({ code: "constraint_violation", message: "The arguments are more than the token has left." });
  const judged = await judge(ctx, { ...token, tool, args });
  if ("code" in judged) {
    if (stops(judged))
      await endToken(ctx, token, "The asset may not be used.", await findingBehind(ctx, judged.reasons ?? []));
    return deny(judged);
  }
  const { spec, backing } = judged;
  if (dryRun && spec.effect !== "read" && !spec.supportsDryRun)
    return deny({ code: "tool_not_allowed", message: "The tool cannot be tried without doing it." });
  if (!dryRun && spec.effect !== "read" && !spec.idempotent && request.idempotencyKey === undefined)
    return refuse(
      new ReeveError("idempotency_key_required", "The tool writes: send `idempotencyKey` with a value of your own."),
    );
  const earlier = dryRun ? undefined : await earlierCall(ctx, token, request, args, spec);
  if (earlier && "kind" in earlier) return earlier;
  const [use] = await recordUses(ctx, [useOf(ctx, token, { ...called, outcome: "started", access: backing[0] })]);
  const spent = await ctx.update(
    agentToolTokens,
    token,
    { callsUsed: token.callsUsed + 1, bytesUsed: token.bytesUsed + bytesOf(args) },
    { event: false, stamp: false },
  );
  const isLast = maxCalls !== null && spent.callsUsed >= maxCalls;
  const left = isLast
    ? await ctx.transition(
        agentToolTokens,
        agentToolTokenStatus,
        spent,
        { event: "exhaust" },
        { triggeredBy: "system" },
      )
    : spent;
  const call = dryRun ? undefined : await storeCall(ctx, earlier, request, token, args, use as AccessUse);
  const grants = backing.map(grantOf);
  return { kind: "begun", token: left, use: use as AccessUse, call, spec, grants };
}

/** Whether an asset is stopped for now, so that its token is worth nothing any more. */
const stops = ({ reasons = [] }: Refusal) => reasons.some((reason) => /^asset:.*(?:kill_switch|halt)/.test(reason));

const STATUS = {
  tool_not_allowed: "tool_not_allowed",
  tool_definition_changed: "tool_definition_changed",
  constraint_violation: "constraint_violation",
  assignment_inactive: "assignment_inactive",
  session_inactive: "assignment_inactive",
  connector_inactive: "assignment_inactive",
  invalid_arguments: "invalid_request",
} as const;

function errorOf({ code, message, reasons, faults }: Refusal): ReeveError {
  return new ReeveError(STATUS[code], message, {
    ...(reasons ? { members: { reasons } } : {}),
    ...(faults ? { errors: faults } : {}),
  });
}

async function reportHoneytoken(ctx: Context, token: AgentToolToken) {
  const from = networkOf(ctx.request.remoteAddress ?? "unknown");
  await ctx.emit({
    type: "access.token.honeytoken_used",
    severity: "ERROR",
    subject: subjectOf(agentToolTokens, token.id),
    related: [token.assetId],
    data: { assetId: token.assetId, from },
  });
  await observeHoneytoken(ctx, token, from);
  return unauthorised();
}

/** Counts a request of a token, whatever comes of it. `undefined` when there were too many in this minute. */
async function countRequest(ctx: Context, token: AgentToolToken): Promise<AgentToolToken | undefined> {
  const minute = timestamp(ctx.request.nowMs - (ctx.request.nowMs % minutesMs(1)));
  const before = token.minute === minute ? token.minuteCalls : 0;
  if (before >= CALLS_A_MINUTE) return undefined;
  const lastUsedFrom = networkOf(ctx.request.remoteAddress ?? "unknown");
  const patch = { minute, minuteCalls: before + 1, lastUsedAt: ctx.now, lastUsedFrom };
  return ctx.update(agentToolTokens, token, patch, { event: false, stamp: false });
}

/** A new token of the asset finds the calls of the one before, and never those in another target. */
function callKey({ assetId, connectorInstanceId }: AgentToolToken, tool: string, key: string): string {
  return sha256(canonical([assetId, connectorInstanceId, tool, key]));
}

/** What an earlier call with the same key has come to. One that may be made again is given back to be taken over. */
async function earlierCall(
  ctx: Context,
  token: AgentToolToken,
  { tool, idempotencyKey }: ToolRequest,
  args: Readonly<Record<string, unknown>>,
  spec: ToolSpec,
): Promise<Verdict | AgentToolCall | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const row = await ctx.db.lookup(agentToolCalls, "key", { key: callKey(token, tool, idempotencyKey) });
  const call = row?.value;
  if (!call || call.expiresAt <= ctx.now) return call;
  if (call.argsHash !== argsHashOf(args)) return refuse(new ReeveError("idempotency_key_reused"));
  if (call.state === "running" && call.lostAt > ctx.now)
    return refuse(new ReeveError("idempotency_in_progress", undefined, { headers: { "retry-after": "1" } }));
  if (call.state === "done" && call.answer !== null) {
    const opened = ctx.env.secretBox.open(call.answer, `answer of ${call.id}`);
    if (opened !== undefined)
      return { kind: "replay", outcome: JSON.parse(opened) as ToolOutcome, useId: call.useId, token };
  }
  if (spec.effect === "read") return call;
  return { kind: "replay", outcome: UNKNOWN, useId: call.useId, token };
}

/** A write of which nobody knows whether it happened. It is not made again. */
export const UNKNOWN: ToolOutcome = {
  status: "error",
  error: { code: "outcome_unknown", message: "It may have happened. Look at the target before it is done again." },
};

async function storeCall(
  ctx: Context,
  earlier: AgentToolCall | undefined,
  { tool, idempotencyKey }: ToolRequest,
  token: AgentToolToken,
  args: Readonly<Record<string, unknown>>,
  use: AccessUse,
): Promise<AgentToolCall | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const { nowMs } = ctx.request;
  const fields = {
    ...{ argsHash: argsHashOf(args), useId: use.id, state: "running" as const, answer: null },
    lostAt: timestamp(nowMs + LOST_AFTER),
    expiresAt: timestamp(nowMs + KEPT),
  };
  if (earlier) return ctx.update(agentToolCalls, earlier, fields, { event: false });
  return ctx.insert(agentToolCalls, { key: callKey(token, tool, idempotencyKey), ...fields }, { event: false });
}

/** A grant as connectors know it. */
export function grantOf(one: {
  readonly grantKey: string;
  readonly resource: GrantSpec["resource"];
  readonly profileExternalId: string;
  readonly principal: { readonly type: GrantSpec["principal"]["type"]; readonly externalId: string };
  readonly parameters: GrantSpec["parameters"];
  readonly expiresAt: string | null;
}): GrantSpec {
  const { grantKey, resource, profileExternalId, principal, parameters } = one;
  const { type, externalId } = principal;
  const expiresAt = one.expiresAt === null ? null : new Date(Date.parse(one.expiresAt));
  return { grantKey, resource, profileExternalId, principal: { type, externalId }, parameters, expiresAt };
}
