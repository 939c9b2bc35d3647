import { invalidProperty } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { type BatchTurn, type BatchWork, DependencyPending } from "#kernel/pipeline/batch/work.js";
import { assets } from "../../assets/schema.js";
import type { AssetReference } from "../../records/declare/kind.js";
import { type ReadItem, readItem } from "../read/item.js";
import type { Mention } from "../read/mentions.js";
import type { Imported } from "../schema.js";
import { prefetch } from "./prefetch.js";
import { type Content, createItem, updateItem } from "./put.js";

/** The work of one import. `reading` gives the context for checks before a transaction. */
export function importWork(reading: () => ReadContext): BatchWork<unknown, ReadItem, Imported> {
  // Ids of committed items by `ref`.
  const ids = new Map<string, string>();
  return {
    prepare: (input) => readItem(reading(), input),
    async open(ctx, items) {
      await prefetch(ctx, items);
      return new ImportTurn(ids);
    },
  };
}

class ImportTurn implements BatchTurn<ReadItem, Imported> {
  /** Ids of items of this transaction by `ref`. */
  readonly #ids = new Map<string, string>();

  constructor(private readonly committedIds: Map<string, string>) {}

  async one(ctx: Context, item: ReadItem): Promise<Imported> {
    const { ref } = item;
    if (ref !== undefined && this.#idOf(ref))
      throw invalidProperty("/ref", "Another item of this import has this name.");
    const content = await this.#resolved(ctx, item);
    const there = await ctx.db.lookup(assets, "identity", item.key);
    const done = there ? await updateItem(ctx, there.id, content) : await createItem(ctx, content);
    if (ref !== undefined) this.#ids.set(ref, done.id);
    return done;
  }

  committed(): void {
    for (const [ref, id] of this.#ids) this.committedIds.set(ref, id);
  }

  #idOf(ref: string): string | undefined {
    return this.#ids.get(ref) ?? this.committedIds.get(ref);
  }

  async #resolved(ctx: Context, item: ReadItem): Promise<Content> {
    const { sayer, kind, asset, own, mentions } = item;
    if (mentions.length + (own?.mentions.length ?? 0) === 0) return item;
    const ids = new Map<string, string>();
    for (const mention of [...mentions, ...(own?.mentions ?? [])]) {
      ids.set(mention.standIn, await this.#meant(ctx, item, mention));
    }
    const relations = asset.fields.relations?.map((relation) => ({
      ...relation,
      targetId: ids.get(relation.targetId) ?? relation.targetId,
    }));
    return {
      sayer,
      kind,
      asset: relations ? { ...asset, fields: { ...asset.fields, relations } } : asset,
      own: own && { ...own, fields: withIds(own.fields, kind?.references ?? [], ids) },
    };
  }

  async #meant(ctx: Context, { meant }: ReadItem, mention: Mention): Promise<string> {
    const { handle, pointer } = mention;
    const key = meant.get(mention);
    const id = "ref" in handle ? this.#idOf(handle.ref) : key && (await ctx.db.lookup(assets, "identity", key))?.id;
    if (id !== undefined) return id;
    const message = "There is no such asset, neither in this import nor before.";
    throw new DependencyPending(invalidProperty(pointer, message, "invalid_reference"));
  }
}

/** Fields of a record with ids instead of placeholders. */
function withIds(
  fields: Readonly<Record<string, unknown>>,
  references: readonly AssetReference[],
  ids: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const id = (held: unknown) => (typeof held === "string" ? (ids.get(held) ?? held) : held);
  const named = references.filter(({ field }) => Object.hasOwn(fields, field));
  const changed = named.map(({ field }) => {
    const held = fields[field];
    return [field, Array.isArray(held) ? held.map(id) : id(held)];
  });
  return { ...fields, ...Object.fromEntries(changed) };
}
