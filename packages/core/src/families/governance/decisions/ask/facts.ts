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

/** What is known of those that requests name. */
export interface Facts {
  /** Assets by the ids that name them: their own, or their records'. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** Whether they may be used, by the ids of the assets. */
  readonly effective: ReadonlyMap<string, EffectiveDecision>;
  readonly sessions: ReadonlyMap<string, Session>;
  /** What switches stop beside single assets, by the type that is asked about. */
  readonly switched: Readonly<Record<"other" | "agent" | "mcp_server", string | undefined>>;
}

/** Whether an id has the shape of an asset's or of its record's, so that it must name one. */
export function namesAsset(id: string): boolean {
  return isIdOf(assets, id) || RECORD_KINDS.some(({ collection }) => isIdOf(collection, id));
}

/** The sessions that a request names: that of its context, and the subject where it is one. */
export function sessionsOf({ subject, context }: Ask): readonly string[] {
  const named = context.sessionId === undefined ? [] : [String(context.sessionId)];
  return subject.type === "session" || isIdOf(sessions, subject.id) ? [...named, subject.id] : named;
}

/** Reads all that requests name: one question for each kind of record, however many requests there are. */
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

/** Assets by the ids that name them: their own, or their records'. At most 1,000. */
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
