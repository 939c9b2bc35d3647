import { ConnectorError } from "@reeve/core/connectors";
import { type Actor, instanceBody, newInstance, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { recordsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/integrations";
const CANARY = "canary-1900-of-the-key";
const REASON = "because a test wants it so";
let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const ask = (method: string, path: string, body?: object, as: Actor = world.a.actors.operator) =>
  world.send(method, path, { token: as.token, ...(body ? { body } : {}) });
async function active() {
  const body = { ...instanceBody(world.a), status: "active" };
  return { id: await newInstance(world.a, body), account: body.configuration.account };
}

describe("an integration", () => {
  it("is the connection of the same id: what one interface writes, the other reads", async () => {
    const { id } = await active();
    const name = world.a.unique();
    const { json } = await ask("PATCH", `${PATH}/${id}`, { name });
    expect((await ask("GET", `/api/v1/connector-instances/${id}`)).json).toEqual(json);
    expect((await ask("GET", `${PATH}?search=${name}`)).json.items).toEqual([json]);
    expect((await ask("DELETE", `${PATH}/${id}`)).status).toBe(204);
    expect((await ask("GET", `/api/v1/connector-instances/${id}`)).status).toBe(404);
  });

  it("replaces its configuration, keeps its secrets, and shows what differed", async () => {
    const { id, account } = await active();
    await ask("PATCH", `${PATH}/${id}`, { configuration: { region: "us" } });
    const body = { configuration: { account }, secrets: { apiKey: CANARY }, reason: REASON };
    const { status, json, text } = await ask("PUT", `${PATH}/${id}/configuration`, body);
    expect([status, json]).toMatchObject([
      200,
      { id, configuration: { account }, configurationVersion: 3, secrets: { apiKey: { set: true } } },
    ]);
    expect(json.history.map(({ number, changes }: { number: number; changes: object }) => [number, changes])).toEqual([
      [
        3,
        [
          { path: "/region", from: "us" },
          { path: "/apiKey", hidden: true },
        ],
      ],
      [2, [{ path: "/region", to: "us" }]],
      [1, []],
    ]);
    expect(json.history[0].reason).toBe(REASON);
    expect(text).not.toContain(CANARY);
    expect((await ask("GET", `${PATH}/${id}/configuration`)).text).toBe(text);
  });

  it("validates another configuration without saving it, and asks the system only when told to", async () => {
    const { id, account } = await active();
    const validate = (body: object, live = "") => ask("POST", `${PATH}/${id}/configuration/validate${live}`, body);
    const [before, calls] = [await recordsOf(world.a), world.scripted.calls.length];
    const wrong = await validate({ configuration: { account, region: "moon" }, secrets: { other: CANARY } });
    expect([wrong.status, wrong.json.valid, wrong.json.errors[0].pointer]).toEqual([200, false, "/secrets/other"]);
    expect(wrong.text).not.toContain(CANARY);
    const right = await validate({ configuration: { account, region: "us" } });
    expect(right.json).toMatchObject({ valid: true, willRequireRetest: true, live: null, affects: {} });
    expect(world.scripted.calls).toHaveLength(calls);
    const other = await validate({ configuration: { account: world.a.unique() } }, "?live=true");
    expect(other.json).toMatchObject({ valid: true, live: { ok: true }, warnings: [{ pointer: "/configuration" }] });
    world.scripted.fail(account, new ConnectorError("transient", "It is away."));
    const away = await validate({ configuration: { account } }, "?live=true");
    expect(away.json).toMatchObject({ valid: true, willRequireRetest: false, live: { ok: false } });
    expect(await recordsOf(world.a)).toEqual(before);
  });

  it("lists, reads and counts what has happened to it, and to nothing else", async () => {
    const { id } = await active();
    const other = await active();
    await ask("PATCH", `${PATH}/${id}`, { status: "disabled", reason: REASON });
    const { json } = await ask("GET", `${PATH}/${id}/activity`);
    const types = json.items.map(({ type }: { type: string }) => type);
    expect(types).toEqual([
      "reeve.connector.status.changed.v1",
      "reeve.connector.status.changed.v1",
      "reeve.connector.health.changed.v1",
      "reeve.connector.instance.created.v1",
    ]);
    const [event] = json.items;
    expect((await ask("GET", `${PATH}/${id}/activity/${event.id}`)).json).toEqual(event);
    expect((await ask("GET", `${PATH}/${other.id}/activity/${event.id}`)).status).toBe(404);
    const summary = await ask("GET", `${PATH}/${id}/activity/summary`);
    expect(summary.json).toMatchObject({
      total: 4,
      complete: true,
      byType: { "reeve.connector.status.changed.v1": 2 },
      byOutcome: { success: 4 },
    });
  });

  it("is no other tenant's, with whatever of its ids", async () => {
    const { id } = await active();
    const { json } = await ask("GET", `${PATH}/${id}/activity`);
    const eventId = json.items[0].id;
    for (const path of ["configuration", "activity", "activity/summary", `activity/${eventId}`])
      expect((await ask("GET", `${PATH}/${id}/${path}`, undefined, world.b.owner)).status).toBe(404);
    const { configuration } = instanceBody(world.b);
    expect((await ask("PUT", `${PATH}/${id}/configuration`, { configuration }, world.b.owner)).status).toBe(404);
    const validate = `${PATH}/${id}/configuration/validate`;
    expect((await ask("POST", validate, { configuration }, world.b.owner)).status).toBe(404);
  });
});
