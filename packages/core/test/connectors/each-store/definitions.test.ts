import { ConnectorError } from "@reeve/core/connectors";
import { type Actor, createPlane, createTenant, instanceBody, newInstance, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { eventsOf, recordsOf } from "../../helpers/facts.js";
import { emptyStore } from "../../helpers/stores.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/connectors";
const CANARY = "canary-0042-of-the-key";
const REASON = "because a test wants it so";
let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const ask = (method: string, path: string, body?: object, as: Actor = world.a.actors.operator) =>
  world.send(method, path, { token: as.token, ...(body ? { body } : {}) });
const test = (body: object) => ask("POST", `${PATH}/scripted/test`, body);
const settings = () => {
  const { configuration, secrets } = instanceBody(world.a);
  return { configuration, secrets };
};

describe("the catalog of connectors", () => {
  it("lists the host's connectors with how the tenant's own connections fare, and no other's", async () => {
    const scene = await createTenant(world, "zqcharlie", world.provider);
    const own = async () => (await ask("GET", `${PATH}/scripted`, undefined, scene.owner)).json;
    expect(await own()).toMatchObject({ providerKey: "scripted", enabled: true, instances: 0, worstHealth: null });
    await newInstance(scene, { status: "active" });
    expect(await own()).toMatchObject({ instances: 1, worstHealth: "healthy" });
    const body = { ...instanceBody(scene), status: "active" };
    const id = await newInstance(scene, body);
    world.scripted.show(body.configuration.account, {
      checks: [{ id: "list", category: "permission", status: "fail", message: "No.", capability: "discover" }],
    });
    const change = { configuration: { region: "us" } };
    await ask("PATCH", `/api/v1/connector-instances/${id}`, change, scene.owner);
    expect(await own()).toMatchObject({ instances: 2, worstHealth: "degraded" });
    const { json } = await ask("GET", `${PATH}/statuses`, undefined, scene.owner);
    expect(json.items).toEqual([
      { providerKey: "scripted", enabled: true, instances: 2, worstHealth: "degraded" },
      { providerKey: "scripted-access", enabled: true, instances: 0, worstHealth: null },
    ]);
  });

  it("has the words before the keys, and 404 for a key that is none", async () => {
    expect((await ask("GET", `${PATH}/categories`)).json.items).toEqual([
      { category: "code", connectors: 1 },
      { category: "other", connectors: 1 },
    ]);
    expect((await ask("GET", `${PATH}/enabled`)).json.items).toHaveLength(2);
    expect((await ask("GET", `${PATH}/nothing`)).status).toBe(404);
    expect((await ask("GET", `${PATH}/nothing/manifest`)).status).toBe(404);
    expect((await ask("POST", `${PATH}/nothing/test`, settings())).status).toBe(404);
  });

  it("publishes how a connector is configured, with its secrets written only", async () => {
    const { json } = await ask("GET", `${PATH}/scripted/manifest`);
    expect(json.secretPaths).toEqual(["/apiKey", "/signingKey"]);
    expect(json.configurationSchema.properties.apiKey).toMatchObject({ type: "string", writeOnly: true });
  });

  it("leaves out what the tenant has taken out of use, which makes no new connections there, and there only", async () => {
    const set = (disabledConnectors: string[] | null) =>
      ask("PATCH", "/api/v1/tenant/settings", { disabledConnectors }, world.a.owner);
    await set(["scripted"]);
    const enabled = (await ask("GET", `${PATH}/enabled`)).json.items as { providerKey: string }[];
    expect(enabled.map(({ providerKey }) => providerKey)).toEqual(["scripted-access"]);
    const refused = await ask("POST", "/api/v1/connector-instances", instanceBody(world.a));
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, "/providerKey"]);
    await newInstance(world.b);
    await set(null);
    await newInstance(world.a);
  });
});

describe("a test of settings that are not stored", () => {
  it("says for each capability whether it works, and keeps nothing", async () => {
    const before = await recordsOf(world.a);
    const { status, json } = await test(settings());
    expect([status, json]).toMatchObject([
      201,
      { ok: true, capabilities: { test: "works", discover: "works" }, normalizedConfiguration: { region: "eu" } },
    ]);
    expect(await recordsOf(world.a)).toEqual(before);
  });

  it("shows the key nowhere, though the system says it in every text", async () => {
    const { configuration } = settings();
    world.scripted.show(configuration.account, {
      checks: [{ id: CANARY, category: "auth", status: "fail", message: `No ${CANARY}.`, remediation: CANARY }],
      target: { id: CANARY, name: CANARY },
    });
    const { status, text, json } = await test({ configuration, secrets: { apiKey: CANARY } });
    expect([status, json.ok]).toEqual([201, false]);
    expect([text, JSON.stringify(await eventsOf(world.a))].filter((one) => one.includes(CANARY))).toEqual([]);
  });

  it("is an answer, also when the system refuses, lies or is away", async () => {
    for (const errorClass of ["auth", "transient", "config"] as const) {
      const given = settings();
      world.scripted.fail(given.configuration.account, new ConnectorError(errorClass, "No."));
      const { status, json } = await test(given);
      const discover = errorClass === "auth" ? "denied" : "unknown";
      expect([status, json]).toMatchObject([201, { ok: false, failure: { errorClass }, capabilities: { discover } }]);
    }
    const given = settings();
    world.scripted.show(given.configuration.account, { checks: "none" } as never);
    expect((await test(given)).json.failure).toMatchObject({ code: "invalid_answer" });
  });

  it("reaches no address that the host does not permit", async () => {
    const { configuration, secrets } = settings();
    const { json } = await test({ configuration: { ...configuration, endpoint: "http://127.0.0.1:9/" }, secrets });
    expect(json).toMatchObject({ ok: false, failure: { code: "target_not_allowed" } });
  });

  it("is not made while calls are switched off", async () => {
    const set = (status: string) =>
      ask(
        "POST",
        "/api/v1/support/kill-switches/connectors.outbound",
        { status, reason: REASON },
        world.provider.owner,
      );
    await set("engaged");
    expect((await test(settings())).json.code).toBe("kill_switch_active");
    await set("released");
  });

  it("is made five times a minute for a tenant, and another tenant has its own five", async () => {
    const limits = { tenant: 1_000, principal: 1_000, address: 1_000, credential: 1_000, expensive: 1_000 };
    const plane = createPlane({ rateLimits: limits, store: await emptyStore() });
    const [one, two] = [await createTenant(plane, "zqdelta"), await createTenant(plane, "zqecho")];
    const tried = (as: Actor) =>
      plane.send("POST", `${PATH}/scripted/test`, { token: as.token, body: settings() }).then(({ status }) => status);
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push(await tried(count % 2 ? one.owner : one.actors.operator));
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    expect(await tried(two.owner)).toBe(201);
  });
});
