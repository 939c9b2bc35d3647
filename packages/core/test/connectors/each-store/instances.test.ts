import { type Actor, instanceBody, newInstance, type Scene, ScriptedConnector, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { eventsOf, recordsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const PATH = "/api/v1/connector-instances";
const CANARY = "canary-4711-of-the-key";
let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const by = (role: keyof World["a"]["actors"]) => world.a.actors[role];
const ask = (method: string, path: string, body?: object, as: Actor = by("operator")) =>
  world.send(method, path, { token: as.token, ...(body ? { body } : {}) });
const bodyOf = (more: object = {}) => ({ ...instanceBody(world.a), ...more });

/** All that is stored for both tenants, as text. */
async function everything(): Promise<string> {
  const of = async (scene: Scene) => [await recordsOf(scene), await eventsOf(scene)];
  return JSON.stringify([await of(world.a), await of(world.b)]);
}

describe("a new connection", () => {
  it("is a draft of its connector, with its maker as its owner, and nothing calls it", async () => {
    const before = world.scripted.calls.length;
    const body = bodyOf();
    const { status, json } = await ask("POST", PATH, body);
    expect([status, json]).toMatchObject([
      201,
      {
        id: expect.stringMatching(/^ci_/),
        name: body.name,
        status: "draft",
        health: "unknown",
        providerKey: "scripted",
        manifestVersion: "1.0.0",
        ownerIds: [by("operator").userId],
        governanceMode: "observe",
        configuration: body.configuration,
        configurationVersion: 1,
        secrets: { apiKey: { set: true, updatedAt: json.createdAt }, signingKey: { set: false, updatedAt: null } },
        target: null,
      },
    ]);
    expect((await ask("GET", `${PATH}/${json.id}`)).json).toEqual(json);
    expect(world.scripted.calls).toHaveLength(before);
  });

  it("pitfall 27: takes a secret that stands in the configuration, seals it, and shows it nowhere", async () => {
    const { name } = bodyOf();
    const configuration = { account: name, apiKey: CANARY };
    const { status, text, json } = await ask("POST", PATH, { name, providerKey: "scripted", configuration });
    expect(status, text).toBe(201);
    expect(json.configuration).toEqual({ account: name });
    expect(json.secrets.apiKey.set).toBe(true);
    expect([text, await everything()].filter((one) => one.includes(CANARY))).toEqual([]);
  });

  it.each([
    ["a secret in free data", { metadata: { apiKey: CANARY } }, "/metadata/apiKey"],
    [
      "an address with a password",
      { configuration: { account: "x", endpoint: `https://u:${CANARY}@x.test/` } },
      "/configuration/endpoint",
    ],
    [
      "a secret below the configuration",
      { configuration: { account: "x", more: { token: CANARY } } },
      "/configuration/more/token",
    ],
    [
      "two values of one secret",
      { configuration: { account: "x", apiKey: `${CANARY}2` }, secrets: { apiKey: CANARY } },
      "/configuration/apiKey",
    ],
    ["an unknown secret", { secrets: { apiKey: CANARY, other: CANARY } }, "/secrets/other"],
    ["an unknown setting", { configuration: { account: "x", acount: CANARY } }, "/configuration/acount"],
    ["a setting of another type", { configuration: { account: 7 } }, "/configuration/account"],
    ["a secret that is too short", { secrets: { apiKey: "short" } }, "/secrets/apiKey"],
    ["no secret", { secrets: {} }, "/secrets/apiKey"],
    ["a kept secret that is not there", { secrets: { apiKey: "***" } }, "/secrets/apiKey"],
    ["an owner who is not there", { ownerIds: ["usr_7ZZZZZZZZZZZZZZZZZZZZZZZZZ"] }, "/ownerIds"],
    ["a connector that is not there", { providerKey: "nothing" }, "/providerKey"],
  ])("is refused with %s, and nothing of it is kept or quoted", async (_what, more, pointer) => {
    const { status, json, text } = await ask("POST", PATH, bodyOf(more));
    expect([status, json.errors?.[0]?.pointer], text).toEqual([400, pointer]);
    expect([text, await everything()].filter((one) => one.includes(CANARY))).toEqual([]);
  });

  it("has a name that no other of the tenant has, whatever its letters' case", async () => {
    const body = bodyOf();
    await newInstance(world.a, body);
    const { status, json } = await ask("POST", PATH, { ...body, name: body.name.toUpperCase() });
    expect([status, json.code]).toEqual([409, "already_exists"]);
    await newInstance(world.b, { ...body, name: body.name });
  });

  it("is another tenant's neither to read nor to find, and owned by none of its users", async () => {
    const id = await newInstance(world.a);
    const { token, userId } = world.b.owner;
    expect((await world.send("GET", `${PATH}/${id}`, { token })).status).toBe(404);
    expect((await world.send("GET", `${PATH}?size=200`, { token })).text).not.toContain(id);
    expect((await ask("POST", PATH, bodyOf({ ownerIds: [userId] }))).json.code).toBe("invalid_reference");
  });

  it("is set up by operators, and not by those who only read", async () => {
    for (const role of ["auditor", "member", "approver"] as const) {
      expect((await ask("POST", PATH, bodyOf(), by(role))).status).toBe(403);
      expect((await ask("GET", PATH, undefined, by(role))).status).toBe(200);
    }
  });

  it("is found by status, connector and words of its name", async () => {
    const body = bodyOf();
    const id = await newInstance(world.a, body);
    const query = `?status=draft&providerKey=${ScriptedConnector.providerKey}&search=${body.name}`;
    const { json } = await ask("GET", `${PATH}${query}`);
    expect(json.items.map((item: { id: string }) => item.id)).toEqual([id]);
  });
});
