import { once } from "node:events";
import type { ControlPlane, SessionGuard } from "@reeve/core";
import type { Store } from "@reeve/core/store";
import { ISSUER, MASTER_KEY } from "./estate.js";
import type { GuardConfig, LaunchGuards } from "./far-guards.js";
import type { Ground } from "./grounds.js";
import { median } from "./stats.js";
import { openControlPlane, openStore } from "./subject.js";

/** Delays until a decision about a session reaches its guards. Times are in ms. */
export interface SessionFigures {
  /** From the call of a termination until the guard's signal aborts, in the same process: the median. */
  readonly cancelMs: number;
  /** The call of a termination without a guard: the median. Most of it is the store's commit. */
  readonly terminateMs: number;
  /** The same with the guard in another process. PostgreSQL notifies it; on SQLite it polls three times per lease. */
  readonly farCancelMs: number;
  readonly farLeaseMs: number;
  /** From the loss of the store until the guard closes, as a share of the lease: the maximum. */
  readonly leaseShare: number;
  /** A check within a lease, in µs: the median of rounds. */
  readonly checkMicros: number;
}

const PER_SECOND = 10;
const CHECKS = 20_000;
const LEASE_MS = 500;
const REASON = "a measurement of the benchmark";

/** Measures in this process, and by `launch` in another. */
export async function measureSessions(
  ground: Ground,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
  launch: LaunchGuards,
): Promise<SessionFigures> {
  const database = ground.database("sessions");
  const { tenantId, userId } = ground.estate;
  const open = (store: Store) => openControlPlane(store, { issuer: ISSUER, masterKey: MASTER_KEY });
  const controlPlane = open(openStore(database));
  const { store, lose } = losable(openStore(database));
  const losing = open(store);
  const config: GuardConfig = { database, tenantId, leaseMs: database.store === "postgres" ? 60_000 : LEASE_MS };
  const far = await launch(config);
  try {
    const principal = await controlPlane.principalOf(tenantId, userId);
    const start = async () => (await controlPlane.call("aiSessions.create", principal, { body: {} })).id;
    const terminate = (id: string) =>
      controlPlane.call("aiSessions.terminate", principal, { params: { id }, body: { reason: REASON } });

    const [near, alone]: [number[], number[]] = [[], []];
    const apart: number[] = [];
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      for (let index = 0; index < PER_SECOND * seconds; index += 1) {
        const cancelMs = await cancelledNear(controlPlane, tenantId, await start(), terminate);
        const aloneMs = await timed(await start(), terminate);
        const id = await start();
        await far.guard(id);
        const cancelled = far.cancelled(id);
        const apartMs = await timed(id, (guarded) => Promise.all([terminate(guarded), cancelled]));
        if (round === 0) continue;
        near.push(cancelMs);
        alone.push(aloneMs);
        apart.push(apartMs);
      }
    }
    const guard = await controlPlane.sessionGuard({ tenantId, sessionId: await start() });
    const checks: number[] = [];
    for (let round = 0; round <= rounds; round += 1) checks.push(await checkMicros(guard));
    await guard.close();
    const shares: number[] = [];
    const doomed = await losing.sessionGuard({ tenantId, sessionId: await start(), leaseMs: LEASE_MS });
    for (let round = 0; round < rounds; round += 1) {
      await goesOn(doomed);
      const { signal } = doomed;
      const began = performance.now();
      const findAgain = lose();
      if (!signal.aborted) await once(signal, "abort");
      shares.push((performance.now() - began) / LEASE_MS);
      findAgain();
    }
    return {
      cancelMs: median(near),
      terminateMs: median(alone),
      farCancelMs: median(apart),
      farLeaseMs: config.leaseMs,
      leaseShare: Math.max(...shares),
      checkMicros: median(checks.slice(1)),
    };
  } finally {
    await far.close();
    await losing.close();
    await controlPlane.close();
  }
}

async function cancelledNear(
  controlPlane: ControlPlane,
  tenantId: string,
  sessionId: string,
  terminate: (id: string) => Promise<unknown>,
): Promise<number> {
  const guard = await controlPlane.sessionGuard({ tenantId, sessionId });
  const cancelled = once(guard.signal, "abort");
  const began = performance.now();
  const done = terminate(sessionId);
  await cancelled;
  const took = performance.now() - began;
  await done;
  await guard.close();
  return took;
}

async function timed(id: string, work: (id: string) => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work(id);
  return performance.now() - began;
}

async function checkMicros(guard: SessionGuard): Promise<number> {
  const began = performance.now();
  for (let index = 0; index < CHECKS; index += 1) await guard.check();
  return ((performance.now() - began) / CHECKS) * 1_000;
}

/** Waits until a guard that has lost its lease reads its store again. */
async function goesOn(guard: SessionGuard): Promise<void> {
  while (
    !(await guard.check().then(
      () => true,
      () => false,
    ))
  );
}

/** A store whose reads can be made to fail. */
function losable(inner: Store): { readonly store: Store; lose(): () => void } {
  let lost = false;
  const failing = (target: object): object =>
    new Proxy(target, {
      get(of, name) {
        if (lost && name === "getMany") return () => Promise.reject(new Error("the store is lost"));
        const value = of[name as never] as unknown;
        return typeof value === "function" ? value.bind(of) : value;
      },
    });
  const store = new Proxy(inner, {
    get(target, name: keyof Store) {
      if (name === "forTenant") return (tenantId: string) => failing(target.forTenant(tenantId));
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return {
    store,
    lose() {
      lost = true;
      return () => {
        lost = false;
      };
    },
  };
}
