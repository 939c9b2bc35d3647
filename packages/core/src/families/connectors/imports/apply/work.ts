import {
  assets,
  createItem,
  moveLifecycle,
  prefetchItems,
  type ReadItem,
  readItem,
  updateItem,
} from "#families/estate/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { stopBatch } from "#kernel/pipeline/batch/attempt.js";
import type { BatchTurn, BatchWork } from "#kernel/pipeline/batch/work.js";
import type { Content } from "../plan/content.js";
import { sharedOf } from "../plan/missing.js";
import { connectorAssets, connectorImportItems, type ImportItemRecord, type ImportRun, subjectOf } from "../schema.js";
import { requireHeld } from "../step/continue.js";
import { changedItem, evidenceOf, joinedMetadata, metadataOf, newItem, type Observer } from "./item.js";

/** A line of a plan, read for the transaction that carries it out. */
export interface ReadLine {
  readonly line: ImportItemRecord;
  readonly content: Content | undefined;
  /** What is to be stored, for lines that create or update. */
  readonly item: ReadItem | undefined;
}

/** Where the lines come from. */
export interface Origin extends Observer {
  readonly connectorInstanceId: string;
  /** Which system their ids are of. */
  readonly target: string;
}

/**
 * Carries out lines of a plan, while this process holds their import. Each stores its asset, its provenance and its
 * result together, or nothing.
 */
export function applyWork(
  ctx: ReadContext,
  run: ImportRun,
  origin: Origin,
): BatchWork<ImportItemRecord, ReadLine, void> {
  return {
    async prepare(line) {
      const content = line.content === null ? undefined : (JSON.parse(line.content) as Content);
      const item = content && itemOf(line, content, origin);
      return { line, content, item: item && (await readItem(ctx, item, "connector")) };
    },
    async open(inner, lines) {
      await requireHeld(inner, run).catch(stopBatch);
      await prefetchItems(
        inner,
        lines.flatMap(({ item }) => item ?? []),
      );
      const known = lines.flatMap(({ line }) => line.assetId ?? []);
      if (known.length > 0) await inner.db.getMany(assets, [...new Set(known)]);
      const ending = lines.flatMap(({ line }) => (line.action === "retire" ? (line.assetId ?? []) : []));
      return new ApplyTurn(origin, await sharedOf(inner, ending));
    },
  };
}

function itemOf(line: ImportItemRecord, content: Content, origin: Origin) {
  if (line.action === "create") return newItem(content, origin);
  return line.action === "update" ? changedItem(content, line.differences, origin) : undefined;
}

class ApplyTurn implements BatchTurn<ReadLine, void> {
  constructor(
    private readonly origin: Origin,
    /** Assets that another connection has too, which therefore do not end with this one. */
    private readonly shared: ReadonlySet<string>,
  ) {}

  async one(ctx: Context, read: ReadLine): Promise<void> {
    const assetId = await this.#asset(ctx, read);
    const line = await ctx.getOrThrow(connectorImportItems, read.line.id);
    await ctx.update(connectorImportItems, line, { result: "done", assetId }, { event: false });
  }

  async #asset(ctx: Context, { line, content, item }: ReadLine): Promise<string> {
    const { assetId } = line;
    if (!content || assetId === null) {
      if (line.action !== "create" || !content || !item) return this.#retire(ctx, assetId as string);
      const { id } = await createItem(ctx, item);
      await this.#remember(ctx, line, content, id);
      return id;
    }
    if (item) await this.#update(ctx, line, content, item);
    else await updateItem(ctx, assetId, observationOf(evidenceOf(content, this.origin)));
    await this.#remember(ctx, line, content, assetId);
    return assetId;
  }

  async #retire(ctx: Context, assetId: string): Promise<string> {
    if (this.shared.has(assetId)) return assetId;
    const asset = await ctx.getOrThrow(assets, assetId);
    await moveLifecycle(ctx, asset, "retired", { reason: "The system that it was imported from has it no more." });
    return assetId;
  }

  async #update(ctx: Context, line: ImportItemRecord, content: Content, item: ReadItem): Promise<void> {
    const asset = await ctx.getOrThrow(assets, line.assetId as string);
    const link = await this.#link(ctx, line);
    const before = link ? metadataOf(JSON.parse(link.content) as Content) : {};
    const metadata = joinedMetadata(asset.metadata, before, metadataOf(content));
    const { externalRef: _same, source: _kept, ...fields } = item.asset.fields;
    const given = { ...item.asset, fields, free: { ...item.asset.free, metadata } };
    await updateItem(ctx, asset.id, { ...item, asset: given });
  }

  async #link(ctx: Context, line: ImportItemRecord) {
    const { connectorInstanceId } = this.origin;
    return (await ctx.db.lookup(connectorAssets, "subject", { connectorInstanceId, subject: subjectOf(line) }))?.value;
  }

  /** Keeps where an asset comes from, and what the target says of it now. */
  async #remember(ctx: Context, line: ImportItemRecord, content: Content, assetId: string): Promise<void> {
    const held = await this.#link(ctx, line);
    const { target } = this.origin;
    const said = { content: JSON.stringify(content), importId: line.importId, assetId, target };
    if (held) await ctx.update(connectorAssets, held, said, { event: false });
    else
      await ctx.insert(
        connectorAssets,
        {
          connectorInstanceId: this.origin.connectorInstanceId,
          assetType: line.assetType,
          externalId: line.externalId,
          ...said,
        },
        { event: false },
      );
  }
}

const observationOf = (evidence: ReturnType<typeof evidenceOf>) => ({
  sayer: "connector" as const,
  kind: undefined,
  asset: { fields: { evidence }, free: {}, status: undefined, reason: undefined },
  own: undefined,
});
