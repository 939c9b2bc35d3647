import { type Asset, assets } from "#families/estate/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { StoredEvent } from "#store/index.js";
import { type Selector, selectedAssets } from "../../policies/compile/selectors.js";
import { snapshotsOfAssets } from "../../snapshots/take/snapshots.js";
import type { Exemption } from "../schema.js";

/** Events of one page, and the most pages that are looked at for one asset. */
const PAGE = 100;
const MOST_PAGES = 10;

/**
 * Which of the assets that a selector matches now it matched when its exemption was approved. Whoever is concerned may
 * change what a selector reads, so what has moved into it since, or is new, takes a decision of its own. The trail tells
 * what an asset was; one whose trail does not tell is not taken in.
 */
export async function heldAtDecision(
  ctx: ReadContext,
  { id, approvedAt }: Pick<Exemption, "id" | "approvedAt">,
  selector: Selector,
  matching: ReadonlySet<string>,
): Promise<Set<string>> {
  if (approvedAt === null || matching.size === 0) return new Set();
  const rows = await inChunks([...matching], (some) => ctx.db.getMany(assets, some));
  const there = rows.map(({ value }) => value).filter(({ createdAt }) => createdAt <= approvedAt);
  const held = new Set(there.filter(({ updatedAt }) => updatedAt < approvedAt).map((asset) => asset.id));
  const changed = there.filter((asset) => !held.has(asset.id));
  const decided = changed.length > 0 ? await decisionOn(ctx, id) : undefined;
  if (decided === undefined) return held;
  const before: Asset[] = [];
  for (const asset of changed) before.push(...(await assetAt(ctx, asset, decided, readsRecords(selector))));
  for (const one of await selectedAssets(ctx, selector, await snapshotsOfAssets(ctx, before))) held.add(one);
  return held;
}

const readsRecords = ({ expression }: Selector) => expression != null && /\bspec\b/.test(expression);

/** The place in the trail at which an exemption was approved. `undefined` where the trail does not tell. */
async function decisionOn(ctx: ReadContext, exemptionId: string): Promise<number | undefined> {
  const { events } = await ctx.db.events({ stream: exemptionId, size: PAGE });
  return events.find((event) => typeOf(event) === "exemption.status.changed" && dataOf(event)?.to === "approved")
    ?.sequence;
}

/** An asset as it was at a place in the trail: none where it was not there, or nothing tells. */
async function assetAt(ctx: ReadContext, now: Asset, sequence: number, withRecord: boolean): Promise<Asset[]> {
  const asset = { ...now } as Record<string, unknown>;
  let before: number | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { stream: now.id, size: PAGE, ...(before === undefined ? {} : { before }) };
    const { events, next } = await ctx.db.events(query);
    for (const event of events) {
      if (event.sequence <= sequence) return [asset as unknown as Asset];
      const data = dataOf(event);
      if (data === undefined || typeOf(event) === "asset.created") return [];
      const isOwn = data.entity?.id === now.id;
      if (isOwn) undo(asset, event, data);
      else if (withRecord && data.changes !== undefined) return [];
    }
    if (next === undefined) return [asset as unknown as Asset];
    before = next;
  }
  return [];
}

interface Reported {
  readonly entity?: { readonly id?: string };
  readonly changes?: readonly { readonly field: string; readonly from: unknown }[];
  readonly from?: string;
  readonly to?: string;
}

function undo(asset: Record<string, unknown>, event: StoredEvent, { changes = [], from }: Reported): void {
  for (const change of changes) asset[change.field] = change.from;
  if (typeOf(event) === "asset.lifecycle.changed") asset.status = from;
  if (typeOf(event) === "asset.governance_state.changed") asset.governanceState = from;
}

const dataOf = ({ data }: StoredEvent) => (data === null ? undefined : (JSON.parse(data) as Reported));

const typeOf = ({ attributes }: StoredEvent) =>
  (JSON.parse(attributes) as { type: string }).type.replace(/^reeve\.|\.v\d+$/g, "");
