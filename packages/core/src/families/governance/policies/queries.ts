import { inChunks } from "#kernel/async/in-chunks.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { namesOfRules } from "./rules.js";
import { policies } from "./schema.js";

/** The names of these policies of the tenant, and of their rules, as in `policy` and `policy/rule`. */
export async function policyRulesOf(ctx: ReadContext, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await inChunks(keys, (some) =>
    ctx.db.lookupMany(
      policies,
      "key",
      some.map((key) => ({ key })),
    ),
  );
  return new Set(rows.flatMap((row) => (row ? namesOfRules(row.value) : [])));
}
