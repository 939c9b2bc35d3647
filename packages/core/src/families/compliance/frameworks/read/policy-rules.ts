import { packRules, policyRulesOf } from "#families/governance/index.js";
import type { FrameworkFields } from "#frameworks/index.js";
import { type FieldError, ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

/**
 * 400 for controls that name a policy or rule which neither the tenant nor a pack has. Names that the framework had
 * before are left alone.
 */
export async function requirePolicyRules(
  ctx: ReadContext,
  { controls }: FrameworkFields,
  before?: FrameworkFields,
): Promise<void> {
  const held = new Set(before?.controls.flatMap(({ policyRules }) => policyRules));
  const named = controls.flatMap(({ policyRules }, at) =>
    policyRules.flatMap((name, place) =>
      held.has(name) ? [] : [{ name, pointer: `/controls/${at}/policyRules/${place}` }],
    ),
  );
  if (named.length === 0) return;
  const own = await policyRulesOf(ctx, [...new Set(named.map(({ name }) => name.split("/")[0] as string))]);
  const errors = named
    .filter(({ name }) => !own.has(name) && !packRules.has(name))
    .map(({ name, pointer }): FieldError => {
      const message = `There is no policy or rule "${name}".`;
      return { pointer, code: "invalid_reference", message };
    });
  if (errors.length > 0) throw new ReeveError("invalid_reference", "The framework has faults.", { errors });
}
