import type { PolicyFields } from "./fields.js";

/** The name of a policy and those of its rules, as controls of frameworks name them. */
export function namesOfRules({
  key,
  rules,
}: {
  key: string;
  rules: readonly Pick<PolicyFields["rules"][number], "key">[];
}) {
  return [key, ...rules.map((rule) => `${key}/${rule.key}`)];
}
