import type { ReadContext } from "#kernel/operation/read-context.js";
import { Duration } from "#kernel/records/duration.js";
import { z } from "#schema/z.js";
import { planFor } from "../evaluate/plan.js";
import type { RequestFields } from "../fields.js";
import { requestScopeHash } from "../rules.js";
import { allowsInWords, timeInWords } from "../view/words.js";
import { refuseDuplicate } from "./create.js";
import { draftOf } from "./draft.js";

/** What would follow from a request that nobody has made yet. */
export const RequestPreview = z
  .object({
    wouldAllow: z.array(z.string()).meta({ description: "What it would let the asset do, in words; for each item." }),
    decision: z.enum(["allow", "deny", "require_approval"]).meta({ description: "What policies would say." }),
    explanations: z.array(z.string()).meta({ description: "Why, in words." }),
    riskScore: z.int().min(0).max(100).meta({ description: "How much harm it could do, as requests show it." }),
    rounds: z.array(z.string()).meta({ description: "Names of the rounds of approval; empty where it takes none." }),
    maxDuration: Duration.meta({ description: "How long it may last at most." }),
    needsReason: z.boolean().meta({ description: "Whether it takes a reason." }),
  })
  .meta({ id: "AccessRequestPreview" });

/** Looks at a request as if it were made now. It writes nothing. */
export async function previewRequest(
  ctx: ReadContext,
  assetId: string,
  fields: Partial<RequestFields>,
): Promise<z.output<typeof RequestPreview>> {
  const { scope, items, terms, bounds, emergency, identity, needsReason } = await draftOf(ctx, assetId, fields);
  await refuseDuplicate(ctx, items);
  const scopeHash = requestScopeHash({ ...scope, emergency, items, ...terms });
  const draft = { ...scope, ...terms, id: "", items, emergency, scopeHash, requestedBy: ctx.principal.userId };
  const { evaluation, stages } = await planFor(ctx, draft);
  const { decision, explanations, riskScore } = evaluation;
  const { displayName, externalId } = identity.principal;
  const time = timeInWords({ ...terms, granted: null });
  return {
    wouldAllow: items.map((item) => allowsInWords(item, displayName ?? externalId, time)),
    ...{ decision, explanations, riskScore, needsReason },
    rounds: decision === "require_approval" ? stages.map(({ name }) => name) : [],
    maxDuration: bounds.longest,
  };
}
