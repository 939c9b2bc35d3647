import type { DiscoveredAsset, LeftOutPart, ListedPage, RejectedItem } from "#connectors/index.js";
import { type Asset, assets, ENVIRONMENTS, likenessOf, noteFound, noteUse } from "#families/estate/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import { canonical } from "#kernel/events/canonical.js";
import type { Context } from "#kernel/operation/context.js";
import type { Draft } from "#kernel/records/stamps.js";
import { EventLoopYielder } from "#store/event-loop.js";
import type { Where } from "#store/find-query.js";
import { evidenceOf, type Observer } from "../apply/item.js";
import { leftOutWith } from "../listing-fields.js";
import { asksFor } from "../rules.js";
import {
  type Action,
  type ConnectorAsset,
  type ConnectorImport,
  connectorAssets,
  connectorImportItems,
  type ImportItemRecord,
  subjectOf,
} from "../schema.js";
import { type Content, differencesOf, providerOf, readContent, type Unusable } from "./content.js";

/** The most assets of one name that are offered as what a find may be. */
const CANDIDATES = 5;

type ItemDraft = Draft<ImportItemRecord>;

/** What a page of a listing adds to a plan. */
export interface PlannedPage {
  readonly drafts: readonly ItemDraft[];
  readonly rejected: readonly RejectedItem[];
}

/** Which system a page is of. */
interface Listed {
  readonly name: string;
  readonly target: string;
}

/** Plans a page of a listing, with a few queries for all of it. Notes what was seen of assets of this instance. */
export async function planPage(
  ctx: Context,
  job: ConnectorImport,
  system: Listed,
  { items: listed, warnings }: Pick<ListedPage<DiscoveredAsset>, "items" | "warnings">,
): Promise<PlannedPage> {
  const { id: importId, connectorInstanceId, startedAt } = job;
  const [read, yielder] = [[] as (Content | Unusable)[], new EventLoopYielder()];
  for (const each of listed) {
    if (yielder.isDue) await yielder.pass();
    read.push(readContent(each));
  }
  const usable = read.filter((one): one is Content => !("reason" in one));
  const wanted = usable.filter((content) => asksFor(job, content));
  const contents = await onceEach(ctx, importId, wanted);
  const known = await knownOf(ctx, connectorInstanceId, contents);
  const isOurs = (link: ConnectorAsset) => link.target === system.target;
  const seen = [...known.links.values()].filter(isOurs).flatMap(({ assetId }) => known.assets.get(assetId) ?? []);
  await noteUse(ctx, seen);
  for (const content of contents) {
    const link = known.links.get(subjectOf(content));
    if (link && isOurs(link)) await noteMoved(ctx, link, content, { name: system.name, at: startedAt ?? ctx.now });
  }
  const unknown = contents.filter((content) => !known.links.has(subjectOf(content)));
  const matches = await matchesOf(ctx, unknown, (content) => providerOf(content, system));
  const drafts: ItemDraft[] = [];
  for (const content of contents) {
    if (yielder.isDue) await yielder.pass();
    const link = known.links.get(subjectOf(content));
    // What is retired here and still there, or there again, is in use without anybody who governs it.
    const isUndecided = link && (!isOurs(link) || known.assets.get(link.assetId)?.status === "retired");
    const plan = !link ? planUnknown(matches, content) : isUndecided ? planUndecided(link) : planKnown(link, content);
    drafts.push({
      ...plan,
      importId,
      ...itemOf(content, warnings),
      ...NO_RESULT,
      content: JSON.stringify(content),
    });
  }
  const unusable = read.flatMap((one, at) => ("reason" in one ? [{ ...namedBy(listed[at]), reason: one.reason }] : []));
  const again = wanted.length - contents.length;
  return { drafts, rejected: [...unusable, ...Array.from({ length: again }, () => ({ reason: TWICE }))] };
}

/** Parts of one item that are kept. */
const PARTS = 20;

/** What the connector and the import have left out of one item. */
const leftOutOf = ({ externalId, leftOut = [] }: Content, warnings: readonly LeftOutPart[]) =>
  leftOutWith([], {
    rejected: [],
    warnings: [
      ...warnings.filter((one) => one.externalId === externalId),
      ...leftOut.map(({ part, reason }) => ({ externalId, part: part ?? "", reason })),
    ].slice(0, PARTS),
  }).map(({ part, reason }) => ({ part, reason }));

const TWICE = "The listing names it twice.";

function namedBy(given: DiscoveredAsset | undefined): Pick<RejectedItem, "externalId"> {
  const externalId: unknown = given?.externalId;
  return typeof externalId === "string" ? { externalId } : {};
}

/** Keeps where something is found now. It is as before, so that nobody is asked to confirm it. */
async function noteMoved(ctx: Context, link: ConnectorAsset, { found }: Content, observer: Observer): Promise<void> {
  const before = JSON.parse(link.content) as Content;
  if (!found || found.length === 0 || canonical(found) === canonical(before.found ?? [])) return;
  await noteFound(ctx, link.assetId, evidenceOf({ found }, observer));
  await ctx.update(connectorAssets, link, { content: JSON.stringify({ ...before, found }) }, { event: false });
}

const NO_RESULT = { result: null, error: null } as const;

const itemOf = (content: Content, warnings: readonly LeftOutPart[]) => {
  const { externalId, assetType, name } = content;
  return { externalId, assetType, name, leftOut: leftOutOf(content, warnings) };
};

/** The first of each subject. What the listing names again is left out. */
async function onceEach(ctx: Context, importId: string, contents: readonly Content[]): Promise<Content[]> {
  const distinct = [...new Map([...contents].reverse().map((content) => [subjectOf(content), content])).values()];
  const keys = distinct.map((content) => ({ importId, subject: subjectOf(content) }));
  const there = keys.length > 0 ? await ctx.db.lookupMany(connectorImportItems, "subject", keys) : [];
  return distinct.filter((_content, at) => !there[at]).reverse();
}

interface Known {
  readonly links: ReadonlyMap<string, ConnectorAsset>;
  readonly assets: ReadonlyMap<string, Asset>;
}

/** What this instance has brought before, without what has been deleted since. */
async function knownOf(ctx: Context, connectorInstanceId: string, contents: readonly Content[]): Promise<Known> {
  const keys = contents.map((content) => ({ connectorInstanceId, subject: subjectOf(content) }));
  const rows = keys.length > 0 ? await ctx.db.lookupMany(connectorAssets, "subject", keys) : [];
  const links = rows.flatMap((row) => (row ? [row.value] : []));
  const there = links.length > 0 ? await ctx.db.getMany(assets, [...new Set(links.map(({ assetId }) => assetId))]) : [];
  const byId = new Map(there.map(({ id, value }) => [id, value]));
  const alive = links.filter(({ assetId }) => byId.has(assetId));
  return { links: new Map(alive.map((link) => [subjectOf(link), link])), assets: byId };
}

interface Matches {
  readonly byKey: ReadonlyMap<Content, readonly string[]>;
  readonly byName: ReadonlyMap<string, readonly string[]>;
  /** Assets that another instance has brought. */
  readonly elsewhere: ReadonlySet<string>;
}

async function matchesOf(
  ctx: Context,
  contents: readonly Content[],
  providerOf: (content: Content) => string,
): Promise<Matches> {
  if (contents.length === 0) return { byKey: new Map(), byName: new Map(), elsewhere: new Set() };
  const keys = contents.flatMap((content) => keysOf(content, providerOf(content)));
  const rows = await inChunks(keys, (some) =>
    ctx.db.lookupMany(
      assets,
      "identity",
      some.map(({ key }) => key),
    ),
  );
  const byKey = new Map<Content, string[]>();
  for (const [at, row] of rows.entries())
    if (row) byKey.set((keys[at] as Keyed).content, [...(byKey.get((keys[at] as Keyed).content) ?? []), row.id]);
  const names = [...new Set(contents.filter((content) => !byKey.has(content)).map(likenessOf))];
  const alike =
    names.length > 0
      ? await ctx.db.findTopPerKey(assets, { field: "likeness", values: names, size: CANDIDATES })
      : new Map();
  const byName = new Map([...alike].map(([name, found]) => [name, found.map(({ id }: { id: string }) => id)]));
  const ids = [...new Set([...byKey.values()].flat())];
  const links =
    ids.length > 0
      ? await ctx.db.findTopPerKey(connectorAssets, { field: "assetId", values: ids, size: 1 })
      : new Map();
  const elsewhere = new Set([...links].flatMap(([id, found]) => (found.length > 0 ? [id] : [])));
  return { byKey, byName, elsewhere };
}

interface Keyed {
  readonly content: Content;
  readonly key: Where;
}

/** The natural keys that an asset may have here. A target that names no environment may mean any. */
function keysOf(content: Content, provider: string): Keyed[] {
  const { assetType, externalId, environment } = content;
  const environments = environment === undefined ? ENVIRONMENTS : [environment];
  return environments.map((each) => ({ content, key: { assetType, provider, externalId, environment: each } }));
}

type Plan = Pick<ImportItemRecord, "action" | "assetId" | "matchedBy" | "candidates" | "differences">;

const plan = (action: Action, more: Partial<Plan> = {}): Plan => ({
  action,
  assetId: null,
  matchedBy: null,
  candidates: [],
  differences: [],
  ...more,
});

function planKnown({ assetId, content }: ConnectorAsset, found: Content): Plan {
  const differences = differencesOf(JSON.parse(content) as Content, found);
  return plan(differences.length > 0 ? "update" : "unchanged", { assetId, matchedBy: "provenance", differences });
}

/** An id of another system may mean anything here, and only people bring back what is retired. */
function planUndecided({ assetId }: ConnectorAsset): Plan {
  return plan("conflict", { matchedBy: "provenance", candidates: [assetId] });
}

/** What another instance has brought, or what has the same name, is never taken over without a decision. */
function planUnknown({ byKey, byName, elsewhere }: Matches, content: Content): Plan {
  const [assetId, ...more] = byKey.get(content) ?? [];
  if (assetId !== undefined)
    return more.length > 0 || elsewhere.has(assetId)
      ? plan("conflict", { matchedBy: "external_id", candidates: [assetId, ...more] })
      : plan("link", { matchedBy: "external_id", assetId });
  const candidates = byName.get(likenessOf(content)) ?? [];
  return candidates.length > 0 ? plan("conflict", { matchedBy: "name", candidates: [...candidates] }) : plan("create");
}
