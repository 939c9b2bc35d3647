import { inChunks } from "#kernel/async/in-chunks.js";
import type { Context } from "#kernel/operation/context.js";
import { dayOf } from "#ports/clock.js";
import { sha256 } from "#store/chain.js";
import type { Installation } from "../installations/schema.js";
import type { Use } from "./read/uses.js";
import { bothSums, type Cell, LIMITS, NO_USE, type Sums, withUse } from "./rules.js";
import { type UsageRow, usageRows } from "./schema.js";
import { Seen } from "./seen-calls.js";

/** What became of the calls of an export. */
export interface Counted {
  readonly counted: number;
  readonly repeated: number;
  readonly tooManyCalls: number;
  readonly tooManyNames: number;
  /** What the installation was not known to use on that day. */
  readonly cells: readonly Cell[];
}

/** How much of a day is used up. */
export interface Room {
  readonly calls: number;
  readonly names: number;
}

interface Added {
  readonly cell: Cell;
  sums: Sums;
}

/** Adds calls to the sums of their days, each once, with a few queries for all of them. */
export async function recordUses(
  ctx: Context,
  installation: Installation,
  uses: readonly Use[],
  used: Room,
): Promise<Counted> {
  const taken = uses.slice(0, LIMITS.callsOfExport);
  const seen = await Seen.of(ctx, installation.id, taken);
  const fresh = freshOf(taken, seen);
  const ids = new Set(fresh.map((use) => idOf(cellOf(use, installation, installation.id))));
  const known = await rowsOf(ctx, [...ids]);
  const room = { calls: Math.max(0, LIMITS.calls - used.calls), names: Math.max(0, LIMITS.names - used.names) };
  const named = new Set([...ids].filter((id) => !known.has(id)).slice(0, room.names));
  const fits = fresh.filter((use) => {
    const id = idOf(cellOf(use, installation, installation.id));
    return known.has(id) || named.has(id);
  });
  const counted = fits.slice(0, room.calls);
  for (const use of counted) for (const key of keysToKeep(use)) seen.add(use.at, key);
  const cells = await store(ctx, installation, counted, known);
  await seen.store(ctx);
  return {
    counted: counted.length,
    repeated: taken.length - fresh.length,
    tooManyCalls: uses.length - taken.length + fits.length - counted.length,
    tooManyNames: fresh.length - fits.length,
    cells,
  };
}

/** Calls that were not counted before, nor stand twice in this export. A run counts if no call of its trace is known. */
function freshOf(uses: readonly Use[], seen: Seen): Use[] {
  const noted = new Set<string>();
  const isKnown = (at: string, key: string) => noted.has(key) || seen.has(at, key);
  const isNews = (use: Use) => {
    if (use.keys.some((key) => isKnown(use.at, key))) return false;
    for (const key of keysToKeep(use)) noted.add(key);
    return true;
  };
  const calls = uses.filter((use) => use.kind !== "run" && isNews(use));
  const traces = new Set(uses.flatMap(({ kind, traceKey }) => (kind === "model" && traceKey ? [traceKey] : [])));
  const isAlone = ({ traceKey, at }: Use) => traceKey === null || !(traces.has(traceKey) || isKnown(at, traceKey));
  const runs = uses.filter((use) => use.kind === "run" && isAlone(use) && isNews(use));
  return [...calls, ...runs];
}

/** A trace is known once a call or the run itself has counted. */
const keysToKeep = ({ keys, traceKey }: Use) => (traceKey === null ? keys : [...keys, traceKey]);

function cellOf(use: Use, { agentId, team }: Installation, installationId: string | null): Cell {
  const { kind, provider, model, tool, server, at } = use;
  const whose = installationId === null ? { installationId, team: null } : { installationId, team };
  return { day: `${dayOf(at)}T00:00:00.000Z`, ...whose, agentId, kind, provider, model, tool, server };
}

const idOf = (cell: Cell): string =>
  sha256(JSON.stringify(Object.entries(cell).sort(([one], [other]) => (one < other ? -1 : 1))));

async function rowsOf(ctx: Context, ids: readonly string[]): Promise<ReadonlyMap<string, UsageRow>> {
  const rows = await inChunks(ids, (some) => ctx.db.getMany(usageRows, some));
  return new Map(rows.map(({ id, value }) => [id, value]));
}

async function store(
  ctx: Context,
  installation: Installation,
  uses: readonly Use[],
  known: ReadonlyMap<string, UsageRow>,
): Promise<readonly Cell[]> {
  const added = new Map<string, Added>();
  for (const use of uses)
    for (const of of [installation.id, null]) {
      const cell = cellOf(use, installation, of);
      const id = idOf(cell);
      const before = added.get(id) ?? { cell, sums: NO_USE };
      added.set(id, { cell, sums: withUse(before.sums, use) });
    }
  const ofTenant = [...added].flatMap(([id, { cell }]) => (cell.installationId === null ? [id] : []));
  const rows = new Map([...known, ...(await rowsOf(ctx, ofTenant))]);
  const fresh = [...added].filter(([id]) => !rows.has(id));
  await ctx.insertMany(
    usageRows,
    fresh.map(([id, { cell, sums }]) => ({ id, ...cell, ...sums })),
    { event: false },
  );
  for (const [id, { sums }] of added) {
    const row = rows.get(id);
    if (row) await ctx.update(usageRows, row, bothSums(row, sums), { event: false });
  }
  return fresh.flatMap(([, { cell }]) => (cell.installationId === null ? [] : [cell]));
}
