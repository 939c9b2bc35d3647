import type { JsonObject } from "#kernel/http/json-guard.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Raw } from "#kernel/records/outcome.js";
import { dayOf } from "#ports/clock.js";
import { noteSeen, requireInstallation } from "../installations/credentials/own.js";
import type { Installation } from "../installations/schema.js";
import { judgeServers } from "./judge-servers.js";
import { noteAgents, noteSightings } from "./note-sightings.js";
import { pointsOf } from "./read/flatten-export.js";
import { readUses } from "./read/read-uses.js";
import type { Reading } from "./read/uses.js";
import { type Counted, recordUses } from "./record-uses.js";
import { withPlainNames } from "./resolve-hashes.js";
import { LIMITS } from "./rules.js";
import { type Drop, type TelemetryDay, telemetryDays } from "./schema.js";
import type { Signal } from "./wire/message-fields.js";
import { answerWriter, type Rejection } from "./wire/write-answer.js";

/** An export that was read before its transaction, and how it is answered. */
export interface TakenExport {
  readonly reading: Reading;
  /** Points of metrics, which are not read. */
  readonly points: number;
  readonly answer: (rejection: Rejection) => Raw;
}

const NOTHING: Reading = { uses: [], agents: [], records: 0, otherRecords: 0, droppedAttributes: 0, dialects: [] };
/** The most dialects of a day that are named. */
const DIALECTS = 20;

/** Reads an export of the calling installation, and forgets all of it but its calls. */
export async function readExport(ctx: ReadContext, signal: Signal, body: JsonObject): Promise<TakenExport> {
  const installation = await requireInstallation(ctx);
  const isMetrics = signal === "metrics";
  const reading = isMetrics ? NOTHING : await readUses(signal, body, ctx.request.nowMs);
  return {
    reading: { ...reading, uses: await withPlainNames(ctx, installation, reading.uses) },
    points: isMetrics ? pointsOf(body) : 0,
    answer: await answerWriter(signal, String(body.media ?? "")),
  };
}

/** Counts an export of the calling installation, and answers what of it was not counted. */
export async function countExport(
  ctx: Context,
  signal: Signal,
  { reading, points, answer }: TakenExport,
): Promise<Raw> {
  const installation = await requireInstallation(ctx);
  await noteSeen(ctx, installation);
  const day = `${dayOf(ctx.now)}T00:00:00.000Z`;
  const before = (await ctx.db.lookup(telemetryDays, "day", { installationId: installation.id, day }))?.value;
  const used = { calls: before?.counted ?? 0, names: before?.names ?? 0 };
  const counted = await recordUses(ctx, installation, reading.uses, used);
  await noteSightings(ctx, installation, counted.cells);
  const room = LIMITS.names - used.names - counted.cells.length;
  const newAgents = await noteAgents(ctx, installation, reading.agents, room);
  await judgeServers(ctx, installation, counted.cells);
  const drops: Record<Drop, number> = {
    too_many_calls: counted.tooManyCalls,
    too_many_names: counted.tooManyNames,
    unread_metrics: points,
  };
  const named = withExport(before ?? emptyDay(installation, day, ctx.now), signal, reading, counted, drops, ctx.now);
  const after = { ...named, names: named.names + newAgents };
  const { id: _, version: __, createdAt: ___, ...fields } = after;
  if (before) await ctx.update(telemetryDays, before, fields, { event: false });
  else await ctx.insert(telemetryDays, fields, { event: false });
  return answer(rejectionOf(drops));
}

const NO_EXPORTS = { exports: 0, records: 0, lastAt: null };

function emptyDay({ id: installationId }: Installation, day: string, now: string): TelemetryDay {
  return {
    ...{ id: "", version: 1, createdAt: now, day, installationId, lastReceivedAt: now },
    signals: { logs: NO_EXPORTS, traces: NO_EXPORTS, metrics: NO_EXPORTS },
    ...{ counted: 0, repeated: 0, otherRecords: 0, droppedAttributes: 0, dropped: [], names: 0, dialects: [] },
  };
}

function withExport(
  before: TelemetryDay,
  signal: Signal,
  reading: Reading,
  { counted, repeated, cells }: Counted,
  drops: Record<Drop, number>,
  now: string,
): TelemetryDay {
  const { exports, records } = before.signals[signal];
  const more = { exports: exports + 1, records: records + reading.records + drops.unread_metrics, lastAt: now };
  const dropped = (Object.entries(drops) as [Drop, number][]).map(([reason, count]) => ({
    reason,
    count: count + (before.dropped.find((one) => one.reason === reason)?.count ?? 0),
  }));
  const news = reading.dialects.filter(
    (one) => !before.dialects.some(({ name, version }) => name === one.name && version === one.version),
  );
  return {
    ...before,
    lastReceivedAt: now,
    signals: { ...before.signals, [signal]: more },
    counted: before.counted + counted,
    repeated: before.repeated + repeated,
    otherRecords: before.otherRecords + reading.otherRecords,
    droppedAttributes: before.droppedAttributes + reading.droppedAttributes,
    dropped: dropped.filter(({ count }) => count > 0),
    names: before.names + cells.length,
    dialects: [...before.dialects, ...news].slice(0, DIALECTS),
  };
}

/** Exporters log this. Points of metrics are no loss, since calls are counted from logs and spans. */
function rejectionOf({
  too_many_calls: calls,
  too_many_names: names,
  unread_metrics: points,
}: Record<Drop, number>): Rejection {
  const said = [
    ...(calls > 0 ? [`${calls} calls are beyond the limit of ${LIMITS.calls} a day.`] : []),
    ...(names > 0 ? [`${names} calls are of more than ${LIMITS.names} models, tools and servers a day.`] : []),
    ...(points > 0 ? ["Metrics are not read: calls are counted from logs and spans."] : []),
  ];
  return { rejected: calls + names, message: said.join(" ") };
}
