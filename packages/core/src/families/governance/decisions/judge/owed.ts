import { OBLIGATION_TYPES } from "../../policies/rule-obligations.js";
import type { Ask } from "../ask/request.js";
import type { DecisionReason, Obligation } from "../schema.js";
import type { RuleResult } from "./rule-results.js";

type Status = "allow" | "deny" | "require_approval";

/** The outcomes whose rules an answer rests on. Warnings go with each. */
const BEHIND: Readonly<Record<Status, readonly RuleResult["outcome"][]>> = {
  allow: ["allow", "require_approval", "warn"],
  require_approval: ["require_approval", "warn"],
  deny: ["deny", "warn"],
};

/** What must be done with an answer of this status, by the rules behind it. */
export function owedWith(status: Status, results: readonly RuleResult[]): Obligation[] {
  return results
    .filter(({ outcome }) => BEHIND[status].includes(outcome))
    .flatMap(({ policy: { key, revision }, ruleKey, message, obligations }) =>
      obligations.map((one, at) => {
        return { id: `${key}.${ruleKey}.${at + 1}`, ...one, policyKey: key, ruleKey, revision, message };
      }),
    );
}

/** Why an answer cannot be given: its obligations are of types that the caller does not say it understands. */
export function notUnderstood({ context }: Ask, owed: readonly Obligation[]): DecisionReason[] {
  const { supported_obligations: declared } = context;
  const known: readonly unknown[] = Array.isArray(declared) ? declared : [];
  return OBLIGATION_TYPES.filter((type) => !known.includes(type)).flatMap((type) => {
    const [first] = owed.filter((one) => one.type === type);
    if (!first) return [];
    const { policyKey, ruleKey, revision } = first;
    const message = `The caller does not say that it understands obligations of type "${type}".`;
    return [{ code: "obligation_unsupported" as const, policyKey, ruleKey, revision, message }];
  });
}
