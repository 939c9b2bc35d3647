import { CHAIN_ENTITY, CHAIN_SUBJECT, headOf } from "#families/activity/index.js";
import { type AuditSink, optionsOf } from "#families/options.js";
import { inTime } from "#kernel/async/in-time.js";
import type { Environment } from "#kernel/config/environment.js";
import type { EventDocument } from "#kernel/config/options.js";
import { eventText } from "#kernel/events/events.js";
import type { Context } from "#kernel/operation/context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import type { Reader } from "#store/store.js";
import { isAlarming } from "../backlog/raise-alarm.js";
import { tenantsBehind } from "../backlog/tenants-behind.js";
import { type AuditPosition, auditPositions } from "./schema.js";

/** The most events that a sink gets together, and the most batches of one run. */
const BATCH = 100;
const MOST_BATCHES = 100;
/** How long a process reserves a sink. It is longer than a batch may take. */
const LEASE = minutesMs(3);
/** The pause after the first failure. Each further one is twice as long, up to the longest. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = minutesMs(5);

/**
 * Gives the sinks of the host the events of a tenant that they have not got yet, in order, each sink apart from the others.
 * It never gives up. Returns how many events were taken.
 */
export async function sendToSinks(env: Environment, tenantId: string, isOpen: () => boolean): Promise<number> {
  const { auditSinks } = optionsOf(env);
  const reader = env.store.forTenant(tenantId);
  const asked = auditSinks.map(({ name }) => ({ sink: name }));
  const [head, rows] = await Promise.all([headOf(reader), reader.lookupMany(auditPositions, "sink", asked)]);
  const now = timestamp(env.clock.now());
  const sent = auditSinks.map(async (sink, at) => {
    const position = rows[at]?.value;
    const isBehind = (position?.position ?? 0) < head;
    const restsUntil = position?.restsUntil ?? null;
    // A rest that is over ends, also where nothing is left to send.
    if (isBehind) env.use(tenantsBehind).add(tenantId);
    const isDue = restsUntil === null ? isBehind : restsUntil <= now;
    return isDue ? sendTo(env, reader, sink, position, isOpen) : 0;
  });
  return (await Promise.all(sent)).reduce((sum, one) => sum + one, 0);
}

async function sendTo(
  env: Environment,
  reader: Reader,
  sink: AuditSink,
  seen: AuditPosition | undefined,
  isOpen: () => boolean,
): Promise<number> {
  let sent = 0;
  let leased = await lease(env, reader.tenantId, sink, seen);
  for (let batch = 1; leased; batch += 1) {
    const events = await reader.scanEvents({ after: leased.position, size: BATCH });
    const documents = events.map((event) => JSON.parse(eventText(event)) as EventDocument);
    const failure = events.length === 0 ? undefined : await failureOf(env, sink, documents, reader.tenantId);
    if (failure === undefined) sent += events.length;
    else
      env.logger.warn({ sink: sink.name, tenantId: reader.tenantId, error: failure }, "an audit sink takes no events");
    const last = failure === undefined ? events.at(-1)?.sequence : undefined;
    const goesOn = last !== undefined && isOpen() && batch < MOST_BATCHES;
    leased = await note(env, reader.tenantId, leased, { last, hasFailed: failure !== undefined, goesOn });
  }
  return sent;
}

/** What went wrong, in the words of the sink; `undefined` when it has taken the events. */
async function failureOf(
  env: Environment,
  sink: AuditSink,
  events: readonly EventDocument[],
  tenantId: string,
): Promise<string | undefined> {
  try {
    await inTime(env.options.hostCallTimeoutMs, async () => sink.take(events, tenantId));
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** Reserves a sink for this process. `undefined` when another one has been faster. */
function lease(
  env: Environment,
  tenantId: string,
  { name }: AuditSink,
  seen: AuditPosition | undefined,
): Promise<AuditPosition | undefined> {
  return systemContext(env, tenantId, "audit").write(async (ctx) => {
    const held = (await ctx.db.lookup(auditPositions, "sink", { sink: name }))?.value;
    if (held?.version !== seen?.version) return undefined;
    const restsUntil = timestamp(ctx.request.nowMs + LEASE);
    if (held) return ctx.update(auditPositions, held, { restsUntil });
    return ctx.insert(auditPositions, {
      sink: name,
      position: 0,
      failures: 0,
      failingSince: null,
      alarmedAt: null,
      restsUntil,
    });
  });
}

interface Outcome {
  readonly last: number | undefined;
  readonly hasFailed: boolean;
  readonly goesOn: boolean;
}

function note(
  env: Environment,
  tenantId: string,
  leased: AuditPosition,
  { last, hasFailed, goesOn }: Outcome,
): Promise<AuditPosition | undefined> {
  return systemContext(env, tenantId, "audit").write(async (ctx) => {
    const held = (await ctx.db.get(auditPositions, leased.id))?.value;
    // Its lease was over, and another process has gone on.
    if (held?.version !== leased.version) return undefined;
    const at = (ms: number) => timestamp(ctx.request.nowMs + ms);
    if (hasFailed) {
      const failures = held.failures + 1;
      const pause = Math.min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE);
      const failingSince = held.failingSince ?? ctx.now;
      const alarms = isAlarming(ctx, held, failingSince);
      await ctx.update(auditPositions, held, {
        ...{ failures, failingSince, restsUntil: at(pause) },
        ...(alarms ? { alarmedAt: ctx.now } : {}),
      });
      if (alarms) await alarm(ctx, held, failingSince);
      return undefined;
    }
    const position = last ?? held.position;
    const restsUntil = goesOn ? at(LEASE) : last === undefined ? null : ctx.now;
    const works = { failures: 0, failingSince: null, alarmedAt: null };
    const next = await ctx.update(auditPositions, held, { position, ...works, restsUntil });
    return goesOn ? next : undefined;
  });
}

/** The event names no sink: its name tells where the host has it. */
async function alarm(ctx: Context, { sink, position }: AuditPosition, failingSince: string): Promise<void> {
  const { tenantId } = ctx.db;
  ctx.env.logger.warn({ sink, tenantId, failingSince, position }, "an audit sink is behind for long");
  await ctx.emit({
    type: "audit.sink_behind",
    severity: "WARN",
    subject: CHAIN_SUBJECT,
    data: { entity: CHAIN_ENTITY, failingSince, position },
  });
}
