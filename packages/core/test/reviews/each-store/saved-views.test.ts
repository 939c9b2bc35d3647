import type { World } from "@reeve/testkit";
import { beforeEach, describe, expect, it } from "vitest";
import { MOST_VIEWS } from "#families/reviews/saved-views/schema.js";
import { eventsOf } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

const VIEWS = "/api/v1/saved-views";
const body = (name: string, more: object = {}) => ({ list: "estate", name, filters: { type: "agent" }, ...more });

let world: World;
beforeEach(async () => {
  world = await createWorld({ tokenLifetime: 86_400 });
});

type Role = keyof World["a"]["actors"];
const send = (role: Role, method: string, path: string, given?: object, scene = world.a, headers = {}) =>
  world.send(method, path, { token: scene.actors[role].token, headers, ...(given ? { body: given } : {}) });
const save = async (role: Role, given: object, scene = world.a) => (await send(role, "POST", VIEWS, given, scene)).json;
const namesOf = async (role: Role, query = "", scene = world.a): Promise<string[]> => {
  const {
    text,
    json: { items },
  } = await send(role, "GET", `${VIEWS}${query}`, undefined, scene);
  expect(items, text).toBeDefined();
  return items.map(({ name }: { name: string }) => name);
};

describe("saved views of lists", () => {
  it("are one's own until they are shared", async () => {
    const own = await save("member", body("Mine"));
    expect(own).toMatchObject({ list: "estate", name: "Mine", filters: { type: "agent" }, shared: false, version: 1 });
    await save("member", body("Of findings", { list: "findings", filters: { severity: "high" } }));
    const common = await save("governance_officer", body("For all", { shared: true }));
    expect(await namesOf("member")).toEqual(["For all", "Of findings", "Mine"]);
    expect(await namesOf("member", "?list=estate")).toEqual(["For all", "Mine"]);
    expect(await namesOf("member", "?shared=false")).toEqual(["Of findings", "Mine"]);
    expect(await namesOf("operator")).toEqual(["For all"]);
    expect(await namesOf("admin", "", world.b)).toEqual([]);
    for (const [role, scene] of [
      ["admin", world.a],
      ["owner", world.b],
    ] as const) {
      const at = `${VIEWS}/${own.id}`;
      expect((await send(role, "PATCH", at, { name: "Taken" }, scene)).status).toBe(404);
      expect((await send(role, "PATCH", at, { name: "Taken" }, scene, { "if-match": '"7"' })).status).toBe(404);
      expect((await send(role, "DELETE", at, undefined, scene)).status).toBe(404);
    }
    expect((await send("owner", "DELETE", `${VIEWS}/${common.id}`, undefined, world.b)).status).toBe(404);
  });

  it("are changed and removed by their maker, and shared ones by whoever may share", async () => {
    const { id } = await save("member", body("Mine"));
    const at = `${VIEWS}/${id}`;
    expect((await send("member", "PATCH", at, { shared: true })).json).toMatchObject({
      code: "permission_denied",
      permission: "saved-view:share",
    });
    expect((await send("member", "POST", VIEWS, body("Another", { shared: true }))).status).toBe(403);
    const renamed = await send("member", "PATCH", at, { name: "Agents", filters: {} }, world.a, { "if-match": '"1"' });
    expect(renamed.json).toMatchObject({ name: "Agents", filters: {}, version: 2 });
    expect((await send("member", "PATCH", at, { name: "Late" }, world.a, { "if-match": '"1"' })).status).toBe(412);
    const common = `${VIEWS}/${(await save("governance_officer", body("For all", { shared: true }))).id}`;
    expect((await send("member", "PATCH", common, { name: "Mine now" })).status).toBe(403);
    expect((await send("member", "DELETE", common)).status).toBe(403);
    expect((await send("admin", "PATCH", common, { shared: false })).status).toBe(200);
    expect(await namesOf("member")).toEqual(["Agents"]);
    expect(await namesOf("governance_officer")).toEqual(["For all"]);
    expect((await send("member", "DELETE", at)).status).toBe(204);
    expect(await namesOf("member")).toEqual([]);
  });

  it("have names that are their maker's once in a list, whatever their case", async () => {
    await save("member", body("Agents"));
    expect((await send("member", "POST", VIEWS, body("AGENTS"))).json).toMatchObject({ code: "already_exists" });
    expect((await send("member", "POST", VIEWS, body("Agents", { list: "findings" }))).status).toBe(201);
    expect((await send("operator", "POST", VIEWS, body("Agents"))).status).toBe(201);
  });

  it.each([
    ["no name of a list", body("A", { list: "../x" })],
    ["an empty name", body("  ")],
    ["filters that are no texts", body("A", { filters: { size: 5 } })],
    ["a value that is too long", body("A", { filters: { q: "x".repeat(201) } })],
    [
      "too many filters",
      body("A", { filters: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`f${n}`, ""])) }),
    ],
    ["fields of others", body("A", { createdBy: "usr_1" })],
  ])("refuse %s", async (_what, given) => {
    expect((await send("member", "POST", VIEWS, given)).status).toBe(400);
  });

  it(`are ${MOST_VIEWS} of one person at most`, async () => {
    for (let n = 0; n < MOST_VIEWS; n += 1) await save("member", body(`View ${n}`));
    expect((await send("member", "POST", VIEWS, body("One more"))).json).toMatchObject({ code: "limit_exceeded" });
    expect((await send("operator", "POST", VIEWS, body("One more"))).status).toBe(201);
  });

  it("go with the account of their maker, but for those that are shared", async () => {
    await save("governance_officer", body("Private"));
    await save("governance_officer", body("For all", { shared: true }));
    const { userId } = world.a.actors.governance_officer;
    expect((await send("owner", "DELETE", `/api/v1/users/${userId}`)).status).toBe(204);
    expect(await namesOf("admin")).toEqual(["For all"]);
    const types = (await eventsOf(world.a)).map(({ attributes }) => JSON.parse(attributes).type);
    expect(types.filter((type) => type.includes("saved_view.deleted"))).toHaveLength(1);
  });

  it("are in the record, without what private ones hold for those who follow it", async () => {
    const { id } = await save("member", body("Quiet name"));
    const { text, json } = await send("auditor", "GET", `/api/v1/ai/activity/${id}`);
    expect(json.items).toHaveLength(1);
    expect(text).not.toContain("Quiet name");
  });
});
