import type { Asset, Tool } from "#families/estate/index.js";
import type { Session } from "#families/sessions/index.js";
import { isSuspectName } from "#kernel/http/secret-names.js";
import { valueAt } from "#kernel/records/value-at.js";
import type { Allowance } from "#ports/expressions.js";
import { messageOf, textAt } from "../../policies/compile/compile.js";
import { evaluatingRuntime, isSilent, Prepared, type RuntimeResult } from "../../policies/evaluate-policy.js";
import type { Budget } from "../../policies/evaluation-budget.js";
import { isRuntime } from "../../policies/fields.js";
import { withTexts } from "../../policies/rule-obligations.js";
import { assetValues } from "../../snapshots/take/asset-values.js";
import type { Ask } from "../ask/request.js";
import { MASK } from "../record/masks.js";
import type { RuntimePolicy } from "./policy-set.js";
import type { Parties } from "./state-checks.js";

/** The result of a rule, with its policy. */
export interface RuleResult extends Omit<RuntimeResult, "outcome"> {
  readonly outcome: Exclude<RuntimeResult["outcome"], "none">;
  readonly policy: RuntimePolicy;
  /** What its rule wants done. */
  readonly obligations: readonly Owed[];
}

type Owed = ReturnType<typeof withTexts>;

/** Error details are for authors of policies, and may quote values. */
const ERROR_MESSAGE = "The rule has no result for this request.";

/** What rules read of the tenant. */
export interface RequestTenant {
  readonly id: string;
  readonly name: string;
}

/** What rules read beside the request and its assets. */
export interface Around {
  readonly tenant: RequestTenant | Readonly<Record<string, never>>;
  readonly session: Session | undefined;
  /** The effects of a tool; none of other assets. */
  effectsOf(asset: Asset): Tool["effects"];
  /** Values of typed records by asset id. */
  readonly specs: ReadonlyMap<string, object>;
}

/** What rules read of a session. */
function sessionValues({ id, agentId, userId, environment, sensitivity, purpose, depth, usage }: Session) {
  const { iterations, toolCalls, costUsd } = usage;
  return { id, agentId, userId, environment, sensitivity, purpose, depth, iterations, toolCalls, costUsd };
}

/** The values that rules read of a request, converted once per asset for all policies. */
export class RequestValues {
  readonly #made = new Map<Asset | undefined, Prepared>();
  /** What the caller says, which is the same for each asset. */
  readonly request: ReturnType<typeof filled>;

  constructor(
    ask: Ask,
    readonly now: string,
    private readonly around: Around,
  ) {
    this.request = filled(ask);
  }

  about(asset: Asset | undefined): Prepared {
    const made = this.#made.get(asset) ?? new Prepared(this.#values(asset));
    this.#made.set(asset, made);
    return made;
  }

  /** Without an asset, its record or a session the object is empty, so that `has()` works. */
  #values(asset: Asset | undefined) {
    const { tenant, session, effectsOf, specs } = this.around;
    const { now } = this;
    return {
      ...this.request,
      asset: asset ? assetValues(asset, now, effectsOf(asset)) : {},
      spec: (asset && specs.get(asset.id)) ?? {},
      session: session ? sessionValues(session) : {},
      tenant,
      params: {},
      now,
    };
  }
}

/**
 * The results of all policies' rules for a request, without those that do not apply. Other work of the process goes on
 * between policies.
 */
export async function ruleResultsOf(
  policies: readonly RuntimePolicy[],
  parties: Pick<Parties, "subject" | "resource">,
  values: RequestValues,
  budget: Budget,
): Promise<RuleResult[]> {
  // A policy with a selector for assets is evaluated for each asset of the request.
  const named = [...new Set([parties.resource, parties.subject])].filter((asset) => asset !== undefined);
  const first = [named[0]];
  const found: RuleResult[] = [];
  for (const policy of policies) {
    if (budget.isDue) await budget.pass();
    found.push(...(await resultsFor(policy, policy.narrow ? named : first, values, budget)));
  }
  return found;
}

async function resultsFor(
  policy: RuntimePolicy,
  concerned: readonly (Asset | undefined)[],
  values: RequestValues,
  budget: Budget,
): Promise<readonly RuleResult[]> {
  const failed = (ruleKey: string): RuleResult => {
    return { policy, ruleKey, outcome: "error", message: ERROR_MESSAGE, obligations: [] };
  };
  if (policy.broken) return [failed("*")];
  const found: RuleResult[] = [];
  for (const asset of concerned) {
    const common = values.about(asset);
    if (isSilent(policy.compiled, common)) continue;
    const read = Object.keys(policy.params).length === 0 ? common : common.with({ params: policy.params });
    try {
      const own: RuleResult[] = [];
      const evaluate = (allowance: Allowance) => evaluatingRuntime(policy.compiled, read, allowance);
      for (const { ruleKey, outcome, message } of await budget.spendInTurns(policy.inForce, evaluate)) {
        if (outcome === "none") continue;
        if (outcome === "error") own.push(failed(ruleKey));
        else own.push({ policy, ruleKey, outcome, ...maskedTexts(policy, ruleKey, message, read.plain) });
      }
      found.push(...own);
    } catch {
      // After any failure the result of the whole policy is an error.
      found.push(failed("*"));
    }
  }
  return found;
}

/** The texts of a rule, with quoted values masked where their name suggests a secret. */
function maskedTexts(
  { compiled }: RuntimePolicy,
  ruleKey: string,
  message: string,
  values: object,
): Pick<RuleResult, "message" | "obligations"> {
  const rule = compiled.rules.find((one) => one.rule.key === ruleKey)?.rule;
  const masked = (text: string) => messageOf({ message: text }, values, maskedTextAt);
  return {
    message: rule?.message.includes("{") ? masked(rule.message) : message,
    obligations: rule && isRuntime(rule) ? (rule.obligations ?? []).map((one) => withTexts(one, masked)) : [],
  };
}

/** A value as text. Masked when its name suggests a secret, and absent below such a name. */
function maskedTextAt(values: object, path: string): string | undefined {
  const steps = path.split(".");
  const suspect = steps.findIndex(isSuspectName);
  if (suspect < 0) return textAt(values, path);
  const isThere = valueAt(values, steps.slice(0, suspect + 1)) !== undefined;
  return isThere && suspect === steps.length - 1 ? MASK : undefined;
}

function filled({ subject, action, resource, context }: Ask) {
  return {
    subject: { ...subject, properties: subject.properties ?? {} },
    action: { ...action, properties: action.properties ?? {} },
    resource: { ...resource, properties: resource.properties ?? {} },
    context,
  };
}
