import type { Asset } from "../../../estate/index.js";
import { messageOf } from "../../policies/compile/compile.js";
import { evaluateRuntime, Prepared, type RuntimeResult } from "../../policies/evaluate/evaluate.js";
import { assetValues } from "../../snapshots/take/asset-values.js";
import type { Ask } from "../ask/request.js";
import { masked } from "../record/masks.js";
import type { RuntimePolicy } from "./runtime-policies.js";
import type { Parties } from "./state-checks.js";

/** The result of a rule, with its policy. */
export interface RuleResult extends Omit<RuntimeResult, "outcome"> {
  readonly outcome: Exclude<RuntimeResult["outcome"], "none">;
  readonly policy: RuntimePolicy;
}

/** Error details are for authors of policies, and may quote values. */
const ERROR_MESSAGE = "The rule has no result for this request.";

/** The values that rules read of a request, converted once per asset for all policies. */
export class RequestValues {
  readonly #made = new Map<Asset | undefined, Prepared>();

  constructor(
    readonly ask: Ask,
    readonly now: string,
  ) {}

  about(asset: Asset | undefined): Prepared {
    // Without an asset the object is empty, so that `has()` works.
    const seen = asset ? assetValues(asset, this.now) : {};
    const made = this.#made.get(asset) ?? new Prepared({ ...filled(this.ask), asset: seen, params: {}, now: this.now });
    this.#made.set(asset, made);
    return made;
  }
}

/** The results of a policy's rules for a request, without those that do not apply. */
export function ruleResultsFor(
  policy: RuntimePolicy,
  { subject, resource }: Pick<Parties, "subject" | "resource">,
  values: RequestValues,
): RuleResult[] {
  const failed = (ruleKey: string): RuleResult => ({ policy, ruleKey, outcome: "error", message: ERROR_MESSAGE });
  if (policy.broken) return [failed("*")];
  // A policy with a selector for assets is evaluated for each asset of the request.
  const named = [...new Set([resource, subject])].filter((asset) => asset !== undefined);
  const concerned = policy.narrow ? named : [named[0]];
  return concerned.flatMap((asset): RuleResult[] => {
    const common = values.about(asset);
    const read = Object.keys(policy.params).length === 0 ? common : common.with({ params: policy.params });
    try {
      return evaluateRuntime(policy.compiled, read).flatMap(({ ruleKey, outcome, message }): RuleResult[] => {
        if (outcome === "none") return [];
        if (outcome === "error") return [failed(ruleKey)];
        return [{ policy, ruleKey, outcome, message: maskedMessage(policy, ruleKey, message, read.plain) }];
      });
    } catch {
      // After any failure the result of the whole policy is an error.
      return [failed("*")];
    }
  });
}

/** The message of a rule, with quoted values masked where their name suggests a secret. */
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
