import { invalidProperty } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { type BatchTurn, type BatchWork, DependencyPending } from "#kernel/pipeline/batch/work.js";
import { assets } from "../../assets/schema.js";
import { type ReadItem, readItem } from "../read/item.js";
import type { Mention } from "../read/mentions.js";
import type { Imported } from "../schema.js";
import { ForeseenItems } from "./foreseen-items.js";
import { prefetch } from "./prefetch.js";
import { createItem, updateItem } from "./put.js";
import { contentOf, type NamedIds } from "./with-ids.js";

/** How a whole import is done. */
interface ImportManner {
  /** Undoes each transaction, and keeps in mind what it would have stored. */
  readonly dryRun?: boolean;
  /** Findings of the first evaluation of new assets are the baseline. */
  readonly baseline?: boolean;
}

/** The work of one import. `reading` gives the context for checks before a transaction. */
export function importWork(
  reading: () => ReadContext,
  { dryRun = false, baseline = false }: ImportManner = {},
): BatchWork<unknown, ReadItem, Imported> {
  // Ids of committed items by `ref`.
  const ids = new Map<string, string>();
  const foreseen = dryRun ? new ForeseenItems() : undefined;
  return {
    async prepare(input) {
      const item = await readItem(reading(), input);
      foreseen?.read(item, input);
      return item;
    },
    async open(ctx, items) {
      await prefetch(ctx, items);
      return new ImportTurn(ids, foreseen, baseline);
    },
  };
}

class ImportTurn implements BatchTurn<ReadItem, Imported> {
  /** Ids of items of this transaction by `ref`. */
  readonly #ids = new Map<string, string>();
  readonly #done: ReadItem[] = [];

  constructor(
    private readonly committedIds: Map<string, string>,
    private readonly foreseen: ForeseenItems | undefined,
    private readonly baseline: boolean,
  ) {}

  async one(ctx: Context, item: ReadItem): Promise<Imported> {
    const { ref } = item;
    if (ref !== undefined && (this.#ids.has(ref) || this.committedIds.has(ref)))
      throw invalidProperty("/ref", "Another item of this import has this name.");
    const ids = await this.#named(ctx, item);
    const content = ids.size === 0 ? item : contentOf(item, ids);
    const there = await ctx.db.lookup(assets, "identity", item.key);
    const done = there ? await updateItem(ctx, there.id, content) : await createItem(ctx, content, this.baseline);
    if (ref !== undefined) this.#ids.set(ref, done.id);
    if (!this.foreseen) return done;
    this.#done.push(item);
    return this.foreseen.outcomeOf(item, done, [...ids.values()].includes(null));
  }

  committed(): void {
    for (const [ref, id] of this.#ids) this.committedIds.set(ref, id);
    this.foreseen?.add(this.#done);
  }

  /** The ids of the assets that an item names. */
  async #named(ctx: Context, item: ReadItem): Promise<NamedIds> {
    const ids: NamedIds = new Map();
    for (const mention of [...item.mentions, ...(item.own?.mentions ?? [])]) {
      ids.set(mention.standIn, await this.#meant(ctx, item, mention));
    }
    return ids;
  }

  /** The id of the asset that is meant; `null` of one that an earlier transaction of a dry run would have stored. */
  async #meant(ctx: Context, { meant }: ReadItem, mention: Mention): Promise<string | null> {
    const { handle, pointer } = mention;
    const key = meant.get(mention);
    const id = "ref" in handle ? this.#ids.get(handle.ref) : key && (await ctx.db.lookup(assets, "identity", key))?.id;
    if (id !== undefined) return id;
    const stored = "ref" in handle ? this.committedIds.get(handle.ref) : undefined;
    if (this.foreseen && (key ? this.foreseen.has(key) : stored !== undefined)) return null;
    if (stored !== undefined) return stored;
    const message = "There is no such asset, neither in this import nor before.";
    throw new DependencyPending(invalidProperty(pointer, message, "invalid_reference"));
  }
}
