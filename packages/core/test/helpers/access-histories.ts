import { ConnectorError } from "@reeve/core/connectors";
import { StoreError } from "@reeve/core/store";
import type { World } from "@reeve/testkit";
import { endAssignment } from "#families/access-grants/assignments/end/end.js";
import { type AccessAssignment, accessAssignments } from "#families/access-grants/assignments/schema.js";
import { systemContext } from "#kernel/operation/system-context.js";
import type { Store } from "../../src/index.js";
import { accessBench, type Bench } from "./access.js";
import { environmentOf } from "./environment.js";

const MINUTE = 60_000;
const STEPS = 10;
/** How often a call fails before the target does it, and how often its answer is lost. */
const FAILS = 0.15;
const LOSES = 0.15;
/** How often a process dies before or after a transaction of its jobs. */
const DIES = 0.05;
/** Longer than the longest pause of a revocation. */
const QUIET = 150;

/** A source of numbers from 0 to 1 that a seed repeats. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * A store whose processes die while it is `armed`: some transactions do not commit, of others nobody learns. With `only`
 * they die in transactions of one tenant, whatever jobs run for others meanwhile.
 */
export class MortalStore {
  armed = false;
  only: string | undefined;
  deaths = 0;

  constructor(readonly next: () => number) {}

  around(store: Store): Store {
    const transaction: Store["transaction"] = async (tenantId, work, kind) => {
      const fate = this.armed && (this.only ?? tenantId) === tenantId ? this.next() : 1;
      const dying = () => {
        this.deaths += 1;
        throw new StoreError("unavailable", "The process has died.");
      };
      const done = await store.transaction(
        tenantId,
        async (tx) => {
          const made = await work(tx);
          return fate < DIES ? dying() : made;
        },
        kind,
      );
      return fate > 1 - DIES && fate < 1 ? dying() : done;
    };
    return new Proxy(store, {
      get(target, name) {
        if (name === "transaction") return transaction;
        const value = Reflect.get(target, name) as unknown;
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }
}

/** What was decided about one assignment, for the model. */
interface Decided {
  readonly id: string;
  readonly minutes: number;
  revoked: boolean;
}

/** One grant with its decisions, and how often the target failed it. */
interface History {
  readonly key: string;
  readonly decided: Decided[];
  faults: number;
}

/** What is wrong with the end of a history, or with a moment of it. */
export type Wrong = string;

/** Runs histories of one target at the same time, each about a grant of its own. Returns what is wrong with them. */
export async function runHistories(
  world: World,
  mortal: MortalStore,
  count: number,
  next: () => number,
): Promise<Wrong[]> {
  const bench = await accessBench(world);
  const histories = new Map(
    Array.from({ length: count }, (_, at) => [`h${at}`, { key: `h${at}`, decided: [], faults: 0 } as History] as const),
  );
  const wrong: Wrong[] = [];
  const env = environmentOf(world, { ids: world.ids });
  const ctx = () => systemContext(env, world.a.tenantId, "test");
  disturb(bench, histories, next, wrong);
  for (let step = 0; step < STEPS; step += 1) {
    for (const history of histories.values()) await act(history, next, { bench, ctx });
    await live(world, mortal, 1 + Math.floor(next() * 20));
    wrong.push(...(await endedTooSoon(world, bench, histories)));
  }
  bench.account.script = undefined;
  for (let passed = 0; passed < QUIET; passed += 10) await live(world, undefined, 10);
  return [...wrong, ...(await wrongEnds(world, bench, histories))];
}

/** Lets minutes pass, and jobs run. A process that dies in them is followed by another one. */
async function live(world: World, mortal: MortalStore | undefined, minutes: number): Promise<void> {
  world.clock.advance(minutes * MINUTE);
  if (mortal) mortal.armed = true;
  await world.controlPlane.tick().catch(() => undefined);
  if (mortal) mortal.armed = false;
}

async function act(
  history: History,
  next: () => number,
  { bench, ctx }: { readonly bench: Bench; readonly ctx: () => ReturnType<typeof systemContext> },
): Promise<void> {
  const what = next();
  if (what < 0.25 && history.decided.length < 4) {
    const minutes = next() < 0.5 ? 5 + Math.floor(next() * 60) : 20_000;
    const id = await bench.decide({
      parameters: { history: history.key },
      duration: `PT${minutes % 1_000}M`,
      ...longer(minutes),
    });
    history.decided.push({ id, minutes, revoked: false });
  } else if (what < 0.4) {
    const one = history.decided[Math.floor(next() * history.decided.length)];
    if (!one) return;
    one.revoked ||= await ctx().write(async (inner) => {
      const held = await inner.getOrThrow(accessAssignments, one.id);
      if (held.status !== "pending" && held.status !== "active") return false;
      await endAssignment(inner, held, { endReason: "revoked", reason: undefined, triggeredBy: "system" });
      return true;
    });
  }
}

const longer = (minutes: number) => (minutes > 999 ? { duration: "P13DT21H20M" } : {});

function disturb(bench: Bench, histories: ReadonlyMap<string, History>, next: () => number, wrong: Wrong[]): void {
  bench.account.script = (method, phase, spec) => {
    const history = histories.get(String(spec?.parameters.history));
    if (!history) return;
    if (method === "grant" && phase === "before" && holds(bench, history)) wrong.push(`${history.key}: granted twice`);
    const fate = next();
    const lost = phase === "after" && fate < LOSES;
    const failed = phase === "before" && fate < FAILS;
    if (!lost && !failed) return;
    history.faults += 1;
    throw new ConnectorError(lost ? "outcome_unknown" : "transient", "Chaos.");
  };
}

const holds = ({ account }: Bench, { key }: History): boolean =>
  [...account.held.values()].some(({ parameters }) => parameters.history === key);

async function assignmentsOf(world: World, history: History): Promise<Map<string, AccessAssignment>> {
  const ids = history.decided.map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await world.store.forTenant(world.a.tenantId).getMany(accessAssignments, ids);
  return new Map(rows.map(({ id, value }) => [id, value]));
}

const OVER: ReadonlySet<string> = new Set(["revoked", "expired", "failed"]);

/** Histories all of whose assignments are said to be over while the target still has the grant. */
async function endedTooSoon(world: World, bench: Bench, histories: ReadonlyMap<string, History>): Promise<Wrong[]> {
  const wrong: Wrong[] = [];
  for (const history of histories.values()) {
    const all = [...(await assignmentsOf(world, history)).values()];
    if (all.length > 0 && all.every(({ status }) => OVER.has(status)) && holds(bench, history))
      wrong.push(`${history.key}: said to be over, and still there`);
  }
  return wrong;
}

/** Compares each end with a model of its own: who was decided to have it, and for how long. */
async function wrongEnds(world: World, bench: Bench, histories: ReadonlyMap<string, History>): Promise<Wrong[]> {
  const wrong: Wrong[] = [];
  for (const history of histories.values()) {
    const stored = await assignmentsOf(world, history);
    let held = false;
    for (const { id, minutes, revoked } of history.decided) {
      const one = stored.get(id) as AccessAssignment;
      const ends = one.activatedAt === null ? null : Date.parse(one.activatedAt) + minutes * MINUTE;
      const gaveUp = one.status === "failed" && one.activatedAt === null && history.faults >= 5;
      const isOver = ends !== null && ends <= world.clock.now();
      const expected = gaveUp ? "failed" : revoked ? "revoked" : isOver ? "expired" : "active";
      if (one.status !== expected) wrong.push(`${history.key}: ${one.status} and not ${expected}`);
      held ||= expected === "active";
    }
    if (held !== holds(bench, history)) wrong.push(`${history.key}: ${held ? "missing" : "left behind"}`);
  }
  return wrong;
}
