import { type Asset, assets, type Tool } from "#families/estate/index.js";
import { sessions } from "#families/sessions/index.js";
import type { Budget } from "../../policies/evaluation-budget.js";
import type { Facts } from "../ask/facts.js";
import type { Ask } from "../ask/request.js";
import type { DecisionReason, Evaluation, Obligation, Observed } from "../schema.js";
import { notUnderstood, owedWith } from "./owed.js";
import type { PolicySet, RuntimePolicy } from "./policy-set.js";
import { type Around, type RequestTenant, RequestValues, type RuleResult, ruleResultsOf } from "./rule-results.js";
import { type Parties, partiesOf, stateDenials, undeclaredUse } from "./state-checks.js";

/** Conditions common to all decisions of a request. */
export interface Circumstances {
  readonly now: string;
  readonly nowMs: number;
  /** The decision when no rule applies. */
  readonly byDefault: "deny" | "allow";
  /** Whether an agent may not use a tool that it does not say it uses. Otherwise there is a warning. */
  readonly undeclaredTools: "deny" | "warn";
  readonly tenant: RequestTenant;
  /** The longest time that an answer may be cached, in milliseconds. */
  readonly reuseMs: number;
}

/** The judgement of a request before any approval. */
export interface Judgement extends Pick<Evaluation, "status"> {
  readonly reasons: readonly DecisionReason[];
  readonly obligations: readonly Obligation[];
  /** What must be done once an approval allows it. */
  readonly obligationsOnceAllowed: readonly Obligation[];
  readonly observed: readonly Observed[];
  readonly sessionEpoch: number | null;
  readonly ttlMs: number;
  readonly parties: Parties;
  /** The circumstances that the policies behind `require_approval` read, as paths. */
  readonly contextReads: readonly string[];
}

/**
 * Decides one request from the given facts. States come first, then an error or denial by a policy in force, then
 * `require_approval`, then `allow`, then the default. Warnings and observed policies do not affect it.
 */
export async function judge(
  ask: Ask,
  facts: Facts,
  policies: PolicySet,
  circumstances: Circumstances,
  budget: Budget,
): Promise<Judgement> {
  const { nowMs, byDefault } = circumstances;
  const parties = partiesOf(ask, facts);
  const base = { parties, contextReads: [], sessionEpoch: parties.sessions[0]?.controlEpoch ?? null };
  const undeclared = undeclaredUse(facts, parties);
  const refused = undeclared !== undefined && circumstances.undeclaredTools === "deny";
  const obligations = [
    ...warningsOf(parties, facts),
    ...(undeclared && !refused ? [{ type: "warn" as const, ...NO_RULE, message: undeclared.message }] : []),
  ];
  const barred = [...stateDenials(ask, facts, parties, nowMs), ...(refused ? [undeclared] : [])];
  if (barred.length > 0)
    return {
      ...base,
      status: "deny",
      reasons: barred,
      obligations,
      obligationsOnceAllowed: [],
      observed: [],
      ttlMs: ttlOf(parties, facts, circumstances),
    };
  const values = new RequestValues(ask, circumstances.now, aroundOf(parties, facts, circumstances));
  const ruleResults = await ruleResultsOf(policies.about(values.request), parties, values, budget);
  const inForce = ruleResults.filter(({ policy }) => policy.inForce);
  const observed = ruleResults
    .filter(({ policy }) => !policy.inForce)
    .map((one) => ({ ...ruleOf(one), effect: one.outcome, message: one.message }));
  const warned = inForce
    .filter(({ outcome }) => outcome === "warn")
    .map((one): Obligation => ({ type: "warn", ...ruleOf(one), message: one.message }));
  const judged = withConsent(combined(inForce, byDefault), parties, facts);
  const onceAllowed = judged.status === "deny" ? [] : owedWith("allow", inForce);
  const unknown = notUnderstood(ask, onceAllowed);
  const { status, reasons }: Combined = unknown.length > 0 ? { status: "deny", reasons: unknown } : judged;
  const owed = unknown.length > 0 ? [] : owedWith(status, inForce);
  const once = status === "require_approval" || owed.length > 0 || inForce.some(({ outcome }) => outcome === "error");
  const ttlMs = once || policies.readsTime ? 0 : ttlOf(parties, facts, circumstances);
  const contextReads = status === "require_approval" ? contextReadsOf(policies.all, reasons) : [];
  const always = [...obligations, ...warned];
  return {
    ...{ ...base, status, reasons, observed, ttlMs, contextReads },
    obligations: [...always, ...owed],
    obligationsOnceAllowed: [...always, ...onceAllowed],
  };
}

/** The circumstances that the policies of these reasons read, as in `context.region`. */
function contextReadsOf(policies: readonly RuntimePolicy[], reasons: readonly DecisionReason[]): string[] {
  const asking = new Set(reasons.map(({ policyKey }) => policyKey));
  const reads = policies.flatMap(({ key, compiled }) => (asking.has(key) ? compiled.reads : []));
  return reads.filter((path) => /^context(?:$|[.[])/.test(path));
}

function combined(
  ruleResults: readonly RuleResult[],
  byDefault: "deny" | "allow",
): Pick<Judgement, "status" | "reasons"> {
  const of = (...outcomes: readonly (keyof typeof CODES)[]) =>
    outcomes.flatMap((outcome) =>
      ruleResults
        .filter((one) => one.outcome === outcome)
        .map((one): DecisionReason => ({ code: CODES[outcome], ...ruleOf(one), message: one.message })),
    );
  const denials = of("error", "deny");
  if (denials.length > 0) return { status: "deny", reasons: denials };
  const approvals = of("require_approval");
  if (approvals.length > 0) return { status: "require_approval", reasons: approvals };
  const allowances = of("allow");
  if (allowances.length > 0) return { status: "allow", reasons: allowances };
  return { status: byDefault, reasons: [{ code: "default", ...NO_RULE, message: "No rule in force speaks of it." }] };
}

const NO_RULE = { policyKey: null, ruleKey: null, revision: null } as const;

/** The record of a tool of the graph. */
function toolRecord({ nodes }: Facts["graph"], { id, assetType }: Asset): Tool | undefined {
  return assetType === "tool" ? (nodes.get(id)?.view?.record as Tool | undefined) : undefined;
}

/** What rules read beside the request and its assets. */
function aroundOf({ sessions: [session] }: Parties, { graph, specs }: Facts, { tenant }: Circumstances): Around {
  return { tenant, session, specs, effectsOf: (asset) => toolRecord(graph, asset)?.effects ?? [] };
}

type Combined = Pick<Judgement, "status" | "reasons">;

/** What is allowed needs consent when the tool requires it for every call, whatever policies say. */
function withConsent(combined: Combined, { resource }: Parties, { graph }: Facts): Combined {
  if (combined.status !== "allow" || resource?.assetType !== "tool") return combined;
  if (!toolRecord(graph, resource)?.requiresApproval) return combined;
  const message = "Every call of the tool needs somebody's consent.";
  return { status: "require_approval", reasons: [{ code: "tool_approval", ...NO_RULE, message }] };
}

const CODES = {
  error: "policy_error",
  deny: "policy_deny",
  require_approval: "policy_approval",
  allow: "policy_allow",
} as const;

const ruleOf = ({ policy: { key, revision }, ruleKey }: RuleResult) => ({ policyKey: key, ruleKey, revision });

/** Warnings from the effective decisions of assets. */
function warningsOf({ all }: Parties, { effective }: Facts): Obligation[] {
  return all.flatMap(({ id }) => {
    const decided = effective.get(id);
    if (decided?.decision !== "warn") return [];
    const none = { policyKey: null, ruleKey: null, revision: null };
    return decided.reasons.map((message): Obligation => ({ type: "warn", ...none, message }));
  });
}

/** How long the answer may be cached, in milliseconds: at most until time alone changes a state. */
function ttlOf(parties: Parties, { effective }: Facts, { nowMs, reuseMs }: Circumstances): number {
  const { sessions: running } = parties;
  const all = [...parties.all, ...parties.identities];
  if (all.some(({ id }) => effective.get(id)?.reasons.some((reason) => /^(approval:|condition_)/.test(reason))))
    return 0;
  const moments = [
    ...all.map((asset) => assets.staleAt?.(asset) ?? null),
    ...running.map((session) => sessions.staleAt?.(session) ?? null),
  ].flatMap((moment) => (moment === null ? [] : [Date.parse(moment)]));
  const limits = running.flatMap(({ startedAt, limitsInForce: { maxDurationSec } }) =>
    maxDurationSec === null ? [] : [Date.parse(startedAt) + maxDurationSec * 1_000],
  );
  return Math.max(0, Math.min(reuseMs, ...[...moments, ...limits].map((moment) => moment - nowMs)));
}
