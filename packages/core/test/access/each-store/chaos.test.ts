import type { World } from "@reeve/testkit";
import { ChaosConnector, type Injection } from "@reeve/testkit/connectors";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { accessAssignments } from "#families/access-grants/assignments/schema.js";
import { accessBench, type Bench } from "../../helpers/access.js";
import { SCHEDULES, tickThrough } from "../../helpers/chaos.js";
import { createWorld } from "../../helpers/world.js";

/** Longer than a process reserves a reconciliation, and than most pauses after a failure. */
const PAUSE = 310_000;
const TICKS = 6;
/** Longer than the longest pause of a revocation. */
const QUIET_PAUSE = 3_600_000;
const QUIET_TICKS = 30;
/** Grants of one schedule, by the parameters that tell them apart. */
const GRANTS = ["first", "second", "third"];

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const error = fc.record({
  phase: fc.constantFrom("before" as const, "after" as const),
  kind: fc.constant("error" as const),
  errorClass: fc.constantFrom("transient" as const, "rate_limited" as const, "outcome_unknown" as const),
});
const faultOf = {
  grant: fc.oneof(error, fc.record({ phase: fc.constant("response" as const), kind: fc.constant("drift" as const) })),
  verify: fc.oneof(error, fc.record({ phase: fc.constant("response" as const), kind: fc.constant("hide" as const) })),
  revoke: fc.oneof(
    error,
    fc.record({
      phase: fc.constant("response" as const),
      kind: fc.constantFrom("drift" as const, "partial_revoke" as const),
    }),
  ),
};

type Planned = Omit<Injection, "subject"> & { readonly at: number };
const faultsOf = (method: keyof typeof faultOf) =>
  fc
    .uniqueArray(
      fc.record({
        at: fc.nat({ max: GRANTS.length - 1 }),
        attempt: fc.integer({ min: 1, max: 3 }),
        fault: faultOf[method],
      }),
      { maxLength: 4, selector: ({ at, attempt, fault: { phase } }) => `${at} ${attempt} ${phase}` },
    )
    .map((all) => all.map(({ at, attempt, fault }) => ({ ...fault, at, method, attempt }) as Planned));

/** The first grant is asked for and ended in any case, so that a lost answer of both must fire. */
const ALWAYS: readonly Planned[] = (["grant", "revoke"] as const).map((method) => ({
  ...{ at: 0, method, attempt: 1, phase: "after", kind: "error", errorClass: "outcome_unknown", required: true },
}));

const script = fc.record({
  schedule: fc.tuple(faultsOf("grant"), faultsOf("verify"), faultsOf("revoke")).map((all) => [
    ...ALWAYS,
    ...all
      .flat()
      .filter(({ at, attempt }) => at > 0 || attempt > 1)
      .map((one) => ({ ...one, required: false })),
  ]),
  /** Which grants end while things still go wrong; the first always does. */
  ends: fc.tuple(fc.constant(true), fc.boolean(), fc.boolean()),
  deaths: fc.array(fc.option(fc.nat({ max: 12 }), { nil: undefined }), { minLength: 2, maxLength: 4 }),
});
type Script = typeof script extends fc.Arbitrary<infer S> ? S : never;

interface Outcome {
  readonly lost: number;
  readonly doubled: number;
  readonly claimed: number;
  readonly fired: number;
  readonly died: number;
}

/** Grants that the target has, by name, and how often each came and went. */
function watched({ account }: Bench) {
  const nameOf = ({ parameters }: { readonly parameters: unknown }) => (parameters as { readonly grant: string }).grant;
  const has = (name: string) => [...account.held.values()].some((spec) => nameOf(spec) === name);
  const effects = new Map<string, number>();
  let before = false;
  account.script = (method, phase, spec) => {
    if (!spec || (method !== "grant" && method !== "revoke")) return;
    const name = nameOf(spec);
    if (phase === "before") before = has(name);
    else if (before !== has(name)) effects.set(name, (effects.get(name) ?? 0) + 1);
  };
  return { has, effects };
}

/** One schedule: three grants are made, some are ended, both while things go wrong. */
async function run({ schedule, ends, deaths }: Script): Promise<Outcome> {
  const bench = await accessBench(world);
  const target = watched(bench);
  const grants: { readonly name: string; readonly id: string; readonly key: string }[] = [];
  for (const name of GRANTS) {
    const id = await bench.decide({ parameters: { grant: name }, isPermanent: true, duration: null });
    const stored = await world.store.forTenant(world.a.tenantId).get(accessAssignments, id);
    grants.push({ name, id, key: stored?.value.grantKey as string });
  }
  const subjectOf = (at: number) => grants[at]?.key as string;
  const chaos = new ChaosConnector(
    world.access.connector,
    schedule.map(({ at, ...one }) => ({ ...one, subject: subjectOf(at) }) as Injection),
  );
  const through = () =>
    tickThrough(world, [chaos.connector], { deaths: deaths as number[], ticks: TICKS, pause: PAUSE });
  const owner = async () => {
    world.a.actors.owner = await world.a.signIn(world.a.owner.userId, world.a.owner);
  };
  /** What an assignment says that the target does not bear out. */
  const claims = async () => {
    await owner();
    const shown = await Promise.all(grants.map(async ({ name, id }) => ({ ...(await bench.read(id)), name })));
    return shown.filter(
      ({ name, status, effective }) =>
        (effective && !target.has(name)) || (["revoked", "expired"].includes(status) && target.has(name)),
    ).length;
  };

  let died = await through();
  let claimed = await claims();
  for (const [at, { id }] of grants.entries())
    if (ends[at]) expect((await bench.act(id, "revoke", { reason: "Nobody needs it." })).status).toBeLessThan(300);
  died += await through();
  claimed += await claims();
  chaos.finish();

  // Without faults it comes to exactly what was decided.
  for (let at = 0; at < QUIET_TICKS; at += 1) {
    await world.controlPlane.tick();
    world.clock.advance(QUIET_PAUSE);
  }
  claimed += await claims();
  const wrong = grants.filter(({ name }, at) => target.has(name) === ends[at]).length;
  const doubled = grants.reduce(
    (sum, { name }, at) => sum + Math.max(0, (target.effects.get(name) ?? 0) - (ends[at] ? 2 : 1)),
    0,
  );
  return { lost: wrong, doubled, claimed, fired: chaos.fired.length, died };
}

describe("grants through chaos", () => {
  it(`lose, double and claim nothing in ${SCHEDULES} scripted schedules`, { timeout: 3_600_000 }, async () => {
    const total = { lost: 0, doubled: 0, claimed: 0, fired: 0, died: 0 };
    for (const one of fc.sample(script, { numRuns: SCHEDULES, seed: 17 })) {
      const outcome = await run(one);
      const { lost, doubled, claimed } = outcome;
      expect({ lost, doubled, claimed }, JSON.stringify(one)).toEqual({ lost: 0, doubled: 0, claimed: 0 });
      for (const name of Object.keys(total) as (keyof Outcome)[]) total[name] += outcome[name];
    }
    process.stdout.write(`chaos of grants: ${SCHEDULES} schedules, ${JSON.stringify(total)}\n`);
    expect(total.fired).toBeGreaterThanOrEqual(2 * SCHEDULES);
    expect(total.died).toBeGreaterThan(0);
  });
});
