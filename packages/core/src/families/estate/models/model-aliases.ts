import { inChunks } from "#kernel/async/in-chunks.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import type { Model } from "./schema.js";

const ModelAlias = z.object({
  /** The alias itself. */
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  modelId: z.string(),
});
export type ModelAlias = z.output<typeof ModelAlias>;

/** Every alias of a tenant's models. An alias is a key of its own because a record can have many. */
export const modelAliases = defineCollection<ModelAlias>({
  name: "ai_model_aliases",
  prefix: null,
  schema: ModelAlias,
  secrets: [],
});

/** Prefetches the models of these aliases. */
export async function prefetchAliases(ctx: ReadContext, aliases: readonly string[]): Promise<void> {
  await inChunks([...new Set(aliases)], (some) => ctx.db.getMany(modelAliases, some));
}

/**
 * Claims and releases aliases as a model lists them, within the transaction. 409 `already_exists` for an alias of
 * another model.
 */
export async function alignAliases(ctx: Context, before: Model | undefined, after: Model | undefined): Promise<void> {
  const [old, wanted] = [before?.aliases ?? [], after?.aliases ?? []];
  const left = old.filter((alias) => !wanted.includes(alias));
  const added = wanted.filter((alias) => !old.includes(alias));
  if (left.length + added.length === 0) return;
  const rows = await ctx.db.getMany(modelAliases, [...left, ...added]);
  const taken = rows.find(({ id }) => added.includes(id));
  if (taken) {
    const message = `The alias "${taken.id}" is that of another model.`;
    throw new ReeveError("already_exists", message, { members: { key: "alias", existingId: taken.value.modelId } });
  }
  for (const { value } of rows) await ctx.remove(modelAliases, value);
  const { id: modelId } = (after ?? before) as Model;
  await ctx.insertMany(
    modelAliases,
    added.map((id) => ({ id, modelId })),
  );
}
