import { killSwitches, tenants } from "#families/platform/index.js";
import { chunksOf, inChunks } from "#kernel/async/in-chunks.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import { type Principal, systemPrincipal } from "#kernel/config/principal.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { processContext, processFacts } from "#kernel/operation/system-context.js";
import { concernsItem } from "#kernel/pipeline/batch/attempt.js";
import {
  acknowledge,
  addUsage,
  heartbeat,
  leave,
  MOST_POINTS,
  NO_USAGE,
  PRESENCE_SECONDS,
  reportUsage,
  type Session,
  sessionChangeSignals,
  sessions,
  stopsOfSessions,
} from "../../index.js";
import type { GuardState, Keeper } from "./guard.js";
import { Readings } from "./readings.js";

/** The most sessions of one read or write. */
const BATCH = 500;
/** An enforcement point sends three heartbeats before its registration expires. */
const PRESENCE_MS = (PRESENCE_SECONDS * 1_000) / 3;
const LEAST_WAIT = 5;

/** All guards of this process. It reads their sessions in batches, renews their leases and stores their reports. */
class GuardHub implements Keeper {
  readonly #guards = new Map<string, Set<GuardState>>();
  readonly #readings: Readings;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wakesAt = Number.POSITIVE_INFINITY;
  #closed = false;
  /** How many decisions were announced, per tenant and for all tenants. Removed with the tenant's last guard. */
  readonly #decisions = new Map<string, number>();

  constructor(readonly env: Environment) {
    this.#readings = new Readings((tenantId) => this.#read(tenantId));
    env.onBroadcast([sessionChangeSignals], (tenantId) => this.#heard(tenantId));
    env.onBroadcast([killSwitches], () => this.#heard(undefined));
    env.onBroadcast([tenants], (tenantId) => this.#heard(tenantId));
  }

  async add(guard: GuardState): Promise<void> {
    const { tenantId } = guard.settings;
    const guards = this.#guards.get(tenantId) ?? new Set();
    this.#guards.set(tenantId, guards.add(guard));
    if (this.#closed) return guard.close();
    await this.refresh(tenantId);
    this.#wakeIn(LEAST_WAIT);
  }

  refresh(tenantId: string): Promise<boolean> {
    return this.#readings.after(tenantId);
  }

  async release(guards: readonly GuardState[]): Promise<void> {
    for (const guard of guards) this.#drop(guard);
    const withdraw: Work = (ctx, session, { settings }) => leave(ctx, session, settings.pepId);
    await this.#report(guards, withdraw).catch((error: unknown) => {
      this.env.logger.warn({ error: String(error) }, "session guards have closed without their last report");
    });
  }

  acknowledge(guard: GuardState, epoch: number): void {
    const { pepId } = guard.settings;
    const answer = { pepId, epoch, outcome: "enforced" } as const;
    this.#report([guard], (ctx, session) => acknowledge(ctx, session, answer)).catch((error: unknown) => {
      guard.unacknowledged(epoch);
      this.env.logger.warn({ error: String(error) }, "an enforcement point could not acknowledge; it tries again");
    });
  }

  flush(guards: readonly GuardState[]): Promise<void> {
    return this.#report(guards);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.release([...this.#guards.values()].flatMap((guards) => [...guards].filter((guard) => guard.shut())));
  }

  #heard(tenantId: string | undefined): void {
    for (const [tenant, guards] of this.#guards) {
      if (tenantId !== undefined && tenant !== tenantId) continue;
      this.#decisions.set(tenant, this.#heardOf(tenant) + 1);
      for (const guard of guards) guard.suspect();
      void this.refresh(tenant);
    }
  }

  #heardOf(tenantId: string): number {
    return this.#decisions.get(tenantId) ?? 0;
  }

  /** Reads the sessions of all guards of a tenant, and the kill switches for them. */
  async #read(tenantId: string): Promise<boolean> {
    const guards = [...(this.#guards.get(tenantId) ?? [])];
    const began = { clock: this.env.clock.now(), mono: performance.now() };
    const decisions = this.#heardOf(tenantId);
    try {
      const found = await this.#sessionsOf(guards, tenantId);
      const stopOf = await this.#stopsOf(tenantId, guards);
      const certain = decisions === this.#heardOf(tenantId);
      for (const guard of guards) {
        const { session, settings } = guard;
        guard.renew(found.get(settings.sessionId), stopOf(session), began, certain);
        if (guard.spent) this.#drop(guard);
      }
      return true;
    } catch (error) {
      this.env.logger.warn({ error: String(error) }, "guarded sessions cannot be read; their leases are running out");
      return false;
    }
  }

  #stopsOf(tenantId: string, guards: readonly GuardState[]) {
    const ctx = contextOf(this.env, systemPrincipal(tenantId));
    return stopsOfSessions(
      ctx,
      guards.map(({ session }) => session),
    );
  }

  async #sessionsOf(guards: readonly GuardState[], tenantId: string): Promise<Map<string, Session>> {
    const reader = this.env.store.forTenant(tenantId);
    const ids = [...new Set(guards.map(({ settings }) => settings.sessionId))];
    const rows = await inChunks(ids, (some) => reader.getMany(sessions, some));
    return new Map(rows.map((row) => [row.id, row.value]));
  }

  #drop(guard: GuardState): void {
    const { tenantId } = guard.settings;
    const guards = this.#guards.get(tenantId);
    guards?.delete(guard);
    if (guards?.size !== 0) return;
    this.#guards.delete(tenantId);
    this.#decisions.delete(tenantId);
  }

  /** Schedules the next check of guards. An earlier one stays. */
  #wakeIn(ms: number): void {
    const wait = Math.max(ms, LEAST_WAIT);
    const at = performance.now() + wait;
    if (this.#closed || this.#guards.size === 0 || at >= this.#wakesAt) return;
    clearTimeout(this.#timer);
    this.#wakesAt = at;
    this.#timer = setTimeout(() => this.#checkLeases(), wait);
    // The timer does not keep the process alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  /** Gives up expired leases, renews those that are due, and stores reports that are due. */
  #checkLeases(): void {
    this.#wakesAt = Number.POSITIVE_INFINITY;
    const mono = performance.now();
    let next = mono + 1_000;
    for (const [tenantId, guards] of this.#guards) {
      const all = [...guards];
      for (const guard of all) guard.loseIfOver(mono);
      if (all.filter((guard) => guard.takesRenewal(mono)).length > 0) void this.refresh(tenantId);
      const due = all.filter((guard) => guard.wantsFlush(mono, PRESENCE_MS));
      // `flush` logs its own failures, and the guard keeps the report.
      if (due.length > 0) this.flush(due).catch(() => undefined);
      next = all.reduce((least, guard) => Math.min(least, guard.dueAt()), next);
    }
    this.#wakeIn(next - performance.now());
  }

  /**
   * Stores the usage of guards with a heartbeat or `then`, many in one transaction. A failed report is kept for the next
   * time. Rejects with the first failure, after the others are stored.
   */
  async #report(guards: readonly GuardState[], then?: Work): Promise<void> {
    const taken = new Map(guards.map((guard) => [guard, takeReport(guard)]));
    const failed: { readonly guard: GuardState; readonly error: unknown }[] = [];
    const work: Work = async (ctx, session, guard) => {
      const { reports, pending: usage } = taken.get(guard) as Report;
      const pepId = placeOf(guard, session);
      const reported = reports > 0 ? await reportUsage(ctx, session, { usage, pepId }) : session;
      if (then) return then(ctx, reported, guard);
      return reports > 0 ? reported : heartbeat(ctx, reported, { pepId });
    };
    const settle: Settle = (some, failure) => {
      for (const guard of some) {
        settleReport(guard, taken.get(guard) as Report, failure !== undefined);
        taken.delete(guard);
        if (failure) failed.push({ guard, ...failure });
      }
    };
    try {
      for (const some of batchesOf(guards)) await this.#write(some, work, settle);
    } catch (error) {
      settle([...taken.keys()], { error });
    }
    const [first] = failed;
    if (!first) return;
    const { guard, error } = first;
    const { tenantId, sessionId } = guard.settings;
    const facts = { tenantId, sessionId, failed: failed.length, error: String(error) };
    this.env.logger.warn(facts, "reports of guarded sessions wait for the next try");
    throw error;
  }

  /**
   * Runs work on the sessions of guards in one transaction. When a guard makes it fail, halves are tried, so that the
   * others are stored. Rejects when the store fails, as it would for each.
   */
  async #write(guards: readonly GuardState[], work: Work, settle: Settle): Promise<void> {
    let written: Map<string, Session>;
    try {
      written = await this.#transaction(guards, work);
    } catch (error) {
      if (!concernsItem(error)) throw error;
      if (guards.length === 1) return settle(guards, { error });
      const half = Math.ceil(guards.length / 2);
      await this.#write(guards.slice(0, half), work, settle);
      return this.#write(guards.slice(half), work, settle);
    }
    for (const guard of guards) {
      const session = written.get(guard.settings.sessionId);
      if (session) guard.adopt(session);
    }
    // Usage counts as stored at the same moment as it counts no more as on its way.
    settle(guards);
    for (const guard of guards) guard.react();
  }

  /** Guards may share a session, and each acts under its own principal. */
  async #transaction(guards: readonly GuardState[], work: Work): Promise<Map<string, Session>> {
    const [first] = guards as readonly [GuardState];
    return contextOf(this.env, first.settings.principal).write(async (ctx) => {
      const ids = [...new Set(guards.map(({ settings }) => settings.sessionId))];
      const rows = await ctx.db.getMany(sessions, ids);
      const current = new Map(rows.map((row) => [row.id, row]));
      const result = new Map<string, Session>();
      for (const guard of guards) {
        const { sessionId, principal } = guard.settings;
        const own = ctx.as(principal);
        const row = current.get(sessionId);
        const known = result.get(sessionId) ?? (row && (await own.current(sessions, row)));
        if (!known) continue;
        result.set(sessionId, await work(own, known, guard));
      }
      return result;
    });
  }
}

/** The id under which a guard reports. `undefined` when it was dropped for silence and the list is full. */
function placeOf({ settings: { pepId } }: GuardState, { enforcementPoints: points }: Session): string | undefined {
  return points.length < MOST_POINTS || points.some(({ id }) => id === pepId) ? pepId : undefined;
}

type Work = (ctx: Context, session: Session, guard: GuardState) => Promise<Session>;
/** Hears which guards were stored, or failed. */
type Settle = (guards: readonly GuardState[], failure?: { readonly error: unknown }) => void;
type Report = Pick<GuardState, "pending" | "reports" | "stirred">;

/** Guards of one tenant each, as many as one transaction takes. */
function* batchesOf(guards: readonly GuardState[]): Generator<readonly GuardState[]> {
  for (const tenantId of new Set(guards.map(({ settings }) => settings.tenantId))) {
    const all = guards.filter(({ settings }) => settings.tenantId === tenantId);
    yield* chunksOf(all, BATCH);
  }
}

/** Takes what a guard has to report. Until it is settled, its usage counts as on its way. */
function takeReport(guard: GuardState): Report {
  const { pending, reports, stirred } = guard;
  Object.assign(guard, { pending: NO_USAGE, reports: 0, stirred: false, flushedAt: performance.now() });
  guard.flushing = addUsage(guard.flushing, pending);
  return { pending, reports, stirred };
}

/** Ends a report. A failed one goes back to its guard. */
function settleReport(guard: GuardState, { pending, reports, stirred }: Report, failed: boolean): void {
  guard.flushing = lessUsage(guard.flushing, pending);
  if (!failed) return;
  guard.pending = addUsage(guard.pending, pending);
  guard.reports += reports;
  guard.stirred ||= stirred;
}

function lessUsage<U extends Record<string, number>>(usage: U, less: U): U {
  return Object.fromEntries(Object.entries(usage).map(([key, value]) => [key, value - (less[key] as number)])) as U;
}

/** The context of a guard, outside of requests. */
export function contextOf(env: Environment, principal: Principal): OutsideContext {
  return processContext(env, principal, processFacts(env, "guard"));
}

export const guardHub = defineService("sessions.guards", (env) => new GuardHub(env));
