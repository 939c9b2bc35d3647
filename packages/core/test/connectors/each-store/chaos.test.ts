import { type DiscoveredAsset, pageOf } from "@reeve/core/connectors";
import type { World } from "@reeve/testkit";
import { ChaosConnector, type Injection } from "@reeve/testkit/connectors";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { SCHEDULES, tickThrough } from "../../helpers/chaos.js";
import { discoveries } from "../../helpers/discoveries.js";
import { eventTypes } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

/** Longer than a process reserves an import, and than a pause after a failure. */
const PAUSE = 310_000;
const TICKS = 7;
const KNOWN = 14;
const GONE = 2;
const NEW = 4;
const PAGE = 4;

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const fault = fc.oneof(
  fc.record({
    phase: fc.constantFrom("before" as const, "after" as const),
    kind: fc.constant("error" as const),
    errorClass: fc.constantFrom("transient" as const, "rate_limited" as const, "outcome_unknown" as const),
  }),
  fc.record({
    phase: fc.constant("response" as const),
    kind: fc.constantFrom("duplicate_page" as const, "cycle" as const, "missing_page" as const),
  }),
);

/** The first two calls are made by whatever becomes of the import, so that what goes wrong in them must fire. */
const script = fc.record({
  schedule: fc
    .uniqueArray(fc.record({ attempt: fc.integer({ min: 1, max: 9 }), fault }), {
      ...{ minLength: 2, maxLength: 6 },
      // An error in a call would leave nothing of its answer to change.
      selector: ({ attempt }) => attempt,
    })
    .map((all) =>
      all.map(
        ({ attempt, fault: one }): Injection => ({
          ...{ ...one, method: "discoverAssets", subject: "", attempt, required: attempt <= 2 },
        }),
      ),
    ),
  deaths: fc.array(fc.option(fc.nat({ max: 12 }), { nil: undefined }), { minLength: 2, maxLength: 4 }),
});
type Script = typeof script extends fc.Arbitrary<infer S> ? S : never;

interface Outcome {
  readonly lost: number;
  readonly doubled: number;
  readonly fired: number;
  readonly died: number;
}

/** One schedule: what is new is imported, then a plan of the next day is confirmed, both while things go wrong. */
async function run({ schedule, deaths }: Script): Promise<Outcome> {
  const use = discoveries(world);
  const account = world.a.unique();
  const model = (at: number): DiscoveredAsset =>
    use.model(`m-${at}`, { name: `${at} of ${account}`, provider: account });
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_unused, at) => model(at + from));
  const list = (assets: readonly DiscoveredAsset[]) =>
    world.scripted.listBy(account, (page) => pageOf(assets, { ...page, limit: PAGE }));
  const { id, path } = await use.connected([], account);
  const before = (await eventTypes(world.a)).length;
  const chaos = new ChaosConnector(world.scripted.connector, schedule);
  const through = (dying: readonly (number | undefined)[]) =>
    tickThrough(world, [chaos.connector], { deaths: dying as number[], ticks: TICKS, pause: PAUSE });
  const owner = async () => {
    world.a.actors.owner = await world.a.signIn(world.a.owner.userId, world.a.owner);
  };
  const asset = async () => {
    const { json } = await use.ask("GET", `/api/v1/ai-assets?provider=${account}&size=100`);
    return json.items as { status: string; externalRef: { id: string } }[];
  };

  list(range(0, KNOWN));
  const first = await use.ask("POST", `${path}/import`, {});
  let died = await through(deaths);
  list(range(GONE, KNOWN + NEW));
  await owner();
  const begun = await use.ask("POST", `${path}/imports`, {});
  const at = `${path}/imports/${begun.json.id}`;
  died += await through(deaths);
  await owner();
  const { json: plan } = await use.ask("GET", at);
  const wanted = { selection: "all", allowRetire: true };
  if (plan.status === "awaiting_confirmation") {
    await use.confirm(at, plan.planHash, wanted);
    died += await through(deaths);
  }
  await owner();
  chaos.finish();

  // What was concluded while things went wrong.
  const during = await asset();
  const gone = new Set(range(0, GONE).map(({ externalId }) => externalId));
  const falselyEnded = during.filter(({ status, externalRef }) => status === "retired" && !gone.has(externalRef.id));
  const ended = (await use.ask("GET", at)).json;
  // The first import may be under way still: its pages are of the system before and after it changed.
  const isOfOneSystem = begun.json.id !== first.json.id;
  const promised = isOfOneSystem && ended.status === "completed" && ended.complete ? KNOWN - GONE + NEW : 0;
  const there = during.filter(({ externalRef }) => !gone.has(externalRef.id)).length;

  // Without faults it comes to exactly what the system has.
  await use.imported(path, wanted);
  const after = await asset();
  const alive = after.filter(({ status }) => status !== "retired").map(({ externalRef }) => externalRef.id);
  const truth = new Set(range(GONE, KNOWN + NEW).map(({ externalId }) => externalId));
  const missing = [...truth].filter((one) => !alive.includes(one)).length;
  const extra = alive.filter((one) => !truth.has(one)).length;
  const created = (await eventTypes(world.a, before)).filter((type) => type === "asset.created").length;
  expect((await use.ask("DELETE", `/api/v1/connector-instances/${id}`)).status).toBe(204);
  return {
    lost: falselyEnded.length + missing + Math.max(0, promised - there),
    doubled:
      after.length - new Set(after.map(({ externalRef }) => externalRef.id)).size + extra + (created - after.length),
    fired: chaos.fired.length,
    died,
  };
}

describe("imports through chaos", () => {
  it(`lose and double nothing in ${SCHEDULES} scripted schedules`, { timeout: 1_200_000 }, async () => {
    const total = { lost: 0, doubled: 0, fired: 0, died: 0 };
    for (const one of fc.sample(script, { numRuns: SCHEDULES, seed: 17 })) {
      const outcome = await run(one);
      expect({ lost: outcome.lost, doubled: outcome.doubled }, JSON.stringify(one)).toEqual({ lost: 0, doubled: 0 });
      for (const name of Object.keys(total) as (keyof Outcome)[]) total[name] += outcome[name];
    }
    process.stdout.write(`chaos of imports: ${SCHEDULES} schedules, ${JSON.stringify(total)}\n`);
    expect(total.fired).toBeGreaterThanOrEqual(SCHEDULES);
    expect(total.died).toBeGreaterThan(0);
  });
});
