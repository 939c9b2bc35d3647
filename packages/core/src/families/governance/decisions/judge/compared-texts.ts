import type { ReadContext } from "#kernel/operation/read-context.js";
import { valueAt } from "#kernel/records/value-at.js";
import { runtimePolicies } from "./runtime-policies.js";

/** The texts that policies in force compare a part of a request with, such as `action.name`: by themselves or as parameters. */
export async function textsComparedWith(ctx: ReadContext, path: string): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  const { all } = await ctx.env.use(runtimePolicies).of(ctx.db.tenantId);
  for (const { inForce, params, compiled } of all) {
    if (!inForce) continue;
    const programs = compiled.rules.flatMap(({ when, condition }) => [when, condition]);
    for (const program of [compiled.selector, ...programs]) {
      const compared = program?.comparedWith(path);
      for (const text of compared?.texts ?? []) texts.add(text);
      for (const field of compared?.paths ?? [])
        for (const value of [valueAt({ params }, field.split("."))].flat())
          if (typeof value === "string") texts.add(value);
    }
  }
  return texts;
}
