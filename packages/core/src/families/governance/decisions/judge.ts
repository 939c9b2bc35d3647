import { type Asset, assets } from "../../estate/index.js";
import { sessions } from "../../sessions/index.js";
import { messageOf } from "../policies/compile.js";
import { evaluateRuntime, Prepared, type RuntimeResult } from "../policies/evaluate.js";
import { assetValues } from "../snapshots/asset-values.js";
import type { Facts } from "./facts.js";
import { masked } from "./masks.js";
import type { Ask } from "./request.js";
import type { RuntimePolicy } from "./runtime-policies.js";
import type { DecisionReason, Evaluation, Obligation, Observed } from "./schema.js";
import { type Parties, partiesOf, stateDenials } from "./state-checks.js";

/** What holds for all decisions at this moment. */
export interface Circumstances {
  readonly now: string;
  readonly nowMs: number;
  /** Where no rule speaks. */
  readonly byDefault: "deny" | "allow";
  /** The longest an answer may be used again. */
  readonly reuseMs: number;
}

/** What is to be answered to a request, before any approval. */
export interface Judgement extends Pick<Evaluation, "status"> {
  readonly reasons: readonly DecisionReason[];
  readonly obligations: readonly Obligation[];
  readonly observed: readonly Observed[];
  readonly sessionEpoch: number | null;
  readonly ttlMs: number;
  readonly parties: Parties;
}

/** What a rule has said, and of which policy it is. */
interface Said extends Omit<RuntimeResult, "outcome"> {
  readonly outcome: Exclude<RuntimeResult["outcome"], "none">;
  readonly policy: RuntimePolicy;
}

/**
 * Decides one request from what is known: states first, then any error or denial of a policy in force, any that asks for
 * approval, any that allows, and the default. Warnings and policies under observation change nothing of it.
 */
export function judge(
  ask: Ask,
  facts: Facts,
  policies: readonly RuntimePolicy[],
  circumstances: Circumstances,
): Judgement {
  const { nowMs, byDefault } = circumstances;
  const parties = partiesOf(ask, facts);
  const base = { parties, sessionEpoch: parties.sessions[0]?.controlEpoch ?? null };
  const obligations = warningsOf(parties, facts);
  const barred = stateDenials(ask, facts, parties, nowMs);
  if (barred.length > 0)
    return {
      ...base,
      status: "deny",
      reasons: barred,
      obligations,
      observed: [],
      ttlMs: ttlOf(parties, facts, circumstances),
    };
  const values = new RequestValues(ask, circumstances.now);
  const said = policies.flatMap((policy) => saidBy(policy, parties, values));
  const inForce = said.filter(({ policy }) => policy.inForce);
  const observed = said
    .filter(({ policy }) => !policy.inForce)
    .map((one) => ({ ...ruleOf(one), effect: one.outcome, message: one.message }));
  const warned = inForce
    .filter(({ outcome }) => outcome === "warn")
    .map((one): Obligation => ({ type: "warn", ...ruleOf(one), message: one.message }));
  const { status, reasons } = combined(inForce, byDefault);
  const once = status === "require_approval" || inForce.some(({ outcome }) => outcome === "error");
  const timely = policies.some(({ inForce: counts, compiled }) => counts && compiled.readsTime);
  const ttlMs = once || timely ? 0 : ttlOf(parties, facts, circumstances);
  return { ...base, status, reasons, obligations: [...obligations, ...warned], observed, ttlMs };
}

function combined(said: readonly Said[], byDefault: "deny" | "allow"): Pick<Judgement, "status" | "reasons"> {
  const of = (...outcomes: readonly (keyof typeof CODES)[]) =>
    outcomes.flatMap((outcome) =>
      said
        .filter((one) => one.outcome === outcome)
        .map((one): DecisionReason => ({ code: CODES[outcome], ...ruleOf(one), message: one.message })),
    );
  const denials = of("error", "deny");
  if (denials.length > 0) return { status: "deny", reasons: denials };
  const approvals = of("require_approval");
  if (approvals.length > 0) return { status: "require_approval", reasons: approvals };
  const allowances = of("allow");
  if (allowances.length > 0) return { status: "allow", reasons: allowances };
  const none = { policyKey: null, ruleKey: null, revision: null, message: "No rule in force speaks of it." };
  return { status: byDefault, reasons: [{ code: "default", ...none }] };
}

const CODES = {
  error: "policy_error",
  deny: "policy_deny",
  require_approval: "policy_approval",
  allow: "policy_allow",
} as const;

const ruleOf = ({ policy: { key, revision }, ruleKey }: Said) => ({ policyKey: key, ruleKey, revision });

/** Why an error is one is for those who write policies; it may quote values. */
const ERROR_MESSAGE = "The rule has no result for this request.";

/** The values that rules read of a request, converted once for all policies that ask about the same asset. */
class RequestValues {
  readonly #made = new Map<Asset | undefined, Prepared>();

  constructor(
    readonly ask: Ask,
    readonly now: string,
  ) {}

  about(asset: Asset | undefined): Prepared {
    // Without an asset it has no fields, so that `has()` tells.
    const seen = asset ? assetValues(asset, this.now) : {};
    const made = this.#made.get(asset) ?? new Prepared({ ...filled(this.ask), asset: seen, params: {}, now: this.now });
    this.#made.set(asset, made);
    return made;
  }
}

/** What the rules of a policy say of a request, leaving out those that say nothing. */
function saidBy(policy: RuntimePolicy, { subject, resource }: Parties, values: RequestValues): Said[] {
  const failed = (ruleKey: string): Said => ({ policy, ruleKey, outcome: "error", message: ERROR_MESSAGE });
  if (policy.broken) return [failed("*")];
  // One that is about some assets only is asked about each that the request names.
  const named = [...new Set([resource, subject])].filter((asset) => asset !== undefined);
  const concerned = policy.narrow ? named : [named[0]];
  return concerned.flatMap((asset): Said[] => {
    const common = values.about(asset);
    const read = Object.keys(policy.params).length === 0 ? common : common.with({ params: policy.params });
    try {
      return evaluateRuntime(policy.compiled, read).flatMap(({ ruleKey, outcome, message }): Said[] => {
        if (outcome === "none") return [];
        if (outcome === "error") return [failed(ruleKey)];
        return [{ policy, ruleKey, outcome, message: maskedMessage(policy, ruleKey, message, read.plain) }];
      });
    } catch {
      // Whatever went wrong, it is not known what the policy says.
      return [failed("*")];
    }
  });
}

/** The message of a rule, with what is named like a secret masked where it quotes the request. */
function maskedMessage({ compiled }: RuntimePolicy, ruleKey: string, message: string, values: object): string {
  const rule = compiled.rules.find((one) => one.rule.key === ruleKey)?.rule;
  return rule?.message.includes("{") ? messageOf(rule, masked(values) as object) : message;
}

function filled({ subject, action, resource, context }: Ask) {
  return {
    subject: { ...subject, properties: subject.properties ?? {} },
    action: { ...action, properties: action.properties ?? {} },
    resource: { ...resource, properties: resource.properties ?? {} },
    context,
  };
}

/** What the assets warn of by themselves. */
function warningsOf({ all }: Parties, { effective }: Facts): Obligation[] {
  return all.flatMap(({ id }) => {
    const decided = effective.get(id);
    if (decided?.decision !== "warn") return [];
    const none = { policyKey: null, ruleKey: null, revision: null };
    return decided.reasons.map((message): Obligation => ({ type: "warn", ...none, message }));
  });
}

/** How long an answer holds as far as states go: never beyond the moment at which time alone changes one. */
function ttlOf({ all, sessions: running }: Parties, { effective }: Facts, { nowMs, reuseMs }: Circumstances): number {
  if (all.some(({ id }) => effective.get(id)?.reasons.some((reason) => reason.startsWith("approval:")))) return 0;
  const moments = [
    ...all.map((asset) => assets.staleAt?.(asset) ?? null),
    ...running.map((session) => sessions.staleAt?.(session) ?? null),
  ].flatMap((moment) => (moment === null ? [] : [Date.parse(moment)]));
  const limits = running.flatMap(({ startedAt, limitsInForce: { maxDurationSec } }) =>
    maxDurationSec === null ? [] : [Date.parse(startedAt) + maxDurationSec * 1_000],
  );
  return Math.max(0, Math.min(reuseMs, ...[...moments, ...limits].map((moment) => moment - nowMs)));
}
