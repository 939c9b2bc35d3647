import { sampleOf, sendSample, table, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { collections } from "#families/index.js";
import { timesOf } from "#kernel/operation/counts.js";
import { effectOf } from "#kernel/operation/operation.js";
import type { Collection } from "#kernel/records/collection.js";
import { fieldValue, type StoredRecord } from "#store/collection.js";
import { isProviders } from "../helpers/facts.js";
import { createWorld } from "../helpers/world.js";

const DAY = 86_400_000;
const changing = table.filter((operation) => operation.access !== "public" && effectOf(operation) !== "read");
const aging = collections.filter(({ derive }) => derive);

/** A record, and the same with each value of each filter that is a property of it, as they are at a moment. */
function variants({ filters, derive }: Collection, record: StoredRecord, now: string): StoredRecord[] {
  const others = Object.entries(filters).flatMap(([name, { values = [] }]) =>
    typeof (record as never)[name] === "string" ? values.map((value) => ({ ...record, [name]: value })) : [],
  );
  return [record, ...others].map((one) => derive?.(one, now) ?? one);
}

/** The filters and counters whose value time changes by a moment, and those of them that name no time passed by then. */
function turnedBy(collection: Collection, stored: StoredRecord, now: string) {
  const seen = collection.derive?.(stored, now) ?? stored;
  const differs = (field: string) => fieldValue(collection, stored, field) !== fieldValue(collection, seen, field);
  const isPast = (time: string | undefined) =>
    time !== undefined && String(fieldValue(collection, stored, time) ?? "~") <= now;
  const filters = Object.entries(collection.filters).filter(([name, { field = name }]) => differs(field));
  const counters = collection.counted.filter(differs);
  return {
    found: [...filters.map(([name]) => `filter ${name}`), ...counters.map((field) => `counter ${field}`)],
    silent: [
      ...filters.filter(([, { changesAt }]) => !isPast(changesAt)).map(([name]) => `filter ${name}`),
      ...counters.filter((field) => !timesOf(collection, field).some(isPast)).map((field) => `counter ${field}`),
    ],
  };
}

describe("what time changes without a job", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ rateLimits: "off" });
    for (const operation of changing) {
      const caller = isProviders(operation) ? world.provider.owner : await world.a.newUser(["owner"]);
      const params = (await sampleOf(operation).arrange?.(world.a)) ?? {};
      await sendSample(world.a, operation, caller, { params });
    }
  });

  it("is declared by the filters and counters that it changes, whatever operations have left", async () => {
    const [now, later] = [0, 100 * DAY].map((ms) => new Date(world.clock.now() + ms).toISOString()) as [string, string];
    const tenant = world.store.forTenant(world.a.tenantId);
    const [found, silent] = [new Set<string>(), new Set<string>()];
    for (const collection of aging)
      for (const { value } of await tenant.scan(collection, { size: 1_000 }))
        for (const stored of variants(collection, value as StoredRecord, now)) {
          const turned = turnedBy(collection, stored, later);
          for (const what of turned.found) found.add(`${collection.name}: ${what}`);
          for (const what of turned.silent) silent.add(`${collection.name}: ${what}`);
        }
    expect([...silent]).toEqual([]);
    expect(found).toContain("ai_sessions: counter unconfirmed");
    expect(found.size).toBeGreaterThan(25);
  });
});
