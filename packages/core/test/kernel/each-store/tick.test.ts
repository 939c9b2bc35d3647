import { createPlane } from "@reeve/testkit";
import { expect, it } from "vitest";
import { collections } from "#reference/index.js";
import type { Logger, Store } from "../../../src/index.js";
import { emptyStore } from "../../helpers/stores.js";
import { createWorld } from "../../helpers/world.js";

const DAY = 86_400_000;
const kept = collections.find(({ name }) => name === "idempotency_keys") as (typeof collections)[number];

// Tenants are processed one after another. Each is the failing one once, to cover both orders.
it.each([
  ["a", "b"],
  ["b", "a"],
] as const)("goes on when tenant %s cannot be tended, says so, and ends it another time", async (illOne, wellOne) => {
  const inner = await emptyStore();
  const broken = { tenantId: "" };
  const store = new Proxy(inner, {
    get(target, name: keyof Store) {
      if (name === "transaction")
        return (tenantId: string, ...rest: never[]) =>
          tenantId === broken.tenantId
            ? Promise.reject(new Error("its rows cannot be locked"))
            : (target.transaction as (...given: unknown[]) => unknown)(tenantId, ...rest);
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const complaints: unknown[] = [];
  const logger: Logger = { info() {}, warn() {}, error: (fields) => complaints.push(fields.tenantId) };
  const world = await createWorld({ store, logger });
  const { [illOne]: ill, [wellOne]: well, clock, controlPlane } = world;
  for (const { send, owner } of [ill, well]) {
    const headers = { "idempotency-key": "once" };
    await send("POST", "/api/v1/ai-assets", { token: owner.token, body: {}, headers });
  }
  const left = async (tenantId: string) => (await store.forTenant(tenantId).count(kept)).count;
  clock.advance(2 * DAY);
  broken.tenantId = ill.tenantId;
  expect((await controlPlane.tick()).failed).toBe(1);
  expect(complaints).toEqual([ill.tenantId]);
  expect([await left(ill.tenantId), await left(well.tenantId)]).toEqual([1, 0]);
  broken.tenantId = "";
  expect((await controlPlane.tick()).failed).toBe(0);
  expect(await left(ill.tenantId)).toBe(0);
});

it("tells when it was last done", async () => {
  const { controlPlane, send, clock } = createPlane({ store: await emptyStore() });
  const lastTickAt = async () => (await send("GET", "/api/v1/monitor/ping")).json.lastTickAt;
  expect(await lastTickAt()).toBeNull();
  clock.advance(60_000);
  expect(await controlPlane.tick()).toMatchObject({ failed: 0 });
  expect(await lastTickAt()).toBe(new Date(clock.now()).toISOString());
});

it("shows that timed work is late while no process does it, and well again once one has", async () => {
  const warnings: string[] = [];
  const logger: Logger = { info() {}, error() {}, warn: (_facts, message) => warnings.push(message) };
  const { a, clock, controlPlane } = await createWorld({ logger });
  const health = async () => (await a.send("GET", "/api/v1/monitor/ping")).json;
  const headers = { "idempotency-key": "once" };
  await a.send("POST", "/api/v1/ai-assets", { token: a.owner.token, body: {}, headers });
  expect((await controlPlane.tick()).failed).toBe(0);
  expect(await health()).toMatchObject({ status: "ok", checks: { timedWork: "ok" } });
  clock.advance(2 * DAY);
  for (const _ of "ab") expect(await health()).toMatchObject({ status: "degraded", checks: { timedWork: "late" } });
  expect((await controlPlane.tick()).failed).toBe(0);
  expect(await health()).toMatchObject({ status: "ok", checks: { timedWork: "ok" } });
  clock.advance(2 * DAY);
  expect(await health()).toMatchObject({ status: "degraded" });
  const late = "timed work is late: call start(), or tick() about once a minute";
  expect(warnings.filter((warning) => warning === late)).toEqual([late, late]);
});
