import { ConnectorError } from "@reeve/core/connectors";
import { type Actor, instanceBody, newInstance, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { eventsOf, eventTypes, recordsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/connector-instances";
const REASON = "because a test wants it so";
const CANARY = "canary-0815-of-the-key";
let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const operator = () => world.a.actors.operator;
const ask = (method: string, path: string, body?: object, as: Actor = operator(), headers = {}) =>
  world.send(method, path, { token: as.token, headers, ...(body ? { body } : {}) });
const patch = (id: string, body: object) => ask("PATCH", `${PATH}/${id}`, body);
const read = async (id: string) => (await ask("GET", `${PATH}/${id}`)).json;

/** A connection of an account of its own. */
async function made(more: object = {}) {
  const body = instanceBody(world.a);
  const id = await newInstance(world.a, { ...body, ...more }, operator());
  return { id, account: body.configuration.account };
}
const active = () => made({ status: "active" });

describe("the status of a connection", () => {
  it("becomes active by a test that passes, which tells its health and which system answers", async () => {
    const { id, account } = await made();
    const { status, json } = await patch(id, { status: "active" });
    expect([status, json]).toMatchObject([
      200,
      {
        status: "active",
        health: "healthy",
        target: { id: `target of ${account}`, name: account },
        lastTest: { outcome: "passed", configurationVersion: 1 },
      },
    ]);
    expect(await read(id)).toEqual(json);
  });

  it("stays a draft when the test fails, and says why without a word of the key", async () => {
    const { id, account } = await made();
    world.scripted.fail(
      account,
      new ConnectorError("auth", `The key of ${account} is refused: the key of ${account}.`),
    );
    const { status, json, text } = await patch(id, { status: "active" });
    expect([status, json.code, json.test.failure.errorClass]).toEqual([409, "connection_test_failed", "auth"]);
    expect(text).not.toContain(`the key of ${account}`);
    expect((await read(id)).status).toBe("draft");
  });

  it("is not active after a failed first test either: nothing is kept", async () => {
    const body = instanceBody(world.a);
    world.scripted.fail(body.configuration.account, new ConnectorError("transient", "It is away."));
    expect((await ask("POST", PATH, { ...body, status: "active" })).json.code).toBe("connection_test_failed");
    const { json } = await ask("GET", `${PATH}?search=${body.name}`);
    expect(json.items).toEqual([]);
  });

  it("is active without a test only for a reason, and shows that", async () => {
    const { id } = await made();
    const before = world.scripted.calls.length;
    expect((await patch(id, { status: "active", skipTest: true })).json.code).toBe("missing_reason");
    const { json } = await patch(id, { status: "active", skipTest: true, reason: REASON });
    expect(json).toMatchObject({ status: "active", health: "unknown", lastTest: { outcome: "skipped" } });
    expect(world.scripted.calls).toHaveLength(before);
  });

  it("is taken out of use, also while all calls are switched off, and back by a new test", async () => {
    const { id } = await active();
    const set = (status: string) =>
      world.send("POST", "/api/v1/support/kill-switches/connectors.outbound", {
        token: world.provider.owner.token,
        body: { status, reason: REASON },
      });
    await set("engaged");
    expect((await patch(id, { status: "disabled", reason: REASON })).json.status).toBe("disabled");
    const refused = await patch(id, { status: "active" });
    expect([refused.status, refused.json.code]).toEqual([503, "kill_switch_active"]);
    await set("released");
    expect((await patch(id, { status: "active" })).json.status).toBe("active");
  });

  it("is not set to deleting by a change", async () => {
    const { id } = await active();
    expect((await patch(id, { status: "deleting", reason: REASON })).json.code).toBe("invalid_transition");
  });

  it("is maintenance until the time that was set, and active from then on", async () => {
    const { id } = await active();
    const until = new Date(world.clock.now() + 3_600_000).toISOString();
    const { json } = await patch(id, { status: "maintenance", reason: REASON, maintenance: { until } });
    expect(json).toMatchObject({ status: "maintenance", maintenance: { until, reason: REASON } });
    const past = new Date(world.clock.now() - 1).toISOString();
    expect((await patch(id, { maintenance: { until: past } })).status).toBe(400);
    const sooner = new Date(world.clock.now() + 1_000).toISOString();
    expect((await patch(id, { maintenance: { until: sooner } })).json.maintenance).toEqual({
      until: sooner,
      reason: REASON,
    });
    world.clock.advance(1_000);
    expect(await read(id)).toMatchObject({ status: "active", maintenance: null });
    await world.controlPlane.tick();
    expect(await read(id)).toMatchObject({ status: "active", maintenance: null });
  });
});

describe("the settings of a connection", () => {
  it("are merged, tested while it is active, and keep their secrets when these are left out or echoed", async () => {
    const { id, account } = await active();
    const before = await read(id);
    const { status, json } = await patch(id, { configuration: { region: "us" }, secrets: before.secrets });
    expect([status, json]).toMatchObject([
      200,
      { configuration: { account, region: "us" }, configurationVersion: 2, health: "healthy", secrets: before.secrets },
    ]);
    expect(world.scripted.calls.at(-1)).toMatchObject({ account, region: "us", apiKey: `the key of ${account}` });
    const echoed = await patch(id, { configuration: { apiKey: "***" } });
    expect(echoed.json.configurationVersion).toBe(2);
  });

  it("show a changed secret by its time only, and nowhere its value, neither old nor new", async () => {
    const { id } = await active();
    const before = await read(id);
    world.clock.advance(1_000);
    const { json, text } = await patch(id, { secrets: { apiKey: CANARY, signingKey: `${CANARY}-2` } });
    expect(json.secrets.apiKey.updatedAt > before.secrets.apiKey.updatedAt).toBe(true);
    expect(json.secrets.signingKey.set).toBe(true);
    const cleared = await patch(id, { secrets: { signingKey: null } });
    expect(cleared.json.secrets.signingKey.set).toBe(false);
    expect((await patch(id, { secrets: { apiKey: null } })).json.errors[0].pointer).toBe("/secrets/apiKey");
    const stored = JSON.stringify(await recordsOf(world.a));
    const events = JSON.stringify(await eventsOf(world.a));
    expect([text, stored, events].filter((one) => one.includes(CANARY))).toEqual([]);
  });

  it("stay as they are when they do not work", async () => {
    const { id, account } = await active();
    const before = await read(id);
    world.scripted.fail(account, new ConnectorError("config", "There is no such region."));
    expect((await patch(id, { configuration: { region: "us" } })).json.code).toBe("connection_test_failed");
    expect(await read(id)).toEqual(before);
    const forced = await patch(id, { configuration: { region: "us" }, skipTest: true, reason: REASON });
    expect(forced.json).toMatchObject({ configurationVersion: 2, health: "unknown", lastTest: { outcome: "skipped" } });
  });

  it("lead to another system only when somebody says so", async () => {
    const { id } = await active();
    const other = { configuration: { account: world.a.unique() } };
    const refused = await patch(id, other);
    expect([refused.status, refused.json.code]).toEqual([409, "target_identity_changed"]);
    const { json } = await patch(id, { ...other, confirmTarget: true });
    expect(json.target.name).toBe(other.configuration.account);
  });

  it("of a draft change without a test, and the guard holds when it comes back into use", async () => {
    const { id } = await active();
    await patch(id, { status: "disabled", reason: REASON });
    await patch(id, { configuration: { account: world.a.unique() } });
    expect((await patch(id, { status: "active" })).json.code).toBe("target_identity_changed");
    expect((await patch(id, { status: "active", confirmTarget: true })).json.status).toBe("active");
  });

  it("change from the version that was seen, and not over others' changes", async () => {
    const { id } = await made();
    const stale = await ask("PATCH", `${PATH}/${id}`, { name: world.a.unique() }, operator(), { "if-match": '"9"' });
    expect(stale.status).toBe(412);
  });

  it("never change their connector", async () => {
    const { id } = await made();
    expect((await patch(id, { providerKey: "other" })).json.code).toBe("read_only_property");
  });
});

describe("a deleted connection", () => {
  it("is gone with its secrets, its settings and what it remembered, and its events stay", async () => {
    const { id, account } = await active();
    expect((await ask("DELETE", `${PATH}/${id}?reason=no%20longer%20needed`)).status).toBe(204);
    expect((await ask("GET", `${PATH}/${id}`)).status).toBe(404);
    const left = Object.entries(await recordsOf(world.a)).filter(([, texts]) =>
      texts.some((text) => text.includes(id)),
    );
    expect(left.map(([name]) => name).filter((name) => name.startsWith("connector_"))).toEqual([]);
    expect((await eventTypes(world.a)).at(-1)).toBe("connector.instance.deleted");
    await newInstance(world.a, { ...instanceBody(world.a), name: account });
  });

  it("is another tenant's neither to change nor to delete", async () => {
    const { id } = await active();
    const before = await read(id);
    for (const [method, body] of [
      ["PATCH", { name: "mine" }],
      ["DELETE", undefined],
    ] as const)
      expect((await ask(method, `${PATH}/${id}`, body, world.b.owner)).status).toBe(404);
    expect(await read(id)).toEqual(before);
  });
});

describe("kept credentials", () => {
  const elsewhere = { configuration: { endpoint: "https://attacker.example.com/" } };

  it("are sent to no other address: who changes it must know them", async () => {
    const { id } = await active();
    const before = await read(id);
    for (const body of [
      elsewhere,
      { ...elsewhere, skipTest: true, reason: REASON },
      { ...elsewhere, secrets: { apiKey: "***" } },
      { ...elsewhere, secrets: before.secrets },
    ]) {
      const calls = world.scripted.calls.length;
      const { status, json } = await patch(id, body);
      expect([status, json.errors?.[0]?.pointer]).toEqual([400, "/secrets/apiKey"]);
      expect(world.scripted.calls).toHaveLength(calls);
    }
    expect(await read(id)).toEqual(before);
  });

  it("go along when they are given again", async () => {
    const { id } = await made();
    const { status, json } = await patch(id, { ...elsewhere, secrets: { apiKey: `another ${CANARY}` } });
    expect([status, json.configuration?.endpoint]).toEqual([200, elsewhere.configuration.endpoint]);
  });
});
