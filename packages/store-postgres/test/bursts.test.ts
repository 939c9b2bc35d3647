import { setImmediate as turn } from "node:timers/promises";
import { randomOf, things } from "@reeve/testkit";
import { expect, it } from "vitest";
import { type Attempt, attempt, common, type Found, liesOf, look, TENANT, waysOf } from "./bursts.js";
import { Chain } from "./chain.js";
import { randomStrikes } from "./random-strike.js";
import { connect, freshStore, openStore } from "./support.js";
import { openWay } from "./way.js";

/** A night run tries a thousand, an ordinary one some dozens. */
const BURSTS = Number(process.env.REEVE_FAULTS_BURSTS ?? 40);
const SEED = Number(process.env.REEVE_FAULTS_SEED ?? Date.now() % 1_000_000);
/** The writes of a burst. */
const SIZE = 8;
/** The bursts with the same writes. */
const OF_PLAN = 10;
const LIMITS = { poolSize: 2, connectionTimeoutMs: 4_000, answerTimeoutMs: 500 };

/** A store behind a way that fails as told, and the same one beside it. */
async function underFire() {
  const { store, url } = await freshStore();
  await store.forTenant(TENANT).insert(things, common);
  const way = await openWay(url);
  return { way, through: openStore(way.url, { ...LIMITS, directUrl: url }), store, admin: await connect(url) };
}

it(`K1, O1, O3, K14 no answer lies about writes of a burst that is struck, ${BURSTS} times with seed ${SEED}`, {
  timeout: 60_000 + BURSTS * 2_000,
}, async ({ annotate }) => {
  const { way, through, store, admin } = await underFire();
  const random = randomOf(SEED);
  const strikeOf = randomStrikes(random, admin, 0.5);
  const reader = store.forTenant(TENANT);
  const chain = new Chain();
  const all: Attempt[] = [];
  const lies = new Set<string>();
  const tally: Record<string, number> = { done: 0, refused: 0, failed: 0, unknown: 0 };
  let n = 0;

  /** What a burst consists of, and which of its writes come while others are under way. */
  const newPlan = () => waysOf(random, SIZE).map((kind) => ({ kind, isLater: random() < 0.5 }));
  const run = async (burst: number): Promise<Attempt[]> => {
    const running: Promise<Attempt>[] = [];
    for (const { kind, isLater } of plan) {
      if (isLater) await turn();
      running.push(attempt(through, ++n, burst, kind));
    }
    return Promise.all(running);
  };
  /** A write that comes alone. */
  const again = () => attempt(through, ++n, 0, "write");

  let plan = newPlan();
  let lengths = { client: 0, server: 0 };
  let [struck, burst] = [0, 0];
  while (struck < BURSTS) {
    burst += 1;
    // The first burst of a plan prepares the statements, and the second shows how many messages there are.
    const ofPlan = (burst - 1) % OF_PLAN;
    if (ofPlan === 0) plan = newPlan();
    const { name, strike } = ofPlan >= 2 ? strikeOf(lengths) : { name: "nothing", strike: undefined };
    const aim = way.strike(strike);
    const writes = await run(burst);
    way.strike();
    if (!strike) lengths = { ...aim.seen };
    else if (aim.hasStruck && name !== "cancel") struck += 1;
    // The pool may hold a connection whose end is still under way, and its next user is told that nothing is stored.
    const after = [await again()];
    if (after[0]?.reported !== "done") after.push(await again());
    const last = after.at(-1)?.reported;
    all.push(...writes, ...after);
    const found = await look(reader, [...writes, ...after], chain);
    const reported = liesOf([...writes, ...after], all, found);
    if (last !== "done") reported.push(`not done afterwards: ${JSON.stringify(last)}`);
    for (const lie of reported)
      lies.add(`burst ${burst}, ${name} at ${strike?.side} message ${strike?.message}: ${lie}`);
    for (const { reported: what } of writes) if (typeof what === "string") tally[what] = (tally[what] ?? 0) + 1;
  }
  // What was sent late has arrived by now.
  for (const lie of liesOf(all, all, await look(reader, all, chain))) lies.add(`afterwards: ${lie}`);

  const answers = Object.entries(tally).map(([what, count]) => `${count} ${what}`);
  await annotate(`seed ${SEED}: ${struck} struck of ${burst} bursts, ${lies.size} lies (${answers.join(", ")})`);
  expect([...lies]).toEqual([]);
});

it.each(["raise", "write"] as const)("O1 a %s that arrives while one looks is no lie", async (way) => {
  const { store } = await freshStore();
  const reader = store.forTenant(TENANT);
  await reader.insert(things, common);
  let late: Promise<Attempt> | undefined;
  const looking = new Proxy(reader, {
    get(target, name) {
      const read = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>;
      if (name !== "getMany") return read.bind(target);
      return async (...given: unknown[]) => {
        late ??= attempt(store, 1, 1, way);
        await late;
        return Reflect.apply(read, target, given);
      };
    },
  });
  const writes = [at(1, way, "unknown")];
  const seen = await look(looking, writes, new Chain());
  expect(seen.chain.places.size).toBe(1);
  expect(liesOf(writes, writes, seen)).toEqual([]);
});

const at = (n: number, way: Attempt["way"], reported: Attempt["reported"], more: Partial<Attempt> = {}): Attempt => ({
  ...{ n, burst: 1, way, reported },
  ...more,
});
const found = (numbers: readonly number[], more: Partial<Found> = {}): Found => ({
  chain: { places: new Map(numbers.map((n, place) => [n, place + 1])), flaws: [] },
  ...{ stored: new Set(numbers), raised: 0 },
  ...more,
});

it.each<[lie: string, attempts: Attempt[], found: Found]>([
  ["told done, and not stored", [at(1, "write", "done")], found([])],
  ["told failed, and stored", [at(1, "write", "failed")], found([1])],
  ["told refused, and stored", [at(1, "share", "refused")], found([1])],
  ["an event alone", [at(1, "write", "unknown")], found([1], { stored: new Set() })],
  ["a record without its event", [at(1, "write", "unknown")], found([], { stored: new Set([1]) })],
  ["stored against its rule", [at(1, "take", "unknown")], found([1])],
  ["refused for a key that nobody has", [at(1, "share", "refused"), at(2, "share", "failed")], found([])],
  ["refused without a rule", [at(1, "write", "refused")], found([])],
  [
    "counted 1, and 2 came before it",
    [1, 2, 3].map((n) => at(n, "read", "done", { saw: Math.min(n - 1, 1) })),
    found([1, 2, 3]),
  ],
  ["raised 1 times by 2 writes", [at(1, "raise", "done"), at(2, "raise", "unknown")], found([1, 2], { raised: 1 })],
  ["did not find itself after its commit", [at(1, "ask", "done", { isLost: true })], found([1])],
  ["2 events of 1 writes", [at(1, "write", "done")], found([1, 2])],
  ["event 2 does not link", [], found([], { chain: { places: new Map(), flaws: ["event 2 does not link"] } })],
])("O1 a lie is found: %s", (lie, attempts, stored) => {
  const lies = liesOf(attempts, attempts, stored);
  expect(lies).toHaveLength(1);
  expect(lies[0]).toContain(lie);
});

it("O1 no lie is found where there is none", () => {
  const attempts = [
    at(1, "write", "done"),
    at(2, "read", "done", { saw: 1 }),
    at(3, "write", "unknown"),
    at(4, "write", "failed"),
    at(5, "share", "refused"),
    at(6, "share", "unknown"),
    at(7, "throw", "refused"),
  ];
  expect(liesOf(attempts, attempts, found([1, 2, 3, 6]))).toEqual([]);
});
