import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { isIdOf } from "#store/collection.js";
import { RELATION_TYPES } from "../asset-terms.js";
import { type EffectiveDecision as Decided, denial } from "../containment/decide.js";
import { assets } from "../schema.js";
import { effectiveNow, effectiveOfAll } from "./effective.js";

/** One step from an asset to what it depends on. */
export const DependencyStep = z
  .object({
    id: z.string().meta({ description: "Id of the asset that it depends on." }),
    name: z.string().nullable().meta({ description: "`null` when there is no such asset any more." }),
    relation: z.enum(RELATION_TYPES).meta({ description: "How the two relate." }),
  })
  .meta({ id: "DependencyStep" });

export const EffectiveDecision = z
  .object({
    decision: z.enum(["allow", "warn", "deny"]).meta({ description: "Whether it may be used now." }),
    reasons: z.array(z.string()).meta({ description: "What the decision rests on." }),
    message: z.string().nullable().meta({ description: "The denial in words." }),
    path: z
      .array(DependencyStep)
      .meta({ description: "From the asset to what denies it; empty for the asset itself." }),
    asOf: Time.meta({ description: "The moment it is about." }),
  })
  .meta({ id: "EffectiveDecision" });

export const readEffective = defineOperation({
  id: "aiAssets.effective",
  method: "GET",
  path: "/api/v1/ai-assets/{id}/effective",
  tag: "AI Registry",
  summary: "Tell whether an AI asset may be used right now, and why",
  access: { permission: "ai-asset:read", capability: "ai_registry" },
  extension: true,
  params: ById,
  success: { status: 200, schema: EffectiveDecision },
  async handler(ctx, { params }) {
    const asset = await ctx.getOrThrow(assets, params.id);
    return served(await effectiveNow(ctx, asset));
  },
});

const EffectiveDecisions = z
  .object({
    items: z
      .array(EffectiveDecision.extend({ id: z.string().meta({ description: "Id of the asset." }) }))
      .meta({ description: "In the order asked." }),
  })
  .meta({ id: "EffectiveDecisions" });

/** The most assets asked about at once. */
const MOST_ASKED = 100;

export const listEffective = defineOperation({
  id: "aiAssets.listEffective",
  method: "GET",
  path: "/api/v1/ai-assets/effective",
  tag: "AI Registry",
  summary: "Tell of many AI assets whether they may be used right now, and why",
  description: "In the order asked. An id that names no asset is denied as `not_found`.",
  access: { permission: "ai-asset:read", capability: "ai_registry" },
  extension: true,
  query: z.strictObject({
    ids: z
      .string()
      .max(4_000)
      .transform((text) => [...new Set(text.split(",").filter((id) => id !== ""))])
      .pipe(z.array(z.string()).min(1).max(MOST_ASKED))
      .meta({ description: `Ids of up to ${MOST_ASKED} assets, with commas between.` }),
  }),
  success: { status: 200, schema: EffectiveDecisions },
  async handler(ctx, { query: { ids } }) {
    const known = ids.filter((id) => isIdOf(assets, id));
    const rows = known.length > 0 ? await ctx.db.getMany(assets, known) : [];
    const effective = await effectiveOfAll(
      ctx,
      rows.map((row) => ctx.derived(assets, row)),
    );
    return { items: ids.map((id) => ({ id, ...served(effective.get(id) ?? denial([], "not_found", ctx.now)) })) };
  },
});

/** A decision in the types of its schema. */
function served({ reasons, path, ...rest }: Decided): z.output<typeof EffectiveDecision> {
  return { ...rest, reasons: [...reasons], path: [...path] };
}
