import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { isIdOf } from "../../../../store/collection.js";
import {
  type Asset,
  assets,
  type EffectiveDecision,
  effectiveOf,
  effectiveOfAll,
  RECORD_KINDS,
} from "../../../estate/index.js";
import { type Session, sessions } from "../../../sessions/index.js";
import type { Source } from "../../snapshots/take/surroundings.js";
import type { Ask } from "./request.js";

/** The stored data about what requests name. */
export interface Facts {
  /** Assets by the ids in requests, which may be those of typed records. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** Effective decisions, by asset id. */
  readonly effective: ReadonlyMap<string, EffectiveDecision>;
  readonly sessions: ReadonlyMap<string, Session>;
  /** Engaged kill switches for more than one asset, by the type of subject or resource. */
  readonly switched: Readonly<Record<"other" | "agent" | "mcp_server", string | undefined>>;
}

/** Whether an id has the form of an asset's or typed record's id, so that it must name one. */
export function namesAsset(id: string): boolean {
  return isIdOf(assets, id) || RECORD_KINDS.some(({ collection }) => isIdOf(collection, id));
}

/** The ids of sessions in a request: in its context, and as its subject. */
export function sessionsOf({ subject, context }: Ask): readonly string[] {
  const named = context.sessionId === undefined ? [] : [String(context.sessionId)];
  return subject.type === "session" || isIdOf(sessions, subject.id) ? [...named, subject.id] : named;
}

/** Reads everything that requests name, with one query per kind of record. */
export async function factsOf(ctx: ReadContext, asks: readonly Ask[]): Promise<Facts> {
  const sessionIds = [...new Set(asks.flatMap(sessionsOf))].filter((id) => isIdOf(sessions, id));
  const found = sessionIds.length > 0 ? await ctx.db.getMany(sessions, sessionIds) : [];
  const known = new Map(found.map((row) => [row.id, ctx.derived(sessions, row)]));
  const agents = [...known.values()].flatMap(({ agentId }) => agentId ?? []);
  const named = [...new Set([...asks.flatMap(({ subject, resource }) => [subject.id, resource.id]), ...agents])];
  const byId = await assetsNamed(ctx, named);
  const [other, agent, server] = [
    await effectiveOf(ctx, null, "other"),
    await effectiveOf(ctx, null, "agent"),
    await effectiveOf(ctx, null, "mcp_server"),
  ];
  return {
    assets: byId,
    effective: await effectiveOfAll(ctx, [...new Map([...byId.values()].map((asset) => [asset.id, asset])).values()]),
    sessions: known,
    switched: { other: other.reasons[0], agent: agent.reasons[0], mcp_server: server.reasons[0] },
  };
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
