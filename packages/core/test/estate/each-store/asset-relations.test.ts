import type { World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { RECORD_KINDS } from "#families/estate/index.js";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const ASSETS = "/api/v1/ai-assets";
const REASON = "a reason of more than ten characters";

let world: World;
beforeAll(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

const send = (method: string, path: string, body?: object, token = world.a.owner.token) =>
  world.send(method, path, { token, body });
const asset = async (body: object = {}) => (await send("POST", ASSETS, body)).json;
const relate = (id: string, relations: readonly (readonly [type: string, targetId: string])[]) =>
  send("PUT", `${ASSETS}/${id}`, { relations: relations.map(([type, targetId]) => ({ type, targetId })) });
const refused = (pointer: string) => ({ code: "invalid_reference", status: 400, errors: [{ pointer }] });

describe("relations of an asset", () => {
  it.each(["uses", "exposes", "runs_as", "hosted_on", "derived_from", "delegates_to"])(
    "never lead to itself: %s",
    async (type) => {
      const { id } = await asset();
      const other = await asset();
      expect(
        (
          await relate(id, [
            ["uses", other.id],
            [type, id],
          ])
        ).json,
      ).toMatchObject(refused("/relations/1/targetId"));
      const inside = await send("PUT", `${ASSETS}/${id}`, { configuration: { relations: [{ type, targetId: id }] } });
      expect(inside.json).toMatchObject(refused("/configuration/relations/0/targetId"));
      expect((await send("GET", `${ASSETS}/${id}`)).json.relations).toEqual([]);
    },
  );

  it.each(["derived_from", "hosted_on"])("lead back to it by no way of %s, however long", async (type) => {
    const chain = [await asset()];
    for (let n = 0; n < 5; n += 1) chain.push(await asset({ relations: [{ type, targetId: chain.at(-1).id }] }));
    const [first, second] = chain;
    const last = chain.at(-1);
    const free = await asset();
    const back = await relate(first.id, [
      ["uses", last.id],
      [type, free.id],
      [type, last.id],
    ]);
    expect(back.json).toMatchObject(refused("/relations/2/targetId"));
    expect((await relate(first.id, [[type, second.id]])).json).toMatchObject(refused("/relations/0/targetId"));
    expect((await relate(first.id, [[type, free.id]])).status).toBe(200);
    expect(
      (
        await relate(last.id, [
          [type, free.id],
          [type, second.id],
        ])
      ).status,
    ).toBe(200);
    expect((await relate(free.id, [[type, last.id]])).json.code).toBe("invalid_reference");
  });

  it.each(["uses", "delegates_to"])("may go round by %s", async (type) => {
    const one = await asset();
    const other = await asset({ relations: [{ type, targetId: one.id }] });
    expect((await relate(one.id, [[type, other.id]])).status).toBe(200);
  });

  it("are followed for as long as it takes to be sure, and refused beyond", async () => {
    let previous = await asset();
    const first = previous;
    for (let n = 0; n < 64; n += 1) {
      previous = await asset({ relations: [{ type: "derived_from", targetId: previous.id }] });
    }
    const end = await asset();
    expect((await relate(end.id, [["derived_from", previous.id]])).json).toMatchObject(
      refused("/relations/0/targetId"),
    );
    expect((await relate(first.id, [["derived_from", end.id]])).status).toBe(200);
  });

  it("may lead nowhere or to what is another tenant's, and are flagged", async () => {
    const foreign = await world.b.newAsset();
    const { id } = await asset();
    expect(
      (
        await relate(id, [
          ["derived_from", foreign],
          ["uses", "something else"],
        ])
      ).status,
    ).toBe(200);
    const { items } = (await send("GET", `${ASSETS}/${id}/relations`)).json;
    expect(items.map(({ dangling }: { dangling: boolean }) => dangling)).toEqual([true, true]);
  });

  it("stand in the event when what they lead to is retired", async () => {
    const target = await asset();
    const user = await asset({ relations: [{ type: "uses", targetId: target.id }] });
    await send("PATCH", `${ASSETS}/${target.id}/lifecycle`, { status: "retired", reason: REASON });
    const data = JSON.parse((await eventsOf(world.a)).at(-1)?.data as string);
    expect(data).toMatchObject({
      to: "retired",
      relations: { incoming: [{ type: "uses", sourceId: user.id }], complete: true },
    });
  });
});

describe("an asset on its way into production", () => {
  const party = (id: string) => ({ type: "external", id, name: id });
  const sound = { owner: party("ada"), sponsor: party("grace") };

  /** Registers it, gets it approved, and moves it to `validation`. */
  async function validated(path: string, body: object) {
    const record = (await send("POST", path, { ...sound, ...body })).json;
    const { assetId } = record;
    const govern = (status: string, token?: string) =>
      send("PATCH", `${ASSETS}/${assetId}/governance-state`, { status, reason: REASON }, token);
    await govern("under_review");
    expect((await govern("approved", world.a.actors.admin.token)).status).toBe(200);
    expect((await send("PATCH", `${ASSETS}/${assetId}/lifecycle`, { status: "validation" })).status).toBe(200);
    return record;
  }
  const promote = (assetId: string) => send("PATCH", `${ASSETS}/${assetId}/lifecycle`, { status: "production" });
  const failed = ({ json }: { json: { guards: { key: string; ok: boolean }[] } }) =>
    json.guards.filter(({ ok }) => !ok).map(({ key }) => key);

  it("is not forced: only a retirement is", async () => {
    const { id } = await asset();
    const move = (status: string) =>
      send("PATCH", `${ASSETS}/${id}/lifecycle`, { status, reason: REASON, configuration: { force: true } });
    expect(await move("validation")).toMatchObject({
      status: 400,
      json: { errors: [{ pointer: "/configuration/force", message: "Only a retirement is forced." }] },
    });
    expect((await send("GET", `${ASSETS}/${id}`)).json.status).toBe("registered");
    expect((await move("retired")).status).toBe(200);
  });

  it("waits, when it is a tool, until what the tool says is approved", async () => {
    const tools = "/api/v1/ai/tools";
    const { id, assetId, pin } = await validated(tools, { toolName: "search" });
    expect(failed(await promote(assetId))).toEqual(["recordReady"]);
    const review = { status: "approved", digest: pin.current };
    await send("POST", `${tools}/${id}/review`, review, world.a.actors.admin.token);
    expect((await promote(assetId)).json.status).toBe("production");
  });

  it("waits, when it is an MCP server, until what it offers is approved", async () => {
    const { assetId } = await validated("/api/v1/ai/mcp-servers", { url: "https://mcp.example/x" });
    expect(failed(await promote(assetId))).toEqual(["recordReady"]);
  });

  it("waits, when it is an agent, until all that its record names is there", async () => {
    const model = (await send("POST", "/api/v1/ai/models")).json;
    const { assetId } = await validated("/api/v1/ai/agents", { modelIds: [model.id] });
    await send("DELETE", `/api/v1/ai/models/${model.id}?force=true&reason=${encodeURIComponent(REASON)}`);
    const waiting = await promote(assetId);
    expect(failed(waiting)).toEqual(["relationsResolved"]);
    expect(waiting.json.detail).toContain(model.assetId);
  });
});

describe("reference fields", () => {
  it("of every kind stand in the rule that no id of another tenant is told from one that never was", async () => {
    const { idFieldsOf } = await import("../../helpers/id-fields.js");
    const { operations } = world.controlPlane;
    const fields = RECORD_KINDS.flatMap(({ collection, references }) =>
      references.map(({ field }) => [collection.resource?.path as string, field] as const),
    );
    expect(fields.length).toBeGreaterThan(4);
    for (const [path, field] of fields) {
      const create = operations.find((one) => one.method === "POST" && one.path === path);
      const known = create ? idFieldsOf(create).map(({ path: name }) => name.replace("[]", "")) : [];
      expect(known, `${path} ${field}`).toContain(field);
    }
  });
});

describe("the list of relations", () => {
  it("is filtered by type and by who says so, from either end, for its tenant alone", async () => {
    const [target, other] = [await asset(), await asset()];
    const source = await asset({
      relations: [
        { type: "uses", targetId: target.id },
        { type: "hosted_on", targetId: other.id },
        { type: "derived_from", targetId: other.id },
      ],
    });
    const types = async (id: string, query: string) =>
      (await send("GET", `${ASSETS}/${id}/relations?sort=createdAt&${query}`)).json.items.map(
        ({ type }: { type: string }) => type,
      );
    expect(await types(source.id, "type=uses")).toEqual(["uses"]);
    expect((await types(source.id, "type=uses,derived_from")).sort()).toEqual(["derived_from", "uses"]);
    expect(await types(source.id, "type=exposes")).toEqual([]);
    expect(await types(other.id, `direction=incoming&type=hosted_on&declaredBy=${source.id}`)).toEqual(["hosted_on"]);
    expect(await types(other.id, `direction=incoming&declaredBy=${target.id}`)).toEqual([]);
    expect((await send("GET", `${ASSETS}/${source.id}/relations?type=nothing`)).status).toBe(400);
    const foreign = await send("GET", `${ASSETS}/${source.id}/relations?type=uses`, undefined, world.b.owner.token);
    expect(foreign.status).toBe(404);
  });
});
