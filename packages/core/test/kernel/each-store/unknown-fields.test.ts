import type { World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const send = (method: string, path: string, body: object, headers = {}, scene = world.a) =>
  world.send(method, path, { token: scene.owner.token, body, headers });
const create = (body: object, headers = {}) => send("POST", "/api/v1/ai-assets", body, headers);
const pointers = (warnings: readonly { pointer: string }[] | undefined) => warnings?.map(({ pointer }) => pointer);

describe("an unknown property that is all but a known name", () => {
  beforeAll(() => world.a.keepUnknownFields());

  it.each([
    ["two letters that have changed places", "riskTeir", "riskTier"],
    ["one letter more", "purposse", "purpose"],
    ["one letter less", "enviroment", "environment"],
    ["another letter", "labals", "labels"],
    ["another case", "assettype", "assetType"],
  ])("is kept and told of: %s", async (_what, given, meant) => {
    const { status, json } = await create({ [given]: "high" });
    expect(status).toBe(201);
    expect(json.attributes).toEqual({ [given]: "high" });
    expect(json.warnings).toEqual([{ pointer: `/${given}`, message: `Unknown property; did you mean "${meant}"?` }]);
  });

  it("is told of where it stands: in `configuration`, below a known field, in an item of a list", async () => {
    const configured = await create({ configuration: { riskTeir: "high", colour: "red" } });
    expect(pointers(configured.json.warnings)).toEqual(["/configuration/riskTeir"]);
    const owned = await create({ owner: { type: "team", id: "ann", nmae: "Ann" } });
    expect(pointers(owned.json.warnings)).toEqual(["/owner/nmae"]);
    const evidence = [
      { source: "scan", at: "2026-01-01T00:00:00.000Z" },
      { source: "scan", at: "2026-01-01T00:00:00.000Z", detial: "x" },
    ];
    const items = [{ externalRef: { id: "evident" }, evidence }];
    const evident = await send("POST", "/api/v1/ai-assets/import", { items });
    expect(pointers(evident.json.warnings)).toEqual(["/items/0/evidence/1/detial"]);
  });

  it("is told of by every door", async () => {
    const { json: asset } = await create({});
    const path = `/api/v1/ai-assets/${asset.id}`;
    expect(pointers((await send("PUT", path, { purpoes: "x" })).json.warnings)).toEqual(["/purpoes"]);
    expect(pointers((await send("POST", "/api/v1/ai/agents", { framwork: "x" })).json.warnings)).toEqual(["/framwork"]);
    const record = { framwork: "x", colour: "red" };
    const items = [{ assetType: "agent", externalRef: { id: "imported" }, riskTeir: "high", record }];
    const imported = await send("POST", "/api/v1/ai-assets/import", { items });
    expect(pointers(imported.json.warnings)).toEqual(["/items/0/riskTeir", "/items/0/record/framwork"]);
    const session = await send("POST", "/api/v1/ai/sessions", { sensitivty: "public" });
    expect(pointers(session.json.warnings)).toEqual(["/sensitivty"]);
  });

  it("is not stored with the record, and may come back with it", async () => {
    const { json } = await create({ riskTeir: "high" });
    const path = `/api/v1/ai-assets/${json.id}`;
    const read = await world.send("GET", path, { token: world.a.owner.token });
    expect(read.json).not.toHaveProperty("warnings");
    const put = await send("PUT", path, json);
    expect(put.json).toEqual(read.json);
  });

  it("joins the warnings of a policy", async () => {
    const body = { ...(world.a.policyBody("posture") as object), descripton: "x" };
    const { status, json } = await send("POST", "/api/v1/ai-governance/policies", body);
    expect(status).toBe(201);
    expect(pointers(json.warnings)).toContain("/descripton");
  });

  it("is told of again to who repeats the request", async () => {
    const headers = { "idempotency-key": world.a.unique() };
    const first = await create({ name: "once", riskTeir: "high" }, headers);
    const second = await create({ name: "once", riskTeir: "high" }, headers);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(second.text).toBe(first.text);
  });
});

describe("an unknown property of another kind", () => {
  beforeAll(() => world.a.keepUnknownFields());

  it.each(["colour", "riskLevel", "x", "date"])("gives no warning: %s", async (name) => {
    const { status, json } = await create({ [name]: 1 });
    expect([status, json.attributes]).toEqual([201, { [name]: 1 }]);
    expect(json).not.toHaveProperty("warnings");
  });

  it("is named with at most 99 others", async () => {
    const body = Object.fromEntries(Array.from({ length: 500 }, (_none, n) => [`nam${n}`.slice(0, 4 + (n % 3)), n]));
    const near = Object.fromEntries(
      Array.from("abcdefghijklmnopqrstuvwxyz0123456789").flatMap((letter) => [
        [`${letter}name`, 1],
        [`name${letter}`, 1],
        [`na${letter}me`, 1],
        [`n${letter}ame`, 1],
      ]),
    );
    const { status, json } = await create({ ...near, ...body });
    expect([status, json.warnings.length]).toEqual([201, 100]);
  });

  it("gives none in `attributes`, `metadata` and labels, which are the caller's own", async () => {
    const own = { riskTeir: "high" };
    const { json } = await create({ attributes: own, metadata: own, labels: own });
    expect(json).not.toHaveProperty("warnings");
  });
});

describe("the setting strictBodies", () => {
  const settle = (strictBodies: boolean | null) => send("PATCH", "/api/v1/tenant/settings", { strictBodies });
  beforeEach(async () => {
    await settle(null);
  });

  it("is on until it is switched off, and counts at once", async () => {
    const before = await world.send("GET", "/api/v1/tenant/settings", { token: world.a.owner.token });
    expect(before.json).toMatchObject({ id: world.a.tenantId, strictBodies: true });
    expect((await create({ colour: "red" })).status).toBe(400);
    const { status, json } = await settle(false);
    expect([status, json]).toMatchObject([200, { strictBodies: false, version: before.json.version + 1 }]);
    expect((await create({ colour: "red" })).status).toBe(201);
    await settle(null);
    expect((await create({ colour: "red" })).status).toBe(400);
  });

  it("is changed for a reason, which stands in the event", async () => {
    const path = "/api/v1/tenant/settings";
    await send("PATCH", path, { strictBodies: false, reason: "Our portal adds fields of its own." });
    const query = `type=tenant.updated&size=1`;
    const { json } = await world.send("GET", `/api/v1/ai/activity?${query}`, { token: world.a.owner.token });
    expect(JSON.stringify(json.items)).toContain("Our portal adds fields of its own.");
  });

  it("refuses every unknown property with its pointer and the name that was meant, and writes nothing", async () => {
    const count = async () =>
      (await world.send("GET", "/api/v1/ai-assets?size=1", { token: world.a.owner.token })).json.totalItems;
    const before = await count();
    const { status, json } = await create({
      riskTeir: "high",
      riskLevel: 1,
      configuration: { purpos: "x" },
      owner: { type: "team", id: "ann", nmae: "Ann" },
    });
    expect([status, json.code]).toEqual([400, "invalid_request"]);
    const message = (name: string) => `Unknown property; did you mean "${name}"?`;
    expect(json.errors).toEqual([
      { pointer: "/riskTeir", code: "invalid_request", message: message("riskTier") },
      { pointer: "/riskLevel", code: "invalid_request", message: "Unknown property." },
      { pointer: "/configuration/purpos", code: "invalid_request", message: message("purpose") },
      { pointer: "/owner/nmae", code: "invalid_request", message: message("name") },
    ]);
    expect(await count()).toBe(before);
  });

  it("takes what is known, the caller's own, and a record as it was read", async () => {
    const { status, json } = await create({ riskTier: "high", attributes: { colour: "red" }, metadata: { a: 1 } });
    expect(status).toBe(201);
    const path = `/api/v1/ai-assets/${json.id}`;
    const { json: read, text } = await world.send("GET", path, { token: world.a.owner.token });
    expect((await send("PUT", path, read)).text).toBe(text);
  });

  it("is a tenant's own, and counts for calls in process too", async () => {
    await world.b.keepUnknownFields();
    expect((await send("POST", "/api/v1/ai-assets", { colour: "red" }, {}, world.b)).status).toBe(201);
    const caller = await world.controlPlane.principalOf(world.a.tenantId, world.a.owner.userId);
    const body = { colour: "red" } as object;
    await expect(world.controlPlane.call("aiAssets.create", caller, { body })).rejects.toMatchObject({
      errors: [{ pointer: "/colour" }],
    });
  });

  it("refuses the inputs of a batch and the items of an import that have them, and takes the others", async () => {
    const { controlPlane, a } = world;
    const caller = await controlPlane.principalOf(a.tenantId, a.owner.userId);
    const bodies = [{ name: "known" }, { name: "misspelt", riskTeir: "high" } as object];
    const batch = await controlPlane.batch(
      "aiAssets.create",
      caller,
      bodies.map((body) => ({ body })),
    );
    expect(batch).toMatchObject({ done: 2, failed: 1, failures: [{ index: 1 }] });
    const items = bodies.map((body) => ({ ...body, externalRef: { id: a.unique() } }));
    const faults: unknown[] = [];
    const report = await controlPlane.importAssets(caller, items, {
      onOutcome: ({ index, error }) => faults.push([index, error?.errors?.[0]?.pointer]),
    });
    expect([report.created, report.failed]).toEqual([1, 1]);
    expect(faults).toEqual([
      [0, undefined],
      [1, "/riskTeir"],
    ]);
  });
});
