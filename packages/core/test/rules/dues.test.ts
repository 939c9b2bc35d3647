import { sampleOf, sendSample, table, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { families } from "#families/index.js";
import type { Area } from "#kernel/operation/area.js";
import { type Due, dueRules, dueTimes, NEVER } from "#kernel/operation/dues.js";
import type { FindQuery } from "#store/index.js";
import type { Store } from "../../src/index.js";
import { environmentOf } from "../helpers/environment.js";
import { isProviders } from "../helpers/facts.js";
import { createWorld } from "../helpers/world.js";

const DAY = 86_400_000;
const PLATFORM = "platform";
const inMemory = inject("store") === undefined;
/** Databases are asked for one of so many operations, because what becomes due is decided before a store is asked. */
const ONE_OF = 8;
const operations = table
  .filter(({ access }) => access !== "public")
  .filter((_operation, at) => inMemory || at % ONE_OF === 0);

/** Areas with jobs that no record and no time of them makes due, and why that is so. */
const WITHOUT_DUES: Readonly<Record<string, string>> = {
  assessments: "Time transitions need no declaration.",
};

const nameOf = (due: Due) =>
  "by" in due ? `${due.collection.name} by ${due.by}` : `state of ${due.watches?.map(({ name }) => name).join()}`;

describe("what is due", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });

  /** Forgets when tenants have something due, as if nothing ever had been. */
  async function forget(store: Store): Promise<void> {
    for (const { tenantId } of await store.dues.find(NEVER, 1_000)) {
      const claim = (await store.dues.claim(tenantId, NEVER, DAY)) as number;
      await store.transaction(tenantId, (tx) => tx.settleDue(claim, NEVER));
    }
  }

  it("because of what an operation wrote is known no later than it is due", async () => {
    const env = environmentOf(world, { mailer: world.mailbox, mcp: world.mcp });
    const rules = env.use(dueRules).all;
    const now = () => new Date(world.clock.now()).toISOString();
    const tenants = [world.a.tenantId, world.provider.tenantId, PLATFORM];
    const timesOf = () => Promise.all(tenants.map((id) => dueTimes(env, world.store.forTenant(id), now())));
    const faults: string[] = [];
    const exercised = new Set<string>();
    for (const operation of operations) {
      const caller = isProviders(operation) ? world.provider.owner : await world.a.newUser(["owner"]);
      const params = (await sampleOf(operation).arrange?.(world.a)) ?? {};
      // Samples may store records past the operations, which makes no tenant due.
      await forget(world.store);
      const before = await timesOf();
      await sendSample(world.a, operation, caller, { params });
      const after = await timesOf();
      const known = new Map((await world.store.dues.find(NEVER, 1_000)).map(({ tenantId, at }) => [tenantId, at]));
      for (const [of, tenantId] of tenants.entries())
        for (const [at, rule] of rules.entries()) {
          const [earlier, later] = [before[of]?.[at] ?? NEVER, after[of]?.[at] ?? NEVER];
          if (later >= earlier) continue;
          exercised.add(nameOf(rule));
          if ((known.get(tenantId) ?? NEVER) > later) faults.push(`${operation.id}: ${nameOf(rule)} in ${tenantId}`);
        }
    }
    expect(faults).toEqual([]);
    if (inMemory) expect(exercised.size).toBeGreaterThan(rules.length / 3);
  });

  it("is nothing any more once jobs have run, but for what they leave to later", async () => {
    const env = environmentOf(world);
    world.clock.advance(100 * DAY);
    for (let round = 0; round < 5; round += 1) {
      await world.controlPlane.tick();
      world.clock.advance(1_000);
    }
    const at = new Date(world.clock.now() - 1_000).toISOString();
    const times = await dueTimes(env, world.store.forTenant(world.a.tenantId), at);
    const rules = env.use(dueRules).all;
    const open = rules.flatMap((rule, index) => ((times[index] ?? NEVER) <= at ? [nameOf(rule)] : []));
    expect(open).toEqual([]);
    expect(await world.store.dues.find(at, 10)).toEqual([]);
  });
});

it("is declared by each area with jobs", () => {
  const areas: readonly Area[] = families;
  const without = areas.filter(({ tick, dues = [] }) => tick && dues.length === 0);
  expect(without.map(({ name }) => name)).toEqual(Object.keys(WITHOUT_DUES));
});

it("has a rule for each read of a job that is by time", async () => {
  const asked = new Set<string>();
  const noting = <T extends object>(reader: T): T =>
    new Proxy(reader, {
      get(target, name) {
        const value = Reflect.get(target, name, target) as unknown;
        if (typeof value !== "function") return value;
        return (...given: unknown[]) => {
          // Without the common answers each job looks for itself.
          if (name === "firstTimes") throw new Error("asked of nobody");
          if (name === "find") note(given[0] as { name: string }, given[1] as FindQuery);
          return Reflect.apply(value, target, given) as unknown;
        };
      },
    });
  const note = ({ name }: { name: string }, { order, range }: FindQuery) => {
    const by = order && "by" in order ? order : undefined;
    if (by?.direction === "asc" && range) asked.add(`${name} by ${by.by}`);
  };
  let watching = false;
  const world = await createWorld(
    { activityRetentionDays: 30 },
    (store) =>
      new Proxy(store, {
        get(target, name) {
          const value = Reflect.get(target, name, target) as unknown;
          if (name === "forTenant")
            return (id: string) => (watching ? noting(target.forTenant(id)) : target.forTenant(id));
          return typeof value === "function" ? value.bind(target) : value;
        },
      }),
  );
  const unusedAccess = { days: 30, from: new Date(world.clock.now()).toISOString() };
  await world.a.send("PATCH", "/api/v1/tenant/settings", { token: world.a.owner.token, body: { unusedAccess } });
  watching = true;
  await world.controlPlane.tick();
  const rules = environmentOf(world).use(dueRules).all;
  const named = rules.map(nameOf);
  /** Collections whose next time a rule finds by a question of its own. */
  const questioned = rules.flatMap((due) => ("next" in due && due.watches ? due.watches.map(({ name }) => name) : []));
  const isRuled = (read: string) => named.includes(read) || questioned.includes(read.split(" by ")[0] as string);
  const unruled = [...asked].filter((read) => !isRuled(read));
  expect(unruled).toEqual([]);
  expect(asked.size).toBeGreaterThan(30);
});
