import { ConnectorError } from "@reeve/core/connectors";
import { type Actor, newActiveInstance, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { testInstance } from "#families/connectors/diagnostics/run-diagnostics.js";
import { instances } from "#families/connectors/index.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { silentLogger } from "#ports/logger.js";
import { tickThrough } from "../../helpers/chaos.js";
import { environmentOf } from "../../helpers/environment.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
const warnings: Record<string, unknown>[] = [];
beforeAll(async () => {
  const logger = { ...silentLogger, warn: (fields: Record<string, unknown>) => void warnings.push(fields) };
  // Tests move the clock by hours.
  world = await createWorld({ tokenLifetime: 86_400, logger });
});

const by = (role: keyof World["a"]["actors"]) => world.a.actors[role];
const ask = (method: string, path: string, body?: object, as: Actor = by("owner")) =>
  world.send(method, path, { token: as.token, ...(body ? { body } : {}) });

async function connected() {
  const account = world.a.unique();
  const id = await newActiveInstance(world.a, { name: account, configuration: { account } });
  return { id, account, path: `/api/v1/integrations/${id}` };
}

describe("diagnostics", () => {
  it("keep what a test has found, and move the health", async () => {
    const { id, path } = await connected();
    expect((await ask("GET", `${path}/diagnostics/latest`)).status).toBe(404);
    const { status, json: run } = await ask("POST", `${path}/diagnostics/run`);
    expect([status, run]).toMatchObject([
      201,
      {
        connectorInstanceId: id,
        trigger: "manual",
        status: "passed",
        capabilities: { test: "works", discover: "works" },
        failure: null,
        healthBefore: "unknown",
        connectorVersion: "1.0.0",
      },
    ]);
    expect((await ask("GET", `${path}/diagnostics/runs/${run.id}`)).json).toEqual(run);
    expect((await ask("GET", `${path}/diagnostics/latest`)).json).toEqual(run);
    expect((await ask("GET", `${path}/diagnostics/history`)).json.items).toEqual([run]);
    expect((await ask("GET", `/api/v1/connector-instances/${id}`)).json.lastCheckAt).toBe(run.endedAt);
  });

  it("of refused credentials are a failed test and no failed request", async () => {
    const { id, path, account } = await connected();
    world.scripted.fail(account, new ConnectorError("auth", "The key is refused."));
    const { status, json } = await ask("POST", `${path}/diagnostics/run`);
    expect([status, json]).toMatchObject([
      201,
      { status: "failed", failure: { errorClass: "auth" }, healthAfter: "misconfigured" },
    ]);
    expect((await ask("GET", `/api/v1/connector-instances/${id}`)).json.health).toBe("misconfigured");
  });

  it("of a connector with a mistake answer nothing of it, and warn the host of it once", async () => {
    const { id, path, account } = await connected();
    const circle: { target?: object } = {};
    circle.target = circle;
    const mistakes = [
      () => world.scripted.script(account, () => (undefined as never as { nothing: undefined }).nothing),
      () => {
        world.scripted.script(account, () => undefined);
        world.scripted.show(account, circle as object);
      },
    ];
    for (const mistake of mistakes) {
      mistake();
      warnings.length = 0;
      const { text, json } = await ask("POST", `${path}/diagnostics/run`);
      expect(json.failure).toEqual({ errorClass: "transient", code: "unexpected", message: "The connector failed." });
      expect(text).not.toMatch(/nothing|Maximum call/);
      expect(warnings).toEqual([
        {
          ...{ tenantId: world.a.tenantId, instanceId: id, providerKey: "scripted", capability: "test" },
          correlationId: expect.any(String),
          error: {
            name: expect.stringMatching(/^(Type|Range)Error$/),
            message: expect.stringMatching(/nothing|Maximum call/),
            stack: expect.stringContaining("at "),
          },
        },
      ]);
    }
  });

  it("notice that another system answers", async () => {
    const { path, account } = await connected();
    world.scripted.show(account, { target: { id: "one", name: "One" } });
    const patch = { status: "disabled", reason: "To be set up anew." };
    const id = path.split("/").at(-1);
    await ask("PATCH", `/api/v1/connector-instances/${id}`, patch);
    const enabled = await ask("PATCH", `/api/v1/connector-instances/${id}`, { status: "active" });
    expect(enabled.json.target, enabled.text).toMatchObject({ id: "one" });
    world.scripted.show(account, { target: { id: "two", name: "Two" } });
    const { json } = await ask("POST", `${path}/diagnostics/run`);
    expect(json).toMatchObject({
      status: "failed",
      checks: expect.arrayContaining([expect.objectContaining({ id: "target" })]),
    });
  });

  it("are made once for all who ask at the same time", async () => {
    const { id, account } = await connected();
    const { connector } = world.scripted;
    const ctx = systemContext(
      environmentOf(world, { connectors: new Map([[connector.manifest.providerKey, connector]]) }),
      world.a.tenantId,
      "test",
    );
    const instance = await ctx.getOrThrow(instances, id);
    const before = world.scripted.calls.filter((call) => call.account === account).length;
    const tests = await Promise.all([1, 2, 3].map(() => testInstance(ctx, instance)));
    expect(world.scripted.calls.filter((call) => call.account === account).length - before).toBe(1);
    expect(new Set(tests).size).toBe(1);
  });

  it("say that nobody knows how a connection works that could not be tested for three intervals", async () => {
    const { id, path } = await connected();
    const broken = await connected();
    const healthOf = async (one: string) => (await ask("GET", `/api/v1/connector-instances/${one}`)).json.health;
    await ask("POST", `${path}/diagnostics/run`);
    world.scripted.fail(broken.account, new ConnectorError("auth", "It refuses the key."));
    await ask("POST", `${broken.path}/diagnostics/run`);
    expect([await healthOf(id), await healthOf(broken.id)]).toEqual(["healthy", "misconfigured"]);
    const { token } = world.provider.owner;
    const flip = async (status: string) => {
      const body = { status, reason: "The network is being looked at." };
      const done = await world.send("POST", "/api/v1/support/kill-switches/connectors.outbound", { token, body });
      expect(done.status, done.text).toBe(200);
    };
    const later = async (minutes: number) => {
      world.clock.advance(minutes * 60_000);
      await world.controlPlane.tick();
    };
    await flip("engaged");
    for (const minutes of [16, 16]) await later(minutes);
    expect(await healthOf(id)).toBe("healthy");
    for (const minutes of [16, 16]) await later(minutes);
    expect([await healthOf(id), await healthOf(broken.id)]).toEqual(["unknown", "misconfigured"]);
    const { items } = (await ask("GET", `${path}/activity`)).json;
    const reported = items.filter((one: { type: string }) => one.type.includes("connector.health.changed"));
    expect(reported[0]).toMatchObject({
      data: { from: "healthy", to: "unknown", reason: expect.stringContaining("three") },
    });
    await flip("released");
    await later(16);
    expect(await healthOf(id)).toBe("healthy");
  });

  it("are made on schedule for active connections, and not for others", async () => {
    const [on, off] = [await connected(), await connected()];
    await ask("PATCH", `/api/v1/connector-instances/${off.id}`, { status: "disabled", reason: "Not needed for now." });
    world.clock.advance(900_000);
    await world.controlPlane.tick();
    const historyOf = async ({ path }: { path: string }) =>
      (await ask("GET", `${path}/diagnostics/history`)).json.items;
    expect(await historyOf(on)).toMatchObject([{ trigger: "schedule", status: "passed" }]);
    expect(await historyOf(off)).toEqual([]);
    await world.controlPlane.tick();
    expect(await historyOf(on)).toHaveLength(1);
  });

  it("are made by the next process, once, when one dies in whatever step", async () => {
    const { path } = await connected();
    const scheduled = async () =>
      (await ask("GET", `${path}/diagnostics/history?size=100`)).json.items.filter(
        ({ trigger }: { trigger: string }) => trigger === "schedule",
      ).length;
    const connectors = [world.scripted.connector];
    let died = 0;
    for (let transactions = 0; transactions < 8; transactions += 1) {
      const before = await scheduled();
      world.clock.advance(900_000);
      // The dead process has reserved the connection for a minute.
      died += await tickThrough(world, connectors, { deaths: [transactions], ticks: 2, pause: 61_000 });
      expect(await scheduled(), `after ${transactions} transactions`).toBe(before + 1);
    }
    expect(died).toBeGreaterThan(2);
  });

  it("are seen by no other tenant", async () => {
    const { path } = await connected();
    const { json: run } = await ask("POST", `${path}/diagnostics/run`);
    const other = await connected();
    const stranger = world.b.actors.owner;
    for (const where of ["latest", "history", `runs/${run.id}`])
      expect((await ask("GET", `${path}/diagnostics/${where}`, undefined, stranger)).status, where).toBe(404);
    expect((await ask("GET", `${other.path}/diagnostics/runs/${run.id}`)).status).toBe(404);
  });
});

describe("a trend", () => {
  it("of no calls says nothing, and joins tests with calls that do work", async () => {
    const { path, account } = await connected();
    const now = async (window = "24h") => (await ask("GET", `${path}/health/trend?window=${window}`)).json;
    const { buckets } = await now();
    expect(buckets).toHaveLength(24);
    expect(new Set(buckets.map(({ worst }: { worst: string }) => worst))).toEqual(new Set(["none"]));
    expect(buckets.at(-1)).toMatchObject({ availability: null, sources: [], p50: null });
    await ask("POST", `${path}/diagnostics/run`);
    world.scripted.listBy(account, () => {
      throw new ConnectorError("transient", "It is down.");
    });
    await ask("POST", `${path}/imports`, {});
    await world.controlPlane.tick();
    expect((await now()).buckets.at(-1)).toMatchObject({
      worst: "degraded",
      sources: ["probe", "traffic"],
      ok: 2,
      failed: { transient: 1 },
      availability: 2 / 3,
    });
    for (const [window, length] of [
      ["7d", 28],
      ["30d", 30],
    ] as const) {
      const wider = await now(window);
      expect(wider.buckets).toHaveLength(length);
      expect(wider.buckets.at(-1).ok).toBe(2);
    }
    expect((await ask("GET", `${path}/health/trend?window=1y`)).status).toBe(400);
  });
});
