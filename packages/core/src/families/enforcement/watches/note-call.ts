import type { DecisionReason } from "#families/governance/index.js";
import { canonical } from "#kernel/events/canonical.js";
import type { Context } from "#kernel/operation/context.js";
import { sha256 } from "#store/chain.js";
import { type WatchedCall, watchedCalls } from "./schema.js";

/** The most kinds of calls of one watch that are told apart. Names of tools may come from a model. */
export const MOST_KINDS = 500;
/** The most agents and teams that a kind names. */
const MOST_NAMED = 20;

/** A call that would not have been made. */
export interface Unmade {
  readonly watchId: string;
  readonly tool: string;
  readonly status: WatchedCall["status"];
  readonly reasons: readonly DecisionReason[];
  readonly agentId: string;
  readonly team: string | null;
}

/** Counts a call that a watch lets pass, in the transaction of its decision. */
export async function noteCall(ctx: Context, call: Unmade): Promise<void> {
  const { watchId, tool, status, agentId, team } = call;
  const reasons = rulesOf(call.reasons);
  const kindHash = sha256(canonical([tool, status, reasons]));
  const other = { tool: null, reasons: [], kindHash: sha256(canonical([null, status])) };
  const keys = [kindHash, other.kindHash].map((hash) => ({ watchId, kindHash: hash }));
  const [known, counted] = await ctx.db.lookupMany(watchedCalls, "kind", keys);
  const kind = known || (await hasRoom(ctx, watchId)) ? { tool, reasons, kindHash } : other;
  const row = kind === other ? counted : known;
  if (!row) {
    const marks = { id: ctx.newId("wac"), version: 1, createdAt: ctx.now, lastAt: ctx.now, calls: 1 };
    const named = { agentIds: [agentId], teams: team === null ? [] : [team] };
    await ctx.insert(watchedCalls, { ...marks, watchId, status, ...kind, ...named }, { event: false });
    return;
  }
  const { calls, agentIds, teams } = row.value;
  const patch = {
    ...{ calls: calls + 1, lastAt: ctx.now },
    ...{ agentIds: withNamed(agentIds, agentId), teams: team === null ? teams : withNamed(teams, team) },
  };
  await ctx.update(watchedCalls, row.value, patch, { event: false });
}

async function hasRoom(ctx: Context, watchId: string): Promise<boolean> {
  const { count } = await ctx.db.count(watchedCalls, { where: { watchId } });
  return count < MOST_KINDS;
}

function withNamed(names: string[], name: string): string[] {
  return names.includes(name) || names.length >= MOST_NAMED ? names : [...names, name];
}

/** The reasons without their words, each once and in one order. */
function rulesOf(reasons: readonly DecisionReason[]): WatchedCall["reasons"] {
  const rules = reasons.map(({ code, policyKey, ruleKey }) => ({ code, policyKey, ruleKey }));
  const byText = new Map(rules.map((rule) => [canonical(rule), rule]));
  return [...byText.keys()].sort().map((text) => byText.get(text) as WatchedCall["reasons"][number]);
}
