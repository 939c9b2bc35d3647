import { ConnectorError } from "@reeve/core/connectors";
import { instanceBody, newInstance, type World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import type { ConnectorContext } from "#connectors/context.js";
import { connectorCalls } from "#families/connectors/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { silentLogger } from "#ports/logger.js";
import { environmentOf } from "../../helpers/environment.js";
import { eventTypes } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/connector-instances";
const REASON = "because a test wants it so";
let world: World;
/** Two processes on one store. */
let one: Environment;
let other: Environment;
beforeEach(async () => {
  world = await createWorld();
  const connectors = new Map([["scripted", world.scripted.connector]]);
  one = environmentOf(world, { connectors });
  other = environmentOf(world, { connectors });
});

async function active(more: object = {}) {
  const body = { ...instanceBody(world.a), status: "active", ...more };
  return { id: await newInstance(world.a, body), account: body.configuration.account };
}
const discover = (env: Environment, instanceId: string, run?: (ctx: ConnectorContext) => Promise<unknown>) =>
  env
    .use(connectorCalls)
    .call(
      { tenantId: world.a.tenantId, instanceId, capability: "discover", correlationId: "c", idempotencyKey: "k" },
      async (connector, ctx) => (run ? run(ctx) : connector.discoverAssets?.(ctx, { limit: 10 })),
    );
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: ConnectorError) => error.code,
  );
const read = async (id: string) =>
  (await world.send("GET", `${PATH}/${id}`, { token: world.a.owner.token })).json as Record<string, unknown>;
const move = (id: string, body: object) =>
  world.send("PATCH", `${PATH}/${id}`, { token: world.a.owner.token, body: { reason: REASON, ...body } });
const away = new ConnectorError("transient", "It is away.");

describe("a call of a connection", () => {
  it("has the settings and secrets that are stored, in every process at once", async () => {
    const { id, account } = await active();
    world.scripted.list(account, [{ externalId: "m", assetType: "model", name: "a model" }]);
    expect(await discover(one, id)).toMatchObject({ items: [{ externalId: "m" }], complete: true });
    await move(id, { secrets: { apiKey: "another key of it" } });
    await discover(other, id);
    expect(world.scripted.calls.at(-1)).toEqual({
      method: "discoverAssets",
      account,
      region: "eu",
      apiKey: "another key of it",
    });
  });

  it("is not made for a draft, a disabled one, one in maintenance, or one that is gone", async () => {
    const draft = await newInstance(world.a);
    expect(await codeOf(discover(one, draft))).toBe("instance_not_active");
    for (const status of ["disabled", "maintenance"]) {
      const { id } = await active();
      await move(id, { status });
      expect(await codeOf(discover(one, id))).toBe("instance_not_active");
    }
    const { id } = await active();
    await world.send("DELETE", `${PATH}/${id}`, { token: world.a.owner.token });
    expect(await codeOf(discover(one, id))).toBe("not_found");
  });

  it("of another tenant's connection finds none", async () => {
    const { id } = await active();
    const call = { tenantId: world.b.tenantId, instanceId: id, capability: "discover" } as const;
    const facts = { ...call, correlationId: "c", idempotencyKey: "k" };
    expect(await codeOf(one.use(connectorCalls).call(facts, async () => undefined))).toBe("not_found");
  });

  it("is not made while the kill switch is engaged, in another process within seconds, nor counts as a failure", async () => {
    const { id } = await active();
    await discover(other, id);
    const set = (status: string) =>
      world.send("POST", "/api/v1/support/kill-switches/connectors.outbound", {
        token: world.provider.owner.token,
        body: { status, reason: REASON },
      });
    await set("engaged");
    world.clock.advance(5_000);
    const before = world.scripted.calls.length;
    for (let count = 0; count < 6; count += 1) expect(await codeOf(discover(other, id))).toBe("kill_switch_active");
    expect(world.scripted.calls).toHaveLength(before);
    expect(await read(id)).toMatchObject({ health: "healthy" });
    await set("released");
    world.clock.advance(5_000);
    expect(await codeOf(discover(other, id))).toBe("done");
  });

  it("stops where the switch is engaged while it runs: the next thing it sends is refused", async () => {
    const { id } = await active();
    const sent = discover(one, id, async (ctx) => {
      await world.send("POST", "/api/v1/support/kill-switches/connectors.outbound", {
        token: world.provider.owner.token,
        body: { status: "engaged", reason: REASON },
      });
      world.clock.advance(5_000);
      await ctx.fetch("https://nowhere.example/");
    });
    expect(await codeOf(sent)).toBe("kill_switch_active");
  });
});

describe("the health of a connection", () => {
  it("is down at the fifth failure in a row, and well again at the third success, across processes", async () => {
    const { id, account } = await active();
    world.scripted.fail(account, away);
    for (const env of [one, other, one, other]) await codeOf(discover(env, id));
    expect((await read(id)).health).toBe("healthy");
    await codeOf(discover(one, id));
    expect(await read(id)).toMatchObject({ health: "down", healthReason: { errorClass: "transient" } });
    world.scripted.fail(account, undefined);
    for (const expected of ["down", "down", "healthy"]) {
      await discover(other, id);
      expect((await read(id)).health).toBe(expected);
    }
    expect((await eventTypes(world.a)).filter((type) => type === "connector.health.changed").length).toBeGreaterThan(2);
  });

  it("is misconfigured at once when the credentials are refused, and forgotten when they change", async () => {
    const { id, account } = await active();
    world.scripted.fail(account, new ConnectorError("auth", "The key is refused."));
    await codeOf(discover(one, id));
    expect((await read(id)).health).toBe("misconfigured");
    world.scripted.fail(account, undefined);
    await move(id, { secrets: { apiKey: "a key that is right" } });
    expect((await read(id)).health).toBe("healthy");
  });

  it("is misconfigured at once when it may not be listed", async () => {
    const { id, account } = await active();
    world.scripted.fail(account, new ConnectorError("permission", "Not allowed."));
    await codeOf(discover(one, id));
    expect((await read(id)).health).toBe("misconfigured");
  });

  it("does not change by answers that are about the call, or by failures of this side", async () => {
    const { id, account } = await active();
    for (const errorClass of ["not_found", "conflict", "invalid", "unsupported"] as const) {
      world.scripted.fail(account, new ConnectorError(errorClass, "No."));
      for (let count = 0; count < 6; count += 1) await codeOf(discover(one, id));
    }
    expect((await read(id)).health).toBe("healthy");
  });
});

describe("calls of a target that fails", () => {
  it("are kept back after five, and one is let through after half a minute", async () => {
    const { id, account } = await active();
    world.scripted.fail(account, away);
    for (let count = 0; count < 5; count += 1) await codeOf(discover(one, id));
    const before = world.scripted.calls.length;
    expect(await codeOf(discover(one, id))).toBe("circuit_open");
    expect(world.scripted.calls).toHaveLength(before);
    world.clock.advance(30_000);
    await codeOf(discover(one, id));
    expect(await codeOf(discover(one, id))).toBe("circuit_open");
    expect(world.scripted.calls).toHaveLength(before + 1);
    world.scripted.fail(account, undefined);
    world.clock.advance(30_000);
    expect(await codeOf(discover(one, id))).toBe("done");
    expect(await codeOf(discover(one, id))).toBe("done");
  });

  it("by a mistake of the connector warn of it as often as they are let through", async () => {
    const { id, account } = await active();
    const records: Record<string, unknown>[] = [];
    const logger = { ...silentLogger, warn: (fields: Record<string, unknown>) => void records.push(fields) };
    const env = environmentOf(world, { logger, connectors: new Map([["scripted", world.scripted.connector]]) });
    world.scripted.script(account, () => JSON.parse("nothing"));
    for (let count = 0; count < 10; count += 1) await codeOf(discover(env, id));
    const about = { tenantId: world.a.tenantId, instanceId: id, providerKey: "scripted", capability: "discover" };
    expect(records).toMatchObject(Array(5).fill({ ...about, error: { name: "SyntaxError" } }));
  });

  it("that hangs hold up four of their own, and none of another connection or tenant", async () => {
    const [hanging, sound] = [await active(), await active()];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let entered = 0;
    const waiting = Array.from({ length: 10 }, () =>
      discover(one, hanging.id, async () => {
        entered += 1;
        await held;
      }),
    );
    expect(await codeOf(discover(one, sound.id))).toBe("done");
    expect(entered).toBe(4);
    release();
    await Promise.all(waiting);
    expect(entered).toBe(10);
  });
});

describe("what a connection keeps between calls", () => {
  it("pitfall 26: is refreshed credentials: once, whichever processes want it, and seen by both", async () => {
    const { id } = await active();
    let refreshed = 0;
    const refresh = (env: Environment) =>
      discover(env, id, async (ctx) => {
        const stale = { apiKey: await ctx.secret("apiKey") };
        return ctx.refreshSecrets(stale, async () => {
          refreshed += 1;
          return { apiKey: `refreshed key ${refreshed}` };
        });
      });
    const stale = await discover(one, id, (ctx) => ctx.secret("apiKey"));
    const late = (env: Environment) =>
      discover(env, id, (ctx) =>
        ctx.refreshSecrets({ apiKey: String(stale) }, async () => {
          refreshed += 1;
          return { apiKey: `refreshed key ${refreshed}` };
        }),
      );
    expect(await Promise.all([late(one), late(other), late(one)])).toEqual(
      Array.from({ length: 3 }, () => ({ apiKey: "refreshed key 1" })),
    );
    expect(refreshed).toBe(1);
    expect(await refresh(other)).toEqual({ apiKey: "refreshed key 2" });
    expect(await discover(one, id, (ctx) => ctx.secret("apiKey"))).toBe("refreshed key 2");
    expect((await eventTypes(world.a)).filter((type) => type === "connector.secrets.refreshed")).toHaveLength(2);
  });

  it("is not lost to a refresh when somebody sets a secret meanwhile", async () => {
    const { id } = await active();
    const refreshed = discover(one, id, (ctx) =>
      ctx.refreshSecrets({}, async () => {
        await move(id, { secrets: { apiKey: "set by a person" } });
        return { apiKey: "set by the target" };
      }),
    );
    expect(await codeOf(refreshed)).toBe("secrets_changed");
    expect(await discover(other, id, (ctx) => ctx.secret("apiKey"))).toBe("set by a person");
  });

  it("is its state, within limits, for every process", async () => {
    const { id } = await active();
    await discover(one, id, (ctx) => ctx.state.put("cursor", { page: 7 }));
    expect(await discover(other, id, (ctx) => ctx.state.get("cursor"))).toEqual({ page: 7 });
    expect(await codeOf(discover(one, id, (ctx) => ctx.state.put("x".repeat(201), 1)))).toBe("state_limit");
    expect(await codeOf(discover(one, id, (ctx) => ctx.state.put("x", "y".repeat(65_536))))).toBe("state_limit");
  });
});
