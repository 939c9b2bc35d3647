import type { Actor, World } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { type HttpAnswer, served } from "../../helpers/adapters.js";
import { createWorld } from "../../helpers/world.js";

const ACTIVITY = "/api/v1/ai/activity";

interface Reported {
  readonly id: string;
  readonly type: string;
  readonly authid: string;
  readonly severitytext: string;
  readonly outcome: string;
}

let world: World;
let assetId: string;
let quotedId: string;
beforeAll(async () => {
  world = await createWorld({ rateLimits: "off" });
  assetId = await world.a.newAsset({ name: "Harbour Zebra", description: "a name that nobody else has" });
  await world.a.newAsset({ name: "Harbour Heron" });
  await world.b.newAsset({ name: "Harbour Heron" });
  quotedId = await world.a.newAsset({ name: 'The "Zulu" at C:\\quay' });
  const change = { token: world.a.owner.token, body: { description: "changed" } };
  expect((await world.send("PUT", `/api/v1/ai-assets/${assetId}`, change)).status).toBe(200);
  const { token } = world.a.actors.auditor;
  expect((await world.send("DELETE", `/api/v1/ai-assets/${assetId}`, { token })).status).toBe(403);
});

describe("the activity list over HTTP", () => {
  let get: (path: string, token?: string) => Promise<HttpAnswer>;
  let all: Reported[];
  beforeAll(async () => {
    get = await served(world);
    all = await walk("size=100");
  });

  const ask = (query: string, who: Actor = world.a.owner, path = ACTIVITY) => get(`${path}?${query}`, who.token);

  /** All items of a query, page by page. */
  async function walk(query: string): Promise<Reported[]> {
    const found: Reported[] = [];
    for (let cursor = ""; ; ) {
      const { status, json } = await ask(`${query}${cursor}`);
      expect(status, JSON.stringify(json)).toBe(200);
      found.push(...json.items);
      if (json.nextCursor === null) return found;
      cursor = `&cursor=${json.nextCursor}`;
    }
  }

  const has = (event: Reported, ...words: string[]) =>
    words.every((word) => JSON.stringify(event).toLowerCase().includes(word));
  const filters: readonly (readonly [string, (event: Reported) => boolean])[] = [
    ["search=zebra", (event) => has(event, "zebra")],
    ["search=HARBOUR%20zebra", (event) => has(event, "harbour", "zebra")],
    ["search=zebra+harbour", (event) => has(event, "harbour", "zebra")],
    ["type=asset.created,user.signed_in", ({ type }) => /\.(?:asset\.created|user\.signed_in)\.v1$/.test(type)],
    [
      "type=reeve.asset.created.v1,request.denied",
      ({ type }) => /\.(?:asset\.created|request\.denied)\.v1$/.test(type),
    ],
    ["severity=WARN,ERROR", ({ severitytext }) => severitytext !== "INFO"],
    ["outcome=denied,failure", ({ outcome }) => outcome !== "success"],
    ["search=harbour&type=asset.created,asset.deleted", (event) => has(event, "harbour", ".asset.created.v1")],
  ];

  it.each(filters)("with %s shows those events once and no others, and counts them", async (query, wanted) => {
    const expected = all.filter(wanted).map(({ id }) => id);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(all.length);
    expect((await walk(`size=2&${query}`)).map(({ id }) => id)).toEqual(expected);
    const { json } = await ask(`size=100&${query}`);
    expect([json.totalItems, json.totalRelation]).toEqual([expected.length, "exact"]);
  });

  it("E15 refuses a type that no event can have, and names those that there are", async () => {
    for (const query of ["type=asset.exploded", "type=asset.created,asset.exploded", "type=reeve.asset.created.v2"]) {
      const { status, json } = await ask(query);
      expect([status, json.code, json.errors[0].parameter]).toEqual([400, "invalid_parameter", "type"]);
      expect(json.errors[0].message).toMatch(/\basset\.created, asset\.deleted,.*\brequest\.denied\b/);
    }
    for (const type of new Set(all.map((event) => event.type))) expect((await ask(`type=${type}`)).status).toBe(200);
  });

  it("shows what any of several people did", async () => {
    const { owner, actors } = world.a;
    const [one, other] = [owner.userId, actors.auditor.userId];
    const expected = all.filter(({ authid }) => authid === one || authid === other);
    expect(new Set(expected.map(({ authid }) => authid)).size).toBe(2);
    expect(await walk(`size=100&actor=${one},${other}`)).toEqual(expected);
  });

  it.each(['"zulu"', "C:\\quay", 'the "ZULU" c:\\QUAY'])("finds the text %s as people write it", async (search) => {
    const query = `search=${encodeURIComponent(search)}`;
    const created = (await ask(`${query}&type=asset.created`)).json.items;
    expect(created.map(({ subject }: { subject: string }) => subject)).toEqual([quotedId]);
    const ofAsset = await ask(query, world.a.owner, `/api/v1/ai-assets/${quotedId}/activity`);
    expect(ofAsset.json.totalItems).toBe(1);
  });

  it("goes on behind each page of a search of one asset's own", async () => {
    const path = `/api/v1/ai-assets/${assetId}/activity`;
    const whole = (await ask("size=100&search=harbour", world.a.owner, path)).json.items;
    expect(whole.length).toBeGreaterThan(1);
    const first = (await ask("size=1&search=harbour", world.a.owner, path)).json;
    const second = await ask(`size=1&search=harbour&cursor=${first.nextCursor}`, world.a.owner, path);
    expect([...first.items, ...(second.json.items ?? [])]).toEqual(whole.slice(0, 2));
  });

  it("finds nothing with words that no event holds together", async () => {
    expect((await ask("search=zebra+heron")).json).toMatchObject({ items: [], totalItems: 0, nextCursor: null });
  });

  it("neither shows nor counts to another tenant what is searched or filtered for", async () => {
    const nothing = { items: [], totalItems: 0, nextCursor: null };
    for (const query of ["search=zebra", `search=${assetId}`, `actor=${world.a.owner.userId}`, "search=zqalpha"])
      expect((await ask(query, world.b.owner)).json, query).toMatchObject(nothing);
    expect((await ask("search=harbour", world.b.owner)).json.items.length).toBeGreaterThan(0);
    expect((await ask("search=zebra", world.b.owner, `${ACTIVITY}/${assetId}`)).status).toBe(404);
    const { nextCursor } = (await ask("search=harbour&size=1")).json;
    const foreign = await ask(`search=harbour&size=1&cursor=${nextCursor}`, world.b.owner);
    expect([foreign.status, foreign.json.code]).toEqual([400, "invalid_cursor"]);
  });

  it("is for those who may see activity", async () => {
    const support = await ask("search=zebra", world.provider.actors.provider_support);
    expect([support.status, support.json.code]).toEqual([403, "permission_denied"]);
    expect((await get(`${ACTIVITY}?search=zebra`)).status).toBe(401);
  });

  it.each([
    "search=",
    "type=asset.created,",
    "severity=INFO,LOUD",
    "outcome=denied,",
    "sort=time",
    "search=a&search=b",
  ])("refuses %s", async (query) => {
    const { status, json } = await ask(query);
    expect([status, json.code]).toEqual([400, "invalid_parameter"]);
  });
});
