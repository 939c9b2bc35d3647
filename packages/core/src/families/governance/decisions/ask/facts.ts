import {
  ASSET_TYPES,
  type Asset,
  assets,
  type EffectiveDecision,
  type Graph,
  RECORD_KINDS,
  surveyOf,
} from "#families/estate/index.js";
import { type Session, sessions } from "#families/sessions/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { isIdOf, resemblesIdOf } from "#store/collection.js";
import { type Snapshot, snapshotsOfAssets } from "../../snapshots/take/snapshots.js";
import type { Source } from "../../snapshots/take/surroundings.js";
import type { Ask } from "./request.js";

/** The stored data about what requests name. */
export interface Facts {
  /** Assets by the ids in requests, which may be those of typed records. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** The assets with what they depend on. */
  readonly graph: Graph;
  /** Effective decisions, by asset id. */
  readonly effective: ReadonlyMap<string, EffectiveDecision>;
  /** Values of typed records by asset id, when a rule reads them. */
  readonly specs: ReadonlyMap<string, object>;
  readonly sessions: ReadonlyMap<string, Session>;
  /** What stops more than one asset, by the type of subject or resource. */
  readonly switched: Readonly<Record<"other" | "agent" | "mcp_server", string | undefined>>;
}

/** Whether an id would have the form of an asset's or typed record's id in other letters or without blanks. */
export function resemblesAsset(id: string): boolean {
  return resemblesIdOf(assets, id) || RECORD_KINDS.some(({ collection }) => resemblesIdOf(collection, id));
}

const TYPES = new Map<string, Asset["assetType"]>(ASSET_TYPES.map((type) => [lettersOf(type), type]));

/** The type of assets that a text means, in any spelling: `MCP-Server` is `mcp_server`. */
export const assetTypeOf = (type: string): Asset["assetType"] | undefined => TYPES.get(lettersOf(type));

function lettersOf(type: string): string {
  return nameOf(type)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** The ids of sessions in a request: in its context, and as its subject. */
export function sessionsOf({ subject, context }: Ask): readonly string[] {
  const named = context.sessionId === undefined ? [] : [String(context.sessionId)];
  return subject.type === "session" || resemblesIdOf(sessions, subject.id) ? [...named, subject.id] : named;
}

/**
 * Reads everything that requests name, with one query per kind of record, and values of typed records if rules read
 * them.
 */
export async function factsOf(ctx: ReadContext, asks: readonly Ask[], readsSpecs: boolean): Promise<Facts> {
  const sessionIds = [...new Set(asks.flatMap(sessionsOf))].filter((id) => isIdOf(sessions, id));
  const found = sessionIds.length > 0 ? await ctx.db.getMany(sessions, sessionIds) : [];
  const known = new Map(found.map((row) => [row.id, ctx.derived(sessions, row)]));
  const actors = [...known.values()].flatMap(({ agentId, identityId }) => [agentId ?? [], identityId ?? []].flat());
  const named = [...new Set([...asks.flatMap(({ subject, resource }) => [subject.id, resource.id]), ...actors])];
  const byId = await assetsNamed(ctx, named);
  const all = [...new Map([...byId.values()].map((asset) => [asset.id, asset])).values()];
  const { graph, effective, stopOf } = await surveyOf(ctx, all);
  const snapshots = readsSpecs ? await snapshotsOfAssets(ctx, all) : new Map<string, Snapshot>();
  const specs = new Map([...snapshots].flatMap(([id, { spec }]) => (spec ? [[id, spec] as const] : [])));
  const stopped = (assetType: Asset["assetType"]) => stopOf({ id: null, assetType });
  const switched = { other: stopped("other"), agent: stopped("agent"), mcp_server: stopped("mcp_server") };
  return { assets: byId, graph, effective, specs, sessions: known, switched };
}

/** Assets by the given ids, which may be those of typed records. At most 1,000. */
export async function assetsNamed(source: Source, ids: readonly string[]): Promise<Map<string, Asset>> {
  const assetOf = new Map(ids.filter((id) => isIdOf(assets, id)).map((id) => [id, id]));
  for (const { collection } of RECORD_KINDS) {
    const own = ids.filter((id) => isIdOf(collection, id));
    if (own.length === 0) continue;
    for (const { id, value } of await source.db.getMany(collection, own)) assetOf.set(id, value.assetId);
  }
  const wanted = [...new Set(assetOf.values())];
  const rows = wanted.length > 0 ? await source.db.getMany(assets, wanted) : [];
  const found = new Map(rows.map((row) => [row.id, source.derived(assets, row)]));
  return new Map(
    [...assetOf].flatMap(([id, assetId]) => {
      const asset = found.get(assetId);
      return asset ? [[id, asset]] : [];
    }),
  );
}
