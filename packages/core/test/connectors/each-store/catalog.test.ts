import { type Actor, instanceBody, newInstance, type World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { createWorld } from "../../helpers/world.js";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const OLD = "/api/v1/catalog/instances";
const NEW = "/api/v1/connector-instances";
const owner = (): Actor => world.a.actors.owner;
const ask = (method: string, path: string, body?: object) =>
  world.send(method, path, { token: owner().token, ...(body ? { body } : {}) });

const off = { status: "disabled", reason: "Not needed for now." };
const on = { status: "active", skipTest: true, reason: "There is no other system." };
/** What is written, and what of the record it shows in. */
const WRITES: Readonly<Record<string, (text: string) => { body: object; shows: object }>> = {
  name: (text) => ({ body: { name: text }, shows: { name: text } }),
  configuration: (text) => ({
    body: { configuration: { account: text } },
    shows: { configuration: { account: text }, configurationVersion: 2 },
  }),
  secrets: (text) => ({
    body: { secrets: { signingKey: text } },
    shows: { secrets: { signingKey: { set: true } }, configurationVersion: 2 },
  }),
  metadata: (text) => ({ body: { metadata: { note: text } }, shows: { metadata: { note: text } } }),
  environment: () => ({ body: { environment: "staging" }, shows: { environment: "staging" } }),
  mode: () => ({ body: { governanceMode: "managed" }, shows: { governanceMode: "managed" } }),
  activation: () => ({ body: on, shows: { status: "active" } }),
};
const WAYS = [
  { writer: OLD, method: "PUT", reader: NEW },
  { writer: NEW, method: "PATCH", reader: OLD },
] as const;

describe.each(WAYS)("what is written by $writer is read by $reader", ({ writer, method, reader }) => {
  describe.each(Object.keys(WRITES))("%s", (name) => {
    const written = async () => {
      const id = await newInstance(world.a);
      const { body, shows } = (WRITES[name] as (text: string) => { body: object; shows: object })(world.a.unique());
      const answer = await ask(method, `${writer}/${id}`, body);
      expect(answer.status, answer.text).toBe(200);
      return { id, shows };
    };

    it("as one record", async () => {
      const { id, shows } = await written();
      expect((await ask("GET", `${reader}/${id}`)).json).toMatchObject(shows);
    });

    it("in the list", async () => {
      const { id, shows } = await written();
      const { items } = (await ask("GET", `${reader}?size=100`)).json;
      expect(items.find((item: { id: string }) => item.id === id)).toMatchObject(shows);
    });
  });

  it("creation", async () => {
    const { json } = await ask("POST", writer, instanceBody(world.a));
    expect((await ask("GET", `${reader}/${json.id}`)).json).toEqual(json);
  });

  it("deletion", async () => {
    const id = await newInstance(world.a);
    expect((await ask("DELETE", `${writer}/${id}`)).status).toBe(204);
    expect((await ask("GET", `${reader}/${id}`)).status).toBe(404);
  });
});

describe("the older catalogue", () => {
  it("says on every answer, also on refusals, that it is replaced, by what and until when", async () => {
    const id = await newInstance(world.a);
    for (const [path, successor] of [
      [`${OLD}/${id}`, `${NEW}/${id}`],
      [`${OLD}/${id}/health`, `${NEW}/${id}`],
      [`${OLD}/ci_00000000000000000000000000`, `${NEW}/ci_00000000000000000000000000`],
    ] as const) {
      const { headers } = await ask("GET", path);
      expect(headers).toMatchObject({
        deprecation: expect.stringMatching(/^@\d+$/),
        sunset: "Mon, 22 Nov 2027 00:00:00 GMT",
        link: expect.stringContaining(`<${successor}>; rel="successor-version"`),
      });
    }
  });

  it("shows the assets, the history and the stage of a connection", async () => {
    const account = world.a.unique();
    world.scripted.list(account, [{ externalId: "m", assetType: "model", name: `Model of ${account}` }]);
    const id = await newInstance(world.a, { configuration: { account } });
    const stage = async () => {
      const { items } = (await ask("GET", `${OLD}/pipeline?size=100`)).json;
      return items.find((item: { id: string }) => item.id === id)?.stage;
    };
    expect(await stage()).toBe("draft");
    await ask("PUT", `${OLD}/${id}`, { status: "active" });
    expect(await stage()).toBe("tested");
    expect((await ask("POST", `${OLD}/${id}/test-connection`)).json).toMatchObject({ status: "passed" });
    expect((await ask("GET", `${OLD}/${id}/health`)).json).toMatchObject({ healthReason: null });
    expect((await ask("GET", `${OLD}/${id}/capabilities`)).json.items).toMatchObject([
      { capability: "test" },
      { capability: "discover" },
    ]);
    const begun = await ask("POST", `${OLD}/${id}/import`, {});
    expect([begun.status, begun.json.mode]).toEqual([201, "create"]);
    expect(await stage()).toBe("discovered");
    await world.controlPlane.tick();
    expect(await stage()).toBe("imported");
    expect((await ask("GET", `${OLD}/${id}/assets`)).json.items).toMatchObject([{ name: `Model of ${account}` }]);
    expect((await ask("GET", `${OLD}/${id}/audit`)).json.totalItems).toBeGreaterThan(2);
    await ask("PATCH", `${NEW}/${id}`, off);
    expect((await ask("POST", `${OLD}/${id}/discover`, {})).json.code).toBe("invalid_transition");
  });
});
